# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Contacts heed heights in mode physical: storeys, bridges, kerbs and clearance."""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import physical, physics, slope, vehicle

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.collision_heights import climbable
from mvsim_ros2.physics.state.record_layout import WHEEL
from mvsim_ros2.world.spec import (
    AnimationSpec, BlockSpec, HorizontalPlaneSpec, Keyframe, WallsSpec)
from mvsim_ros2.world.spec.outlines import rectangle

PHYSICAL = {'mode': 'physical'}
UPPER_FLOOR = HorizontalPlaneSpec(x_min=-20.0, x_max=20.0, y_min=-20.0, y_max=20.0, z=3.0)


def crate(name, x, z=0.0, **changes):
    """Return a static block of 1 x 1 x 1 m."""
    return BlockSpec(name, init_pose=Pose(x, 0.0, z), static=True, skip_elevation_adjust=True,
                     **changes)


def drive(world, seconds=4.0, speed=1.0):
    """Let the first vehicle drive ahead; return how far it came."""
    start = world.vehicles.pose[0, 0]
    world.vehicles.set_twist(0, speed, 0.0)
    world.step(round(seconds / world.dt))
    return float(world.vehicles.pose[0, 0] - start)


def at(vehicle, z, **place):
    """Return a vehicle that starts at a height."""
    return replace(vehicle, init_pose=Pose(0.0, 0.0, z, **place))


@pytest.mark.parametrize(('z', 'block_z', 'stops'), [
    pytest.param(0.0, 0.0, True, id='both_downstairs'),
    pytest.param(0.0, 3.0, False, id='robot_below_block'),
    pytest.param(3.0, 0.0, False, id='robot_above_block'),
    pytest.param(3.0, 3.0, True, id='both_upstairs')])
def test_a_block_on_another_storey_stops_nobody(z, block_z, stops):
    world = physical(at(vehicle('diff4'), z), elements=(UPPER_FLOOR,),
                     blocks=(crate('crate', 2.0, block_z),))
    way = drive(world, 3.0)
    assert (way < 1.5) is stops
    assert world.vehicles.take_collided(0) is stops
    assert world.vehicles.pose[0, 2] == pytest.approx(z)


def test_in_mode_mvsim_heights_play_no_role():
    world = physics(vehicle('diff4'), mode='mvsim', elements=(UPPER_FLOOR,),
                    blocks=(crate('crate', 2.0, 3.0),))
    assert world._around.heights is None
    assert drive(world, 3.0) < 1.5


def test_vehicles_pass_each_other_on_and_under_a_bridge():
    bridge = replace(UPPER_FLOOR, y_min=-1.0, y_max=1.0)
    below = replace(vehicle('diff4', name='below'), init_pose=Pose(2.0, -2.0, yaw=math.pi / 2))
    world = physical(at(vehicle('diff4'), 3.0), below, elements=(bridge,))
    world.vehicles.set_twist(1, 1.0, 0.0)
    assert drive(world, 4.0) > 3.5
    assert world.vehicles.pose[1, 1] > 1.5
    assert not world.vehicles.collided.any()


def test_a_bridge_that_is_a_solid_block_carries_and_lets_pass():
    deck = BlockSpec('deck', init_pose=Pose(0.0, 0.0), static=True, zmin=2.0, zmax=2.2,
                     shape=rectangle(-6.0, -1.0, 6.0, 1.0), skip_elevation_adjust=True)
    world = physical(at(vehicle('diff4'), 2.2), vehicle('diff4', name='below'), blocks=(deck,))
    world.vehicles.set_twist(1, 1.0, 0.0)
    assert drive(world, 3.0) > 2.5
    assert world.vehicles.pose[0, 2] == pytest.approx(2.2)
    assert world.vehicles.pose[1, 0] > 2.5
    assert world.vehicles.pose[1, 2] == 0.0


# wheels of radius 0.1 m with mu 0.8: one that is not helped climbs 22 mm, driven ones together 78
@pytest.mark.parametrize('dt', [0.001, 0.005, 0.02], ids=['1ms', '5ms', '20ms'])
@pytest.mark.parametrize(('kind', 'height', 'climbs'), [
    pytest.param('diff2', 0.020, True, id='two_wheels_low'),
    pytest.param('diff2', 0.025, False, id='two_wheels_high'),
    pytest.param('diff4', 0.045, True, id='four_driven_wheels_low'),
    pytest.param('diff4', 0.080, False, id='four_driven_wheels_high')])
def test_a_kerb_is_climbed_or_not_by_the_radius_of_the_wheels(kind, height, climbs, dt):
    kerb = crate('kerb', 2.0, zmax=height, shape=rectangle(-0.5, -3.0, 3.0, 3.0))
    world = physical(vehicle(kind), blocks=(kerb,), dt=dt)
    drive(world, 4.0)
    assert bool(world.vehicles.pose[0, 2] == pytest.approx(height)) is climbs
    assert world.vehicles.take_collided(0) is not climbs


def test_a_kerb_lifts_wheel_by_wheel():
    kerb = crate('kerb', 2.0, zmax=0.04)
    world = physical(vehicle('diff4'), blocks=(
        replace(kerb, shape=((-0.5, -3.0), (0.5, -3.0), (0.5, 3.0), (-0.5, 3.0))),))
    heights, pitches = [], []
    world.vehicles.set_twist(0, 1.0, 0.0)
    for _ in range(700):
        world.step()
        heights.append(world.vehicles.pose[0, 2])
        pitches.append(world.vehicles.pose[0, 4])
    assert max(heights) == pytest.approx(0.04, abs=1e-4)  # it hops a little
    assert min(pitches) == pytest.approx(-math.atan(0.04 / 0.6), rel=0.01)
    assert max(pitches) == pytest.approx(math.atan(0.04 / 0.6), rel=0.05)  # it falls off
    assert heights[-1] == pitches[-1] == 0.0


def test_stairs_are_climbed_step_by_step():
    stairs = tuple(crate(f'step{i}', 1.5 + i, zmax=0.04 * (i + 1),
                         shape=rectangle(0.0, -3.0, 9.0, 3.0)) for i in range(4))
    world = physical(vehicle('diff4'), blocks=stairs)
    drive(world, 7.0)
    assert world.vehicles.pose[0, 2] == pytest.approx(0.16)


@pytest.mark.parametrize(('height', 'pushed'), [(0.01, False), (0.09, True)])
def test_a_movable_block_is_pushed_unless_wheels_climb_it(height, pushed):
    plank = BlockSpec('plank', init_pose=Pose(2.0, 0.0), mass=1.0, zmax=height)
    tall = crate('gate', 9.0, 2.0)
    world = physical(vehicle('diff4'), blocks=(plank, tall))
    drive(world)
    assert world._around.heights is not None
    assert (world.blocks.pose[0, 0] > 2.5) == pushed


def test_a_high_chassis_passes_over_what_its_wheels_pass_by():
    stone = crate('stone', 2.0, zmax=0.1, shape=rectangle(-0.1, -0.1, 0.1, 0.1))
    over = physical(vehicle('diff4', chassis={'zmin': 0.15}), blocks=(stone,))
    against = physical(vehicle('diff4'), blocks=(stone,))
    assert drive(over) > 3.5
    assert drive(against) < 2.0


def test_walls_end_at_their_height():
    wall = WallsSpec(shape=((2.0, -3.0), (2.0, 3.0)), wall_height=2.0)
    for z, stops in ((0.0, True), (3.0, False)):
        world = physical(at(vehicle('diff2'), z), elements=(UPPER_FLOOR,), walls=(wall,))
        assert (drive(world) < 2.0) is stops


def test_a_lift_takes_a_robot_over_a_wall_of_blocks():
    """A block that goes up by keyframes carries, and its sides go up with it."""
    lift = BlockSpec(
        'lift', init_pose=Pose(0.0, 0.0), zmin=-0.2, zmax=0.0, skip_elevation_adjust=True,
        shape=((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)), animation=AnimationSpec(keys=(
            Keyframe(0.0, Pose()), Keyframe(2.0, Pose(z=1.5)), Keyframe(100.0, Pose(z=1.5)))))
    world = physical(vehicle('diff4'), blocks=(lift, crate('crate', 3.0)),
                     elements=(replace(UPPER_FLOOR, x_min=2.0, z=1.5),))
    world.step(500)
    assert world.vehicles.pose[0, 2] == pytest.approx(1.5)
    assert drive(world, 6.0) > 5.0
    assert world.vehicles.pose[0, 2] == pytest.approx(1.5)


def test_level_worlds_have_no_table():
    wall = WallsSpec(shape=((2.0, -3.0), (2.0, 3.0)))
    world = physical(vehicle('diff2'), vehicle('diff4', name='r2'), walls=(wall,),
                     blocks=(crate('crate', 5.0),))
    assert world._around.heights is None


@pytest.mark.parametrize(('mu', 'pushed', 'share'), [
    pytest.param(0.8, False, 1.0 - 1.0 / math.hypot(1.0, 0.8), id='alone'),
    pytest.param(0.8, True, 1.0 - (1.0 - 0.64) / 1.64, id='together'),
    pytest.param(1.5, True, 1.0, id='at_most_the_radius')])
def test_what_a_wheel_climbs_follows_from_its_friction(mu, pushed, share):
    wheels = np.zeros(1, WHEEL)
    wheels['radius'], wheels['mu'] = 0.5, mu
    assert climbable(wheels, pushed)[0] == pytest.approx(0.5 * share)


@pytest.mark.parametrize('degrees', [5.0, 15.0], ids=str)
@pytest.mark.parametrize('yaw', [0.0, 0.5 * math.pi, 1.0], ids=['up', 'across', 'askew'])
def test_a_robot_on_two_wheels_follows_a_slope(degrees, yaw):
    rise = math.tan(math.radians(degrees))
    world = physical(vehicle('diff2', init_pose=Pose(1.5, 0.0, 1.0, yaw=yaw)),
                     elements=(slope(rise),))
    world.step(20)
    x, _, z, _, pitch, roll = world.vehicles.pose[0]
    assert z == pytest.approx(rise * x, abs=1e-3)
    assert math.sin(pitch) == pytest.approx(
        -math.sin(math.radians(degrees)) * math.cos(yaw), abs=2e-2)
    assert math.cos(pitch) * math.sin(roll) == pytest.approx(
        -math.sin(math.radians(degrees)) * math.sin(yaw), abs=2e-2)


def test_what_is_passed_under_touches_nobody():
    world = physical(vehicle('diff4'), blocks=(crate('shelf', 2.0, 1.5), crate('far', 4.0)))
    under = 0
    for _ in range(60):
        drive(world, 0.1)
        near = abs(world.vehicles.pose[0, 0] - 2.0) < 0.5
        under += near
        assert not near or world.contacts(0) == []
    assert under > 5
    assert {name for name, _, _ in world.contacts(0)} == {'far'}
