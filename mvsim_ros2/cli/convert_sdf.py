# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Convert a world or model of Gazebo (SDF) to a world file.

Convert an SDF to a world file, or one model that drives to a <vehicle:class>. List the losses with
file and line. Then load the result, drive each vehicle, measure with its sensors, and print a
receipt. Commands that take a world also take the SDF itself.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mvsim_ros2.cli import convert_urdf
from mvsim_ros2.cli.options import check_output
from mvsim_ros2.errors import WorldFileError

if TYPE_CHECKING:
    from mvsim_ros2.world.file.report import Report
    from mvsim_ros2.world.file.urdf_import.convert import Conversion


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    convert_urdf.add_files(command, 'SDF, or xacro of it')
    command.set_defaults(run=run, dynamics='', check='')


def run(options: argparse.Namespace) -> int:
    """Write the world or class, and the findings on the standard error output."""
    from mvsim_ros2.cli.receipt import receipt_of_world
    from mvsim_ros2.world.file.report import Report

    if options.output:
        check_output(options.output)
    report = Report()
    text, vehicles = world_text(options.file, dict(options.arguments), report)
    if not text:
        return convert_urdf.run(options)
    with report:  # says its warnings
        pass
    convert_urdf.write(text, options.output)
    return 0 if options.no_drive else convert_urdf.print_receipt(
        receipt_of_world(text, options.file, vehicles))


def world_text(path: str, arguments: Mapping[str, str],
               report: 'Report') -> tuple[str, list['Conversion']]:
    """Return the text of the world file of an SDF, '' for one model that drives; vehicles."""
    from mvsim_ros2.world.file.document.expand import ROOT
    from mvsim_ros2.world.file.sdf_import.world import world_of
    from mvsim_ros2.world.file.urdf_import.description.document import read_document
    from mvsim_ros2.world.file.urdf_import.convert import Conversion
    from mvsim_ros2.world.file.urdf_import.description.xml_values import element, Findings, xml

    document = read_document(path, arguments, report.warn)
    root = document.root
    if document.unused:
        raise WorldFileError(f'{path}: --set: {document.unused}')
    if root.tag != 'sdf':
        raise WorldFileError(f'{root.source}: this is a robot description, not SDF: use '
                             '"mvsim_ros2 convert-urdf"')
    choices: dict[str, Findings] = {}
    nodes = world_of(root, report.warn, report.has_no_effect, choices)
    vehicles = [Conversion(replace(node, tag='vehicle:class', children=[
        child for child in node.children if child.tag != 'init_pose3d']), '', (), '',
        choices[name].drive, choices[name].slope)
        for node in nodes if node.tag == 'vehicle' for name in [node.attributes['name']]]
    if root.child('world') is None and len(nodes) == len(vehicles) == 1:
        return '', vehicles
    return (f'<!-- Made by "mvsim_ros2 convert-sdf" from {Path(path).name}. -->\n'
            + xml(element(ROOT, root.source, children=nodes))), vehicles
