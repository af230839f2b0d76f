# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The bridge to the engine: the same bits from Python and kernels, and as with the wheel."""

import gc
import hashlib
import math
import platform
import random

from drawn_examples import examples
from hypothesis import assume, given, settings, strategies as st
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import (
    addresses, area, Body, centroid, DYNAMIC, Fixture, load, read_motion, save, sound, STATIC,
    World)
from mvsim_ros2.physics.state.record_layout import COM_X, COM_Y, COS, MOTION, SIN, VX, VY
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.outlines import convex_hull

COUNT, STEPS, DT = 40, 500, 0.01
# of the motion of all bodies after each 50 steps, with the wheel of Box2D 2.3.10
PYBOX2D = '1609e8027e6c3ff2f180f58b32391440ebc6e9634d49d57cd9cff71a8cebfb31'


def heap():
    """Return boxes that fly around in a room, some of them braked by the ground."""
    world, dice = World(), random.Random(3)
    room = Body(world, STATIC, Pose())
    for x, y, half_length, half_width in (
            (0.0, 5.0, 6.0, 0.1), (0.0, -5.0, 6.0, 0.1), (6.0, 0.0, 0.1, 5.0),
            (-6.0, 0.0, 0.1, 5.0)):
        bridge.box_new(room.address, half_length, half_width, x, y, 0, 0, 0.5, 0.1)
    bodies = []
    for k in range(COUNT):
        x, y, yaw, *velocity = (dice.uniform(-4, 4) for _ in range(6))
        body = Body(world, DYNAMIC, Pose(x, y, yaw=yaw), 0.1, 0.2)
        bridge.box_new(body.address, 0.3, 0.2, 0.05, 0, 0, 10, 0.4, 0.1)
        body.set_velocity(*velocity)
        if k % 4 == 0:
            bridge.friction_joint_new(world.address, room.address, body.address, 0.1, 0, 3, 1)
        bodies.append(body)
    return world, addresses(bodies)


def stir(bodies, dice):
    """Give a third of the bodies other velocities."""
    for body in bodies[::3].tolist():
        bridge.body_set_velocity(body, *(dice.uniform(-4, 4) for _ in range(3)))


def parts(step):
    """Return in how many parts a step is made; each third one is continuous."""
    return 1 if step % 3 == 0 else 0


@pytest.mark.skipif(platform.machine() != 'x86_64', reason='sine and cosine have other last bits')
def test_a_heap_moves_as_with_the_wheel_of_pypi():
    world, bodies = heap()
    digest, motion, dice = hashlib.sha256(), np.zeros((COUNT, MOTION)), random.Random(4)
    for step in range(STEPS):
        bridge.world_step(world.address, DT, 8, 3, parts(step))
        if step % 50 == 0:
            read_motion(bodies, motion)
            digest.update(motion.tobytes())
            stir(bodies, dice)
    assert digest.hexdigest() == PYBOX2D


def flight(pieces: int, y: float, yaw: float, velocity: tuple[float, float], bounce: float,
           dt: float) -> NDArray[np.float64]:
    """
    Return the motion of a box in 0.3 s, which looks ahead, towards a wall at x = 0.

    :param pieces: of which the wall is made, side by side.
    :param y: where the box starts; so yaw and velocity.
    """
    world = World()
    bridge.world_look_ahead(world.address)
    wall, body = Body(world, STATIC, Pose()), Body(world, DYNAMIC, Pose(-0.4, y, yaw=yaw))
    for k in range(pieces):
        length = 10.0 / pieces
        bridge.box_new(wall.address, 1.0, 0.5 * length, 1.0, (k + 0.5) * length - 5.0, 0.0, 0.0,
                       0.0, bounce)
    bridge.box_new(body.address, 0.3, 0.2, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0)
    body.set_velocity(*velocity, 0.0)
    motion = np.zeros((1 + round(0.3 / dt), MOTION))
    for step, row in enumerate(motion):
        if step > 0:
            bridge.world_step(world.address, dt, 8, 3, 0)
        read_motion(addresses([body]), row[None])
    return motion


@pytest.mark.parametrize('dt', [0.002, 0.005, 0.01, 0.02])
@pytest.mark.parametrize('bounce', [0.0, 0.5])
@pytest.mark.parametrize('yaw', [0.0, 0.1, 0.6])
def test_what_would_overlap_collides_within_the_step(yaw: float, bounce: float, dt: float,
                                                     ) -> None:
    """It moves by the velocities before and after the impact, and stays outside of the wall."""
    motion = flight(1, 0.0, yaw, (4.0, 1.0), bounce, dt)
    place, velocity = motion[:, [COM_X, COM_Y]], motion[:, [VX, VY]]
    moved, change = np.diff(place, axis=0) / dt, np.diff(velocity, axis=0)
    share = np.sum((moved - velocity[:-1]) * change, axis=1) / np.maximum(
        np.sum(change ** 2, axis=1), 1e-9)
    between = velocity[:-1] + np.clip(share, 0.0, 1.0)[:, None] * change
    assert np.abs(moved - between).max() < 0.1
    corner = motion[:, COM_X] + 0.3 * np.abs(motion[:, COS]) + 0.2 * np.abs(motion[:, SIN])
    assert corner.max() < -0.02 + 0.006  # the skins of both, and the slop
    if yaw == 0.0:
        assert motion[-1, [VX, VY]] == pytest.approx((-4.0 * bounce, 1.0))


@pytest.mark.parametrize('dt', [0.005, 0.02])
def test_a_wall_of_pieces_stops_nothing_that_moves_along_it(dt: float) -> None:
    motion = flight(20, -2.0, 0.0, (1.0, 4.0), 0.0, dt)
    assert motion[-1, [VX, VY]] == pytest.approx((0.0, 4.0), abs=1e-5)


@compiled
def run(world: int, bodies: NDArray[np.int64], motion: NDArray[np.float64]) -> int:
    """Make steps in a kernel; return how many bodies are awake."""
    for step in range(100):
        bridge.world_step(world, DT, 8, 3, 1 if step % 3 == 0 else 0)
    bridge.bodies_motion(bodies.ctypes.data, len(bodies), motion.ctypes.data)
    awake = 0
    for i in range(len(bodies)):
        awake += bridge.body_is_awake(bodies[i])
    return awake


def test_kernels_call_it_as_python_does():
    pytest.importorskip('numba')
    use_machine_code()
    ends, awake = [], []
    for go in (run, run.plain):  # type: ignore[attr-defined]
        world, bodies = heap()
        motion = np.zeros((COUNT, MOTION))
        awake.append(go(world.address, bodies, motion))
        ends.append(motion.tobytes())
    assert ends[0] == ends[1] and awake[0] == awake[1] == COUNT


def test_what_is_saved_continues_to_the_same_bits():
    """Of a body that flies freely; a contact is not saved."""
    world = World()
    body = Body(world, DYNAMIC, Pose(1.0, 2.0, yaw=0.3))
    bridge.box_new(body.address, 0.3, 0.2, 0.1, 0, 0, 1, 0, 0)
    body.set_velocity(1.0, -0.5, 2.0)
    bodies, ends = addresses([body]), []
    bridge.world_step(world.address, DT, 8, 3, 0)
    state = save(bodies)
    for _ in range(2):
        load(bodies, state)
        bridge.body_push(body.address, 1.0, 2.0, 0.1)
        for _ in range(50):
            bridge.world_step(world.address, DT, 8, 3, 0)
        ends.append(save(bodies).tobytes())
    assert ends[0] == ends[1] != state.tobytes()


def turned(moved, fixture):
    """Turn the box of a body by a right angle."""
    bridge.box_change(fixture, 0.1, 1.0, 0, 0, 0)


def placed(moved, fixture):
    """Put a body elsewhere between two steps."""
    bridge.body_move(moved, 0.0, 0.9, 0.0)


def given_more(moved, fixture):
    """Add a box to a body."""
    bridge.box_new(moved, 0.1, 1.0, 0, 0, 0, 0, 0, 0)


def skinned(moved, fixture):
    """Give the box of a body a thick skin."""
    bridge.fixture_set_skin(fixture, 1.0)


@pytest.mark.parametrize('change', [turned, placed, given_more, skinned])
@pytest.mark.parametrize('rests', [False, True])
def test_a_body_meets_another_one_as_soon_as_its_shape_or_place_does(change, rests):
    """Also where it has hardly moved since the engine last looked where it is."""
    world = World()
    moved, other = Body(world, DYNAMIC, Pose()), Body(world, STATIC, Pose(0.0, 1.0))
    fixture = bridge.box_new(moved.address, 1.0, 0.1, 0, 0, 0, 1, 0, 0)
    bridge.box_new(other.address, 1.0, 0.1, 0, 0, 0, 0, 0, 0)
    moved.set_velocity(0.0 if rests else 0.01, 0.0, 0.0)
    collided = np.zeros(1, bool)
    for step in range(5):
        if step == 3:
            assert not collided[0]
            change(moved.address, fixture)
        bridge.world_step(world.address, DT, 8, 3, 0)
        bridge.bodies_collided(world.address, addresses([moved]).ctypes.data, 1, 0.0,
                               collided.ctypes.data)
    assert collided[0]


@pytest.mark.parametrize('corners, message', [
    pytest.param([(0, 0), (1e-9, 0), (0, 1e-9)], 'LengthSquared', id='small'),
    pytest.param([(math.cos(k), math.sin(k)) for k in range(17)], '16 corners', id='many')])
def test_a_shape_that_is_impossible_is_refused(corners, message):
    body, numbers = Body(World(), DYNAMIC, Pose()), np.array(corners, float)
    assert not bridge.polygon_new(
        body.address, len(corners), numbers.ctypes.data, 0.01, 0, 0, 1, 1, 0, 0)
    assert message in bridge.last_error()
    bridge.world_step(body.world.address, DT, 8, 3, 0)


def test_a_mass_that_is_impossible_is_refused():
    body = Body(World(), DYNAMIC, Pose())
    assert not bridge.body_set_mass(body.address, 1.0, 10.0, 0.0, 1.0)
    assert 'm_I' in bridge.last_error()


def test_worlds_go_with_their_last_body():
    bodies = [Body(World(), DYNAMIC, Pose(float(k))) for k in range(100)]
    gc.collect()
    assert [body.place[0] for body in bodies] == list(range(100))


def distance(first, second):
    """Return the distance of two convex polygons, 0 where they overlap, shapes (n, 2)."""
    least, apart = math.inf, False
    for one, other in ((first, second), (second, first)):
        begin, edge = one, np.roll(one, -1, axis=0) - one
        to = other[None] - begin[:, None]
        outside = edge[:, None, 1] * to[..., 0] - edge[:, None, 0] * to[..., 1]
        apart = apart or bool(np.any(np.all(outside > 0.0, axis=1)))
        share = np.clip((to * edge[:, None]).sum(-1) / (edge ** 2).sum(-1)[:, None], 0.0, 1.0)
        least = min(least, float(np.linalg.norm(to - share[..., None] * edge[:, None],
                                                axis=-1).min()))
    return least if apart else 0.0


@settings(max_examples=examples(200))
@given(corners=st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=3, max_size=9),
       size=st.tuples(st.floats(0.1, 1), st.floats(0.1, 1)), x=st.floats(-2, 2),
       y=st.floats(-2, 2), turn=st.floats(-4, 4), other_turn=st.floats(-4, 4))
def test_bodies_are_near_below_their_distance_only(corners, size, x, y, turn, other_turn):
    """A little above the distance of their skins they are near, a little below they are not."""
    outline: Polygon = ()
    try:
        outline = sound(convex_hull(corners, 'it', Source('', 0)))
    except WorldFileError:
        pass
    assume(outline and area(outline) > 1e-3)
    world, skin, numbers, placed = World(), 0.005, np.array(outline), []
    first, second = (Body(world, DYNAMIC, pose) for pose in (
        Pose(yaw=turn), Pose(x, y, yaw=other_turn)))
    shapes = (bridge.polygon_new(first.address, len(numbers), numbers.ctypes.data, skin,
                                 *centroid(outline), 1.0, 1, 0, 0),
              bridge.box_new(second.address, *size, 0, 0, 0, 1, 0, 0))
    bridge.fixture_set_skin(shapes[1], skin)
    for body, shape in zip((first, second), shapes, strict=True):
        sine, cosine = math.sin(body.place[2]), math.cos(body.place[2])
        placed.append(Fixture(shape).corners @ ((cosine, sine), (-sine, cosine)) + body.place[:2])
    true = distance(*placed) - 2.0 * skin
    bridge.world_step(world.address, 0.0, 1, 1, 0)  # looks at contacts, moves nothing

    def near(threshold):
        collided = np.zeros(1, bool)
        bridge.bodies_collided(world.address, addresses([first]).ctypes.data, 1, threshold,
                               collided.ctypes.data)
        return bool(collided[0])

    if true < 0.1:  # where boxes overlap the engine knows a contact
        assert near(max(true, 0.0) + 1e-4)
    if true > 2e-4:
        assert not near(true - 1e-4)
