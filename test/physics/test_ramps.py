# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solid ramps and bumps in mode physical: up from the low side, not through a side or an end."""

from dataclasses import replace
import math

import pytest
from small_worlds import changed, physical, physics, vehicle

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import BlockSpec, GeometrySpec
from mvsim_ros2.world.spec.outlines import rectangle
from mvsim_ros2.world.spec.solids import block_footprint, SLICES, solid_parts

PHYSICAL = {'mode': 'physical'}


def solid(kind, x, yaw=0.0, **size):
    """Return a ramp or bump that cannot be pushed."""
    return BlockSpec(kind, init_pose=Pose(x, 0.0, yaw=yaw), static=True, shape_from_visual=True,
                     geometry=GeometrySpec(kind, **size))


def platform(height):
    """Return what a ramp from x = 1 to x = 4 leads to."""
    return BlockSpec('platform', init_pose=Pose(4.0, 0.0), static=True, zmax=height,
                     shape=rectangle(0.0, -2.0, 4.0, 2.0), skip_elevation_adjust=True)


def high(vehicle):
    """Return a vehicle with clearance, so that its nose does not hit what it drives up."""
    return changed(vehicle, {'zmin': 0.2})


def drive(world, seconds, speed=1.0):
    """Drive ahead; return the pose of the first vehicle."""
    world.vehicles.set_twist(0, speed, 0.0)
    world.step(round(seconds / world.dt))
    return world.vehicles.pose[0]


@pytest.mark.parametrize('dt', [0.001, 0.005, 0.02], ids=['1ms', '5ms', '20ms'])
@pytest.mark.parametrize('kind', ['diff2', 'diff4', 'ack'])
@pytest.mark.parametrize('height', [0.3, 0.6], ids=['6_degrees', '11_degrees'])
def test_a_ramp_leads_up_to_a_platform(kind, height, dt):
    controller = ('twist_front',) if kind == 'ack' else ()
    robot = replace(high(vehicle(kind, *controller)), init_pose=Pose(-1.5, 0.0))
    world = physical(robot, dt=dt, blocks=(
        solid('ramp', 1.0, lx=3.0, ly=4.0, lz=height), platform(height)))
    x, _, z, _, pitch, _ = drive(world, 8.0)
    assert x > 4.5
    assert z == pytest.approx(height, abs=2e-5)
    # casters on springs let a robot on two wheels lean back while it still gains speed
    assert pitch == pytest.approx(0.0, abs=5e-3 if kind == 'diff2' else 1e-6)
    assert not world.vehicles.take_collided(0)
    drive(world, 9.0, -1.0)
    assert world.vehicles.pose[0, 0] < 0.5
    assert world.vehicles.pose[0, 2] == pytest.approx(0.0, abs=1e-6)


def test_a_long_nose_does_not_come_up_a_steep_ramp():
    """
    0.3 m before the wheels and 5 cm above the ground: it meets slopes from 1 : 6 on.

    It slides up gentle ones: with the nose lifted, moments about the rear wheels leave
    0.38 m g on it at 15 degrees, which need 0.28 m g ahead (friction 0.5), and 0.68 m g on the
    rear wheels, whose friction of 0.8 gives 0.54 m g. At 39 degrees it would need 0.72 m g of
    0.53 m g.
    """
    for height, comes_up in ((0.4, True), (0.8, True), (2.4, False)):
        world = physical(vehicle('diff4'), blocks=(solid('ramp', 1.0, lx=3.0, ly=4.0, lz=height),))
        assert bool(drive(world, 3.0)[2] > 0.1) is comes_up


@pytest.mark.parametrize('yaw', [math.pi, math.pi / 2], ids=['high_end', 'side'])
def test_its_high_end_and_its_sides_are_walls(yaw):
    world = physical(vehicle('diff4'), blocks=(solid('ramp', 3.0, yaw, lx=1.0, ly=1.0, lz=0.6),))
    assert drive(world, 5.0)[0] < 2.5
    assert world.vehicles.pose[0, 2] == pytest.approx(0.0, abs=1e-6)
    assert world.vehicles.take_collided(0)


def test_a_ramp_is_crossed_askew():
    """Over its slices, with one side of the vehicle higher than the other."""
    robot = replace(vehicle('diff4'), init_pose=Pose(0.0, -2.5, yaw=math.radians(60.0)))
    world = physical(robot, blocks=(solid('ramp', 0.5, lx=6.0, ly=8.0, lz=1.2),))
    x, y, z = drive(world, 5.0)[:3]
    assert y > 1.0
    assert z == pytest.approx(0.2 * (x - 0.5), abs=0.01)
    assert not world.vehicles.take_collided(0)


@pytest.mark.parametrize(('height', 'passes'), [
    pytest.param(0.04, True, id='low'), pytest.param(0.3, False, id='high')])
def test_a_bump_is_driven_over_or_not(height, passes):
    bump = solid('semi_cylinder_bump', 2.0, math.pi / 2, lx=4.0, ly=0.5, lz=height)
    world = physical(high(vehicle('diff4')), blocks=(bump,))
    assert bool(drive(world, 5.0)[0] > 4.0) is passes
    assert world.vehicles.take_collided(0) is not passes


@pytest.mark.parametrize('step', [0.001, 0.005, 0.01])
def test_a_block_is_pushed_up_a_ramp_not_under_it(step):
    crate = BlockSpec('crate', init_pose=Pose(1.5, 0.0), mass=1.0, zmax=0.3,
                      shape=((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)))
    world = physical(vehicle('diff4'), dt=step, blocks=(
        solid('ramp', 3.0, lx=1.6, ly=2.0, lz=0.5), crate))
    drive(world, 6.0)
    x, z, pitch = world.blocks.pose[1, [0, 2, 4]]
    assert 3.2 < x < 4.4
    assert z == pytest.approx(0.5 / 1.6 * (x - 3.0), abs=2e-3)
    assert pitch == pytest.approx(-math.atan(0.5 / 1.6), abs=1e-6)


def test_in_mode_mvsim_a_ramp_is_a_wall():
    world = physics(vehicle('diff4'), mode='mvsim', blocks=(
        solid('ramp', 2.0, lx=3.0, ly=4.0, lz=0.3),))
    assert drive(world, 4.0)[0] < 2.0
    assert len(world.blocks.bodies[0].fixtures) == 1


def test_the_slices_of_a_ramp_are_as_high_as_their_lower_edges():
    ramp = solid('ramp', 0.0, lx=3.2, ly=2.0, lz=1.6)
    parts = solid_parts(ramp, block_footprint(ramp))
    assert len(parts) == SLICES - 1  # the first one has no height
    for part in parts:
        assert part.zmax == pytest.approx(0.5 * min(x for x, _ in part.polygon))
    pushed = replace(ramp, static=False)
    assert solid_parts(pushed, block_footprint(pushed)) == (block_footprint(pushed),)
