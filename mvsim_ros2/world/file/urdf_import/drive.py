# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The drive of a robot: a plugin of Gazebo, a controller of ros2_control, or commanded joints.

Plugins of Gazebo classic and of Gazebo (gz, ignition) name their joints in tags such as
`<left_joint>`, `<leftJoint>`, `<front_left_joint>`, `<left_steering_joint>`. Controllers name them
in the parameter file of ros2_control. All of these are read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
import re
from typing import Any

from mvsim_ros2.base.files import read_bytes, TEXT_BYTES
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.resources.resources import local_path
from mvsim_ros2.world.file.urdf_import.description.xml_values import all_in, Findings, value
from mvsim_ros2.world.file.urdf_import.robot import Robot
from mvsim_ros2.world.spec import Source

# pattern in the name of a plugin or controller, of letters and digits -> kinematics
_DRIVES = {
    'diffdrive|differentialdrive|skidsteer|roskobuki': 'differential',
    'tricycle': 'tricycle',
    'ackerman|bicyclesteering': 'ackermann',
    'mecanum': 'mecanum',
    'omni(wheel|directional)?drive': 'omni',
    'planarmove|forcebasedmove|(sim|gazebo|systems)velocitycontrol|holonomic': 'holonomic',
}
_CONTROL = 'ros2?control'  # in the name of the plugin that runs the controllers of ros2_control
# patterns in the names of plugins whose function the simulator provides
_NOTHING_TO_DO = ('jointstate|robotstate|sensors|imu|posepublisher|odometrypublisher|p3d|'
                  'scenebroadcaster|navsat|rosgps|usercommands|contact|magnetometer|airpressure|'
                  f'groundtruth|{_CONTROL}')
_SIDE = '(?:left|right|front|rear|back|mid|middle)+'
_WHEEL = re.compile(f'{_SIDE}(?:wheel)?joint(?:name)?|(?:actuatedwheel|traction|drive)joint')
_STEERING = re.compile(f'{_SIDE}(?:steer(?:ing)?|hinge)(?:wheel)?(?:joint)?|steeringjoint')


@dataclass(frozen=True)
class Drive:
    """The drive of a robot."""

    kind: str = ''  # a value of _DRIVES; '' where only joints are named
    driven: tuple[str, ...] = ()  # distinct joints
    steering: tuple[str, ...] = ()
    by_effort: tuple[str, ...] = ()  # driven joints that torques command, not speeds
    wheel_radius: float | None = None  # m
    separation: float | None = None  # m, of left and right wheels
    max_torque: float | None = None  # N m, of a wheel
    max_steering: float | None = None  # rad, of the virtual centre wheel
    name: str = ''  # what says so, for messages
    unknown: tuple[tuple[Source, str], ...] = ()  # plugins that may say it, where nothing does
    source: Source = Source()


def drive_of(robot: Robot, findings: Findings) -> Drive:
    """
    Return the drive of a robot, an empty `Drive` where the description has none.

    A plugin for the wheels precedes controllers, and these the joints of `<ros2_control>`. Joints
    that copy a driven or a steered one are driven or steered too.
    """
    drives: list[Drive] = []
    unknown: list[Node] = []
    for plugin in _plugins(robot):
        kind = _kind_of(_plain(plugin))
        if kind:
            drives.append(_of_plugin(plugin, kind, robot))
        elif not re.search(_NOTHING_TO_DO, _plain(plugin)):
            unknown.append(plugin)
    commanded = _of_control(robot)
    if not drives:
        drives = [each for plugin in _plugins(robot) if re.search(_CONTROL, _plain(plugin))
                  for each in _of_controllers(plugin, robot, findings)] or [commanded]
    for other in drives[1:]:
        findings.lost(other.source, 'a second plugin or controller drives wheels: only the first '
                      f'one of {drives[0].source} is used: remove the other')
    drive = drives[0]
    for plugin in unknown if drive.kind else ():
        findings.lost(plugin.source, f'the plugin {_shown(plugin)!r} is not known: do what it '
                      'does in a ROS node of your own, or in the world file')
    guessed = () if drive.kind else tuple((each.source, _shown(each)) for each in unknown)
    return replace(
        drive, unknown=guessed, driven=_with_copies(drive.driven or commanded.driven, robot),
        steering=_with_copies(drive.steering or commanded.steering, robot),
        by_effort=commanded.by_effort)


def _plugins(robot: Robot) -> Iterator[Node]:
    for node in robot.extensions:
        if node.tag == 'gazebo':
            yield from (child for child in node.children if child.tag == 'plugin')


def _shown(plugin: Node) -> str:
    return plugin.attributes.get('filename') or plugin.attributes.get('name', '')


def _plain(plugin: Node) -> str:
    names = ' '.join(plugin.attributes.get(key, '') for key in ('filename', 'name'))
    return re.sub('[^a-z0-9]', '', names.lower())


def _kind_of(plain: str) -> str:
    return next((kind for pattern, kind in _DRIVES.items() if re.search(pattern, plain)), '')


def _with_copies(joints: tuple[str, ...], robot: Robot) -> tuple[str, ...]:
    """Return joints and those that copy them, without virtual ones."""
    found = list(dict.fromkeys(joints))
    for name in found:
        found += [joint.name for joint in robot.joints.values()
                  if joint.mimic == name and joint.name not in found]
    return tuple(name for name in found if not robot.is_virtual(name))


def _of_plugin(plugin: Node, kind: str, robot: Robot) -> Drive:
    driven: list[str] = []
    steering: list[str] = []
    for child in plugin.children:
        plain = child.tag.lower().replace('_', '')
        if _STEERING.fullmatch(plain):
            steering.append(_joint_named(child.text.strip(), robot, child.source, child.tag))
        elif _WHEEL.fullmatch(plain):
            driven.append(_joint_named(child.text.strip(), robot, child.source, child.tag))
    if kind == 'ackermann' and 'gazebo_ros' in plugin.attributes.get('filename', ''):
        driven = [child.text.strip() for child in plugin.children if child.tag.startswith('rear_')
                  and child.tag.endswith('_joint')] or driven
    diameter = _first(plugin, 'wheel_diameter', 'wheelDiameter')
    radius = _first(plugin, 'wheel_radius', 'wheelRadius')
    if diameter is not None:
        radius = 0.5 * diameter
    return Drive(
        kind, tuple(driven), tuple(steering), (), radius,
        _first(plugin, 'wheel_separation', 'wheelSeparation'),
        _first(plugin, 'max_wheel_torque', 'wheelTorque', 'torque'),
        _first(plugin, 'steering_limit', 'max_steer'), f'the plugin {_shown(plugin)}',
        source=plugin.source)


def _first(plugin: Node, *names: str) -> float | None:
    """Return the number, above 0, of the first of these tags that exists."""
    for name in names:
        found = value(plugin, name, default=0.0)
        if found > 0.0:
            return found
    return None


def _joint_named(name: str, robot: Robot, source: Source, tag: str) -> str:
    if name not in robot.joints:
        raise WorldFileError(f'{source}: <{tag}> names the joint {name!r}, which does not exist'
                             f'{did_you_mean(name, robot.joints)}')
    return name


def _of_controllers(plugin: Node, robot: Robot, findings: Findings) -> Iterator[Drive]:
    """Yield what the controllers in the files of parameters of a plugin drive."""
    for node in plugin.children:
        if node.tag != 'parameters' or not node.text.strip():
            continue
        import yaml
        try:
            path = local_path(node.text.strip(), Path(node.source.file).parent)
            data = yaml.safe_load(read_bytes(path, TEXT_BYTES))
        except (ResourceError, OSError, ValueError, yaml.YAMLError, RecursionError) as error:
            findings.assumed(node.source, f'the controllers of {node.text.strip()} cannot be '
                             f'read, so the drive is guessed from the joints: {error}')
            continue
        groups = dict(_parameters('', data))
        listed = [*groups.items(), *(each for group in groups.values() for each in group.items())]
        kinds = {name: _kind_of(re.sub('[^a-z0-9]', '', str(values['type']).lower()))
                 for name, values in listed if isinstance(values, dict) and 'type' in values}
        for name, kind in kinds.items():
            if kind and name in groups:
                yield replace(_of_controller(kind, groups[name], robot, node.source),
                              name=f'the controller {name}')


def _parameters(name: str, data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names of nodes in a file of parameters of ROS, and their parameters."""
    for key, inner in data.items() if isinstance(data, dict) else ():
        if key == 'ros__parameters' and isinstance(inner, dict):
            yield name.rpartition('/')[2], inner
        else:
            yield from _parameters(str(key), inner)


def _of_controller(kind: str, parameters: Mapping[str, Any], robot: Robot,
                   source: Source) -> Drive:
    flat: dict[str, Any] = dict(parameters)
    for inner in parameters.values():
        flat |= inner if isinstance(inner, dict) else {}
    driven: list[str] = []
    steering: list[str] = []
    for key, given in flat.items():
        joints = [str(each) for each in (given if isinstance(given, list) else [given])
                  if str(each) in robot.joints]
        turned = key == 'front_wheels_names' and flat.get('front_steering', True) and (
            'rear_wheels_names' in flat)
        if 'steering' in key or turned:
            steering += joints
        elif 'wheel' in key or 'traction' in key:
            driven += joints

    def length(*words: str) -> float | None:
        found = (given for key, given in flat.items() if isinstance(given, int | float)
                 and given > 0 and all(word in key for word in words))
        return next(map(float, found), None)
    return Drive(kind, tuple(driven), tuple(steering), (), length('wheel', 'radius'),
                 length('wheel_separation') if kind == 'differential' else None, source=source)


def _of_control(robot: Robot) -> Drive:
    """Return the joints that `<ros2_control>` commands, else those of `<transmission>`."""
    joints: dict[str, list[str]] = {'velocity': [], 'effort': [], 'position': []}
    systems = list(all_in(robot.extensions, 'ros2_control'))
    parts = systems or [node for node in robot.extensions if node.tag == 'transmission']
    for part, joint in ((part, node) for part in parts for node in part.children
                        if node.tag == 'joint'):
        name = _joint_named(joint.attributes.get('name', ''), robot, joint.source, part.tag)
        commands = [node.attributes.get('name', '') for node in joint.children
                    if node.tag == 'command_interface'] if systems else [
            node.text.lower() for node in all_in(part.children, 'hardwareInterface')]
        kind = next((kind for kind in joints if any(kind in each for each in commands)), '')
        if kind and not systems and robot.joints[name].kind != 'continuous':
            kind = 'position'  # by a PID of the controller
        if kind:
            joints[kind].append(name)
    return Drive('', (*joints['velocity'], *joints['effort']), tuple(joints['position']),
                 tuple(joints['effort']), name=f'<{parts[0].tag}>' if parts else '',
                 source=parts[0].source if parts else robot.source)
