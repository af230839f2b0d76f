# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The table of what `compat` changes, row by row, on the real graph."""

from collections.abc import Iterator
from typing import Any

from geometry_msgs.msg import Polygon, PoseArray, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, running, WALL
from tf2_msgs.msg import TFMessage


@pytest.fixture(scope='module')
def client(domain: int) -> Iterator[Client]:
    with running(domain, WALL, 'compat:=mvsim', 'publish_map_odom:=true') as each:
        for topic, kind in {
                'base_pose_ground_truth': Odometry, 'particlecloud': PoseArray,
                'amcl_pose': PoseWithCovarianceStamped, 'tf': TFMessage, 'tf_static': TFMessage,
                'chassis_polygon': Polygon}.items():
            each.listen(kind, f'/{topic}')
        each.fresh('/tf')
        yield each


@pytest.mark.parametrize('there, ours', [
    pytest.param('/lidar', '/scan', id='lidar'), pytest.param('/box', '/imu', id='imu'),
    pytest.param('/simul_map', '/map', id='map'),
    pytest.param('/simul_map_metadata', '/map_metadata', id='metadata of the map'),
    pytest.param('/chassis_polygon', None, id='outline'),
    pytest.param('/amcl_pose', None, id='pose'),
    pytest.param('/particlecloud', None, id='particles')])
def test_topics(client: Client, there: str, ours: str | None) -> None:
    def names() -> set[str]:
        return {name for name, _ in client.node.get_topic_names_and_types()}

    client.wait(there, lambda: there in names())
    assert ours not in names()


@pytest.mark.parametrize('topic, frame', [
    pytest.param('/base_pose_ground_truth', 'odom', id='truth'),
    pytest.param('/amcl_pose', 'odom', id='pose'),
    pytest.param('/particlecloud', 'map', id='particles')])
def test_frames_of_messages(client: Client, topic: str, frame: str) -> None:
    message: Any = client.fresh(topic)
    assert message.header.frame_id == frame


def test_the_tree_of_frames(client: Client) -> None:
    moving = {t.child_frame_id: t.header.frame_id for t in client.fresh('/tf').transforms}
    assert moving == {'odom': 'map', 'base_link': 'odom', 'l_wheel': 'l_wheel_steering',
                      'r_wheel': 'r_wheel_steering'}
    (fixed,) = client.wait('fixed frames', lambda: client.heard['/tf_static'])
    tree = {t.child_frame_id: t.header.frame_id for t in fixed.transforms}
    assert tree == dict.fromkeys(('base_footprint', 'lidar', 'box', 'l_wheel_steering',
                                  'r_wheel_steering'), 'base_link')


def test_the_outline_of_the_chassis(client: Client) -> None:
    (polygon,) = client.wait('the outline', lambda: client.heard['/chassis_polygon'])
    corners = {(round(p.x, 6), round(p.y, 6)) for p in polygon.points}
    assert corners == {(x, y) for x in (-0.2, 0.2) for y in (-0.2, 0.2)}
