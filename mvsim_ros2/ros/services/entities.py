# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles, blocks and actors under one roof, as `simulation_interfaces` sees them."""

from collections.abc import Iterable
import math
import re
from typing import Any

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import BodyHandle
from mvsim_ros2.messages import state_messages
from mvsim_ros2.ros.services.bounds import within
from mvsim_ros2.simulation import Simulation

# numbers of simulation_interfaces/msg/EntityCategory
ROBOT, HUMAN, DYNAMIC_OBJECT, STATIC_OBJECT = 1, 2, 4, 5
# of letters, as POSIX names them within brackets
CLASSES = {'alnum': 'A-Za-z0-9', 'alpha': 'A-Za-z', 'blank': r' \t', 'digit': '0-9',
           'lower': 'a-z', 'punct': r'!-/:-@\[-`{-~', 'space': r'\s', 'upper': 'A-Z',
           'word': r'\w', 'xdigit': '0-9A-Fa-f'}
ROUNDING = 1e-3  # by which the length of a quaternion may differ from 1
MOST_AWAY, MOST_SPEED = 1e6, 1e3  # m; m/s and rad/s: beyond, the physics leaves the numbers


class UnknownEntityError(MvsimError):
    """Raised when there is no entity of a name."""


class UnsupportedRequestError(MvsimError):
    """Raised when a request asks for something that this simulator does not do."""


class InvalidPoseError(MvsimError):
    """Raised when a pose is none."""


def entities(simulation: Simulation) -> dict[str, tuple[BodyHandle, int]]:
    """Return handle and category of every entity, by name."""
    return {
        **{name: (actor, HUMAN) for name, actor in simulation.actors.items()},
        **{name: (block, DYNAMIC_OBJECT if block.spec.moves else STATIC_OBJECT)
           for name, block in simulation.blocks.items()},
        **{name: (vehicle, ROBOT) for name, vehicle in simulation.vehicles.items()}}


def entity(simulation: Simulation, name: str) -> tuple[BodyHandle, int]:
    """
    Return handle and category of the entity called `name`.

    :raises UnknownEntityError: where there is none.
    """
    known = entities(simulation)
    if name not in known:
        raise UnknownEntityError(f'there is no entity {name!r}')
    return known[name]


def matching(simulation: Simulation, filters: Any) -> list[str]:
    """
    Return the names of the entities that pass a filter.

    :param filters: a simulation_interfaces/msg/EntityFilters.
    :raises UnsupportedRequestError: for filters by tags.
    :raises MvsimError: where the pattern is no regular expression, or the bounds are none that
        `within` takes.
    """
    if filters.tags.tags:
        raise UnsupportedRequestError('entities have no tags here')
    try:
        pattern = re.compile(re.sub(r'\[:(\w+):\]', lambda name: CLASSES[name[1]],
                                    filters.filter))
    except (re.error, KeyError, OverflowError, RecursionError) as error:
        raise MvsimError(f'{filters.filter!r} is no regular expression: {error}') from error
    categories = {each.category for each in filters.categories}
    is_there = within(filters.bounds)
    return [name for name, (handle, category) in entities(simulation).items()
            if pattern.search(name) and (not categories or category in categories)
            and is_there(handle)]


def fill_state(message: Any, simulation: Simulation, name: str, frame_id: str) -> None:
    """
    Write pose and velocity of an entity, both in the world frame.

    :param message: a simulation_interfaces/msg/EntityState.
    :raises UnknownEntityError: where there is none of this name.
    """
    handle, _ = entity(simulation, name)
    pose = handle.pose
    state_messages.fill_stamp(message.header, simulation.time_ns, frame_id)
    state_messages.fill_pose(message.pose, pose)
    vx, vy, wz = handle.twist_body.tolist()
    cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
    message.twist.linear.x = cosine * vx - sine * vy
    message.twist.linear.y = sine * vx + cosine * vy
    message.twist.angular.z = wz


def read_pose(message: Any) -> Pose:
    """
    Return what a geometry_msgs/msg/Pose says.

    :raises InvalidPoseError: where a number is not finite, or the rotation no unit quaternion.
    """
    p, q = message.position, message.orientation
    numbers = p.x, p.y, p.z, q.x, q.y, q.z, q.w
    length = math.hypot(*numbers[3:])
    if not all(map(math.isfinite, numbers)) or abs(length - 1.0) > ROUNDING:
        raise InvalidPoseError('a pose has finite numbers and a quaternion of length 1')
    if max(map(abs, numbers)) > MOST_AWAY:
        raise InvalidPoseError(f'a pose is at most {MOST_AWAY:g} m from the origin')
    x, y, z, w = (number / length for number in numbers[3:])
    return Pose(
        p.x, p.y, p.z, math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)))


def place(message: Any, frame: str, frames: Iterable[str]) -> Pose:
    """
    Return what a geometry_msgs/msg/Pose in a frame says.

    :param frames: names of the world frame.
    :raises InvalidPoseError: where the pose is none, or in another frame.
    """
    if frame not in frames:
        raise InvalidPoseError(f'frame {frame!r}: poses are taken in '
                               f'{" or ".join(filter(None, frames))}')
    return read_pose(message)


def move(simulation: Simulation, request: Any, frames: Iterable[str]) -> None:
    """
    Put an entity somewhere, with a velocity.

    :param request: a simulation_interfaces/srv/SetEntityState request; that of version 2 says
        what of it counts, that of version 1 means pose and velocity.
    :param frames: names of the world frame.
    :raises UnknownEntityError: where there is none of this name.
    :raises InvalidPoseError: where the pose is none, or in another frame.
    :raises UnsupportedRequestError: for entities that go their own way.
    :raises MvsimError: where something that stands shall move.
    """
    handle, category = entity(simulation, request.entity)
    if category == HUMAN:
        raise UnsupportedRequestError(f'actor {request.entity!r} walks its path')
    pose = handle.pose
    if getattr(request, 'set_pose', True):
        pose = place(request.state.pose, request.state.header.frame_id, frames)
    vx, vy, wz = handle.twist_body.tolist()
    if getattr(request, 'set_twist', True):
        given = request.state.twist
        cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
        vx = cosine * given.linear.x + sine * given.linear.y
        vy = cosine * given.linear.y - sine * given.linear.x
        wz = given.angular.z
        if not max(abs(vx), abs(vy), abs(wz)) <= MOST_SPEED:  # NaN is no number below it
            raise MvsimError(f'a velocity has finite numbers up to {MOST_SPEED:g}')
    if category == STATIC_OBJECT and (vx, vy, wz) != (0.0, 0.0, 0.0):
        raise MvsimError(f'block {request.entity!r} is static and cannot have a velocity')
    simulation.set_pose(request.entity, pose, (vx, vy, wz))
