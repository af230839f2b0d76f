# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Colour cameras, single and in pairs.

Exposures take time, and rows are read out one after another. Row v of H begins to collect light v
R / H after the stamp, for the exposure time E; R is the readout time. The known state is at the
end, R + E after the stamp. Before it everything is drawn where it was. Colours are the mean of the
light at the middles of n equal parts of the exposure; labels and depths are those of its middle.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, COLOUR, empty_frame, Layer
from mvsim_ros2.sensors import (
    BodyState, CameraInfo, Image, LabelImage, Mount, Observation, SensorFrame, SensorModel,
    StereoImages)
from mvsim_ros2.sensors.camera.aperture import Aperture, colour_of, light_of
from mvsim_ros2.sensors.camera.camera_sensor import CameraSensor
from mvsim_ros2.sensors.camera.falling_streaks import FallingStreaks
from mvsim_ros2.sensors.camera.image_noise import ImageNoise
from mvsim_ros2.sensors.camera.lens import checked, Lens
from mvsim_ros2.sensors.camera.lens_drops import LensDrops
from mvsim_ros2.sensors.camera.motion_layers import boxes_of, InstantLayers
from mvsim_ros2.sensors.views.image_view import ImageView
from mvsim_ros2.sensors.views.views import ShapeView
from mvsim_ros2.world.spec import CameraSpec, ImagerSpec


class Shutter:
    """When the rows of a camera gather light."""

    def __init__(self, spec: CameraSpec) -> None:
        self._aperture, self._hdr = Aperture(spec), spec.takes_light
        self._exposure, self._readout = spec.exposure_time, spec.readout_time
        self.duration = self._exposure + self._readout  # s, of an image
        bands = min(spec.readout_bands, spec.nrows) if self._readout else 1
        self._edges = np.linspace(0, spec.nrows, bands + 1).astype(int).tolist()
        self._samples = spec.exposure_samples if self._exposure else 1

    def take(self, room: ImageView, lens: Lens, state: BodyState, layers: tuple[Layer, ...],
             view_of: Callable[[BodyState], CameraView]) -> CameraFrame:
        """
        Return an image.

        :param state: of the carrier, at the end of the image.
        :param view_of: gives the view from a state of the carrier.
        """
        if self.duration == 0.0:
            return self._aperture.draw(room, lens, view_of(state), layers)
        room.uses_gl(lens)  # it is all of the lens that decides
        frame = empty_frame(lens.width, lens.height, layers, self._hdr)
        try:
            for first, last in zip(self._edges, self._edges[1:]):
                self._take_band(room, lens, first, last, state, layers, view_of, frame)
        finally:
            room.go_back(0.0)
        return frame

    def _take_band(self, room: ImageView, lens: Lens, first: int, last: int, state: BodyState,
                   layers: tuple[Layer, ...], view_of: Callable[[BodyState], CameraView],
                   frame: CameraFrame) -> None:
        """Fill in the rows from `first` to before `last`."""
        row = 0.5 * (first + last - 1)
        begin = self.duration - self._readout * row / lens.height
        light: NDArray[Any] | None = None
        shares = [(sample + 0.5) / self._samples for sample in range(self._samples)]
        drawn: dict[float, tuple[Layer, ...]] = dict.fromkeys(
            shares if 'colour' in layers else (), COLOUR)
        others = tuple(layer for layer in layers if layer != 'colour')
        if others:
            drawn[0.5] = drawn.get(0.5, ()) + others
        for share, wanted in drawn.items():
            before = room.go_back(begin - self._exposure * share)
            then = state if state.mover_index < 0 else replace(
                state, pose=before.vehicles[state.mover_index])
            seen = self._aperture.draw(room, lens.rows(first, last), view_of(then), wanted)
            if seen.colour is not None:
                squares = light_of(seen.colour)
                light = squares if light is None else light + squares
            for layer in others if share == 0.5 else ():
                getattr(frame, layer)[first:last] = getattr(seen, layer)
        if light is not None and frame.colour is not None:
            frame.colour[first:last] = colour_of(light / self._samples, self._hdr)


_LARGEST = 2 ** 25 - 2 ** 14  # bytes: that of the largest array by whose end glibc is changed


@cache
def keep_freed_memory() -> None:
    """
    Have the C library keep freed memory for what comes, up to 64 MB.

    The GNU allocator returns freed memory to the system if there is twice as much as in the
    largest array freed before. A camera whose images are dropped at once then gets new memory for
    each, with a page fault per 4 kB. This takes a millisecond for colour and depth of 640 x 480
    pixels. So a large array ends here; its memory is never touched. Other C libraries take no
    notice.
    """
    np.empty(_LARGEST, np.uint8)


class Imager(CameraSensor):
    """What colour cameras share."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        keep_freed_memory()
        spec: ImagerSpec = mount.spec
        self._imager, self._encoding = spec, 'rgb8'
        self._films: tuple[ImageNoise, ...] = ()  # of all its images
        self._glasses: tuple[LensDrops, ...] = ()  # in front of them
        self._streaks = FallingStreaks(mount)
        self._exposure_time = 0.0
        self._room = ImageView(mount.views, spec.renderer, f'{spec.source}: {self.name}',
                               spec.ambient_occlusion > 0.0 or spec.labels)
        self._layers = InstantLayers(mount)

    def reset(self) -> None:
        """Begin with the exposure of the spec, and without an image before."""
        self._layers.before.clear()
        for glass in self._glasses:
            glass.reset()
        for film in self._films:
            if film.electronics:
                film.electronics.reset()

    def state(self) -> dict[str, Any]:
        """Return exposures, gains, drops, and where everything was at the image before."""
        return {'exposures': [(film.electronics.exposure, film.electronics.gain)
                              for film in self._films if film.electronics],
                'drops': [(glass.drops, glass.time_ns) for glass in self._glasses],
                'before': dict(self._layers.before)}

    def set_state(self, state: dict[str, Any]) -> None:
        parts = [film.electronics for film in self._films if film.electronics]
        for part, (exposure, gain) in zip(parts, state['exposures'], strict=False):  # or no noise
            part.exposure, part.gain = exposure, gain
        self._layers.before = dict(state['before'])
        for glass, (drops, time_ns) in zip(self._glasses, state['drops'], strict=True):
            glass.drops, glass.time_ns = drops, time_ns

    def _view(self, state: BodyState, pose: Pose, near: float, far: float) -> CameraView:
        """Return the view from a pose in the body frame; the lens gives the pixels."""
        return CameraView(self.pose_in_world(state, pose), 1, 1, 1.0, 1.0, 0.0, 0.0, near, far,
                          state.mover_index, self.name, self._imager.ignore_parent_body,
                          self._imager.antialiasing, self._imager.ambient_occlusion,
                          self._imager.takes_light)

    def _image(self, frame: CameraFrame, side: int, view: CameraView, info: CameraInfo,
               lens: Lens, state: BodyState) -> Image:
        """Return a colour image of one camera of a pair, with labels where they were drawn."""
        assert frame.colour is not None
        if self._streaks.any:
            assert frame.depth is not None
            turned = rotation_matrix(float(state.pose[3]), 0.0, 0.0)
            begin = 1e-9 * info.stamp_ns
            self._streaks.add(
                frame.colour, frame.depth, lens, view.pose,
                turned @ [*state.twist_body[:2].tolist(), 0.0],
                (begin, begin + self._exposure_time),
                np.square(self._views.use(ShapeView).scene.lighting.air_colour))
        if self._glasses[side].any:
            self._glasses[side].add(frame.colour, info.stamp_ns, view)
        labels = None
        if frame.ids is not None and self._imager.labels:
            names = self._views.use(ShapeView).scene.thing_names
            labels = LabelImage(
                self.name, info.frame_id, info.stamp_ns, frame.ids[..., 0].copy(),
                frame.ids[..., 1].copy(), names, boxes_of(frame.ids, len(names)), info)
        return Image(self.name, info.frame_id, info.stamp_ns,
                     self._films[side].expose(frame.colour), info, labels, self._encoding)


class Camera(Imager):
    """Colour camera, or two of them side by side."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        spec: CameraSpec = mount.spec
        self._camera = spec
        model, coefficients = spec.lens
        self.lens = checked(Lens(spec.ncols, spec.nrows, spec.fx, spec.fy, spec.cx, spec.cy,
                                 model, coefficients), spec, self.name)
        self._encoding = spec.encoding
        self._films = tuple(
            ImageNoise(spec, spec.ncols, spec.nrows, mount.random, spec.encoding)
            for _ in range(2 if spec.stereo_baseline else 1))
        self._glasses = tuple(
            LensDrops(spec, self.lens, mount.views, mount.random) for _ in self._films)
        self.frame_id = spec.frame_id or f'{spec.name}_optical_frame'
        self._right = Pose(x=spec.stereo_baseline)  # in the left, optical
        self._shutter, self._exposure_time = Shutter(spec), spec.exposure_time
        self.sweep_ns = round(1e9 * self._shutter.duration)

    @property
    def frames(self) -> tuple[SensorFrame, ...]:
        frames = super().frames
        if self._camera.stereo_baseline:
            frames += (SensorFrame(self._right_frame, self.frame_id, self._right),)
        return frames

    @property
    def _right_frame(self) -> str:
        return f'{self.spec.name}_right_optical_frame'

    def measure(self, stamp_ns: int, state: BodyState) -> Observation:
        """Return an image, or a pair of them; its stamp is when its first row begins."""
        stamp_ns -= self.sweep_ns
        left = self._take(stamp_ns, state, self.pose, self.frame_id, 0.0)
        baseline = self._camera.stereo_baseline
        if not baseline:
            return left
        frame_id = self._right_frame if self._camera.stereo_right_frame else self.frame_id
        right = self._take(stamp_ns, state, self.pose.compose(self._right), frame_id, baseline)
        return StereoImages(self.name, self.frame_id, stamp_ns, left, right)

    def _take(self, stamp_ns: int, state: BodyState, pose: Pose, frame_id: str,
              baseline: float) -> Image:
        spec = self._camera
        now = self._view(state, pose, spec.clip_min, spec.clip_max)
        frame = self._shutter.take(
            self._room, self.lens, state, self._layers.drawn, lambda then: now if then is state
            else self._view(then, pose, spec.clip_min, spec.clip_max))
        side = 1 if baseline else 0
        image = self._image(frame, side, now, self.info(
            self.lens, frame_id, stamp_ns, -self.lens.fx * baseline,
            self._right_frame if baseline else ''), self.lens, state)
        return self._layers.add(image, frame, self.lens, now.pose, baseline)


MODELS = (SensorModel(spec=CameraSpec, make=Camera),)
