# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Planar LiDARs: layout of a scan, limits, noise, mounting, motion while they measure."""

from dataclasses import replace
import logging
import math

from making import make_scene, square
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.body_state import BodyState, Movers
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import (
    AckermannSpec, ActorSpec, AnimationSpec, BlockSpec, ChassisSpec, FrontSteerPidController,
    Keyframe, LaserSpec, PathSpec, PhysicsSpec, VehicleSpec, VerticalPlaneSpec, WaypointSpec,
    WheelSpec, WorldSpec)

QUIET = {'range_std_noise': 0.0, 'angle_std_noise': 0.0}
STAMP = 1_000_000_000


def _lidar(scene, owner='r1', **options):
    spec = LaserSpec(**({'name': 'laser1'} | QUIET | options))
    return Lidar2D(spec, owner, PlanarRayCaster(scene), stream(1, 'sensor/r1/laser1'))


def _at(x=0.0, y=0.0, yaw=0.0, **options):
    return BodyState(np.array([x, y, 0.0, yaw, 0.0, 0.0]), **options)


@pytest.mark.parametrize('fov_deg, rays, first, last, increment', [
    pytest.param(180, 181, -90, 90, 1, id='both borders'),
    pytest.param(270, 1081, -135, 135, 0.25, id='three quarters'),
    pytest.param(360, 360, -180, 179, 1, id='full circle without a ray twice'),
    pytest.param(360, 800, -180, 179.55, 0.45, id='full circle, 800 rays'),
    pytest.param(359.9, 2, -179.95, 179.95, 359.9, id='nearly a full circle'),
    pytest.param(90, 1, 0, 0, 0, id='one ray'),
    pytest.param(360, 1, 0, 0, 0, id='one ray of a circle'),
])
def test_layout(fov_deg, rays, first, last, increment):
    scan = _lidar(make_scene([square(5.0)]), fov=np.deg2rad(fov_deg),
                  nrays=rays).measure(STAMP, _at())
    assert scan.ranges.shape == (rays,) and scan.ranges.dtype == np.float32
    np.testing.assert_allclose(
        np.rad2deg([scan.angle_min, scan.angle_max, scan.angle_increment]),
        [first, last, increment], atol=1e-9)
    bearings = scan.angle_min + scan.angle_increment * np.arange(rays)
    assert scan.angle_max == pytest.approx(bearings[-1])
    expected = 5.0 / np.maximum(abs(np.cos(bearings)), abs(np.sin(bearings)))
    np.testing.assert_allclose(scan.ranges, expected, rtol=1e-6)


def test_header():
    scan = _lidar(make_scene(), sensor_period=1 / 30, min_range=0.1, max_range=12.0).measure(
        STAMP, _at())
    assert (scan.sensor, scan.frame_id, scan.stamp_ns) == ('r1/laser1', 'laser1', STAMP)
    assert (scan.range_min, scan.range_max) == (0.1, 12.0)
    assert (scan.scan_time, scan.time_increment) == (1 / 30, 0.0)


def test_limits():
    scene = make_scene([square(0.5, 1.0), square(0.5, -3.0), square(0.5, 0.0, 20.0)])
    scan = _lidar(scene, fov=2 * np.pi, nrays=4, min_range=0.6, max_range=10.0).measure(
        STAMP, _at())
    # behind, right, ahead, left
    np.testing.assert_array_equal(scan.ranges, [2.5, np.inf, -np.inf, np.inf])


def test_noise_does_not_pass_the_limits():
    lidar = _lidar(make_scene([square(5.0)]), fov=2 * np.pi, nrays=4, range_std_noise=3.0,
                   min_range=4.0, max_range=6.0)
    ranges = np.concatenate([lidar.measure(STAMP, _at()).ranges for _ in range(200)])
    seen = ranges[np.isfinite(ranges)]
    assert 4.0 <= seen.min() and seen.max() <= 6.0
    assert np.isposinf(ranges).any() and np.isneginf(ranges).any()


def test_range_noise():
    lidar = _lidar(make_scene([square(5.0)]), fov=2 * np.pi, nrays=4, range_std_noise=0.02)
    ranges = np.concatenate([lidar.measure(STAMP, _at()).ranges for _ in range(5000)])
    assert abs(ranges.mean() - 5.0) < 4 * 0.02 / np.sqrt(20000)
    assert ranges.std() == pytest.approx(0.02, rel=0.03)


def test_no_noise_where_nothing_is_hit():
    lidar = _lidar(make_scene(), range_std_noise=1.0, angle_std_noise=1.0)
    assert np.isposinf(lidar.measure(STAMP, _at()).ranges).all()


@pytest.mark.parametrize('sigma', [
    pytest.param(0.002, id='series'), pytest.param(0.2, id='large angles')])
def test_angle_noise_turns_the_rays(sigma):
    wall = [(1.0, -1e4), (1.0, 1e4), (2.0, 0.0)]
    lidar = _lidar(make_scene([wall]), fov=1e-9, nrays=2, angle_std_noise=sigma,
                   pose=Pose(yaw=0.5), max_range=1e5)
    ranges = np.concatenate([lidar.measure(STAMP, _at()).ranges for _ in range(3000)])
    turns = np.arccos(1.0 / ranges[np.isfinite(ranges)].astype(float)) - 0.5
    if sigma < 0.1:
        assert turns.std() == pytest.approx(sigma, rel=0.05)
    normals = stream(1, 'sensor/r1/laser1').standard_normal(2, np.float32).astype(float)
    np.testing.assert_allclose(ranges[:2], 1.0 / np.cos(0.5 + sigma * normals), rtol=1e-6)


@pytest.mark.parametrize('pose, expected', [
    pytest.param(Pose(), [5, 4, 3, 2], id='at the reference point'),
    pytest.param(Pose(x=1.0), [6, 4, 2, 2], id='forward'),
    pytest.param(Pose(x=1.0, z=2.0, yaw=np.pi / 2), [4, 2, 2, 6], id='turned left'),
    pytest.param(Pose(yaw=np.pi / 2, roll=np.pi), [4, 5, 2, 3], id='turned left, hanging'),
])
def test_mounting(pose, expected):
    # walls 3 ahead, 2 left, 5 behind, 4 right of the vehicle, which looks along y
    room = [(-2.0, -5.0), (4.0, -5.0), (4.0, 3.0), (-2.0, 3.0)]
    scan = _lidar(make_scene([room]), fov=2 * np.pi, nrays=4, pose=pose).measure(
        STAMP, _at(yaw=np.pi / 2))
    np.testing.assert_allclose(scan.ranges, expected, rtol=1e-6)


def test_height_overrides_z():
    assert _lidar(make_scene(), height=1.5).pose.z == 1.5


@pytest.mark.parametrize('pose, warnings', [
    pytest.param(Pose(pitch=0.1), 1, id='pitch'), pytest.param(Pose(roll=-0.1), 1, id='roll'),
    pytest.param(Pose(yaw=1.0), 0, id='level'), pytest.param(Pose(roll=np.pi), 0, id='hanging')])
def test_one_warning_where_tilted(caplog, pose, warnings):
    with caplog.at_level(logging.WARNING):
        lidar = _lidar(make_scene(), pose=pose)
        lidar.measure(STAMP, _at())
    assert sum('r1/laser1 is tilted' in record.message for record in caplog.records) == warnings


def test_robots_see_each_other_but_not_themselves():
    caster = PlanarRayCaster(make_scene([square(20.0)], movers=[square(0.5)] * 3))
    poses = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 8.0, 0.0]])
    lidars = [Lidar2D(LaserSpec(name='l', fov=2 * np.pi, nrays=4, **QUIET), f'r{i}', caster,
                      stream(0, str(i))) for i in range(3)]
    states = [_at(*pose, movers=lambda: Movers(poses), mover_index=i)
              for i, pose in enumerate(poses)]
    scans = Lidar2D.measure_together(lidars, STAMP, states)
    assert [scan.sensor for scan in scans] == ['r0/l', 'r1/l', 'r2/l']
    np.testing.assert_allclose([scan.ranges for scan in scans], [
        [20.0, 20.0, 3.5, 20.0], [3.5, 20.0, 16.0, 7.5], [24.0, 7.5, 16.0, 12.0]])
    for lidar, state, scan in zip(lidars, states, scans, strict=True):
        np.testing.assert_array_equal(lidar.measure(STAMP, state).ranges, scan.ranges)


def test_together_is_the_same_as_one_by_one():
    scene = make_scene([square(20.0)], grids=[square(1.0, 5.0)])
    caster = PlanarRayCaster(scene)

    def lidars():
        return [Lidar2D(LaserSpec(name='l', nrays=10 + 7 * i, bodies_visible=i != 2), f'r{i}',
                        caster, stream(0, str(i))) for i in range(4)]
    states = [_at(i, -i, i) for i in range(4)]
    together = Lidar2D.measure_together(lidars(), STAMP, states)
    for scan, lidar, state in zip(together, lidars(), states, strict=True):
        np.testing.assert_array_equal(scan.ranges, lidar.measure(STAMP, state).ranges)
    assert Lidar2D.measure_together([], STAMP, []) == []


@pytest.mark.parametrize('degrees, rays, increment', [
    pytest.param(360, 50, 2e-3, id='all round'), pytest.param(180, 51, 1e-3, id='half a turn'),
    pytest.param(270, 811, 0.1 / 1080, id='three quarters of a turn'),
    pytest.param(180, 1, 0.0, id='one ray')])
def test_the_beam_goes_round_once_in_a_period(degrees, rays, increment):
    scan = _lidar(make_scene(), rolling=True, sensor_period=0.1, fov=np.radians(degrees),
                  nrays=rays).measure(STAMP, _at())
    assert scan.stamp_ns == STAMP - round(1e9 * increment * (rays - 1))
    assert (scan.scan_time, scan.time_increment) == (
        pytest.approx(0.1), pytest.approx(increment))


@pytest.mark.parametrize('rays', [pytest.param(n, id=f'{n} rays') for n in (1, 2, 7, 1081)])
def test_the_first_swept_scan_starts_after_time_0(rays):
    lidar = _lidar(make_scene(), rolling=True, sensor_period=0.1, nrays=rays)
    scan = lidar.measure(lidar.period_ns, _at())
    assert scan.stamp_ns > 0
    assert (scan.stamp_ns * 1e-9 + (rays - 1) * scan.time_increment
            == pytest.approx(0.1, abs=1e-9))


def _before(scan):
    """Return when the rays measure, counted from the last one [s]."""
    rays = len(scan.ranges)
    return scan.time_increment * (np.arange(rays) - rays + 1)


def _ahead(scan):
    """Return x of what the rays meet [m]."""
    return scan.ranges * np.cos(scan.angle_min + scan.angle_increment * np.arange(
        len(scan.ranges)))


def test_rolling_rays_start_where_the_vehicle_was():
    wall = [(10.0, -50.0), (11.0, -50.0), (11.0, 50.0), (10.0, 50.0)]
    lidar = _lidar(make_scene([wall]), rolling=True, sensor_period=0.1, fov=1.5, nrays=100)
    scan = lidar.measure(STAMP, _at(twist_body=np.array([2.0, 0.0, 0.0])))
    np.testing.assert_allclose(_ahead(scan), 10.0 - 2.0 * _before(scan), rtol=1e-6)


def test_rolling_while_turning_on_a_circle():
    corners = np.linspace(0, 2 * np.pi, 5000, endpoint=False)
    ring = 9.0 * np.stack([np.cos(corners), np.sin(corners)], axis=1)
    # the vehicle drives round the centre of the ring: what is around stays as far
    rolling, snapshot = (
        _lidar(make_scene([ring]), rolling=rolling, sensor_period=0.5, nrays=100).measure(
            STAMP, _at(0.0, -2.0, twist_body=np.array([4.0, 0.0, 2.0])))
        for rolling in (True, False))
    np.testing.assert_allclose(rolling.ranges, snapshot.ranges, atol=1e-4)
    assert np.ptp(snapshot.ranges) > 1.0


def test_rolling_sees_movers_where_they_were():
    scene = make_scene(movers=[square(0.5)] * 2)
    lidar = _lidar(scene, rolling=True, sensor_period=0.2, fov=0.15, nrays=20)
    scan = lidar.measure(STAMP, _at(
        mover_index=0, movers=lambda: Movers(
            np.array([[0.0, 0.0, 0.0], [5.0, 0.0, np.pi]]),
            np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]))))
    np.testing.assert_allclose(_ahead(scan), 4.5 - 3.0 * _before(scan), rtol=1e-6)


def test_state_that_is_not_finite():
    with pytest.raises(SensorError, match='r1/laser1'):
        _lidar(make_scene()).measure(STAMP, _at(np.nan))


SENSOR = ('<sensor class="laser" name="l"> <fov_degrees>360</fov_degrees> <nrays>5</nrays> '
          '<range_std_noise>0</range_std_noise> <angle_std_noise_deg>0</angle_std_noise_deg> {}'
          '</sensor> <block name="b"> <init_pose>-3 0 0</init_pose> </block>')


@pytest.mark.parametrize('how, increment, seen', [
    ('<closed_circle>true</closed_circle>', 0.5 * math.pi, [0, 4]),
    ('', 0.4 * math.pi, [0]),
    ('<closed_circle>true</closed_circle> <raytrace_3d>true</raytrace_3d>', 0.5 * math.pi,
     [0, 4])])
def test_the_first_ray_is_repeated_where_asked(how: str, increment: float, seen: list[int],
                                               ) -> None:
    scan = Simulation(load_world_text(SENSOR.format(how), 'a string')).measure('l')
    assert (scan.angle_min, scan.angle_increment) == pytest.approx((-math.pi, increment))
    assert [k for k, distance in enumerate(scan.ranges) if distance < 9.0] == seen
    assert scan.ranges[seen] == pytest.approx([2.5] * len(seen), abs=1e-3)


AWAY = AnimationSpec(keys=(Keyframe(0.0, Pose()), Keyframe(10.0, Pose(10.0))))
WORLD = WorldSpec(simul_timestep=0.01, sensors=(LaserSpec(
    name='eye', fov=math.radians(2), nrays=3, max_range=40.0, range_std_noise=0.0,
    angle_std_noise=0.0, sensor_period=0.1),))


@pytest.mark.parametrize(('things', 'gap', 'speed'), [
    ({'blocks': (BlockSpec('b', init_pose=Pose(5.0, 0.0), static=True, animation=AWAY),)},
     0.5, 1.0),
    ({'elements': (VerticalPlaneSpec(x0=5.0, y0=-1.0, x1=5.0, y1=1.0, thickness=0.2,
                                     animation=AWAY),)}, 0.1, 1.0),
    ({'actors': (ActorSpec('bob', init_pose=Pose(5.0, 0.0), path=PathSpec(
        waypoints=(WaypointSpec(Pose(99.0, 0.0)),))),), 'physics': PhysicsSpec(mode='mvsim')},
     0.3, 1.4),  # a cylinder there; legs elsewhere, with room between them
], ids=['static block', 'wall', 'actor'])
def test_scanners_see_what_moves(things: dict, gap: float, speed: float) -> None:
    """The distance grows as it goes away, and begins anew at a reset."""
    simulation = Simulation(replace(WORLD, **things))
    for _ in range(2):
        ranges = []
        for _ in range(3):
            ranges.append(float(simulation.sensors['eye'].measure().ranges[1]))
            simulation.step(100)
        assert ranges == pytest.approx([5.0 - gap + speed * t for t in (0, 1, 2)], abs=1e-4)
        simulation.reset()


def test_actors_have_handles() -> None:
    """By name, to be read only."""
    simulation = Simulation(replace(WORLD, actors=(ActorSpec('bob', init_pose=Pose(
        5.0, 0.0), path=PathSpec(waypoints=(WaypointSpec(Pose(99.0, 0.0)),))),)))
    simulation.step(100)
    bob = simulation.actors['bob']
    assert bob.pose.x == pytest.approx(6.4)
    assert bob.twist_body == pytest.approx(np.array([1.4, 0.0, 0.0]))
    with pytest.raises(KeyError, match='bob'):
        simulation.actors['eve']


@pytest.mark.parametrize('degrees', [0.0, 25.0, -25.0], ids=str)
def test_scanners_see_how_wheels_are_steered(degrees: float) -> None:
    """A scanner beside a front wheel measures the distance to the edge that it turns to it."""
    angle = math.radians(degrees)
    wheel = WheelSpec((0.0, 1.0, 0.0), diameter=0.8, width=0.2)
    dynamics = AckermannSpec(
        controller=FrontSteerPidController(), max_steer_ang=math.radians(40),
        chassis=ChassisSpec(shape=((-0.5, -0.5), (3.0, -0.5), (3.0, 0.5), (-0.5, 0.5))),
        rl_wheel=wheel, rr_wheel=replace(wheel, pos=(0.0, -1.0, 0.0)),
        fl_wheel=wheel, fr_wheel=wheel, f_wheels_x=2.0, f_wheels_d=2.0)
    car = VehicleSpec('car', dynamics=dynamics, init_pose=Pose(-2.0, -4.0))
    simulation = Simulation(replace(WORLD, vehicles=(car,), sensors=(
        LaserSpec('eye', pose=Pose(0.2, 0.0, yaw=-0.5 * math.pi), nrays=3, fov=0.2,
                  range_std_noise=0.0, angle_std_noise=0.0),)))
    simulation.vehicles['car'].set_steering(0.0, angle)
    simulation.step(2)
    turned = float(simulation.vehicles['car'].wheels['steer'][2])
    assert math.copysign(1.0, turned) * degrees >= 0.0
    # the ray down at x = 0.2 meets the side (y = 0.1) of the wheel, turned about (0, -3)
    expected = 3.0 - (0.1 / math.cos(turned) + 0.2 * math.tan(turned))
    seen = float(simulation.sensors['eye'].measure().ranges[1])
    assert seen == pytest.approx(expected, abs=1e-4)
