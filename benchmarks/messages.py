# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure what the bytes of messages cost in the node before they are sent.

    python benchmarks/messages.py

Prints the least CPU time of a message in microseconds, from the state of the demo to its bytes.
The node takes a look at all vehicles in each step, which has a line of its own and no message.
"""

from collections.abc import Callable
import time
import timeit
from typing import Any

from rclpy.serialization import serialize_message

from mvsim_ros2 import Simulation
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import UNKNOWN
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import MovingFrames, vehicle_channels
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.simulation.handles import Fleet

COUNT, ROUNDS = 2000, 7
FRAMES, SETTINGS = FrameNames(), Settings(publish_map_odom=True)

Make = Callable[[], Any]


def cost(make: Make) -> float:
    """Return the least CPU time of a call and the bytes of its message [us]."""
    def data() -> None:
        message = make()
        if message is not None and not isinstance(message, bytes):
            serialize_message(message)

    return min(timeit.repeat(
        data, number=COUNT, repeat=ROUNDS, timer=time.thread_time)) / COUNT * 1e6


def cases(simulation: Simulation) -> dict[str, Make]:
    """Return what makes the messages, by name."""
    (vehicle,) = simulation.vehicles.values()
    now, model = simulation.time_ns, RobotModel(vehicle, FRAMES, ())
    fleet = Fleet(simulation, UNKNOWN)
    fleet.look()
    frames = MovingFrames(fleet, SETTINGS, [(vehicle, FRAMES, model)])
    found: dict[str, Make] = {
        'look at the vehicles': fleet.look, 'tf': lambda: frames.message(now)}
    for state in vehicle_channels(TYPES, '', vehicle, FRAMES, model, fleet):
        found[state.topic] = lambda state=state: state.build(now)
    for name, sensor in simulation.sensors.items():
        (channel,), sample = channels_of(sensor.spec), sensor.measure()
        found[name] = lambda channel=channel, sample=sample: message_of(
            channel, TYPES, sample, '')
    return found


def main() -> None:
    """Print a table."""
    simulation = Simulation.from_file('demo')
    simulation.warm_up()
    simulation.vehicles['robot'].set_twist(0.5, 0.5)
    simulation.step(200)
    print('CPU us a message')
    for name, make in cases(simulation).items():
        print(f'{name:24s} {cost(make):8.1f}')


if __name__ == '__main__':
    main()
