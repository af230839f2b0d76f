# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A robot with a description of its own, on the graph: as its maker's tools know it."""

from collections.abc import Iterator
from pathlib import Path

from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, running
from sensor_msgs.msg import Imu, JointState, LaserScan
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

WORLD = """<mvsim_world>
  <vehicle name="r1" urdf="package://mvsim_ros2/worlds/descriptions/round_robot.urdf.xacro"
           urdf_args="camera:=false"><init_pose>0 0 0</init_pose></vehicle>
  <block name="box"><init_pose>3 0 0</init_pose><static>true</static></block>
</mvsim_world>"""


@pytest.fixture(scope='module')
def client(domain: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    path: Path = tmp_path_factory.mktemp('described') / 'one.world.xml'
    path.write_text(WORLD)
    with running(domain, f'world:={path}', 'realtime_factor:=1.0') as each:
        each.listen(TFMessage, '/tf')
        each.listen(TFMessage, '/tf_static')
        each.listen(String, '/robot_description')
        each.listen(JointState, '/joint_states')
        each.fresh('/tf')
        yield each


def test_the_description_is_the_file_itself_expanded(client: Client) -> None:
    client.wait('the description', lambda: client.heard['/robot_description'])
    text = client.heard['/robot_description'][0].data
    assert '<robot name="round_robot"' in text and 'libgazebo_ros_diff_drive.so' in text
    assert 'xacro:' not in text and 'camera_link' not in text


def test_joints_have_their_own_names(client: Client) -> None:
    assert list(client.fresh('/joint_states').name) == ['wheel_left_joint', 'wheel_right_joint']


def test_every_link_is_a_frame_with_one_parent(client: Client) -> None:
    client.wait('static frames', lambda: client.heard['/tf_static'])
    client.wait('wheels', lambda: len(client.fresh('/tf').transforms) == 3)
    parents = [(each.child_frame_id, each.header.frame_id)
               for message in (client.heard['/tf_static'][-1], client.fresh('/tf'))
               for each in message.transforms]
    assert sorted(parents) == [
        ('base_footprint', 'odom'), ('base_link', 'base_footprint'), ('base_scan', 'base_link'),
        ('caster_link', 'base_link'), ('imu_link', 'base_link'), ('wheel_left_link', 'base_link'),
        ('wheel_right_link', 'base_link')]


def test_measurements_are_in_the_frames_of_the_file(client: Client) -> None:
    client.listen(LaserScan, '/scan')
    client.listen(Imu, '/imu')
    client.listen(Odometry, '/odom')
    scan, imu, odom = (client.fresh(topic, 2) for topic in ('/scan', '/imu', '/odom'))
    assert (scan.header.frame_id, imu.header.frame_id) == ('base_scan', 'imu_link')
    assert odom.child_frame_id == 'base_link'
    assert min(scan.ranges) == pytest.approx(2.53, abs=0.05)  # from x = -0.03 to the box
