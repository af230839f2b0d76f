# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors and controllers of other packages on the ROS graph: the real node, a real client."""

import os
from pathlib import Path

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
import pytest
from rclpy.qos import qos_profile_sensor_data
from recipes import follow
from ros_client import running, Simulator, TIMEOUT
from sensor_msgs.msg import Temperature

WORLD = """
<mvsim_world version="1.0">
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="r1" class="small_robot">
    <init_pose>0 0 0</init_pose>
    <sensor class="thermometer" name="t"> <at_zero>20</at_zero> </sensor>
  </vehicle>
</mvsim_world>
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / 'warm.world.xml'
    path.write_text(WORLD)
    return path


def test_the_node_publishes_it(sensor_plugin: Path, world: Path, domain: int) -> None:
    with running(domain, f'world:={world}') as client:
        client.listen(Temperature, '/t', qos_profile_sensor_data)
        client.wait('temperatures', lambda: len(client.heard['/t']) > 2)
        there = dict(client.node.get_topic_names_and_types())
    assert there['/t'] == ['sensor_msgs/msg/Temperature']
    first, second = client.heard['/t'][:2]
    assert first.temperature == pytest.approx(20.0, abs=1.0)
    assert second.temperature != first.temperature
    assert first.header.frame_id == 't' and first.variance == pytest.approx(0.01)


def test_the_node_says_which_message_is_missing(
        sensor_plugin: Path, world: Path, domain: int) -> None:
    file = sensor_plugin / 'my_sensors/__init__.py'
    file.write_text(file.read_text().replace('sensor_msgs/Temperature', 'no_msgs/Temperature'))
    with Simulator(domain, f'world:={world}') as simulator:
        assert simulator.process.wait(TIMEOUT) != 0
        assert ('no messages of the type no_msgs/msg/Temperature: install the ROS package no_msgs'
                in simulator.errors)


def test_it_drives_by_messages_on_cmd_vel(
        domain: int, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    follow(project, 'A controller', tmp_path)
    monkeypatch.setenv('PYTHONPATH', f'{project}{os.pathsep}{tmp_path}')
    with running(domain, f'world:={tmp_path}/my.world.xml', 'realtime_factor:=5.0') as client:
        client.listen(Odometry, '/base_pose_ground_truth')
        states = client.heard['/base_pose_ground_truth']
        publisher = client.publisher(Twist, '/cmd_vel')
        message = Twist()
        message.linear.x = 0.5
        client.wait('the speed', lambda: states and states[-1].twist.twist.linear.x > 0.45,
                    lambda: publisher.publish(message))
