# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Maps of a world at a height."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import SceneError

WORLD = """<mvsim_world version="1.0">
    <element class="horizontal_plane"> <x_min>-30</x_min> <x_max>30</x_max> </element>
    <block name="low"> <static>true</static> <zmax>0.3</zmax> <init_pose>2 0 0</init_pose> </block>
    <block name="high">
        <static>true</static> <zmin>0.5</zmin> <zmax>2</zmax> <init_pose>-2 1 45</init_pose>
    </block>
    <block name="pushed"> <zmax>2</zmax> <init_pose>0 3 0</init_pose> </block>
</mvsim_world>"""


@pytest.fixture
def simulation(tmp_path: Path) -> Simulation:
    """Provide two static blocks and one that can be pushed."""
    path = tmp_path / 'plan.world.xml'
    path.write_text(WORLD)
    return Simulation(load_world(path))


def occupied(simulation: Simulation, height: float, resolution: float) -> np.ndarray:
    plan = simulation.floor_plan(height, resolution)
    rows, columns = np.nonzero(plan.solid)
    return np.column_stack([plan.x_min + (columns + 0.5) * plan.resolution,
                            plan.y_min + (rows + 0.5) * plan.resolution])


@pytest.mark.parametrize('height, centre, reach', [
    pytest.param(0.1, (2.0, 0.0), (0.5, 0.5), id='low'),
    pytest.param(1.0, (-2.0, 1.0), (0.5 ** 0.5, 0.5 ** 0.5), id='high'),
])
def test_it_shows_what_stands_at_the_height(
        simulation: Simulation, height: float, centre: tuple[float, float],
        reach: tuple[float, float]) -> None:
    away = occupied(simulation, height, 0.02) - centre
    assert np.abs(away).max(axis=0) == pytest.approx(reach, abs=0.03)
    # an outline: closed, and hollow
    assert np.abs(away).sum(axis=1).min() > 0.4
    bearing = np.sort(np.arctan2(away[:, 1], away[:, 0]))
    assert np.diff(bearing).max() < 0.1


@pytest.mark.parametrize('height', [pytest.param(h, id=f'{h} m') for h in (0.4, 3.0)])
def test_between_and_above_there_is_nothing(simulation: Simulation, height: float) -> None:
    plan = simulation.floor_plan(height, 0.1)
    assert not plan.values.any() and plan.values.size


def test_a_map_that_would_not_fit_is_refused(simulation: Simulation) -> None:
    with pytest.raises(SceneError, match='take larger cells'):
        simulation.floor_plan(0.1, 1e-4)
