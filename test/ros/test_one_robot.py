# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""One robot on the ROS graph: the real node in its process, a real client in this one."""

from collections.abc import Iterator
import math
from typing import Any

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import MapMetaData, OccupancyGrid, Odometry
import numpy as np
import pytest
from rclpy.qos import DurabilityPolicy, qos_profile_sensor_data, ReliabilityPolicy
from ros_client import Client, compose, planar, planar_pose, Simulator, stamp_ns, WALL
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, LaserScan
from std_msgs.msg import Bool
from tf2_msgs.msg import TFMessage

TOPICS = {
    '/base_pose_ground_truth': 'nav_msgs/msg/Odometry', '/clock': 'rosgraph_msgs/msg/Clock',
    '/collision': 'std_msgs/msg/Bool', '/diagnostics': 'diagnostic_msgs/msg/DiagnosticArray',
    '/ground_truth_poses': 'geometry_msgs/msg/PoseArray', '/imu': 'sensor_msgs/msg/Imu',
    '/joint_states': 'sensor_msgs/msg/JointState', '/map': 'nav_msgs/msg/OccupancyGrid',
    '/map_metadata': 'nav_msgs/msg/MapMetaData', '/odom': 'nav_msgs/msg/Odometry',
    '/robot_description': 'std_msgs/msg/String', '/scan': 'sensor_msgs/msg/LaserScan',
    '/simul_map': 'nav_msgs/msg/OccupancyGrid', '/simul_map_metadata': 'nav_msgs/msg/MapMetaData',
    '/tf': 'tf2_msgs/msg/TFMessage', '/tf_static': 'tf2_msgs/msg/TFMessage',
}
TRANSIENT = {'/map', '/map_metadata', '/robot_description', '/simul_map',
             '/simul_map_metadata', '/tf_static'}
SECOND = 1_000_000_000  # ns
WALL_X = 4.95  # m, face of the wall of the test world in its map


@pytest.fixture(scope='module')
def started(domain: int) -> Iterator[tuple[Client, dict[str, list[str]]]]:
    """Provide a client of a node that runs the wall world, and the topics at the start."""
    client = Client(domain)
    client.listen(Clock, '/clock')
    with Simulator(domain, WALL, 'publish_map_odom:=true',
                   ) as client.simulator:
        client.wait('the clock', lambda: client.heard['/clock'])
        client.listen(TFMessage, '/tf')
        client.listen(TFMessage, '/tf_static')
        client.listen(Odometry, '/odom')
        client.listen(Odometry, '/base_pose_ground_truth')
        client.listen(LaserScan, '/scan', qos_profile_sensor_data)
        client.listen(Imu, '/imu', qos_profile_sensor_data)
        client.listen(Bool, '/collision')
        for topic in ('/tf', '/tf_static', '/odom', '/base_pose_ground_truth', '/scan', '/imu'):
            client.wait(topic, lambda topic=topic: client.heard[topic])
        client.wait('the graph', lambda: {*TOPICS, '/cmd_vel'} <= {
            name for name, _ in client.node.get_topic_names_and_types()})
        yield client, dict(client.node.get_topic_names_and_types())
    client.close()


@pytest.fixture
def robot(started: tuple[Client, dict[str, list[str]]]) -> Client:
    return started[0]


def transforms(client: Client, child: str, begin: int) -> dict[int, Any]:
    """Return the transforms to `child` heard from a message of /tf on, by their stamp."""
    return {stamp_ns(each.header): each for message in client.heard['/tf'][begin:]
            for each in message.transforms if each.child_frame_id == child}


def standing(client: Client) -> tuple[float, float, float]:
    """Return where the robot is, once it stands still."""
    def stands() -> bool:
        twist = client.fresh('/base_pose_ground_truth').twist.twist
        return abs(twist.linear.x) < 1e-9 and abs(twist.angular.z) < 1e-9

    client.wait('a standstill', stands)
    return planar_pose(client.heard['/base_pose_ground_truth'][-1].pose.pose)


def drive(client: Client, vx: float, wz: float, reached: Any) -> None:
    """Command a velocity with each odometry until a condition on the truth holds, then stop."""
    truth, odom = client.heard['/base_pose_ground_truth'], client.heard['/odom']
    seen = [len(odom)]

    def again() -> None:
        if len(odom) > seen[0]:
            seen[0] = len(odom)
            client.command('/cmd_vel', vx, wz)

    client.wait('the way to be done', lambda: reached(planar_pose(truth[-1].pose.pose)), again)
    client.command('/cmd_vel', 0.0)
    client.fresh('/base_pose_ground_truth')
    client.wait('a halt', lambda: abs(truth[-1].twist.twist.linear.x) < 1e-3
                and abs(truth[-1].twist.twist.angular.z) < 1e-3)


def test_topics_and_their_types(started: tuple[Client, dict[str, list[str]]]) -> None:
    _, found = started
    assert {name: found.get(name) for name in TOPICS} == {k: [v] for k, v in TOPICS.items()}
    assert found['/cmd_vel'] == ['geometry_msgs/msg/Twist']


@pytest.mark.parametrize('topic', [pytest.param(name, id=name[1:]) for name in TOPICS])
def test_quality_of_service(robot: Client, topic: str) -> None:
    (info,) = robot.node.get_publishers_info_by_topic(topic)
    assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE
    assert info.qos_profile.durability == (
        DurabilityPolicy.TRANSIENT_LOCAL if topic in TRANSIENT else DurabilityPolicy.VOLATILE)


def test_the_clock_starts_after_zero_and_never_goes_back(robot: Client) -> None:
    robot.fresh('/clock', 5)
    clock = robot.heard['/clock']
    stamps = [c.clock.sec * 10 ** 9 + c.clock.nanosec for c in (clock[0], *clock[-5:])]
    assert stamps[0] > 0
    assert all(a < b for a, b in zip(stamps[1:], stamps[2:]))


@pytest.mark.parametrize('topic, period', [
    pytest.param('/odom', 20_000_000, id='odom'),
    pytest.param('/base_pose_ground_truth', 20_000_000, id='truth'),
    pytest.param('/imu', 50_000_000, id='imu'), pytest.param('/scan', 100_000_000, id='scan')])
def test_rates_in_simulated_time(robot: Client, topic: str, period: int) -> None:
    robot.fresh(topic, 10)
    stamps = [stamp_ns(message.header) for message in robot.heard[topic][-10:]]
    gaps = np.diff(stamps)
    assert (gaps > 0).all()
    assert (gaps % period == 0).all() and np.median(gaps) == period
    assert stamps[0] % period == 0


def test_frames(robot: Client) -> None:
    scan, imu = robot.heard['/scan'][-1], robot.heard['/imu'][-1]
    odom, truth = robot.heard['/odom'][-1], robot.heard['/base_pose_ground_truth'][-1]
    assert (odom.header.frame_id, odom.child_frame_id) == ('odom', 'base_link')
    assert (truth.header.frame_id, truth.child_frame_id) == ('map', 'base_link')
    fixed = robot.heard['/tf_static'][-1]
    tree = {t.child_frame_id: t.header.frame_id for t in fixed.transforms}
    assert tree == {'base_link': 'base_footprint', **dict.fromkeys(
        (scan.header.frame_id, imu.header.frame_id, 'l_wheel_steering', 'r_wheel_steering'),
        'base_link')}
    moving = {t.child_frame_id: t.header.frame_id for t in robot.heard['/tf'][-1].transforms}
    assert moving == {'odom': 'map', 'base_footprint': 'odom', 'l_wheel': 'l_wheel_steering',
                      'r_wheel': 'r_wheel_steering'}
    lidar = next(t for t in fixed.transforms if t.child_frame_id == scan.header.frame_id)
    assert planar(lidar.transform) == pytest.approx((0.1, 0.0, math.pi / 2))


def test_maps(robot: Client) -> None:
    for name in ('map', 'simul_map'):
        robot.listen(OccupancyGrid, f'/{name}')
        robot.listen(MapMetaData, f'/{name}_metadata')
        grid = robot.wait(name, lambda name=name: robot.heard[f'/{name}'])[0]
        metadata = robot.wait(name, lambda name=name: robot.heard[f'/{name}_metadata'])[0]
        assert grid.info == metadata
        assert (grid.info.width, grid.info.height, grid.info.resolution) == (4, 3, 0.5)
        assert (grid.info.origin.position.x, grid.info.origin.position.y) == (-6.0, -3.0)
        assert grid.header.frame_id == 'map'
        assert list(grid.data) == [100, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 100]


def test_the_imu_measures_gravity_and_no_orientation(robot: Client) -> None:
    imu = robot.fresh('/imu')
    assert imu.linear_acceleration.z == pytest.approx(9.81)
    assert imu.orientation_covariance[0] == -1.0


def test_drives_a_metre(robot: Client) -> None:
    start = standing(robot)
    first = robot.heard['/base_pose_ground_truth'][-1]
    begin = {topic: len(messages) for topic, messages in robot.heard.items()}
    drive(robot, 0.5, 0.0, lambda pose: math.dist(pose[:2], start[:2]) >= 1.0)
    robot.fresh('/odom', 3)
    truth, odom = (robot.heard[topic][begin[topic]:]
                   for topic in ('/base_pose_ground_truth', '/odom'))
    end = planar_pose(truth[-1].pose.pose)
    way = math.dist(end[:2], start[:2])
    taken = 1e-9 * (stamp_ns(truth[-1].header) - stamp_ns(first.header))
    assert 1.0 <= way < 0.5 * taken  # from a standstill, to one
    assert end == pytest.approx(compose(start, (way, 0.0, 0.0)), abs=1e-4)  # 32 bit
    assert max(message.twist.twist.linear.x for message in odom) == pytest.approx(0.5, abs=0.01)
    assert odom[-1].pose.covariance[0] > 0.0 and odom[-1].twist.covariance[0] > 0.0
    # odometry and TF say the same, and TF's map -> odom makes it the truth
    beliefs = {stamp_ns(message.header): message for message in odom}
    truths = {stamp_ns(message.header): message for message in truth}
    robots, origins = (transforms(robot, child, begin['/tf'])
                       for child in ('base_footprint', 'odom'))
    common = beliefs.keys() & truths.keys() & robots.keys()
    assert len(common) > 10
    for stamp in common:
        believed = planar(robots[stamp].transform)
        assert planar_pose(beliefs[stamp].pose.pose) == pytest.approx(believed, abs=1e-12)
        assert compose(planar(origins[stamp].transform), believed) == pytest.approx(
            planar_pose(truths[stamp].pose.pose), abs=1e-9)


def test_finds_the_wall_while_it_turns(robot: Client) -> None:
    """Every scan, put into the map by TF at its stamp, lies on the wall."""
    start = standing(robot)
    begin = {topic: len(robot.heard[topic]) for topic in ('/scan', '/tf')}
    drive(robot, 0.0, 1.0, lambda pose: pose[2] > start[2] + 1.2)
    robot.fresh('/odom', 5)
    turned, origins = (transforms(robot, child, begin['/tf'])
                       for child in ('base_footprint', 'odom'))
    yaws = [planar(each.transform)[2] for each in turned.values()]
    assert max(yaws) - min(yaws) > 1.1
    checked = 0
    for scan in robot.heard['/scan'][begin['/scan']:]:
        stamp = stamp_ns(scan.header)
        if stamp not in turned:
            continue
        pose = compose(planar(origins[stamp].transform),
                       compose(planar(turned[stamp].transform), (0.1, 0.0, math.pi / 2)))
        bearings = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges)) + pose[2]
        ranges = np.array(scan.ranges)
        ahead = np.abs(np.arctan2(np.sin(bearings), np.cos(bearings))) < 0.5
        assert ahead.sum() > 40
        assert pose[0] + ranges[ahead] * np.cos(bearings[ahead]) == pytest.approx(
            WALL_X, abs=1e-4)
        checked += 1
    assert checked > 3


def test_stops_when_commands_run_out(robot: Client) -> None:
    truth = robot.heard['/base_pose_ground_truth']
    robot.command('/cmd_vel', 0.0, 0.4)
    robot.wait('motion', lambda: truth[-1].twist.twist.angular.z > 0.3)
    start = next(m for m in reversed(truth) if m.twist.twist.angular.z < 0.3)
    robot.wait('a halt', lambda: abs(truth[-1].twist.twist.angular.z) < 1e-3)
    end = next(m for m in truth[::-1] if m.twist.twist.angular.z > 0.3)
    assert (stamp_ns(end.header) - stamp_ns(start.header)) * 1e-9 == pytest.approx(1.0, abs=0.06)


def test_takes_stamped_commands_as_well(robot: Client, domain: int) -> None:
    truth = robot.heard['/base_pose_ground_truth']
    other = Client(domain)  # DDS gives a topic one type within a process
    try:
        other.command('/cmd_vel', 0.0, -0.3, TwistStamped)
        robot.wait('obedience to TwistStamped', lambda: truth[-1].twist.twist.angular.z < -0.2)
        robot.command('/cmd_vel', 0.0, 0.3)
        robot.wait('obedience to Twist', lambda: truth[-1].twist.twist.angular.z > 0.2)
    finally:
        other.close()
    robot.wait('a halt', lambda: abs(truth[-1].twist.twist.angular.z) < 1e-3)


def test_refuses_commands_that_are_no_numbers(robot: Client) -> None:
    robot.command('/cmd_vel', math.nan)
    robot.wait_for_words('NaN')
    assert robot.fresh('/base_pose_ground_truth').twist.twist.linear.x == pytest.approx(
        0.0, abs=1e-3)


def test_transforms_are_there_for_the_first_measurement(robot: Client) -> None:
    sensors = '/scan', '/imu', '/odom', '/base_pose_ground_truth'
    while stamp_ns(robot.fresh('/odom').header) < SECOND:
        pass
    robot.paused_ns()  # else more may come than waits for one who is slow
    robot.catch_up()
    heard = {topic: len(robot.heard[topic]) for topic in (*sensors, '/tf')}
    assert not robot.put(steps_per_request=25)
    for name in ('reset', 'step'):
        assert robot.trigger(name).success

    def stamps(topic: str) -> list[int]:  # since the reset, unlike those that were on their way
        found = (getattr(each, 'transforms', [each])[0]
                 for each in robot.heard[topic][heard[topic]:])
        return [stamp for each in found if (stamp := stamp_ns(each.header)) < SECOND]

    for topic in heard:
        robot.wait(topic, lambda topic=topic: stamps(topic))
    robot.wait('the clock of this run', lambda: robot.heard['/clock'][-1].clock.sec < 1)
    assert 0 < stamps('/tf')[0] <= min(stamps(topic)[0] for topic in sensors)
    assert robot.trigger('resume').success
