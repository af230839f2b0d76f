# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Chassis, wheels and controller of a robot as `<dynamics>` of a world file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.chassis import chassis_node
from mvsim_ros2.world.file.urdf_import.description.findings import Findings
from mvsim_ros2.world.file.urdf_import.description.link_geometry import Inertial, together
from mvsim_ros2.world.file.urdf_import.description.xml_values import degrees, element, written
from mvsim_ros2.world.file.urdf_import.drive import Drive
from mvsim_ros2.world.file.urdf_import.robot import Robot
from mvsim_ros2.world.file.urdf_import.visuals import colour_text, visual_nodes
from mvsim_ros2.world.file.urdf_import.wheels import extent, ground_of, inertials, LIGHTEST, Wheel

Array = NDArray[np.float64]

RESPONSE = 0.2  # s; time constant of the closed loop
INTEGRAL = 0.4  # 1/s; integral over proportional gain: 2 % of overshoot
GRAVITY = 9.81  # m/s^2
FRICTION = 0.8  # of wheels without a coefficient
LEAST_ACCELERATION = 0.25  # m/s^2; a smaller torque limit cannot be meant
DENSITY = 200.0  # kg/m^3, of the box around a robot without masses
USUAL_SPEED = 0.5  # m/s; a robot that does not reach it is reported
_ROLLERS = {'lr_wheel': '45', 'rr_wheel': '-45', 'lf_wheel': '-45', 'rf_wheel': '45'}


@dataclass(frozen=True)
class Layout:
    """Wheels by their tags in a class of dynamics."""

    name: str  # of the class
    wheels: tuple[tuple[str, Wheel], ...]
    controller: str
    motors: int  # that share the mass of the robot


def layout_of(robot: Robot, wheels: Sequence[Wheel], casters: Sequence[Wheel], drive: Drive,
              wanted: str, findings: Findings) -> Layout | None:
    """
    Return the class of dynamics of a robot, and the roles of its wheels.

    :param casters: what else it stands on.
    :param wanted: class given in the world file, '' where it gives none.
    :returns: None where the world file gives a class that is not supported for URDF.
    :raises WorldFileError: where the wheels do not match the class.
    """
    driven = [wheel for wheel in wheels if wheel.driven]
    steered = [wheel for wheel in wheels if wheel.steering is not None]
    kind = wanted or _kind(robot, drive, driven, steered, casters)
    if kind not in LAYOUTS:
        findings.assumed(drive.source, f'the wheels are those of the <dynamics class="{kind}"> '
                         'of the world file')
        return None
    used = [wheel for wheel in wheels if wheel.driven or wheel.steering]
    if kind in _STEERED:  # wheels that only roll are part of it
        used = [*wheels, *(
            caster for caster in casters if len(wheels) < _STEERED[kind] and caster.joint is None
            and caster.links and caster.is_cylinder)]
    layout = LAYOUTS[kind](kind, used, casters)
    if layout is None and not wanted and drive.kind == 'holonomic':
        layout = _floating(robot, wheels, drive, findings)
    if layout is None or wanted == 'differential_3_wheels' and not casters:
        left = sum(wheel.is_left for wheel in driven)
        raise WorldFileError(
            f'{drive.source}: the robot has {len(driven)} driven wheels, {left} of them on the '
            f'left, {len(steered)} steered ones and {len(casters)} casters: '
            f'{f"this makes no {wanted}" if wanted else "no class of dynamics has such wheels"}; '
            'name its joints in a drive plugin, or write <dynamics> with wheels in the world file')
    if drive.kind == 'holonomic' and not wanted:
        layout = replace(layout, controller='twist_ideal')
    if wanted and layout.name != wanted:
        motors = {'ackermann': 2, 'ackermann_drivetrain': 1}.get(wanted, layout.motors)
        layout = replace(layout, name=wanted, motors=motors)
    findings.drive = f'{layout.name}, by ' + (
        'the world file' if wanted else
        f'{drive.name} ({drive.source})' if drive.name else 'the joints of its wheels')
    for source, name in drive.unknown:
        findings.lost(source, f'the plugin {name!r} is not known' + (
            '' if wanted else f': the class {layout.name!r} is guessed from the wheels') +
            '; do what it does in a ROS node of your own, or in the world file')
    if not (drive.kind or wanted or drive.unknown):
        findings.assumed(drive.source, 'no plugin or controller that is known says how it drives: '
                         f'its {len(driven)} driven and {len(steered)} steered wheels make the '
                         f'class {layout.name!r}')
    if kind == 'differential_3_wheels' and len(casters) > 1:
        findings.assumed(
            casters[1].source, f'{len(casters)} casters or wheels without a drive: ' + (
                'one in the middle between them stands for all'
                if layout.name == kind else 'they stand on both sides of the axle, so that the '
                'driven wheels are taken to carry all'))
    return layout


def _kind(robot: Robot, drive: Drive, driven: Sequence[Wheel], steered: Sequence[Wheel],
          casters: Sequence[Wheel]) -> str:
    """Return the class of dynamics that the drive of a description makes."""
    if drive.kind in ('mecanum', 'omni', 'tricycle'):
        return drive.kind
    if drive.kind == 'holonomic':
        return 'mecanum' if len(driven) == 4 else 'omni'
    if steered:
        return {1: 'tricycle', 4: 'four_wheel_steering'}.get(len(steered), 'ackermann')
    if len(driven) > 2 and not any(wheel.lateral for wheel in driven):
        return 'omni'
    if len(driven) == 4 and all(
            any('mecanum' in shape.uri.lower() for name in wheel.links
                for shape in robot.links[name].visuals) for wheel in driven):
        return 'mecanum'
    if len(driven) == 2:
        return 'differential_3_wheels' if casters else 'differential'
    return 'differential_4_wheels' if len(driven) == 4 else 'skid_steer'


def _floating(robot: Robot, wheels: Sequence[Wheel], drive: Drive, findings: Findings) -> Layout:
    """Return four wheels with rollers below the corners of a robot that a plugin pushes."""
    low, high = extent(robot)
    ground = ground_of(robot, [wheel for wheel in wheels if wheel.driven] or wheels)
    middle, half = 0.5 * (low + high), 0.35 * (high - low)
    radius = max(0.2 * float(half[:2].min()), 0.01)
    findings.assumed(drive.source, 'the plugin moves the robot in any direction, whatever its '
                     'wheels: it stands on four wheels with rollers below its corners')
    return Layout('omni', tuple(
        ('wheel', Wheel(
            None, None, (), np.array((middle[0] + x * half[0], middle[1] + y * half[1],
                                      ground + radius)), radius, 0.5 * radius,
            np.array((x, y, 0.0)) / math.sqrt(2.0), together(()), None, True, None, drive.source))
        for x in (1, -1) for y in (1, -1)), 'twist_ideal', 4)


def _ends(wheels: Sequence[Wheel]) -> tuple[list[Wheel], list[Wheel]]:
    """Return left and right wheels, from the rear to the front."""
    ordered = sorted(wheels, key=lambda wheel: float(wheel.centre[0]))
    return ([wheel for wheel in ordered if wheel.is_left],
            [wheel for wheel in ordered if not wheel.is_left])


def _differential(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if (len(left), len(right)) != (1, 1):
        return None
    named = [('l_wheel', left[0]), ('r_wheel', right[0])]
    if kind == 'differential_3_wheels' and casters:
        centre: Array = np.mean([caster.centre for caster in casters], axis=0)
        if abs(centre[0] - left[0].centre[0]) < left[0].radius:
            kind = 'differential'  # on both sides of the axle
        else:
            named.append(('caster_wheel', replace(
                casters[0], centre=centre, links=tuple(
                    name for caster in casters for name in caster.links),
                inertial=together(caster.inertial for caster in casters))))
    elif kind == 'differential_3_wheels':
        kind = 'differential'
    return Layout(kind, tuple(named), 'twist_pid', 2)


def _four(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if (len(left), len(right)) != (2, 2):
        return None
    return Layout(kind, (('lr_wheel', left[0]), ('rr_wheel', right[0]), ('lf_wheel', left[1]),
                         ('rf_wheel', right[1])),
                  'twist_pid' if kind == 'mecanum' else 'twist_ideal', 4)


def _omni(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    driven = [wheel for wheel in wheels if wheel.driven]
    if len(driven) not in (3, 4) or all(wheel.lateral for wheel in driven):
        return None
    return Layout(kind, tuple(('wheel', wheel) for wheel in driven), 'twist_pid', len(driven))


def _tricycle(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends([wheel for wheel in wheels if wheel.steering is None])
    steered = [wheel for wheel in wheels if wheel.steering is not None]
    if (len(left), len(right), len(steered)) != (1, 1, 1):
        return None
    return Layout(kind, (('l_wheel', left[0]), ('r_wheel', right[0]),
                         ('steered_wheel', steered[0])), 'twist_front_steer_pid', 1)


def _all_steered(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if (len(left), len(right)) != (2, 2) or not all(wheel.steering for wheel in wheels):
        return None
    return Layout(kind, (('rl_wheel', left[0]), ('rr_wheel', right[0]), ('fl_wheel', left[1]),
                         ('fr_wheel', right[1])), 'twist_front_steer_pid', 1)


def _skid(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if not (left and right):
        return None
    return Layout(kind, (*(('l_wheel', wheel) for wheel in left),
                         *(('r_wheel', wheel) for wheel in right)), 'twist_ideal', len(wheels))


def _ackermann(kind: str, wheels: Sequence[Wheel], casters: Sequence[Wheel]) -> Layout | None:
    left, right = _ends(wheels)
    if (len(left), len(right)) != (2, 2):
        return None
    front_drives = left[1].driven and right[1].driven
    rear_drives = left[0].driven and right[0].driven
    if left[0].steering or right[0].steering or not (left[1].steering and right[1].steering):
        return None
    kind = 'ackermann' if front_drives and not rear_drives else 'ackermann_drivetrain'
    return Layout(kind, (('rl_wheel', left[0]), ('rr_wheel', right[0]), ('fl_wheel', left[1]),
                         ('fr_wheel', right[1])), 'twist_front_steer_pid',
                  2 if kind == 'ackermann' else 1)


LAYOUTS: Mapping[str, Callable[[str, Sequence[Wheel], Sequence[Wheel]], Layout | None]] = {
    'differential': _differential, 'differential_3_wheels': _differential,
    'differential_4_wheels': _four, 'mecanum': _four, 'skid_steer': _skid,
    'ackermann': _ackermann, 'ackermann_drivetrain': _ackermann, 'tricycle': _tricycle,
    'four_wheel_steering': _all_steered, 'omni': _omni,
}
_STEERED = {'ackermann': 4, 'ackermann_drivetrain': 4, 'tricycle': 3}  # wheels


def dynamics_node(robot: Robot, layout: Layout | None, casters: Sequence[Wheel], drive: Drive,
                  ground: float, friction: float, wanted: str, findings: Findings) -> Node:
    """
    Return `<dynamics>` of a robot.

    :param layout: its wheels; None for a chassis only.
    :param ground: height of the ground in the frame of the root [m].
    :param friction: coefficient of its wheels.
    :param wanted: class where it has no layout.
    :raises WorldFileError: where the robot has no mass or no outline.
    """
    source = drive.source
    wheels = () if layout is None else layout.wheels
    total = together(inertials(robot, robot.links)).placed(Pose(z=-ground).matrix)
    if total.mass <= 0.0:
        total = _usual_body(robot, [wheel for _, wheel in wheels], ground, findings)
    chassis = chassis_node(robot, [wheel for _, wheel in wheels], casters, total, ground,
                           findings)
    content = [chassis, *(_wheel_node(robot, tag, wheel, ground, layout, findings)
                          for tag, wheel in wheels)]
    if layout is None:
        return element('dynamics', source, children=content, attributes={'class': wanted})
    if layout.controller == 'twist_front_steer_pid':
        content += _steering(layout, drive)
    if layout.name == 'ackermann_drivetrain':
        rear, front = wheels[0][1].driven, wheels[2][1].driven
        axles = '4wd' if rear and front else 'front' if front else 'rear'
        content.append(element('drivetrain', source, attributes={'type': f'open_{axles}'}))
    content.append(_controller(layout, drive, total, friction, findings))
    return element('dynamics', source, children=content,
                   attributes={'class': layout.name})


def _usual_body(robot: Robot, wheels: Sequence[Wheel], ground: float,
                findings: Findings) -> Inertial:
    """
    Return the mass of a robot without `<inertial>`: a box around its shapes, amid its wheels.

    :raises WorldFileError: where it has no shapes either.
    """
    low, high = extent(robot)
    size = high - low
    mass = DENSITY * float(np.prod(size))
    if mass <= 0.0:
        raise WorldFileError(f'{robot.source}: the robot weighs nothing: give its links '
                             '<inertial>')
    findings.assumed(robot.source, f'no link has an <inertial>: the robot is taken for a box of '
                     f'{DENSITY:g} kg/m^3, {mass:.3g} kg')
    centre = 0.5 * (low + high) - (0.0, 0.0, ground)
    if wheels:
        centre[:2] = np.mean([wheel.centre[:2] for wheel in wheels], axis=0)
    return Inertial(mass, centre,
                    mass / 12.0 * np.diag(size @ size - size ** 2))


def wheel_mass(wheel: Wheel) -> float:
    """Return the mass of a wheel in the world [kg]."""
    return max(wheel.inertial.mass, LIGHTEST)


def _wheel_node(robot: Robot, tag: str, wheel: Wheel, ground: float, layout: Layout | None,
                findings: Findings) -> Node:
    x, y, z = wheel.centre.tolist()
    place = written(x, y)
    if layout and layout.name == 'omni':  # the direction in which it rolls is axle cross z
        place += f' {degrees(math.atan2(-wheel.axis[0], wheel.axis[1]))}'
    attributes = {
        'pos': place, 'mass': written(wheel_mass(wheel)), 'width': written(wheel.width),
        'diameter': written(2.0 * wheel.radius),
        'inertia': written(wheel.spin_inertia) if wheel.spin_inertia else '',
        'color': colour_text(wheel.colour), 'joint': wheel.joint.name if wheel.joint else '',
        'steering_joint': wheel.steering.name if wheel.steering else '',
        'roller_angle_deg': _ROLLERS[tag] if layout and layout.name == 'mecanum' else ''}
    looks = []
    if any(shape.kind != 'cylinder' for name in wheel.links
           for shape in robot.links[name].visuals):
        looks = list(visual_nodes(robot, wheel.links, Pose(-x, -y, -z).matrix, findings))
        if len(looks) > 1:
            findings.assumed(looks[1].source, 'a wheel is drawn with one visual: the first one '
                             'is taken; join them in one mesh')
    return element(tag, wheel.source, children=looks[:1], attributes=attributes)


def _steering(layout: Layout, drive: Drive) -> list[Node]:
    """Return the limits of the steering angle, and the positions of the front wheels."""
    wheels = dict(layout.wheels)
    joint = next(wheel.steering for wheel in reversed(wheels.values()) if wheel.steering)
    nodes, largest = [], drive.max_steering
    if layout.name.startswith('ackermann'):
        left, right = wheels['fl_wheel'].centre, wheels['fr_wheel'].centre
        distance = float(left[1] - right[1])
        nodes = [element('f_wheels_x', drive.source, written(float(left[0]))),
                 element('f_wheels_d', drive.source, written(distance))]
        base = float(left[0] - wheels['rl_wheel'].centre[0])
    else:
        base, distance = 1.0, 0.0
    if (largest is None and joint.upper is not None and 0.0 < joint.upper < 0.5 * math.pi
            and base > 0.0):
        inner = math.tan(joint.upper)  # limit of the inner wheel
        largest = math.atan2(base * inner, base + 0.5 * abs(distance) * inner)
    if largest is not None:
        nodes.append(element('max_steer_ang_deg', joint.source, degrees(largest)))
    if joint.velocity is not None and joint.velocity > 0.0:
        nodes.append(element('steer_rate_deg', joint.source, degrees(joint.velocity)))
    return nodes


def _controller(layout: Layout, drive: Drive, total: Inertial, friction: float,
                findings: Findings) -> Node:
    """
    Return the controller: a velocity error decays to 1/e in `RESPONSE`.

    Its torque limit is the traction limit of the wheels, or that of plugin or joint if smaller,
    where that accelerates the robot at all.
    """
    if layout.controller == 'twist_ideal':
        return element('controller', drive.source, attributes={'class': layout.controller})
    driven = [wheel for _, wheel in layout.wheels if wheel.driven]
    radius = driven[0].radius
    rolling = sum((wheel.spin_inertia or 0.0) / radius ** 2 for wheel in driven)
    mass = (total.mass + rolling) / layout.motors  # at the rim of a wheel
    heaviest = 2.0 * mass if layout.name == 'omni' else mass  # half of the wheels push that way
    track = float(np.ptp([wheel.centre[1] for wheel in driven]))
    if layout.controller == 'twist_pid' and track > 0.0:  # inertia at the rim, turning
        heaviest = max(heaviest, 4.0 * float(total.tensor[2, 2]) / layout.motors / track ** 2)
    gain = radius * heaviest / RESPONSE
    per_motor = len(driven) / layout.motors
    limits = [friction * total.mass * GRAVITY * radius / layout.motors]
    if drive.max_torque is not None:
        limits.append(per_motor * drive.max_torque)
    joints = [wheel.joint for wheel in driven if wheel.joint is not None]
    limits += [per_motor * joint.effort for joint in joints if joint.effort]
    least = LEAST_ACCELERATION * mass * radius
    if min(limits) < least:
        findings.assumed(drive.source, f'a torque of {min(limits) / per_motor:.3g} N m at a wheel '
                         f'does not move {total.mass:.3g} kg: the limit of traction, '
                         f'{limits[0] / per_motor:.3g} N m, is taken')
        limits = limits[:1]
    for joint in joints[:1]:
        if joint.velocity and joint.velocity * radius < USUAL_SPEED:
            findings.assumed(joint.source, f'the velocity limit of joint {joint.name!r}, '
                             f'{joint.velocity * radius:.3g} m/s at the rim, is not kept: command '
                             'no more')
    damping = per_motor * max((joint.damping for joint in joints
                               if joint.name in drive.by_effort), default=0.0)
    if damping * USUAL_SPEED / radius > min(limits):
        findings.assumed(drive.source, f'with the damping of its joints and a torque of '
                         f'{min(limits) / per_motor:.3g} N m at a wheel it reaches '
                         f'{min(limits) * radius / damping:.2g} m/s')
    return element('controller', drive.source, children=[
        element('KP', drive.source, written(float(f'{gain:.3g}'))),
        element('KI', drive.source, written(float(f'{INTEGRAL * gain:.3g}'))),
        element('max_torque', drive.source, written(float(f'{min(limits):.3g}')))],
        attributes={'class': layout.controller})
