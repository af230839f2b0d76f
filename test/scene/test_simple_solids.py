# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solids, walls and maps as meshes: closed, of the right size, with normals that look outwards."""

from collections import Counter

import numpy as np
import pytest

from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.scene.shapes.geometry_meshes import (
    flat_mesh, prism, turned, unit_box, unit_bump, unit_cylinder, unit_ramp, unit_sphere,
    unit_wheel)
from mvsim_ros2.scene.shapes.walls import extruded, MAP_WALL_HEIGHT, wall_with_openings
from mvsim_ros2.world.spec import OccupancyMap, OpeningSpec, VerticalPlaneSpec


def volume(mesh: Mesh) -> float:
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    return float(np.einsum('ij,ij->', a, np.cross(b, c)) / 6)


def is_closed(mesh: Mesh) -> bool:
    """Return whether each edge is used as often one way as the other, to the bit."""
    _, number = np.unique(mesh.vertices, axis=0, return_inverse=True)
    corners = number.reshape(-1)[mesh.faces]
    edges = Counter(
        (int(a), int(b)) for k in range(3) for a, b in zip(corners[:, k], corners[:, k - 2]))
    return all(edges[b, a] == times for (a, b), times in edges.items())


SOLIDS = [
    pytest.param(unit_box(), 1.0, [[0, 0, 0], [1, 1, 1]], id='box'),
    pytest.param(unit_ramp(), 0.5, [[0, -0.5, 0], [1, 0.5, 1]], id='ramp'),
    pytest.param(unit_cylinder(400), np.pi, [[-1, -1, 0], [1, 1, 1]], id='cylinder'),
    pytest.param(unit_wheel(400), np.pi, [[-1, -0.5, -1], [1, 0.5, 1]], id='wheel'),
    pytest.param(unit_sphere(400), 4 / 3 * np.pi, [[-1, -1, -1], [1, 1, 1]], id='sphere'),
    pytest.param(unit_bump(400), np.pi / 2, [[-0.5, -1, 0], [0.5, 1, 1]], id='bump'),
    pytest.param(prism(((0, 0), (2, 0), (0, 3)), -1.0, 4.0), 15.0, [[0, 0, -1], [2, 3, 4]],
                 id='prism'),
    pytest.param(turned(((0.0, 0.0), (1.0, 0.0), (0.0, 3.0)), 400), np.pi,
                 [[-1, -1, 0], [1, 1, 3]], id='cone')]


@pytest.mark.parametrize('mesh, expected, bounds', SOLIDS)
def test_solids_are_closed_and_normals_look_outwards(mesh, expected, bounds):
    assert is_closed(mesh)
    assert volume(mesh) == pytest.approx(expected, rel=3e-4)
    np.testing.assert_allclose(
        [mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], bounds, atol=1e-9)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    outwards = np.cross(b - a, c - a)
    assert np.einsum('ij,ikj->ik', outwards, mesh.normals[mesh.faces]).min() > 0
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-9)


def test_round_solids_are_inside_the_round_ones():
    cylinder = unit_cylinder(10)
    radii = np.hypot(*cylinder.vertices[:, :2].T)
    assert set(np.round(radii, 12)) == {0.0, 1.0}
    assert np.linalg.norm(unit_sphere(12).vertices, axis=1) == pytest.approx(1)


def test_triangles_without_area_are_dropped():
    mesh = flat_mesh([[(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 0, 0), (1, 0, 0), (0, 1, 0)]])
    assert len(mesh.faces) == 1
    assert prism(((0, 0), (1, 0), (0, 1)), 2.0, 2.0).faces.shape == (2, 3)


def test_the_same_size_is_the_same_mesh():
    assert unit_cylinder(12) is unit_cylinder(12)
    outline = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    assert prism(outline, 0.0, 1.0) is prism(outline, 0.0, 1.0)


def is_covered(mesh, x, z, y):
    """Return whether a face of the mesh at `y` covers the point x, z."""
    for corners in mesh.vertices[mesh.faces]:
        if np.allclose(corners[:, 1], y):
            (ax, az), (bx, bz), (cx, cz) = corners[:, [0, 2]]
            turns = [(bx - ax) * (z - az) - (bz - az) * (x - ax),
                     (cx - bx) * (z - bz) - (cz - bz) * (x - bx),
                     (ax - cx) * (z - cz) - (az - cz) * (x - cx)]
            if min(turns) >= 0 or max(turns) <= 0:
                return True
    return False


DOOR = OpeningSpec(position=0.5, width=1.0, z_min=0.0, z_max=2.1)
WINDOW = OpeningSpec(position=0.8, width=0.5, z_min=1.0, z_max=1.5)
WALL = VerticalPlaneSpec(x0=0, y0=0, x1=4, y1=3, z=0.5, height=2.5, thickness=0.2,
                         doors=(DOOR,), windows=(WINDOW,))


@pytest.mark.parametrize('x, z, solid', [
    pytest.param(2.5, 1.0, False, id='in the door'),
    pytest.param(2.5, 2.2, True, id='above the door'),
    pytest.param(2.01, 0.6, False, id='at its side'),
    pytest.param(1.99, 0.6, True, id='beside it'),
    pytest.param(4.0, 1.2, False, id='in the window'),
    pytest.param(4.0, 0.98, True, id='below the window'),
    pytest.param(4.0, 1.52, True, id='above the window'),
    pytest.param(1.0, 0.51, True, id='foot'), pytest.param(1.0, 0.49, False, id='below it'),
    pytest.param(1.0, 2.99, True, id='top'), pytest.param(1.0, 3.01, False, id='above it')])
def test_openings(x, z, solid):
    mesh = wall_with_openings(WALL)
    assert is_covered(mesh, x, z, -0.1) == is_covered(mesh, x, z, 0.1) == solid


def test_a_wall_is_solid():
    # the door reaches from the foot at 0.5 to 2.1
    assert volume(wall_with_openings(WALL)) == pytest.approx(
        0.2 * (5 * 2.5 - 1.0 * 1.6 - 0.5 * 0.5))


def test_openings_that_overlap_or_stick_out():
    wide = VerticalPlaneSpec(x0=0, y0=0, x1=2, y1=0, height=2, thickness=0.1, doors=(
        OpeningSpec(position=0.0, width=1.0, z_max=5.0),
        OpeningSpec(position=0.2, width=0.4, z_max=1.0)), windows=(
        OpeningSpec(position=0.9, width=0.2, z_min=7.0, z_max=8.0),))
    # 0 to 0.5 m is open up to the top, 0.5 to 0.6 m up to 1 m
    assert volume(wall_with_openings(wide)) == pytest.approx(0.1 * (4 - 0.5 * 2 - 0.1))


def test_texture_of_a_wall_keeps_its_size():
    plane = VerticalPlaneSpec(x0=0, y0=0, x1=6, y1=0, height=3, thickness=0.1,
                              texture_size_x=2.0, texture_size_y=1.5)
    mesh = wall_with_openings(plane)
    front = np.isclose(mesh.vertices[:, 1], -0.05) & np.isclose(mesh.normals[:, 1], -1)
    np.testing.assert_allclose(mesh.uv[front, 0], mesh.vertices[front, 0] / 2, atol=1e-6)
    np.testing.assert_allclose(mesh.uv[front, 1], mesh.vertices[front, 2] / 1.5, atol=1e-6)


def test_occupancy_map():
    values = np.zeros((5, 7), np.int8)
    values[1:4, 2:5] = 100
    values[2, 3] = -1  # a court
    values[0, 6] = 100
    mesh = extruded(OccupancyMap(values, 0.5, 10.0, -3.0))
    # without its foot, which nobody sees: that contributes nothing, for it lies at z = 0
    assert volume(mesh) == pytest.approx(9 * 0.25 * MAP_WALL_HEIGHT)
    np.testing.assert_allclose(
        [mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], [[1, 0, 0], [3.5, 2, 2]])
    # four outer sides, four of the court, four of the single cell, and a few tops
    assert len(mesh.faces) <= 2 * (12 + 5)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    outwards = np.cross(b - a, c - a)
    beyond = (a + b + c) / 3 + 0.01 * outwards / np.linalg.norm(outwards, axis=1)[:, None]
    column, row = np.floor(beyond[:, :2] / 0.5).astype(int).T
    inside = (row >= 0) & (row < 5) & (column >= 0) & (column < 7)
    solid = np.zeros(len(beyond), bool)
    solid[inside] = values[row[inside], column[inside]] > 50
    assert not (solid & (beyond[:, 2] < 2)).any()
