# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading meshes."""

import sys

import numpy as np
import pytest

from mvsim_ros2.errors import SceneError
from mvsim_ros2.scene.shapes.meshes import load_mesh

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


@pytest.mark.parametrize('up, unit, expected', [
    pytest.param('Y_UP', 1.0, [[0, 0, 0], [1, 0, 0], [0, 2, 3]], id='y up'),
    pytest.param('Z_UP', 1.0, [[0, 0, 0], [1, 0, 0], [0, 3, -2]], id='z up'),
    pytest.param('X_UP', 1.0, [[0, 0, 0], [0, 1, 0], [-2, 0, 3]], id='x up'),
    pytest.param('Y_UP', 0.01, [[0, 0, 0], [0.01, 0, 0], [0, 0.02, 0.03]], id='centimetres')])
def test_collada_axes_and_unit(tmp_path, up, unit, expected):
    file = tmp_path / 'triangle.dae'
    file.write_text(_COLLADA.format(up=up, unit=unit))
    np.testing.assert_allclose(load_mesh(str(file)).vertices, expected, atol=1e-12)


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
    pytest.param('a.dae', '<COLLADA', id='cut dae'), pytest.param('a.dae', '', id='empty dae'),
    pytest.param('a.dae', '<a/>', id='other xml'), pytest.param('a.xyz', '1', id='no mesh'),
    pytest.param('a.ply', 'ply\nformat', id='cut ply'),
    pytest.param('a.glb', 'glTF', id='cut glb'),
    pytest.param('a.obj', 'v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n', id='not a number')])
def test_broken_file(tmp_path, name, content):
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(SceneError, match=name):
        load_mesh(str(file))


def test_missing_file():
    with pytest.raises(SceneError, match='/nowhere/a.stl'):
        load_mesh('/nowhere/a.stl')


def test_without_the_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'trimesh', None)
    with pytest.raises(SceneError, match='pip install trimesh'):
        load_mesh(str(tmp_path / 'a.stl'))
