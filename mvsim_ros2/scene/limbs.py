# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where the limbs of people are.

All lengths are shares of the height of a person: R. Drillis and R. Contini, Body segment
parameters (1966). x is forwards, z up from the ground. A foot is on the ground for the first 60 %
of a stride, while the body passes over it. From 40 % on it rolls over its ball, and then it swings
(J. Perry, Gait analysis, 1992). Hips are as high as both legs allow, and knees follow from where
hip and ankle are. Runners have a foot on the ground for a smaller share.
"""

import math

from mvsim_ros2.jit.kernel import compiled

TRUNK, THIGH, SHANK, FOOT, UPPER_ARM, FOREARM = range(6)  # parts; those of the right side + 5
RIGHT = 5
LEGS = 11  # left leg as planar LiDARs see it, upright; then the right one

HIP, KNEE, ANKLE, SHOULDER = 0.530, 0.285, 0.039, 0.805  # heights of joints
THIGH_LENGTH, SHANK_LENGTH, UPPER_ARM_LENGTH = HIP - KNEE, KNEE - ANKLE, 0.186
HIPS_ASIDE, SHOULDERS_ASIDE = 0.052, 0.118  # of joints from the middle
SEAT = 0.285  # height of the hips of somebody who sits
SHIN = 0.115  # height at which planar LiDARs meet legs: 20 cm of 1.75 m
_REACH = 0.999 * (THIGH_LENGTH + SHANK_LENGTH)
_STANDING = HIP - 0.006  # hips of somebody who stands, with knees that are not quite straight
_STANCE, _RUNNING = 0.6, 0.35  # share of a stride in which a foot stands
_LONGEST = 0.95  # stride of those who walk
_AHEAD = 0.39  # share of the stance in which the foot is in front of the hip
_HEEL_OFF = 0.67  # share of the stance after which the heel rises
_BALL = 0.075  # from the ankle to the ball of the foot
_TOE_OFF, _HEEL_STRIKE = 1.05, -0.3  # rad; pitch of the foot where it leaves the ground, meets it
_SWING = 0.025  # how much higher the ankle is in the middle of its swing
_ARM_SWING, _LEAN = 0.45, 0.07  # rad, for each height of stride


@compiled
def ankle(turn: float, stride: float) -> tuple[float, float, float]:
    """
    Return x and z of an ankle from below the hips, and the pitch of the foot [rad].

    :param turn: share of the stride since the heel met the ground, 0 to 1.
    :param stride: way until it does so again; less than 0: share of sitting down.
    """
    if stride <= 0.0:
        return -stride * THIGH_LENGTH, ANKLE, 0.0
    stance = min(_STANCE, max(_RUNNING, _STANCE - (stride - _LONGEST)))
    step = min(turn, stance)
    x, z, pitch = stride * (_AHEAD * stance - step), ANKLE, 0.0
    late = max(step / stance - _HEEL_OFF, 0.0) / (1.0 - _HEEL_OFF)
    lifted = min(1.0, 2.0 * stride)  # short steps are flat
    if late > 0.0:
        pitch = lifted * _TOE_OFF * late * late
        x += _BALL * (1.0 - math.cos(pitch)) + ANKLE * math.sin(pitch)
        z = _BALL * math.sin(pitch) + ANKLE * math.cos(pitch)
    if turn > stance:
        share = (turn - stance) / (1.0 - stance)
        smooth = share * share * (3.0 - 2.0 * share)
        x += smooth * (_AHEAD * stance * stride - x)
        z += smooth * (ANKLE - z) + lifted * _SWING * math.sin(math.pi * share) ** 2
        pitch += smooth * (lifted * _HEEL_STRIKE - pitch)
    elif step < 0.1:
        pitch += lifted * _HEEL_STRIKE * (1.0 - step / 0.1)
    return x, z, pitch


@compiled
def hip_height(phase: float, stride: float) -> float:
    """Return the height of the hips; see `limb`."""
    height = _STANDING + min(stride, 0.0) * (_STANDING - SEAT)
    for side in range(2):
        turn = phase / (2.0 * math.pi) + 0.5 * side
        turn -= math.floor(turn)
        x, z, _ = ankle(turn, stride)
        height = min(height, z + math.sqrt(max(_REACH * _REACH - x * x, 0.0)))
    return height


@compiled
def _jointed(part: int, phase: float, stride: float) -> tuple[float, float, float]:
    """Return what `limb` does of trunk, arms and legs."""
    hip, side = hip_height(phase, stride), 0
    lean = _LEAN * max(stride, 0.0)
    if part == TRUNK:
        return 0.0, hip, lean
    if part >= RIGHT + THIGH:
        part, side = part - RIGHT, 1
    turn = phase / (2.0 * math.pi) + 0.5 * side
    turn -= math.floor(turn)
    if part >= UPPER_ARM:
        above = SHOULDER - HIP
        x, z = math.sin(lean) * above, hip + math.cos(lean) * above
        swing = _ARM_SWING * max(stride, 0.0) * math.cos(2.0 * math.pi * turn)
        sits = max(-stride, 0.0)
        pitch = swing - 0.45 * sits + 0.05
        if part == UPPER_ARM:
            return x, z, pitch
        return (x - UPPER_ARM_LENGTH * math.sin(pitch), z - UPPER_ARM_LENGTH * math.cos(pitch),
                pitch - 0.15 - 0.4 * max(stride, 0.0) - 0.75 * sits)
    x, z, foot = ankle(turn, stride)
    if part == FOOT:
        return x, z, foot
    down = hip - z
    away = min(math.sqrt(x * x + down * down), THIGH_LENGTH + SHANK_LENGTH)
    bend = math.acos(min(1.0, (THIGH_LENGTH ** 2 + away * away - SHANK_LENGTH ** 2)
                         / (2.0 * THIGH_LENGTH * away)))
    pitch = -math.atan2(x, down) - bend
    if part == THIGH:
        return 0.0, hip, pitch
    knee_x, knee_z = -THIGH_LENGTH * math.sin(pitch), hip - THIGH_LENGTH * math.cos(pitch)
    return knee_x, knee_z, -math.atan2(x - knee_x, knee_z - z)


@compiled
def shin(side: int, phase: float, stride: float) -> float:
    """
    Return how far in front of the hips a leg is at the height `SHIN`.

    :param side: 0 left, 1 right; the others as of `limb`.
    """
    x, z, pitch = _jointed(SHANK + RIGHT * side, phase, stride)
    down = (z - SHIN) / math.cos(pitch)
    return x - math.sin(pitch) * min(max(down, 0.0), SHANK_LENGTH)


@compiled
def limb(part: int, phase: float, stride: float) -> tuple[float, float, float]:
    """
    Return where a part of a person is: x and z of its upper joint, and its pitch [rad].

    :param phase: of the gait [rad]; at 0 the left heel meets the ground.
    :param stride: length; less than 0: share of sitting down.
    """
    if part >= LEGS:
        return shin(part - LEGS, phase, stride), 0.0, 0.0
    return _jointed(part, phase, stride)
