# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Texts in other formats as the text of a world: fragments, robot descriptions, SDF models."""

import re

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.document.xml_repair import parse_nodes, Warn
from mvsim_ros2.world.file.resources.includes import read_text
from mvsim_ros2.world.file.urdf_import.body import block_node
from mvsim_ros2.world.file.urdf_import.convert import vehicle_class
from mvsim_ros2.world.file.urdf_import.description.document import read_document
from mvsim_ros2.world.file.urdf_import.description.findings import Findings
from mvsim_ros2.world.file.urdf_import.description.sdf import Model, models_of
from mvsim_ros2.world.file.urdf_import.description.xml_values import element, pose_text, xml
from mvsim_ros2.world.file.urdf_import.robot import read_robot

ROOT = 'mvsim_world'
_DECLARATION = re.compile(r'\A\s*<\?xml[^>]*\?>')


def world_text(text: str, file: str, warn: Warn) -> str:
    """
    Return the text of a world file.

    :param text: a world, the content of one, URDF or SDF.
    :param file: its name, for messages.
    :param warn: called with source and message of what is not converted.
    :raises WorldFileError: where it is not valid.
    """
    roots = parse_nodes(text, file)
    tag = roots[0].tag
    if tag == ROOT:
        return text
    if tag == 'robot':
        return _world([Model.of_urdf(roots[0])], warn)
    if tag == 'sdf':
        return _world(models_of(roots[0], warn), warn)
    return f'<{ROOT}>{_DECLARATION.sub("", text)}</{ROOT}>'


def text_of_file(path: str, allow_xacro: bool) -> str:
    """
    Return the text of a file for `world_text`, with xacro expanded.

    :param allow_xacro: evaluate xacro that is not from this package.
    :raises WorldFileError: where it cannot be read, or is not allowed.
    """
    text = read_text(path)
    if path.endswith('.xacro') or 'xmlns:xacro' in text:
        return read_document(path, {}, lambda source, message: None, allow_xacro).text
    return text


def _world(models: list[Model], warn: Warn) -> str:
    return xml(element(ROOT, models[0].robot.source, children=[
        _thing(model, warn) for model in models]))


def _thing(model: Model, warn: Warn) -> Node:
    """Return a vehicle where there are wheels, else a block."""
    if any(child.tag.startswith('xacro:') for child in model.robot.children):
        raise WorldFileError(f'{model.robot.source}: macros of xacro are expanded from files '
                             'only: give the file, or its expansion')
    robot, findings = read_robot(model.robot), Findings()
    moves = any(joint.moves for joint in robot.joints.values()) and not model.static
    pose = model.pose.copy()
    if moves:  # the frame of a vehicle is on the ground
        pose[2, 3] = model.height
    place = element('init_pose3d', robot.source, pose_text(pose))
    if moves:
        made = vehicle_class(robot, findings)
        node = element('vehicle', robot.source, attributes={'name': robot.name}, children=[
            *made.children, place,
            element('robot_description', robot.source, xml(model.robot))])
    else:
        node = block_node(robot, model.static, place, findings)
    for finding in findings.found:
        if finding.lost:
            warn(finding.source, finding.text)
    return node
