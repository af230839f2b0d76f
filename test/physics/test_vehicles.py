# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands, state and life of vehicles."""

from dataclasses import replace
import logging
import math

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from small_worlds import changed, physics, vehicle

from mvsim_ros2.errors import ArgumentError, ControllerError, PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import AckermannSpec, Source


def test_refuses_commands_that_its_controller_does_not_take():
    """The error names the vehicle, its controller and what to use."""
    world = physics(vehicle('diff2', 'raw', 'raw'), vehicle(name='pid', init_pose=Pose(0, 3)))
    robots = world.vehicles
    assert [robots.accepts_twist(i) for i in range(2)] == [False, True]
    with pytest.raises(ControllerError, match="'raw' does not take a twist.*set_torques"):
        robots.set_twist(0, 1.0, 0.0)
    with pytest.raises(ControllerError, match="'pid' does not take torques.*twist_pid"):
        robots.set_torques(1, (1.0, 1.0))
    with pytest.raises(ControllerError, match='steering'):
        robots.set_steering(1, 1.0, 0.1)
    with pytest.raises(ControllerError, match='2 torques'):
        robots.set_torques(0, (1.0, 1.0, 1.0))
    with pytest.raises(ControllerError, match='not finite'):
        robots.set_twist(1, math.nan, 0.0)


@pytest.mark.parametrize(('changes', 'message'), [
    ({'dynamics': AckermannSpec(f_wheels_x=-1.0, source=Source('w.xml', 7))},
     'w.xml:7.*make f_wheels_x larger'),
    ({'init_pose': Pose(math.inf)}, 'x = inf'),
], ids=['ackermann', 'nowhere'])
def test_impossible_vehicles_name_their_line(changes, message):
    """What is not possible says where it is and what to do."""
    with pytest.raises(PhysicsError, match=message):
        physics(replace(vehicle(), **changes))


def test_wheels_on_the_wrong_side_are_an_error():
    """The left wheel must be to the left of the right one."""
    spec = vehicle()
    swapped = replace(spec.dynamics, l_wheel=spec.dynamics.r_wheel, r_wheel=spec.dynamics.l_wheel)
    with pytest.raises(PhysicsError, match='exchange them'):
        physics(replace(spec, dynamics=swapped))


def test_initial_velocity_is_in_the_body_frame():
    """Unlike in the original: facing north, `1 0 0` moves north."""
    world = physics(vehicle(init_pose=Pose(yaw=math.pi / 2), init_twist=(1.0, 0.0, 0.5)))
    assert world.vehicles.twist_body[0] == pytest.approx((1.0, 0.0, 0.5), abs=1e-6)
    assert world.vehicles.arrays.velocity[0] == pytest.approx((0.0, 1.0, 0.5), abs=1e-6)


def test_ideal_controller_does_as_told():
    """After each step the velocity is the command, turned by the heading before it."""
    world = physics(vehicle('diff4', 'ideal'))
    world.vehicles.set_twist(0, 0.5, 0.5, 0.1)
    for _ in range(20):
        before = world.vehicles.pose[0, 3]
        world.step()
        cosine, sine = math.cos(before), math.sin(before)
        assert world.vehicles.arrays.velocity[0] == pytest.approx(
            (0.5 * cosine - 0.1 * sine, 0.5 * sine + 0.1 * cosine, 0.5), abs=1e-4)


def test_positive_torque_drives_forward():
    """The acceleration follows from torque, mass and wheel inertia."""
    world = physics(vehicle('diff2', 'raw'))
    world.vehicles.set_torques(0, (0.5, 0.5))
    world.step(2)
    mass, spin = 17.0, 2 * 0.5  # kg; inertia of both wheels / R^2
    expected = (1.0 / 0.1) / (mass + spin)
    assert world.vehicles.acceleration_body[0, 0] == pytest.approx(expected, rel=5e-3)


def test_centripetal_acceleration():
    """On a circle the reference point accelerates to the left by v w."""
    world = physics(vehicle('diff2', 'ideal'))
    world.vehicles.set_twist(0, 1.0, 0.8)
    world.step(50)
    assert world.vehicles.acceleration_body[0] == pytest.approx((0.0, 0.8, 0.0), abs=5e-3)


def test_set_pose_moves_and_sets_rolling():
    """A vehicle put elsewhere with a velocity keeps it, and its odometer notices nothing."""
    world = physics(vehicle())
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(10)
    before = world.odometry(0).pose
    world.set_pose('r1', Pose(5.0, 6.0, 0.2, 1.0), twist=(1.0, 0.0, 0.0))
    assert world.vehicles.pose[0, :4] == pytest.approx((5.0, 6.0, 0.2, 1.0))
    assert world.odometry(0).pose == before
    world.step(1)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(1.0, abs=0.01)
    with pytest.raises(ArgumentError, match='give finite ones'):
        world.set_pose('r1', Pose(math.nan))
    with pytest.raises(PhysicsError, match="no vehicle or block 'r9'"):
        world.set_pose('r9', Pose())


def test_vehicles_come_and_go():
    """The others keep their state when one is added or removed."""
    world = physics(vehicle(), vehicle('diff4', name='r2', init_pose=Pose(0, 4)))
    world.vehicles.set_twist(1, 1.0, 0.0)
    world.step(100)
    pose, wheels = world.vehicles.pose[1].copy(), world.vehicles.wheels[2:].copy()
    world.remove('r1')
    assert world.vehicles.names == ['r2'] and world.vehicles.index('r2') == 0
    assert (world.vehicles.pose[0] == pose).all() and (world.vehicles.wheels == wheels).all()
    world.add_vehicle(vehicle('diff3', name='r3', init_pose=Pose(9, 9)))
    assert world.vehicles.wheel_start.tolist() == [0, 4, 7]
    world.step(100)
    assert world.vehicles.pose[0, 0] > pose[0]
    with pytest.raises(PhysicsError, match='already'):
        world.add_vehicle(vehicle(name='r3'))
    with pytest.raises(PhysicsError, match="no vehicle 'r1'"):
        world.vehicles.index('r1')


def test_a_world_without_vehicles_steps():
    """Nothing to do is no error."""
    world = physics()
    world.step(10)
    assert world.steps == 10


def test_what_goes_to_nowhere_is_named():
    """A broken number ends in an error with the name, never in a NaN pose."""
    world = physics(vehicle(name='unlucky'))
    world.vehicles.wheels['omega'] = np.nan
    with pytest.raises(PhysicsError, match="vehicle 'unlucky' has no finite position"):
        world.step(5)


@settings(max_examples=examples(40))
@given(mass=st.floats(0.1, 1e4), wheel=st.floats(0.01, 100), radius=st.floats(0.02, 1),
       mu=st.floats(0, 2), damping=st.floats(0, 1),
       commands=st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), max_size=4),
       controller=st.sampled_from(['raw', 'pid', 'ideal']),
       kind=st.sampled_from(['diff2', 'diff3', 'diff4']))
def test_whatever_is_asked_for_numbers_stay_finite(
        mass, wheel, radius, mu, damping, commands, controller, kind):
    """Odd vehicles and wild commands either keep finite numbers or end in a PhysicsError."""
    spec = vehicle(kind, controller)
    world = physics(changed(spec, {'mass': mass}, {'mass': wheel, 'diameter': 2 * radius},
                            friction=replace(spec.friction, mu=mu, C_damping=damping)))
    try:
        for a, b in commands:
            if controller == 'raw':
                world.vehicles.set_torques(0, (a, b))
            else:
                world.vehicles.set_twist(0, a, b)
            world.step(20)
    except PhysicsError as error:
        assert 'no finite position' in str(error)
    else:
        assert np.isfinite(world.vehicles.pose).all()
        assert np.isfinite(world.vehicles.wheels['omega']).all()


@pytest.mark.parametrize('x, warned', [(10000.0, False), (-40000.0, True)], ids=['10 km', '40 km'])
def test_warns_where_single_precision_is_too_coarse(x, warned, caplog):
    """Contacts are found to 4 mm at 40 km."""
    with caplog.at_level(logging.WARNING):
        physics(vehicle('diff2', 'raw', init_pose=Pose(0.0, x), source=Source('w.xml', 3)))
    assert [record.getMessage()[:21] for record in caplog.records] == (
        ["w.xml:3: vehicle 'r1'"] if warned else [])
