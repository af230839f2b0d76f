# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Distances of polygons, and bodies that meet in many ways."""

from collections.abc import Callable
import math
from typing import Any

import Box2D
from drawn_examples import examples
from hypothesis import assume, given, settings, strategies as st
import numpy as np
import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.engine.collisions import is_nearer
from mvsim_ros2.physics.engine.contact_memory import contacts_as_expected
from mvsim_ros2.physics.engine.polygons import area, sound
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.shapes.outlines import convex_hull

Worlds = Callable[..., PhysicsWorld]


def _states(world: PhysicsWorld) -> list[bytes]:
    v = world.vehicles
    return [array.tobytes() for array in (
        v.pose, v.twist_body, v.wheels, v.collided, world.blocks.pose, world.blocks.twist_body)]


@settings(max_examples=examples(200))
@given(corners=st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=3, max_size=9),
       size=st.tuples(st.floats(0.1, 1), st.floats(0.1, 1)), x=st.floats(-2, 2),
       y=st.floats(-2, 2), turn=st.floats(-4, 4), other_turn=st.floats(-4, 4))
def test_distance_is_that_of_the_engine(
        corners: list[tuple[float, float]], size: tuple[float, float], x: float, y: float,
        turn: float, other_turn: float) -> None:
    """A little above the engine's distance is not nearer, a little below is."""
    try:
        outline = sound(convex_hull(corners, 'it', Source('', 0)))
    except WorldFileError:
        outline = ()
    assume(outline and area(outline) > 1e-6)
    first = Box2D.b2PolygonShape(vertices=outline)
    second = Box2D.b2PolygonShape(box=size)
    places = []
    for px, py, angle in ((0.0, 0.0, turn), (x, y, other_turn)):
        place = Box2D.b2Transform()
        place.Set((px, py), angle)
        places.append(place)
    distance = Box2D.b2Distance(
        shapeA=first, shapeB=second, transformA=places[0], transformB=places[1],
        useRadii=False).distance
    shapes = [(np.array(shape.vertices, np.float32),
               np.array([at.position.x, at.position.y, at.q.s, at.q.c], np.float32))
              for shape, at in zip((first, second), places, strict=True)]
    assert is_nearer(*shapes[0], *shapes[1], distance + 1e-4)
    if distance > 2e-4:
        assert not is_nearer(*shapes[0], *shapes[1], distance - 1e-4)


def test_contacts_are_where_they_are_looked_for() -> None:
    """With the pinned binding contacts can be read in memory."""
    assert contacts_as_expected()


@pytest.mark.parametrize('kind', ['diff2', 'diff4'])
@pytest.mark.parametrize('controller', ['raw', 'pid', 'ideal'])
@pytest.mark.parametrize('dt', [0.005, 0.01], ids=['5 ms', '10 ms'])
def test_random_drives_are_the_same_with_public_functions(
        vehicle: Callable, physics: Worlds, kind: str, controller: str, dt: float) -> None:
    """Robots that drive, stand still, and meet blocks give the same bytes on both paths."""
    blocks = (BlockSpec('pushed', init_pose=Pose(1.3, 0.2), mass=4.0),
              BlockSpec('still', init_pose=Pose(-1.6), static=True))
    worlds = [
        physics(vehicle(kind, controller), vehicle('diff2', 'pid', 'r2', init_pose=Pose(0, 1.4)),
                blocks=blocks, simul_timestep=dt, options={'bulk': bulk})
        for bulk in (True, False)]
    random = np.random.default_rng(5)
    for _ in range(8):
        first, second = random.uniform(-2, 2, (2, 2)) * random.integers(0, 2, (2, 1))
        for world in worlds:
            for i, command in enumerate((first, second)):
                if world.vehicles.accepts_twist(i):
                    world.vehicles.set_twist(i, *command)
                else:
                    world.vehicles.set_torques(i, command)
            world.step(round(0.7 / dt))
        assert _states(worlds[0]) == _states(worlds[1])


@pytest.mark.parametrize('bulk', [True, False], ids=['memory', 'public functions'])
def test_robots_meet_head_on(vehicle: Callable, physics: Worlds, bulk: bool) -> None:
    """Twins that drive at each other stop halfway, as mirror images of each other."""
    world = physics(
        vehicle(name='r1', init_pose=Pose(-2.0)),
        vehicle(name='r2', init_pose=Pose(2.0, yaw=math.pi)), options={'bulk': bulk})
    for i in range(2):
        world.vehicles.set_twist(i, 0.8, 0.0)
    world.step(2000)
    (x1, y1, *_), (x2, y2, *_) = world.vehicles.pose
    assert (x1, y1) == pytest.approx((-x2, -y2), abs=2e-3)
    assert -0.63 < x1 < -0.595
    assert world.vehicles.collided.all()
    assert np.abs(world.vehicles.twist_body).max() < 0.02


def test_pushes_a_chain_of_blocks(vehicle: Callable, physics: Worlds) -> None:
    """Four blocks in a row move on together without running into each other or away."""
    row: tuple[Any, ...] = tuple(
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


def test_rested_bodies_sleep_until_something_happens(vehicle: Callable, physics: Worlds) -> None:
    """A pushed block sleeps once left alone; a robot is awake in time for each command."""
    world = physics(vehicle(), blocks=(BlockSpec('b', init_pose=Pose(1.3), mass=4.0),))
    body = world.blocks.bodies[0]
    world.step(150)
    assert not body.awake
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(400)
    assert body.awake and world.blocks.pose[0, 0] > 1.35
    world.vehicles.set_twist(0, -0.5, 0.0)
    world.step(400)
    assert not body.awake


def test_slow_robots_do_not_fall_asleep(vehicle: Callable, physics: Worlds) -> None:
    """Slower than what the engine takes for rest (1 cm/s), a robot keeps moving."""
    world = physics(vehicle('diff2', 'ideal'))
    world.vehicles.set_twist(0, 0.004, 0.0)
    world.step(2000)
    assert world.vehicles.pose[0, 0] == pytest.approx(0.04, rel=0.01)
