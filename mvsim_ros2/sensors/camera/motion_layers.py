# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Further layers of images: boxes of objects, normals, optical flow."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraFrame, COLOUR, Layer
from mvsim_ros2.scene.poses import body_transforms
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.sensors.base import Mount
from mvsim_ros2.sensors.camera.lens import Lens, rays_of
from mvsim_ros2.sensors.camera.wide_lenses import WIDE
from mvsim_ros2.sensors.observations import Image
from mvsim_ros2.sensors.views.views import ShapeView
from mvsim_ros2.world.spec.sensors.camera import ImagerSpec

SPACE_BOX = np.dtype([('thing', np.uint16), ('label', np.uint16), ('pose', np.float64, (4, 4)),
                      ('size', np.float64, 3)])


class InstantLayers:
    """Adds to images the layers of the spec of their camera."""

    def __init__(self, mount: Mount) -> None:
        spec: ImagerSpec = mount.spec
        self._spec = spec
        self._views, weather = mount.views, mount.world.weather
        self.drawn: tuple[Layer, ...] = (
            *COLOUR, *(('depth',) if spec.optical_flow or weather.shows_particles else ()),
            *(('ids',) if spec.labels or spec.optical_flow else ()),
            *(('normals',) if spec.normals else ()))
        # of each baseline: pose of the camera and of all that moves at the image before
        self.before: dict[float, tuple[Array, MoverStates]] = {}

    def add(self, image: Image, frame: CameraFrame, lens: Lens, pose: Array,
            baseline: float = 0.0) -> Image:
        """
        Return an image with the layers of the spec.

        :param frame: what was drawn of it: all of `drawn`.
        :param pose: of the camera (4, 4), optical, in the world.
        :param baseline: of a camera on the right of another [m].
        """
        spec = self._spec
        if spec.normals:
            image = replace(image, normals=frame.normals)
        if not spec.optical_flow and not spec.boxes_3d:
            return image
        scene, states = self._views.use(ShapeView).scene, self._views.instant.movers
        now = pose, states
        if spec.optical_flow:
            assert frame.depth is not None and frame.ids is not None
            image = replace(image, flow=flow_of(
                frame.depth, frame.ids[..., 1], lens, scene, now, self._past(baseline, now)))
            self.before[baseline] = now
        if spec.boxes_3d and image.labels is not None:
            image = replace(image, labels=replace(image.labels, boxes_3d=space_boxes(
                scene, image.labels.boxes['thing'], states, pose)))
        return image

    def _past(self, baseline: float,
              now: tuple[Array, MoverStates]) -> tuple[Array, MoverStates]:
        """Return where everything was at the image before; `now` where there are other things."""
        before = self.before.get(baseline, now)
        same = all(len(getattr(before[1], name)) == len(getattr(now[1], name))
                   for name in ('vehicles', 'blocks', 'figures'))
        return before if same else now


def flow_of(depth: NDArray[np.float32], thing: NDArray[np.uint16], lens: Lens, scene: Scene,
            now: tuple[Array, MoverStates], before: tuple[Array, MoverStates],
            ) -> NDArray[np.float32]:
    """
    Return how far what pixels show has moved in the image, shape (height, width, 2) [px].

    The differences of u and v to the previous image, NaN without a surface, or if it was not in
    front of a pinhole camera. Things move as their bodies do; the turning of wheels is left out.

    :param depth: along the axis, shape (height, width) [m].
    :param now: pose of the camera (4, 4), optical, in the world, and of all moving objects.
    :param before: the same at the time of the image before.
    """
    rays = rays_of(lens)
    seen = np.isfinite(depth) & (rays[..., 2] != 0.0)
    # along rays, which have the depth 1, but those of a fisheye
    away = np.divide(depth, rays[..., 2], out=np.zeros(depth.shape), where=seen)
    points = away[..., np.newaxis] * rays
    moves = _moves(scene, now[1], before[1])
    # from the camera now, through the body that a pixel shows, to the camera before
    steps = np.linalg.inv(before[0]) @ moves @ now[0]
    step = steps[thing]
    was = np.einsum('vuij,vuj->vui', step[..., :3, :3], points) + step[..., :3, 3]
    v, u = np.indices(depth.shape)
    ahead = seen & (was[..., 2] > 1e-6) if lens.model not in ('equidistant', *WIDE) else seen
    was[~ahead] = 0.0, 0.0, 1.0
    flow = np.stack([u, v], axis=-1) - lens.project(was)
    flow[~ahead] = np.nan
    return np.asarray(flow, np.float32)


def _moves(scene: Scene, now: MoverStates, before: MoverStates) -> Array:
    """Return for each thing the transform from where it is to where it was, (n, 4, 4)."""
    moves = np.tile(np.eye(4), (len(scene.thing_names), 1, 1))
    if scene.motion is not None:
        bodies = body_transforms(before) @ np.linalg.inv(body_transforms(now))
        moves[scene.thing] = bodies[scene.motion.body]
    return moves


def space_boxes(scene: Scene, things: NDArray[np.uint16], states: MoverStates,
                camera: Array) -> NDArray[np.void]:
    """
    Return boxes around things, along the axes of their bodies, else of the world.

    :param things: numbers of objects.
    :param camera: pose (4, 4), optical, in the world.
    :returns: fields thing, label, pose of the middle in the optical frame (4, 4), size along its
        axes [m].
    """
    bodies = body_transforms(states)
    boxes = np.zeros(len(things), SPACE_BOX)
    for box, thing in zip(boxes, things.tolist()):
        rows = np.flatnonzero(scene.thing == thing)
        body = np.eye(4) if scene.motion is None else bodies[scene.motion.body[rows[0]]]
        corners = np.concatenate([
            _corners(scene, row, np.linalg.inv(body)) for row in rows.tolist()])
        low, high = corners.min(axis=0), corners.max(axis=0)
        middle = np.eye(4)
        middle[:3, 3] = 0.5 * (low + high)
        box['thing'], box['label'] = thing, scene.label[rows[0]]
        box['pose'] = np.linalg.inv(camera) @ body @ middle
        box['size'] = high - low
    return boxes


def _corners(scene: Scene, row: int, to_body: Array) -> Array:
    """Return the least and the largest coordinates of an instance in the frame of a body."""
    matrix = to_body @ scene.transform[row]
    points = scene.meshes[scene.mesh[row]].vertices @ matrix[:3, :3].T + matrix[:3, 3]
    return np.stack([points.min(axis=0), points.max(axis=0)])


_BOX = np.dtype([('thing', np.uint16), ('label', np.uint16), ('u_min', np.int32),
                 ('v_min', np.int32), ('u_max', np.int32), ('v_max', np.int32)])


@compiled(counted=False)
def _measure(ids: NDArray[np.uint16], boxes: NDArray[np.int32]) -> None:
    """Fill in label, least and largest u and v of each thing; boxes: (things, 5)."""
    for v in range(ids.shape[0]):
        for u in range(ids.shape[1]):
            thing = ids[v, u, 1]
            if thing == 0:
                continue
            if boxes[thing, 3] < 0:
                boxes[thing, 0] = ids[v, u, 0]
                boxes[thing, 1] = boxes[thing, 3] = u
                boxes[thing, 2] = v
            boxes[thing, 1] = min(boxes[thing, 1], u)
            boxes[thing, 3] = max(boxes[thing, 3], u)
            boxes[thing, 4] = v


def boxes_of(ids: NDArray[np.uint16], count: int) -> NDArray[np.void]:
    """Return a box for each object in sight, of `count` with nothing; see `LabelImage`."""
    limits = np.full((count, 5), -1, np.int32)
    _measure(ids, limits)
    things = np.flatnonzero(limits[:, 3] >= 0)
    boxes = np.zeros(len(things), _BOX)
    boxes['thing'] = things
    for column, name in enumerate(('label', 'u_min', 'v_min', 'u_max', 'v_max')):
        boxes[name] = limits[things, column]
    return boxes
