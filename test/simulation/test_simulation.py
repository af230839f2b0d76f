# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The public API: time, commands, observations, reset, snapshots, spawning."""

from collections.abc import Callable
import copy
from dataclasses import replace
from pathlib import Path
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import load_world, Pose, Simulation
from mvsim_ros2.errors import ControllerError, PhysicsError, SensorError
from mvsim_ros2.sensors.observations import ImuSample, LaserScan2D, Observation
from mvsim_ros2.world.spec import AnimationSpec, Keyframe, VerticalPlaneSpec

WORLD = """
<mvsim_world version="1.0">
  <element class="vertical_plane">
    <x0>5</x0> <y0>-5</y0> <x1>5</x1> <y1>5</y1> <thickness>0.1</thickness>
  </element>
  <block:class name="crate">
    <mass>5</mass>
    <shape> <pt>-0.2 -0.2</pt> <pt>0.2 -0.2</pt> <pt>0.2 0.2</pt> <pt>-0.2 0.2</pt> </shape>
  </block:class>
  <vehicle:class name="robot">
    <dynamics class="differential">
      <l_wheel pos="0 0.25" mass="1" width="0.05" diameter="0.2" />
      <r_wheel pos="0 -0.25" mass="1" width="0.05" diameter="0.2" />
      <chassis mass="10" zmin="0.05" zmax="0.5">
        <shape> <pt>-0.3 -0.2</pt> <pt>0.3 -0.2</pt> <pt>0.3 0.2</pt> <pt>-0.3 0.2</pt> </shape>
      </chassis>
      <controller class="twist_pid"> <KP>20</KP> <KI>20</KI> <max_torque>20</max_torque>
      </controller>
    </dynamics>
    <friction class="default"> <mu>0.8</mu> </friction>
    <sensor class="laser" name="scan">
      <fov_degrees>360</fov_degrees> <nrays>90</nrays> <max_range>20</max_range>
    </sensor>
    <sensor class="imu" name="imu"> <sensor_period>0.0333333333</sensor_period> </sensor>
  </vehicle:class>
  <vehicle name="r1" class="robot"> <init_pose>0 0 0</init_pose> </vehicle>
  <block name="box" class="crate"> <init_pose>0 3 0</init_pose> </block>
  <block name="pillar" class="crate"> <init_pose>-3 0 0</init_pose> <static>true</static> </block>
</mvsim_world>
"""


@pytest.fixture
def world_file(tmp_path: Path) -> Path:
    """Return a world with one robot, a wall ahead, a box to the left, a pillar behind."""
    path = tmp_path / 'small.world.xml'
    path.write_text(WORLD)
    return path


@pytest.fixture
def sim(world_file: Path) -> Simulation:
    """Return that world in motion."""
    return Simulation.from_file(world_file)


def ray_towards(scan: LaserScan2D, bearing: float) -> float:
    """Return the range of the ray nearest to `bearing` [rad]."""
    index = round((bearing - scan.angle_min) / scan.angle_increment) % len(scan.ranges)
    return float(scan.ranges[index])


def bytes_of(observation: Observation) -> bytes:
    """Return all numbers of an observation, for exact comparison."""
    return b''.join(np.asarray(value).tobytes() for value in vars(observation).values()
                    if not isinstance(value, str) and value is not None)


def drive(sim: Simulation, steps: int = 600) -> list[bytes]:
    """Drive a curve and return everything that was measured and the final state."""
    sim.vehicles['r1'].set_twist(0.6, 0.3)
    seen = [bytes_of(observation) for observation in sim.step(steps)]
    robot = sim.vehicles['r1']
    return [*seen, robot.pose.matrix.tobytes(), robot.wheels.tobytes(),
            repr(robot.odometry.pose).encode()]


def test_time_is_whole_nanoseconds_of_steps(sim: Simulation) -> None:
    assert (sim.dt, sim.time_ns, sim.steps) == (0.005, 0, 0)
    sim.step(3)
    assert (sim.time_ns, sim.steps) == (15_000_000, 3)


def test_stamps_are_positive_ordered_and_on_steps(sim: Simulation) -> None:
    stamps = [observation.stamp_ns for observation in sim.step(400)]
    assert stamps[0] > 0
    assert stamps == sorted(stamps)
    assert all(stamp % 5_000_000 == 0 for stamp in stamps)


@pytest.mark.parametrize('period, rate', [
    *(pytest.param(f'$f{{1/{rate}}}', rate, id=f'{rate} Hz') for rate in (7, 15, 24, 30, 60)),
    pytest.param('0.0333333333', 30, id='rounded'), pytest.param('0.0666666667', 15, id='up'),
    pytest.param('0.01', 100, id='whole steps')])
def test_rounded_periods_lose_no_measurement(world_file: Path, period: str, rate: int) -> None:
    world_file.write_text(WORLD.replace('>0.0333333333<', f'>{period}<'))
    sim = Simulation.from_file(world_file)
    observations = sim.step(500)
    assert sum(isinstance(each, LaserScan2D) for each in observations) == 25
    stamps = [each.stamp_ns for each in observations if isinstance(each, ImuSample)]
    half_way = sim.snapshot()
    rest = [each.stamp_ns for each in sim.step(700) if isinstance(each, ImuSample)]
    steps = [-(-200 * k // rate) for k in range(1, 6 * rate + 1)]
    assert stamps + rest == [5_000_000 * step for step in steps]
    sim.restore(half_way)
    assert [each.stamp_ns for each in sim.step(700) if isinstance(each, ImuSample)] == rest


def test_a_driven_metre(sim: Simulation) -> None:
    robot = sim.vehicles['r1']
    robot.set_twist(0.5, 0.0)
    sim.step(1000)
    robot.set_twist(0.0, 0.0)
    sim.step(400)
    assert robot.pose.x == pytest.approx(2.5, abs=0.1)
    assert robot.pose.y == pytest.approx(0.0, abs=1e-3)
    assert robot.odometry.pose[0] == pytest.approx(robot.pose.x, abs=0.1)
    assert abs(robot.twist_body[0]) < 0.05  # below it the controller lets the robot coast


def test_the_scan_shows_wall_box_and_pillar(sim: Simulation) -> None:
    scan = sim.sensors['r1/scan'].measure()
    assert isinstance(scan, LaserScan2D)
    assert ray_towards(scan, 0.0) == pytest.approx(4.95, abs=0.05)
    assert ray_towards(scan, np.pi / 2) == pytest.approx(2.8, abs=0.05)
    assert ray_towards(scan, -np.pi) == pytest.approx(2.8, abs=0.05)
    assert ray_towards(scan, -np.pi / 2) == np.inf


def test_grouping_of_steps_changes_nothing(world_file: Path) -> None:
    world = load_world(world_file)
    whole, single = Simulation(world), Simulation(world)
    for simulation in (whole, single):
        simulation.vehicles['r1'].set_twist(0.6, 0.3)
    together = [bytes_of(o) for o in whole.step(300)]
    one_by_one = [bytes_of(o) for _ in range(300) for o in single.step()]
    assert together == one_by_one


def test_run_hands_over_what_step_returns(world_file: Path) -> None:
    world = load_world(world_file)
    seen: list[Observation] = []
    Simulation(world).run(1.0, seen.append)
    assert [bytes_of(o) for o in seen] == [bytes_of(o) for o in Simulation(world).step(200)]


def test_reset_repeats_the_run(sim: Simulation) -> None:
    first = drive(sim)
    sim.reset()
    assert sim.time_ns == 0
    assert drive(sim) == first
    sim.reset(seed=5)
    assert drive(sim) != first


@pytest.mark.parametrize('world, start', [
    ('warehouse', Pose(-8.0, 0.0)), ('outdoor', Pose(5.0, 5.0, 0.5))])
def test_a_world_on_uneven_ground_begins_again_with_its_bodies(world: str, start: Pose) -> None:
    """It gives the bits of a new one, and its bodies and kernels' calls are not made anew."""
    def run(simulation: Simulation) -> list[bytes]:
        (name,) = simulation.vehicles
        simulation.set_pose(name, start)
        simulation.vehicles[name].set_twist(1.0, 0.4)
        seen = []
        for _ in range(6):
            simulation.run(0.5)
            seen.append(repr((simulation.vehicles[name].pose, simulation.vehicles[name].odometry,
                              simulation.vehicles[name].collided)).encode())
        return seen

    spec = load_world(world)
    spec = replace(spec, vehicles=tuple(replace(each, sensors=()) for each in spec.vehicles))
    one = Simulation(spec, 1)
    bodies = list(one._physics.vehicles.bodies)
    run(one)
    one.reset(seed=2)
    assert run(one) == run(Simulation(spec, 2))
    assert one._physics.vehicles.bodies[0] is bodies[0] and one._physics._around.relief is not None


def test_warming_up_changes_nothing(world_file: Path) -> None:
    world = load_world(world_file)
    warm = Simulation(world)
    warm.warm_up()
    assert warm.time_ns == 0
    assert drive(warm) == drive(Simulation(world))


def test_restore_continues_to_the_same_bytes(sim: Simulation) -> None:
    drive(sim, 333)
    state = sim.snapshot()
    first = drive(sim)
    sim.restore(state)
    assert sim.steps == 333
    assert drive(sim) == first


def test_restore_brings_back_what_came_and_went(sim: Simulation) -> None:
    sim.spawn_vehicle('r2', 'robot', Pose(x=-1.5))
    state = sim.snapshot()
    sim.remove('r2')
    sim.remove('box')
    sim.restore(state)
    assert list(sim.vehicles) == ['r1', 'r2']
    assert 'box' in sim.blocks
    assert sim.sensors['r2/scan'].measure() is not None


def test_restore_brings_a_vehicle_back_with_its_random_numbers(world_file: Path) -> None:
    world_file.write_text(WORLD.replace(
        'name="imu">', 'name="imu"><angular_velocity_bias_std_noise>0.1'
        '</angular_velocity_bias_std_noise>'))  # numbers are drawn as it is made
    sim = Simulation.from_file(world_file)
    state = sim.snapshot()
    first = drive(sim)
    sim.remove('r1')
    sim.restore(state)
    assert drive(sim) == first


def test_spawned_vehicle_is_driven_and_seen(sim: Simulation) -> None:
    other = sim.spawn_vehicle('r2', 'robot', Pose(y=-2.0, yaw=np.pi / 2))
    scan = sim.sensors['r1/scan'].measure()
    assert isinstance(scan, LaserScan2D)
    assert ray_towards(scan, -np.pi / 2) == pytest.approx(1.7, abs=0.05)
    other.set_twist(-0.5, 0.0)
    sim.step(400)
    assert other.pose.y < -2.5
    assert {o.sensor for o in sim.step(100)} == {'r1/scan', 'r1/imu', 'r2/scan', 'r2/imu'}


def test_removed_block_is_neither_hit_nor_seen(sim: Simulation) -> None:
    sim.remove('pillar')
    scan = sim.sensors['r1/scan'].measure()
    assert isinstance(scan, LaserScan2D)
    assert ray_towards(scan, -np.pi) == np.inf
    assert 'pillar' not in sim.blocks


def test_static_block_that_was_put_elsewhere_is_seen_there(sim: Simulation) -> None:
    sim.set_pose('pillar', Pose(x=-2.0))
    scan = sim.sensors['r1/scan'].measure()
    assert isinstance(scan, LaserScan2D)
    assert ray_towards(scan, -np.pi) == pytest.approx(1.8, abs=0.05)


def test_reset_takes_out_what_was_spawned(sim: Simulation) -> None:
    sim.spawn_block('more', 'crate', Pose(x=2.0))
    sim.spawn_vehicle('r2', 'robot', Pose(x=-1.5))
    sim.reset()
    assert list(sim.vehicles) == ['r1']
    assert list(sim.blocks) == ['box', 'pillar']
    assert list(sim.sensors) == ['r1/scan', 'r1/imu']


def test_set_pose_moves_the_robot_and_its_velocity(sim: Simulation) -> None:
    sim.set_pose('r1', Pose(1.0, 2.0, 0.0, np.pi / 2), (0.4, 0.0, 0.0))
    robot = sim.vehicles['r1']
    sim.step()
    assert robot.pose.x == pytest.approx(1.0, abs=1e-3)
    assert robot.pose.y == pytest.approx(2.002, abs=1e-3)


def test_sensor_that_is_off_measures_nothing(sim: Simulation) -> None:
    sim.set_enabled('r1/scan', False)
    assert {o.sensor for o in sim.step(200)} == {'r1/imu'}
    sim.set_enabled('r1/scan', True)
    assert {o.sensor for o in sim.step(200)} == {'r1/imu', 'r1/scan'}


def test_without_sensors_the_motion_is_the_same(world_file: Path) -> None:
    world = load_world(world_file)
    poses = []
    for sensors in (True, False):
        simulation = Simulation(world, sensors=sensors)
        simulation.vehicles['r1'].set_twist(0.5, 0.2)
        observations = simulation.step(500)
        assert bool(observations) == sensors
        poses.append(simulation.vehicles['r1'].pose)
    assert poses[0] == poses[1]


def test_collision_is_latched_until_read(sim: Simulation) -> None:
    robot = sim.vehicles['r1']
    robot.set_twist(1.0, 0.0)
    sim.step(1400)
    robot.set_twist(-0.5, 0.0)
    sim.step(400)
    assert robot.pose.x < 4.0
    assert robot.collided
    assert not robot.collided


@pytest.mark.parametrize(('call', 'error', 'message'), [
    pytest.param(lambda sim: sim.vehicles['r1'].set_torques(1.0, 1.0), ControllerError,
                 'twist_pid', id='torques to a twist controller'),
    pytest.param(lambda sim: sim.vehicles['r1'].set_twist(np.nan, 0.0), ControllerError,
                 'not finite', id='command that is no number'),
    pytest.param(lambda sim: sim.spawn_vehicle('r1', 'robot', Pose()), PhysicsError,
                 'already', id='name taken'),
    pytest.param(lambda sim: sim.spawn_vehicle('r2', 'tank', Pose()), PhysicsError,
                 'robot', id='class not known'),
    pytest.param(lambda sim: sim.remove('nobody'), PhysicsError, 'r1', id='nothing to remove'),
    pytest.param(lambda sim: sim.set_enabled('scan', True), SensorError, 'r1/scan',
                 id='sensor not known'),
    pytest.param(lambda sim: sim.vehicles['r9'], KeyError, 'r1', id='vehicle not there'),
    pytest.param(lambda sim: sim.step(-1), ValueError, 'forward', id='backward in time'),
    pytest.param(lambda sim: sim.step(1.5), TypeError, 'integer', id='part of a step'),
    *(pytest.param(lambda sim, duration=duration: sim.run(duration), ValueError, 'finite',
                   id=f'run for {duration}') for duration in (-1.0, np.nan, np.inf)),
    *(pytest.param(lambda sim, state=state: sim.restore(state), PhysicsError, 'no snapshot of',
                   id=f'snapshot {state}') for state in ({}, {'world': 'other.world.xml'})),
])
def test_bad_calls_say_what_is_there(sim: Simulation, call: Callable[[Simulation], object],
                                     error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(sim)


def test_a_snapshot_of_the_other_mode_is_refused(world_file: Path) -> None:
    state = Simulation.from_file(world_file, physics='mvsim').snapshot()
    with pytest.raises(PhysicsError, match="taken in physics mode 'mvsim'.*physics='mvsim'"):
        Simulation.from_file(world_file, physics='physical').restore(state)


def test_footprints_are_those_of_the_solid_bodies(world_file: Path) -> None:
    visual = '<visual><geometry type="box" lx="3" ly="1" lz="2"/></visual>'
    world_file.write_text(WORLD.replace('</dynamics>', f'</dynamics>{visual}').replace(
        'zmax="0.5">', 'zmax="0.5"><shape_from_visual/>').replace(
        '</mvsim_world>', '<actor name="jo"><init_pose>2 2 0</init_pose></actor></mvsim_world>'))
    sim = Simulation.from_file(world_file, sensors=False)

    def reach(name: str) -> list[float]:
        thing = {**sim.vehicles, **sim.blocks, **sim.actors}[name].footprint
        x, y = np.max(thing.polygon, axis=0)
        return [float(x), float(y), thing.zmax]

    assert reach('r1') == pytest.approx([3.0, 1.0, 2.0])  # a box has its corner at the origin
    assert reach('box') == pytest.approx([0.2, 0.2, 1.0])
    assert reach('jo')[0] == pytest.approx(0.3, abs=0.02)
    assert sim.spawn_vehicle('r2', 'robot', Pose(0.0, 6.0)).footprint == (
        sim.vehicles['r1'].footprint)


def test_elements_come_and_go_and_stop_bodies_and_beams(sim: Simulation) -> None:
    wall = VerticalPlaneSpec(name='screen', x0=1.0, y0=-2.0, x1=1.0, y1=2.0)
    sim.run(0.5)
    before = sim.vehicles['r1'].pose, sim.time_ns
    sim.add_element(wall)
    assert (sim.vehicles['r1'].pose, sim.time_ns) == before
    assert [each.name for each in sim.elements] == ['vertical_plane1', 'screen']
    assert sim.cast_rays((0.0, 0.0), [0.0], 10.0, ignore='r1') == pytest.approx([0.99])
    scan = sim.measure('r1/scan')
    assert isinstance(scan, LaserScan2D)
    assert ray_towards(scan, 0.0) == pytest.approx(1.0, abs=0.1)
    sim.vehicles['r1'].set_twist(0.5, 0.0)
    sim.run(3.0)
    assert sim.vehicles['r1'].pose.x == pytest.approx(0.69, abs=0.02)
    sim.remove_element('screen')
    sim.run(3.0)
    assert sim.vehicles['r1'].pose.x > 1.5
    sim.add_element(wall)
    sim.reset()
    assert [each.name for each in sim.elements] == ['vertical_plane1']
    assert sim.cast_rays((0.0, 0.0), [0.0], 10.0, ignore='r1') == pytest.approx([4.95])


def test_elements_that_cannot_come(sim: Simulation) -> None:
    steps = Keyframe(0.0, Pose()), Keyframe(1.0, Pose(x=1.0))
    for element, said in (
            (VerticalPlaneSpec(name='vertical_plane1'), 'needs a name that no other'),
            (VerticalPlaneSpec(), 'needs a name'),
            (VerticalPlaneSpec(name='door', animation=AnimationSpec(keys=steps)), 'keyframes')):
        with pytest.raises(PhysicsError, match=said):
            sim.add_element(element)
    with pytest.raises(PhysicsError, match='there is no element'):
        sim.remove_element('door')
    assert [each.name for each in sim.elements] == ['vertical_plane1']


def test_runs_that_are_no_whole_steps_add_up() -> None:
    simulation = Simulation.from_file('demo')
    for _ in range(30):
        simulation.run(1 / 30)
    assert simulation.time == 1.0
    for _ in range(100):
        simulation.run(0.002)
    assert simulation.time == pytest.approx(1.2, abs=1e-12)
    simulation.run(0.002)
    simulation.step()  # what was left is not made up for after other steps
    simulation.run(0.001)
    assert simulation.steps == 241
    state = simulation.snapshot()
    simulation.run(0.002)
    simulation.restore(state)
    simulation.run(0.002)
    simulation.reset()
    simulation.run(0.002)
    assert simulation.steps == 0


@pytest.mark.parametrize('copied', [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_simulation_says_what_to_do_in_place_of_a_copy(copied: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r'keep a snapshot\(\) for restore\(\)'):
        copied([Simulation.from_file('demo')] if copied is not copy.copy else
               Simulation.from_file('demo'))


def test_warnings_of_the_engine_are_no_errors() -> None:
    """Where warnings are errors, its binding crashes."""
    done = subprocess.run([sys.executable, '-W', 'error', '-c', 'import mvsim_ros2\n'
                           'print(mvsim_ros2.Simulation.from_file("demo").steps)'],
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, '0\n'), done.stderr
