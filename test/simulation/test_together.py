# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rounds of many simulations give what each of them gives by itself.

:claim: Worlds that step together move as worlds that step alone, bit for bit
:reference: `Simulation.step`
"""

from dataclasses import replace
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Pose, Simulation
from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.simulation.carriers import Carrier, STATE
from mvsim_ros2.simulation.together import Rounds
from mvsim_ros2.world.spec import WorldSpec

STEPS = 20  # of 5 ms: the scans are due each 0.1 s


def started(seed: int) -> Simulation:
    """Return a world in which two robots drive, one of them at a wall."""
    simulation = Simulation.from_file('two_robots', seed)
    simulation.vehicles['r1'].set_twist(0.6, 0.1 * seed)
    simulation.vehicles['r2'].set_twist(1.0, 0.0)
    for name in simulation.sensors:
        simulation.set_enabled(name, name.endswith('/scan'))
    return simulation


def without_sensors(world: str | WorldSpec, seed: int) -> Simulation:
    """Return a simulation whose sensors are off."""
    simulation = Simulation(load_world(world) if isinstance(world, str) else world, seed)
    for name in simulation.sensors:
        simulation.set_enabled(name, False)
    return simulation


def carried(simulation: Simulation, *names: str) -> list[Carrier]:
    """Return vehicles of a world, both robots without a name."""
    names = names or ('r1', 'r2')
    rays = simulation.measure(f'{names[0]}/scan').ranges.shape  # type: ignore[union-attr]
    return [Carrier(simulation, name, np.zeros(STATE), {'scan': np.zeros((2, *rays), np.float32)})
            for name in names]


@pytest.fixture(scope='module', autouse=True)
def machine_code() -> None:
    """Run compiled code, without which there are no calls to be made together."""
    if not use_machine_code():
        pytest.skip('numba is not installed')


@pytest.mark.parametrize('threads', [1, 3])
def test_rounds_are_steps_and_scans_bit_by_bit(threads: int) -> None:
    """Poses, touches and scans are those of simulations that are stepped one by one."""
    alone, other = [started(seed) for seed in (1, 2)], [started(seed) for seed in (1, 2)]
    for each in alone:
        carried(each)  # measures as the others do, for the same noise
    carriers = [each for simulation in other for each in carried(simulation)]
    assert not any(each.obstacle(STEPS) for each in carriers)
    rounds, touched = Rounds(carriers, STEPS, threads), False
    for _ in range(60):
        rounds.run()
        for simulation, pair in zip(alone, (carriers[:2], carriers[2:]), strict=True):
            seen = {each.sensor: each for each in simulation.step(STEPS)}
            for carrier in pair:
                robot = simulation.vehicles[carrier.vehicle]
                expected = [robot.pose.x, robot.pose.y, robot.pose.yaw, *robot.twist_body,
                            robot.collided, 0.0]
                assert carrier.state.tolist() == expected
                touched |= bool(carrier.state[6])
                scan = seen[f'{carrier.vehicle}/scan']
                assert isinstance(scan, LaserScan2D)
                assert carrier.scans['scan'][0].tobytes() == scan.ranges.tobytes()
    assert touched


def test_commands_are_those_of_the_handles() -> None:
    """What a round commands drives a robot, bit by bit, as `set_twist` does."""
    alone, other = started(1), started(1)
    carried(alone)
    carriers = [replace(each, twist=np.zeros(2)) for each in carried(other)]
    assert all(each.takes_twists for each in carriers)
    rounds, random = Rounds(carriers, STEPS), np.random.default_rng(3)
    for _ in range(20):
        for carrier in carriers:
            assert carrier.twist is not None
            carrier.twist[:] = random.uniform(-1.0, 1.0, 2)
            alone.vehicles[carrier.vehicle].set_twist(*carrier.twist.tolist())
        rounds.run()
        alone.step(STEPS)
        for carrier in carriers:
            there = alone.vehicles[carrier.vehicle]
            assert carrier.state[:6].tolist() == [
                there.pose.x, there.pose.y, there.pose.yaw, *there.twist_body]
    yard = Simulation.from_file('yard')
    taking = {name: Carrier(yard, name, np.zeros(STATE), {}).takes_twists
              for name in yard.vehicles}
    assert set(taking.values()) == {True, False}, taking


def test_lidars_see_wheels_that_are_steered(tmp_path: Path) -> None:
    """Scans between two cars, which steer by themselves, are the same bit by bit."""
    world = tmp_path / 'cars.world.xml'
    car = """<vehicle name="{0}" class="car"><init_pose>{1}</init_pose>
      <sensor class="laser" name="scan"><fov_degrees>360</fov_degrees><nrays>360</nrays>
        <pose_3d>0 0 0.1 0 0 0</pose_3d><sensor_period>0.1</sensor_period></sensor></vehicle>"""
    world.write_text(f"""<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
      <vehicle:class name="car"><dynamics class="ackermann">
        <controller class="front_steer_pid"/></dynamics></vehicle:class>
      {car.format('a', '0 0 0')}{car.format('b', '4 3 90')}</mvsim_world>""")
    alone, other = (Simulation.from_file(world, 1) for _ in range(2))
    carried(alone, 'a', 'b')
    carriers = carried(other, 'a', 'b')
    assert not any(each.obstacle(STEPS) for each in carriers)
    rounds, scans = Rounds(carriers, STEPS), []
    for angle in (0.0, 0.4, -0.3, 0.1):
        for simulation in (alone, other):
            for vehicle in simulation.vehicles.values():
                vehicle.set_steering(0.0, angle)
        rounds.run()
        seen = {each.sensor: each for each in alone.step(STEPS)}
        for carrier in carriers:
            scan = seen[f'{carrier.vehicle}/scan']
            assert isinstance(scan, LaserScan2D)
            assert carrier.scans['scan'][0].tobytes() == scan.ranges.tobytes()
        scans.append(carriers[0].scans['scan'][0].copy())
    near = scans[0] < 5.0
    assert all((np.abs(scan[near] - scans[0][near]) > 0.01).any() for scan in scans[1:])


def test_the_schedule_goes_on_where_rounds_end() -> None:
    """What is measured after rounds has the times and the noise of a run without them."""
    alone, other = started(1), started(1)
    carried(alone)
    rounds = Rounds(carried(other), STEPS)
    for _ in range(3):
        rounds.run()
        alone.step(STEPS)
    kept = other.snapshot()
    for _ in range(2):
        expected, found = alone.step(STEPS + 5), other.step(STEPS + 5)
        assert [(each.sensor, each.stamp_ns) for each in found] == [
            (each.sensor, each.stamp_ns) for each in expected]
        assert [each.ranges.tobytes() for each in found if isinstance(each, LaserScan2D)] == [
            each.ranges.tobytes() for each in expected if isinstance(each, LaserScan2D)]
    other.restore(kept)
    assert [each.stamp_ns for each in other.step(STEPS)] == [400_000_000] * 2


def test_calls_follow_things_that_come_and_move() -> None:
    """A vehicle that is put elsewhere, or noise that is switched off, is taken in."""
    alone, other = started(1), started(1)
    carried(alone)
    carriers = carried(other)
    rounds = Rounds(carriers, STEPS)
    rounds.run()
    alone.step(STEPS)
    for each in (alone, other):
        each.set_noise(False)
        each.set_pose('r1', each.vehicles['r2'].pose)
        each.reset(7)
        each.vehicles['r1'].set_twist(0.3, 0.5)
    rounds.run()
    (scan, _) = alone.step(STEPS)
    assert isinstance(scan, LaserScan2D)
    assert carriers[0].scans['scan'][0].tobytes() == scan.ranges.tobytes()


def test_what_does_not_suit() -> None:
    """Scans that are not due after a round, and sensors that measure more often, are refused."""
    simulation = started(1)
    (carrier, _) = carried(simulation)
    assert 'a step takes' in (carrier.obstacle(STEPS + 1) or '')
    simulation.set_enabled('r1/imu', True)
    assert (carrier.obstacle(STEPS) or '').startswith('imu measures every 0.01 s, but a step')


@pytest.mark.parametrize('threads, worlds', [(1, 11), (2, 11), (3, 29)])
def test_worlds_together_are_worlds_alone(threads: int, worlds: int) -> None:
    """Worlds with one robot each come to the same bits whichever thread moves them."""
    alone, together = ([without_sensors('demo', seed) for seed in range(worlds)]
                       for _ in range(2))
    carriers = [Carrier(each, 'robot', np.zeros(STATE), {}) for each in together]
    rounds = Rounds(carriers, STEPS, threads)
    random, touched = np.random.default_rng(2), False
    for number in range(80):
        if number == 20:  # one is tilted by hand
            for each in (alone[4], together[4]):
                each.set_pose('robot', Pose(0.5, 0.5, 0.2, 0.3, 0.02, 0.0))
        for i, (one, other) in enumerate(zip(alone, together, strict=True)):
            twist = random.uniform(-1.5, 1.5, 2) * (random.uniform() > 0.2)
            if i % 3 == 0:  # until it meets something
                twist = np.array([1.0, 0.0])
            for each in (one, other):
                each.vehicles['robot'].set_twist(*twist)
            one.step(STEPS)
            assert one.steps == other.steps + STEPS, i
        rounds.run()
        for one, other, carrier in zip(alone, together, carriers, strict=True):
            robot, same = one.vehicles['robot'], other.vehicles['robot']
            assert robot.pose == same.pose
            assert robot.wheels.tobytes() == same.wheels.tobytes()
            assert robot.odometry.pose == same.odometry.pose
            touched |= bool(carrier.state[6])
    assert touched


def test_worlds_keep_their_own_gravity() -> None:
    """Robots on the moon slip where others do not, whichever worlds are moved together."""
    demo = load_world('demo')
    specs = [replace(demo, gravity=gravity) for gravity in (9.81, 1.62, 9.81, 1.62)]
    alone, together = ([without_sensors(spec, 1) for spec in specs] for _ in range(2))
    for each in (*alone, *together):
        each.vehicles['robot'].set_twist(1.0, 0.5)
    rounds = Rounds([Carrier(each, 'robot', np.zeros(STATE), {}) for each in together], STEPS)
    for _ in range(5):
        rounds.run()
    for one, other in zip(alone, together, strict=True):
        one.step(5 * STEPS)
        assert one.vehicles['robot'].wheels.tobytes() == other.vehicles['robot'].wheels.tobytes()
    assert alone[0].vehicles['robot'].pose != alone[1].vehicles['robot'].pose


def test_noise_is_drawn_where_rounds_end_within_it() -> None:
    """Odometers drift by the numbers of `standard_normal`, 200 steps of them at once."""
    alone, together = ([without_sensors('demo', seed) for seed in (5, 6)] for _ in range(2))
    for each in (*alone, *together):
        each.vehicles['robot'].set_twist(0.5, 0.4)
    carriers = [Carrier(each, 'robot', np.zeros(STATE), {}, odometry=np.zeros(7))
                for each in together]
    rounds = Rounds(carriers, 30)
    for number in range(1, 31):
        rounds.run()
        for one, other, carrier in zip(alone, together, carriers, strict=True):
            one.step(30)
            x, y, yaw = one.vehicles['robot'].odometry.pose
            assert (x, y, yaw) == other.vehicles['robot'].odometry.pose
            expected = x, y, math.cos(yaw), math.sin(yaw), *one.vehicles['robot'].odometry.twist
            assert carrier.odometry is not None and (*carrier.odometry.tolist(),) == expected
            drawn = stream(one.seed, 'odometry/robot')
            for _ in range(-(-30 * number // 200)):
                noise = drawn.standard_normal((2, 200))
            for each in (one, other):
                assert (each._physics.vehicles.arrays.noise[0] == noise).all()


def test_a_world_that_is_lost_is_named() -> None:
    """A robot whose forces are no numbers ends the round of all worlds."""
    worlds = [without_sensors('demo', seed) for seed in range(9)]
    rounds = Rounds([Carrier(each, 'robot', np.zeros(STATE), {}) for each in worlds], STEPS)
    rounds.run()
    worlds[6]._physics.vehicles.arrays.records['turn_inertia'] = np.nan
    with pytest.raises(PhysicsError, match="vehicle 'robot' has no finite position after step"):
        rounds.run()
