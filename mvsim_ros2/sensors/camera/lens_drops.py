# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drops of rain on the glass in front of a camera.

Each is a cap of a sphere that bends what is seen through it by the law of Snell, as in M. Roser
and A. Geiger, Video-based raindrop detection for improved image registration, ICCV Workshops
2009. The lens is focused at infinity. Through its aperture a pixel sees a disc of the near glass,
      so drops are blurred. How many fall, and how large, is the flux of the drops of Marshall and
      Palmer (see `spec.weather`) with the speeds of D. Atlas, R. Srivastava and R. Sekhon, Doppler
      radar characteristics of precipitation at vertical incidence, 1973; each stays for a time
      that is distributed exponentially.
"""

from dataclasses import replace
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView, COLOUR
from mvsim_ros2.sensors.camera.lens import Lens, rays_of
from mvsim_ros2.sensors.views.image_view import RayImageView
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec.sensors.camera import ImagerSpec
from mvsim_ros2.world.spec.weather import DROPS, rain_slope

WATER = 1.333  # refractive index
ANGLE = math.radians(45.0)  # at which water meets glass
SAMPLES = 16  # of the aperture
LEVEL = 0.2  # cosine to the axis below which pixels see no drops
STRAIGHT = ((WATER - 1.0) / (WATER + 1.0)) ** 2  # share that water reflects at right angles
_LEAST, _MOST = 0.2, 6.0  # mm, of drops that hit the glass
_SIZES = np.linspace(_LEAST, _MOST, 1000)
# radius of the disc on the glass, of the diameter of a ball of the same volume
_SPREAD = (6.0 * (2.0 + math.cos(ANGLE)) * (1.0 - math.cos(ANGLE)) ** 2
           / (3.0 * math.sin(ANGLE) ** 3)) ** (-1.0 / 3.0)


def drop_flux(rate: float) -> Array:
    """Return the drops of rain [mm/h] on level ground by diameter, cumulated [1/(m^2 s)]."""
    if rate == 0.0:
        return np.zeros(len(_SIZES))
    speed = np.maximum(9.65 - 10.3 * np.exp(-0.6 * _SIZES), 0.0)
    flux = DROPS * np.exp(-rain_slope(rate) * _SIZES) * speed
    parts = 0.5 * (flux[1:] + flux[:-1]) * np.diff(_SIZES)
    return np.concatenate([[0.0], np.cumsum(parts)])


class LensDrops:
    """The drops on the glass of one camera."""

    def __init__(self, spec: ImagerSpec, lens: Lens, views: SceneViews,
                 random: np.random.Generator) -> None:
        self._spec, self._lens, self._views, self._random = spec, lens, views, random
        self.any = spec.lens_drops > 0.0 and views.world.weather.rain > 0.0
        self.reset()
        if not self.any:
            return
        self._flux = drop_flux(views.world.weather.rain)
        rays = rays_of(lens)
        self._looks = rays / np.linalg.norm(rays, axis=2, keepdims=True).clip(1e-9)
        seen = rays[rays[..., 2] > LEVEL * np.linalg.norm(rays, axis=2)]
        places = spec.lens_drop_distance * seen[:, :2] / seen[:, 2:]
        self._aperture = aperture_of(spec.lens_aperture)
        margin = 0.5 * spec.lens_aperture + 1e-3 * _MOST * _SPREAD
        self._low, self._high = places.min(axis=0) - margin, places.max(axis=0) + margin

    def reset(self) -> None:
        """Begin anew."""
        self.drops = np.zeros((0, 3))  # x and y on the glass, radius [m]
        self.time_ns: int | None = None  # of these drops

    @property
    def mean_number(self) -> float:
        """Return the mean number of drops on the part of the glass that can be seen through."""
        area = float(np.prod(self._high - self._low))
        spec = self._spec
        return spec.lens_drops * float(self._flux[-1]) * area * spec.lens_drop_time

    def go_on(self, stamp_ns: int) -> None:
        """Let drops go and come since the image before, up to the time of this one."""
        left = 0.0 if self.time_ns is None else math.exp(
            -1e-9 * max(stamp_ns - self.time_ns, 0) / self._spec.lens_drop_time)
        self.time_ns = stamp_ns
        random = self._random
        stay = self.drops[random.random(len(self.drops)) < left]
        count = random.poisson(self.mean_number * (1.0 - left))
        new = np.empty((count, 3))
        new[:, :2] = random.uniform(self._low, self._high, (count, 2))
        sizes = np.interp(random.random(count) * self._flux[-1], self._flux, _SIZES)
        new[:, 2] = 1e-3 * _SPREAD * sizes
        self.drops = np.concatenate([stay, new])

    def add(self, colour: NDArray[np.uint8], stamp_ns: int, view: CameraView) -> None:
        """Draw the drops over an image, shape (height, width, 3), of a camera with this pose."""
        self.go_on(stamp_ns)
        pixels, counts, ways, passed = self.through()
        if not len(ways):
            return
        lens = self._lens
        seen = self._views.use(RayImageView).renderer.render(
            replace(view, width=len(ways), height=1, fx=lens.fx, fy=lens.fy, antialiasing=False,
                    occlusion_reach=0.0), COLOUR, directions=ways[np.newaxis]).colour
        assert seen is not None
        flat = colour.reshape(-1, 3)
        covered = np.bincount(counts, minlength=len(pixels))[:, np.newaxis] / SAMPLES
        light = (1.0 - covered) * flat[pixels].astype(float) ** 2
        bent = passed[:, np.newaxis] * seen[0].astype(float) ** 2 / SAMPLES
        for part in range(3):
            light[:, part] += np.bincount(counts, bent[:, part], minlength=len(pixels))
        flat[pixels] = np.rint(np.sqrt(light))

    def through(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Array, Array]:
        """
        Return which pixels see through drops, and where they look there.

        Numbers of the pixels; for each ray the index of its pixel, its direction in the optical
        frame, and the share of light that passes.
        """
        spec = self._spec
        height, width = self._looks.shape[:2]
        touched = np.empty(height * width, np.int64)
        near = _near(self._looks, self.drops, spec.lens_drop_distance, 0.5 * spec.lens_aperture,
                     touched)
        room = near * SAMPLES
        counts, ways, passed = np.empty(room, np.int64), np.empty((room, 3)), np.empty(room)
        found = _look_through(
            self._looks.reshape(-1, 3), width, touched[:near], self.drops, self._aperture,
            spec.lens_drop_distance, counts, ways, passed)
        return touched[:near], counts[:found], ways[:found], passed[:found]


def aperture_of(width: float) -> Array:
    """
    Return places spread evenly over an aperture, in sixteen turns, shape (16, samples, 2) [m].

    Pixels of four by four take one turn each, so that the samples of neighbours differ.
    """
    number, turned = np.arange(SAMPLES), np.arange(16)[:, np.newaxis]
    angle = math.pi * (3.0 - math.sqrt(5.0)) * number + 2.0 * math.pi * (5 * turned % 16) / 16
    out = 0.5 * width * np.sqrt((number + 0.5) / SAMPLES)
    return np.stack([out * np.cos(angle), out * np.sin(angle)], axis=-1)


@compiled(counted=False)
def _near(looks: Array, drops: Array, far: float, wide: float,
          touched: NDArray[np.int64]) -> int:
    """
    Fill in the pixels that may see through a drop, in order, and return how many there are.

    :param looks: unit vectors (height, width, 3), zero outside of the lens.
    :param drops: x, y, radius (n, 3) [m].
    :param wide: half the width of the aperture [m].
    """
    count = 0
    for row in range(looks.shape[0]):
        for place in range(looks.shape[1]):
            z = looks[row, place, 2]
            if z <= LEVEL:
                continue
            x, y = far * looks[row, place, 0] / z, far * looks[row, place, 1] / z
            for k in range(drops.shape[0]):
                reach = drops[k, 2] + wide
                if abs(drops[k, 1] - y) < reach and abs(drops[k, 0] - x) < reach:
                    touched[count] = row * looks.shape[1] + place
                    count += 1
                    break
    return count


@compiled(counted=False)
def _look_through(looks: Array, width: int, touched: NDArray[np.int64], drops: Array,
                  aperture: Array, far: float, counts: NDArray[np.int64], ways: Array,
                  passed: Array) -> int:
    """
    Fill in the rays that go through drops and return how many there are; see `through`.

    Of drops that overlap the last is seen. The glass is thin, and plane on both sides, so that it
    turns no ray. The share that passes is that of Fresnel by the approximation of C. Schlick,
    1994, at both sides of the drop.

    :param width: of the image [px].
    """
    found, sine, level = 0, math.sin(ANGLE), math.cos(ANGLE)
    for number in range(touched.shape[0]):
        p = touched[number]
        ahead_x, ahead_y, ahead_z = looks[p, 0], looks[p, 1], looks[p, 2]
        turned = p // width % 4 * 4 + p % width % 4
        for sample in range(aperture.shape[1]):
            at_x = far * ahead_x / ahead_z + aperture[turned, sample, 0]
            at_y = far * ahead_y / ahead_z + aperture[turned, sample, 1]
            which = -1
            for k in range(drops.shape[0]):
                if ((drops[k, 0] - at_x) ** 2 + (drops[k, 1] - at_y) ** 2
                        < drops[k, 2] * drops[k, 2]):
                    which = k
            if which < 0:
                continue
            ball = drops[which, 2] / sine
            x, y, z = at_x - drops[which, 0], at_y - drops[which, 1], ball * level
            u, v = ahead_x / WATER, ahead_y / WATER
            w = math.sqrt(1.0 - u * u - v * v)
            along = x * u + y * v + z * w
            depth = -along + math.sqrt(max(
                along * along - x * x - y * y - z * z + ball * ball, 0.0))
            a, b, c = (x + depth * u) / ball, (y + depth * v) / ball, (z + depth * w) / ball
            cosine = u * a + v * b + w * c
            # beyond the angle of total reflection light grazes the surface
            out = math.sqrt(max(1.0 - WATER * WATER * (1.0 - cosine * cosine), 0.0))
            ways[found, 0] = WATER * u + (out - WATER * cosine) * a
            ways[found, 1] = WATER * v + (out - WATER * cosine) * b
            ways[found, 2] = WATER * w + (out - WATER * cosine) * c
            passed[found] = _passed(ahead_z) * _passed(out)
            counts[found] = number
            found += 1
    return found


@compiled(counted=False)
def _passed(cosine: float) -> float:
    """Return the share of light that passes a surface of water."""
    return (1.0 - STRAIGHT) * (1.0 - (1.0 - cosine) ** 5)
