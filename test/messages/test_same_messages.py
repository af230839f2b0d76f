# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The node and the recorder make the same messages of the same state."""

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rclpy.serialization import serialize_message

from mvsim_ros2 import Simulation
from mvsim_ros2.recording import serialiser
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.cdr import clock_bytes, imu_bytes, laser_scan_bytes, TransformsBytes
from mvsim_ros2.ros.messages.message_types import full_name, MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames, Namespaces
from mvsim_ros2.ros.messages.sensor_channels import bytes_of_message, channels_of, message_of
from mvsim_ros2.ros.messages.sensors.navigation import imu as imu_message
from mvsim_ros2.ros.messages.sensors.ranging import laser_scan
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import map_messages
from mvsim_ros2.ros.messages.transform_messages import (
    fixed_frames, moving_frames, moving_links, moving_numbers)
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import fleet_channel, vehicle_channels
from mvsim_ros2.ros.publishers import topics
from mvsim_ros2.sensors.observations import ImuSample, LaserScan2D
from mvsim_ros2.simulation.handles import Fleet

WORLDS = Path(__file__).resolve().parents[1] / 'ros/worlds'
SETTINGS = Settings(publish_map_odom=True)
CONVERTED: dict[str, tuple[Any, Any]] = {
    'sensor_msgs/LaserScan': (laser_scan, laser_scan_bytes),
    'sensor_msgs/Imu': (imu_message, imu_bytes)}


@cache
def simulation() -> Simulation:
    """Return a robot with one of each sensor, that drove for a second."""
    made = Simulation.from_file(WORLDS / 'all_sensors.world.xml')
    made.vehicles['robot'].set_twist(0.5, 0.7)
    made.step(200)
    return made


def same(of_ros: Any, of_recorder: Any, name: str) -> bool:
    """Return whether two messages have the same bytes but for gaps, where ROS leaves anything."""
    data, recorded = serialize_message(of_ros), serialiser.serialise(of_recorder, name)
    message = serialiser.STORE.deserialize_cdr(data[:len(recorded)], full_name(name))
    return (len(data) - len(recorded) in range(16)
            and serialiser.serialise(message, name) == recorded)


@pytest.mark.parametrize('name', [pytest.param(name, id=name) for name in (
    'geometry_msgs/Pose', 'geometry_msgs/PoseArray', 'geometry_msgs/TransformStamped',
    'geometry_msgs/Twist', 'geometry_msgs/TwistWithCovarianceStamped', 'nav_msgs/MapMetaData',
    'nav_msgs/OccupancyGrid', 'nav_msgs/Odometry', 'rosgraph_msgs/Clock',
    'sensor_msgs/CameraInfo', 'sensor_msgs/FluidPressure', 'sensor_msgs/Image',
    'sensor_msgs/Imu', 'sensor_msgs/JointState', 'sensor_msgs/LaserScan',
    'sensor_msgs/MagneticField', 'sensor_msgs/NavSatFix', 'sensor_msgs/NavSatStatus',
    'sensor_msgs/PointCloud2', 'sensor_msgs/PointField', 'sensor_msgs/Range', 'std_msgs/Bool',
    'std_msgs/String', 'tf2_msgs/TFMessage')])
def test_defaults(name: str) -> None:
    of_ros, of_recorder = (types.named(name)() for types in (
        topics.TYPES, serialiser.TYPES))
    if name == 'sensor_msgs/NavSatStatus':  # unknown in ROS; always given here
        of_recorder.status = of_ros.status
    if name == 'sensor_msgs/NavSatFix':
        of_recorder.status.status = of_ros.status.status
    assert same(of_ros, of_recorder, name)


@pytest.mark.parametrize('sensor', [pytest.param(name, id=name) for name in (
    'robot/laser', 'robot/top', 'robot/eye', 'robot/depth', 'robot/box', 'robot/gnss',
    'robot/wheels', 'robot/bumper', 'robot/sonar', 'robot/infrared', 'robot/compass',
    'robot/barometer', 'post')])
def test_sensors(sensor: str) -> None:
    handle = simulation().sensors[sensor]
    observation = handle.measure()
    for channel in channels_of(handle.spec):
        if find_spec(channel.message_type.split('/')[0]) is None:
            continue  # vision_msgs, where ROS comes from wheels
        of_ros, of_recorder = (message_of(channel, types, observation, 'r1/') for types in (
            topics.TYPES, serialiser.TYPES))
        assert same(of_ros, of_recorder, channel.message_type), channel.ending
        if channel.pack is not None:
            packed = bytes_of_message(channel, observation, 'r1/')
            assert packed == serialiser.serialise(of_recorder, channel.message_type)


def all_states(types: MessageTypes) -> list[tuple[str, Any]]:
    """Return types and messages of all that is not of a sensor."""
    made = simulation()
    now, vehicle = made.time_ns, made.vehicles['robot']
    names = Namespaces(SETTINGS, ['robot'])
    frames = names.frames('robot')
    model = RobotModel(types, vehicle, frames, made.sensors.values())
    channels = (*vehicle_channels(types, '', vehicle, frames, model),
                fleet_channel(types, made, 'map'))
    return [
        ('rosgraph_msgs/Clock', state_messages.clock(types, now)),
        ('std_msgs/String', model.description()),
        *((channel.message_type, channel.build(now)) for channel in channels),
        ('tf2_msgs/TFMessage', types.tf2_msgs.TFMessage(
            transforms=fixed_frames(types, made, names)[''])),
        ('tf2_msgs/TFMessage', types.tf2_msgs.TFMessage(transforms=[
            *model.wheel_transforms(now), *moving_frames(types, now, vehicle, frames, SETTINGS)])),
        *((name, message) for _, name, _, messages in map_messages(
            types, Simulation.from_file('worlds/occupancy_map.world.xml').world, 'map', now, True)
          for message in messages)]


def test_states() -> None:
    of_ros, of_recorder = map(all_states, (topics.TYPES, serialiser.TYPES))
    assert {name for name, _ in of_ros} >= {
        'nav_msgs/Odometry', 'nav_msgs/OccupancyGrid', 'sensor_msgs/JointState',
        'std_msgs/Bool'}
    for (name, one), (_, other) in zip(of_ros, of_recorder, strict=True):
        assert same(one, other, name), name


@pytest.mark.parametrize('frames', [
    FrameNames(), FrameNames('m', 'odometer', 'b', '', 'robot_17/')], ids=['usual', 'others'])
def test_packed_states(frames: FrameNames) -> None:
    made, types = simulation(), serialiser.TYPES
    fleet = Fleet(made, state_messages.UNKNOWN)
    fleet.look()
    now, vehicle = made.time_ns, made.vehicles['robot']
    channels = [each for each in vehicle_channels(types, '', vehicle, frames, RobotModel(
        types, vehicle, frames, ()), fleet) if each.pack is not None]
    assert [each.topic for each in channels] == ['odom', 'base_pose_ground_truth']
    for each in channels:
        assert each.pack is not None
        assert each.pack(now) == serialiser.serialise(each.build(now), each.message_type)
    for settings in (SETTINGS, Settings(), Settings(publish_odom_tf=False),
                     Settings(publish_odom_tf=False, publish_map_odom=True)):
        message = types.tf2_msgs.TFMessage(transforms=moving_frames(
            types, now, vehicle, frames, settings))
        packed = TransformsBytes(moving_links(frames, settings)).of(
            now, moving_numbers(fleet.reports['robot'], vehicle.spec, settings))
        assert packed == serialiser.serialise(message, 'tf2_msgs/TFMessage')
    assert clock_bytes(now) == serialiser.serialise(
        state_messages.clock(types, now), 'rosgraph_msgs/Clock')


def test_packed_samples_of_every_kind() -> None:
    laser, imu = (simulation().sensors[name].measure() for name in ('robot/laser', 'robot/box'))
    assert isinstance(laser, LaserScan2D) and isinstance(imu, ImuSample)
    for kind, sample in (
            ('sensor_msgs/LaserScan', laser),
            ('sensor_msgs/LaserScan', replace(laser, intensities=laser.ranges[::-1].copy())),
            ('sensor_msgs/LaserScan', replace(laser, intensities=None)),
            ('sensor_msgs/Imu', replace(imu, orientation=None)),
            ('sensor_msgs/Imu', replace(imu, orientation=np.array([0.5, -0.5, 0.5, 0.5]),
                                        orientation_covariance=np.arange(9.0).reshape(3, 3)))):
        for frame in ('', 'a', 'abcde'):
            convert, pack = CONVERTED[kind]
            assert pack(sample, frame) == serialiser.serialise(
                convert(serialiser.TYPES, sample, frame), kind)
