# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Lenses: where the pixels of a camera look to.

Models are those of ROS: `plumb_bob` and `rational_polynomial` (D. C. Brown, Decentering
distortion of lenses, 1966, with the quotient of OpenCV) and `equidistant` (J. Kannala and
S. Brandt, A generic camera model, 2006). Those of `wide_lenses` have closed forms both ways.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
import logging

import numpy as np
from numpy.polynomial import Polynomial

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array
from mvsim_ros2.sensors.camera import wide_lenses
from mvsim_ros2.sensors.camera.wide_lenses import WIDE
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, RgbdCameraSpec

COEFFICIENTS = {'plumb_bob': 5, 'rational_polynomial': 8, 'equidistant': 4,
                **WIDE}
_STEPS, _SMALL, _KNOTS = 12, 1e-10, 2000


@dataclass(frozen=True)
class Lens:
    """Pixels and distortion of a camera."""

    width: int
    height: int
    fx: float  # px, as those below
    fy: float
    cx: float
    cy: float
    model: str = 'plumb_bob'
    coefficients: tuple[float, ...] = ()

    @property
    def ideal(self) -> bool:
        """Return whether straight lines stay straight."""
        return self.model not in ('equidistant', *WIDE) and not any(self.coefficients)

    @property
    def matrix(self) -> Array:
        """Return the matrix K, shape (3, 3)."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1.0]])

    @property
    def all_coefficients(self) -> tuple[float, ...]:
        """Return as many coefficients as the model has."""
        missing = COEFFICIENTS[self.model] - len(self.coefficients)
        return (*self.coefficients, *[0.0] * missing)

    def rows(self, first: int, last: int) -> 'Lens':
        """Return the lens of a camera that has only some of the rows."""
        return replace(self, height=last - first, cy=self.cy - first)

    def project(self, points: Array) -> Array:
        """
        Return the pixels that see some points.

        :param points: in the optical frame, shape (..., 3).
        """
        if self.model in WIDE:
            x, y = wide_lenses.project(self.model, points, self.all_coefficients)
        elif self.model == 'equidistant':
            angle = np.arctan2(np.hypot(points[..., 0], points[..., 1]), points[..., 2])
            across = np.hypot(points[..., 0], points[..., 1])
            bent = _bend(angle, self.all_coefficients) / np.maximum(across, 1e-300)
            x, y = bent * points[..., 0], bent * points[..., 1]
        else:
            x, y = _distort(points[..., 0] / points[..., 2], points[..., 1] / points[..., 2],
                            self.all_coefficients)
        return np.stack([self.fx * x + self.cx, self.fy * y + self.cy], axis=-1)


@lru_cache(maxsize=128)
def rays_of(lens: Lens) -> Array:
    """
    Return where the pixels look to in the optical frame, shape (height, width, 3).

    The depth is 1, for a fisheye or a wide lens the length; 0 where the model has no answer.
    """
    x = np.broadcast_to((np.arange(lens.width) - lens.cx) / lens.fx, (lens.height, lens.width))
    y = np.broadcast_to(((np.arange(lens.height) - lens.cy) / lens.fy)[:, np.newaxis], x.shape)
    if lens.ideal:
        return np.stack([x, y, np.ones(x.shape)], axis=-1)
    if lens.model in WIDE:
        return wide_lenses.rays(lens.model, x, y, lens.all_coefficients)
    if lens.model == 'equidistant':
        return _fisheye(x, y, lens)
    return _straightened(x, y, lens)


def fold_of(lens: Lens) -> float:
    """
    Return how far from the principal point the picture folds over, at the depth 1.

    That is where the radius of a pixel grows no more with the angle to the axis; infinity where
    it always does. Tangential coefficients, which move that place a little, do not count.
    """
    above, below = _quotient(lens)
    radius = _first_fold(lens)
    square = radius * radius
    return float(radius * above(square) / below(square)) if np.isfinite(radius) else np.inf


def _quotient(lens: Lens) -> tuple[Polynomial, Polynomial]:
    """Return what a radius, of a fisheye an angle, is stretched by: polynomials of its square."""
    k = lens.all_coefficients
    if lens.model == 'equidistant':
        return Polynomial([1.0, *k]), Polynomial([1.0])
    return Polynomial([1.0, k[0], k[1], k[4]]), Polynomial([1.0, *k[5:]])


def _first_fold(lens: Lens) -> float:
    """Return the radius, of a fisheye the angle, at which a lens folds, before its distortion."""
    above, below = _quotient(lens)
    twice = Polynomial([0.0, 2.0])
    slope = (above + twice * above.deriv()) * below - twice * above * below.deriv()
    square = min(_positive_roots(slope), default=np.inf)
    return float(np.sqrt(square)) if square < _end(lens) ** 2 else np.inf


def _end(lens: Lens) -> float:
    """Return the radius, of a fisheye the angle, up to which there is something to be seen."""
    if lens.model == 'equidistant':
        return np.pi
    return float(np.sqrt(min(_positive_roots(_quotient(lens)[1]), default=np.inf)))


def _positive_roots(polynomial: Polynomial) -> list[float]:
    roots = np.asarray(polynomial.trim().roots(), np.complex128)
    real = np.abs(roots.imag) <= _SMALL * np.abs(roots)
    return [root for root in roots.real[real].tolist() if root > 0.0]


def _near(lens: Lens, bent: Array) -> Array:
    """Return about which radii, of a fisheye angles, are bent to some radii."""
    last = min(_first_fold(lens), _end(lens))
    known = (np.linspace(0.0, last, _KNOTS) if lens.model == 'equidistant'
             else np.tan(np.linspace(0.0, np.arctan(last), _KNOTS)))[:-1]
    above, below = _quotient(lens)
    return np.interp(bent, known * above(known ** 2) / below(known ** 2), known)


def _distort(x: Array, y: Array, k: tuple[float, ...]) -> tuple[Array, Array]:
    square = x * x + y * y
    radial = 1 + square * (k[0] + square * (k[1] + square * k[4]))
    if len(k) > 5:
        radial = radial / (1 + square * (k[5] + square * (k[6] + square * k[7])))
    return (x * radial + 2 * k[2] * x * y + k[3] * (square + 2 * x * x),
            y * radial + k[2] * (square + 2 * y * y) + 2 * k[3] * x * y)


def _straightened(bent_x: Array, bent_y: Array, lens: Lens) -> Array:
    """Return rays of depth 1, by Newton's method, from the axis to the first fold."""
    k, step = lens.all_coefficients, 1e-6
    bent = np.hypot(bent_x, bent_y)
    stretch = _near(lens, bent) / np.maximum(bent, 1e-300)
    x, y = stretch * bent_x, stretch * bent_y
    with np.errstate(all='ignore'):
        for _ in range(_STEPS):
            there_x, there_y = _distort(x, y, k)
            off_x, off_y = there_x - bent_x, there_y - bent_y
            right, left = _distort(x + step, y, k), _distort(x - step, y, k)
            down, up = _distort(x, y + step, k), _distort(x, y - step, k)
            a, c = ((one - other) / (2 * step) for one, other in zip(right, left))
            b, d = ((one - other) / (2 * step) for one, other in zip(down, up))
            area = a * d - b * c
            x, y = x - (d * off_x - b * off_y) / area, y - (a * off_y - c * off_x) / area
        there_x, there_y = _distort(x, y, k)
        good = (np.hypot(there_x - bent_x, there_y - bent_y) < 1e-8) & (area > 0) & (
            np.hypot(x, y) < _first_fold(lens))
    return np.where(good[..., np.newaxis], np.stack([x, y, np.ones(x.shape)], axis=-1), 0.0)


def _bend(angle: Array, k: tuple[float, ...]) -> Array:
    square = angle * angle
    return angle * (1 + square * (
        k[0] + square * (k[1] + square * (k[2] + square * k[3]))))


def _fisheye(x: Array, y: Array, lens: Lens) -> Array:
    """Return rays of length 1, by Newton's method, from the axis to the first fold."""
    k, bent = lens.all_coefficients, np.hypot(x, y)
    angle = _near(lens, bent)
    with np.errstate(all='ignore'):
        for _ in range(_STEPS):
            slope = (_bend(angle + 1e-6, k) - _bend(angle - 1e-6, k)) / 2e-6
            angle = angle - (_bend(angle, k) - bent) / slope
        good = (np.abs(_bend(angle, k) - bent) < 1e-8) & (slope > 0) & (
            angle <= min(np.pi, _first_fold(lens))) & (angle >= -_SMALL)
        scale = np.where(bent > 0, np.sin(angle) / np.maximum(bent, 1e-300), 1.0)
        rays = np.stack([scale * x, scale * y, np.cos(angle)], axis=-1)
    return np.where(good[..., np.newaxis], rays, 0.0)


_LOG = logging.getLogger(__name__)
_NAMES = {'plumb_bob': 'k1 k2 p1 p2 k3', 'rational_polynomial': 'k1 k2 p1 p2 k3 k4 k5 k6',
          'equidistant': 'k1 k2 k3 k4', **wide_lenses.NAMES}


def checked(lens: Lens, spec: CameraSpec | RgbdCameraSpec, name: str) -> Lens:
    """
    Return a lens; warn of coefficients without effect, and where it folds inside of the image.

    :param spec: of the camera, which says the coefficients.
    :param name: of the sensor, for messages.
    :raises SensorError: where there are more coefficients than the model has.
    """
    prefix = '' if isinstance(spec, CameraSpec) else 'rgb_'
    model = getattr(spec, f'{prefix}distortion_model')
    single = [f'{prefix}{each}' for each in _NAMES['plumb_bob'].split()]
    given = ['distortion'] if any(getattr(spec, 'distortion', ())) else [
        each for each in single if getattr(spec, each)]
    if not given:
        return lens
    place, tags = f'{spec.source}: {name}', ', '.join(f'<{each}>' for each in given)
    if model == 'none':
        _LOG.warning(
            '%s: %s without effect: <%sdistortion_model> is none, which is an ideal lens; say the '
            'model of the coefficients, plumb_bob say, or leave them out', place, tags, prefix)
        return lens
    if len(lens.coefficients) > COEFFICIENTS[model]:
        wrong = (f'{tags} has {len(lens.coefficients)} coefficients' if given == ['distortion']
                 else f'{tags} {"is" if len(given) == 1 else "are"} of the model plumb_bob')
        raise SensorError(
            f'{place}: {wrong}, but the lens is {model}, which has {COEFFICIENTS[model]}: write '
            f'<distortion>{_NAMES[model]}</distortion> with the numbers in place of the names')
    if model in WIDE:
        return lens
    fold, corner = fold_of(lens), _corner(lens)
    if fold < corner:
        _LOG.warning(
            '%s: %s of the lens %s folds over %.0f px (of the width) from the principal point, '
            'inside of the image, whose farthest corner is %.0f px from it: pixels beyond look '
            'nowhere and are black; give coefficients of a calibration up to the corners, a '
            'smaller image, or a longer focal length', place, tags, model, lens.fx * fold,
            lens.fx * corner)
    return lens


def _corner(lens: Lens) -> float:
    """Return how far the farthest corner is from the principal point, at the depth 1."""
    u, v = np.meshgrid((0, lens.width - 1), (0, lens.height - 1))
    return float(np.hypot((u - lens.cx) / lens.fx, (v - lens.cy) / lens.fy).max())
