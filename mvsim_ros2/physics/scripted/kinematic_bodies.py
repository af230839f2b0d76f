# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Things that move as they are told, whatever pushes them: animated ones and actors.

Their bodies are kinematic and have the velocity at which they move, so that what they touch is
pushed and carried along. After each step they are where their track says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import math

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.ground.motion_3d import SPAN
from mvsim_ros2.physics.scripted.keyframes import KeyframeTrack
from mvsim_ros2.physics.scripted.pedestrian import walk, Walker
from mvsim_ros2.world.spec.actor import ActorSpec
from mvsim_ros2.world.spec.common import AnimationSpec

Twist = tuple[float, float, float]
Lifted = tuple[Pose, Pose, float]  # SPAN before and after; how fast it rose in the last step
Lift = Callable[[Pose, Pose, float], None]
State = tuple[Pose, Twist, Walker | None, Lifted | None]
_AT_REST = (0.0, 0.0, 0.0)
_SPAN_NS = round(SPAN * 1e9)
_FAR_OFF = 1e-4  # m, rad; a body farther from its track than this is put there


@dataclass
class _KinematicBody:
    name: str
    track: KeyframeTrack | ActorSpec
    body: Body | None  # None where it is not solid
    show: Callable[[Pose, Twist], None]
    pose: Pose  # in the world
    twist: Twist  # vx vy wz over the last step, own frame
    walker: Walker | None = None  # of an actor
    lift: Lift | None = None  # of ground that climbs
    lifted: Lifted | None = None


class KinematicBodies:
    """All that move as they are told."""

    def __init__(self, step_ns: int) -> None:
        self._step_ns = step_ns
        self._puppets: list[_KinematicBody] = []

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._puppets)

    def add_animated(self, name: str, start: Pose, animation: AnimationSpec, time_ns: int,
                     body: Body | None, show: Callable[[Pose, Twist], None],
                     lift: Lift | None = None) -> None:
        """
        Add something that follows keyframes and put it where it is at this time.

        :param start: initial pose in the world.
        :param body: kinematic, or None.
        :param show: is told pose in the world and body twist, now and after each step.
        :param lift: of ground that climbs: is then told where it is `SPAN` before and after, and
            how fast it rose in the last step [m/s].
        """
        track = KeyframeTrack(start, animation)
        self._add(_KinematicBody(
            name, track, body, show, track.pose(time_ns), _AT_REST,
            lift=lift if track.climbs else None, lifted=(*track.around(time_ns, _SPAN_NS), 0.0)))

    def add_actor(self, actor: ActorSpec, start: Pose, body: Body | None,
                  show: Callable[[Pose, Twist], None]) -> None:
        """Add a pedestrian who walks from `start`; see `add_animated`."""
        self._add(_KinematicBody(
            actor.name, actor, body, show, start, _AT_REST, Walker(start, start)))

    def _add(self, puppet: _KinematicBody) -> None:
        _place(puppet)
        self._puppets.append(puppet)

    def drop(self, name: str) -> None:
        """Forget the puppet of this name."""
        self._puppets = [puppet for puppet in self._puppets if puppet.name != name]

    def show(self) -> None:
        """Tell everybody again where the puppets are."""
        for puppet in self._puppets:
            _tell(puppet)

    def before_step(self, time_ns: int) -> None:
        """Give the bodies the velocities that bring them to where they are after the step."""
        dt = self._step_ns * 1e-9
        for puppet in self._puppets:
            before, jumps = puppet.pose, False
            if isinstance(puppet.track, ActorSpec):
                assert puppet.walker is not None
                puppet.walker = walk(puppet.track, puppet.walker, dt)
                puppet.pose = puppet.walker.pose
            else:
                puppet.pose = puppet.track.pose(time_ns + self._step_ns)
                jumps = puppet.track.jumps(time_ns, time_ns + self._step_ns)
                if puppet.lift is not None:
                    puppet.lifted = (
                        *puppet.track.around(time_ns + self._step_ns, _SPAN_NS),
                        0.0 if jumps else (puppet.pose.z - before.z) / dt)
            puppet.twist = _AT_REST if jumps else _twist(before, puppet.pose, dt)
            body = puppet.body
            if body is not None:
                x, y, angle = body.place
                body.set_velocity(*(_AT_REST if jumps else (
                    (puppet.pose.x - x) / dt, (puppet.pose.y - y) / dt,
                    _turn(angle, puppet.pose.yaw) / dt)))

    def after_step(self) -> None:
        """Tell everybody where the puppets are now."""
        for puppet in self._puppets:
            if puppet.body is not None and _is_off(puppet.body, puppet.pose):
                _place(puppet)
            else:
                _tell(puppet)

    def snapshot(self) -> dict[str, State]:
        """Return where the puppets are, and how far the actors are on their paths."""
        return {puppet.name: (puppet.pose, puppet.twist, puppet.walker, puppet.lifted)
                for puppet in self._puppets}

    def restore(self, state: Mapping[str, State]) -> None:
        """Put back a `snapshot` of the same puppets."""
        for puppet in self._puppets:
            puppet.pose, puppet.twist, puppet.walker, puppet.lifted = state[puppet.name]
            _place(puppet)


def _is_off(body: Body, pose: Pose) -> bool:
    x, y, angle = body.place
    return max(abs(x - pose.x), abs(y - pose.y), abs(_turn(angle, pose.yaw))) >= _FAR_OFF


def _place(puppet: _KinematicBody) -> None:
    pose = puppet.pose
    if puppet.body is not None:
        puppet.body.put(pose.x, pose.y, pose.yaw)
    _tell(puppet)


def _tell(puppet: _KinematicBody) -> None:
    puppet.show(puppet.pose, puppet.twist)
    if puppet.lift is not None and puppet.lifted is not None:
        puppet.lift(*puppet.lifted)


def _twist(before: Pose, after: Pose, dt: float) -> Twist:
    """Return the mean velocity in plan between two poses, in the frame of the second."""
    vx, vy = (after.x - before.x) / dt, (after.y - before.y) / dt
    cosine, sine = math.cos(after.yaw), math.sin(after.yaw)
    return (cosine * vx + sine * vy, cosine * vy - sine * vx,
            _turn(before.yaw, after.yaw) / dt)


def _turn(before: float, after: float) -> float:
    """Return the smallest angle from one to the other."""
    return math.remainder(after - before, 2.0 * math.pi)
