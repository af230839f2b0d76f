# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Depths as pairs of cameras and as the phase of light give them."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec import RgbdCameraSpec

Floats = NDArray[np.float32]
_LIGHT = 299_792_458.0  # m/s
_PATCHES = 800  # that light one another


def stereo_depth(true: Floats, spec: RgbdCameraSpec, random: np.random.Generator) -> Floats:
    """
    Return depths of the left camera of a pair; NaN where the right one does not see the same.

    :param true: true depths [m], inf for nothing, shape (height, width).
    """
    scale = np.float32(spec.depth_fx * spec.depth_baseline)
    disparity = scale / true
    in_right = np.arange(true.shape[1], dtype=np.float32) - disparity  # columns of its image
    beyond = np.minimum.accumulate(in_right[:, ::-1], axis=1)[:, ::-1]
    hidden = in_right < -0.5
    hidden[:, :-1] |= in_right[:, :-1] > beyond[:, 1:]  # something nearer is in the way
    if spec.disparity_noise > 0.0:
        disparity += np.float32(spec.disparity_noise) * random.standard_normal(
            true.shape, np.float32)
    if spec.disparity_step > 0.0:
        disparity = np.rint(disparity / np.float32(spec.disparity_step)) * np.float32(
            spec.disparity_step)
    hidden |= disparity <= 0.0
    disparity[hidden] = np.nan
    return scale / disparity


def time_of_flight_depth(true: Floats, spec: RgbdCameraSpec) -> Floats:
    """
    Return depths by the phase of the light that reaches each pixel, in part from its neighbours.

    Beyond c / (2 F) they begin again at 0.

    :param true: true depths [m], inf for nothing, shape (height, width).
    """
    turns = 4.0 * math.pi * spec.tof_frequency / _LIGHT  # rad/m
    there = np.isfinite(true)
    near = np.where(there, true, np.float32(1.0)).astype(float)
    field = np.where(there, np.exp(1j * turns * near) / (near * near), 0.0)
    if spec.tof_multipath > 0.0 and there.any():
        field = field * (1.0 + light_by_others(true, spec, turns))
    around = np.pad(field, 1, 'edge')
    share = spec.tof_mixing
    field = (1.0 - share) * field + 0.25 * share * (
        around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:])
    depth = np.where(field != 0.0, np.angle(field) % (2.0 * math.pi) / turns, np.inf)
    return np.asarray(depth, np.float32)


def light_by_others(true: Floats, spec: RgbdCameraSpec, turns: float) -> NDArray[np.complex128]:
    """
    Return the light that comes by way of another surface, over that which comes directly.

    Each patch of the image lights all others once, like a matt disc that the camera lights (D.
    Jimenez et al., Modelling and correction of multipath interference in time of flight cameras,
    CVPR 2012). Nothing between two patches is in their way. The phase of a depth is in rad/m.
    """
    step = max(1, math.ceil(math.sqrt(true.size / _PATCHES)))
    rows, columns = (np.arange(step // 2, count - 1, step) for count in true.shape)

    def points(down: int, right: int) -> NDArray[np.float64]:
        v, u = np.meshgrid(rows + down, columns + right, indexing='ij')
        rays = np.stack([(u - spec.depth_cx) / spec.depth_fx, (v - spec.depth_cy) / spec.depth_fy,
                         np.ones(u.shape)], axis=-1)
        return np.asarray(rays * true[v, u][..., np.newaxis], float)

    place = points(0, 0)
    with np.errstate(invalid='ignore'):
        normal = np.cross(points(0, 1) - points(0, 0), points(1, 0) - points(0, 0))
    length, away = np.linalg.norm(normal, axis=-1), np.linalg.norm(place, axis=-1)
    known = np.isfinite(length) & (length > 0.0)
    ratio = np.zeros(known.shape, complex)
    place, away, normal = place[known], away[known], normal[known] / length[known][:, np.newaxis]
    slope = -(normal * place).sum(axis=1) / away
    normal, slope = normal * np.sign(slope)[:, np.newaxis], np.maximum(np.abs(slope), 1e-3)
    solid = step ** 2 / (spec.depth_fx * spec.depth_fy) * (place[:, 2] / away) ** 3
    way = place[np.newaxis] - place[:, np.newaxis]  # from each to all
    square = np.maximum((way * way).sum(axis=2), 1e-12)
    leaving = np.maximum(np.einsum('pqi,pi->pq', way, normal), 0.0)
    arriving = np.maximum(-np.einsum('pqi,qi->pq', way, normal), 0.0)
    share = spec.tof_multipath * solid * leaving * arriving / square / (
        math.pi * square + solid * away ** 2 / slope)
    later = np.exp(0.5j * turns * (away + np.sqrt(square) - away[:, np.newaxis]))
    ratio[known] = (share * later).sum(axis=1) * away ** 2 / slope
    across = np.array([np.interp(np.arange(true.shape[1]), columns, row) for row in ratio])
    return np.array([np.interp(np.arange(true.shape[0]), rows, column) for column in across.T]).T
