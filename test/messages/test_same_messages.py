# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The node and the recorder make the same messages of the same state, as bytes or as objects."""

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rclpy.serialization import deserialize_message, serialize_message

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.recording import serialiser
from mvsim_ros2.ros.messages import cdr, state_messages
from mvsim_ros2.ros.messages.message_types import full_name, MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames, Namespaces
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import (
    fixed_frames, fleet_channel, MovingFrames, vehicle_channels)
from mvsim_ros2.ros.publishers import topics
from mvsim_ros2.simulation.handles import Fleet

WORLDS = Path(__file__).resolve().parents[1] / 'ros/worlds'
SETTINGS = Settings(publish_map_odom=True)


@cache
def simulation() -> Simulation:
    """Return a robot with one of each sensor, that drove for a second."""
    made = Simulation.from_file(WORLDS / 'all_sensors.world.xml')
    made.vehicles['robot'].set_twist(0.5, 0.7)
    made.step(200)
    return made


def same(of_ros: Any, of_recorder: Any, name: str) -> bool:
    """Return whether two messages have the same bytes but for gaps, where ROS leaves anything."""
    data = of_ros if isinstance(of_ros, bytes) else serialize_message(of_ros)
    recorded = serialiser.serialise(of_recorder, name)
    message = serialiser.STORE.deserialize_cdr(data[:len(recorded)], full_name(name))
    return (len(data) - len(recorded) in range(16)
            and serialiser.serialise(message, name) == recorded)


@pytest.mark.parametrize('name', [
    'geometry_msgs/Pose', 'geometry_msgs/PoseArray', 'geometry_msgs/TransformStamped',
    'geometry_msgs/Twist', 'geometry_msgs/TwistWithCovarianceStamped', 'nav_msgs/MapMetaData',
    'nav_msgs/OccupancyGrid', 'nav_msgs/Odometry', 'rosgraph_msgs/Clock', 'sensor_msgs/CameraInfo',
    'sensor_msgs/FluidPressure', 'sensor_msgs/Image', 'sensor_msgs/Imu', 'sensor_msgs/JointState',
    'sensor_msgs/LaserScan', 'sensor_msgs/MagneticField', 'sensor_msgs/NavSatFix',
    'sensor_msgs/NavSatStatus', 'sensor_msgs/PointCloud2', 'sensor_msgs/PointField',
    'sensor_msgs/Range', 'std_msgs/Bool', 'std_msgs/String', 'tf2_msgs/TFMessage'])
def test_defaults(name: str) -> None:
    of_ros, of_recorder = (types.named(name)() for types in (
        topics.TYPES, serialiser.TYPES))
    if name == 'sensor_msgs/NavSatStatus':  # unknown in ROS; always given here
        of_recorder.status = of_ros.status
    if name == 'sensor_msgs/NavSatFix':
        of_recorder.status.status = of_ros.status.status
    assert same(of_ros, of_recorder, name)


def test_sensors() -> None:
    for handle in simulation().sensors.values():
        observation = handle.measure()
        for channel in channels_of(handle.spec):
            if find_spec(channel.message_type.split('/')[0]) is None:
                continue  # vision_msgs, where ROS comes from wheels
            of_ros, of_recorder = (message_of(channel, types, observation, 'r1/') for types in (
                topics.TYPES, serialiser.TYPES))
            assert same(of_ros, of_recorder, channel.message_type), handle.name


def all_states(types: MessageTypes) -> list[tuple[str, Any]]:
    """Return types and messages of all that is not of a sensor."""
    made = simulation()
    now, vehicle, names = made.time_ns, made.vehicles['robot'], Namespaces(SETTINGS, ['robot'])
    frames, fleet = names.frames('robot'), Fleet(made, state_messages.UNKNOWN)
    fleet.look()
    channels = (*vehicle_channels(types, '', vehicle, frames, RobotModel(
        vehicle, frames, made.sensors.values()), fleet), fleet_channel(types, made, 'map'))
    return [
        *((channel.message_type, channel.build(now)) for channel in channels),
        ('tf2_msgs/TFMessage', types.tf2_msgs.TFMessage(
            transforms=fixed_frames(types, made, names, SETTINGS, now)[''])),
        *((name, message) for _, name, _, messages in state_messages.map_messages(
            types, Simulation.from_file('worlds/occupancy_map.world.xml').world, 'map', now, True)
          for message in messages)]


def test_states() -> None:
    of_ros, of_recorder = map(all_states, (topics.TYPES, serialiser.TYPES))
    assert {name for name, _ in of_ros} >= {
        'nav_msgs/Odometry', 'nav_msgs/OccupancyGrid', 'sensor_msgs/JointState', 'std_msgs/Bool'}
    for (name, one), (_, other) in zip(of_ros, of_recorder, strict=True):
        assert same(one, other, name), name


FRAMES = [FrameNames(), FrameNames('m', 'odometer', 'b', '', 'robot_17/')]


@pytest.mark.parametrize('frames', FRAMES, ids=['usual', 'others'])
def test_packed_states_say_what_the_vehicle_says(frames: FrameNames) -> None:
    made = simulation()
    now, vehicle, fleet = (
        made.time_ns, made.vehicles['robot'], Fleet(made, state_messages.UNKNOWN))
    fleet.look()
    odom, truth = (deserialize_message(each.build(now), topics.TYPES.nav_msgs.Odometry)
                   for each in vehicle_channels(topics.TYPES, '', vehicle, frames, RobotModel(
                       vehicle, frames, ()), fleet)[:2])
    belief = vehicle.odometry
    for message, frame, pose, twist in (
            (odom, frames.odom, Pose(*belief.pose[:2], yaw=belief.pose[2]),
             [*belief.twist[:2], 0.0, 0.0, 0.0, belief.twist[2]]),
            (truth, frames.truth, vehicle.pose, vehicle.twist_in_space.tolist())):
        assert (message.header.frame_id, message.child_frame_id) == (frame, frames.base)
        assert message.header.stamp.sec * 10 ** 9 + message.header.stamp.nanosec == now
        place, turn = message.pose.pose.position, message.pose.pose.orientation
        assert (place.x, place.y, place.z) == (pose.x, pose.y, pose.z)
        assert (turn.x, turn.y, turn.z, turn.w) == pose.quaternion
        linear, angular = message.twist.twist.linear, message.twist.twist.angular
        assert [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z] == twist
    for part, known in ((odom.pose, belief.pose_covariance),
                        (odom.twist, belief.twist_covariance)):
        full = np.reshape(part.covariance, (6, 6))
        assert np.array_equal(full[np.ix_([0, 1, 5], [0, 1, 5])], known)
        assert full.diagonal()[2:5].tolist() == [state_messages.NOT_ESTIMATED] * 3
        assert np.count_nonzero(full) == np.count_nonzero(known) + 3
    assert not truth.pose.covariance.any() and not truth.twist.covariance.any()


@pytest.mark.parametrize('frames', FRAMES, ids=['usual', 'others'])
@pytest.mark.parametrize('settings', [
    SETTINGS, Settings(), Settings(publish_odom_tf=False), Settings(
        publish_odom_tf=False, publish_map_odom=True, publish_robot_description=False)],
    ids=['localized', 'default', 'with a filter', 'at the start'])
def test_moving_frames_are_where_the_vehicle_is(frames: FrameNames, settings: Settings) -> None:
    made, types = simulation(), topics.TYPES
    vehicle, fleet = made.vehicles['robot'], Fleet(made, state_messages.UNKNOWN)
    fleet.look()
    x, y, yaw = vehicle.odometry.pose
    robot = Pose(x, y, 0.0, yaw)
    expected = []
    if settings.publish_map_odom:
        expected.append((frames.world, frames.odom, vehicle.pose.compose(robot.inverse())
                         if settings.publish_odom_tf else vehicle.spec.init_pose))
    if settings.publish_odom_tf:
        expected.append((frames.odom, frames.moving, robot))
    if settings.publish_robot_description:
        expected += [(f'{frames.prefix}{name}_steering', frames.prefix + name, Pose(pitch=angle))
                     for name, angle in zip(vehicle.spec.dynamics.wheel_names,
                                            vehicle.wheels['angle'].tolist(), strict=True)]
    data = MovingFrames(fleet, settings, [
        (vehicle, frames, RobotModel(vehicle, frames, ()))]).message(made.time_ns)
    found = deserialize_message(data, types.tf2_msgs.TFMessage)
    assert [(each.header.frame_id, each.child_frame_id) for each in found.transforms] == [
        each[:2] for each in expected]
    for each, (_, _, pose) in zip(found.transforms, expected, strict=True):
        assert each.header.stamp.sec * 10 ** 9 + each.header.stamp.nanosec == made.time_ns
        t, q = each.transform.translation, each.transform.rotation
        assert (t.x, t.y, t.z) == pytest.approx((pose.x, pose.y, pose.z))
        assert (q.x, q.y, q.z, q.w) == pytest.approx(pose.quaternion)
    assert data == serialiser.serialise(serialiser.STORE.deserialize_cdr(
        data, 'tf2_msgs/msg/TFMessage'), 'tf2_msgs/TFMessage')


@pytest.mark.parametrize('frame', ['', 'a', 'abcde'])
def test_packed_samples_have_every_number(frame: str) -> None:
    made = simulation()
    laser, imu = (made.sensors[name].measure() for name in ('robot/laser', 'robot/box'))
    for scan in (replace(laser, intensities=laser.ranges[::-1].copy()),
                 replace(laser, intensities=None, ranges=np.array(
                     [0.1, math.inf, -math.inf, np.pi], np.float32))):
        message = deserialize_message(cdr.laser_scan(topics.TYPES, scan, frame),
                                      topics.TYPES.sensor_msgs.LaserScan)
        assert message.header.frame_id == frame
        assert [getattr(message, name) for name in (
            'angle_min', 'angle_max', 'angle_increment', 'time_increment', 'scan_time',
            'range_min', 'range_max')] == pytest.approx([
                scan.angle_min, scan.angle_max, scan.angle_increment, scan.time_increment,
                scan.scan_time, scan.range_min, scan.range_max])
        assert np.array(message.ranges, np.float32).tobytes() == scan.ranges.tobytes()
        echoes = [] if scan.intensities is None else scan.intensities.tolist()
        assert list(message.intensities) == echoes
    for sample in (replace(imu, orientation=None), replace(
            imu, orientation=np.array([0.5, -0.5, 0.5, 0.5]),
            orientation_covariance=np.arange(9.0).reshape(3, 3))):
        message = deserialize_message(cdr.imu(topics.TYPES, sample, frame),
                                      topics.TYPES.sensor_msgs.Imu)
        rate, force, turn = (message.angular_velocity, message.linear_acceleration,
                             message.orientation)
        assert [rate.x, rate.y, rate.z] == sample.angular_velocity.tolist()
        assert [force.x, force.y, force.z] == sample.linear_acceleration.tolist()
        assert np.array_equal(message.angular_velocity_covariance,
                              sample.angular_velocity_covariance.ravel())
        assert np.array_equal(message.linear_acceleration_covariance,
                              sample.linear_acceleration_covariance.ravel())
        if sample.orientation is None:
            assert message.orientation_covariance.tolist() == [-1.0, *[0.0] * 8]
        else:
            assert [turn.x, turn.y, turn.z, turn.w] == sample.orientation.tolist()
            assert message.orientation_covariance.tolist() == list(range(9))


def test_a_clock_and_a_scan_of_doubles() -> None:
    clock = deserialize_message(cdr.clock_bytes(3_020_000_001), topics.TYPES.rosgraph_msgs.Clock)
    assert (clock.clock.sec, clock.clock.nanosec) == (3, 20_000_001)
    scan = simulation().sensors['robot/laser'].measure()
    with pytest.raises(TypeError, match='float64 values for a field of float32'):
        cdr.laser_scan(topics.TYPES, replace(scan, ranges=scan.ranges.astype(float)), '')
