# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Scenes of whole worlds."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.build import first_states
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.scene.scene import MoverStates
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.world.load import load_world

PROJECT = Path(__file__).resolve().parents[2]
WORLDS = sorted((PROJECT / 'worlds').glob('*.world.xml')) + sorted(
    (PROJECT.parent / 'shared' / 'worlds' / 'mvsim').rglob('*.world.xml'))

ROBOT = """
<vehicle name="r1"><init_pose>1 2 90</init_pose>
 <dynamics class="ackermann">
  <chassis mass="10" zmin="0.1" zmax="0.5" color="#ff0000"><shape><pt>-1 -0.5</pt>
   <pt>1 -0.5</pt><pt>1 0.5</pt><pt>-1 0.5</pt></shape></chassis>
  <rl_wheel pos="0 0.4" diameter="0.4" width="0.1"/>
  <rr_wheel pos="0 -0.4" diameter="0.4" width="0.1"/>
  <fl_wheel pos="0.9 0.4" diameter="0.6" width="0.1" color="#00ff00"/>
  <fr_wheel pos="0.9 -0.4" diameter="0.6" width="0.1"/>
  <f_wheels_x>0.9</f_wheels_x><f_wheels_d>0.8</f_wheels_d>
 </dynamics>
 <sensor class="laser" name="front"><pose_3d>0.9 0 0.6 0 0 0</pose_3d>
  <visual><model_uri>nowhere.dae</model_uri></visual></sensor>
</vehicle>"""


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    """Take no file from the cache of the user."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'cache'))


@pytest.fixture
def world_of(tmp_path):
    """Return the function that loads a world of some XML."""
    def make(content):
        path = tmp_path / 'test.world.xml'
        path.write_text(f'<mvsim_world version="1.0">{content}</mvsim_world>')
        return load_world(path, offline=True)
    return make


def corners(scene: Scene, i: int) -> np.ndarray:
    """Return the vertices of instance `i` in the world that belong to faces."""
    mesh, matrix = scene.meshes[scene.mesh[i]], scene.transform[i]
    return mesh.vertices[np.unique(mesh.faces)] @ matrix[:3, :3].T + matrix[:3, 3]


def bounds(scene: Scene, name: str) -> np.ndarray:
    """Return the smallest and largest x, y, z of a thing."""
    number = scene.thing_names.index(name)
    points = np.concatenate([corners(scene, i) for i in np.flatnonzero(scene.thing == number)])
    return np.array([points.min(axis=0), points.max(axis=0)])


def instances(scene: Scene, name: str, label: str | None = None) -> list[int]:
    """Return the instances of a thing."""
    return [i for i in np.flatnonzero(scene.thing == scene.thing_names.index(name)).tolist()
            if label is None or Scene.LABELS[scene.label[i]] == label]


@pytest.mark.parametrize('path', [pytest.param(path, id=path.name) for path in WORLDS])
def test_every_world_is_sound(path):
    world = load_world(path, offline=True)
    scene = build_scene(world, world_footprints(world))
    count = len(scene.mesh)
    assert scene.transform.shape == (count, 4, 4) and np.isfinite(scene.transform).all()
    assert np.all(np.abs(np.linalg.det(scene.transform)) > 0)
    for mesh in scene.meshes:
        assert len(mesh.faces) and mesh.faces.max() < len(mesh.vertices)
        assert np.isfinite(mesh.vertices).all() and np.isfinite(mesh.uv).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
        a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
        assert np.linalg.norm(np.cross(b - a, c - a), axis=1).min() > 0
    assert {len(each) for each in (scene.colour, scene.label, scene.thing, scene.owner,
                                   scene.sensor, scene.moving)} == {count}
    assert scene.thing.min() >= 1 and scene.thing.max() < len(scene.thing_names)
    assert set(scene.mesh.tolist()) == set(range(len(scene.meshes)))
    vehicles = [vehicle.name for vehicle in world.vehicles]
    for i in range(count):
        owner, name = scene.owner[i], scene.thing_names[scene.thing[i]]
        assert (owner >= 0) == (name in vehicles)
        assert owner < 0 or (vehicles[owner] == name and scene.moving[i])
        assert scene.sensor[i] == '' or Scene.LABELS[scene.label[i]] == 'sensor'


@pytest.mark.parametrize('block, expected', [
    pytest.param('<zmin>0.5</zmin><zmax>2</zmax>', [[-0.5, -0.5, 0.5], [0.5, 0.5, 2]],
                 id='unit square'),
    pytest.param('<shape><pt>0 0</pt><pt>2 0</pt><pt>2 1</pt><pt>0 1</pt></shape>',
                 [[0, 0, 0], [2, 1, 1]], id='shape'),
    pytest.param('<geometry type="cylinder" radius="0.5" length="2" vertex_count="4"/>',
                 [[-0.5, -0.5, 0], [0.5, 0.5, 2]], id='cylinder'),
    pytest.param('<geometry type="sphere" radius="2" vertex_count="8"/>',
                 [[-2, -2, -2], [2, 2, 2]], id='sphere'),
    pytest.param('<geometry type="box" lx="1" ly="2" lz="3"/>', [[0, 0, 0], [1, 2, 3]],
                 id='box'),
    pytest.param('<geometry type="ramp" lx="4" ly="2" lz="1"/>', [[0, -1, 0], [4, 1, 1]],
                 id='ramp'),
    pytest.param('<geometry type="semi_cylinder_bump" lx="3" ly="0.4" lz="0.1"/>',
                 [[-1.5, -0.2, 0], [1.5, 0.2, 0.1]], id='bump')])
def test_blocks(world_of, block, expected):
    scene = build_scene(world_of(
        f'<block name="b"><init_pose3d>10 20 3 0 0 0</init_pose3d><static>true</static>{block}'
        '</block>'))
    np.testing.assert_allclose(bounds(scene, 'b'), np.add(expected, (10, 20, 3)), atol=1e-9)
    assert not scene.moving.any() and Scene.LABELS[scene.label[0]] == 'block'
    np.testing.assert_allclose(scene.colour[0], (0, 0, 1, 1))


def test_blocks_of_a_kind_share_their_mesh(world_of):
    scene = build_scene(world_of(''.join(
        f'<block name="b{i}"><init_pose>{i} 0 0</init_pose></block>' for i in range(5))))
    assert len(scene.meshes) == 1 and scene.mesh.tolist() == [0] * 5
    assert scene.moving.all() and len(set(scene.thing.tolist())) == 5


def test_mesh_of_a_block(world_of, shared):
    path = shared / 'worlds/mvsim/models/jackal_description/meshes/jackal-wheel.stl'
    scene = build_scene(world_of(
        '<block name="w"><init_pose>1 0 90</init_pose><visual_scale>2</visual_scale>'
        f'<visual><model_uri>{path}</model_uri><model_offset_x>3</model_offset_x>'
        '<model_roll>90</model_roll><model_scale>7</model_scale>'
        '<model_color>#ff0000</model_color></visual></block>'))
    # radius 0.1 m and width 0.05 m, twice as large, axle along -y of the block
    np.testing.assert_allclose(
        bounds(scene, 'w'), [[0.95, 2.8, -0.2], [1.05, 3.2, 0.2]], atol=2e-3)
    np.testing.assert_allclose(scene.colour[0], (1, 0, 0, 1))


def test_plants_have_a_label_of_their_own(world_of):
    scene = build_scene(world_of(
        '<block:class name="palm_tree"/>'
        '<block name="b" class="palm_tree"><init_pose>0 0 0</init_pose></block>'))
    assert Scene.LABELS[scene.label[0]] == 'vegetation'


def test_vehicle_at_its_start(world_of):
    scene = build_scene(world_of(ROBOT))
    chassis, wheel = instances(scene, 'r1', 'vehicle')[0], instances(scene, 'r1', 'vehicle')[3]
    points = corners(scene, chassis)
    np.testing.assert_allclose(points.min(axis=0), [0.5, 1, 0.1], atol=1e-9)
    np.testing.assert_allclose(points.max(axis=0), [1.5, 3, 0.5], atol=1e-9)
    points = corners(scene, wheel)  # front left: 0.9 m ahead, 0.4 m to the left
    np.testing.assert_allclose(points.min(axis=0), [0.55, 2.6, 0.0], atol=5e-3)
    np.testing.assert_allclose(points.max(axis=0), [0.65, 3.2, 0.6], atol=5e-3)
    np.testing.assert_allclose(scene.colour[wheel], (0, 1, 0, 1))
    assert scene.owner.tolist() == [0] * 6 and scene.moving.all()


def test_box_stands_in_for_the_mesh_of_a_sensor(world_of):
    scene = build_scene(world_of(ROBOT))
    (sensor,) = instances(scene, 'r1', 'sensor')
    assert scene.sensor[sensor] == 'r1/front'
    np.testing.assert_allclose(corners(scene, sensor).mean(axis=0), [1, 2.9, 0.6], atol=1e-9)
    assert set(scene.sensor) == {'', 'r1/front'}


def test_wheels_turn_and_steer(world_of):
    world = world_of(ROBOT)
    scene = build_scene(world)
    steer, angle = np.radians([0, 0, 30, 25]), np.array([0.0, 1.0, 2.0, 3.0])
    pose = np.array([[4.0, 5.0, 0.2, 0.5, 0.1, -0.05]])
    changed = scene.update(MoverStates(pose, steer, angle, np.zeros((0, 6)), np.zeros((0, 6))))
    assert changed.tolist() == [0, 1, 2, 3, 4, 5]
    wheel = instances(scene, 'r1')[3]
    body = rotation_matrix(0.5, 0.1, -0.05)
    turn = body @ rotation_matrix(np.radians(30))
    centre = pose[0, :3] + body @ [0.9, 0.4, 0.3]
    np.testing.assert_allclose(scene.transform[wheel, :3, 3], centre, atol=1e-12)
    # the axle, 0.1 m wide, is where the steering turns it to; the rim went forward by 2 rad
    np.testing.assert_allclose(scene.transform[wheel, :3, 1], 0.1 * turn @ [0, 1, 0], atol=1e-12)
    top = turn @ [np.sin(2.0), 0, np.cos(2.0)]
    np.testing.assert_allclose(scene.transform[wheel, :3, 2], 0.3 * top, atol=1e-12)


def test_update_says_what_changed(world_of):
    world = world_of(
        '<vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="differential"/></vehicle>'
        '<block name="b"><init_pose>3 0 0</init_pose></block>'
        '<block name="c"><init_pose>6 0 0</init_pose><static>true</static></block>')
    scene = build_scene(world)
    states = first_states(world, world.vehicles, world.blocks)
    assert scene.update(states).tolist() == []
    states.wheel_angle[1] = 0.3
    states.blocks[:, 0] += 1.0
    assert scene.update(states).tolist() == [2, 3]  # right wheel, and the block that can move
    assert scene.transform[4, 0, 3] == 6.0
    scene.place(states)
    assert scene.transform[4, 0, 3] == 7.0


def test_visual_that_steers_with_a_wheel(world_of, shared):
    path = shared / 'worlds/mvsim/models/simple_camera.dae'
    scene = build_scene(world_of(ROBOT.replace('<fl_wheel', (
        '<fl_wheel linked_yaw="fork" linked_yaw_offset_deg="10"')).replace(
        '<sensor', f'<visual name="fork"><model_uri>{path}</model_uri><model_offset_x>0.5'
        '</model_offset_x><model_yaw>77</model_yaw></visual><sensor')))
    fork = instances(scene, 'r1', 'vehicle')[0]
    pose = np.array([[4.0, 5.0, 0.0, 0.3, 0.0, 0.0]])
    scene.update(MoverStates(pose, np.full(4, 0.2), np.full(4, 1.0), np.zeros((0, 6)),
                             np.zeros((0, 6))))
    expected = Pose(4, 5, 0, 0.3).compose(Pose(x=0.5, yaw=0.2 + np.radians(10))).matrix
    np.testing.assert_allclose(scene.transform[fork], expected, atol=1e-12)


def test_elements(world_of, tmp_path):
    (tmp_path / 'points.txt').write_text('0 0 0\n1 2 3\n')
    scene = build_scene(world_of(
        '<element class="horizontal_plane" name="floor"><x_min>-2</x_min><x_max>4</x_max>'
        '<y_min>-1</y_min><y_max>3</y_max><z>0.25</z><color>#00ff00</color></element>'
        '<element class="vertical_plane" name="wall"><init_pose>10 0 90</init_pose><x0>0</x0>'
        '<y0>0</y0><x1>2</x1><y1>0</y1><z>0.5</z><height>2</height><thickness>0.2</thickness>'
        '</element>'
        '<element class="elevation_map" name="hill"><resolution>2</resolution>'
        '<corner_min_x>5</corner_min_x><corner_min_y>-3</corner_min_y>'
        '<elevation_data_matrix>[0 1 2; 3 4 5]</elevation_data_matrix></element>'
        '<element class="pointcloud" name="dots"><file_txt_3d>points.txt</file_txt_3d>'
        '<pose_3d>1 1 1 90 0 0</pose_3d></element>'
        '<walls><wallThickness>0.1</wallThickness><wallHeight>1.5</wallHeight><shape>'
        '<pt>0 0</pt><pt>0 4</pt></shape></walls>'))
    np.testing.assert_allclose(bounds(scene, 'element floor'), [[-2, -1, 0.25], [4, 3, 0.25]])
    np.testing.assert_allclose(bounds(scene, 'element wall'), [[9.9, 0, 0.5], [10.1, 2, 2.5]],
                               atol=1e-9)
    np.testing.assert_allclose(bounds(scene, 'element hill'), [[5, -3, 0], [7, 1, 5]])
    np.testing.assert_allclose(bounds(scene, 'wall_0001'), [[-0.05, 0, 0], [0.05, 4, 1.5]],
                               atol=1e-9)
    np.testing.assert_allclose(bounds(scene, 'element dots'), [[-1, 1, 1], [1, 2, 4]], atol=0.03)
    labels = {name: Scene.LABELS[scene.label[i]] for i, name in enumerate(scene.thing_names[1:])}
    assert labels == {'element floor': 'ground', 'element wall': 'wall',
                      'element hill': 'terrain', 'element dots': 'points', 'wall_0001': 'wall'}
    assert (scene.owner == -1).all() and not scene.moving.any()


def test_terrain_is_cut_as_physics_cuts_it(world_of):
    scene = build_scene(world_of(
        '<element class="elevation_map" name="hill"><corner_min_x>0</corner_min_x>'
        '<corner_min_y>0</corner_min_y>'
        '<elevation_data_matrix>[0 1; 0 0]</elevation_data_matrix></element>'))
    mesh = scene.meshes[0]
    faces = {tuple(sorted(map(tuple, mesh.vertices[face].tolist()))) for face in mesh.faces}
    assert faces == {((0, 0, 0), (1, 0, 0), (1, 1, 0)), ((0, 0, 0), (0, 1, 1), (1, 1, 0))}
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()


def test_terrain_has_the_colours_of_its_points(world_of, tmp_path):
    (tmp_path / 'dem.txt').write_text(
        '0 0 0 255 0 0\n0 1 0 0 255 0\n1 0 0 0 0 255\n1 1 0 255 255 255\n')
    scene = build_scene(world_of(
        '<element class="elevation_map"><dem_xyzrgb_file>dem.txt</dem_xyzrgb_file></element>'))
    (mesh,) = scene.meshes
    pixels = mesh.materials[0].texture.pixels
    shown = {}
    for (x, y, _), (u, v) in zip(mesh.vertices.tolist(), mesh.uv.tolist()):
        shown[x, y] = tuple(pixels[int((1 - v) * len(pixels)), int(u * len(pixels[0])), :3])
    assert shown == {(0, 0): (255, 0, 0), (0, 1): (0, 255, 0), (1, 0): (0, 0, 255),
                     (1, 1): (255, 255, 255)}
    np.testing.assert_array_equal(scene.colour, 1)


@pytest.mark.parametrize('ground, labels', [
    pytest.param('', {'wall', 'ground'}, id='alone'),
    pytest.param('<element class="elevation_map"><elevation_data_matrix>[0 0; 0 0]'
                 '</elevation_data_matrix></element>', {'wall', 'terrain'}, id='on terrain')])
def test_occupancy_map_lies_on_the_ground(world_of, project, ground, labels):
    scene = build_scene(world_of(
        f'<element class="occupancy_grid" name="m"><file>{project}/worlds/maps/apartment.yaml'
        f'</file></element>{ground}'))
    assert {Scene.LABELS[label] for label in scene.label} == labels
    if 'ground' in labels:
        np.testing.assert_allclose(bounds(scene, 'element m sheet')[:, 2], 0)
        assert bounds(scene, 'element m')[1, 2] == 2.0


def test_actor_has_its_height(world_of):
    scene = build_scene(world_of(
        '<actor name="p"><init_pose>1 2 0</init_pose><height>1.6</height>'
        '<collision_radius>0.3</collision_radius></actor>'))
    (low, high) = bounds(scene, 'p')
    assert (low[2], high[2]) == pytest.approx((0, 1.6))
    assert high[1] - low[1] == pytest.approx(0.6)
    assert Scene.LABELS[scene.label[0]] == 'person' and scene.moving[0]


def test_planes_with_keyframes_move(world_of):
    keys = ('<animation type="keyframes"><time_pose3d>0 0 0 1 0 0 0</time_pose3d>'
            '<time_pose3d>5 0 0 2 0 0 0</time_pose3d></animation>')
    world = world_of(
        '<actor name="p"><init_pose>1 2 0</init_pose></actor>'
        f'<element class="horizontal_plane" name="lift"><x_min>0</x_min>{keys}</element>'
        f'<element class="vertical_plane" name="gate">{keys}</element>')
    scene = build_scene(world)
    figures = np.arange(18.0).reshape(3, 6) * [1, 1, 1, 0, 0, 0]
    scene.update(MoverStates(np.zeros((0, 6)), np.zeros(0), np.zeros(0), np.zeros((0, 6)),
                             figures))
    places = {name: scene.transform[i, :3, 3].tolist()
              for i, name in enumerate(scene.thing_names[1:])}
    # figures: actor, wall, floor; the corner of the floor is at 0 -10, the wall starts at -10 -10
    assert places == {'p': [0, 1, 2], 'element gate': [-4, -3, 8],
                      'element lift': [12, 3, 14]}
    assert scene.moving.all()


def test_light_comes_from_where_the_world_says(world_of):
    lighting = build_scene(world_of(
        '<lights><light_azimuth_deg>90</light_azimuth_deg><light_elevation_deg>30'
        '</light_elevation_deg><enable_shadows>false</enable_shadows></lights>')).lighting
    assert lighting.towards_light == pytest.approx((0, np.sqrt(0.75), 0.5))
    assert not lighting.shadows


def test_building_again_makes_no_mesh_again(shared):
    world = load_world(shared / 'worlds/mvsim/mvsim_tutorial/demo_warehouse.world.xml',
                       offline=True)
    footprints = world_footprints(world)
    once, again = build_scene(world, footprints), build_scene(world, footprints)
    assert [id(mesh) for mesh in once.meshes] == [id(mesh) for mesh in again.meshes]
