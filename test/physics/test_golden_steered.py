# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steered vehicles, drivetrains, the other tyres and regions against the C++ original."""


import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.file.load import load_world


def _sides(robots, a, b):
    robots.set_torques(0, (-a, -b))  # in the original a negative torque drives forward


def _one_torque(robots, a, b):
    robots.set_torques(0, (-a,), b)


def _twist(robots, a, b):
    robots.set_twist(0, a, b)


def _steering(robots, a, b):
    robots.set_steering(0, a, b)


CASES = [
    # case, command, largest distance [m], turn [rad], error of spins [rad/s]
    ('diff2_ward_raw', _sides, 1e-4, 1e-5, 1e-3),
    ('regions_diff4_default_pid', _twist, 1e-4, 1e-5, 1e-3),
    ('ack_default_twist_pid', _twist, 1e-4, 1e-5, 1e-3),
    ('ack_ward_front_steer_pid', _steering, 1e-4, 1e-5, 1e-3),
    ('drivetrain_open_rear_raw', _one_torque, 1e-4, 1e-5, 1e-3),
    ('drivetrain_torsen_4wd_raw', _one_torque, 1e-4, 1e-5, 1e-3),
    ('drivetrain_torsen_front_raw', _one_torque, 1e-4, 1e-5, 1e-3),
]


@pytest.mark.parametrize(('case', 'command', 'distance', 'turn', 'spin'), CASES,
                         ids=[case[0] for case in CASES])
def test_drives_as_the_original(shared, case, command, distance, turn, spin):
    """
    Poses, spins and steering angles agree all along the run.

    :claim: cars of mode `mvsim`, with three drivetrains, follow the original within 0.1 mm
    :reference: runs of MVSim 1.2.0
    """
    folder = shared / 'golden/mvsim' / case
    table = np.genfromtxt(folder / 'dt5ms/r1.csv', delimiter=',', names=True)
    profile = np.loadtxt(folder / 'profile.txt', usecols=(0, 2, 3))
    physics = PhysicsWorld(load_world(folder / 'world_dt5ms.xml'), RandomStreams(0), 'mvsim')
    robots, period = physics.vehicles, round(table['t'][1] / physics.dt)
    poses, wheels = [], []
    for _ in range(len(table)):
        poses.append(robots.pose[0].copy())
        wheels.append(robots.wheels.copy())
        for _ in range(period):
            now = physics.steps * physics.dt + 1e-9
            command(robots, *profile[profile[:, 0] <= now][-1, 1:])
            physics.step()
    pose, states = np.array(poses), np.array(wheels)
    assert np.hypot(pose[:, 0] - table['x'], pose[:, 1] - table['y']).max() < distance
    turned = (pose[:, 3] - table['yaw'] + np.pi) % (2 * np.pi) - np.pi
    assert np.abs(turned).max() < turn
    for k in range(len(robots.wheels)):
        assert np.abs(states['omega'][:, k] - table[f'w{k}_omega']).max() < spin
        assert np.abs(states['steer'][:, k] - table[f'w{k}_steer']).max() < 1e-7


@pytest.mark.parametrize('name', [
    'demo_1robot', 'demo_2robots', 'demo_friction_zones', 'demo_greenhouse'])
def test_worlds_of_the_original_drive(shared, name):
    """Every vehicle that is told a twist moves on, among whatever else the world holds."""
    physics = PhysicsWorld(
        load_world(shared / f'worlds/mvsim/mvsim_tutorial/{name}.world.xml'), RandomStreams(0),
        'mvsim')
    robots = physics.vehicles
    start = robots.pose.copy()
    for i in range(len(robots)):
        robots.set_twist(i, 0.8, 0.1)
    physics.step(300)
    assert np.isfinite(robots.pose).all()
    assert (np.linalg.norm((robots.pose - start)[:, :2], axis=1) > 0.3).all()
