# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure what messages cost in the node before they are sent: as objects of ROS, and as bytes.

    python benchmarks/messages.py

Prints the least CPU time of a message in microseconds, from the state of the demo to its bytes: by
objects that rclpy converts, and written in place as the node does. The latter takes a look at all
vehicles in each step, which has a line of its own and no message.
"""

from collections.abc import Callable
import time
import timeit
from typing import Any

from rclpy.serialization import serialize_message

from mvsim_ros2 import Simulation
from mvsim_ros2.ros.messages.cdr import TransformsBytes
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.sensor_channels import bytes_of_message, channels_of, message_of
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import UNKNOWN
from mvsim_ros2.ros.messages.transform_messages import moving_frames, moving_links, moving_numbers
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import vehicle_channels
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.simulation.handles import Fleet

COUNT, ROUNDS = 2000, 7
FRAMES, SETTINGS = FrameNames(), Settings(publish_map_odom=True)

Make = Callable[[], Any]


def cost(make: Make) -> float:
    """Return the least CPU time of a call [us]."""
    return min(timeit.repeat(
        make, number=COUNT, repeat=ROUNDS, timer=time.thread_time)) / COUNT * 1e6


def cases(simulation: Simulation) -> dict[str, tuple[Make, Make]]:
    """Return what makes a message of ROS, and what makes its bytes, by name."""
    (vehicle,) = simulation.vehicles.values()
    now, model = simulation.time_ns, RobotModel(TYPES, vehicle, FRAMES, ())
    packed, fleet = TransformsBytes(moving_links(FRAMES, SETTINGS)), Fleet(simulation, UNKNOWN)
    fleet.look()
    numbers = moving_numbers(fleet.reports[vehicle.name], vehicle.spec, SETTINGS)
    found: dict[str, tuple[Make, Make]] = {
        'tf': (lambda: TYPES.tf2_msgs.TFMessage(transforms=moving_frames(
            TYPES, now, vehicle, FRAMES, SETTINGS)),
            lambda: packed.of(now, numbers)),
        'look at the vehicles': (lambda: TYPES.std_msgs.Empty(), fleet.look)}
    for state in vehicle_channels(TYPES, '', vehicle, FRAMES, model, fleet):
        if state.pack is not None:
            found[state.topic] = (lambda state=state: state.build(now),
                                  lambda state=state: state.pack(now))
    for name, sensor in simulation.sensors.items():
        (channel,), sample = channels_of(sensor.spec), sensor.measure()
        found[name] = (
            lambda channel=channel, sample=sample: message_of(channel, TYPES, sample, ''),
            lambda channel=channel, sample=sample: bytes_of_message(channel, sample, ''))
    return found


def main() -> None:
    """Print a table."""
    simulation = Simulation.from_file('demo')
    simulation.warm_up()
    simulation.vehicles['robot'].set_twist(0.5, 0.5)
    simulation.step(200)
    print(f'{"CPU us a message":24s} {"objects":>8s} {"bytes":>8s}')
    for name, (build, pack) in cases(simulation).items():
        objects = cost(lambda build=build: serialize_message(build()))
        print(f'{name:24s} {objects:8.1f} {cost(pack):8.1f}')


if __name__ == '__main__':
    main()
