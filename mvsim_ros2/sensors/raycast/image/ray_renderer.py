# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Image rendering by ray casting, without OpenGL and for any lens."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import ALL_LAYERS, CameraFrame, CameraView, empty_frame, Layer
from mvsim_ros2.scene.lamps import PLACE, WIDTH
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.raycast.image.bands import band_count, in_bands
from mvsim_ros2.sensors.raycast.image.light import light_of
from mvsim_ros2.sensors.raycast.image.openness import NO_OPENNESS, OpennessCaster, pinhole_rays
from mvsim_ros2.sensors.raycast.image.render_kernel import draw_pixels, Looker, new_render_buffers
from mvsim_ros2.sensors.raycast.image.shading import GLOW, shading_of
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.target import SEEN_ONLY

Numbers = NDArray[np.int64]

# places in a pixel, from its centre, right and down: the usual four of graphics cards
SAMPLES = np.array([(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)]) - 0.5
FIRST = np.array([0, 2, 3, 1])  # sample of the first pixel of a row, of four rows
CONTRAST = 12  # of 255: neighbours that differ by more take all samples
ALONG = 4  # pixels on either side of one on a line that take all samples

_NONE: tuple[NDArray[Any], ...] = (
    np.zeros((0, 3), np.uint8), np.zeros(0, np.float32), np.zeros((0, 2), np.uint16),
    np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))
# pixels that a thread draws, if there is more than one: in 64 x 48 to hand over takes as long as
# half of them, and threads that have such an image drawn each would wait for each other
_LEAST = 8000


class RayRenderer:
    """Renders a scene by ray casting, with exact depths and shadows, on all cores."""

    def __init__(self, rays: RayScene, looks: Scene | None = None) -> None:
        """Load the materials of a scene; `looks` has others, and other lights, in their place."""
        self._rays = rays
        self._scene = looks or rays.scene
        self._shading = shading_of(self._scene)
        self._buffers = [new_render_buffers() for _ in range(band_count())]
        self._openness = OpennessCaster(rays)
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
        frame = out or empty_frame(view.width, view.height, layers, view.hdr)
        if directions is None:
            directions = pinhole_rays(view)
        openness = NO_OPENNESS
        if view.occlusion_reach > 0.0 and frame.colour is not None:
            openness = self._openness.look(view, directions)
        images: list[Any] = [
            none if image is None else image.reshape(-1, *none.shape[1:])
            for image, none in zip((None if view.hdr else frame.colour, frame.depth, frame.ids,
                                    frame.normals, frame.colour if view.hdr else None), _NONE)]
        rays, pixels = directions.reshape(-1, 3), np.arange(view.height * view.width)
        if frame.colour is None or not view.antialiasing:
            self._draw(view, rays, pixels, images, openness)
            return frame
        if len(layers) > 1:
            self._draw(view, rays, pixels, [_NONE[0], *images[1:4], _NONE[4]], openness)
        if view.hdr:
            images[4][...] = 0.0
            for turn in range(len(SAMPLES)):
                rays, bright = np.empty((len(pixels), 3)), np.empty((len(pixels), 3), np.float32)
                _shift(directions, turn, pixels, rays)
                self._draw(view, rays, pixels, [*_NONE[:4], bright], openness)
                images[4] += bright / np.float32(len(SAMPLES))
            return frame
        sums = np.zeros((0, 3), np.uint16)
        for turn in range(len(SAMPLES)):
            rays, drawn = np.empty((len(pixels), 3)), np.empty((len(pixels), 3), np.uint8)
            _shift(directions, turn, pixels, rays)
            self._draw(view, rays, pixels, [drawn, *_NONE[1:]], openness)
            if turn == 0:
                images[0][...] = drawn
                pixels = _chosen(frame.colour)
                sums = images[0][pixels] + np.uint16(len(SAMPLES) // 2)
            else:
                sums += drawn
        images[0][pixels] = sums // len(SAMPLES)
        return frame

    def _draw(self, view: CameraView, rays: Array, pixels: Numbers, layers: list[Any],
              openness: NDArray[np.float32]) -> None:
        """Draw some pixels of a view into layers, on all cores; see `draw_pixels`."""
        looker = self._looker(view, openness)
        in_bands(len(rays), lambda number, first, last: draw_pixels(
            looker, self._buffers[number], rays, pixels, first, last, *layers), _LEAST)

    def _looker(self, view: CameraView, openness: NDArray[np.float32]) -> Looker:
        """Return a view as kernels need it."""
        scene = self._rays
        return Looker(
            scene.target, self._shading, scene.opacity,
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


@compiled(counted=False)
def _shift(directions: Array, turn: int, pixels: Numbers, shifted: Array) -> None:
    """
    Fill in the directions of places within pixels; at the rim of a lens those of the middles.

    Pixels begin with different samples: in four that follow each other in a row, a column or a
    diagonal each is the first of one.

    :param directions: of the middles, shape (height, width, 3); zero outside of the lens.
    :param turn: which samples of the pixels, from 0.
    :param pixels: numbers of those that have them, shape (n,).
    :param shifted: shape (n, 3).
    """
    height, width = directions.shape[:2]
    for n in range(len(pixels)):
        v, u = pixels[n] // width, pixels[n] % width
        right, down = SAMPLES[u % 4 ^ FIRST[v % 4] ^ turn]
        above, below = max(v - 1, 0), min(v + 1, height - 1)
        left, beyond = max(u - 1, 0), min(u + 1, width - 1)
        across, along = right / max(beyond - left, 1), down / max(below - above, 1)
        for row, column in ((v, u), (v, left), (v, beyond), (above, u), (below, u)):
            if directions[row, column, 2] == directions[row, column, 0] == (
                    directions[row, column, 1]) == 0.0:
                across = along = 0.0
        for i in range(3):
            shifted[n, i] = directions[v, u, i] + across * (
                directions[v, beyond, i] - directions[v, left, i]) + along * (
                    directions[below, u, i] - directions[above, u, i])


def _chosen(colour: NDArray[np.uint8]) -> Numbers:
    """Return the numbers of the pixels that differ from a neighbour, and of those along lines."""
    chosen = np.zeros(colour.shape[:2], bool)
    _choose(colour, chosen)
    return np.flatnonzero(chosen)


@compiled(counted=False)
def _choose(colour: NDArray[np.uint8], chosen: NDArray[np.bool_]) -> None:
    """
    Mark the pixels that differ from a neighbour, and those along lines.

    A line differs from the pixels on both sides. What is narrower than a pixel is met by some
    samples only, so the next ones along it are marked too.

    :param chosen: shape (height, width), all False before.
    """
    height, width = chosen.shape
    for v in range(height):
        for u in range(width):
            for i, j in ((0, 1), (1, 0)):
                if v + i < height and u + j < width and _differ(colour, v, u, v + i, u + j):
                    chosen[v, u] = chosen[v + i, u + j] = True
                    if v >= i and u >= j and _differ(colour, v, u, v - i, u - j):
                        for k in range(-ALONG, ALONG + 1):
                            for side in range(-1, 2):
                                chosen[min(max(v + k * j + side * i, 0), height - 1),
                                       min(max(u + k * i + side * j, 0), width - 1)] = True


@compiled(counted=False)
def _differ(colour: NDArray[np.uint8], v: int, u: int, row: int, column: int) -> bool:
    """Return whether two pixels have different colours."""
    for part in range(3):
        if abs(float(colour[v, u, part]) - float(colour[row, column, part])) > CONTRAST:
            return True
    return False
