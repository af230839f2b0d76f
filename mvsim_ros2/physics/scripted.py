# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Things that move by themselves, whatever pushes them: what follows keyframes, people, floors.

Bodies that follow keyframes are kinematic and have the velocity at which they move, so that they
push and carry bodies that they touch. After each step they are where their script says.

Between two keys positions are linear, rotations interpolate quaternions spherically (K. Shoemake,
*Animating rotation with quaternion curves*, SIGGRAPH 1985), relative to the initial pose. After
the last key all begins anew.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
import math
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.ground.terrain import AT_REST, Terrain, Twist
from mvsim_ros2.physics.people.people import People
from mvsim_ros2.physics.state import Named
from mvsim_ros2.physics.state.spatial_motion import rotation_vector
from mvsim_ros2.world.spec.actor import ActorSpec
from mvsim_ros2.world.spec.common import AnimationSpec
from mvsim_ros2.world.spec.element import PlaneSpec
from mvsim_ros2.world.spec.outlines import circle, StaticOutline
from mvsim_ros2.world.spec.solids import moving_elements, pieces_of
from mvsim_ros2.world.spec.world import WorldSpec

# gets pose in the world, vx vy wz along the yaw, angular velocity in the own frame, and vertical
# velocity, all over the last step
Show = Callable[[Pose, Twist, Twist, float], None]
State = tuple[Pose, Twist, Twist, float]

START = -1  # lap before the first key
_FAR_OFF = 1e-4  # m, rad; a body farther from its track than this is put there
ACTOR_REACH = 1.5  # m; how far above an actor its ground at the start may be


class Placed(NamedTuple):
    """Pose of a key in the world."""

    pose: Pose
    quaternion: tuple[float, ...]  # x y z w


class KeyframeTrack:
    """Where an animated thing is at any time."""

    def __init__(self, start: Pose, animation: AnimationSpec) -> None:
        """
        Compute the keys in the world.

        :param start: initial pose in the world, which the keys are relative to.
        """
        self._start = start
        self._moved = animation.keys[0].pose != Pose()  # from the start, at the first key
        # to interpolate in the world is the same as to do so in the frame of the start
        poses = [start.compose(key.pose) for key in animation.keys]
        self._keys = [Placed(pose, pose.quaternion) for pose in poses]
        self.tilts = any(pose.pitch != 0.0 or pose.roll != 0.0 for pose in poses)
        self._times = [round(key.time * 1e9) for key in animation.keys]
        self._leaps = [  # times of two keys at once
            time for (time, after), (a, b) in zip(
                pairwise(self._times), pairwise(poses), strict=True)
            if time == after and a != b]

    def pose(self, time_ns: int) -> Pose:
        """Return the pose in the world; before the first key the initial one."""
        if self._lap(time_ns) == START:
            return self._start
        time = time_ns % self._times[-1]
        if time < self._times[0]:  # still where the lap before has ended
            return self._keys[-1].pose
        after = min(bisect_right(self._times, time), len(self._times) - 1)
        before = max(after - 1, 0)
        span = self._times[after] - self._times[before]
        share = (time - self._times[before]) / span if span else 0.0
        return between(self._keys[before], self._keys[after], share)

    def jumps(self, from_ns: int, to_ns: int) -> bool:
        """
        Return whether the pose jumps within an interval.

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
    sign = math.copysign(1.0, cosine)  # minus a quaternion is the same rotation: the short way
    angle = math.acos(min(abs(cosine), 1.0))
    if angle < 1e-6:
        return replace(a.pose, x=x, y=y, z=z)
    near, far = math.sin(near * angle), sign * math.sin(far * angle)
    i, j, k, w = ((near * p + far * q) / math.sin(angle)
                  for p, q in zip(a.quaternion, b.quaternion, strict=True))
    ahead_x, ahead_y = 1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j + k * w)
    return Pose(
        x, y, z, math.atan2(ahead_y, ahead_x),
        math.atan2(2.0 * (j * w - i * k), math.hypot(ahead_x, ahead_y)),
        math.atan2(2.0 * (j * k + i * w), 1.0 - 2.0 * (i * i + j * j)))


def _wrapped(angle: float) -> float:
    """Return the same angle in [-pi, pi]."""
    return math.remainder(angle, 2.0 * math.pi)


@dataclass
class _KinematicBody:
    name: str
    track: KeyframeTrack
    body: Body | None  # None where it is not solid
    show: Show
    pose: Pose  # in the world
    twist: Twist = AT_REST  # vx vy wz over the last step, along its yaw
    rate: Twist = AT_REST  # angular velocity over the last step, in its own frame
    climb: float = 0.0  # mean vertical velocity in the last step [m/s]

    def move(self, time_ns: int, step_ns: int) -> None:
        """Set the pose after a step, and the velocity that brings the body there."""
        dt, before, body = step_ns * 1e-9, self.pose, self.body
        self.pose = self.track.pose(time_ns + step_ns)
        jumps = self.track.jumps(time_ns, time_ns + step_ns)
        self.climb = 0.0 if jumps else (self.pose.z - before.z) / dt
        self.twist = AT_REST if jumps else _twist(before, self.pose, dt)
        self.rate = 0.0, 0.0, self.twist[2]
        if self.track.tilts and not jumps:
            after = self.pose
            x, y, z = rotation_vector(before.yaw, before.pitch, before.roll, after.yaw,
                                      after.pitch, after.roll)
            self.rate = x / dt, y / dt, z / dt
        if body is not None:
            x, y, angle = body.place
            body.set_velocity(*(AT_REST if jumps else (
                (self.pose.x - x) / dt, (self.pose.y - y) / dt,
                _wrapped(self.pose.yaw - angle) / dt)))

    def place(self) -> None:
        """Put the body where its script says, and report that."""
        if self.body is not None:
            self.body.put(self.pose.x, self.pose.y, self.pose.yaw)
        self.report()

    def is_far_off(self) -> bool:
        """Return whether the body is not where its script says."""
        if self.body is None:
            return False
        x, y, angle = self.body.place
        return max(abs(x - self.pose.x), abs(y - self.pose.y),
                   abs(_wrapped(self.pose.yaw - angle))) >= _FAR_OFF

    def report(self) -> None:
        """Report the pose and the motion."""
        self.show(self.pose, self.twist, self.rate, self.climb)


class KinematicBodies:
    """All bodies that follow a script."""

    def __init__(self, step_ns: int) -> None:
        self._step_ns = step_ns
        self._bodies: list[_KinematicBody] = []

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._bodies)

    def add_animated(self, name: str, start: Pose, animation: AnimationSpec, time_ns: int,
                     body: Body | None, show: Show) -> None:
        """
        Add something that follows keyframes and put it where it is at this time.

        :param start: initial pose in the world.
        :param body: kinematic, or None.
        :param show: is called now and after each step.
        """
        track = KeyframeTrack(start, animation)
        self._bodies.append(_KinematicBody(name, track, body, show, track.pose(time_ns)))
        self._bodies[-1].place()

    def drop(self, name: str) -> None:
        """Remove the body of this name."""
        self._bodies = [body for body in self._bodies if body.name != name]

    def show(self) -> None:
        """Report again where the bodies are."""
        for body in self._bodies:
            body.report()

    def before_step(self, time_ns: int) -> None:
        """Give the bodies the velocities that bring them to where they are after the step."""
        for body in self._bodies:
            body.move(time_ns, self._step_ns)

    def after_step(self) -> None:
        """Report where the bodies are now."""
        for body in self._bodies:
            if body.is_far_off():
                body.place()
            else:
                body.report()

    def snapshot(self) -> dict[str, State]:
        """Return poses, motions, and how ground climbs."""
        return {body.name: (body.pose, body.twist, body.rate, body.climb) for body in self._bodies}

    def restore(self, state: Mapping[str, State]) -> None:
        """Put back a `snapshot` of the same bodies."""
        for body in self._bodies:
            body.pose, body.twist, body.rate, body.climb = state[body.name]
            body.place()


def _twist(before: Pose, after: Pose, dt: float) -> Twist:
    """Return the mean velocity in plan between two poses, in the frame of the second."""
    vx, vy = (after.x - before.x) / dt, (after.y - before.y) / dt
    cosine, sine = math.cos(after.yaw), math.sin(after.yaw)
    return (cosine * vx + sine * vy, cosine * vy - sine * vx,
            _wrapped(after.yaw - before.yaw) / dt)


class MovingObjects(Named):
    """All of them: actors, then walls, then floors, each in the order of the world file."""

    KIND = 'actor'

    def clear(self) -> None:
        super().clear()
        self.specs: list[ActorSpec | PlaneSpec] = []
        # in their own frames; none for a floor
        self.outlines: list[tuple[StaticOutline, ...]] = []
        self.bodies: list[Any] = []  # None for a floor
        self.pose: Array = np.zeros((0, 6))  # x y z yaw pitch roll, world
        self.twist_body: Array = np.zeros((0, 3))  # vx vy wz over the last step, own frame
        self.gait: Array = np.zeros((0, 2))  # of people: phase [rad] and stride, see `walk_on`

    @property
    def solid(self) -> int:
        """Return how many have an outline: all before the floors."""
        return sum(map(bool, self.outlines))

    def add(self, name: str, spec: ActorSpec | PlaneSpec,
            outlines: tuple[StaticOutline, ...], body: Any, pose: Pose) -> None:
        """Append a figure that stands at `pose`."""
        self._append_name(name)
        self.specs.append(spec)
        self.outlines.append(outlines)
        self.bodies.append(body)
        self.pose = np.vstack([self.pose, np.zeros(6)])
        self.twist_body = np.vstack([self.twist_body, np.zeros(3)])
        self.gait = np.vstack([self.gait, np.zeros(2)])
        self.show(len(self) - 1, pose, (0.0, 0.0, 0.0))

    def show(self, i: int, pose: Pose, twist: tuple[float, float, float]) -> None:
        """Take over where figure `i` is, and its body twist."""
        self.pose[i] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        self.twist_body[i] = twist


def enter(world: WorldSpec, space: Box2dWorld, kinematic_bodies: KinematicBodies,
          people: People, figures: MovingObjects, terrain: Terrain) -> None:
    """
    Make the bodies of all figures and let them move.

    :param people: to be added to, as `figures`.
    :raises PhysicsError: where a body is not possible.
    """
    def add(name: str, spec: ActorSpec | PlaneSpec, start: Pose,
            outlines: tuple[StaticOutline, ...]) -> None:
        body = space.add_driven(outlines, start, name, spec.source)
        row = len(figures)

        def show(pose: Pose, twist: Twist, rate: Twist, climb: float) -> None:
            figures.show(row, pose, twist)
        figures.add(name, spec, outlines, body, start)
        if spec.animation is not None:
            kinematic_bodies.add_animated(name, start, spec.animation, 0, body, show)
        elif isinstance(spec, ActorSpec):
            people.add(spec, start, body, row)
            figures.gait[-1] = people.people[-1]['phase'], people.people[-1]['stride']

    for actor in world.actors:
        start = actor.init_pose
        if not actor.skip_elevation_adjust:
            start = replace(start, z=terrain.ground_below(start.x, start.y, start.z + ACTOR_REACH))
        add(actor.name, actor, start, (StaticOutline(
            actor.name, circle(actor.collision_radius), 0.0, actor.collision_height,
            actor.source),))
    for element in moving_elements(world, solid=True):
        add(f'element {element.name}', element, element.init_pose,
            pieces_of(replace(element, init_pose=Pose())))
