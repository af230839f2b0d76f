# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cameras for colour and depth."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraFrame, COLOUR, DEPTH, Layer
from mvsim_ros2.sensors import (
    BodyState, DepthImage, Image, Mount, PointCloud, RgbdImages, SensorFrame, SensorModel)
from mvsim_ros2.sensors.camera.camera_sensor import OPTICAL
from mvsim_ros2.sensors.camera.image_noise import ImageNoise, measured_depth
from mvsim_ros2.sensors.camera.lens import checked, Lens, rays_of
from mvsim_ros2.sensors.camera.lens_drops import LensDrops
from mvsim_ros2.sensors.camera.rgb import Imager
from mvsim_ros2.world.spec import RgbdCameraSpec

Floats = NDArray[np.float32]

_NO_PIXELS = np.zeros((0, 0, 3), np.uint8)
_POINT = np.dtype([('x', np.float32), ('y', np.float32), ('z', np.float32), ('rgb', np.uint32)])


class RgbdCamera(Imager):
    """
    Two cameras, one for depth and one for colour; one pass where both see the same.

    Depths are along the optical axis. Points are in the optical frame of the depths.
    """

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        spec: RgbdCameraSpec = mount.spec
        self._rgbd = spec
        self.colour_lens = checked(Lens(
            spec.rgb_ncols, spec.rgb_nrows, spec.rgb_fx, spec.rgb_fy, spec.rgb_cx, spec.rgb_cy,
            coefficients=spec.rgb_distortion), spec, self.name)
        self.depth_lens = self.colour_lens if spec.registered else Lens(
            spec.depth_ncols, spec.depth_nrows, spec.depth_fx, spec.depth_fy, spec.depth_cx,
            spec.depth_cy)
        self._in_depth = spec.relative_pose  # colour camera in the frame of the sensor
        self._colour_frame = spec.frame_id or f'{spec.name}_color_optical_frame'
        self._depth_frame = self._colour_frame if spec.registered else (
            f'{spec.name}_depth_optical_frame')
        self._films = (ImageNoise(spec, spec.rgb_ncols, spec.rgb_nrows, mount.random),)
        self._glasses = (LensDrops(spec, self.colour_lens, mount.views, mount.random),)
        depth_pose = self._in_depth if spec.registered else OPTICAL
        self._colour_pose, self.depth_pose = (  # in the frame of the vehicle
            self.pose.compose(self._in_depth), self.pose.compose(depth_pose))
        # from the depth camera to the colour camera
        self._shift = np.linalg.inv(self._in_depth.matrix) @ depth_pose.matrix
        self._together = self.depth_lens == self.colour_lens and bool(
            np.abs(self._shift - np.eye(4)).max() < 1e-9)

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        frames: tuple[SensorFrame, ...] = (
            SensorFrame(self.spec.name, '', self.pose),
            SensorFrame(self._colour_frame, self.spec.name, self._in_depth))
        if self._depth_frame != self._colour_frame:
            frames += (SensorFrame(self._depth_frame, self.spec.name, OPTICAL),)
        return frames

    def measure(self, stamp_ns: int, state: BodyState) -> RgbdImages:
        spec = self._rgbd
        layers = self._layers.drawn
        frame, seen = CameraFrame(), CameraFrame()
        if spec.sense_rgb:
            both = spec.sense_depth and self._together
            if both and 'depth' not in layers:
                layers = (layers[0], 'depth', *layers[1:])
            frame = self._draw(state, self._colour_pose, self.colour_lens, layers,
                               spec.rgb_clip_min, spec.rgb_clip_max)
            seen = frame if both else seen
        if spec.sense_depth and seen.depth is None:
            seen = self._draw(state, self.depth_pose, self.depth_lens,
                              (*COLOUR, *DEPTH) if self._needs_light else DEPTH,
                              *self.depth_limits)
        colour = depth = cloud = None
        if frame.colour is not None:
            view = self._view(state, self._colour_pose, spec.rgb_clip_min, spec.rgb_clip_max)
            colour = self._image(frame, 0, view, self.info(
                self.colour_lens, self._colour_frame, stamp_ns), self.colour_lens, state)
            colour = self._layers.add(colour, frame, self.colour_lens, view.pose)
        if seen.depth is not None:
            unit = spec.depth_resolution if spec.depth_encoding == '16UC1' else 0.0
            measured = measured_depth(seen.depth, spec, self.random)
            if self._needs_light and seen.colour is not None:
                light = seen.colour.max(axis=2).astype(np.float32)
                light *= light / np.float32(255 * 255)
                measured[(light < spec.depth_light_min) | (
                    light >= spec.depth_light_max) & (spec.depth_light_max < 1.0)] = np.nan
            depth = DepthImage(
                self.name, self._depth_frame, stamp_ns, measured,
                self.info(self.depth_lens, self._depth_frame, stamp_ns), unit)
            if spec.publish_ros_colored_pointcloud:
                cloud = self._cloud(depth, colour)
        return RgbdImages(self.name, self.frame_id, stamp_ns, colour, depth, cloud)

    @property
    def _needs_light(self) -> bool:
        """Return whether depths are lost where there is too little or too much light."""
        return self._rgbd.depth_light_min > 0.0 or self._rgbd.depth_light_max < 1.0

    @property
    def depth_limits(self) -> tuple[float, float]:
        """Return the least and the largest depth that is looked at [m]."""
        return self._rgbd.rgb_clip_min, 2 * self._rgbd.depth_clip_max

    def _draw(self, state: BodyState, pose: Pose, lens: Lens, layers: tuple[Layer, ...],
              near: float, far: float) -> CameraFrame:
        return self._room.draw(lens, self._view(state, pose, near, far), layers)

    def _cloud(self, depth: DepthImage, image: Image | None) -> PointCloud:
        """Return the points in rows and columns, with the colours where they are seen."""
        points = np.empty(depth.depth.shape, _POINT)
        words = points.view(np.uint32).reshape(*points.shape, 4)
        lens = self.colour_lens
        lay_points(
            depth.depth, rays_of(self.depth_lens), _NO_PIXELS if image is None else image.pixels,
            self._shift, np.array([lens.fx, lens.fy, lens.cx, lens.cy, *lens.all_coefficients]),
            self._together, words.view(np.float32), words)
        return PointCloud(self.name, self._depth_frame, depth.stamp_ns, points, False)


@compiled(counted=False)
def lay_points(
        depth: Floats, rays: Array, pixels: NDArray[np.uint8], shift: Array, lens: Array,
        together: bool, places: Floats, words: NDArray[np.uint32]) -> None:
    """
    Fill in the points of depths with the colours where they are seen, black elsewhere.

    :param depth: shape (rows, columns) [m].
    :param rays: where the pixels of the depths look to at a depth of 1, shape (rows, columns, 3).
    :param pixels: colours, shape (rows, columns, 3), or no rows.
    :param shift: transform from the depth camera to the colour camera, shape (4, 4).
    :param lens: of the colour camera: fx, fy, cx, cy [px], and coefficients of plumb_bob.
    :param together: whether depths and colours have the same pixels.
    :param places: x, y, z [m] and 0x00RRGGBB of the points, shape (rows, columns, 4).
    :param words: the same memory.
    """
    height, width = pixels.shape[0], pixels.shape[1]
    for v in range(depth.shape[0]):
        for u in range(depth.shape[1]):
            z = depth[v, u]
            places[v, u, 0], places[v, u, 1] = rays[v, u, 0] * z, rays[v, u, 1] * z
            places[v, u, 2] = z
            row, column = -1, -1
            if together:
                row, column = v, u
            elif height > 0:
                x, y = float(places[v, u, 0]), float(places[v, u, 1])
                ahead = shift[2, 0] * x + shift[2, 1] * y + shift[2, 2] * z + shift[2, 3]
                if ahead > 0.0:
                    right = shift[0, 0] * x + shift[0, 1] * y + shift[0, 2] * z + shift[0, 3]
                    down = shift[1, 0] * x + shift[1, 1] * y + shift[1, 2] * z + shift[1, 3]
                    x, y = right / ahead, down / ahead
                    square = x * x + y * y
                    radial = 1 + square * (lens[4] + square * (lens[5] + square * lens[8]))
                    x, y = (x * radial + 2 * lens[6] * x * y + lens[7] * (square + 2 * x * x),
                            y * radial + lens[6] * (square + 2 * y * y) + 2 * lens[7] * x * y)
                    across, along = np.rint(lens[0] * x + lens[2]), np.rint(lens[1] * y + lens[3])
                    if 0.0 <= across < width and 0.0 <= along < height:
                        row, column = int(along), int(across)
            colour = 0
            if height > 0 and row >= 0:
                colour = ((int(pixels[row, column, 0]) << 16) + (int(pixels[row, column, 1]) << 8)
                          + int(pixels[row, column, 2]))
            words[v, u, 3] = colour


MODELS = (SensorModel(spec=RgbdCameraSpec, make=RgbdCamera),)
