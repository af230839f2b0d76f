# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Vehicles far from the origin, where single precision is coarse.

:claim: Robots 10 km from the origin move as near the origin, within 0.2 mm
:reference: the same run near the origin
"""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import physical, physics, vehicle

from mvsim_ros2.errors import ArgumentError, PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.bodies import SQUARE
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.world.spec import (
    BlockSpec, JointSpec, OccupancyGridSpec, OccupancyMap, Source, StaticOutline,
    VerticalPlaneSpec, WallsSpec)
from mvsim_ros2.world.spec.outlines import convex_hull, placed, rectangle

STEPS = (0.001, 0.005, 0.02)
HITCH = JointSpec('revolute', 'r1', 'r2', anchor_a=(-1.0, 0.0), anchor_b=(1.5, 0.0))
BAR = JointSpec('distance', 'r1', 'r2', anchor_a=(-0.8, 0.0), anchor_b=(1.3, 0.0),
                max_length=0.4, min_length=0.4)


@pytest.mark.parametrize('dt', STEPS, ids=str)
@pytest.mark.parametrize(('mode', 'kind', 'controller'), [
    ('physical', 'diff2', 'ideal'), ('physical', 'diff4', 'pid'), ('mvsim', 'diff_x03', 'ideal')])
def test_a_slow_robot_arrives_at_10_km(mode, kind, controller, dt):
    """At 5 cm/s, slantwise, as far as one near the origin."""
    ends = []
    for away in (0.0, 1e4):
        world = physics(vehicle(kind, controller, init_pose=Pose(away, -away, yaw=0.3)),
                        dt=dt, mode=mode)
        world.vehicles.set_twist(0, 0.05, 0.0)
        world.step(round(4.0 / dt))
        ends.append(world.vehicles.pose[0, [0, 1, 3]] - (away, -away, 0.3))
    assert math.hypot(*ends[1][:2]) == pytest.approx(
        0.2, rel=0.01 if controller == 'ideal' else 0.3)
    assert ends[1] == pytest.approx(ends[0], abs=2e-4)


def test_circles_close_at_10_km():
    """Those of a robot whose centre of mass is not its reference point."""
    world = physical(vehicle('diff_x03', 'ideal', init_pose=Pose(9e3, 4e3)), dt=0.01)
    world.vehicles.set_twist(0, 0.1, 2.0 * math.pi / 10.0)
    world.step(1000)
    assert world.vehicles.pose[0, :2] == pytest.approx((9e3, 4e3), abs=1e-3)


def test_a_place_is_kept_to_the_bit():
    world = physical(vehicle('diff_x03', 'raw', init_pose=Pose(12345.67891, -0.3, yaw=0.7)))
    assert world.vehicles.pose[0, 0] == pytest.approx(12345.67891, abs=1e-8)
    world.set_pose('r1', Pose(-8000.12345, 77.0, yaw=0.1))
    assert world.vehicles.pose[0, 0] == pytest.approx(-8000.12345, abs=1e-8)
    world.step(200)
    assert world.vehicles.pose[0, 0] == pytest.approx(-8000.12345, abs=1e-6)


def test_walls_stop_it_there():
    """Contacts are as coarse as the engine, 1 mm, but hold."""
    block = BlockSpec('b', init_pose=Pose(1e4 + 2.0, 0.0), static=True)
    world = physical(vehicle('diff2', 'ideal', init_pose=Pose(1e4, 0.0)), blocks=(block,))
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(1000)
    nose = world.vehicles.pose[0, 0] + 0.6
    assert nose == pytest.approx(1e4 + 1.5, abs=0.02)
    assert world.vehicles.take_collided(0)


def _map(x, y):
    """Return a map with a wall at x, 10 m long and as thick as two of its cells."""
    values = np.zeros((200, 4), np.int8)
    values[:, 2:] = 100
    return OccupancyGridSpec(name='map', occupancy=OccupancyMap(values, 0.05, x - 0.1, y - 5.0))


@pytest.mark.parametrize(('mode', 'yaw'), [('mvsim', 0.0), ('physical', 0.6)])
@pytest.mark.parametrize(('x', 'y'), [
    (400.0, 400.0), (480.0, -288.0), (1500.0, 0.0), (3000.0, 3000.0), (5000.0, -1666.6),
    (1e4, -6e3)], ids=str)
@pytest.mark.parametrize('kind', ['wall', 'plane', 'block', 'map'])
def test_thin_walls_stop_it_anywhere(mode, kind, x, y, yaw):
    """Walls of 1 to 5 cm, 10 m long, and of a map: where they would near the origin."""
    yaw = 0.0 if kind == 'map' else yaw
    along = -math.sin(yaw), math.cos(yaw)
    middle = x + 2.0 * math.cos(yaw), y + 2.0 * math.sin(yaw)
    low, high = ((middle[0] + way * along[0], middle[1] + way * along[1]) for way in (-5.0, 5.0))
    solids = {
        'wall': {'walls': (WallsSpec(shape=(low, high), wall_thickness=0.05),)},
        'plane': {'elements': (VerticalPlaneSpec(
            x0=low[0], y0=low[1], x1=high[0], y1=high[1], thickness=0.01),)},
        'block': {'blocks': (BlockSpec('b', static=True, shape=convex_hull(
            placed(rectangle(-0.02, -5.0, 0.02, 5.0), Pose(*middle, yaw=yaw)), '', Source())),)},
        'map': {'elements': (_map(*middle),)}}
    thick = {'wall': 0.05, 'plane': 0.01, 'block': 0.04, 'map': 0.0}[kind]
    world = physics(vehicle('diff2', 'ideal', init_pose=Pose(x, y, yaw=yaw)),
                    dt=0.01, mode=mode, **solids[kind])
    world.vehicles.set_twist(0, 0.8, 0.0)
    world.step(400)
    way = world.vehicles.pose[0, :2] - (x, y)
    assert math.cos(yaw) * way[0] + math.sin(yaw) * way[1] == pytest.approx(
        1.4 - 0.5 * thick, abs=0.02)
    assert math.cos(yaw) * way[1] - math.sin(yaw) * way[0] == pytest.approx(0.0, abs=0.02)
    assert world.vehicles.take_collided(0)


def test_a_wall_by_the_coordinates_of_a_map_sheet():
    """At those of UTM the engine knows places to 0.5 m, but there can be a wall."""
    x, y = 5e5, 4.5e6
    wall = WallsSpec(shape=((x + 2.0, y - 5.0), (x + 2.0, y + 5.0)))
    world = physics(vehicle('diff2', 'ideal', init_pose=Pose(x, y)), walls=(wall,), dt=0.01)
    world.vehicles.set_twist(0, 0.8, 0.0)
    world.step(400)
    assert world.vehicles.pose[0, 0] - x == pytest.approx(1.35, abs=0.05)


def test_what_comes_near_the_origin_stands_on_one_body():
    """As it is in the world, to the bit; what is farther by the middle of its square."""
    space = Box2dWorld(0.01, 8, 3, 0.0, physical=True)
    outlines = [rectangle(x0, 0.1, x1, 0.3) for x0, x1 in (
        (1.7, 2.1), (500.0, 2000.0), (-2000.0, -500.0), (5003.1, 5003.2))]
    space.add_static(StaticOutline(f'{i}', each, 0.0, 1.0) for i, each in enumerate(outlines))
    near, far = space._squares._bodies.values()
    assert near.place == (0.0, 0.0, 0.0) and far.place == (5.0 * SQUARE, 0.0, 0.0)
    for fixture, body, outline in zip(
            [*near.fixtures, *far.fixtures], [near] * 3 + [far], outlines, strict=True):
        x, y, _ = body.place
        corners = np.array([(px - x, py - y) for px, py in outline], np.float32)
        assert {tuple(corner) for corner in corners.tolist()} == {
            tuple(corner) for corner in fixture.corners.tolist()}


def test_walls_that_are_set_later_stop_it_there():
    """Walls that `set_elements` brings and takes, and a block that goes from square to square."""
    plane = VerticalPlaneSpec(x0=5002.0, y0=-5.0, x1=5002.0, y1=5.0)
    block = BlockSpec('b', static=True, init_pose=Pose(2.0))
    world = physics(vehicle('diff2', 'ideal', init_pose=Pose(5000.0)), blocks=(block,), dt=0.01)
    begin = world.snapshot()
    ends = []
    for elements, at in (((plane,), 2.0), ((), 2.0), ((), 5003.0), ((plane,), 5003.0)):
        world.restore(begin)
        world.set_elements(elements)
        world.set_pose('b', Pose(at))
        world.vehicles.set_twist(0, 0.8, 0.0)
        world.step(400)
        ends.append(world.vehicles.pose[0, 0] - 5000.0)
    assert ends == pytest.approx([1.39, 3.2, 1.9, 1.39], abs=0.02)
    world.remove('b')
    world.set_elements(())
    world.step(100)
    assert world.vehicles.pose[0, 0] - 5000.0 == pytest.approx(1.39 + 0.8, abs=0.02)


def test_an_outline_too_far_from_its_frame_is_refused():
    block = BlockSpec('b', shape=rectangle(1e5, 0.0, 1e5 + 0.05, 1.0))
    with pytest.raises(PhysicsError, match=r"block 'b' has an outline .*: it lies 1e\+05 m from "
                                           'the origin of its frame.*: put its pose where it is'):
        physics(blocks=(block,))


def test_a_snapshot_continues_there():
    world = physical(vehicle('diff_x03', 'ideal', init_pose=Pose(1e4, 2e3, yaw=0.3)))
    world.vehicles.set_twist(0, 0.03, 0.2)
    world.step(100)
    state = world.snapshot()
    ends = []
    for _ in range(2):
        world.step(150)
        ends.append(world.vehicles.pose[0].copy())
        world.restore(state)
    assert np.array_equal(*ends)


@pytest.mark.parametrize('pose', [Pose(1e308), Pose(0.0, math.nan), Pose(yaw=math.inf),
                                  Pose(-1e7)], ids=str)
def test_a_place_beyond_the_numbers_is_refused(pose):
    world = physics(vehicle())
    with pytest.raises(ArgumentError, match=r"pose of 'r1' has a number .*: give finite ones"):
        world.set_pose('r1', pose)
    with pytest.raises(ArgumentError, match=r"twist of 'r1' has a number 1e\+308"):
        world.set_pose('r1', Pose(), (1e308, 0.0, 0.0))
    world.step()


def _train(at, joints=(HITCH,), dt=0.005, mode='physical', **world):
    """Return a robot with a trailer that stand in line, the robot at a pose."""
    cosine, sine = math.cos(at.yaw), math.sin(at.yaw)
    behind = Pose(at.x - 2.5 * cosine, at.y - 2.5 * sine, yaw=at.yaw)
    return physics(vehicle('diff2', 'raw', 'r1', init_pose=at),
                   vehicle('diff2', 'raw', 'r2', init_pose=behind),
                   joints=joints, dt=dt, mode=mode, **world)


def _drive(world, at, seconds=4.0):
    """Return where both are in the frame of `at` after a curve, shape (2, 3) [m, rad]."""
    world.vehicles.set_torques(0, (1.0, 1.5))
    world.step(round(seconds / world.dt))
    x, y, yaw = (world.vehicles.pose[:, [0, 1, 3]] - (at.x, at.y, at.yaw)).T
    cosine, sine = math.cos(at.yaw), math.sin(at.yaw)
    return np.column_stack([cosine * x + sine * y, cosine * y - sine * x,
                            np.remainder(yaw + math.pi, 2.0 * math.pi) - math.pi])


@pytest.mark.parametrize(('joint', 'near'), [
    (HITCH, 2e-4), (replace(HITCH, enable_limit=True, lower_angle=-0.1, upper_angle=0.1), 4e-4),
    (BAR, 3e-4), (replace(BAR, min_length=0.0), 1e-2)], ids=['pin', 'limits', 'bar', 'rope'])
@pytest.mark.parametrize('dt', [0.001, 0.005, 0.02], ids=str)
@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_joined_vehicles_go_where_they_do_near_the_origin(mode, dt, joint, near):
    """With a joint of each kind, at 1 km and across 64 m; a rope pulls as coarsely as it lies."""
    start = Pose()
    there = _drive(_train(start, (joint,), dt, mode), start)
    assert there[0, 0] > 0.5 and abs(there[1, 2] - there[0, 2]) > 0.02
    for at in (Pose(63.0), Pose(1000.0, 500.0, yaw=2.1)):
        assert _drive(_train(at, (joint,), dt, mode), at) == pytest.approx(there, abs=near)


def test_a_train_at_100_km_goes_as_near_the_origin():
    """Where the engine knows places to 8 mm; its pin stays together."""
    start, at = Pose(), Pose(1e5, -1e5, yaw=0.7)
    world = _train(at)
    assert _drive(world, at) == pytest.approx(_drive(_train(start), start), abs=2e-4)
    ends = [pose[:2] + reach * np.array([math.cos(pose[3]), math.sin(pose[3])])
            for pose, reach in zip(world.vehicles.pose, (-1.0, 1.5), strict=True)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


def test_a_train_is_held_by_a_wall_there():
    """As by one near the origin, pressed against it."""
    ends = []
    for x in (0.0, 5000.0):
        wall = WallsSpec(shape=((x + 1.0, -5.0), (x + 2.0, 5.0)))
        world = _train(Pose(x), walls=(wall,))
        ends.append(_drive(world, Pose(x), 6.0))
        assert world.vehicles.take_collided(0)
    assert ends[1] == pytest.approx(ends[0], abs=0.03)


def test_joined_vehicles_continue_there():
    """From a snapshot on, put elsewhere, and without a joint."""
    at = Pose(5000.0, 2000.0, yaw=0.3)
    world = _train(at)
    _drive(world, at, 1.0)
    state = world.snapshot()
    _drive(world, at, 1.0)
    later = world.vehicles.pose.copy()
    world.restore(state)
    _drive(world, at, 1.0)
    assert world.vehicles.pose == pytest.approx(later, abs=1e-4)
    world.remove('r1')
    world.set_pose('r2', Pose(3000.05, yaw=0.1), (0.05, 0.0, 0.0))
    world.step(10)
    assert world.vehicles.pose[0, 0] == pytest.approx(3000.05 + 0.0025, abs=5e-4)


def test_what_is_joined_to_a_block_is_left_to_the_engine():
    """A rope to a block holds at 1 km."""
    block = BlockSpec('b', static=True, init_pose=Pose(999.0, 2.0))
    world = _train(Pose(1000.0), (HITCH, JointSpec(
        'rope', 'r1', 'b', (0.0, 0.0), (0.0, 0.0), max_length=3.0)), blocks=(block,))
    reached = []
    for _ in range(80):
        _drive(world, Pose(1000.0), 0.1)
        reached.append(math.dist(world.vehicles.pose[0, :2], (999.0, 2.0)))
    assert max(reached) == pytest.approx(3.0, abs=0.02)
