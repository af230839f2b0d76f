# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Walking along a path, as the human actors of MVSim 1.2.0 do.

Straight from waypoint to waypoint at constant speed, turned the way they go: during the first
tenth of a stretch from the yaw at its start, during its last fifth to that of the waypoint.
"""

from dataclasses import dataclass, replace
import math

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.actor import ActorSpec

SHORT = 0.1  # m; a shorter stretch turns no pedestrian
FIRST, LAST = 0.1, 0.8  # shares of a stretch where turning ends and begins again


@dataclass(frozen=True)
class Walker:
    """State of a pedestrian who walks a path."""

    pose: Pose  # in the world
    start: Pose  # where the present stretch started
    goal: int = 0  # number of the waypoint ahead; one too many at the end of the path
    done: float = 0.0  # m of the present stretch
    pause: float = 0.0  # s left to wait


def speed(actor: ActorSpec, animation: str) -> float:
    """Return the speed of a way of moving [m/s]."""
    return {'idle': 0.0, 'run': actor.running_speed}.get(animation, actor.walking_speed)


def walk(actor: ActorSpec, walker: Walker, dt: float) -> Walker:
    """
    Return the state one step later.

    A waypoint is reached at the end of a step; what is left of the way of that step is lost.
    """
    waypoints = actor.path.waypoints if actor.path else ()
    if walker.goal >= len(waypoints):
        return walker
    if walker.pause > 0.0:
        pause = walker.pause - dt
        return replace(walker, pause=pause) if pause > 1e-9 else _go_on(actor, walker)
    waypoint = waypoints[walker.goal]
    length = math.dist(_position(walker.start), _position(waypoint.pose))
    done = walker.done + speed(actor, waypoint.animation) * dt
    if done < length - 1e-9:
        return replace(walker, pose=_on_the_way(walker.start, waypoint.pose, done / length,
                                                length), done=done)
    there = replace(walker, pose=replace(waypoint.pose, pitch=0.0, roll=0.0))
    return replace(there, pause=waypoint.pause) if waypoint.pause > 0.0 else _go_on(actor, there)


def _go_on(actor: ActorSpec, walker: Walker) -> Walker:
    """Head for the next waypoint."""
    assert actor.path is not None
    goal = walker.goal + 1
    if actor.path.loop:
        goal %= len(actor.path.waypoints)
    return Walker(walker.pose, walker.pose, goal)


def _position(pose: Pose) -> tuple[float, float, float]:
    return pose.x, pose.y, pose.z


def _on_the_way(start: Pose, end: Pose, share: float, length: float) -> Pose:
    x, y, z = (a + share * (b - a)
               for a, b in zip(_position(start), _position(end), strict=True))
    yaw = ahead = math.atan2(end.y - start.y, end.x - start.x) if length > SHORT else start.yaw
    if share < FIRST:
        yaw = _turned(start.yaw, ahead, share / FIRST)
    elif share > LAST:
        yaw = _turned(ahead, end.yaw, (share - LAST) / (1.0 - LAST))
    return Pose(x, y, z, yaw)


def _turned(a: float, b: float, share: float) -> float:
    return math.remainder(a + share * math.remainder(b - a, 2.0 * math.pi), 2.0 * math.pi)
