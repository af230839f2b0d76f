# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Poses between keyframes."""

import math

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.scripted import between, KeyframeTrack, Placed
from mvsim_ros2.world.spec import AnimationSpec, Keyframe

S = 10 ** 9  # ns


def track(start, *keys):
    """Return a track with keys of time and pose."""
    return KeyframeTrack(start, AnimationSpec(keys=tuple(Keyframe(*key) for key in keys)))


def middle(a, b, share):
    """Return the pose at a share of the way from `a` to `b`."""
    return between(Placed(a, a.quaternion), Placed(b, b.quaternion), share)


def numbers(pose):
    """Return x y z yaw pitch roll."""
    return [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]


def test_keys_are_relative_to_the_start():
    """Halfway between two keys, in the frame of the initial pose."""
    moving = track(Pose(10.0, 0.0, 1.0, math.pi / 2), (0.0, Pose()),
                   (4.0, Pose(2.0, 1.0, 4.0, 0.5)))
    assert numbers(moving.pose(2 * S)) == pytest.approx(
        [9.5, 1.0, 3.0, math.pi / 2 + 0.25, 0.0, 0.0])


@pytest.mark.parametrize('share', [0.0, 0.3, 0.5, 1.0], ids=str)
def test_rotations_turn_at_constant_rate(share):
    """About a fixed axis, by a share of the angle; the short way round."""
    a, b = Pose(yaw=3.0), Pose(yaw=-3.0)
    turned = middle(a, b, share).yaw
    assert math.cos(turned - 3.0 - share * (2 * math.pi - 6.0)) == pytest.approx(1.0)
    a, b = Pose(yaw=0.4, pitch=0.2, roll=-1.0), Pose(yaw=-1.5, pitch=1.0, roll=0.3)
    step = a.rotation.T @ middle(a, b, share).rotation
    whole = a.rotation.T @ b.rotation
    angle, full = (math.acos(min((np.trace(m) - 1) / 2, 1.0)) for m in (step, whole))
    assert angle == pytest.approx(share * full, abs=1e-6)


def test_begins_anew_after_the_last_key():
    """The time of the last key is the period."""
    moving = track(Pose(), (0.0, Pose()), (1.0, Pose(1.0)), (2.0, Pose(5.0)))
    assert [moving.pose(round(t * S)).x for t in (0.5, 1.5, 2.0, 2.5, 7.5)] == pytest.approx(
        [0.5, 3.0, 0.0, 0.5, 3.0])
    assert moving.jumps(round(1.999 * S), round(2.001 * S))
    assert not moving.jumps(0, round(1.999 * S))
    closed = track(Pose(), (0.0, Pose()), (1.0, Pose(1.0)), (2.0, Pose()))
    assert not closed.jumps(round(1.999 * S), round(2.001 * S))


def test_stands_still_before_the_first_key():
    """At its initial pose at first, later where the lap before has ended."""
    moving = track(Pose(7.0), (1.0, Pose(2.0)), (3.0, Pose(4.0)))
    assert [moving.pose(round(t * S)).x for t in (0, 0.99, 1.0, 2.0, 3.0, 3.9, 4.0)
            ] == pytest.approx([7.0, 7.0, 9.0, 10.0, 11.0, 11.0, 9.0])
    assert moving.jumps(round(0.99 * S), S) and moving.jumps(round(3.99 * S), 4 * S)


def test_one_key_is_a_place():
    """And two keys at the same time are a step."""
    assert track(Pose(1.0), (2.0, Pose(3.0))).pose(5 * S).x == 4.0
    step = track(Pose(), (0.0, Pose()), (1.0, Pose()), (1.0, Pose(3.0)), (2.0, Pose(3.0)))
    assert [step.pose(round(t * S)).x for t in (0.99, 1.0, 1.5)] == [0.0, 3.0, 3.0]
    assert step.jumps(round(0.99 * S), S) and not step.jumps(S, round(1.01 * S))
