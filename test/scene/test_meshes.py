# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mesh files: shapes, colours and textures."""

import json
import logging
import os
import sys
import time

import numpy as np
from PIL import Image
import pytest
import trimesh

from mvsim_ros2.errors import SceneError
from mvsim_ros2.scene.shapes.meshes import load_mesh
from mvsim_ros2.scene.shapes.models import load_model, texture_of
from mvsim_ros2.world.spec.common import Resource

_COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="x" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 2 3</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"""


def written(path, text):
    """Return the path of a file, with a text in it."""
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize('up, unit, expected', [
    pytest.param('Y_UP', 1.0, [[0, 0, 0], [1, 0, 0], [0, 2, 3]], id='y up'),
    pytest.param('Z_UP', 1.0, [[0, 0, 0], [1, 0, 0], [0, 3, -2]], id='z up'),
    pytest.param('X_UP', 1.0, [[0, 0, 0], [0, 1, 0], [-2, 0, 3]], id='x up'),
    pytest.param('Y_UP', 0.01, [[0, 0, 0], [0.01, 0, 0], [0, 0.02, 0.03]], id='centimetres')])
def test_collada_axes_and_unit(tmp_path, up, unit, expected):
    file = written(tmp_path / 'triangle.dae', _COLLADA.format(up=up, unit=unit))
    np.testing.assert_allclose(load_mesh(file).vertices, expected, atol=1e-12)


@pytest.mark.parametrize('name, low, high', [
    # bounds in the frame of Assimp, in which the original shows these meshes
    pytest.param('jackal_description/jackal.dae', [-0.252, 0.065, -0.215],
                 [0.252, 0.250, 0.215], id='dae, z up'),
    pytest.param('jackal_description/jackal-wheel.dae', [-0.1, -0.025, -0.1],
                 [0.1, 0.025, 0.1], id='dae, wheel'),
    pytest.param('jackal_description/meshes/jackal-wheel.stl', [-0.1, -0.1, -0.025],
                 [0.1, 0.1, 0.025], id='stl, axes kept'),
    pytest.param('jackal_description/meshes/camera-beam.stl', [-80, -7.325, -6.35],
                 [80, 7.34, 6.35], id='stl, millimetres kept'),
    pytest.param('velodyne-vlp16.dae', [-0.075, -0.038, -0.052], [0.052, 0.038, 0.052],
                 id='dae, sensor')])
def test_shipped_meshes(shared, name, low, high):
    mesh = load_mesh(str(shared / 'worlds' / 'mvsim' / 'models' / name))
    np.testing.assert_allclose(
        [mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], [low, high], atol=6e-4)
    assert mesh.faces.max() < len(mesh.vertices)


def test_every_shipped_mesh_can_be_read(shared):
    folder = shared / 'worlds' / 'mvsim' / 'models'
    files = [file for file in folder.rglob('*.*') if file.suffix in ('.dae', '.stl')]
    assert len(files) > 20
    for file in files:
        if file.name == 'testWalls.dae':  # lines only: made for <walls>
            with pytest.raises(SceneError, match='no triangles'):
                load_mesh(str(file))
        else:
            assert len(load_mesh(str(file)).faces) > 0


@pytest.mark.parametrize('name, content', [
    pytest.param('a.obj', '', id='empty obj'), pytest.param('a.stl', 'solid', id='cut stl'),
    pytest.param('a.stl', 'not a mesh', id='no stl'),
    pytest.param('a.dae', '<COLLADA', id='cut dae'), pytest.param('a.dae', '', id='empty dae'),
    pytest.param('a.dae', '<a/>', id='other xml'), pytest.param('a.xyz', '1', id='no mesh'),
    pytest.param('a.ply', 'ply\nformat', id='cut ply'),
    pytest.param('a.glb', 'glTF', id='cut glb'),
    pytest.param('a.obj', 'v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', id='not a number')])
def test_broken_file(tmp_path, name, content):
    file = written(tmp_path / name, content)
    for load in load_mesh, load_model:
        with pytest.raises(SceneError, match=name):
            load(file)


def _gltf(**parts):
    return json.dumps({'asset': {'version': '2.0'}, 'meshes': [{'primitives': []}], **parts})


def _nodes(*insides):
    library = ''.join(f'<node id="n{k}">{each}</node>' for k, each in enumerate(insides))
    return _COLLADA.format(up='Y_UP', unit=1).replace(
        '<node><instance_geometry url="#g"/>', '<node><instance_node url="#n0"/>').replace(
        '<library_visual', f'<library_nodes>{library}</library_nodes><library_visual')


@pytest.mark.parametrize('name, content, reason', [
    pytest.param('a.gltf', _gltf(accessors=[{'count': 2 * 10 ** 9}]), '8000000000 numbers',
                 id='zeros'),
    pytest.param('a.gltf', _gltf(nodes=[{'mesh': 0}] * 20_000), '20000 surfaces', id='copies'),
    pytest.param('a.dae', _nodes(
        *(2 * f'<instance_node url="#n{k + 1}"/>' for k in range(29)),
        '<instance_geometry url="#g"/>'), '536870912 surfaces', id='copies of copies'),
    pytest.param('a.dae', _nodes('<instance_node url="#n0"/>'), 'node that holds itself',
                 id='cycle'),
    pytest.param('a.zae', 'PK', 'in an archive', id='archive'),
    pytest.param('a.stl', None, '3000 MB, at most 256 MB', id='size')])
def test_small_files_that_stand_for_much_are_refused(tmp_path, name, content, reason):
    file = written(tmp_path / name, content or '')
    if content is None:
        os.truncate(file, 3 * 10 ** 9)
    began = time.process_time()
    with pytest.raises(SceneError, match=reason):
        load_mesh(file)
    assert time.process_time() - began < 1.0


# a tetrahedron in metres, z up, half a metre along x; the axes are turned as Assimp does
_FBX = """; FBX 7.4.0 project file
FBXHeaderExtension:  { FBXVersion: 7400
}
GlobalSettings:  { Properties70:  {
P: "UpAxis", "int", "Integer", "",2
P: "UpAxisSign", "int", "Integer", "",1
P: "FrontAxis", "int", "Integer", "",1
P: "FrontAxisSign", "int", "Integer", "",-1
P: "CoordAxis", "int", "Integer", "",0
P: "CoordAxisSign", "int", "Integer", "",1
} }
Objects:  {
Geometry: 1, "Geometry::Solid", "Mesh" {
Vertices: *12 { a: 0,0,0,2,0,0,0,1,0,0,0,3
}
PolygonVertexIndex: *12 { a: 0,2,-2,0,1,-4,0,3,-3,1,2,-4
}
LayerElementMaterial: 0 { MappingInformationType: "AllSame"
ReferenceInformationType: "IndexToDirect"
Materials: *1 { a: 0
} }
Layer: 0 { LayerElement:  { Type: "LayerElementMaterial"
TypedIndex: 0
} } }
Model: 2, "Model::Solid", "Mesh" { Properties70:  {
P: "Lcl Translation", "Lcl Translation", "", "A",0.5,0,0
} }
Material: 3, "Material::Red", "" { Properties70:  {
P: "DiffuseColor", "Color", "", "A",0.8,0.1,0.2
} } }
Connections:  { C: "OO",2,0
C: "OO",1,2
C: "OO",3,2
}
"""

# the effect of one of two squares refers to an image that is not in the file
_BROKEN_COLLADA = _COLLADA.replace('<library_geometries>', """<library_effects><effect id="e">
<profile_COMMON><newparam sid="f"><surface type="2D"><init_from>lost</init_from></surface>
</newparam>
<newparam sid="s"><sampler2D><source>f</source></sampler2D></newparam><technique sid="c"><phong>
<diffuse><texture texture="s" texcoord="UV"/></diffuse></phong></technique></profile_COMMON>
</effect></library_effects><library_materials><material id="m"><instance_effect url="#e"/>
</material></library_materials><library_geometries>""").replace(
    '<instance_geometry url="#g"/></node>', """<instance_geometry url="#g"/></node><node>
<translate>5 0 0</translate><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="x" target="#m"/></technique_common></bind_material>
</instance_geometry></node>""").replace('triangles count="1"', 'triangles count="1" material="x"')


def test_fbx_is_read(tmp_path):
    file = written(tmp_path / 'solid.fbx', _FBX)
    mesh, model = load_mesh(file), load_model(file)
    np.testing.assert_allclose(np.unique(mesh.vertices[mesh.faces].reshape(-1, 3), axis=0), [
        [0.5, 0, -1], [0.5, 0, 0], [0.5, 3, 0], [2.5, 0, 0]], atol=1e-6)
    assert model.materials[0].colour == pytest.approx((0.8, 0.1, 0.2, 1.0), abs=0.003)
    outwards = np.cross(*(model.vertices[model.faces[:, i]] - model.vertices[model.faces[:, 0]]
                          for i in (1, 2)))
    middle = model.vertices[model.faces].mean(axis=1) - model.vertices.mean(axis=0)
    assert (np.einsum('fi,fi->f', outwards, middle) > 0).all()


def test_collada_with_missing_images_is_whole(tmp_path, caplog):
    mesh = load_mesh(written(tmp_path / 'two.dae', _BROKEN_COLLADA.format(up='Z_UP', unit=0.01)))
    assert len(mesh.faces) == 2
    np.testing.assert_allclose(mesh.vertices.max(axis=0), [0.06, 0.03, 0.0], atol=1e-7)
    assert 'the image lost' in caplog.text


@pytest.mark.parametrize('name, content, message', [
    pytest.param('a.fbx', _FBX, 'pip install assimp-py', id='fbx'),
    pytest.param('a.dae', _BROKEN_COLLADA.format(up='Z_UP', unit=1.0), '', id='dae')])
def test_without_assimp(tmp_path, monkeypatch, caplog, name, content, message):
    monkeypatch.setitem(sys.modules, 'assimp_py', None)
    file = written(tmp_path / name, content)
    if message:
        with pytest.raises(SceneError, match=message):
            load_mesh(file)
    else:
        assert len(load_mesh(file).faces) == 1
        assert 'may lack parts' in caplog.text and 'pip install assimp-py' in caplog.text


def test_missing_file():
    with pytest.raises(SceneError, match='/nowhere/a.stl'):
        load_mesh('/nowhere/a.stl')


def test_without_the_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'trimesh', None)
    with pytest.raises(SceneError, match='pip install trimesh'):
        load_mesh(str(tmp_path / 'a.stl'))


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
    assert [seen_at(mesh, x, y) for y in (1, 0) for x in (0, 1)] == [RED, GREEN, BLUE, WHITE]


def square():
    """Return a square of 1 m without a look."""
    return trimesh.Trimesh(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], process=False)


def test_texture_of_obj(tmp_path, picture):
    written(tmp_path / 'square.mtl', _MTL)
    check_square(load_model(written(tmp_path / 'square.obj', _OBJ)))


def test_both_sides_of_a_sheet_have_normals(tmp_path, picture):
    written(tmp_path / 'square.mtl', _MTL)
    mesh = load_model(written(
        tmp_path / 'sheet.obj', f'{_OBJ}f 3/3 2/2 1/1\nf 4/4 3/3 1/1\n'))
    assert len(mesh.faces) == 4
    upward = mesh.normals[mesh.faces]
    sides = np.cross(*(mesh.vertices[mesh.faces[:, k]] - mesh.vertices[mesh.faces[:, 0]]
                       for k in (1, 2)))
    np.testing.assert_allclose(upward, np.repeat(sides[:, None], 3, axis=1), atol=1e-6)
    assert seen_at(mesh, 0, 0) == BLUE and seen_at(mesh, 1, 1) == GREEN


@pytest.mark.parametrize('kind', ['glb', 'gltf', 'dae'])
def test_texture_that_was_exported(tmp_path, picture, kind):
    mesh, name = square(), f'square.{kind}'
    material = trimesh.visual.material.PBRMaterial(baseColorTexture=Image.open(picture))
    mesh.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [1, 1], [0, 1]], material=material)
    exported = (mesh if kind == 'dae' else trimesh.Scene(mesh)).export(file_type=kind)
    files = exported if isinstance(exported, dict) else {name: exported}
    for file, content in files.items():
        (tmp_path / file.replace('model.gltf', name)).write_bytes(content)
    model = load_model(str(tmp_path / name))
    if kind == 'dae':
        assert model.uv.shape == (4, 2)
    else:
        check_square(model)


def test_colours_of_faces(tmp_path):
    mesh = square()
    mesh.visual.vertex_colors = [(*RED, 255)] * 4
    mesh.export(tmp_path / 'red.ply')
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
    'jackal_description/jackal.dae', 'jackal_description/meshes/jackal-wheel.stl',
    'hokuyo_utm30.dae'])
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


def test_normals_that_a_file_lacks_are_those_of_trimesh_with_scipy(tmp_path):
    ball = trimesh.creation.icosphere(subdivisions=1)
    file = tmp_path / 'egg.ply'
    ball.apply_scale((1.0, 2.0, 3.0)).export(file, vertex_normal=False)
    expected = trimesh.load_mesh(file, process=False).vertex_normals
    np.testing.assert_allclose(load_model(str(file)).normals, expected, atol=1e-15)
