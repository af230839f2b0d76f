# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Event cameras, by the model of v2e.

Y. Hu, S.-C. Liu and T. Delbruck, v2e: From video frames to realistic DVS events, CVPR Workshops
2021. A low pass, with a bandwidth that falls with the light, filters the logarithm of the light,
linear below 20 of 255. An event occurs if it differs from the value at the last event by the
threshold of the pixel. Leakage, noise and a refractory time are included. Between two images an
event falls where the straight line crosses the threshold, as in H. Rebecq, D. Gehrig and D.
Scaramuzza, ESIM: an open event camera simulator, CoRL 2018.
"""

from dataclasses import replace
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.camera_view import COLOUR
from mvsim_ros2.sensors import BodyState, Events, Mount, SensorModel
from mvsim_ros2.sensors.camera.camera_sensor import PinholeSensor
from mvsim_ros2.sensors.observations.camera import EVENT
from mvsim_ros2.sensors.views.image_view import ImageView
from mvsim_ros2.world.spec.sensors.special_cameras import EventCameraSpec

_STRAIGHT = 20.0  # of 255; light below which the logarithm is replaced by a line
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of ITU-R BT.709
_LEAST_THRESHOLD = 0.01
_BRIGHT_NOISE = 0.25  # share of the noise of dark pixels that bright ones have


def log_light(light: Array) -> Array:
    """Return the logarithm of the light, 0 to 255, straight below 20; both meet there."""
    straight = light * (math.log(_STRAIGHT) / _STRAIGHT)
    return np.where(light <= _STRAIGHT, straight, np.log(np.maximum(light, _STRAIGHT)))


class EventPixels:
    """The pixels of an event camera."""

    def __init__(self, spec: EventCameraSpec, random: np.random.Generator) -> None:
        self._spec, self._random = spec, random
        shape = spec.nrows, spec.ncols
        self.limits = [np.full(shape, threshold) if spec.threshold_sigma == 0.0 else np.maximum(
            threshold + spec.threshold_sigma * random.standard_normal(shape), _LEAST_THRESHOLD)
            for threshold in (spec.threshold_off, spec.threshold_on)]
        self.memory: tuple[Array, Array, Array] | None = None  # filtered, of the last event, when

    def see(self, light: Array, begin: float, end: float) -> NDArray[np.void]:
        """
        Return the events between two images, in the order of time.

        :param light: of the second, 0 to 255, shape (rows, columns).
        :param begin: time of the first, in seconds, as `end` that of the second.
        :returns: fields x, y, time [s] and polarity.
        """
        value = log_light(light)
        if self.memory is None:
            self.memory = value, value.copy(), np.full(light.shape, -math.inf)
            return np.zeros(0, _TIMED)
        spec, (before, base, last) = self._spec, self.memory
        span = end - begin
        bright = (light + _STRAIGHT) / (255.0 + _STRAIGHT)
        if spec.cutoff > 0.0:
            part = np.minimum(bright * span * 2.0 * math.pi * spec.cutoff, 1.0)
            value = before + part * (value - before)
        base = base - span * spec.leak_rate * self.limits[1]
        found = []
        way = value - before
        for polarity, sign in ((1, 1.0), (0, -1.0)):
            limit = self.limits[polarity]
            count = np.maximum(np.floor(sign * (value - base) / limit + 1e-9), 0.0).astype(int)
            rows, columns = np.nonzero(count)
            number = count[rows, columns]
            step = np.concatenate([np.arange(1, n + 1) for n in number.tolist()]) if len(
                number) else np.zeros(0)
            rows, columns = np.repeat(rows, number), np.repeat(columns, number)
            level = base[rows, columns] + sign * step * limit[rows, columns]
            slope = way[rows, columns]
            share = np.where(np.abs(slope) > 1e-12, (level - before[rows, columns]) / np.where(
                np.abs(slope) > 1e-12, slope, 1.0), 1.0)
            found.append(_events(rows, columns, begin + span * np.clip(share, 0.0, 1.0),
                                 polarity))
            base = base + sign * count * limit
        found += self._noise(bright, begin, span)
        events = np.concatenate(found)
        events = events[np.argsort(events['time'], kind='stable')]
        if spec.refractory_time > 0.0:
            events = _rested(events, last, spec.refractory_time)
        self.memory = value, base, last
        return events

    def _noise(self, bright: Array, begin: float, span: float) -> list[NDArray[np.void]]:
        """Return the events of noise, of growth and of fall."""
        rate = self._spec.shot_noise_rate
        if rate == 0.0:
            return []
        found = []
        chance = 0.5 * rate * span * (1.0 + (_BRIGHT_NOISE - 1.0) * bright)
        for polarity in (1, 0):
            rows, columns = np.nonzero(self._random.random(bright.shape) < chance)
            found.append(_events(rows, columns, begin + span * self._random.random(len(rows)),
                                 polarity))
        return found


_TIMED = np.dtype([('x', np.uint16), ('y', np.uint16), ('time', np.float64),
                   ('polarity', np.uint8)])


def _events(rows: NDArray[np.intp], columns: NDArray[np.intp], times: Array,
            polarity: int) -> NDArray[np.void]:
    events = np.zeros(len(rows), _TIMED)
    events['x'], events['y'], events['time'] = columns, rows, times
    events['polarity'] = polarity
    return events


def _rested(events: NDArray[np.void], last: Array, rest: float) -> NDArray[np.void]:
    """
    Return events without those within a time after the one before of their pixel.

    :param last: times of the last event of each pixel, which is brought up to date [s].
    """
    kept = np.zeros(len(events), bool)
    for number, (x, y, time, _) in enumerate(events.tolist()):
        if time >= last[y, x] + rest:
            last[y, x] = time
            kept[number] = True
    return events[kept]


class EventCamera(PinholeSensor):
    """Measures changes of the light."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        spec: EventCameraSpec = mount.spec
        self._event = spec
        self._room = ImageView(mount.views, spec.renderer, f'{spec.source}: {self.name}')
        self._pixels = EventPixels(spec, mount.random)
        self._seen_ns = 0  # time of the last image
        self.sweep_ns = self.period_ns

    def reset(self) -> None:
        """Draw the thresholds anew, and reset the last image."""
        self._pixels = EventPixels(self._event, self.random)

    def state(self) -> dict[str, Any]:
        return {'seen': self._seen_ns, 'limits': [limit.copy() for limit in self._pixels.limits],
                'memory': self._pixels.memory and tuple(
                    part.copy() for part in self._pixels.memory)}

    def set_state(self, state: dict[str, Any]) -> None:
        self._seen_ns = state['seen']
        self._pixels.limits = [limit.copy() for limit in state['limits']]
        memory = state['memory']
        self._pixels.memory = memory and tuple(part.copy() for part in memory)

    def measure(self, stamp_ns: int, state: BodyState) -> Events:
        """Return the events since the measurement before; the stamp is the time of that."""
        spec = self._event
        first = self._pixels.memory is None
        begin_ns = stamp_ns - self.period_ns if first else self._seen_ns
        span = 1e-9 * (stamp_ns - begin_ns)
        found = []
        try:
            for sample in range(1 if first or span == 0.0 else spec.samples):
                age = 0.0 if first or span == 0.0 else span * (1.0 - (sample + 1) / spec.samples)
                before = self._room.go_back(age)
                then = state if state.mover_index < 0 or age == 0.0 else replace(
                    state, pose=before.vehicles[state.mover_index])
                end = 1e-9 * stamp_ns - age
                start = end if first else end - span / spec.samples
                found.append(self._pixels.see(self._light(then), start, end))
        finally:
            self._room.go_back(0.0)
        self._seen_ns = stamp_ns
        timed = np.concatenate(found)
        events = np.zeros(len(timed), EVENT)
        for name in ('x', 'y', 'polarity'):
            events[name] = timed[name]
        events['t'] = np.rint(np.maximum(1e9 * timed['time'] - begin_ns, 0.0))
        return Events(self.name, self.frame_id, begin_ns, events,
                      self.info(self.lens, self.frame_id, begin_ns))

    def _light(self, state: BodyState) -> Array:
        """Return the light of all pixels, 0 to 255."""
        colour = self._room.draw(self.lens, self.view(state), COLOUR).colour
        assert colour is not None
        return np.asarray((colour.astype(float) ** 2 @ _LUMINANCE) / 255.0)


MODELS = (SensorModel(spec=EventCameraSpec, make=EventCamera),)
