# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors from a world."""

from dataclasses import dataclass

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors.body_state import BodyState, STANDING
from mvsim_ros2.sensors.factory import make_sensors, mounted_sensors
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.navigation.imu import Imu
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec import (
    BlockSpec, ImuSpec, LaserSpec, SensorSpec, Source, VehicleSpec, WorldSpec)

HERE = Source('some.world.xml', 12)


def _make(mounted, world=WorldSpec()):
    streams = RandomStreams(3)
    return make_sensors(mounted, streams, SceneViews(world, PhysicsWorld(world, streams), {}))


def test_sensors_of_a_world():
    world = WorldSpec(
        vehicles=(VehicleSpec(name='r1', sensors=(LaserSpec(name='laser1'), ImuSpec(name='imu'))),
                  VehicleSpec(name='r2', sensors=(LaserSpec(name='laser1'),))),
        sensors=(LaserSpec(name='gate', pose=Pose(4.0, 1.0)),))
    sensors = _make(mounted_sensors(world))
    assert list(sensors) == ['r1/laser1', 'r1/imu', 'r2/laser1', 'gate']
    assert [type(sensor) for sensor in sensors.values()] == [Lidar2D, Imu, Lidar2D, Lidar2D]
    assert [sensor.frame_id for sensor in sensors.values()] == [
        'laser1', 'imu', 'laser1', 'gate']
    assert {sensor.period_ns for sensor in sensors.values()} == {100_000_000}


def test_sensor_that_stands_in_the_world():
    spec = LaserSpec(name='gate', pose=Pose(4.0, 1.0, yaw=np.pi / 2), fov=2 * np.pi, nrays=4,
                     range_std_noise=0.0, angle_std_noise=0.0)
    outline = ((-6.0, -6.0), (6.0, -6.0), (6.0, 6.0), (-6.0, 6.0))
    world = WorldSpec(blocks=(BlockSpec(name='room', shape=outline, static=True),))
    sensors = _make([('', spec)], world)
    np.testing.assert_allclose(
        sensors['gate'].measure(1, STANDING).ranges, [7.0, 2.0, 5.0, 10.0], rtol=1e-6)


@dataclass(frozen=True)
class Nose(SensorSpec):
    XML_CLASS = 'nose'


def test_class_without_a_model():
    with pytest.raises(SensorError, match=(
            r"some\.world\.xml:12: sensor 'r1/eye' cannot be made: .*test_factory\.Nose does: add "
            r'a record with this `spec` to MODELS of a file in mvsim_ros2/sensors.*laser')):
        _make([('r1', Nose(name='eye', source=HERE))])


def test_two_sensors_of_one_name():
    with pytest.raises(SensorError, match=r"some\.world\.xml:12.*'r1/imu'"):
        _make([('r1', ImuSpec(name='imu')), ('r1', LaserSpec(name='imu', source=HERE))])


def test_another_sensor_changes_nobodys_noise():
    lidar = ('r1', LaserSpec(name='laser1'))
    alone = _make([lidar])['r1/laser1']
    among = _make([('r1', ImuSpec(name='imu')), lidar, ('r2', lidar[1])])
    state = BodyState(np.zeros(6))
    for _ in range(3):
        expected = alone.measure(1, state).ranges
        for name in ('r2/laser1', 'r1/imu'):
            among[name].measure(1, state)
        np.testing.assert_array_equal(among['r1/laser1'].measure(1, state).ranges, expected)
