# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mesh files with colours and textures."""

import logging

import numpy as np
from PIL import Image
import pytest
import trimesh

from mvsim_ros2.errors import SceneError
from mvsim_ros2.scene.shapes.models import load_model
from mvsim_ros2.scene.shapes.textures import texture_of
from mvsim_ros2.world.spec.common import Resource

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
# a square of 1 m in x and y that shows the whole picture, its top at y = 1
_OBJ = """mtllib square.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl picture
f 1/1 2/2 3/3
f 1/1 3/3 4/4
"""
_MTL = 'newmtl picture\nKd 1 1 1\nmap_Kd picture.png\n'


@pytest.fixture
def picture(tmp_path):
    """Write a picture of four pixels: red and green above, blue and white below."""
    path = tmp_path / 'picture.png'
    Image.fromarray(np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8)).save(path)
    return path


def seen_at(mesh, x, y):
    """Return the colour that the texture gives a corner of the mesh, taken in by a quarter."""
    vertex = int(np.argmin(np.hypot(*(mesh.vertices[:, :2] - (x, y)).T)))
    u, v = 0.5 + 0.5 * (mesh.uv[vertex] - 0.5)
    pixels = mesh.materials[0].texture.pixels
    height, width = pixels.shape[:2]
    return tuple(pixels[int((1 - v) * height), int(u * width), :3].tolist())


def check_square(mesh):
    assert seen_at(mesh, 0, 1) == RED
    assert seen_at(mesh, 1, 1) == GREEN
    assert seen_at(mesh, 0, 0) == BLUE
    assert seen_at(mesh, 1, 0) == WHITE


def test_texture_of_obj(tmp_path, picture):
    (tmp_path / 'square.obj').write_text(_OBJ)
    (tmp_path / 'square.mtl').write_text(_MTL)
    check_square(load_model(str(tmp_path / 'square.obj')))


def test_both_sides_of_a_sheet_have_normals(tmp_path, picture):
    (tmp_path / 'sheet.obj').write_text(f'{_OBJ}f 3/3 2/2 1/1\nf 4/4 3/3 1/1\n')
    (tmp_path / 'square.mtl').write_text(_MTL)
    mesh = load_model(str(tmp_path / 'sheet.obj'))
    assert len(mesh.faces) == 4
    upward = mesh.normals[mesh.faces]
    sides = np.cross(*(mesh.vertices[mesh.faces[:, k]] - mesh.vertices[mesh.faces[:, 0]]
                       for k in (1, 2)))
    np.testing.assert_allclose(upward, np.repeat(sides[:, None], 3, axis=1), atol=1e-6)
    assert seen_at(mesh, 0, 0) == BLUE and seen_at(mesh, 1, 1) == GREEN


@pytest.mark.parametrize('name', [
    pytest.param('square.glb', id='glb'), pytest.param('square.gltf', id='gltf'),
    pytest.param('square.dae', id='dae')])
def test_texture_that_was_exported(tmp_path, picture, name):
    square = trimesh.Trimesh(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    material = trimesh.visual.material.PBRMaterial(baseColorTexture=Image.open(picture))
    square.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [1, 1], [0, 1]], material=material)
    exported = trimesh.Scene(square).export(file_type=name.rpartition('.')[2]) if (
        not name.endswith('dae')) else square.export(file_type='dae')
    if isinstance(exported, dict):
        for file, content in exported.items():
            (tmp_path / file.replace('model.gltf', name)).write_bytes(content)
    else:
        (tmp_path / name).write_bytes(exported)
    if name.endswith('dae'):
        assert load_model(str(tmp_path / name)).uv.shape == (4, 2)
        return
    check_square(load_model(str(tmp_path / name)))


def test_colours_of_faces(tmp_path):
    square = trimesh.Trimesh(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    square.visual.vertex_colors = [(*RED, 255)] * 4
    square.export(tmp_path / 'red.ply')
    mesh = load_model(str(tmp_path / 'red.ply'))
    assert [material.colour for material in mesh.materials] == [(1.0, 0.0, 0.0, 1.0)]


def test_plain_models_are_white(shared):
    path = str(shared / 'worlds/mvsim/models/jackal_description/jackal.dae')
    coloured, plain = load_model(path), load_model(path, plain=True)
    assert coloured.materials[0].colour == pytest.approx((180 / 255, 0.8, 0, 1), abs=0.01)
    assert {material.colour for material in plain.materials} == {(1.0, 1.0, 1.0, 1.0)}
    np.testing.assert_array_equal(coloured.vertices, plain.vertices)
    assert load_model(path) is coloured


@pytest.mark.parametrize('name', [
    pytest.param('jackal_description/jackal.dae', id='dae'),
    pytest.param('jackal_description/meshes/jackal-wheel.stl', id='stl'),
    pytest.param('hokuyo_utm30.dae', id='dae with lines')])
def test_shipped_models_are_sound(shared, name):
    mesh = load_model(str(shared / 'worlds/mvsim/models' / name))
    assert np.isfinite(mesh.vertices).all() and np.isfinite(mesh.uv).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
    assert mesh.faces.max() < len(mesh.vertices)
    assert mesh.face_material.max() < len(mesh.materials)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    face = np.cross(b - a, c - a)
    agree = np.einsum('ij,ikj->ik', face, mesh.normals[mesh.faces]).mean(axis=1) > 0
    assert agree.mean() > 0.95


def test_broken_model(tmp_path):
    (tmp_path / 'x.stl').write_bytes(b'not a mesh')
    with pytest.raises(SceneError, match='x.stl'):
        load_model(str(tmp_path / 'x.stl'))


def test_broken_texture_is_warned_of_once(tmp_path, caplog):
    (tmp_path / 'x.png').write_bytes(b'not a picture')
    resource = Resource('https://example.org/x.png', str(tmp_path / 'x.png'))
    with caplog.at_level(logging.WARNING):
        assert texture_of(resource) is None
        assert texture_of(resource) is None
    assert [('https://example.org/x.png' in line) for line in caplog.messages] == [True]


def test_large_textures_are_made_smaller(tmp_path):
    Image.new('RGB', (5000, 100), RED).save(tmp_path / 'wide.png')
    texture = texture_of(Resource('wide.png', str(tmp_path / 'wide.png')))
    assert texture.pixels.shape == (41, 2048, 4)
