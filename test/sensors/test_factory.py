# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors from a world; what they look with is made when it is needed, and kept up to date."""

from dataclasses import dataclass

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import SensorError
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors.body_state import BodyState, STANDING
from mvsim_ros2.sensors.factory import make_sensors, mounted_sensors
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.navigation.imu import Imu
from mvsim_ros2.sensors.views.views import SceneView, SceneViews, ShapeView
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


POSTS = """
  <block:class name="post">
    <static>true</static> <zmax>2</zmax>
    <shape> <pt>-0.1 -0.1</pt> <pt>0.1 -0.1</pt> <pt>0.1 0.1</pt> <pt>-0.1 0.1</pt> </shape>
  </block:class>
  <block:class name="crate">
    <mass>5</mass> <zmax>2</zmax>
    <shape> <pt>-0.1 -0.1</pt> <pt>0.1 -0.1</pt> <pt>0.1 0.1</pt> <pt>-0.1 0.1</pt> </shape>
  </block:class>
  <block name="ahead" class="post"> <init_pose>3 0 0</init_pose> </block>
  <sensor class="sonar" name="eye"> <pose_3d>0 0 1 0 0 0</pose_3d>
    <range_std_noise>0</range_std_noise> <max_range>20</max_range> <rays>1</rays> </sensor>
"""


class Counting(SceneView):
    """Counts what it is asked for."""

    rebuilt = looked = 0

    def rebuild(self) -> None:
        """Count."""
        self.rebuilt += 1
        self.views.use(Other)

    def look(self) -> None:
        """Count."""
        self.looked += 1
        self.views.use(Other)


class Other(Counting):
    """Another one, that the first one uses."""

    def rebuild(self) -> None:
        """Count."""
        self.rebuilt += 1

    def look(self) -> None:
        """Count."""
        self.looked += 1


def test_once_an_instant_and_once_a_change() -> None:
    world = WorldSpec()
    physics = PhysicsWorld(world, RandomStreams(0))
    views = SceneViews(world, physics, {})
    eye = views.use(Counting)
    for _ in range(3):
        assert views.use(Counting) is eye
    other = views.use(Other)
    assert (eye.rebuilt, eye.looked, other.rebuilt, other.looked) == (1, 1, 1, 1)
    views.begin(1)
    assert (views.use(Counting).looked, other.looked) == (2, 2)
    views.change({})  # to the same things
    views.use(Counting)
    assert (eye.rebuilt, eye.looked, other.rebuilt, other.looked) == (1, 2, 1, 2)
    physics.add_block(BlockSpec('box'))
    views.change({})
    views.use(Counting)
    assert (eye.rebuilt, eye.looked, other.rebuilt, other.looked) == (2, 3, 2, 3)


@pytest.fixture
def sim() -> Simulation:
    """Return a world with a sensor of its own, 2.9 m before a post."""
    return simulate(POSTS)


def seen(sim: Simulation) -> float:
    """Return what the sensor sees at this instant."""
    return float(sim.measure('eye').distance)


def test_what_comes_and_goes_is_seen(sim: Simulation) -> None:
    assert seen(sim) == pytest.approx(2.9, abs=1e-6)
    sim.spawn_block('nearer', 'post', Pose(2.0))
    assert seen(sim) == pytest.approx(1.9, abs=1e-6)
    sim.set_pose('nearer', Pose(1.0))
    assert seen(sim) == pytest.approx(0.9, abs=1e-6)
    sim.remove('nearer')
    assert seen(sim) == pytest.approx(2.9, abs=1e-6)
    sim.remove('ahead')
    assert seen(sim) == np.inf
    sim.reset()
    assert seen(sim) == pytest.approx(2.9, abs=1e-6)


def test_what_moves_is_seen_where_it_is(sim: Simulation) -> None:
    sim.spawn_block('crate', 'crate', Pose(2.0))
    assert seen(sim) == pytest.approx(1.9, abs=1e-6)
    sim.set_pose('crate', Pose(1.5))
    assert seen(sim) == pytest.approx(1.4, abs=1e-6)
    state = sim.snapshot()
    sim.set_pose('crate', Pose(1.5), (-1.0, 0.0, 0.0))
    sim.step(20)
    assert seen(sim) == pytest.approx(float(sim.blocks['crate'].pose.x) - 0.1, abs=1e-5)
    assert seen(sim) < 1.39
    sim.restore(state)
    assert seen(sim) == pytest.approx(1.4, abs=1e-6)


def test_nothing_is_built_that_nobody_needs(sim: Simulation) -> None:
    sim.set_enabled('eye', False)
    sim.step(100)
    assert ShapeView not in sim._suite.views._views
