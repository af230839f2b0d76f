# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles, blocks, actors and elements as the entities of `simulation_interfaces`."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
import json
import math
import re
import subprocess
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.services.answers import INVALID_POSE, NOT_FOUND, RequestError, UNSUPPORTED
from mvsim_ros2.ros.services.bounds import within
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import BodyHandle
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.elements import ELEMENTS

ALL = 1  # mode of simulation_interfaces/msg/TagsFilter: every tag, not any


@dataclass(frozen=True)
class Info:
    """Category, description and tags of one entity."""

    category: int
    description: str = ''
    tags: tuple[str, ...] = ()


class EntityInfos:
    """The infos of all entities; first the tag of one is its class in the world file."""

    def __init__(self) -> None:
        self._given: dict[str, Info] = {}

    def of(self, name: str, handle: Any, category: int) -> Info:
        """Return the info of an entity."""
        kind = getattr(getattr(handle, 'spec', None), 'class_name', '')
        return self._given.get(name) or Info(category, '', (kind,) if kind else ())

    def change(self, name: str, message: Any) -> None:
        """Replace the info of an entity."""
        self._given[name] = Info(
            message.category.category, message.description, tuple(message.tags))

    def forget(self, *names: str) -> None:
        """Forget what was set for some entities; without names for all."""
        for name in names or list(self._given):
            self._given.pop(name, None)


def passes(wanted: Any, tags: Collection[str]) -> bool:
    """Return whether tags pass a filter."""
    found = [each in tags for each in wanted.tags]
    return not found or (all(found) if wanted.filter_mode == ALL else any(found))


# numbers of simulation_interfaces/msg/EntityCategory
ROBOT, HUMAN, DYNAMIC_OBJECT, STATIC_OBJECT = 1, 2, 4, 5
# character classes of POSIX
CLASSES = {'alnum': 'A-Za-z0-9', 'alpha': 'A-Za-z', 'blank': r' \t', 'digit': '0-9',
           'lower': 'a-z', 'punct': r'!-/:-@\[-`{-~', 'space': r'\s', 'upper': 'A-Z',
           'word': r'\w', 'xdigit': '0-9A-Fa-f'}
ROUNDING = 1e-3  # by which the length of a quaternion may differ from 1
MAX_COORDINATE, MAX_SPEED = 1e6, 1e3  # m; m/s and rad/s: beyond, the physics overflows


class InvalidPoseError(RequestError):
    """Raised when a pose is not valid."""

    def __init__(self, message: str) -> None:
        super().__init__(INVALID_POSE, message)


@dataclass(frozen=True)
class ElementHandle:
    """A wall, a map or a piece of ground as an entity; its frame is the world's."""

    spec: ElementSpec
    pose: Pose = Pose()

    @property
    def twist_in_space(self) -> NDArray[np.float64]:
        """Return its velocity and angular velocity: none."""
        return np.zeros(6)

    @property
    def footprint(self) -> Footprint:
        """Return the bounding box of what is solid of it, without a polygon where nothing is."""
        pieces = ELEMENTS[type(self.spec)].outlines(self.spec)
        if not pieces:
            return Footprint((), 0.0, 0.0)
        corners = np.concatenate([np.array(each.polygon) for each in pieces])
        (x, y), (u, v) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return Footprint(((x, y), (u, y), (u, v), (x, v)), min(each.zmin for each in pieces),
                         max(each.zmax for each in pieces))


Handle = BodyHandle | ElementHandle

_LONGEST = 2.0  # s that a search may take
_SEARCH = """
import json, re, sys
pattern, names = json.load(sys.stdin)
print(json.dumps([name for name in names if re.search(pattern, name)]))
"""


def entities(simulation: Simulation) -> dict[str, tuple[Handle, int]]:
    """Return handle and category of every entity, by name."""
    return {
        **{each.name: (ElementHandle(each), STATIC_OBJECT) for each in simulation.elements},
        **{name: (actor, HUMAN) for name, actor in simulation.actors.items()},
        **{name: (block, DYNAMIC_OBJECT if block.spec.moves else STATIC_OBJECT)
           for name, block in simulation.blocks.items()},
        **{name: (vehicle, ROBOT) for name, vehicle in simulation.vehicles.items()}}


def entity(simulation: Simulation, name: str) -> tuple[Handle, int]:
    """Return handle and category of the entity called `name`."""
    known = entities(simulation)
    if name not in known:
        raise RequestError(NOT_FOUND, f'there is no entity {name!r}')
    return known[name]


def found_by(pattern: str, names: Iterable[str]) -> set[str]:
    """
    Return the names in which a regular expression finds something; all where it is empty.

    Another process searches, so that an expression that backtracks cannot hold the node.
    """
    if not pattern:
        return set(names)
    try:
        expression = re.sub(r'\[:(\w+):\]', lambda name: CLASSES[name[1]], pattern)
        searched = subprocess.run(
            [sys.executable, '-I', '-S', '-c', _SEARCH], text=True, capture_output=True,
            input=json.dumps([expression, list(names)]), timeout=_LONGEST, check=True)
    except KeyError as error:
        raise MvsimError(f'{pattern!r} is no regular expression: no class {error}') from error
    except subprocess.CalledProcessError as error:
        why = error.stderr.strip().rpartition('\n')[2]
        raise MvsimError(f'{pattern!r} is no regular expression: {why}') from None
    except subprocess.TimeoutExpired:
        raise MvsimError(f'{pattern!r} was not found or missed within {_LONGEST:g} s: write it '
                         'without repetitions of repetitions, such as (a+)+') from None
    return set(json.loads(searched.stdout))


def matching(simulation: Simulation, filters: Any, infos: EntityInfos) -> list[str]:
    """Return the names of the entities that pass a filter."""
    known = entities(simulation)
    named = found_by(filters.filter, known)
    categories = {each.category for each in filters.categories}
    is_within = within(filters.bounds)
    found = []
    for name, (handle, category) in known.items():
        info = infos.of(name, handle, category)
        if (name in named and (not categories or info.category in categories)
                and passes(filters.tags, info.tags) and is_within(handle)):
            found.append(name)
    return found


def fill_state(message: Any, simulation: Simulation, name: str, frame_id: str,
               stamp_ns: int) -> None:
    """Fill in pose and velocity of an entity, both in the world frame."""
    handle, _ = entity(simulation, name)
    pose = handle.pose
    state_messages.fill_stamp(message.header, stamp_ns, frame_id)
    state_messages.fill_pose(message.pose, pose)
    twist, linear, angular = handle.twist_in_space, message.twist.linear, message.twist.angular
    linear.x, linear.y, linear.z = (pose.rotation @ twist[:3]).tolist()
    angular.x, angular.y, angular.z = (pose.rotation @ twist[3:]).tolist()


def read_pose(message: Any, frame: str, frames: Iterable[str]) -> Pose:
    """Return a geometry_msgs/msg/Pose in a frame as a pose in the world."""
    if frame not in frames:
        raise InvalidPoseError(f'frame {frame!r}: poses must be in '
                               f'{" or ".join(filter(None, frames))}')
    p, q = message.position, message.orientation
    numbers = p.x, p.y, p.z, q.x, q.y, q.z, q.w
    if not all(map(math.isfinite, numbers)) or abs(
            math.hypot(*numbers[3:]) - 1.0) > ROUNDING:
        raise InvalidPoseError('a pose has finite numbers and a quaternion of length 1')
    if max(map(abs, numbers)) > MAX_COORDINATE:
        raise InvalidPoseError(f'a pose is at most {MAX_COORDINATE:g} m from the origin')
    return state_messages.pose_of(message)


def set_state(simulation: Simulation, request: Any, frames: Iterable[str]) -> None:
    """
    Set pose and velocity of an entity.

    Version 2 of simulation_interfaces/srv/SetEntityState has flags for both, version 1 sets both.

    :raises InvalidPoseError: where the pose is not valid, or in another frame.
    :raises RequestError: where there is none of this name, and for actors.
    :raises MvsimError: where a static block has a velocity.
    """
    handle, category = entity(simulation, request.entity)
    if category == HUMAN:
        raise RequestError(UNSUPPORTED, f'actor {request.entity!r} follows its path')
    if isinstance(handle, ElementHandle):
        raise RequestError(UNSUPPORTED, f'element {request.entity!r} stays where it is: delete '
                           'it, and spawn another one')
    pose = handle.pose
    if getattr(request, 'set_pose', True):
        pose = read_pose(request.state.pose, request.state.header.frame_id, frames)
    vx, vy, wz = handle.twist_in_plan.tolist()
    if getattr(request, 'set_twist', True):
        given = request.state.twist
        cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
        vx = cosine * given.linear.x + sine * given.linear.y
        vy = cosine * given.linear.y - sine * given.linear.x
        wz = given.angular.z
        if not max(abs(vx), abs(vy), abs(wz)) <= MAX_SPEED:  # false for NaN
            raise MvsimError(f'a velocity has finite numbers up to {MAX_SPEED:g}')
    if category == STATIC_OBJECT and (vx, vy, wz) != (0.0, 0.0, 0.0):
        raise MvsimError(f'block {request.entity!r} is static and cannot have a velocity')
    simulation.set_pose(request.entity, pose, (vx, vy, wz))
