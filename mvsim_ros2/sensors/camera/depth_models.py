# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Errors that depths have by the way they are measured.

A stereo camera measures the disparity d = f b / z, so an error s of it makes one of z^2 s / (f b);
what only one of its cameras sees has no depth. A camera for the time of flight measures the phase
4 pi F z / c of light modulated at F; light of several depths in a pixel adds up as phasors, as in
M. Hansard, S. Lee, O. Choi and R. Horaud, Time-of-flight cameras, 2012.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.sensors.camera import RgbdCameraSpec

Floats = NDArray[np.float32]

_LIGHT = 299_792_458.0  # m/s


def stereo_depth(true: Floats, spec: RgbdCameraSpec, random: np.random.Generator) -> Floats:
    """
    Return depths of the left camera of a pair; NaN where the right one does not see the same.

    :param true: true depths [m], inf for nothing, shape (height, width).
    :param random: source of the noise of disparities.
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
    around = np.pad(field, 1, 'edge')
    share = spec.tof_mixing
    field = (1.0 - share) * field + 0.25 * share * (
        around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:])
    depth = np.where(field != 0.0, np.angle(field) % (2.0 * math.pi) / turns, np.inf)
    return np.asarray(depth, np.float32)
