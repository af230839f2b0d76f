# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the real node publishes of a robot: joints, description, health, fleet."""

from collections.abc import Iterator
import math
from xml.etree import ElementTree

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseArray
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, planar_pose, running, stamp_ns, WALL
from sensor_msgs.msg import JointState, LaserScan
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from mvsim_ros2.ros.messages.settings import Settings

RADIUS = 0.1  # m, of the wheels of the test world
SPEED = 0.5  # m/s, at which its robot drives


@pytest.fixture(scope='module')
def client(domain: int) -> Iterator[Client]:
    with running(domain, WALL, 'realtime_factor:=1.0',
                 "variables:=['controller=twist_pid', 'v=0.5']") as each:
        each.listen(TFMessage, '/tf')
        each.fresh('/tf')
        each.listen(JointState, '/joint_states')
        each.listen(Odometry, '/base_pose_ground_truth')
        yield each


def test_wheels_turn_as_the_robot_rolls(client: Client) -> None:
    client.fresh('/base_pose_ground_truth')
    joints = client.fresh('/joint_states', 20)
    assert list(joints.name) == ['l_wheel_joint', 'r_wheel_joint']  # no fixed ones
    truth = {stamp_ns(m.header): planar_pose(m.pose.pose)
             for m in client.heard['/base_pose_ground_truth']}
    turned = {stamp_ns(m.header): m.position[0] for m in client.heard['/joint_states']}
    both = sorted(truth.keys() & turned.keys())
    way = truth[both[-1]][0] - truth[both[0]][0]
    assert way > 0.1
    assert RADIUS * (turned[both[-1]] - turned[both[0]]) == pytest.approx(way, abs=1e-3)


def test_frames_are_the_same_whoever_listens(client: Client) -> None:
    def frames(message: TFMessage) -> set[str]:
        return {each.child_frame_id for each in message.transforms}

    moving = frames(client.fresh('/tf'))
    assert moving == {'base_footprint', 'l_wheel', 'r_wheel'}
    client.listen(TFMessage, '/tf_static')
    client.listen(String, '/robot_description')
    client.wait('the description', lambda: client.heard['/robot_description'])
    robot = ElementTree.fromstring(client.heard['/robot_description'][0].data)
    (fixed,) = client.wait('fixed frames', lambda: client.heard['/tf_static'])
    assert frames(client.fresh('/tf', 3)) == moving and not moving & frames(fixed)
    assert {link.get('name') for link in robot.iter('link')} == moving | frames(fixed)
    spin = next(each.transform.rotation for each in client.fresh('/tf').transforms
                if each.child_frame_id == 'l_wheel')
    assert (spin.x, spin.z) == (0.0, 0.0)
    assert math.hypot(spin.y, spin.w) == pytest.approx(1.0)


def test_poses_of_the_fleet(client: Client) -> None:
    client.listen(PoseArray, '/ground_truth_poses')
    poses = client.fresh('/ground_truth_poses', 5)
    assert poses.header.frame_id == 'map'
    (pose,) = poses.poses
    truth = client.wait('the truth of that time', lambda: [
        each.pose.pose for each in client.heard['/base_pose_ground_truth']
        if each.header.stamp == poses.header.stamp])
    assert truth == [pose]


def test_health(client: Client) -> None:
    client.listen(DiagnosticArray, '/diagnostics')
    client.listen(LaserScan, '/scan')
    client.fresh('/scan')
    message = client.fresh('/diagnostics', 3)
    status, performance = message.status
    values = {each.key: each.value for each in status.values}
    assert status.name == 'mvsim: simulation'
    assert values['wanted real-time factor'] == '1'
    most = 1.0 + Settings().max_simul_catchup_time
    assert 0.0 < float(values['real-time factor']) < most + 0.05
    slow = float(values['real-time factor']) < 0.95
    assert status.message == ('slower than wanted' if slow else 'running')
    measured = {each.key: float(each.value) for each in performance.values}
    assert performance.name == 'mvsim: performance' and performance.level == status.level
    assert measured['realtime_factor'] == float(values['real-time factor'])
    assert measured['realtime_factor_requested'] == 1.0
    assert measured['physics_steps'] == pytest.approx(measured['window_simul_time'] / 0.005)
    assert 0.0 < measured['physics_time_percent'] < 100.0
    assert measured['robot 1/lidar/rate_hz'] > 0.0
    before = int(values['commands refused']), int(values['commands taken'])
    client.command('/cmd_vel', float('nan'))
    client.command('/cmd_vel', SPEED)

    def counted() -> bool:
        last = {v.key: v.value for v in client.heard['/diagnostics'][-1].status[0].values}
        return (int(last['commands refused']), int(last['commands taken'])) == (
            before[0] + 1, before[1] + 1)
    client.wait('the commands to be counted', counted)
