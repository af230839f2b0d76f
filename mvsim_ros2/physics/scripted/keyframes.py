# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Motion by keyframes.

The pose at time t is the initial pose composed with the pose between two keys: positions
linear, rotations by spherical interpolation of quaternions (K. Shoemake, *Animating rotation
with quaternion curves*, SIGGRAPH 1985). After the last key it all begins anew; before the first
key a thing stays where it is.
"""

from bisect import bisect_right
from dataclasses import replace
from itertools import pairwise
import math
from operator import mul
from typing import NamedTuple

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import AnimationSpec

START = -1  # lap before the first key


class Placed(NamedTuple):
    """Pose of a key in the world."""

    pose: Pose
    quaternion: tuple[float, ...]  # x y z w


class KeyframeTrack:
    """Where an animated thing is at any time."""

    def __init__(self, start: Pose, animation: AnimationSpec) -> None:
        """
        Take over the keys.

        :param start: initial pose in the world, which the keys are relative to.
        """
        self._start = start
        self._moved = animation.keys[0].pose != Pose()  # from the start, at the first key
        # to interpolate in the world is the same as to do so in the frame of the start
        poses = [start.compose(key.pose) for key in animation.keys]
        self._keys = [Placed(pose, pose.quaternion) for pose in poses]
        self.climbs = any(pose.z != start.z for pose in poses)
        self._times = [round(key.time * 1e9) for key in animation.keys]
        self._leaps = [  # times of two keys at once
            time for (time, after), (a, b) in zip(
                pairwise(self._times), pairwise(poses), strict=True)
            if time == after and a != b]

    def pose(self, time_ns: int) -> Pose:
        """Return the pose in the world."""
        if self._lap(time_ns) == START:
            return self._start
        time = time_ns % self._times[-1]
        if time < self._times[0]:  # still where the lap before has ended
            return self._keys[-1].pose
        after = min(bisect_right(self._times, time), len(self._times) - 1)
        before = after - 1 if after else 0
        span = self._times[after] - self._times[before]
        share = (time - self._times[before]) / span if span else 0.0
        return between(self._keys[before], self._keys[after], share)

    def around(self, time_ns: int, span_ns: int) -> tuple[Pose, Pose]:
        """Return where it is a span before and one after, without what it jumps then."""
        now, before, after = self.pose(time_ns), time_ns - span_ns, time_ns + span_ns
        return (now if self.jumps(before, time_ns) else self.pose(before),
                now if self.jumps(time_ns, after) else self.pose(after))

    def jumps(self, from_ns: int, to_ns: int) -> bool:
        """
        Return whether it is suddenly elsewhere on the way.

        From the last key to a first one that lies apart, or between two keys at the same time.
        """
        lap = self._lap(from_ns)
        if self._lap(to_ns) == lap:
            low, high = from_ns % self._times[-1], to_ns % self._times[-1]
            return any(low < leap <= high for leap in self._leaps)
        return self._moved if lap == START else self._keys[-1].pose != self._keys[0].pose

    def _lap(self, time_ns: int) -> int:
        return (time_ns - self._times[0]) // self._times[-1]


def between(a: Placed, b: Placed, share: float) -> Pose:
    """Return the pose at a share 0..1 of the way from `a` to `b`."""
    near, far = 1.0 - share, share
    x, y, z = (near * getattr(a.pose, axis) + far * getattr(b.pose, axis) for axis in 'xyz')
    cosine = sum(map(mul, a.quaternion, b.quaternion))
    side = math.copysign(1.0, cosine)  # minus a quaternion is the same rotation: the short way
    angle = math.acos(min(abs(cosine), 1.0))
    if angle < 1e-6:
        return replace(a.pose, x=x, y=y, z=z)
    near, far = math.sin(near * angle), side * math.sin(far * angle)
    i, j, k, w = ((near * p + far * q) / math.sin(angle)
                  for p, q in zip(a.quaternion, b.quaternion, strict=True))
    ahead_x, ahead_y = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j + k * w)
    return Pose(
        x, y, z, math.atan2(ahead_y, ahead_x),
        math.atan2(2.0 * (j * w - i * k), math.hypot(ahead_x, ahead_y)),
        math.atan2(2.0 * (j * k + i * w), 1.0 - 2.0 * (i * i + j * j)))
