# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The explorer gets about, touches nothing, and repeats itself."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.trajectories.controller import drive
from mvsim_ros2.trajectories.explorer import Explorer

MakeWorld = Callable[..., Simulation]
WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
ROOM = """
<walls><shape> <pt>-5 -5</pt> <pt>5 -5</pt>  <pt>5 -5</pt> <pt>5 5</pt>
               <pt>5 5</pt> <pt>-5 5</pt>  <pt>-5 5</pt> <pt>-5 -5</pt> </shape></walls>
<block name="post"> <static>true</static> <init_pose>2 0 30</init_pose> </block>
"""


def explored(simulation: Simulation, explorer: Explorer, duration: float) -> list[Pose]:
    """Return the pose of each second."""
    name = next(iter(simulation.vehicles))
    poses = []
    for _ in range(round(duration)):
        drive(simulation, explorer, 1.0)
        poses.append(simulation.vehicles[name].pose)
    assert not simulation.vehicles[name].collided
    return poses


@pytest.mark.parametrize('seed', [pytest.param(seed, id=f'seed {seed}') for seed in range(3)])
def test_an_office_is_explored_without_a_touch(seed: int) -> None:
    simulation = Simulation.from_file(WORLDS / 'demo.world.xml', seed=seed, sensors=False)
    poses = explored(simulation, Explorer(speed=0.8), 240.0)
    cells = {(round(pose.x), round(pose.y)) for pose in poses}
    assert len(cells) > 40


@pytest.mark.parametrize('vehicle, size', [
    pytest.param('small_robot', 1.0, id='turns on the spot'),
    pytest.param('car', 4.0, id='must drive to turn')])
def test_a_room_is_explored_without_a_touch(
        alone: MakeWorld, vehicle: str, size: float) -> None:
    things = ROOM.replace('5', str(5 * size)).replace('>2 0 30<', f'>{2 * size} 0 30<')
    poses = explored(alone(vehicle, things), Explorer(), 200.0)
    assert np.ptp([pose.x for pose in poses]) > 4.0 * size
    assert np.ptp([pose.y for pose in poses]) > 3.0 * size


def test_bounds_hold_it(alone: MakeWorld) -> None:
    poses = explored(alone(), Explorer(bounds=(-2.0, -1.5, 3.0, 2.0)), 120.0)
    assert -2.0 < min(pose.x for pose in poses) < max(pose.x for pose in poses) < 3.0
    assert -1.5 < min(pose.y for pose in poses) < max(pose.y for pose in poses) < 2.0


def test_the_seed_decides(alone: MakeWorld) -> None:
    runs = [explored(alone(things=ROOM, seed=seed), Explorer(), 30.0) for seed in (4, 4, 5)]
    assert runs[0] == runs[1] != runs[2]


def test_its_own_seed_counts_more_than_that_of_the_simulation(alone: MakeWorld) -> None:
    runs = [explored(alone(things=ROOM, seed=seed), Explorer(seed=1), 30.0) for seed in (4, 5)]
    assert runs[0] == runs[1]
