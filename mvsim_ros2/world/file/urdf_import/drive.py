# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Driven and steered joints, from plugins of Gazebo and `<ros2_control>`.

Gazebo classic and Gazebo (gz, ignition) name joints in tags such as `<left_joint>`, `<leftJoint>`,
`<front_left_joint>`, `<left_steering_joint>`; all of these are read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
import re

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.description.findings import Findings
from mvsim_ros2.world.file.urdf_import.description.xml_values import all_in, value
from mvsim_ros2.world.file.urdf_import.robot import Robot
from mvsim_ros2.world.spec.common import Source

# part of the name of a plugin, without _ and - -> kinematics
_DRIVES = {
    'diffdrive': 'differential', 'skidsteerdrive': 'differential',
    'ackermann': 'ackermann', 'mecanum': 'mecanum',
}
# parts of the names of plugins whose function the simulator provides
_NOTHING_TO_DO = ('jointstate', 'robotstate', 'ros2control', 'roscontrol', 'sensors', 'imu',
                  'posepublisher', 'odometrypublisher', 'p3d', 'scenebroadcaster', 'navsat',
                  'usercommands', 'contact', 'magnetometer', 'airpressure', 'groundtruth')
_WHEEL = re.compile('(?:(?:left|right)(?:front|rear|back|mid|middle)?|'
                    '(?:front|rear|back|mid|middle)(?:left|right))(?:wheel)?joint')
_STEERING = re.compile('(?:front)?(?:left|right)(?:steering|steer)(?:joint)?')


@dataclass(frozen=True)
class Drive:
    """The drive of a robot."""

    kind: str = ''  # differential, ackermann or mecanum; '' where only joints are named
    driven: tuple[str, ...] = ()  # distinct joints
    steering: tuple[str, ...] = ()
    wheel_radius: float | None = None  # m
    max_torque: float | None = None  # N m, of a wheel
    max_steering: float | None = None  # rad, of the virtual centre wheel
    source: Source = Source()


def drive_of(robot: Robot, findings: Findings) -> Drive:
    """
    Return the drive of a robot, an empty `Drive` where the description has none.

    A plugin for the wheels precedes `<ros2_control>`.

    :raises WorldFileError: where a joint is named that does not exist.
    """
    drives = []
    for node in robot.extensions:
        for plugin in node.children if node.tag == 'gazebo' else ():
            if plugin.tag == 'plugin':
                kind = _kind_of(plugin, findings)
                if kind:
                    drives.append(_of_plugin(plugin, kind, robot))
    if not drives:
        return _of_control(robot)
    for other in drives[1:]:
        findings.lost(other.source, 'a second plugin drives wheels: only the first one of '
                      f'{drives[0].source} counts: take one out')
    return drives[0]


def _kind_of(plugin: Node, findings: Findings) -> str:
    names = ' '.join(plugin.attributes.get(key, '') for key in ('filename', 'name'))
    plain = re.sub('[^a-z0-9]', '', names.lower())
    kind = next((kind for part, kind in _DRIVES.items() if part in plain), '')
    if not kind and not any(part in plain for part in _NOTHING_TO_DO):
        shown = plugin.attributes.get('filename') or plugin.attributes.get('name', '')
        findings.lost(plugin.source, f'the plugin {shown!r} is not known: do what it does in a '
                      'ROS node of your own, or in the world file')
    return kind


def _of_plugin(plugin: Node, kind: str, robot: Robot) -> Drive:
    driven: list[str] = []
    steering: list[str] = []
    for child in plugin.children:
        plain = child.tag.lower().replace('_', '')
        if _STEERING.fullmatch(plain):
            steering.append(_joint_named(child, robot))
        elif _WHEEL.fullmatch(plain):
            driven.append(_joint_named(child, robot))
    if kind == 'ackermann' and 'gazebo_ros' in plugin.attributes.get('filename', ''):
        driven = [_joint_named(child, robot) for child in plugin.children
                  if child.tag.startswith('rear_') and child.tag.endswith('_joint')]
    diameter = _first(plugin, 'wheel_diameter', 'wheelDiameter')
    radius = _first(plugin, 'wheel_radius', 'wheelRadius')
    if diameter is not None:
        radius = 0.5 * diameter
    return Drive(
        kind, tuple(dict.fromkeys(driven)), tuple(dict.fromkeys(steering)), radius,
        _first(plugin, 'max_wheel_torque', 'wheelTorque', 'torque'),
        _first(plugin, 'steering_limit', 'max_steer'), plugin.source)


def _first(plugin: Node, *names: str) -> float | None:
    """Return the number, above 0, of the first of these tags that exists."""
    for name in names:
        found = value(plugin, name, default=0.0)
        if found > 0.0:
            return found
    return None


def _joint_named(node: Node, robot: Robot) -> str:
    name = node.text.strip()
    if name not in robot.joints:
        raise WorldFileError(f'{node.source}: <{node.tag}> names the joint {name!r}, which does '
                             f'not exist{did_you_mean(name, robot.joints)}')
    return name


def _of_control(robot: Robot) -> Drive:
    driven: list[str] = []
    steering: list[str] = []
    systems = list(all_in(robot.extensions, 'ros2_control'))
    for joint in _controlled(systems):
        name = joint.attributes.get('name', '')
        if name not in robot.joints:
            raise WorldFileError(f'{joint.source}: <ros2_control> names the joint {name!r}, '
                                 f'which does not exist{did_you_mean(name, robot.joints)}')
        commands = {node.attributes.get('name', '') for node in joint.children
                    if node.tag == 'command_interface'}
        if commands & {'velocity', 'effort'}:
            driven.append(name)
        elif 'position' in commands:
            steering.append(name)
    return Drive('', tuple(dict.fromkeys(driven)), tuple(dict.fromkeys(steering)),
                 source=systems[0].source if systems else robot.source)


def _controlled(systems: list[Node]) -> Iterator[Node]:
    for system in systems:
        yield from (node for node in system.children if node.tag == 'joint')
