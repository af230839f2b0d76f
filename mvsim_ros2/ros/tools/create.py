# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The command `mvsim_create`: spawn a robot, as `ros2 run ros_gz_sim create` does."""

import argparse
from collections.abc import Callable, Sequence
import importlib
from pathlib import Path
import sys
import time
from typing import Any

import rclpy
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.settings import ParameterError
from mvsim_ros2.ros.messages.state_messages import fill_pose
from mvsim_ros2.ros.rclpy_runtime import run_program
from mvsim_ros2.ros.services.answers import OK, resource

PLACE = {'x': 'm', 'y': 'm', 'z': 'm', 'R': 'roll, rad', 'P': 'pitch, rad', 'Y': 'yaw, rad'}


def main(args: Sequence[str] | None = None) -> int:
    """Spawn what the command line says; return 0, or 1 with one line on stderr."""
    return run_program(_parser(), args, 'mvsim_create', _create)


def _create(node: Node, options: argparse.Namespace) -> None:
    """Ask the simulator for a robot, and print its name."""
    try:
        kind: Any = importlib.import_module('simulation_interfaces.srv').SpawnEntity
    except ImportError as error:
        raise ParameterError('the package simulation_interfaces is not installed: sudo apt '
                             'install ros-$ROS_DISTRO-simulation-interfaces') from error
    request = kind.Request(name=options.name, allow_renaming=options.allow_renaming)
    given = resource(request)
    if options.file:
        given.uri = options.file if '://' in options.file else str(Path(options.file).absolute())
    else:
        given.resource_string = options.string or _heard(node, options)
    fill_pose(request.initial_pose.pose, Pose(
        options.x, options.y, options.z, options.Y, options.P, options.R))
    client = node.create_client(kind, 'spawn_entity')
    _wait(node, client.service_is_ready, options.wait,
          f'nobody offers {client.srv_name}: start the simulator in this namespace')
    answer = client.call_async(request)
    _wait(node, answer.done, options.wait, f'{client.srv_name} does not answer')
    result = answer.result().result
    if result.result != OK:
        raise ParameterError(f'{result.error_message} (result {result.result})')
    print(answer.result().entity_name)


def _heard(node: Node, options: argparse.Namespace) -> str:
    """Return the description on a topic, which a robot_state_publisher keeps for late ones."""
    heard: list[str] = []

    def hear(message: Any) -> None:
        heard.append(message.data)

    node.create_subscription(
        String, options.topic, hear,
        QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    _wait(node, lambda: bool(heard), options.wait,
          f'there is no robot description on {node.resolve_topic_name(options.topic)}')
    return heard[0]


def _wait(node: Node, done: Callable[[], bool], most: float, otherwise: str) -> None:
    """Serve callbacks until something is done; raise after `most` seconds."""
    end = time.monotonic() + most
    while not done():
        if time.monotonic() > end:
            raise ParameterError(otherwise)
        rclpy.spin_once(node, timeout_sec=0.1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        'mvsim_create', allow_abbrev=False, description='Spawn a robot in a running simulator: '
        'URDF, SDF or a world file, from a topic, a file or a text.')
    what = parser.add_mutually_exclusive_group()
    what.add_argument('-topic', default='robot_description', help='robot_description')
    what.add_argument('-file', help='path, package:// or file://, read by the simulator')
    what.add_argument('-string', help='the description itself')
    parser.add_argument('-name', default='', help='name (default: of the description)')
    parser.add_argument('-allow_renaming', action='store_true', help='number a name that is taken')
    for name, about in PLACE.items():
        parser.add_argument(f'-{name}', type=float, default=0.0, help=about)
    parser.add_argument('-wait', type=float, default=60.0, help='s for each answer, 60')
    return parser


if __name__ == '__main__':
    sys.exit(main())
