# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Conversion of robot descriptions to vehicle classes, and differences of classes from them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
import math
from pathlib import Path
import re

import numpy as np

from mvsim_ros2.base.files import read_text, TEXT_BYTES
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose, wrap_angle
from mvsim_ros2.world.file.document.tree import Node, Warn
from mvsim_ros2.world.file.load import load_world, load_world_text
from mvsim_ros2.world.file.urdf_import.description.document import read_document
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    element, Finding, Findings, value, written, xml)
from mvsim_ros2.world.file.urdf_import.drive import Drive, drive_of
from mvsim_ros2.world.file.urdf_import.dynamics import dynamics_node, FRICTION, OWN_TAG
from mvsim_ros2.world.file.urdf_import.layouts import layout_of, LAYOUTS, SLIPPERY
from mvsim_ros2.world.file.urdf_import.robot import read_robot, Robot
from mvsim_ros2.world.file.urdf_import.sensors import sensor_nodes
from mvsim_ros2.world.file.urdf_import.visuals import mesh_of, visual_nodes
from mvsim_ros2.world.file.urdf_import.wheels import (
    casters_of, ground_of, LIGHTEST, Wheel, wheels_of)
from mvsim_ros2.world.spec import VehicleSpec, WheelSpec

_STICKY = 2.0  # larger friction coefficients are not physical, but mean "no slip"
_IGNORED = ('gazebo', 'ros2_control', 'transmission', 'material', 'gazebo_ros_control', OWN_TAG)


@dataclass(frozen=True)
class Conversion:
    """A vehicle class converted from a robot description."""

    node: Node  # <vehicle:class>
    text: str  # URDF of the robot, expanded
    findings: tuple[Finding, ...]
    unused: str  # what is to be said of arguments that it does not take, '' where it takes all
    drive: str = ''  # which class of dynamics was chosen, and why
    slope: str = ''  # the steepest one that it climbs, and why


def convert(path: str, arguments: Mapping[str, str], warn: Warn, wanted: str = '',
            allow_xacro: bool = True) -> Conversion:
    """
    Return the vehicle class of a robot description.

    :param path: URDF, SDF or xacro file.
    :param arguments: of xacro.
    """
    document = read_document(path, arguments, warn, allow_xacro)
    root, text, findings = document.root, document.text, Findings()
    if root.tag == 'sdf':
        from mvsim_ros2.world.file.sdf_import.world import only_model
        root = only_model(root, findings.lost)
        text = xml(root)
    robot = read_robot(root)
    _report_empty(robot, findings)
    node = vehicle_class(robot, findings, wanted)
    return Conversion(node, text, tuple(findings.found), document.unused,
                      findings.drive, findings.slope)


def _report_empty(robot: Robot, findings: Findings) -> None:
    """Report links without mass, and meshes without a surface."""
    for name, link in robot.links.items():
        if link.inertial is not None and link.inertial.mass == 0.0:
            findings.lost(link.source, f'link {name!r} has a mass of 0: it adds none to the body, '
                          f'and weighs {LIGHTEST:g} kg as a wheel: give it its <mass>')
        for shape in link.collisions:
            if shape.kind == 'mesh' and not len(mesh_of(shape)[0]):
                findings.lost(shape.source, f'the mesh {shape.uri} cannot be read: the body and '
                              'its wheels have no size by it; give its file, or a box or cylinder')


def vehicle_class(robot: Robot, findings: Findings, wanted: str = '') -> Node:
    """
    Return the vehicle class of a robot.

    The frame of the vehicle is the root link's, projected to the ground.
    """
    drive = drive_of(robot, findings)
    wheels = wheels_of(robot, drive, findings)
    own = next((node for node in robot.extensions if node.tag == OWN_TAG), None)
    if not wanted and own is not None and own.attributes.get('dynamics') in LAYOUTS:
        wanted = own.attributes['dynamics']
    if not wheels and not wanted and drive.kind != 'holonomic':
        plugin = f', and the plugin {drive.unknown[0][1]!r} is not known' if drive.unknown else ''
        raise WorldFileError(
            f'{robot.source}: the robot has no wheels{plugin}: a wheel needs a continuous '
            'joint whose axis is along y (x forward). Or write <dynamics> with wheels in '
            'the world file')
    driven = [wheel for wheel in wheels if wheel.driven] or wheels
    ground = ground_of(robot, driven)
    casters = casters_of(robot, wheels, ground, _heaviest(robot))
    casters += _passive(wheels, ground, findings)
    layout = layout_of(robot, wheels, casters, drive, wanted, findings)
    friction, friction_node = _friction(robot, driven, drive, findings)
    dynamics = dynamics_node(robot, layout, casters, drive, ground, friction, wanted, findings)
    sensors, housings = sensor_nodes(robot, ground, _heaviest(robot), findings)
    rolling = {name for _, wheel in (layout.wheels if layout else ()) for name in wheel.links}
    looks = visual_nodes(robot, [name for name in robot.links
                                 if name not in rolling and name not in housings],
                         Pose(z=-ground).matrix)
    _report_unused(robot, wheels, casters, findings)
    name = re.sub('[^A-Za-z0-9_]', '_', robot.name)
    return element('vehicle:class', robot.source, children=[
        dynamics, friction_node, *looks, *sensors], attributes={'name': name})


def _passive(wheels: list[Wheel], ground: float, findings: Findings) -> list[Wheel]:
    """Return the wheels on the ground that are neither driven nor steered."""
    passive = []
    for wheel in wheels:
        if not wheel.driven and wheel.steering is None:
            if abs(wheel.centre[2] - wheel.radius - ground) < 0.02:
                passive.append(wheel)
            else:
                findings.lost(wheel.source, 'this wheel is not driven and does not reach the '
                              'ground: it is part of the body')
    return passive


def _heaviest(robot: Robot) -> str:
    """Return the heaviest link."""
    return max(robot.links.values(), key=lambda link: (
        link.inertial.mass if link.inertial else 0.0)).name


def _friction(robot: Robot, wheels: list[Wheel], drive: Drive,
              findings: Findings) -> tuple[float, Node]:
    """
    Return the friction coefficient of the wheels, and `<friction>`.

    The damping of a joint is that of its axle where torques command it. Commands of velocity, and
    drive plugins, set the speed of a joint whatever its damping.
    """
    rolling = {name for wheel in wheels for name in wheel.links}
    mu, source = FRICTION, robot.source
    for node in robot.extensions:
        if node.tag == 'gazebo' and node.attributes.get('reference', '') in rolling:
            given = value(node, 'mu1', default=value(node, 'mu', default=-1.0))
            if given > _STICKY or 0.0 <= given < SLIPPERY:
                findings.assumed(node.source, f'a friction coefficient of {given:g} is not '
                                 f'that of a tyre: {1.0 if given > 1.0 else FRICTION:g} is used')
            if given >= 0.0:
                mu = 1.0 if given > _STICKY else FRICTION if given < SLIPPERY else given
                source = node.source
                break
    damping = 0.0
    for joint in (wheel.joint for wheel in wheels if wheel.joint and wheel.joint.damping):
        if joint.name in drive.by_effort:
            damping = max(damping, joint.damping)
        else:
            findings.assumed(joint.source, f'the damping of joint {joint.name!r} does not slow '
                             'the wheel: its speed is commanded')
    return mu, element('friction', source, attributes={'class': 'default'}, children=[
        element('mu', source, written(mu)), element('C_damping', source, written(damping))])


def _report_unused(robot: Robot, wheels: list[Wheel], casters: list[Wheel],
                   findings: Findings) -> None:
    """Report other parts that are not simulated."""
    used = {joint.name for wheel in wheels for joint in (wheel.joint, wheel.steering) if joint}
    standing = {joint.name for caster in casters for link in caster.links
                for joint in robot.above(link)}
    for joint in robot.joints.values():
        is_part = any(joint.child in wheel.links for wheel in wheels)
        if joint.moves and joint.name not in used | standing and not is_part:
            findings.lost(joint.source, f'joint {joint.name!r} ({joint.kind}) does not move: it '
                          'stays at 0; what hangs on it is part of the body')
    for node in robot.extensions:
        if node.tag not in _IGNORED:
            findings.lost(node.source, f'<{node.tag}> is not read: remove it, or describe it in '
                          'the world file')
    if not np.isfinite([robot.poses[name] for name in robot.links]).all():
        raise WorldFileError(f'{robot.source}: the links stand too far apart: use metres')


def class_text(conversion: Conversion, path: str) -> str:
    """Return the text of a file with the vehicle class, for `<include>`."""
    return f'<!-- Made by "mvsim_ros2 convert-urdf" from {Path(path).name}. -->\n' + xml(
        conversion.node)


NEAR, TURNED = 1e-3, math.radians(0.1)  # m, rad; smaller differences do not count


def only_class(text: str, file: str) -> VehicleSpec:
    """Return the vehicle class of a text."""
    return _the_one(load_world_text(text, file, offline=True).vehicle_classes, file)


def class_of_file(path: str) -> VehicleSpec:
    """Return the vehicle class of a file, a world or what is included in one."""
    try:
        text = read_text(path, TEXT_BYTES)
    except (OSError, ValueError) as error:
        raise WorldFileError(f'{path}: cannot be read: {error}') from error
    world = (load_world(path, offline=True) if '<mvsim_world' in text
             else load_world_text(text, path, offline=True))
    return _the_one(world.vehicle_classes, path)


def _the_one(classes: Mapping[str, VehicleSpec], file: str) -> VehicleSpec:
    if len(classes) != 1:
        raise WorldFileError(f'{file}: there should be one <vehicle:class> with <dynamics>, there '
                             f'are {len(classes)}')
    (found,) = classes.values()
    return found


def mismatches(described: VehicleSpec, written: VehicleSpec) -> Iterator[str]:
    """
    Yield a line for each wheel or sensor of a class that is not as a robot description says.

    Wheels with the same joint, or in the same order if the class names none, are compared by
    place, diameter and joint. Sensors with the same name are compared by pose.
    """
    kinds = described.dynamics.XML_CLASS, written.dynamics.XML_CLASS
    wheels = written.dynamics.wheels
    if len(wheels) != len(described.dynamics.wheels):
        yield (f'wheels: the description has {len(described.dynamics.wheels)} ({kinds[0]}), the '
               f'class {len(wheels)} ({kinds[1]})')
        return
    by_joint = {wheel.joint: wheel for wheel in wheels if wheel.joint}
    for number, wanted in enumerate(described.dynamics.wheels):
        found = by_joint.get(wanted.joint, wheels[number])
        yield from _wheel(wanted.joint or f'wheel {number + 1}', wanted, found)
    sensors = {sensor.name: sensor for sensor in written.sensors}
    for sensor in described.sensors:
        other = sensors.get(sensor.name)
        if other is None:
            yield f'sensor {sensor.name}: the class has none of this name'
        elif not _agree(sensor.pose, other.pose):
            yield (f'sensor {sensor.name}: the pose is {_text(sensor.pose)} in the description, '
                   f'{_text(other.pose)} in the class')


def _wheel(name: str, wanted: WheelSpec, found: WheelSpec) -> Iterator[str]:
    for what, there, here in (
            ('x', wanted.pos[0], found.pos[0]), ('y', wanted.pos[1], found.pos[1]),
            ('diameter', wanted.diameter, found.diameter)):
        if abs(there - here) > NEAR:
            yield f'{name}: {what} is {there:.4f} m in the description, {here:.4f} m in the class'
    if wanted.joint != found.joint:
        yield (f'{name}: the joint is {wanted.joint!r} in the description, {found.joint!r} in the '
               'class')


def _agree(first: Pose, second: Pose) -> bool:
    apart = math.dist((first.x, first.y, first.z), (second.x, second.y, second.z))
    turned = (abs(float(wrap_angle(a - b))) for a, b in (
        (first.yaw, second.yaw), (first.pitch, second.pitch), (first.roll, second.roll)))
    return apart <= NEAR and max(turned) <= TURNED


def _text(pose: Pose) -> str:
    angles = ' '.join(f'{math.degrees(a):.2f}' for a in (pose.yaw, pose.pitch, pose.roll))
    return f'{pose.x:.4f} {pose.y:.4f} {pose.z:.4f} {angles}'
