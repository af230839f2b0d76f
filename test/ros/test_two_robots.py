# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Two robots: namespaces, frames, who sees, hears and hits whom."""

from typing import Any

from nav_msgs.msg import Odometry
import numpy as np
import pytest
from ros_client import running, WORLDS
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Bool
from tf2_msgs.msg import TFMessage

WORLD = f'world:={WORLDS}/pair.world.xml'


def tree(messages: list[Any]) -> dict[str, str]:
    return {t.child_frame_id: t.header.frame_id for m in messages for t in m.transforms}


def test_two_robots_in_their_namespaces(domain: int) -> None:
    with running(domain, WORLD, 'realtime_factor:=5') as client:
        client.listen(Clock, '/clock')
        for name in ('r1', 'r2'):
            client.listen(TFMessage, f'/{name}/tf')
            client.listen(TFMessage, f'/{name}/tf_static')
            client.listen(LaserScan, f'/{name}/scan')
            client.listen(Odometry, f'/{name}/base_pose_ground_truth')
            client.listen(Bool, f'/{name}/collision')
        scan = client.wait('a scan', lambda: client.heard['/r1/scan'])[0]
        assert scan.header.frame_id == 'front'
        # 4 m between the centres, 0.2 m to the chassis of the other
        assert min(scan.ranges) == pytest.approx(3.8, abs=1e-6)
        assert np.isinf(scan.ranges[0])
        for name in ('r1', 'r2'):
            moving = client.wait('tf', lambda name=name: client.heard[f'/{name}/tf'])
            fixed = client.wait('tf_static', lambda name=name: client.heard[f'/{name}/tf_static'])
            assert tree(moving) == {'base_footprint': 'odom', 'l_wheel': 'l_wheel_steering',
                                    'r_wheel': 'r_wheel_steering'}
            assert tree(fixed) == {'base_link': 'base_footprint', **dict.fromkeys(
                ('front', 'l_wheel_steering', 'r_wheel_steering'), 'base_link')}
            assert not client.fresh(f'/{name}/collision').data
        client.listen(LaserScan, '/gate')
        client.listen(TFMessage, '/tf_static')
        gate = client.wait('a scan of the gate', lambda: client.heard['/gate'])[0]
        assert gate.header.frame_id == 'gate'
        fixed = client.wait('tf_static', lambda: client.heard['/tf_static'])
        assert tree(fixed) == {'gate': 'map'}
        assert 'tf' not in {name.strip('/') for name, _ in client.node.get_topic_names_and_types()}

        def forward() -> None:
            client.command('/r1/cmd_vel', 1.0)

        for name in ('r2', 'r1'):
            hits = client.heard[f'/{name}/collision']
            client.wait(f'a collision of {name}',
                        lambda hits=hits: any(message.data for message in hits), forward)
        truths = client.heard['/r2/base_pose_ground_truth']
        still = [m for m in truths if m.pose.pose.position.x == pytest.approx(2.0, abs=1e-4)]
        assert len(still) > 10, 'the second robot obeys the first one'


def test_prefixed_frames_on_one_topic(domain: int) -> None:
    with running(domain, WORLD, 'frame_prefix:=true', 'publish_map_odom:=true',
                 "footprint_frame:=''", 'publish_robot_description:=false',
                 'realtime_factor:=5') as client:
        client.listen(TFMessage, '/tf')
        client.listen(TFMessage, '/tf_static')
        client.listen(LaserScan, '/r2/scan')
        moving = client.wait('tf', lambda: client.heard['/tf'])
        fixed = client.wait('tf_static', lambda: client.heard['/tf_static'])
        assert tree(moving) == {'r1/odom': 'map', 'r1/base_link': 'r1/odom',
                                'r2/odom': 'map', 'r2/base_link': 'r2/odom'}
        assert tree(fixed) == {'r1/front': 'r1/base_link', 'r2/front': 'r2/base_link',
                               'gate': 'map'}
        scan = client.wait('a scan', lambda: client.heard['/r2/scan'])[0]
        assert scan.header.frame_id == 'r2/front'
