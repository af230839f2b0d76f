# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Joints between vehicles and blocks."""

from dataclasses import replace
import logging
import math

import numpy as np
import pytest
from small_worlds import physics, vehicle

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.joints import spring
from mvsim_ros2.world.spec import BlockSpec, JointSpec, Source

PIN = JointSpec('revolute', 'car', 'trailer', anchor_a=(-0.6, 0.0), anchor_b=(2.0, 0.0))


def train(joint=PIN, **world):
    """Return a robot with a trailer of two wheels, whose hitch lies on the robot's."""
    return physics(vehicle('diff2', 'ideal', 'car'),
                   vehicle('diff2', 'raw', 'trailer', init_pose=Pose(-2.6)), joints=(joint,),
                   **world)


def anchor(world, name, place):
    """Return where a point of a thing is in the world."""
    group = world.vehicles if name in world.vehicles.names else world.blocks
    x, y, _, yaw, _, _ = group.pose[group.index(name)]
    return np.array([x + math.cos(yaw) * place[0] - math.sin(yaw) * place[1],
                     y + math.sin(yaw) * place[0] + math.cos(yaw) * place[1]])


def test_a_pin_holds_and_a_trailer_finds_its_angle():
    """In a steady circle the hitch angle is atan(a / R) + asin(L / sqrt(R^2 + a^2))."""
    world = train()
    world.vehicles.set_twist(0, 1.0, 0.2)
    radius, reach, length, gap = 5.0, 0.6, 2.0, 0.0
    for _ in range(800):
        world.step(5)
        gap = max(gap, float(np.linalg.norm(
            anchor(world, 'car', PIN.anchor_a) - anchor(world, 'trailer', PIN.anchor_b))))
    angle = world.vehicles.pose[0, 3] - world.vehicles.pose[1, 3]
    assert (angle + math.pi) % (2 * math.pi) - math.pi == pytest.approx(
        math.atan(reach / radius) + math.asin(length / math.hypot(radius, reach)), abs=0.01)
    assert gap < 2e-3


def test_limits_stop_a_pin():
    """The angle stays between the limits, counted from the one at load."""
    world = train(replace(PIN, enable_limit=True, lower_angle=-0.2, upper_angle=0.3))
    for wz, limit in ((0.8, -0.2), (-0.8, 0.3)):
        world.vehicles.set_twist(0, 0.5, wz)
        world.step(500)
        angle = world.vehicles.pose[1, 3] - world.vehicles.pose[0, 3]
        assert angle == pytest.approx(limit, abs=0.05)


def test_a_rope_is_never_longer():
    """Slack at first, then it pulls the block along; its length bounds the distance."""
    joint = JointSpec('rope', 'car', 'box', (-0.4, 0.0), (0.5, 0.0), max_length=2.0)
    world = physics(vehicle('diff2', 'ideal', 'car'), joints=(joint,),
                    blocks=(BlockSpec('box', init_pose=Pose(-2.0, 0.0), mass=2.0),))
    world.vehicles.set_twist(0, 0.5, 0.1)
    lengths = []
    for _ in range(400):
        world.step(4)
        lengths.append(float(np.linalg.norm(
            anchor(world, 'car', joint.anchor_a) - anchor(world, 'box', joint.anchor_b))))
    assert lengths[0] < 1.2 and max(lengths) < 2.01 and lengths[-1] > 1.99


def test_a_bar_keeps_its_length():
    """With equal lengths it pushes as well as it pulls."""
    joint = JointSpec('distance', 'car', 'box', (0.6, 0.0), (-0.5, 0.0), max_length=1.0,
                      min_length=1.0)
    world = physics(vehicle('diff2', 'ideal', 'car'), joints=(joint,),
                    blocks=(BlockSpec('box', init_pose=Pose(2.1, 0.0), mass=2.0),))
    for vx in (0.5, -0.5):
        world.vehicles.set_twist(0, vx, 0.0)
        world.step(300)
        length = np.linalg.norm(
            anchor(world, 'car', joint.anchor_a) - anchor(world, 'box', joint.anchor_b))
        assert length == pytest.approx(1.0, abs=0.01)


def test_a_spring_swings_at_its_frequency():
    """A mass on a spring beside a wall: the period is 2 pi sqrt(m / k)."""
    wall = BlockSpec('wall', static=True)
    box = BlockSpec('box', init_pose=Pose(2.7, 0.0), mass=4.0, ground_friction=0.0,
                    linear_damping=0.0)
    joint = JointSpec('distance', 'wall', 'box', (0.0, 0.0), (0.0, 0.0), max_length=3.0,
                      stiffness=100.0)
    world = physics(blocks=(wall, box), joints=(joint,), dt=0.001)
    away = []
    for _ in range(200):
        world.step(2)
        away.append(world.blocks.pose[1, 0])
    # from 2.7 m to its longest, where the rope stops it, after a quarter of a period
    reached = 0.002 * (1 + int(np.argmax(np.array(away) > 2.999)))
    assert reached == pytest.approx(0.25 * 2 * math.pi * math.sqrt(4.0 / 100.0), rel=0.03)
    assert max(away) < 3.01


def test_a_spring_has_the_reduced_mass():
    """Frequency and damping ratio between 2 kg and 6 kg, of which 1.5 kg swing."""
    frequency, ratio = spring(150.0, 3.0, 1 / 2, 1 / 6)
    assert frequency == pytest.approx(10.0 / (2 * math.pi))
    assert ratio == pytest.approx(3.0 / (2 * 1.5 * 10.0))
    assert spring(1.0, 0.0, 0.0, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize('name', ['nobody', 'ghost'])
def test_a_joint_needs_two_bodies(name):
    """What is not there or cannot be touched cannot be tied: says where."""
    joint = JointSpec('pin', 'car', name, (0.0, 0.0), (0.0, 0.0), source=Source('w.xml', 5))
    with pytest.raises(PhysicsError, match=rf"w\.xml:5: .*'{name}'"):
        physics(vehicle(name='car'), joints=(joint,),
                blocks=(BlockSpec('ghost', init_pose=Pose(5.0), intangible=True),))


def test_says_that_a_smallest_length_has_no_effect(caplog):
    """The engine knows no such limit: one warning with its place."""
    joint = JointSpec('rope', 'car', 'box', (0.0, 0.0), (0.0, 0.0), min_length=1.0,
                      source=Source('w.xml', 7))
    with caplog.at_level(logging.WARNING):
        physics(vehicle(name='car'), joints=(joint,),
                blocks=(BlockSpec('box', init_pose=Pose(3.0)),))
    assert [record.getMessage()[:9] for record in caplog.records] == ['w.xml:7: ']


def test_a_joint_goes_with_its_body():
    """A trailer that loses its tractor stays, and follows the ground as any other."""
    world = train()
    world.step(10)
    world.remove('car')
    assert world._around.tied == frozenset()
    before = world.vehicles.pose[0].copy()
    world.step(200)
    assert world.vehicles.pose[0] == pytest.approx(before)
    world.add_vehicle(vehicle('diff2', 'ideal', 'car'))
    world.step(10)
    world.reset()
    assert world._around.tied == {'car', 'trailer'}


def test_snapshots_hold_joints():
    """After a restore the trailer is pulled on, the same way each time."""
    world = train()
    world.vehicles.set_twist(0, 0.5, 0.4)
    world.step(400)
    state = world.snapshot()
    world.step(200)
    expected = world.vehicles.pose.copy()
    world.remove('car')
    runs = []
    for _ in range(2):
        world.restore(state)
        world.step(200)
        runs.append(world.vehicles.pose.copy())
    assert runs[0] == pytest.approx(expected, abs=2e-3)
    assert runs[0].tobytes() == runs[1].tobytes()
