# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The world in plan: the planar scene, and maps of it at a height."""

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.planar import PlanarScene, StaticGeometry, vehicle_pieces
from mvsim_ros2.world.spec import (
    BlockSpec, ChassisSpec, DifferentialSpec, Footprint, OccupancyGridSpec, OccupancyMap,
    OpeningSpec, VehicleSpec, VerticalPlaneSpec, WallsSpec, WheelSpec, WorldSpec)

SMALL = Footprint(((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)), 0.0, 1.0)


def _grid():
    values = np.zeros((4, 5), np.int8)
    values[1:3, 1:3] = 100
    return OccupancyMap(values, 0.5, -1.0, 2.0)


def test_everything_static():
    world = WorldSpec(
        walls=(WallsSpec(shape=((0.0, 0.0), (4.0, 0.0))),),
        elements=(VerticalPlaneSpec(doors=(OpeningSpec(),), windows=(OpeningSpec(),)),
                  OccupancyGridSpec(occupancy=_grid())),
        blocks=(BlockSpec(name='a', static=True, init_pose=Pose(5.0, 5.0, yaw=np.pi / 4)),
                BlockSpec(name='b', static=True, intangible=True),
                BlockSpec(name='c')))
    geometry = StaticGeometry.from_world(world)
    # a wall, two stretches of the plane, a block; the outline of the solid cells
    assert len(geometry.segments) == 4 * 4 + 4
    assert geometry.is_grid.tolist() == [False] * 16 + [True] * 4
    block = geometry.segments[12:16]
    np.testing.assert_allclose(
        np.linalg.norm(block[:, :2] - 5.0, axis=1), np.sqrt(0.5), atol=1e-12)
    cells = geometry.segments[16:].reshape(-1, 2)
    np.testing.assert_allclose([cells.min(axis=0), cells.max(axis=0)], [[-0.5, 2.5], [0.5, 3.5]])


def test_movers_in_order():
    world = WorldSpec(
        blocks=(BlockSpec(name='crate'), BlockSpec(name='post', static=True),
                BlockSpec(name='ghost', intangible=True), BlockSpec(name='bin'),
                BlockSpec(name='bush', shape_from_visual=True)),
        vehicles=(VehicleSpec(name='r2'), VehicleSpec(name='r1')))
    scene = PlanarScene.from_world(world, {'bin': SMALL, 'bush': SMALL})
    assert scene.mover_names == ('r2', 'r1', 'crate', 'bin', 'bush')
    assert np.diff(scene.mover_first)[2:].tolist() == [4, 4, 4]
    # the mesh of a block counts only where the block asks for it
    sizes = abs(scene.mover_segments[scene.mover_first[2]:]).reshape(3, 16).max(axis=1)
    assert sizes.tolist() == [0.5, 0.5, 0.1]


def test_static_geometry_is_reused():
    static = StaticGeometry.from_world(WorldSpec(walls=(
        WallsSpec(shape=((0.0, 0.0), (4.0, 0.0))),)))
    scene = PlanarScene.from_parts(static, (VehicleSpec(name='r1'),), (BlockSpec(name='b'),))
    assert scene.static is static
    assert scene.mover_names == ('r1', 'b')


def test_empty_world():
    scene = PlanarScene.from_world(WorldSpec())
    assert scene.static.segments.shape == (0, 4)
    assert scene.mover_segments.shape == (0, 4)
    assert scene.mover_first.tolist() == [0]


@pytest.mark.parametrize('wheel, edges', [
    pytest.param(WheelSpec(pos=(0.0, 0.2, 0.0)), 4, id='within the chassis'),
    pytest.param(WheelSpec(pos=(0.0, 0.5, 0.0)), 4 + 8, id='sticks out')])
def test_wheels_that_stick_out_are_seen(wheel, edges):
    chassis = ChassisSpec(shape=((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))
    right = WheelSpec(pos=(0.0, -wheel.pos[1], 0.0))
    vehicle = VehicleSpec(dynamics=DifferentialSpec(chassis=chassis, l_wheel=wheel, r_wheel=right))
    assert sum(len(piece.polygon) for piece in vehicle_pieces(vehicle)) == edges


def test_turned_wheel():
    wheel = WheelSpec(pos=(1.0, 2.0, np.pi / 2), diameter=0.4, width=0.1)
    vehicle = VehicleSpec(dynamics=DifferentialSpec(l_wheel=wheel, r_wheel=wheel))
    corners = np.array(vehicle_pieces(vehicle)[-1].polygon)
    np.testing.assert_allclose([corners.min(axis=0), corners.max(axis=0)],
                               [[0.95, 1.8], [1.05, 2.2]])


PLAN_WORLD = """
    <element class="horizontal_plane"> <x_min>-30</x_min> <x_max>30</x_max> </element>
    <block name="low"> <static>true</static> <zmax>0.3</zmax> <init_pose>2 0 0</init_pose> </block>
    <block name="high">
        <static>true</static> <zmin>0.5</zmin> <zmax>2</zmax> <init_pose>-2 1 45</init_pose>
    </block>
    <block name="pushed"> <zmax>2</zmax> <init_pose>0 3 0</init_pose> </block>"""


@pytest.fixture
def simulation() -> Simulation:
    """Provide two static blocks and one that can be pushed."""
    return simulate(PLAN_WORLD)


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
