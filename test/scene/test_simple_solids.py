# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Simple solids: closed, of the right size, with normals that look outwards."""

from collections import Counter

import numpy as np
import pytest

from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.scene.shapes.solids import (
    flat_mesh, prism, turned, unit_box, unit_bump, unit_cylinder, unit_ramp, unit_sphere,
    unit_wheel)


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
def test_solid(mesh, expected, bounds):
    assert is_closed(mesh)
    assert volume(mesh) == pytest.approx(expected, rel=3e-4)
    np.testing.assert_allclose(
        [mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], bounds, atol=1e-9)


@pytest.mark.parametrize('mesh, expected, bounds', SOLIDS)
def test_normals_look_outwards(mesh, expected, bounds):
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
