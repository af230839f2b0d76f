# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The body of a robot as `<chassis>` of a world file: mass, centre, inertia, outline."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.description.findings import Findings
from mvsim_ros2.world.file.urdf_import.description.link_geometry import Inertial, outline, Shape
from mvsim_ros2.world.file.urdf_import.description.xml_values import all_in, element, written
from mvsim_ros2.world.file.urdf_import.robot import Robot
from mvsim_ros2.world.file.urdf_import.visuals import colour_text
from mvsim_ros2.world.file.urdf_import.wheels import LIGHTEST, TOUCHING, Wheel

Array = NDArray[np.float64]

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
    :raises WorldFileError: where it has no outline.
    """
    masses = np.array([max(wheel.inertial.mass, LIGHTEST) for wheel in wheels])
    places = np.array([(*wheel.centre[:2], wheel.radius) for wheel in wheels]).reshape(-1, 3)
    mass = max(total.mass - float(masses.sum()), LIGHTEST)
    centre = (total.mass * total.centre - masses @ places) / mass
    inertia = float(total.tensor[2, 2])
    if inertia <= 0.0:
        findings.assumed(robot.source, 'the links have no <inertia>: the mass is spread evenly '
                         'over the outline')
    links = _links_of_the_body(robot, wheels)
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


def _links_of_the_body(robot: Robot, wheels: Sequence[Wheel]) -> list[str]:
    rolling = {name for wheel in wheels for name in wheel.links}
    return [name for name in robot.links if name not in rolling]


def _outline(robot: Robot, links: Sequence[str], wheels: Sequence[Wheel], ground: float,
             findings: Findings) -> tuple[Node, float, float, bool]:
    """Return `<shape>`, lower and upper side, and whether the outline is from meshes."""
    parts = [(name, shape) for name in links for shape in robot.links[name].collisions
             if not _is_ball_on_the_ground(robot.poses[name] @ shape.pose, shape, ground)]
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
    heights = np.concatenate([np.zeros((0, 3)), *points])[:, 2]
    if from_meshes or not len(heights):
        findings.assumed(robot.source, 'the outline of the chassis is that of its meshes: a box '
                         'or cylinder in <collision> would say it exactly' if from_meshes else
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


def _is_ball_on_the_ground(pose: Array, shape: Shape, ground: float) -> bool:
    """Return whether a shape at a pose in the root is a ball caster."""
    return shape.kind == 'sphere' and float(pose[2, 3]) - shape.sizes[0] - ground < TOUCHING
