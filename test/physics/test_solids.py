# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Blocks, walls, planes and maps as bodies, and the flag of collisions."""

from dataclasses import replace
import math

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from small_worlds import physics, vehicle

from mvsim_ros2.errors import PhysicsError, WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import area, Body, DYNAMIC, Fixture, sound, World
from mvsim_ros2.world.spec import (
    BlockSpec, GeometrySpec, HorizontalPlaneSpec, OccupancyGridSpec, OccupancyMap, OpeningSpec,
    Source, VerticalPlaneSpec, WallsSpec)
from mvsim_ros2.world.spec.outlines import convex_hull

FRONT = 0.6  # m, of the default chassis


def _grid():
    values = np.zeros((60, 60), np.int8)
    values[:, 50] = 100
    return OccupancyGridSpec(name='map', occupancy=OccupancyMap(values, 0.1, -3.0, -3.0))


@pytest.mark.parametrize(('world', 'face'), [
    ({'walls': (WallsSpec(shape=((2.0, -2.0), (2.0, 2.0))),)}, 1.95),
    ({'elements': (VerticalPlaneSpec(x0=2.0, y0=-2.0, x1=2.0, y1=2.0, thickness=0.1),)}, 1.95),
    ({'elements': (VerticalPlaneSpec(
        x0=-2.0, y0=0.0, x1=2.0, y1=0.0, init_pose=Pose(2.0, 0.0, 0.0, math.pi / 2)),)}, 1.99),
    ({'elements': (VerticalPlaneSpec(
        x0=2.0, y0=-2.0, x1=2.0, y1=2.0, windows=(OpeningSpec(),)),)}, 1.99),
    ({'elements': (_grid(),)}, 2.0),
    ({'blocks': (BlockSpec('b', init_pose=Pose(2.5), static=True),)}, 2.0),
    ({'blocks': (BlockSpec(
        'b', init_pose=Pose(2.5), static=True, shape_from_visual=True,
        geometry=GeometrySpec('cylinder', radius=0.3, length=1.0, vertex_count=4)),)}, 2.2),
    ({'blocks': (BlockSpec(
        'b', init_pose=Pose(2.5), static=True,
        geometry=GeometrySpec('cylinder', radius=0.3, length=1.0)),)}, 2.0),
], ids=['wall', 'vertical plane', 'placed plane', 'window', 'map', 'block', 'cylinder',
        'geometry that is only a picture'])
def test_stops_at_solid_things(world, face):
    """The front of the robot comes to rest within 3 cm of the face, and the flag is set."""
    scene = physics(vehicle(), **world)
    scene.vehicles.set_twist(0, 0.5, 0.0)
    scene.step(200)
    assert not scene.vehicles.take_collided(0)
    scene.step(1400)
    assert scene.vehicles.pose[0, 0] == pytest.approx(face - FRONT, abs=0.03)
    assert scene.vehicles.take_collided(0) and not scene.vehicles.collided[0]


@pytest.mark.parametrize('world', [
    {'elements': (VerticalPlaneSpec(
        x0=2.0, y0=-2.0, x1=2.0, y1=2.0, doors=(OpeningSpec(width=2.0),)),)},
    {'blocks': (BlockSpec('b', init_pose=Pose(2.5), intangible=True),)},
    {'elements': (HorizontalPlaneSpec(),)},
], ids=['door', 'intangible block', 'floor'])
def test_drives_through_what_is_not_solid(world):
    """Doors and intangible blocks do not stop a robot."""
    scene = physics(vehicle(), **world)
    scene.vehicles.set_twist(0, 1.0, 0.0)
    scene.step(1000)
    assert scene.vehicles.pose[0, 0] > 3.5 and not scene.vehicles.collided[0]


def test_flag_is_set_near_without_touching():
    """Nearer than the threshold counts, farther does not."""
    for gap, near in ((0.025, True), (0.06, False)):
        block = BlockSpec('b', init_pose=Pose(FRONT + 0.5 + gap), static=True)
        scene = physics(vehicle(), blocks=(block,))
        scene.step(5)
        assert scene.vehicles.take_collided(0) == near


def test_robots_collide_with_each_other():
    """Head-on they stop each other, and both know."""
    scene = physics(vehicle(), vehicle(name='r2', init_pose=Pose(3.0, 0.0, yaw=math.pi)))
    for i in range(2):
        scene.vehicles.set_twist(i, 0.5, 0.0)
    scene.step(1200)
    assert scene.vehicles.collided.all()
    assert scene.vehicles.pose[1, 0] - scene.vehicles.pose[0, 0] > 1.19


def test_sliding_block_stops_by_ground_friction():
    """It slides v^2 / (2 mu g) and then rests."""
    block = BlockSpec('b', mass=10.0, ground_friction=0.4, init_twist=(2.0, 0.0, 0.0),
                      init_pose=Pose(yaw=0.3), linear_damping=0.0)
    scene = physics(blocks=(block,), dt=0.001)
    scene.step(1000)
    way = 2.0 ** 2 / (2 * 0.4 * 9.81)
    assert scene.blocks.pose[0, :2] == pytest.approx(
        (way * math.cos(0.3), way * math.sin(0.3)), abs=0.01)
    assert scene.blocks.twist_body[0] == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
    assert scene.blocks.movable.tolist() == [True]


def test_heavy_block_is_not_pushed():
    """Ground friction above what the robot can push holds a block, below it moves."""
    moved = []
    for mass in (500.0, 2.0):
        scene = physics(vehicle(), blocks=(BlockSpec('b', init_pose=Pose(1.5), mass=mass),))
        scene.vehicles.set_twist(0, 0.5, 0.0)
        scene.step(1000)
        moved.append(scene.blocks.pose[0, 0] - 1.5)
    assert abs(moved[0]) < 0.02 and moved[1] > 0.5


def test_things_start_on_the_highest_floor_below():
    """Floors under half the height count; skip_elevation_adjust keeps z; else it is 0."""
    floors = (HorizontalPlaneSpec(z=0.1), HorizontalPlaneSpec(z=3.0, x_max=1.0))
    robots = [vehicle(name=str(z), init_pose=Pose(y=4.0 * z, z=z)) for z in (0, 2, -1)]
    robots.append(replace(vehicle(name='kept', init_pose=Pose(-4.0, 0.0, 2.5)),
                          skip_elevation_adjust=True))
    robots.append(vehicle(name='outside', init_pose=Pose(50.0, 0.0, 2.5)))
    scene = physics(*robots, elements=floors,
                    blocks=(BlockSpec('up', init_pose=Pose(0.0, 0.0, 2.9)),))
    assert scene.vehicles.pose[:, 2].tolist() == [0.1, 0.1, 0.0, 2.5, 0.0]
    assert scene.blocks.pose[0, 2] == 3.0


@pytest.mark.parametrize(('line', 'first'), [(9, 'vehicle'), (3, 'block')])
def test_bodies_are_made_in_the_order_of_the_file(line, first):
    """As in the original: the engine solves contacts in this order; rows keep theirs."""
    scene = physics(vehicle(source=Source('w.xml', 5)),
                    vehicle(name='r0', init_pose=Pose(9.0), source=Source('w.xml', 1)),
                    blocks=(BlockSpec('b', source=Source('w.xml', line)),))
    made = list(scene._space.names.values())
    assert ('block' if made.index('b') < made.index('r1') else 'vehicle') == first
    assert scene.vehicles.names == ['r1', 'r0']


@pytest.mark.parametrize('size, height', [
    pytest.param(1e-4, 1e-4, id='small'), pytest.param(1e3, 1e-4, id='thin')])
def test_too_small_shapes_are_an_error(size, height):
    """A polygon that the engine cannot hold names its line."""
    tiny = BlockSpec('b', shape=((0.0, 0.0), (size, 0.0), (0.0, height)),
                     source=Source('w.xml', 3))
    with pytest.raises(PhysicsError, match='w.xml:3.*larger than 1 cm'):
        physics(blocks=(tiny,))


def _arc(size, height, angle):
    """Return eight corners on a flat arc."""
    places = [(size * i / 7, height * i / 7 * (1 - i / 7)) for i in range(8)]
    cosine, sine = math.cos(angle), math.sin(angle)
    return [(cosine * x - sine * y, sine * x + cosine * y) for x, y in places]


@settings(max_examples=examples(300))
@given(size=st.floats(-3, 3), height=st.floats(-9, 2), angle=st.floats(-4, 4),
       extra=st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), max_size=6),
       twins=st.floats(-9, -1))
def test_the_engine_comes_to_an_end_with_every_outline(size, height, angle, extra, twins):
    """Its own hull ran out of its memory where corners are nearly straight or the same."""
    corners = [*_arc(10.0 ** size, 10.0 ** height, angle),
               *((10.0 ** size * x, 10.0 ** size * y) for x, y in extra)]
    corners += [(x + 10.0 ** twins, y) for x, y in corners[:2]]
    try:
        outline = convex_hull(corners, 'it', Source('', 0))
    except WorldFileError:
        return
    kept = sound(outline)
    if kept and area(kept) > 1e-6:
        assert set(kept) <= set(outline)
        body = Body(World(), DYNAMIC, Pose())
        corners = np.array(kept)
        fixture = bridge.polygon_new(
            body.address, len(kept), corners.ctypes.data, 0.005, 0.0, 0.0, math.inf, 1.0, 0.5, 0.0)
        assert fixture and len(Fixture(fixture).corners) == len(kept)


@pytest.mark.parametrize('outline', [
    pytest.param([(-6.99007088341525, 79.17643941935006),
                  (203.73673652771512, -59.669633797820566),
                  (203.73673721091257, -59.669633891495394),
                  (158.30571261758774, 115.26023986414847),
                  (-6.9900679846528275, 79.17644274926755)], id='twins'),
    pytest.param([(-1.0, -0.5), (1.0, -0.5), (1.0, 0.0), (1.0 + 1e-9, 1e-3), (1.0, 0.5),
                  (-1.0, 0.5)], id='straight'),
])
def test_outlines_lose_corners_that_are_straight(outline):
    """And nothing that can be seen; the first one ended the process."""
    block = BlockSpec('b', mass=3.0, shape=convex_hull(outline, 'b', Source('', 0)))
    world = physics(blocks=(block,))
    body = world.blocks.bodies[0]
    corners = body.fixtures[0].corners
    assert 3 <= len(corners) < len(outline)
    assert area(tuple(map(tuple, corners.tolist()))) == pytest.approx(area(block.shape), rel=1e-5)
    assert body.constants.mass == pytest.approx(3.0, rel=1e-5)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_blocks_that_stand_share_a_body(mode):
    """They are named in contacts, can be moved and removed, and come back from a snapshot."""
    blocks = tuple(BlockSpec(f'b{i}', static=True, init_pose=Pose(1.3, 3.0 * i, yaw=0.2 * i))
                   for i in range(100))
    scene = physics(vehicle(), blocks=blocks, mode=mode)
    assert len({body.address for body in scene._space._squares._bodies.values()}) == 1
    scene.vehicles.set_twist(0, 0.5, 0.0)
    scene.step(400)
    assert {name for name, _, _ in scene.contacts(0)} == {'b0'}
    stopped = scene.vehicles.pose[0, 0]
    state = scene.snapshot()
    scene.set_pose('b0', Pose(3.0))
    scene.step(400)
    assert scene.vehicles.pose[0, 0] > stopped + 0.5 and not scene.contacts(0)
    scene.restore(state)
    scene.step(100)
    assert scene.vehicles.pose[0, 0] == pytest.approx(stopped, abs=1e-3)
    scene.remove('b0')
    scene.step(400)
    assert scene.vehicles.pose[0, 0] > stopped + 0.5


def test_a_block_that_stands_far_away_keeps_its_shape():
    scene = physics(blocks=(BlockSpec('b', static=True, init_pose=Pose(123_456.75, -9e5)),))
    fixture, = scene.blocks.bodies[0].fixtures
    assert np.ptp(fixture.corners, axis=0) == pytest.approx((1.0, 1.0), abs=1e-4)


def test_robots_meet_head_on():
    """Twins that drive at each other stop halfway, as mirror images of each other."""
    world = physics(vehicle(name='r1', init_pose=Pose(-2.0)),
                    vehicle(name='r2', init_pose=Pose(2.0, yaw=math.pi)))
    for i in range(2):
        world.vehicles.set_twist(i, 0.8, 0.0)
    world.step(2000)
    (x1, y1, *_), (x2, y2, *_) = world.vehicles.pose
    assert (x1, y1) == pytest.approx((-x2, -y2), abs=2e-3)
    assert -0.63 < x1 < -0.595
    assert world.vehicles.collided.all()
    assert np.abs(world.vehicles.twist_body).max() < 0.02


def test_pushes_a_chain_of_blocks():
    """Four blocks in a row move on together without running into each other or away."""
    row = tuple(
        BlockSpec(f'b{i}', init_pose=Pose(1.5 + 1.1 * i), mass=3.0, ground_friction=0.2)
        for i in range(4))
    world = physics(vehicle(), blocks=row)
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(1600)
    x = np.concatenate([world.vehicles.pose[:1, 0] + 0.1, world.blocks.pose[:, 0]])
    assert np.diff(x) == pytest.approx(np.ones(4), abs=0.05)
    assert x[-1] > 5.2
    assert np.abs(world.blocks.pose[:, 1]).max() < 0.05
    assert np.abs(world.blocks.twist_body).max() < 0.7


def test_rested_bodies_sleep_until_something_happens():
    """A pushed block sleeps once left alone; a robot is awake in time for each command."""
    world = physics(vehicle(), blocks=(BlockSpec('b', init_pose=Pose(1.3), mass=4.0),))
    body = world.blocks.bodies[0]
    world.step(150)
    assert not body.is_awake
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(400)
    assert body.is_awake and world.blocks.pose[0, 0] > 1.35
    world.vehicles.set_twist(0, -0.5, 0.0)
    world.step(400)
    assert not body.is_awake


def test_slow_robots_do_not_fall_asleep():
    """Slower than what the engine takes for rest (1 cm/s), a robot keeps moving."""
    world = physics(vehicle('diff2', 'ideal'))
    world.vehicles.set_twist(0, 0.004, 0.0)
    world.step(2000)
    assert world.vehicles.pose[0, 0] == pytest.approx(0.04, rel=0.01)
