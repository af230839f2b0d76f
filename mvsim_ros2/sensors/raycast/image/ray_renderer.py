# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Image rendering by ray casting, without OpenGL and for any lens."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import beside
from mvsim_ros2.scene.camera_view import ALL_LAYERS, CameraFrame, CameraView, empty_frame, Layer
from mvsim_ros2.scene.lamps import PLACE, WIDTH
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.raycast.image.bands import band_count, in_bands
from mvsim_ros2.sensors.raycast.image.edge_lines import EdgeLines, Lines, NO_LINES, outlines_of
from mvsim_ros2.sensors.raycast.image.edges import Edges, edges_of, MARKS
from mvsim_ros2.sensors.raycast.image.light import light_of
from mvsim_ros2.sensors.raycast.image.openness import NO_OPENNESS, OpennessCaster
from mvsim_ros2.sensors.raycast.image.render_kernel import draw_pixels, Looker, new_render_buffers
from mvsim_ros2.sensors.raycast.image.shading import GLOW, shading_of
from mvsim_ros2.sensors.raycast.image.smooth_strips import (
    most_pixels, smooth_strips, strip_room, StripRoom)
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.target import SEEN_ONLY, Target

Array = NDArray[np.float64]

_NONE: tuple[NDArray[Any], ...] = (
    np.zeros((0, 3), np.uint8), np.zeros(0, np.float32), np.zeros((0, 2), np.uint16),
    np.zeros((0, 3), np.float32))
_UNMARKED = np.zeros((0, MARKS), np.float32)
_EACH = np.zeros(0, np.int64)
_PINHOLE = np.zeros((0, 0, 3))  # directions that follow from the lens
_SPARE = 4  # part of its size that scratch has in addition, for the next images
_FEW = 500  # pixels on edges: no more are smoothed by one thread
# pixels that a thread draws, if there is more than one: in 64 x 48 to hand over takes as long as
# half of them, and threads that have such an image drawn each would wait for each other
_LEAST = 8000


class RayRenderer:
    """Renders a scene by ray casting, with exact depths and shadows, on all cores."""

    def __init__(self, rays: RayScene, looks: Scene | None = None) -> None:
        """
        Load the materials of a scene.

        :param rays: updated by its owner after objects have moved.
        :param looks: the same scene with other materials and lights; None for its own.
        """
        self._rays = rays
        self._scene = looks or rays.scene
        self._shading = shading_of(self._scene)
        self._buffers = [new_render_buffers() for _ in range(band_count())]
        self._openness = OpennessCaster(rays)
        self._lines: EdgeLines | None = None
        self._rough = RoughMeshes(rays.scene)
        self._ready_for: tuple[CameraView | None, Target] = None, rays.target
        self._ready_looker: Looker | None = None  # of that view, without ambient occlusion
        self._rooms: list[StripRoom | None] = [None] * len(self._buffers)
        lighting = self._scene.lighting
        self._sky = np.zeros((0, 1, 1, 3), np.uint8) if lighting.sky is None else lighting.sky
        self._light = light_of(lighting)

    def render(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS,
               out: CameraFrame | None = None, directions: Array | None = None) -> CameraFrame:
        """
        Render the present state of the scene.

        :param layers: layers to render.
        :param out: frame of the same size and layers, whose arrays are filled and returned.
        :param directions: of the pixels in the optical frame, shape (height, width, 3), zero
            outside of the lens; None for a pinhole camera. `near` and `far` of the view are in
            their lengths.
        """
        frame = out or empty_frame(view.width, view.height, layers)
        if directions is None:
            directions = pinhole_rays(
                view.width, view.height, view.fx, view.fy, view.cx, view.cy)
        openness = NO_OPENNESS
        if view.occlusion_reach > 0.0 and frame.colour is not None:
            openness = self._openness.look(view, directions)
        images: list[Any] = [
            none if image is None else image.reshape(-1, *none.shape[1:])
            for image, none in zip(
                (frame.colour, frame.depth, frame.ids, frame.normals), _NONE)]
        if not view.antialiasing or frame.colour is None:
            self._draw(view, directions, images, _UNMARKED, openness)
            return frame
        marks = np.full((view.height * view.width, MARKS), -1.0, np.float32)
        self._draw(view, directions, images, marks, openness)
        edges = edges_of(
            marks.reshape(view.height, view.width, MARKS), frame.colour, directions,
            np.ascontiguousarray(view.pose[:3, :3], float))
        self._smooth(view, edges, frame.colour, directions, openness)
        return frame

    def smooth(self, view: CameraView, edges: Edges, colour: NDArray[np.uint8],
               openness: NDArray[np.float32] | None = None) -> None:
        """
        Smooth edges in an image of a pinhole camera.

        :param edges: of the image.
        :param colour: the image, shape (height, width, 3).
        :param openness: see `OpennessCaster.look`; None where it is to be found.
        """
        if view.occlusion_reach == 0.0:
            openness = NO_OPENNESS
        elif openness is None:
            openness = self._openness.look(view, pinhole_rays(
                view.width, view.height, view.fx, view.fy, view.cx, view.cy))
        self._smooth(view, edges, colour, _PINHOLE, openness)

    def _smooth(self, view: CameraView, edges: Edges, colour: NDArray[np.uint8],
                directions: Array, openness: NDArray[np.float32]) -> None:
        pixels = edges.pixels
        if not len(pixels):
            return
        threads = band_count() if len(pixels) >= _FEW else 1
        most = most_pixels(len(pixels), threads, view.width)
        lines = self._lines_for(view, edges)
        looker = self._ready_looker if self._is_ready(view) else None
        if looker is None:
            looker = self._looker(view, directions, openness)
        taken, image = np.zeros(1, np.int64), colour.reshape(-1, 3)
        address = taken.ctypes.data

        def smooth(thread: int) -> None:
            room = self._room(thread, most, len(lines.seen), view.width)
            smooth_strips(address, threads, edges, lines, looker, room, image)

        beside(threads, smooth)

    def _room(self, thread: int, most: int, lines: int, width: int) -> StripRoom:
        """Return the scratch of a thread, that of the image before where it is large enough."""
        room = self._rooms[thread]
        if room is None or not room.holds(most, lines, width):
            room = self._rooms[thread] = strip_room(
                self._buffers[thread], most + most // _SPARE, lines + lines // _SPARE, width)
        return room

    def get_ready(self, view: CameraView) -> None:
        """Do what `smooth` can do for a view before its image is drawn."""
        if self._lines is None:
            self._lines = EdgeLines(outlines_of(self._rays.scene))
        rays = self._rays
        self._ready_for = view, rays.target
        self._lines.project(view, rays.target, rays.datum, rays.masks.instances & (
            rays.mask(view.vehicle, view.sensor, view.hide_vehicle) | SEEN_ONLY) != 0,
            self._rough.levels(view))
        self._ready_looker = None if view.occlusion_reach else self._looker(
            view, pinhole_rays(view.width, view.height, view.fx, view.fy, view.cx, view.cy),
            NO_OPENNESS)

    def _is_ready(self, view: CameraView) -> bool:
        """Return whether `get_ready` was called for a view, and nothing has moved since."""
        return self._ready_for[0] is view and self._ready_for[1] is self._rays.target

    def _lines_for(self, view: CameraView, edges: Edges) -> Lines:
        """Return the lines of edges in a view, none where they are not looked for."""
        if not edges.depth.size:
            return NO_LINES
        if not self._is_ready(view):
            self.get_ready(view)
        assert self._lines is not None
        return self._lines.found(view.width, view.height)

    def _draw(self, view: CameraView, rays: Array, layers: list[Any],
              marks: NDArray[np.float32], openness: NDArray[np.float32]) -> None:
        """Draw all pixels of a view into layers, on all cores; see `draw_pixels`."""
        looker = self._looker(view, rays, openness)
        rays = rays.reshape(-1, 3)
        in_bands(len(rays), lambda number, first, last: draw_pixels(
            looker, self._buffers[number], rays, _EACH, first, last, layers[0], layers[1],
            layers[2], layers[3], marks), _LEAST)

    def _looker(self, view: CameraView, directions: Array,
                openness: NDArray[np.float32]) -> Looker:
        """Return a view as kernels need it."""
        scene = self._rays
        return Looker(
            scene.target, self._shading, scene.opacity, directions,
            np.array([view.fx, view.fy, view.cx, view.cy]),
            np.ascontiguousarray(view.pose[:3, :3], float), view.pose[:3, 3] - scene.datum,
            self._light, self._lamps(view), self._sky, openness,
            np.array([view.height, view.width]), view.near, view.far, 1.0 / view.fx,
            scene.mask(view.vehicle, view.sensor, view.hide_vehicle) | SEEN_ONLY,
            self._scene.lighting.shadows)

    def _lamps(self, view: CameraView) -> Array:
        """Return the lamps that light a view, and note what gives off light."""
        scene = self._scene
        if scene.lamps is None:
            return np.zeros((0, WIDTH))
        self._shading.instances[:, GLOW] = scene.glow
        lamps = scene.lamps.nearest(view.pose[:3, 3])
        lamps[:, PLACE:PLACE + 3] -= self._rays.datum
        return lamps


@lru_cache(maxsize=16)
def pinhole_rays(width: int, height: int, fx: float, fy: float, cx: float, cy: float) -> Array:
    """Return the directions of the pixels of a pinhole camera, of depth 1: (height, width, 3)."""
    rays = np.ones((height, width, 3))
    rays[..., 0] = (np.arange(width) - cx) / fx
    rays[..., 1] = ((np.arange(height) - cy) / fy)[:, np.newaxis]
    return rays
