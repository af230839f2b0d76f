# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Chassis, wheels and controller of a robot as `<dynamics>` of a world file."""

from collections.abc import Sequence
import math

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    all_in, degrees, element, Findings, written)
from mvsim_ros2.world.file.urdf_import.drive import Drive
from mvsim_ros2.world.file.urdf_import.layouts import Layout
from mvsim_ros2.world.file.urdf_import.robot import Inertial, outline, Robot, together
from mvsim_ros2.world.file.urdf_import.visuals import colour_text, visual_nodes
from mvsim_ros2.world.file.urdf_import.wheels import extent, inertials, LIGHTEST, TOUCHING, Wheel

RESPONSE = 0.1  # s; time constant of the closed loop
INTEGRAL = 0.4  # 1/s; integral over proportional gain: 4 % of overshoot, 0.7 % after 4.5 s
STIFF = 5.0  # times the moment by which a centre of mass off the axle turns a robot on
GRAVITY = 9.81  # m/s^2
FRICTION = 0.8  # of wheels without a coefficient
LEAST_ACCELERATION = 0.25  # m/s^2; a smaller torque limit cannot be meant
DENSITY = 200.0  # kg/m^3, of the box around a robot without masses
FASTEST = 1000.0  # rad/s; larger limits of the rate of steering are none
USUAL_SPEED = 0.5  # m/s; a robot that does not reach it is reported
_ROLLERS = {'lr_wheel': '45', 'rr_wheel': '-45', 'lf_wheel': '-45', 'rf_wheel': '45'}


def dynamics_node(robot: Robot, layout: Layout | None, casters: Sequence[Wheel], drive: Drive,
                  ground: float, friction: float, wanted: str, findings: Findings) -> Node:
    """
    Return `<dynamics>` of a robot.

    :param layout: its wheels; None for a chassis only.
    :param ground: height of the ground in the frame of the root [m].
    """
    source = drive.source
    wheels = () if layout is None else layout.wheels
    total = together(inertials(robot, robot.links)).placed(Pose(z=-ground).matrix)
    if total.mass <= 0.0:
        total = _usual_body(robot, [wheel for _, wheel in wheels], ground, findings)
    chassis = chassis_node(robot, [wheel for _, wheel in wheels], casters, total, ground, findings)
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
    return element('dynamics', source, children=content, attributes={'class': layout.name})


def _usual_body(robot: Robot, wheels: Sequence[Wheel], ground: float,
                findings: Findings) -> Inertial:
    """Return the mass of a robot without `<inertial>`: a box around its shapes and wheels."""
    low, high = extent(robot)
    size = high - low
    mass = DENSITY * float(np.prod(size))
    if mass <= 0.0:
        raise WorldFileError(f'{robot.source}: the robot weighs nothing: give its links '
                             '<inertial>')
    findings.assumed(robot.source, f'no link has an <inertial>: the robot is modelled as a box of '
                     f'{DENSITY:g} kg/m^3, {mass:.3g} kg')
    centre = 0.5 * (low + high) - (0.0, 0.0, ground)
    if wheels:
        centre[:2] = np.mean([wheel.centre[:2] for wheel in wheels], axis=0)
    return Inertial(mass, centre, mass / 12.0 * np.diag(size @ size - size ** 2))


def _wheel_node(robot: Robot, tag: str, wheel: Wheel, ground: float, layout: Layout | None,
                findings: Findings) -> Node:
    x, y, z = wheel.centre.tolist()
    place = written(x, y)
    if layout and layout.name == 'omni':  # the direction in which it rolls is axle cross z
        place += f' {degrees(math.atan2(-wheel.axis[0], wheel.axis[1]))}'
    attributes = {
        'pos': place, 'mass': written(max(wheel.inertial.mass, LIGHTEST)),
        'width': written(wheel.width), 'diameter': written(2.0 * wheel.radius),
        'inertia': written(wheel.spin_inertia) if wheel.spin_inertia else '',
        'color': colour_text(wheel.colour), 'joint': wheel.joint.name if wheel.joint else '',
        'steering_joint': wheel.steering.name if wheel.steering else '',
        'roller_angle_deg': _ROLLERS[tag] if layout and layout.name == 'mecanum' else ''}
    shapes = [shape for name in wheel.links for shape in robot.links[name].visuals]
    looks = () if len(shapes) < 2 and all(shape.kind == 'cylinder' for shape in shapes) else (
        visual_nodes(robot, wheel.links, Pose(-x, -y, -z).matrix))
    return element(tag, wheel.source, children=list(looks), attributes=attributes)


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
    if joint.velocity is not None and 0.0 < joint.velocity < FASTEST:
        nodes.append(element('steer_rate_deg', joint.source, degrees(joint.velocity)))
    return nodes


def _controller(layout: Layout, drive: Drive, total: Inertial, friction: float,
                findings: Findings) -> Node:
    """
    Return the controller: a velocity error decays to 1/e in `RESPONSE`.

    Its torque limit is the traction limit of the wheels, or that of plugin or joint if smaller,
    where that accelerates the robot at all.
    """
    driven = [wheel for _, wheel in layout.wheels if wheel.driven]
    radius = driven[0].radius
    rolling = sum((wheel.spin_inertia or 0.0) / radius ** 2 for wheel in driven)
    mass = (total.mass + rolling) / layout.motors  # at the rim of a wheel
    heaviest = 2.0 * mass if layout.name == 'omni' else mass  # half of the wheels push that way
    track = float(np.ptp([wheel.centre[1] for wheel in driven]))
    if layout.controller == 'twist_pid' and track > 0.0:  # inertia at the rim, turning
        heaviest = max(heaviest, 4.0 * float(total.tensor[2, 2]) / layout.motors / track ** 2)
        ahead = abs(float(total.centre[0] - np.mean([wheel.centre[0] for wheel in driven])))
        swing = STIFF * total.mass * ahead * USUAL_SPEED  # moment of centrifugal force per rate
        heaviest = max(heaviest, min(4.0 * RESPONSE * swing / layout.motors / track ** 2,
                                     4.0 * mass))
    gain = radius * heaviest / RESPONSE
    per_motor = len(driven) / layout.motors
    limits = [friction * total.mass * GRAVITY * radius / layout.motors]
    if drive.max_torque is not None:
        limits.append(per_motor * drive.max_torque)
    joints = [wheel.joint for wheel in driven if wheel.joint is not None]
    limits += [per_motor * joint.effort for joint in joints if joint.effort]
    findings.slope = _slope(layout, total, friction, min(limits) * layout.motors / radius)
    if layout.controller == 'twist_ideal':
        findings.slope += ', to which twist_ideal does not keep'
        return element('controller', drive.source, attributes={'class': layout.controller})
    if min(limits) < LEAST_ACCELERATION * mass * radius:
        findings.assumed(drive.source, f'a torque of {min(limits) / per_motor:.3g} N m at a wheel '
                         f'does not move {total.mass:.3g} kg: the limit of traction, '
                         f'{limits[0] / per_motor:.3g} N m, is used')
        limits = limits[:1]
        findings.slope = _slope(layout, total, friction, limits[0] * layout.motors / radius)
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
        element('max_torque', drive.source, written(float(f'{min(limits):.3g}'))),
        element('enable_antiwindup', drive.source, 'true')],
        attributes={'class': layout.controller})


def _slope(layout: Layout, total: Inertial, friction: float, force: float) -> str:
    """
    Return the steepest slope that a robot climbs, and what limits it, as a sentence.

    :param force: largest force of its motors at the rims [N].
    """
    ends = [[wheel.centre[0] for _, wheel in layout.wheels if wheel.driven is driven]
            for driven in (True, False)]
    share = 1.0  # of the weight, on driven wheels
    if all(ends):
        driven, other = map(np.mean, ends)
        share = float(np.clip((other - total.centre[0]) / (other - driven), 0.0, 1.0)
                      ) if other != driven else 1.0
    grip = math.atan(friction * share)
    pull = math.asin(min(force / (total.mass * GRAVITY), 1.0))
    return (f'{math.degrees(pull):.3g} degrees, by the torque of its motors' if pull < grip else
            f'{math.degrees(grip):.3g} degrees, by the grip of its driven wheels')


OWN_TAG = 'mvsim_ros2'  # tag for properties that URDF lacks, in exported descriptions
_FLATTEST = 0.01  # m; smallest height of a chassis


def chassis_node(robot: Robot, wheels: Sequence[Wheel], casters: Sequence[Wheel],
                 total: Inertial, ground: float, findings: Findings) -> Node:
    """
    Return `<chassis>` of a robot, which includes all links except wheels.

    :param wheels: those that the vehicle has.
    :param casters: other ground contacts, which are not part of the outline.
    :param total: total mass of all links, in the frame of the vehicle.
    :param ground: height of the ground in the frame of the root [m].
    """
    masses = np.array([max(wheel.inertial.mass, LIGHTEST) for wheel in wheels])
    places = np.array([(*wheel.centre[:2], wheel.radius) for wheel in wheels]).reshape(-1, 3)
    mass = max(total.mass - float(masses.sum()), LIGHTEST)
    centre = (total.mass * total.centre - masses @ places) / mass
    inertia = float(total.tensor[2, 2])
    if inertia <= 0.0:
        findings.assumed(robot.source, 'the links have no <inertia>: the mass is spread evenly '
                         'over the outline')
    rolling = {name for wheel in wheels for name in wheel.links}
    links = [name for name in robot.links if name not in rolling]
    standing = {name for caster in casters for name in caster.links}
    shape, low, high, from_meshes = _outline(
        robot, [name for name in links if name not in standing], wheels, ground, findings)
    colour = next((visual.colour for name in links for visual in robot.links[name].visuals
                   if visual.colour), None)
    children = [shape]
    if from_meshes:
        children.append(element('shape_from_visual', robot.source))
    return element(
        'chassis', robot.source, children=children, attributes={
            'mass': written(mass), 'centre_of_mass': written(*centre),
            'yaw_inertia': written(inertia) if inertia > 0.0 else '',
            'zmin': written(low), 'zmax': written(high), 'color': colour_text(colour)})


def _outline(robot: Robot, links: Sequence[str], wheels: Sequence[Wheel], ground: float,
             findings: Findings) -> tuple[Node, float, float, bool]:
    """Return `<shape>`, lower and upper side, and whether the outline is from meshes."""
    parts = [(name, shape) for name in links for shape in robot.links[name].collisions
             if not (shape.kind == 'sphere' and float(  # a ball caster
                 (robot.poses[name] @ shape.pose)[2, 3]) - shape.sizes[0] - ground < TOUCHING)]
    if not parts:
        parts = [(name, shape) for name in links for shape in robot.links[name].visuals]
    from_meshes = any(shape.kind == 'mesh' for _, shape in parts)
    to_body = Pose(z=-ground).matrix
    points: list[Array] = []
    for name, shape in parts:
        pose = to_body @ robot.poses[name]
        points.append(shape.corners() @ pose[:3, :3].T + pose[:3, 3])
    own = next((node for node in robot.extensions if node.tag == OWN_TAG), None)
    given = None if own is None else own.child('shape')
    if from_meshes or not any(map(len, points)):
        findings.assumed(robot.source, 'the outline of the chassis is that of its meshes: a box '
                         'or cylinder in <collision> would give it exactly' if from_meshes else
                         'nothing of the body is solid: its outline is that of the wheels; give '
                         'it a <collision>')
        points += [wheel.centre + np.array(
            [(x, y, -ground) for x in (-wheel.radius, wheel.radius)
             for y in (-0.5 * wheel.width, 0.5 * wheel.width)]) for wheel in wheels]
    heights = np.concatenate([np.zeros((0, 3)), *points])[:, 2]
    if given is not None:
        shape_node = element('shape', given.source, children=[
            element('pt', node.source, node.text) for node in all_in(given.children, 'pt')])
    else:
        polygon = outline(points, 'the body of the robot', robot.source)
        shape_node = element('shape', robot.source, children=[
            element('pt', robot.source, written(x, y)) for x, y in polygon])
    low = max(float(heights.min(initial=0.0 if not len(heights) else np.inf)), 0.0)
    high = max(float(heights.max(initial=-np.inf)), low + _FLATTEST)
    return shape_node, low, high, from_meshes
