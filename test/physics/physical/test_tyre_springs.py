# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tyres as vertical springs, against closed forms."""

import math
import subprocess
import sys

import numpy as np
import pytest
from small_worlds import changed, physical, physics, run, slope, vehicle, world_with

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.state.spatial_motion import vehicle_motion
from mvsim_ros2.world.spec import BlockSpec, GeometrySpec, WheelSpec

G = 9.81
PROGRAM = """
from dataclasses import replace

from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.physical import contact_solve, ground_contacts, step
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.world.spec.vehicle.dynamics import DifferentialSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

wheels = {{name: replace(getattr(DifferentialSpec(), name), tyre_stiffness={})
          for name in ('l_wheel', 'r_wheel')}}
world = PhysicsWorld(
    WorldSpec(vehicles=(VehicleSpec('r1', dynamics=DifferentialSpec(**wheels)),)),
    RandomStreams(0))
use_machine_code()
world.step(5)
print([bool(kernel.table[0]) for kernel in (
    contact_solve.solve_contacts, ground_contacts.find_contacts,
    step.drive_in_space)])
"""


def on_springs(vehicle, stiffness, damping):
    """Return a vehicle whose tyres are such springs."""
    return changed(vehicle, wheels={'tyre_stiffness': stiffness, 'tyre_damping': damping})


def sprung(kind='diff4', controller='raw', dt=0.001, stiffness=1e4, damping=0.0, centred=False,
           world=None, **changes):
    """Return a world with one vehicle on such springs, and further fields of both."""
    spec = vehicle(kind, controller, **changes,
                   chassis={'centre_of_mass': (0.0, 0.0, 0.3)} if centred else None)
    return physical(on_springs(spec, stiffness, damping), dt=dt, **(world or {}))


def energy(world):
    """Return the energy of a body and its tyres on level ground [J]."""
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    z, _, pitch, roll = world.vehicles.pose[0, 2:].tolist()
    bottom = z - math.sin(pitch) * wheels['x'] + math.cos(pitch) * math.sin(roll) * wheels['y']
    moving = sum(record['mass'] * record[f'v_{axis}'] ** 2
                 + record[name] * record[f'w_{axis}'] ** 2
                 for axis, name in zip('xyz', ('roll_inertia', 'pitch_inertia', 'turn_inertia')))
    return float(0.5 * moving + record['mass'] * G * record['centre_z']
                 + 0.5 * np.sum(wheels['tyre_stiffness'] * np.maximum(-bottom, 0.0) ** 2))


@pytest.mark.parametrize('stiffness', [1e3, 1e5, 1e7], ids=['soft', 'usual', 'hard'])
def test_it_sinks_in_by_its_weight(dt, stiffness):
    """The deflection at rest is m g over the sum of the stiffness, from the first step on."""
    world = sprung(dt=dt, stiffness=stiffness, centred=True)
    for _ in range(3):
        expected = -world.vehicles.arrays.records[0]['mass'] * G / (4.0 * stiffness)
        assert world.vehicles.pose[0, 2] == pytest.approx(expected, rel=1e-6)
        assert world.vehicles.pose[0, 4:6] == pytest.approx([0.0, 0.0], abs=1e-9)
        world.step(20)


@pytest.mark.parametrize('kind', ['diff2', 'diff3', 'diff4', 'ack', 'single', 'skid6'])
def test_loads_at_rest_are_those_of_the_lever(dt, kind):
    """Equal springs share the load as the smallest sum of squares does; it leans as they give."""
    world = sprung(kind, dt=dt, stiffness=5e4, damping=300.0)
    world.step(200)
    wheels, weight = world.vehicles.wheels, G * world.vehicles.arrays.records['mass'][0]
    assert wheels['normal_load'] == pytest.approx(weight * wheels['rest_share'],
                                                  abs=0.005 * weight)


def test_loads_on_a_slope_are_those_of_hard_tyres():
    """A held robot on a slope: the lower wheels carry more, by the height of its centre."""
    loads = []
    for stiffness in (0.0, 5e4):
        world = sprung('diff4', 'pid', 0.005, stiffness, 0.01 * stiffness,
                       world={'elements': (slope(0.2),)})
        world.step(1000)
        loads.append(world.vehicles.wheels['normal_load'].copy())
        assert world.vehicles.pose[0, 4] == pytest.approx(-math.atan(0.2), abs=0.02)
    # its centre of mass is lower by the millimetre that the tyres give
    assert loads[1] == pytest.approx(loads[0], rel=1e-3)


@pytest.mark.parametrize('ratio', [0.0, 0.1, 0.5], ids=['undamped', 'damped', 'much damped'])
def test_heave_swings_as_a_mass_on_a_spring(ratio):
    """Frequency sqrt(sum k / m), damping ratio sum c / (2 sqrt(m sum k)), at 1 ms."""
    mass = float(sprung().vehicles.arrays.records['mass'][0])
    natural = math.sqrt(4e4 / mass)
    world = sprung(damping=0.5 * ratio * math.sqrt(mass * 4e4), centred=True)
    record = world.vehicles.arrays.records[0]
    world.step()
    low, at = float(record['centre_z']), []
    record['centre_z'] += 1e-3
    for _ in range(500):
        world.step()
        at.append((record['centre_z'] - low) / 1e-3)
    time = 0.001 * np.arange(1, 501)
    turning = natural * math.sqrt(1.0 - ratio ** 2)
    expected = np.exp(-ratio * natural * time) * (
        np.cos(turning * time) + ratio * natural / turning * np.sin(turning * time))
    # velocities are half a step ahead of places: w h / 2 = 0.023
    assert np.array(at) == pytest.approx(expected, abs=0.025)
    crossings = np.flatnonzero(np.diff(np.sign(at)))
    if ratio < 0.3:
        period = 2e-3 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
        assert period == pytest.approx(2.0 * math.pi / turning, rel=0.02)


@pytest.mark.parametrize('damping', [0.0, 40.0], ids=['undamped', 'damped'])
@pytest.mark.parametrize('stiffness', [1e3, 1e4, 1e5, 1e6, 1e7], ids=str)
def test_what_falls_never_bounces_higher_and_gains_no_energy(dt, stiffness, damping):
    """From 5 cm, askew: wheels meet and leave the ground one by one."""
    world = sprung(dt=dt, stiffness=stiffness, damping=damping)
    world.vehicles.pose[0, [2, 4, 5]] = 0.05, -0.02, -0.03
    world.step()
    first = energy(world)
    for _ in range(round(2.0 / dt)):
        world.step()
        assert energy(world) <= 1.001 * first  # swings about its mean by the step
        assert (world.vehicles.wheels['normal_load'] >= 0.0).all()
    assert np.isfinite(world.vehicles.pose).all()


def test_straight_down_it_bounces_up_to_the_start_at_most(dt):
    """From 5 cm: without damping nearly as high again at 1 ms, never higher at any step."""
    world = sprung(dt=dt, centred=True)
    record = world.vehicles.arrays.records[0]
    up = float(record['com_height'])
    world.vehicles.pose[0, 2] = 0.05
    heights, loads = [], []
    for _ in range(round(1.0 / dt)):
        world.step()
        heights.append(float(record['centre_z']) - up)
        loads.append(float(world.vehicles.wheels['normal_load'].sum()))
    assert max(heights) <= 0.05
    assert min(loads) == 0.0
    assert min(heights) < -0.01
    if dt == 0.001:
        back = heights[heights.index(min(heights)):]
        assert max(back) == pytest.approx(0.05, abs=2e-3)


@pytest.mark.parametrize('stiffness', [1e3, 1e5, 1e7], ids=['soft', 'usual', 'hard'])
@pytest.mark.parametrize('kind', ['diff2', 'diff3', 'ack', 'single'])
def test_driving_stays_finite(dt, kind, stiffness):
    """Full torque one way and the other, at any step and stiffness."""
    world = sprung(kind, dt=dt, stiffness=stiffness, damping=10.0)
    count = 1 if kind == 'single' else 2
    for torque in (200.0, -300.0, 50.0):
        world.vehicles.set_torques(0, (torque,) * count)
        world.step(round(0.5 / dt))
        assert np.isfinite(world.vehicles.pose).all()
        assert (world.vehicles.wheels['normal_load'] >= 0.0).all()


def test_braking_loads_the_front_as_without(dt):
    """
    A steady stop of a car: the loads of hard tyres, and what its nose adds that dives.

    ``m g (h - R) p`` of the weight before the contacts, less ``m b (h - z)`` of the lower centre
    of mass at z.
    """
    loads, dives = [], []
    fields = {'init_twist': (20.0, 0.0, 0.0)}
    for world in (world_with('ack', 'twist_front', dt, **fields),
                  sprung('ack', 'twist_front', dt, 2e5, 3e3, **fields)):
        world.vehicles.arrays.records['stopped'] = 100.0
        run(world, 1.5)
        loads.append(world.vehicles.wheels['normal_load'].copy())
        assert world.vehicles.twist_body[0, 0] > 2.0
        dives.append(world.vehicles.pose[0, 4])
    record = world.vehicles.arrays.records[0]
    height, weight = record['com_height'], G * record['mass']
    moment = weight * ((height - world.vehicles.wheels['radius'][0]) * dives[1]
                       - 0.8 * (height - record['centre_z']))
    moved = 0.5 / 1.3 * moment * np.array((-1.0, -1.0, 1.0, 1.0))
    assert loads[1] == pytest.approx(loads[0] + moved, rel=3e-3)
    front, rear = loads[1][2:].mean() / 2e5, loads[1][:2].mean() / 2e5
    assert math.sin(dives[1]) == pytest.approx((front - rear) / 1.3, rel=0.01)


def test_a_circle_loads_the_outer_wheels_as_without(dt):
    """A steady bend of a car: within 1 % of hard tyres, and it leans outwards."""
    loads, leans = [], []
    for world in (sprung('ack', 'twist_front', dt, 2e5, 3e3),
                  world_with('ack', 'twist_front', dt)):
        world.vehicles.set_twist(0, 6.0, 0.5)
        run(world, 12.0)
        loads.append(world.vehicles.wheels['normal_load'].copy())
        leans.append(world.vehicles.pose[0, 5])
    assert loads[0] == pytest.approx(loads[1], rel=0.01)
    left, right = loads[0][[0, 2]].mean() / 2e5, loads[0][[1, 3]].mean() / 2e5
    assert right > 1.1 * left
    assert math.sin(leans[0]) == pytest.approx((right - left) / 2.0, rel=0.01)


def test_a_bump_is_a_peak_of_load_and_then_over(dt):
    """A car at 5 m/s over 3 cm: the loads rise above those at rest, and come back to them."""
    bump = BlockSpec('bump', init_pose=Pose(4.0, 0.0, 0.0, math.pi / 2.0), intangible=True,
                     shape_from_visual=True,
                     geometry=GeometrySpec('semi_cylinder_bump', lx=4.0, ly=0.5, lz=0.03))
    world = sprung('ack', 'raw', dt, 2e5, 3e3, init_twist=(5.0, 0.0, 0.0),
                   world={'blocks': (bump,)})
    quiet = world.vehicles.wheels['normal_load'].copy()
    low = float(world.vehicles.pose[0, 2])
    peaks, heights = [], []
    for _ in range(round(2.5 / dt)):
        world.step()
        peaks.append(world.vehicles.wheels['normal_load'].copy())
        heights.append(float(world.vehicles.pose[0, 2]))
    assert (np.max(peaks, axis=0) > 1.3 * quiet).all()
    assert (np.max(peaks, axis=0) < 12.0 * quiet).all()
    assert max(heights) > low + 0.01
    assert peaks[-1] == pytest.approx(quiet, rel=0.02)
    assert heights[-1] == pytest.approx(low, abs=2e-4)


def test_its_motion_in_space_is_that_on_the_springs():
    """Falling freely it is weightless, and height and pitch change as fast as it says."""
    world = sprung(damping=20.0)
    world.vehicles.pose[0, [2, 4]] = 0.1, -0.03
    rows = np.array([0])
    world.step(10)
    motion = vehicle_motion(world.vehicles, rows)
    assert motion.acceleration[0, 2] == pytest.approx(-G, rel=1e-3)
    world.step(200)
    before = world.vehicles.pose[0].copy()
    world.step(1)
    motion = vehicle_motion(world.vehicles, rows)
    change = (world.vehicles.pose[0] - before) / world.dt
    assert motion.velocity[0, 2] == pytest.approx(change[2], rel=0.05, abs=1e-3)
    assert motion.rate[0, 1] == pytest.approx(change[4], rel=0.05, abs=1e-3)


def test_off_a_step_it_falls():
    """Driving off a kerb of 10 cm the wheels hang in the air, and it comes down later."""
    kerb = BlockSpec('kerb', init_pose=Pose(0.0, 0.0), intangible=True, zmin=0.0, zmax=0.1,
                     shape=((-3.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-3.0, 2.0)))
    world = sprung(dt=0.001, damping=100.0, init_twist=(3.0, 0.0, 0.0),
                   init_pose=Pose(0.0, 0.0, 0.1), world={'blocks': (kerb,)})
    assert 0.09 < world.vehicles.pose[0, 2] < 0.1
    airborne = 0
    for _ in range(1500):
        world.step()
        airborne += not world.vehicles.wheels['normal_load'].all()
    assert airborne > 20
    assert -0.01 < world.vehicles.pose[0, 2] < 0.0


def test_snapshots_and_reset_know_the_springs():
    """A run continues to the last bit, and starts anew at rest."""
    world = sprung('ack', 'twist_front', 0.005, 2e5, 1e3)
    first = world.vehicles.pose.copy()
    world.vehicles.set_twist(0, 4.0, 0.4)
    world.step(137)
    state = world.snapshot()
    ends = []
    for _ in range(2):
        world.step(100)
        ends.append((world.vehicles.pose.tobytes(), world.vehicles.wheels.tobytes(),
                     world.vehicles.arrays.records.tobytes()))
        world.restore(state)
    assert ends[0] == ends[1]
    world.reset()
    assert (world.vehicles.pose == first).all()
    world.set_pose('r1', Pose(1.0, 2.0))
    assert world.vehicles.pose[0, 2] == pytest.approx(first[0, 2])


def test_calls_of_any_length_give_the_same_numbers():
    """One step at a time or many."""
    ends = []
    for count in (1, 50):
        spec = on_springs(vehicle('ack', 'twist_front', init_twist=(3.0, 0.0, 0.2)), 2e5, 1e3)
        world = physical(spec)
        for _ in range(200 // count):
            world.step(count)
        ends.append(world.vehicles.pose.tobytes())
    assert ends[0] == ends[1]


def test_nothing_of_it_is_compiled_where_nothing_uses_it():
    """A run with hard tyres compiles no kernel of the springs; one on springs does."""
    pytest.importorskip('numba')
    for stiffness, expected in ((0.0, '[False, False, False]'), (1e4, '[True, True, True]')):
        done = subprocess.run(
            [sys.executable, '-c', PROGRAM.format(stiffness)], capture_output=True, text=True,
            check=True)
        assert done.stdout.strip() == expected


def test_springs_on_some_wheels_are_refused():
    """All wheels or none; damping needs a spring; mode mvsim has none."""
    whole = on_springs(vehicle('diff2', 'raw'), 1e4, 0.0)
    some = changed(whole, l_wheel=WheelSpec())
    for spec in (some, on_springs(whole, 0.0, 5.0)):
        with pytest.raises(PhysicsError, match='no tyre_stiffness'):
            physical(spec)
    with pytest.raises(PhysicsError, match="'mvsim' does not have"):
        physics(whole)


def test_off_the_end_of_a_ramp_it_is_never_below_the_ground(dt):
    """A robot on two wheels at 6 m/s off 1 m: not thrown, not through the ground, not faster."""
    ramp = BlockSpec('ramp', init_pose=Pose(0.0, 0.0), static=True, shape_from_visual=True,
                     geometry=GeometrySpec('ramp', lx=5.0, ly=6.0, lz=1.0))
    world = sprung('diff2', dt=dt, stiffness=3e4, damping=300.0, init_pose=Pose(-3.0, 0.0),
                   init_twist=(6.0, 0.0, 0.0), world={'blocks': (ramp,)})
    lowest, highest, fastest = 0.0, 0.0, 0.0
    for _ in range(round(4.0 / dt)):
        world.step()
        lowest = min(lowest, float(world.vehicles.pose[0, 2]))
        highest = max(highest, float(world.vehicles.pose[0, 2]))
        fastest = max(fastest, float(np.hypot(*world.vehicles.twist_body[0, :2])))
    assert lowest > -0.06
    assert 0.8 < highest < 1.4
    assert fastest < 6.05
