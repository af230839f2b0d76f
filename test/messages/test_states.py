# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages are made by pure functions: no ROS has to run for these tests."""

import math

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.sensors import navigation, ranging
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.sensors.observations import ImuSample, LaserScan2D
from mvsim_ros2.world.spec.grid import OccupancyMap

STAMP_NS = 3_020_000_001


def scan(ranges: np.ndarray) -> LaserScan2D:
    return LaserScan2D('r1/laser1', 'laser1', STAMP_NS, -1.0, 1.0, 0.5, 0.001, 0.1, 0.05, 20.0,
                       ranges)


def sample(orientation: np.ndarray | None) -> ImuSample:
    return ImuSample('r1/imu', 'imu', STAMP_NS, np.array([0.1, 0.2, 0.3]),
                     np.array([1.0, 2.0, 9.81]), orientation, np.eye(3) * 1e-4,
                     np.eye(3) * 1e-3, np.eye(3) * 1e-2)


def test_stamp_and_frame() -> None:
    header = ranging.laser_scan(TYPES, scan(np.zeros(5, np.float32)), 'r1/front').header
    assert (header.stamp.sec, header.stamp.nanosec) == (3, 20_000_001)
    assert header.frame_id == 'r1/front'
    clock = state_messages.clock(TYPES, STAMP_NS).clock
    assert (clock.sec, clock.nanosec) == (3, 20_000_001)


def test_scan_keeps_every_bit_of_its_ranges() -> None:
    ranges = np.array([0.1, 1.5, np.inf, -np.inf, np.pi], np.float32)
    message = ranging.laser_scan(TYPES, scan(ranges), 'laser1')
    assert np.array(message.ranges, np.float32).tobytes() == ranges.tobytes()
    assert (message.angle_min, message.angle_max, message.angle_increment) == (-1.0, 1.0, 0.5)
    assert (message.time_increment, message.scan_time) == (0.001, 0.1)
    assert (message.range_min, message.range_max) == (0.05, 20.0)
    assert len(message.intensities) == 0


def test_a_scan_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match='float64 values for a field of float32'):
        ranging.laser_scan(TYPES, scan(np.zeros(5)), 'laser1')


def test_a_strided_array_is_packed_in_its_order() -> None:
    values = np.arange(10, dtype=np.float32)[::3]
    assert list(state_messages.packed(TYPES, values, np.float32)) == [0, 3, 6, 9]


def test_imu_without_orientation_is_marked() -> None:
    message = navigation.imu(TYPES, sample(None), 'imu')
    assert message.orientation_covariance[0] == -1.0
    assert (message.angular_velocity.x, message.angular_velocity.z) == (0.1, 0.3)
    assert message.linear_acceleration.z == 9.81
    assert message.angular_velocity_covariance.tolist() == (np.eye(3) * 1e-4).ravel().tolist()
    assert message.linear_acceleration_covariance[8] == 1e-3


def test_imu_with_orientation() -> None:
    message = navigation.imu(TYPES, sample(np.array([0.0, 0.0, 0.6, 0.8])), 'imu')
    assert (message.orientation.z, message.orientation.w) == (0.6, 0.8)
    assert message.orientation_covariance[4] == 1e-2


@pytest.mark.parametrize('pose', [
    pytest.param(Pose(1.0, 2.0, 0.0, 0.7), id='planar'),
    pytest.param(Pose(1.0, 2.0, 3.0, -2.0, 0.4, -0.3), id='in space'),
])
def test_transform(pose: Pose) -> None:
    message = state_messages.transform(TYPES, STAMP_NS, 'odom', 'base_link', pose)
    assert (message.header.frame_id, message.child_frame_id) == ('odom', 'base_link')
    t, q = message.transform.translation, message.transform.rotation
    assert (t.x, t.y, t.z) == (pose.x, pose.y, pose.z)
    assert (q.x, q.y, q.z, q.w) == pytest.approx(pose.quaternion)


def test_odometry() -> None:
    covariance = np.array([[1.0, 2.0, 3.0], [2.0, 5.0, 6.0], [3.0, 6.0, 9.0]])
    message = state_messages.odometry(
        TYPES, STAMP_NS, 'odom', 'base_link', Pose(1.0, 2.0, 0.0, math.pi / 2),
        (0.5, 0.1, 0.05, 0.01, 0.02, -0.2), covariance, 2.0 * covariance)
    assert message.pose.pose.orientation.z == pytest.approx(math.sqrt(0.5))
    twist = message.twist.twist
    linear, angular = twist.linear, twist.angular
    assert (linear.x, linear.y, linear.z) == (0.5, 0.1, 0.05)
    assert (angular.x, angular.y, angular.z) == (0.01, 0.02, -0.2)
    full = np.reshape(message.pose.covariance, (6, 6))
    assert full[np.ix_([0, 1, 5], [0, 1, 5])].tolist() == covariance.tolist()
    assert full.diagonal()[2:5].tolist() == [state_messages.NOT_ESTIMATED] * 3
    assert np.count_nonzero(full) == 12
    assert message.twist.covariance[35] == 18.0


def test_ground_truth_is_exact() -> None:
    message = state_messages.odometry(TYPES, STAMP_NS, 'map', 'base_link', Pose(), (0.0,) * 6)
    assert not message.pose.covariance.any() and not message.twist.covariance.any()


def test_occupancy_grid() -> None:
    values = np.array([[0, 100, -1], [100, 0, 0]], np.int8)
    message = state_messages.occupancy_grid(
        TYPES, OccupancyMap(values, 0.05, -1.0, -2.0), STAMP_NS, 'map')
    assert (message.info.width, message.info.height) == (3, 2)
    assert message.info.resolution == pytest.approx(0.05)
    assert (message.info.origin.position.x, message.info.origin.position.y) == (-1.0, -2.0)
    assert message.info.origin.orientation.w == 1.0
    assert list(message.data) == [0, 100, -1, 100, 0, 0]
