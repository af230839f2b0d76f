# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes as files that browsers draw, and which of them move together."""

from glb_files import contents, values
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.pictures.sight import hidden_sides
from mvsim_ros2.scene.scene import Material, Mesh
from mvsim_ros2.scene.shapes.geometry_meshes import unit_box
from mvsim_ros2.window.drawing.glb import glb, hidden_from, Piece
from mvsim_ros2.window.drawing.shapes import Placement, structure_of
from mvsim_ros2.window.panels.selection import picked


def positions(document: dict, data: bytes) -> np.ndarray:
    """Return the corners of the triangles of the first mesh, shape (F, 3, 3)."""
    primitive = document['meshes'][0]['primitives'][0]
    points = values(document, data, primitive['attributes']['POSITION'], '<f4', 3)
    return points[values(document, data, primitive['indices'], '<u4', 3)]


def outward(corners: np.ndarray) -> np.ndarray:
    """Return how far the normals of triangles look away from their common middle."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return np.einsum('ij,ij->i', normals, corners.mean(axis=1) - corners.reshape(-1, 3).mean(0))


@pytest.mark.parametrize('scale', [
    pytest.param((2.0, 1.0, 0.5), id='stretched'), pytest.param((-2.0, 1.0, 0.5), id='mirrored')])
def test_file_holds_the_triangles_turned_outward(scale):
    transform = np.diag([*scale, 1.0])
    transform[:3, 3] = 5.0, 6.0, 7.0
    document, data = contents(glb([Piece(unit_box(), transform, (1.0, 0.0, 0.0, 1.0))]))
    corners = positions(document, data)
    assert len(corners) == 12 and (outward(corners) > 0).all()
    np.testing.assert_allclose(np.ptp(corners.reshape(-1, 3), axis=0), np.abs(scale), atol=1e-6)
    assert 'alphaMode' not in document['materials'][0]


def test_what_looks_alike_is_drawn_together_and_glass_apart():
    pieces = [Piece(unit_box(), np.eye(4), colour) for colour in (
        (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.4))]
    document, _ = contents(glb(pieces))
    assert [material.get('alphaMode') for material in document['materials']] == [None, 'BLEND']


def test_nothing_is_a_file_too():
    document, data = contents(glb([]))
    assert document['scenes'][0]['nodes'] == [] and data == b''


def test_placed_links_are_the_scene_again():
    simulation = Simulation.from_file('robots', sensors=False)
    for vehicle in simulation.vehicles.values():
        if vehicle.accepts_twist:
            vehicle.set_twist(0.5, 0.4)
    structure = structure_of(simulation.scene(), {})
    simulation.run(1.0)
    states, scene = simulation.movers(), simulation.scene()
    expected = {tuple(row) for row in np.round(scene.transform[:, :3, 3], 6).tolist()}
    for batch in structure.batches:
        for matrix in Placement(batch.links).matrices(states):
            for piece in batch.pieces:
                place = np.round((matrix @ piece.transform)[:3, 3], 6)
                assert min(np.abs(place - other).max() for other in expected) < 1e-5
    wheels = [batch for batch in structure.batches if batch.links[0].spins]
    assert sum(len(batch.links) for batch in wheels) == sum(
        len(vehicle.wheels) for vehicle in simulation.vehicles.values())
    assert len(wheels) < sum(len(batch.links) for batch in wheels)  # equal ones are shared


def test_hidden_side_of_a_wall_is_left_out():
    piece = hidden_from(Piece(unit_box(), np.eye(4), (1.0,) * 4), np.array([0.0, 0.0, 1.0]))
    document, data = contents(glb([piece]))
    assert len(positions(document, data)) == 10 and piece.one_sided
    assert document['materials'][0]['doubleSided'] is False


def test_plane_is_turned_away_from_where_it_is_hidden():
    flat = Mesh(np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]), np.array([(0, 1, 2)], np.int32),
                np.tile((0.0, 0, 1), (3, 1)), np.zeros((3, 2), np.float32),
                np.zeros(1, np.int32), (Material(),))
    piece = hidden_from(Piece(flat, np.eye(4), (1.0,) * 4), np.array([0.0, 0.0, 1.0]))
    a, b, c = positions(*contents(glb([piece])))[0]
    assert np.cross(b - a, c - a)[2] < 0


def test_ceilings_of_shipped_worlds_are_hidden_from_above():
    sides = hidden_sides(Simulation.from_file('office', sensors=False).world)
    assert any(side[2] > 0.9 for side in sides.values())


def test_click_finds_the_vehicle_that_it_hits_or_nearly_hits():
    simulation = Simulation.from_file('two_robots', sensors=False)
    scene = simulation.scene()
    for name, vehicle in simulation.vehicles.items():
        for aside in (0.0, 0.15):
            target = vehicle.pose.position + (aside, 0.0, 0.05)
            found = picked(scene, target + (0.0, 0.0, 5.0), np.array([0.0, 0.0, -1.0]))
            assert found is not None and found[0] == name
    found = picked(scene, np.array([0.0, 0.0, 50.0]), np.array([0.0, 0.0, 1.0]))
    assert found is None
