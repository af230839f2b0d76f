# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Odometry: exact without noise, with a covariance that is true with it."""

from dataclasses import fields, replace
import math

import numpy as np
import pytest
from small_worlds import physics, vehicle

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.state.record_layout import NOISE_STEPS, ODOMETER
from mvsim_ros2.physics.vehicle.odometry import odometer_step, reading
from mvsim_ros2.world.spec import DefaultTyre, OdometrySpec, WheelSpec

EXACT = {'linear_std_noise': 0.0, 'yaw_std_noise': 0.0, 'yaw_drift_std_noise': 0.0}


@pytest.mark.parametrize(('source', 'bound'), [('motion', 1e-5), ('wheels', 5e-3)])
def test_without_errors_it_follows_the_truth(source, bound):
    """
    The motion source is exact, the wheels nearly so as long as they hardly slip.

    :claim: Odometry without errors equals the true motion within 0.01 mm, odometry from wheels
        within 5 mm
    :reference: true poses
    """
    world = physics(vehicle(odometry=OdometrySpec(source_kind=source, **EXACT)))
    for v, w in ((0.5, 0.0), (0.5, 0.5), (-0.3, 0.2), (0.0, 0.0)):
        world.vehicles.set_twist(0, v, w)
        world.step(400)
    truth, believed = world.vehicles.pose[0], world.odometry(0)
    assert believed.pose == pytest.approx(truth[[0, 1, 3]], abs=bound)
    assert believed.twist == pytest.approx(tuple(world.vehicles.twist_body[0]), abs=0.01)


def test_factors_scale_the_motion():
    """2 % more forward and 10 % more turn."""
    spec = OdometrySpec(source_kind='motion', x_multiplier=1.02, yaw_multiplier=1.1, **EXACT)
    straight = physics(vehicle('diff2', 'ideal', odometry=spec))
    straight.vehicles.set_twist(0, 1.0, 0.0)
    straight.step(400)
    assert straight.odometry(0).pose[0] == pytest.approx(
        1.02 * straight.vehicles.pose[0, 0], abs=1e-5)
    turning = physics(vehicle('diff2', 'ideal', odometry=spec))
    turning.vehicles.set_twist(0, 0.0, 1.0)
    turning.step(400)
    assert turning.odometry(0).pose[2] == pytest.approx(
        1.1 * turning.vehicles.pose[0, 3], abs=1e-5)


def test_slip_shows_in_wheel_odometry():
    """Spinning wheels count, the motion source does not see them."""
    found = {}
    for source in ('wheels', 'motion'):
        world = physics(vehicle('diff2', 'raw', friction=DefaultTyre(mu=0.05),
                                odometry=OdometrySpec(source_kind=source, **EXACT)))
        world.vehicles.set_torques(0, (5.0, 5.0))
        world.step(200)
        found[source] = world.odometry(0).pose[0] / world.vehicles.pose[0, 0]
    assert found['wheels'] > 3 and found['motion'] == pytest.approx(1.0, abs=1e-4)


def _away(dynamics, x):
    """Return a vehicle whose wheels, and chassis, are farther ahead by `x` [m]."""
    def moved(part):
        if isinstance(part, WheelSpec):
            return part.at(part.pos[0] + x, part.pos[1])
        if isinstance(part, tuple):
            return tuple(map(moved, part))
        return part + x
    names = {field.name for field in fields(dynamics)}
    changes = {name: moved(getattr(dynamics, name)) for name in names if name in (
        'f_wheels_x', 'tracks_x') or name.endswith(('_wheel', '_wheels'))}
    outline = tuple((corner[0] + x, corner[1]) for corner in dynamics.chassis.shape)
    return replace(dynamics, **changes, chassis=replace(dynamics.chassis, shape=outline))


@pytest.mark.parametrize('x', [0.0, 0.3, -1.3])
@pytest.mark.parametrize(('kind', 'controller', 'mode'), [
    *((kind, 'pid', mode) for kind in ('diff2', 'diff3', 'lopsided', 'mecanum', 'omni3')
      for mode in ('physical', 'mvsim') if (kind, mode) != ('diff3', 'mvsim')),
    *((kind, 'twist_front', mode) for kind in ('ack', 'open_rear', 'torsen_4wd', 'single', 'both')
      for mode in ('physical', 'mvsim')),
    *((kind, 'ideal', 'physical') for kind in (
        'diff2', 'diff3', 'diff4', 'lopsided', 'skid6', 'tracked', 'ack', 'single', 'both',
        'mecanum', 'omni3'))])
def test_turning_about_an_axle_that_is_elsewhere(kind, controller, mode, x):
    """Within 2 mm after 10 s, wherever the axle is and whatever the step, where nothing slips."""
    spec = vehicle({'both': 'single', 'lopsided': 'diff2'}.get(kind, kind), controller,
                   friction=DefaultTyre(C_damping=0.0), odometry=OdometrySpec(**EXACT))
    dynamics = _away(spec.dynamics, x)
    if kind == 'both':
        dynamics = replace(dynamics, max_rear_steer_ang=0.5, rear_steer_ratio=-1.0)
    if kind == 'lopsided':
        dynamics = replace(dynamics, l_wheel=dynamics.l_wheel.at(x, 0.2))
    turn = 0.05 if dynamics.steered_wheels else 0.3
    across = -turn * x if kind in ('mecanum', 'omni3') else 0.0  # about their middle
    for dt in (0.002, 0.005, 0.02) if mode == 'physical' else (0.002,):
        world = physics(replace(spec, dynamics=dynamics), dt=dt, mode=mode)
        world.vehicles.set_twist(0, 0.15, turn, across)
        world.step(round(10.0 / dt))
        gone = np.subtract(world.odometry(0).pose, world.vehicles.pose[0, [0, 1, 3]])
        assert math.hypot(*gone[:2]) < 2e-3 and abs(gone[2]) < 2e-3
        assert world.vehicles.pose[0, 3] > 9.0 * turn
        vx, vy, wz = world.vehicles.twist_body[0]
        if controller == 'ideal':
            assert vx == pytest.approx(0.15, abs=1e-6)
            assert vy == pytest.approx(across - wz * dynamics.pivot_x, abs=1e-6)


@pytest.mark.parametrize('turn', [0.0, 0.01, -0.02], ids=['straight', 'left', 'right'])
def test_covariance_is_that_of_many_runs(turn):
    """
    The scatter of 2000 noisy odometers over 200 steps has the covariance they claim.

    :claim: Odometry drifts according to its covariance, within 12 %
    :reference: scatter of 2,000 odometers
    """
    random = np.random.default_rng(3)
    odometers = np.zeros(2000, ODOMETER)
    for odometer in odometers:
        for distance, heading in random.standard_normal((200, 2)):
            odometer_step(0.02, 0.0, turn, 0.05, 0.02, 0.02, distance, heading, odometer, True)
    claimed = np.zeros(1, ODOMETER)[0]
    for _ in range(200):
        odometer_step(0.02, 0.0, turn, 0.05, 0.02, 0.02, 0.0, 0.0, claimed, True)
    expected = reading(claimed, (0.05, 0.02, 0.02)).pose_covariance
    scale = np.sqrt(np.diag(expected))
    scatter = np.cov([odometers[name] for name in ('x', 'y', 'yaw')])
    difference = (scatter - expected) / np.outer(scale, scale)
    assert np.abs(difference).max() < 0.12


def test_covariance_is_never_singular():
    """Not at the start, at rest or without noise; it grows with the path."""
    world = physics(vehicle('diff2', 'ideal'))
    for _ in range(3):
        odometry = world.odometry(0)
        for covariance in (odometry.pose_covariance, odometry.twist_covariance):
            assert np.linalg.eigvalsh(covariance).min() > 0
            assert (covariance == covariance.T).all()
        world.vehicles.set_twist(0, 1.0, 0.0)
        world.step(300)
    assert world.odometry(0).pose_covariance[0, 0] == pytest.approx(0.01 ** 2 * 4.495, rel=0.01)


def test_noise_is_that_of_its_vehicle_whoever_comes_and_goes():
    """A robot's odometer drifts by its own numbers, also where others go or come, or have none."""
    exact = vehicle(name='exact', init_pose=Pose(0.0, 9.0), odometry=OdometrySpec(**EXACT))
    one, other = vehicle(name='one'), vehicle(name='other', init_pose=Pose(0.0, -9.0))
    world, alone = physics(exact, one, other), physics(other)
    for number in range(8):
        if number == 2:
            world.remove('one')
        if number == 4:
            world.add_vehicle(replace(one, name='another'))
        if number == 6:
            world.remove('exact')
        for each in (world, alone):
            for i in range(len(each.vehicles)):
                each.vehicles.set_twist(i, 0.5, 0.3)
            each.step(90)
        believed = world.odometry(world.vehicles.index('other')).pose
        assert believed == alone.odometry(0).pose
    late = physics(replace(one, name='another'))
    late.vehicles.set_twist(0, 0.5, 0.3)
    late.step(1)
    noise = stream(0, 'odometry/another').standard_normal((3, 2, NOISE_STEPS))
    assert (late.vehicles.arrays.noise[0] == noise[0]).all()
    newest = world.vehicles.arrays.noise[world.vehicles.index('another')]
    assert (newest == noise[2]).all()  # it came after 360 steps; at 400 and 600 others are due
