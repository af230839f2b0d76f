# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plan outlines against sizes worked out by hand, and on random maps."""

from dataclasses import replace
import math

from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
import numpy as np
import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import (
    BlockSpec, ChassisSpec, DifferentialSpec, Footprint, GeometrySpec, OccupancyMap, OpeningSpec,
    Source, VehicleSpec, VerticalPlaneSpec, WallsSpec)
from mvsim_ros2.world.spec.block import UNIT_SQUARE
from mvsim_ros2.world.spec.elements.vertical_plane import plane_outlines
from mvsim_ros2.world.spec.grid import corner_count, grid_rectangles, grid_segments
from mvsim_ros2.world.spec.outlines import convex_hull
from mvsim_ros2.world.spec.solids import block_footprint, vehicle_footprint
from mvsim_ros2.world.spec.walls import wall_outlines

MESH = Footprint(((0.0, 0.0), (2.0, 0.0), (2.0, 1.0)), 0.2, 0.7)
HERE = Source('w.xml', 4)


def extent(polygon: object) -> list[float]:
    """Return x0 y0 x1 y1 of a polygon."""
    points = np.asarray(polygon)
    return [*points.min(axis=0).tolist(), *points.max(axis=0).tolist()]


@pytest.mark.parametrize(('geometry', 'box', 'heights'), [
    (GeometrySpec('box', lx=2.0, ly=1.0, lz=0.5), [0, 0, 2, 1], (0, 0.5)),
    (GeometrySpec('ramp', lx=2.0, ly=1.0, lz=0.5), [0, -0.5, 2, 0.5], (0, 0.5)),
    (GeometrySpec('semi_cylinder_bump', lx=2.0, ly=1.0, lz=0.5), [-1, -0.5, 1, 0.5], (0, 0.5)),
    (GeometrySpec('cylinder', radius=0.5, length=2.0, vertex_count=4),
     [-0.5, -0.5, 0.5, 0.5], (0, 2)),
    (GeometrySpec('sphere', radius=0.5, vertex_count=4), [-0.5, -0.5, 0.5, 0.5], (-0.5, 0.5)),
], ids=['box', 'ramp', 'bump', 'cylinder', 'sphere'])
def test_geometry_counts_with_shape_from_visual(
        geometry: GeometrySpec, box: list[float], heights: tuple[float, float]) -> None:
    """Its own outline and heights; without the tag a square of 1 m from 0 to 1."""
    block = BlockSpec('b', geometry=geometry, shape_from_visual=True)
    found = block_footprint(block, MESH)
    assert extent(found.polygon) == pytest.approx(box)
    assert (found.zmin, found.zmax) == heights
    assert block_footprint(replace(block, shape_from_visual=False)) == Footprint(
        UNIT_SQUARE, 0.0, 1.0)


@pytest.mark.parametrize(('count', 'vertices', 'radius'), [
    (0, 10, 0.5), (3, 3, 0.5), (14, 14, 0.5), (40, 14, 0.5 / math.cos(math.pi / 14)),
], ids=['default', 'triangle', 'most', 'too many'])
def test_circles(count: int, vertices: int, radius: float) -> None:
    """More than 14 vertices become a circumscribed polygon of 14."""
    geometry = GeometrySpec('cylinder', radius=0.5, length=1.0, vertex_count=count)
    polygon = block_footprint(BlockSpec('b', geometry=geometry, shape_from_visual=True)).polygon
    assert len(polygon) == vertices
    assert [math.hypot(x, y) for x, y in polygon] == pytest.approx([radius] * vertices)


@pytest.mark.parametrize(('block', 'expected'), [
    (BlockSpec('b', shape_from_visual=True), MESH),
    (BlockSpec('b', shape_from_visual=True, zmax=0.5), replace(MESH, zmax=0.5)),
    (BlockSpec('b'), Footprint(UNIT_SQUARE, 0.0, 1.0)),
    (BlockSpec('b', zmin=0.1, zmax=3.0), Footprint(UNIT_SQUARE, 0.1, 3.0)),
    (BlockSpec('b', shape_from_visual=True,
               shape=((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.2, 0.2))),
     Footprint(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), 0.2, 0.7)),
], ids=['mesh', 'mesh cut', 'default', 'heights', 'shape wins, made convex'])
def test_blocks(block: BlockSpec, expected: Footprint) -> None:
    """Shape, then geometry or mesh with shape_from_visual, then the unit square."""
    found = block_footprint(block, MESH)
    assert found.polygon == pytest.approx(np.array(expected.polygon))
    assert (found.zmin, found.zmax) == (expected.zmin, expected.zmax)


@pytest.mark.parametrize(('block', 'message'), [
    (BlockSpec('b', shape=((0, 0), (1, 1), (2, 2)), source=HERE), 'w.xml:4.*no area'),
    (BlockSpec('b', shape=((0, 0), (1, 1), (math.nan, 2)), source=HERE), 'w.xml:4.*finite'),
    (BlockSpec('b', zmin=2.0, source=HERE), 'w.xml:4.*zmax 1.0 below zmin 2.0'),
    (BlockSpec('b', geometry=GeometrySpec('box', lx=1.0, source=HERE), shape_from_visual=True),
     'w.xml:4.*ly and lz'),
    (BlockSpec('b', shape=tuple((math.cos(a), math.sin(a)) for a in range(20)), source=HERE),
     'w.xml:4.*20 vertices'),
], ids=['line', 'nan', 'heights', 'no size', 'too many vertices'])
def test_impossible_outlines_name_their_line(block: BlockSpec, message: str) -> None:
    """The error says where and what."""
    with pytest.raises(WorldFileError, match=message):
        block_footprint(block)


def test_vehicles() -> None:
    """The chassis outline is made convex and counter-clockwise; a mesh wins where asked."""
    vehicle = VehicleSpec('r')
    found = vehicle_footprint(vehicle, MESH)
    assert extent(found.polygon) == [-0.4, -0.5, 0.6, 0.5]
    assert (found.zmin, found.zmax, len(found.polygon)) == (0.05, 0.6, 6)
    shaped = VehicleSpec('r', dynamics=DifferentialSpec(
        chassis=ChassisSpec(shape_from_visual=True)))
    assert vehicle_footprint(shaped, MESH) == MESH
    assert vehicle_footprint(shaped) == found


def test_wall_corners_are_filled() -> None:
    """Ends near an earlier segment are lengthened by half a thickness, others are not."""
    walls = wall_outlines(WallsSpec(
        shape=((0, 0), (4, 0), (4, 0), (4, 3), (9, 9), (9, 8)), wall_height=2.5))
    assert [wall.name for wall in walls] == ['wall_0001', 'wall_0002', 'wall_0003']
    assert extent(walls[0].polygon) == pytest.approx([0, -0.05, 4, 0.05])
    assert extent(walls[1].polygon) == pytest.approx([3.95, -0.05, 4.05, 3])
    assert extent(walls[2].polygon) == pytest.approx([8.95, 8, 9.05, 9])
    assert (walls[0].zmin, walls[0].zmax) == (0.0, 2.5)


def test_walls_are_transformed() -> None:
    """A 4 x 4 matrix turns and moves the segments."""
    matrix = ((0.0, -1.0, 0.0, 5.0), (1.0, 0.0, 0.0, 6.0), (0.0, 0.0, 1.0, 0.0),
              (0.0, 0.0, 0.0, 1.0))
    wall, = wall_outlines(WallsSpec(shape=((0, 0), (2, 0)), transformation=matrix))
    assert extent(wall.polygon) == pytest.approx([4.95, 6, 5.05, 8])


def test_planes_are_open_at_doors_only() -> None:
    """Overlapping doors merge, windows stay solid, the pose moves the wall."""
    plane = VerticalPlaneSpec(
        name='wall', x0=0.0, y0=0.0, x1=10.0, y1=0.0, thickness=0.2, z=0.5, height=2.0,
        init_pose=Pose(1.0, 2.0, 3.0), windows=(OpeningSpec(position=0.8),),
        doors=(OpeningSpec(position=0.3), OpeningSpec(position=0.25), OpeningSpec(position=1.0)))
    first, second = plane_outlines(plane)
    assert extent(first.polygon) == pytest.approx([1, 1.9, 3, 2.1])
    assert extent(second.polygon) == pytest.approx([4.5, 1.9, 10.5, 2.1])
    assert (first.zmin, first.zmax, first.friction) == (3.5, 5.5, 0.2)


@pytest.mark.parametrize('make', [
    lambda: wall_outlines(WallsSpec(shape=((1, 1), (1, 1)), source=HERE)),
    lambda: plane_outlines(VerticalPlaneSpec(x1=-10.0, y1=-10.0, source=HERE)),
], ids=['wall', 'plane'])
def test_walls_without_length_are_an_error(make: object) -> None:
    """Both name their line."""
    with pytest.raises(WorldFileError, match='w.xml:4.*no length'):
        make()  # type: ignore[operator]


MAPS = arrays(np.bool_, st.tuples(st.integers(1, 12), st.integers(1, 12)))


def grid_of(solid: np.ndarray) -> OccupancyMap:
    """Return a map with cells of 1 m and its corner at the origin."""
    return OccupancyMap(np.where(solid, 100, 0).astype(np.int8), 1.0, 0.0, 0.0)


@given(MAPS)
def test_rectangles_cover_solid_cells_exactly_once(solid: np.ndarray) -> None:
    """Painting them gives the map back."""
    painted = np.zeros(solid.shape, int)
    for x0, y0, x1, y1 in grid_rectangles(grid_of(solid)).astype(int):
        painted[y0:y1, x0:x1] += 1
    assert (painted == solid).all()


@given(MAPS)
def test_segments_bound_the_solid_area(solid: np.ndarray) -> None:
    """As long as the border, and a ray crosses them where the cells change."""
    segments = grid_segments(grid_of(solid))
    padded = np.pad(solid, 1).astype(int)
    border = np.abs(np.diff(padded, axis=0)).sum() + np.abs(np.diff(padded, axis=1)).sum()
    assert np.abs(segments[:, 2:] - segments[:, :2]).sum() == border
    for row in range(solid.shape[0]):  # rays along the middle of the rows
        x0, y0, x1, y1 = segments.T
        crossed = np.sort(x0[(x0 == x1) & (np.minimum(y0, y1) < row + 0.5)
                             & (np.maximum(y0, y1) > row + 0.5)])
        assert crossed.tolist() == np.flatnonzero(np.diff(padded[row + 1])).tolist()


def test_straight_runs_are_one_segment() -> None:
    """A filled rectangle has four segments, in metres."""
    solid = np.zeros((5, 8), bool)
    solid[1:4, 2:7] = True
    grid = OccupancyMap(np.where(solid, 100, 0).astype(np.int8), 0.5, -1.0, 10.0)
    assert sorted(grid_segments(grid).tolist()) == [
        [0.0, 10.5, 0.0, 12.0], [0.0, 10.5, 2.5, 10.5], [0.0, 12.0, 2.5, 12.0],
        [2.5, 10.5, 2.5, 12.0]]
    assert grid_rectangles(grid).tolist() == [[0.0, 10.5, 2.5, 12.0]]


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the z component of the cross products."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=3,
                max_size=12))
def test_hulls_are_convex_and_hold_all_points(points: list) -> None:
    """Counter-clockwise, strictly convex, no point outside; or an error when flat."""
    try:
        hull = np.array(convex_hull(points, 'x', HERE))
    except WorldFileError:
        flat = np.array(points) - points[0]
        assert np.linalg.matrix_rank(flat) < 2
        return
    edges = np.roll(hull, -1, axis=0) - hull
    assert (cross(edges, np.roll(edges, -1, axis=0)) > 0).all()
    for start, edge in zip(hull, edges, strict=True):
        assert (cross(edge, np.array(points) - start) >= 0).all()


def test_a_map_is_the_same_in_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    values = 100 * np.random.default_rng(0).integers(0, 2, (40, 33)).astype(np.int8)
    values[10:20, 5:25] = 100
    grid = OccupancyMap(values, 0.1, -1.0, 2.0)
    whole = grid_rectangles(grid), grid_segments(grid), corner_count(grid)
    for rows in (1, 7):
        monkeypatch.setattr('mvsim_ros2.world.spec.grid.STRIP', rows)
        rectangles, segments, corners = (
            grid_rectangles(grid), grid_segments(grid), corner_count(grid))
        assert rectangles.tobytes() == whole[0].tobytes()
        assert segments.tobytes() == whole[1].tobytes()
        assert corners == whole[2]


def test_corners_of_a_map() -> None:
    """Four of a square, six of an L."""
    values = np.zeros((6, 6), np.int8)
    values[1:3, 1:3] = 100
    assert corner_count(OccupancyMap(values, 0.1, 0.0, 0.0)) == 4
    values[4, 1:4] = values[5, 1] = 100
    assert corner_count(OccupancyMap(values, 0.1, 0.0, 0.0)) == 10
