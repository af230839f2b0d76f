# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plan outlines of meshes."""

import logging

import numpy as np
import pytest

from mvsim_ros2.errors import SceneError
from mvsim_ros2.scene.footprint import mesh_footprint, visual_mesh, world_footprints
from mvsim_ros2.world.spec import (
    BlockSpec, ChassisSpec, DifferentialSpec, GeometrySpec, Resource, Source, VehicleSpec,
    VisualSpec, WorldSpec)

# a box 4 x 2 x 3 with a pyramid of height 1 on it
_PYRAMID = """
v -2 -1 0\nv 2 -1 0\nv 2 1 0\nv -2 1 0\nv -2 -1 3\nv 2 -1 3\nv 2 1 3\nv -2 1 3\nv 0 0 4
f 1 2 3\nf 1 3 4\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8
f 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9
"""


@pytest.fixture
def tower(tmp_path):
    """Return the visual of a box with a pyramid on it."""
    file = tmp_path / 'tower.obj'
    file.write_text(_PYRAMID)

    def make(**options):
        return VisualSpec(model_uri=Resource('tower.obj', str(file)), **options)
    return make


def _extent(footprint):
    points = np.array(footprint.polygon)
    return [*points.min(axis=0), *points.max(axis=0), footprint.zmin, footprint.zmax]


def _area(polygon):
    x, y = np.transpose(polygon)
    return 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))


@pytest.mark.parametrize('options, limits, expected', [
    pytest.param({}, (), [-2, -1, 2, 1, 0, 4], id='as it is'),
    pytest.param({}, (1.0, 2.0), [-2, -1, 2, 1, 1, 2], id='a slice through its sides'),
    pytest.param({}, (3.5, None), [-1, -0.5, 1, 0.5, 3.5, 4], id='its top'),
    pytest.param({}, (None, 0.5), [-2, -1, 2, 1, 0, 0.5], id='its foot'),
    pytest.param({'model_scale': 0.5}, (), [-1, -0.5, 1, 0.5, 0, 2], id='scaled'),
    pytest.param({'model_yaw': np.pi / 2}, (), [-1, -2, 1, 2, 0, 4], id='turned'),
    pytest.param({'model_roll': np.pi / 2}, (), [-2, -4, 2, 0, -1, 1], id='lying'),
    pytest.param({'model_pitch': np.pi / 2}, (), [0, -1, 4, 1, -2, 2], id='nose down'),
    pytest.param({'model_offset_x': 5.0, 'model_offset_y': 1.0, 'model_offset_z': -1.0,
                  'model_scale': 2.0, 'model_yaw': np.pi}, (), [1, -1, 9, 3, -1, 7],
                 id='scaled, turned, then moved'),
])
def test_extent(tower, options, limits, expected):
    footprint = mesh_footprint([tower(**options)], *limits)
    np.testing.assert_allclose(_extent(footprint), expected, atol=1e-9)
    assert _area(footprint.polygon) > 0  # counter-clockwise


def test_several_meshes_together(tower):
    footprint = mesh_footprint(
        [tower(), tower(model_offset_x=10.0), tower(model_offset_y=50.0, enabled=False)])
    np.testing.assert_allclose(_extent(footprint), [-2, -1, 12, 1, 0, 4], atol=1e-9)


@pytest.mark.parametrize('sides', [
    pytest.param(16, id='as many as allowed'), pytest.param(17, id='one too many'),
    pytest.param(300, id='many')])
def test_few_vertices_around_a_round_mesh(tmp_path, sides):
    angles = 2 * np.pi * np.arange(sides) / sides
    rim = np.stack([3 * np.cos(angles), 2 * np.sin(angles)], axis=1)
    file = tmp_path / 'cone.obj'
    file.write_text('v 0 0 1\n' + ''.join(f'v {x!r} {y!r} 0\n' for x, y in rim.tolist())
                    + ''.join(f'f 1 {i + 2} {(i + 1) % sides + 2}\n' for i in range(sides)))
    outline = np.array(mesh_footprint([VisualSpec(model_uri=Resource('cone', str(file)))]).polygon)
    assert len(outline) == 16
    assert _area(rim) - 1e-9 <= _area(outline) < 1.02 * _area(rim)
    # convex, and nothing sticks out
    edges = np.roll(outline, -1, axis=0) - outline
    away = rim[:, None] - outline
    assert np.all(edges[:, 0] * away[..., 1] - edges[:, 1] * away[..., 0] > -1e-8)


def test_nothing_is_drawn(tower):
    assert mesh_footprint([]) is None
    assert visual_mesh(tower(enabled=False)) is None
    assert visual_mesh(VisualSpec()) is None


def test_nothing_between_the_heights(tower):
    with pytest.raises(SceneError, match='no area'):
        mesh_footprint([tower()], 10.0, 11.0)


def test_missing_mesh():
    visual = VisualSpec(model_uri=Resource('http://x/y.dae', None, 'offline'))
    with pytest.raises(SceneError, match='http://x/y.dae is missing: offline'):
        mesh_footprint([visual])


def test_bodies_of_a_world(tower):
    box = GeometrySpec('box', lx=1.0, ly=1.0, lz=1.0)
    world = WorldSpec(
        vehicles=(VehicleSpec(name='r1', visuals=(tower(),), dynamics=DifferentialSpec(
            chassis=ChassisSpec(shape_from_visual=True))),
                  VehicleSpec(name='r2', visuals=(tower(),))),
        blocks=(BlockSpec(name='plain', visuals=(tower(),)),
                BlockSpec(name='mesh', visuals=(tower(),), shape_from_visual=True, zmax=2.0),
                BlockSpec(name='scaled', visuals=(tower(model_scale=7.0),), visual_scale=0.1,
                          shape_from_visual=True),
                BlockSpec(name='box', shape_from_visual=True, geometry=box)))
    footprints = world_footprints(world)
    assert list(footprints) == ['r1', 'mesh', 'scaled']
    np.testing.assert_allclose(_extent(footprints['r1']), [-2, -1, 2, 1, 0, 4])
    np.testing.assert_allclose(_extent(footprints['mesh']), [-2, -1, 2, 1, 0, 2])
    np.testing.assert_allclose(_extent(footprints['scaled']), [-0.2, -0.1, 0.2, 0.1, 0, 0.4])


@pytest.mark.parametrize('visuals, reason', [
    pytest.param((VisualSpec(model_uri=Resource('a.dae', None, 'offline'),
                             source=Source('w.xml', 7)),), 'a.dae is missing: offline',
                 id='mesh that could not be had'),
    pytest.param((VisualSpec(model_uri=Resource('a.obj', '/nowhere/a.obj'),
                             source=Source('w.xml', 7)),), '/nowhere/a.obj cannot be read',
                 id='mesh that is not there'),
    pytest.param((VisualSpec(source=Source('w.xml', 7)),), 'has none', id='no mesh')])
def test_a_warning_where_the_shape_cannot_be_had(caplog, visuals, reason):
    world = WorldSpec(blocks=(BlockSpec(
        name='bush', visuals=visuals, shape_from_visual=True),))
    with caplog.at_level(logging.WARNING):
        assert world_footprints(world) == {}
    assert len(caplog.records) == 1
    assert 'w.xml:7: block bush keeps its default outline' in caplog.records[0].message
    assert reason in caplog.records[0].message


def test_one_warning_for_all_bodies_of_one_mesh(caplog):
    visual = VisualSpec(model_uri=Resource('a.dae', None, 'offline'), source=Source('w.xml', 7))
    world = WorldSpec(blocks=tuple(
        BlockSpec(name=f'bush{i}', visuals=(visual,), shape_from_visual=True)
        for i in range(50)))
    with caplog.at_level(logging.WARNING):
        assert world_footprints(world) == {}
    assert [record.message for record in caplog.records] == [
        'w.xml:7: block bush0 (and 49 more) keeps its default outline: the mesh a.dae is '
        'missing: offline']
