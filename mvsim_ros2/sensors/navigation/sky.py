# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What an antenna hears of the satellites: blocked and reflected signals.

A satellite is heard where its ray meets nothing. A surface with the normal n throws the signal of
a satellite in the direction d onto the antenna from the direction u = d - 2 (d.n) n; where such a
ray meets that surface at a distance L, and nothing stands between there and the satellite, the
reflection comes L (1 - u.d) later (method of images). Of a satellite that is heard as well, it
disturbs the code by

    a e cos(2 pi e / wavelength) / (1 + a cos(2 pi e / wavelength)),    e the extra path,

up to what correlators a tenth of a chip apart let through, a times a twentieth of 293 m (Van
Dierendonck, Fenton and Ford, Theory and performance of narrow correlator spacing in a GPS
receiver, Navigation 39, 1992; Kaplan and Hegarty, Understanding GPS, 2006, 6.2). Of one that is
blocked the receiver takes the reflection itself, with the whole extra path. Errors of ranges move
the position by (G^T G)^-1 G^T of them, G with a row (-d, 1) for each satellite; the dilutions of
precision are the roots of sums of the diagonal of (G^T G)^-1 (Kaplan and Hegarty, 7.3).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import RayScene

Array = NDArray[np.float64]

_WAVELENGTH = 299_792_458.0 / 1_575_420_000.0  # m, of L1 and E1
_CODE = 0.5 * 0.1 * 293.05  # m: half of the spacing of the correlators
_AROUND, _UP = 48, (5.0, 25.0, 50.0)  # rays that look for surfaces
_OFF = 1e-3  # m: rays from a surface begin this far from it
_REACH = 300.0  # m; reflections from farther are too late for the correlators
LEAST = 4  # satellites of a fix


class Sky(NamedTuple):
    """What an antenna hears."""

    satellites: int  # that are used
    lines_of_sight: int  # of these, those that are heard directly
    horizontal: float  # dilution of precision, inf where there are too few satellites
    vertical: float
    offset: Array  # (3,): error of the position by reflections [m], frame of the directions


def dilution(directions: Array) -> tuple[float, float, Array]:
    """
    Return horizontal and vertical dilution of precision, and what takes ranges to positions.

    :param directions: unit vectors to the satellites, z up, shape (n, 3).
    :returns: inf, inf and zeros where there are too few, or all lie in one plane.
    """
    design = np.column_stack([-directions, np.ones(len(directions))])
    normal = design.T @ design
    if len(directions) < LEAST or np.linalg.cond(normal) > 1e8:
        return math.inf, math.inf, np.zeros((4, len(directions)))
    covariance = np.linalg.inv(normal)
    variance = np.diag(covariance)
    return (math.sqrt(variance[0] + variance[1]), math.sqrt(variance[2]),
            covariance @ design.T)


def listen(scene: RayScene, antenna: Array, directions: Array, mask: int,
           reflected: float) -> Sky:
    """
    Return what an antenna hears of the satellites above its horizon.

    :param antenna: in the world [m].
    :param directions: unit vectors to the satellites in the world, shape (n, 3).
    :param mask: of the rays, see `RayScene.mask`.
    :param reflected: amplitude of a reflected signal, of that of a direct one; 0: none.
    """
    heard = scene.cast(antenna, directions, mask=mask, least=SOLID).instance < 0
    error = np.zeros(len(directions))
    used = heard.copy()
    if reflected > 0.0:
        extra = _extra_paths(scene, antenna, directions, mask)
        late = np.isfinite(extra)
        path = extra[late & heard]
        wave = reflected * np.cos(2.0 * math.pi * path / _WAVELENGTH)
        error[late & heard] = np.clip(wave * path / (1.0 + wave), -reflected * _CODE,
                                      reflected * _CODE)
        error[late & ~heard] = extra[late & ~heard]
        used |= late
    horizontal, vertical, to_place = dilution(directions[used])
    return Sky(int(used.sum()), int(heard.sum()), horizontal, vertical,
               (to_place @ error[used])[:3])


def _extra_paths(scene: RayScene, antenna: Array, directions: Array, mask: int) -> Array:
    """Return the extra path of the earliest reflection of each satellite [m], inf for none."""
    extra = np.full(len(directions), math.inf)
    for normal in _normals_around(scene, antenna, mask):
        facing = directions @ normal > 1e-3
        mirrored = directions - 2.0 * (directions @ normal)[:, np.newaxis] * normal
        hits = scene.cast(antenna, mirrored, mask=mask, farthest=_REACH, least=SOLID)
        meets = facing & (hits.instance >= 0) & (hits.normal @ normal > 0.999)
        for i in np.flatnonzero(meets):
            place = antenna + hits.distance[i] * mirrored[i] + _OFF * normal
            if not scene.occluded(place, directions[i], mask=mask)[0]:
                later = hits.distance[i] * (1.0 - float(mirrored[i] @ directions[i]))
                extra[i] = min(extra[i], later)
    return extra


def _normals_around(scene: RayScene, antenna: Array, mask: int) -> Array:
    """Return the different normals of the surfaces around an antenna, shape (n, 3)."""
    turn = 2.0 * math.pi * (np.arange(_AROUND) + 0.5) / _AROUND
    rays = np.concatenate([
        np.stack([math.cos(up) * np.cos(turn), math.cos(up) * np.sin(turn),
                  np.full(_AROUND, math.sin(up))], axis=1) for up in np.radians(_UP)])
    hits = scene.cast(antenna, rays, mask=mask, farthest=_REACH, least=SOLID)
    steep = (hits.instance >= 0) & (np.abs(hits.normal[:, 2]) < 0.7)
    found: Array = np.unique(np.round(hits.normal[steep], 3), axis=0)
    length: Array = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.maximum(length, 1e-9)
