# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Blocks that slide, tilt, fall and rest in mode physical, against closed forms.

:claim: A block on a slope slides with the acceleration g (sin a - mu cos a), within 0.5 %, and
    rests if mu is 1 % above tan a
:reference: closed form
"""

from dataclasses import replace
import itertools
import math

import numpy as np
import pytest
from small_worlds import physical, slope

from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.physics.engine.bodies import mean_distance
from mvsim_ros2.physics.ground.block_footing import highest_facet
from mvsim_ros2.world.spec import (
    AnimationSpec, BlockSpec, GeometrySpec, HorizontalPlaneSpec, Keyframe)

G = 9.81
BOX = BlockSpec('box', mass=3.0, ground_friction=0.3, linear_damping=0.0, angular_damping=0.0,
                shape=((-0.25, -0.2), (0.25, -0.2), (0.25, 0.2), (-0.25, 0.2)), zmax=0.4)
ASIDE = replace(BOX, shape=((0.2, -0.3), (1.0, -0.3), (0.4, 0.6)))
TABLE = BlockSpec('table', init_pose=Pose(0.0, 0.0), static=True, skip_elevation_adjust=True,
                  zmax=0.8, shape=((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)))
RAMP = BlockSpec('ramp', init_pose=Pose(2.0, 0.0), static=True, shape_from_visual=True,
                 geometry=GeometrySpec('ramp', lx=4.0, ly=4.0, lz=1.2))


def with_blocks(dt, *blocks, **world):
    """Return a world of blocks in mode physical."""
    return physical(dt=dt, blocks=blocks, **world)


def energy(world, i=0):
    """Return the energy of a block over its mass, of its middle at the underside [J/kg]."""
    blocks = world.blocks
    velocity, climb = blocks.twist_body[i, :2], blocks.footing[i, 3]
    return float(0.5 * (velocity @ velocity + climb ** 2) + G * blocks.pose[i, 2])


@pytest.mark.parametrize('course', [0.0, 0.7, 1.5], ids=str)
@pytest.mark.parametrize('block', [BOX, ASIDE], ids=['box', 'triangle'])
def test_a_sliding_block_stops_as_coulomb_says(dt, block, course):
    """Straight on, after ``v^2 / (2 mu g)`` and ``v / (mu g)``, wherever the block is turned."""
    world = with_blocks(dt, block)
    world.set_pose('box', Pose(yaw=0.3), (math.cos(course), math.sin(course), 0.0))
    time = 0.0
    while np.hypot(*world.blocks.twist_body[0, :2]) > 1e-3 and time < 2.0:
        world.step()
        time += dt
    assert time == pytest.approx(1.0 / (0.3 * G), rel=0.01, abs=dt)
    x, y, _, yaw = world.blocks.pose[0, :4]
    assert math.hypot(x, y) == pytest.approx(0.5 / (0.3 * G), rel=0.01)
    assert math.atan2(y, x) == pytest.approx(0.3 + course, abs=1e-3)
    assert yaw == pytest.approx(0.3, abs=1e-3)


def test_a_block_that_turns_slides_farther(dt):
    """Friction opposes the motion of its points: turning and sliding end together."""
    world = with_blocks(dt, BOX)
    world.set_pose('box', Pose(), (1.0, 0.0, 8.0))
    moving = []
    for _ in range(round(1.5 / dt)):
        world.step()
        moving.append(np.abs(world.blocks.twist_body[0, [0, 2]]) > 1e-3)
    stops = dt * np.sum(moving, axis=0)
    assert stops[0] == pytest.approx(stops[1], abs=0.03)
    assert math.hypot(*world.blocks.pose[0, :2]) > 1.3 * 0.5 / (0.3 * G)


@pytest.mark.parametrize('degrees', [20.0, 30.0], ids=str)
def test_it_slides_down_a_slope(dt, degrees):
    """By ``g (sin - mu cos)``, tilted as the ground is, whatever its yaw."""
    angle = math.radians(degrees)
    place = Pose(10.0, 0.0, 10.0 * math.tan(angle), yaw=0.4)
    world = with_blocks(dt, replace(BOX, init_pose=place), elements=(slope(math.tan(angle)),))
    start = world.blocks.pose[0].copy()
    world.step(round(1.5 / dt))
    pose = world.blocks.pose[0]
    up = rotation_matrix(*pose[3:6])[:, 2]
    assert up == pytest.approx([-math.sin(angle), 0.0, math.cos(angle)], abs=1e-6)
    assert pose[2] == pytest.approx(pose[0] * math.tan(angle), abs=1e-5)
    expected = 0.5 * G * (math.sin(angle) - 0.3 * math.cos(angle)) * 1.5 ** 2
    assert np.linalg.norm((pose - start)[:3]) == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize('margin', [-0.01, 0.01], ids=['too smooth', 'rough enough'])
def test_it_rests_from_the_friction_of_the_slope_on(dt, margin):
    rise = math.tan(0.4)
    world = with_blocks(dt, replace(BOX, init_pose=Pose(5.0, 0.0, 5.0 * rise, yaw=0.8),
                                    ground_friction=rise * (1.0 + margin)),
                        elements=(slope(rise),))
    world.step(round(2.0 / dt))
    moved = 5.0 - world.blocks.pose[0, 0]
    assert (moved == 0.0) == (margin > 0.0)
    if margin < 0.0:
        slides = 0.01 * G * math.sin(0.4) * math.cos(0.4)
        assert moved == pytest.approx(0.5 * slides * 2.0 ** 2, rel=0.05)


def test_across_a_slope_friction_is_as_large_as_along(dt):
    """
    Where it rests by a hair a push across carries it downhill: friction has no more left.

    With ``mu = tan a`` the speed and its part down the slope have a constant sum.
    """
    rise = 0.3
    place = Pose(5.0, 0.0, 5.0 * rise)
    world = with_blocks(dt, replace(BOX, init_pose=place, ground_friction=rise),
                        elements=(slope(rise),))
    world.set_pose('box', place, (0.0, 1.0, 0.0))
    least = start = energy(world)
    for _ in range(round(1.0 / dt)):
        world.step()
        assert energy(world) < least + 2e-3 * start
        least = min(least, energy(world))
        down, across = world.blocks.twist_body[0, :2] * (math.hypot(1.0, rise), 1.0)
        assert math.hypot(down, across) - down == pytest.approx(1.0, rel=0.035)
    assert down < -0.4


def test_down_a_ramp_and_out_on_level_ground(dt):
    """A solid ramp; friction takes ``mu m g`` a metre in plan until the height is used up."""
    slope = 0.3
    block = replace(BOX, ground_friction=0.1, init_pose=Pose(4.5, 0.0, 2.5 * slope))
    world = with_blocks(dt, RAMP, block)
    assert world.blocks.pose[1, 4] == pytest.approx(-math.atan(slope), abs=1e-6)
    least = start = energy(world, 1)
    for _ in range(round(6.0 / dt)):
        world.step()
        assert energy(world, 1) < least + 1e-3 * start
        least = min(least, energy(world, 1))
    assert world.blocks.pose[1, [2, 4, 5]] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert 4.5 - world.blocks.pose[1, 0] == pytest.approx(2.5 * slope / 0.1, rel=0.02)


def test_up_a_ramp_without_a_gain(dt):
    """Thrown at a ramp it climbs less than its speed is worth, and comes back down."""
    block = replace(
        BOX, ground_friction=0.05, init_pose=Pose(1.0, 0.0), init_twist=(3.0, 0.0, 0.0))
    world = with_blocks(dt, RAMP, block)
    least = start = energy(world, 1)
    highest = 0.0
    for _ in range(round(3.0 / dt)):
        world.step()
        assert energy(world, 1) < least + 2e-3 * start
        least = min(least, energy(world, 1))
        highest = max(highest, float(world.blocks.pose[1, 2]))
    assert 0.25 < highest < start / G


def test_off_a_table_it_falls(dt):
    """By gravity, lands without a bounce, and never gains energy."""
    block = replace(BOX, ground_friction=0.05, init_pose=Pose(1.0, 0.0, 0.8),
                    init_twist=(2.0, 0.0, 0.0))
    world = with_blocks(dt, TABLE, block)
    least, falls = energy(world, 1), []
    for _ in range(round(2.0 / dt)):
        climb = world.blocks.footing[1, 3]
        world.step()
        if not world.blocks.footing[1, 2]:
            falls.append((world.blocks.footing[1, 3] - climb) / dt)
        assert energy(world, 1) < least + 1e-6
        least = min(least, energy(world, 1))
    assert falls == pytest.approx([-G] * len(falls))
    assert dt * len(falls) > 0.2
    assert world.blocks.pose[1, [2, 4, 5]] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


def test_over_an_edge_it_stays_level_until_its_middle_is_there():
    for x, level in ((1.9, True), (2.1, False)):
        world = with_blocks(0.005, TABLE, replace(
            BOX, ground_friction=2.0, init_pose=Pose(x, 0.0, 0.8)))
        world.step(2)
        assert (world.blocks.pose[1, 2] > 0.79 and abs(world.blocks.pose[1, 4]) < 1e-6) == level


def test_a_lift_carries_it():
    floor = HorizontalPlaneSpec(x_min=-2, x_max=2, y_min=-2, y_max=2, animation=AnimationSpec(
        keys=(Keyframe(0.0, Pose()), Keyframe(2.0, Pose(z=1.0)))))
    world = with_blocks(0.005, BOX, elements=(floor,))
    world.step(200)
    assert world.blocks.pose[0, 2] == pytest.approx(0.5, abs=0.01)


def test_it_continues_from_a_snapshot():
    """In the air and on a slope, to the last bit; and on level ground too."""
    blocks = (TABLE, replace(BOX, ground_friction=0.05, init_pose=Pose(1.5, 0.0, 0.8),
                             init_twist=(2.0, 0.3, 1.0)),
              replace(BOX, name='other', init_pose=Pose(8.0, 0.0), init_twist=(1.0, 0.5, 3.0)))
    world = with_blocks(0.005, *blocks)
    for _ in range(4):
        world.step(25)
        state = world.snapshot()
        world.step(60)
        expected = world.blocks.pose.tobytes(), world.blocks.twist_body.tobytes()
        world.restore(state)
        world.step(60)
        assert (world.blocks.pose.tobytes(), world.blocks.twist_body.tobytes()) == expected
        world.restore(state)


def test_one_whose_height_the_file_gives_keeps_it():
    world = with_blocks(0.005, TABLE, replace(
        BOX, skip_elevation_adjust=True, init_pose=Pose(1.0, 0.0, 1.5)))
    world.step(100)
    assert world.blocks.pose[1, 2] == 1.5


def test_the_plane_that_holds_a_block_is_the_lowest_that_does():
    """Against all planes through three points."""
    random = np.random.default_rng(3)
    corners = np.array([(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)])
    for _ in range(100):
        grid = random.uniform(-1.0, 1.0, (6, 2)) * (1.0, 0.5)
        places = np.concatenate([corners, grid, [(0.0, 0.0)]])
        heights = random.uniform(0.0, 1.0, len(places))
        height, slope_x, slope_y = highest_facet(np.column_stack([places, heights]), 4)
        least = math.inf
        for three in itertools.combinations(range(len(places)), 3):
            matrix = np.column_stack([np.ones(3), places[list(three)]])
            if abs(np.linalg.det(matrix)) > 1e-6:
                plane = np.linalg.solve(matrix, heights[list(three)])
                if np.all(plane[0] + places @ plane[1:] >= heights - 1e-9):
                    least = min(least, plane[0])
        assert height == pytest.approx(least, abs=1e-6)
        assert np.all(height + places @ (slope_x, slope_y) >= heights - 1e-6)


SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


@pytest.mark.parametrize('polygon', [SQUARE, ASIDE.shape], ids=['square', 'triangle'])
def test_mean_distance(polygon):
    """Against a fine grid of points; of a square of side a it is 0.3826 a."""
    corners = np.array(polygon)
    x, y = corners.mean(axis=0)
    grid = np.stack(np.meshgrid(np.linspace(-0.5, 1.0, 751), np.linspace(-0.5, 0.6, 551)), -1)
    ahead = np.roll(corners, -1, axis=0) - corners
    inside = np.all([ahead[k, 0] * (grid[..., 1] - corners[k, 1])
                     > ahead[k, 1] * (grid[..., 0] - corners[k, 0])
                     for k in range(len(corners))], axis=0)
    distances = np.hypot(grid[inside][:, 0] - x, grid[inside][:, 1] - y)
    assert mean_distance(polygon, x, y) == pytest.approx(distances.mean(), rel=5e-3)
    if polygon is SQUARE:
        assert mean_distance(polygon, 0.0, 0.0) == pytest.approx(0.38260, abs=1e-5)


def test_a_spinning_block_stops_as_under_an_even_pressure(dt):
    """
    After ``w k^2 / (mu g d)`` with the mean distance d and ``k^2 = a^2 / 6``, 1 % and a step.

    :claim: A spinning block stops as under an even pressure on the ground, within 1 %
    :reference: closed form
    """
    mu = 1.0
    world = physical(blocks=(BlockSpec('b', shape=SQUARE, mass=3.0, ground_friction=mu,
                                       angular_damping=0.0),), dt=dt)
    world.set_pose('b', Pose(), (0.0, 0.0, 10.0))
    expected = 10.0 / 6.0 / (mu * 9.81 * 0.38260)
    time = 0.0
    while world.blocks.twist_body[0, 2] > 1e-3 and time < 2.0:
        world.step(1)
        time += dt
    assert time == pytest.approx(expected, rel=0.01, abs=dt)
    assert math.hypot(*world.blocks.twist_body[0, :2]) < 1e-4
