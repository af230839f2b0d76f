# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A controller that an installed package adds takes its command from ROS."""

from collections.abc import Callable
import os
from pathlib import Path

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, Simulator


def test_it_drives_by_messages_on_cmd_vel(
        domain: int, project: Path, follow_recipe: Callable[[str, str], Path],
        monkeypatch: pytest.MonkeyPatch) -> None:
    folder = follow_recipe('A controller', 'my_controllers')
    monkeypatch.setenv('PYTHONPATH', f'{project}{os.pathsep}{folder}')
    client = Client(domain)
    with Simulator(domain, f'world:={folder}/my.world.xml',
                   'realtime_factor:=5.0') as client.simulator:
        client.listen(Odometry, '/base_pose_ground_truth')
        states = client.heard['/base_pose_ground_truth']
        publisher = client.publisher(Twist, '/cmd_vel')
        message = Twist()
        message.linear.x = 0.5
        client.wait('the speed', lambda: states and states[-1].twist.twist.linear.x > 0.45,
                    lambda: publisher.publish(message))
    client.close()
