# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small worlds take little memory of the engine, and the engine goes on where it is used up."""

from collections.abc import Callable
import ctypes
from dataclasses import replace
import gc

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.engine import box2d_world
from mvsim_ros2.physics.engine.block_memory import places
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Maker = Callable[..., VehicleSpec]
Worlds = Callable[..., PhysicsWorld]

SIZES, FREE = 14, 16  # of places in a world of the engine; bytes before the first free ones


def free_places(world: PhysicsWorld) -> int:
    """Return how many places a world of the engine has taken memory for and does not use."""
    count = 0
    for number in range(SIZES):
        place = int(world._space.world.this) + FREE + 8 * number
        while (place := ctypes.c_uint64.from_address(place).value) != 0:
            count += 1
    return count


def boxes(count: int) -> tuple[BlockSpec, ...]:
    """Return boxes that stand around the origin."""
    return tuple(
        BlockSpec(name=f'b{i}', static=True, init_pose=Pose(3.0 * np.cos(i), 3.0 * np.sin(i)),
                  shape=((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)))
        for i in range(count))


def test_a_small_world_takes_what_it_needs(vehicle: Maker, physics: Worlds) -> None:
    """A robot among eight boxes leaves few places unused, contacts included."""
    assert all(places())
    world = physics(vehicle(), blocks=boxes(8))
    assert free_places(world) < 12
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(800)
    assert world.vehicles.collided[0]
    assert free_places(world) < 12


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('count', [8, 300])
def test_numbers_do_not_depend_on_the_memory(
        mode: str, count: int, vehicle: Maker, physics: Worlds,
        monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more bodies, fixtures and contacts come than were expected the engine takes more."""
    def run() -> list[bytes]:
        world, states = physics(vehicle(), blocks=boxes(count), options={'mode': mode}), []
        for number in range(30):
            name, place = f'n{number}', Pose(0.9 * (number % 6) - 2.0, 0.8 * (number // 6) - 2.0)
            if number % 2:
                world.add_vehicle(replace(vehicle(), name=name, init_pose=place))
            else:
                world.add_block(BlockSpec(name=name, init_pose=place))
            for i in range(len(world.vehicles)):
                world.vehicles.set_twist(i, 0.5, 0.1 * i)
            world.step(20)
            if number % 7 == 6:
                world.remove(f'n{number - 3}')
            states += [world.vehicles.pose.tobytes(), world.blocks.pose.tobytes()]
        return states

    given = run()
    monkeypatch.setattr(box2d_world, 'provide', lambda *_: None)
    assert given == run()
    gc.collect()  # the engine frees what it was given with its worlds
