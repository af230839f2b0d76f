# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of topics and services, from the tables that the node itself is made of; needs ROS."""

from dataclasses import replace
from typing import Any

from mvsim_ros2 import Simulation, world_path
from mvsim_ros2.ros.commands.command_kinds import command_kinds
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.qos import Qos
from mvsim_ros2.ros.messages.sensor_channels import channels_of, SENSOR_MESSAGES
from mvsim_ros2.ros.messages.vehicle_channels import fleet_channel, vehicle_channels
from mvsim_ros2.ros.services import simulation_interfaces, spawning, world_services
from mvsim_ros2.world.spec.sensors.base import sensor_specs

HEAD = """\
# Topics and services

As the node makes them: this page is written from its own tables. What they mean, how they are
named where there are several robots, and their frames are on the page
[ROS interface](../docs/ros-interface.md); [parameters](node.md) have a page too.
"""
NAME = 'NAME'


def _quality(qos: Qos) -> str:
    kind = 'transient local' if qos.latched else 'reliable' if qos.reliable else 'best effort'
    return f'{kind}, {qos.depth}'


def commands() -> list[tuple[str, str]]:
    """Return topics and types of the commands of vehicles."""
    return [(kind.topic, kind.graph_name.replace('/msg/', '/'))
            for kind in command_kinds().values()]


def states() -> list[tuple[str, str, str]]:
    """Return topics, types and quality of service of what vehicles report."""
    simulation = Simulation.from_file(world_path('empty'), sensors=False)
    vehicle = next(iter(simulation.vehicles.values()))
    types: Any = None  # of messages, of which none is made here
    model: Any = None
    fleet: Any = None
    channels = (*vehicle_channels(types, '', vehicle, FrameNames(), model, fleet),
                fleet_channel(types, simulation, 'map'))
    return [(each.topic, each.message_type, _quality(each.qos)) for each in channels]


def sensors() -> list[tuple[str, str, str]]:
    """Return class, topics and type of what each kind of sensor publishes."""
    rows = []
    for spec in sensor_specs():
        for channel in channels_of(replace(spec(), name=NAME)):
            topic = SENSOR_MESSAGES[spec].usual_topic or NAME
            rows.append((spec.XML_CLASS, f'{topic}{channel.ending}', channel.message_type))
    return rows


def services() -> list[tuple[str, str]]:
    """Return services of simulation_interfaces and the features that each brings."""
    tables = (simulation_interfaces, spawning, world_services)
    return [(name, ', '.join(features)) for table in tables
            for name, features in table.FEATURES.items()]


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [head, ('---',) * len(head), *(tuple(f'`{cell}`' if cell else '' for cell in row)
                                           for row in rows)]
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in lines) + '\n'


def page() -> str:
    """Return the page."""
    return '\n'.join([
        HEAD, '## Commands of vehicles', '',
        '`ackermann_cmd` comes with the package `ackermann_msgs`; brakes, torques, steering and '
        'joints are there where a vehicle takes them.', '',
        _table(('topic', 'type'), sorted(set(commands()))),
        '## States of vehicles', '', _table(('topic', 'type', 'quality of service'), states()),
        '## Sensors', '',
        f'`{NAME}` is the name of the sensor. The quality of service is that of the parameter '
        '`sensor_qos`, with a queue of 10.', '',
        _table(('class', 'topic', 'type'), sensors()),
        '## Services of simulation_interfaces', '',
        'They are there where that package is installed, in snake case, such as '
        '`/get_entities`.', '', _table(('service', 'features'), services())])
