# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scenes of whole worlds."""

from pathlib import Path

from looks import bounds, corners, instances
import numpy as np
import pytest

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.build import build_scene, first_states
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import WorldSpec

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
    np.testing.assert_allclose(bounds(scene, 'b'), np.add(expected, (10, 20, 3)), atol=3e-4)
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


@pytest.mark.parametrize('scale', [(-1, 2, 1), (-2, -1, 3), (-1, -1, -1), (1, 2, 3)])
def test_mirrored_meshes_are_seen_from_outside(world_of, tmp_path, scale):
    """Scaling the instance gives the triangles of a file that has the scale in it."""
    def triangles(name, corners, faces, tag):
        (tmp_path / name).write_text(''.join(
            f'v {x} {y} {z}\n' for x, y, z in corners) + ''.join(
            f'f {a} {b} {c}\n' for a, b, c in faces))
        scene = build_scene(world_of(
            f'<block name="b"><init_pose>1 2 30</init_pose><visual><model_uri>{tmp_path / name}'
            f'</model_uri>{tag}<model_roll>40</model_roll></visual></block>'))
        mesh = scene.meshes[scene.mesh[0]]
        points = mesh.vertices @ scene.transform[0, :3, :3].T + scene.transform[0, :3, 3]
        assert np.linalg.det(scene.transform[0, :3, :3]) > 0.0
        a, b, c = (points[mesh.faces[:, k]] for k in range(3))
        out = np.cross(b - a, c - a)
        shading = mesh.normals @ np.linalg.inv(scene.transform[0, :3, :3])
        assert (np.einsum('fj,fkj->f', out, shading[mesh.faces]) > 0.0).all()
        middle = points.mean(axis=0)
        assert (np.einsum('fj,fj->f', out, a - middle) > 0.0).all()
        return np.unique(np.sort(np.stack([a, b, c], 1).round(6), axis=1), axis=0)

    corners, faces = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]), [
        (1, 3, 2), (1, 2, 4), (2, 3, 4), (1, 4, 3)]
    turned = faces if np.prod(scale) > 0 else [face[::-1] for face in faces]
    text = ' '.join(map(str, scale))
    np.testing.assert_allclose(
        triangles('a.obj', corners, faces, f'<model_scale>{text}</model_scale>'),
        triangles('b.obj', corners * scale, turned, ''), atol=2e-6)


def test_empty_world():
    world = WorldSpec()
    scene = build_scene(world)
    assert scene.transform.shape == (0, 4, 4) and scene.meshes == () and (
        scene.thing_names == ('',))
    assert not len(scene.update(first_states(world, (), ())))


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


def test_update_returns_changed_instances(world_of):
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


def test_states_of_other_things_are_refused(world_of):
    scene = build_scene(world_of(ROBOT))
    nothing = np.zeros((0, 6))
    for pose, wheels in ((nothing, 4), (np.zeros((1, 6)), 3)):
        with pytest.raises(SceneError, match='the scene has 1 and 4'):
            scene.update(MoverStates(pose, np.zeros(wheels), np.zeros(wheels), nothing, nothing))


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


def test_actor_has_its_height(world_of):
    scene = build_scene(world_of(
        '<actor name="p"><init_pose>1 2 0</init_pose><height>1.6</height>'
        '<collision_radius>0.3</collision_radius></actor>'))
    (low, high) = bounds(scene, 'p')
    assert low[2] == pytest.approx(0.0, abs=1e-9) and high[2] == pytest.approx(1.6, abs=0.01)
    assert 0.4 < high[1] - low[1] < 0.6
    assert Scene.LABELS[scene.label[0]] == 'person' and scene.moving[0]


def test_solid_stands_in_for_a_broken_mesh(world_of, tmp_path, caplog):
    (tmp_path / 'broken_thing.stl').write_bytes(b'x')
    world = world_of(''.join(
        f'<block name="b{i}"><init_pose>{i} 0 0</init_pose><visual><model_uri>broken_thing.stl'
        '</model_uri></visual></block>' for i in range(3)))
    scene = build_scene(world)
    np.testing.assert_allclose(bounds(scene, 'b1'), [[0.5, -0.5, 0], [1.5, 0.5, 1]])
    assert {message for message in caplog.messages if 'broken_thing.stl' in message} == {
        caplog.messages[0]}  # the same line of the same file


def test_building_again_makes_no_mesh_again(shared):
    world = load_world(shared / 'worlds/mvsim/mvsim_tutorial/demo_warehouse.world.xml',
                       offline=True)
    footprints = world_footprints(world)
    once, again = build_scene(world, footprints), build_scene(world, footprints)
    assert [id(mesh) for mesh in once.meshes] == [id(mesh) for mesh in again.meshes]


@pytest.mark.parametrize('thing', [
    pytest.param('<block name="b"><init_pose>1 0 0</init_pose>{}</block>', id='block'),
    pytest.param('<walls><shape><pt>0 0</pt><pt>1 0</pt></shape>{}</walls>', id='wall'),
    pytest.param('<element class="horizontal_plane">{}</element>', id='floor'),
    pytest.param('<element class="vertical_plane"><x0>0</x0><x1>2</x1>{}</element>',
                 id='vertical plane'),
    pytest.param(ROBOT.replace('<chassis', '<chassis reflectivity="0.9"'), id='vehicle')])
def test_reflectivity(world_of, thing):
    scene = build_scene(world_of(thing.format('<reflectivity>0.9</reflectivity>')))
    assert {material.reflectivity for mesh in scene.meshes for material in mesh.materials} == {0.9}


def test_things_that_reflect_alike_share_their_mesh(world_of):
    scene = build_scene(world_of(''.join(
        f'<block name="b{i}"><init_pose>{i} 0 0</init_pose><reflectivity>{share}</reflectivity>'
        '</block>' for i, share in enumerate((0.5, 0.9, 0.9, 0.1)))))
    assert scene.mesh.tolist() == [0, 1, 1, 2]
    assert len({id(mesh.vertices) for mesh in scene.meshes}) == 1
