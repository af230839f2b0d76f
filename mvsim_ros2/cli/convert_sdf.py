# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Convert a world or model of Gazebo (SDF) to a world file.

Convert an SDF to a world file, or to a <vehicle:class> if it is one model that drives, and list
with file and line what is lost. Then load the result, drive each vehicle, measure with its
sensors, and print a receipt. Commands that take a world also take the SDF itself.
"""

import argparse
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from mvsim_ros2.cli import convert_urdf
from mvsim_ros2.cli.options import check_output
from mvsim_ros2.errors import WorldFileError

if TYPE_CHECKING:
    from mvsim_ros2.world.file.document.tree import Node


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    convert_urdf.add_files(command, 'SDF, or xacro of it')
    command.set_defaults(run=run, dynamics='', check='')


def run(options: argparse.Namespace) -> int:
    """Write the world or class, and the findings on the standard error output."""
    from mvsim_ros2.world.file.document.expand import ROOT
    from mvsim_ros2.world.file.report import Report
    from mvsim_ros2.world.file.sdf_import.world import world_of
    from mvsim_ros2.world.file.urdf_import.description.document import read_document
    from mvsim_ros2.world.file.urdf_import.description.xml_values import element, xml

    if options.output:
        check_output(options.output)
    with Report() as report:
        document = read_document(options.file, dict(options.arguments), report.warn)
        root = document.root
        if document.unused:
            raise WorldFileError(f'{options.file}: --set: {document.unused}')
        if root.tag != 'sdf':
            raise WorldFileError(f'{root.source}: this is a robot description: convert it by '
                                 '"mvsim_ros2 convert-urdf"')
        nodes = world_of(root, report.warn, report.has_no_effect)
    vehicles = [node for node in nodes if node.tag == 'vehicle']
    if root.child('world') is None and nodes == vehicles and len(nodes) == 1:
        return convert_urdf.run(options)
    text = (f'<!-- Made by "mvsim_ros2 convert-sdf" from {Path(options.file).name}. -->\n'
            + xml(element(ROOT, root.source, children=nodes)))
    convert_urdf.write(text, options.output)
    return 0 if options.no_drive else _receipt(text, options.file, vehicles)


def _receipt(text: str, path: str, vehicles: 'list[Node]') -> int:
    """Print what the world holds and its vehicles do; return 1 where that is wrong."""
    from mvsim_ros2.world.file.load import load_world_text
    from mvsim_ros2.world.file.summary import summary
    from mvsim_ros2.world.file.urdf_import.convert import Conversion
    from mvsim_ros2.world.file.urdf_import.description.xml_values import element, xml

    for line in list(summary(load_world_text(text, path, offline=True)))[1:]:
        print('receipt:', line.strip(), file=sys.stderr)
    wrong = 0
    for vehicle in vehicles:
        made = element('vehicle:class', vehicle.source, attributes=vehicle.attributes, children=[
            child for child in vehicle.children if child.tag != 'init_pose3d'])
        dynamics = made.child('dynamics')
        kind = '' if dynamics is None else dynamics.attributes['class']
        print(f'receipt: vehicle {made.attributes["name"]}', file=sys.stderr)
        wrong |= convert_urdf.print_receipt(Conversion(made, '', (), '', kind), xml(made), path)
    return wrong
