# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A description without wheels as a block of a world file."""

import numpy as np

from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.description.findings import Findings
from mvsim_ros2.world.file.urdf_import.description.link_geometry import outline, together
from mvsim_ros2.world.file.urdf_import.description.xml_values import element, written
from mvsim_ros2.world.file.urdf_import.robot import Robot
from mvsim_ros2.world.file.urdf_import.visuals import visual_nodes

_USUAL_MASS = 1.0  # kg, of what has no <inertial>


def block_node(robot: Robot, static: bool, place: Node, findings: Findings) -> Node:
    """
    Return the block that a rigid description is; its frame is that of the root link.

    Its outline is the convex hull, in plan, of all that collides, or of what is seen.

    :param place: its pose in the world.
    :raises WorldFileError: where it has no extent.
    """
    shapes = [(name, shape) for name, link in robot.links.items() for shape in link.collisions]
    if not shapes:
        shapes = [(name, shape) for name, link in robot.links.items() for shape in link.visuals]
    points = [shape.corners() @ robot.poses[name][:3, :3].T + robot.poses[name][:3, 3]
              for name, shape in shapes]
    children = [place, *visual_nodes(robot, robot.links, np.eye(4), findings)]
    if any(shape.kind == 'mesh' for _, shape in shapes):
        children.append(element('shape_from_visual', robot.source))
    else:
        heights = np.concatenate([np.zeros((0, 3)), *points])[:, 2]
        polygon = outline(points, f'the body of {robot.name!r}', robot.source)
        children += [
            element('shape', robot.source, children=[
                element('pt', robot.source, written(x, y)) for x, y in polygon]),
            element('zmin', robot.source, written(float(heights.min()))),
            element('zmax', robot.source, written(float(heights.max())))]
    mass = together([link.inertial.placed(robot.poses[name])
                     for name, link in robot.links.items() if link.inertial]).mass
    if mass <= 0.0 and not static:
        findings.assumed(robot.source, f'{robot.name!r} has no <inertial>: its mass is '
                         f'{_USUAL_MASS:g} kg')
    children.append(element('mass', robot.source, written(mass or _USUAL_MASS)))
    if static:
        children.append(element('static', robot.source, 'true'))
    return element('block', robot.source, attributes={'name': robot.name}, children=children)
