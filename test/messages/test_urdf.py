# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Robot descriptions, without ROS: the tree of links, and where they are."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.urdf_export.urdf import robot_urdf
from mvsim_ros2.scene.shapes.bodies import visual_matrix
from mvsim_ros2.scene.shapes.meshes import load_mesh
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

VEHICLES = ['differential', 'differential_3_wheels', 'differential_4_wheels', 'ackermann',
            'ackermann_drivetrain']


def described(folder: Path, dynamics: str, frames: FrameNames) -> ElementTree.Element:
    """Return the URDF of a vehicle with default wheels and one sensor."""
    path = folder / 'one.world.xml'
    path.write_text(f'<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>'
                    f'<dynamics class="{dynamics}"/></vehicle></mvsim_world>')
    (vehicle,) = load_world(path).vehicles
    return ElementTree.fromstring(robot_urdf(
        vehicle, frames,
        [(frames.prefix + 'laser', frames.base, Pose(0.3, 0.1, 0.4, 1.0, 0.2, -0.1))]))


def numbers(text: str | None) -> list[float]:
    return [float(word) for word in (text or '').split()]


def matrix(robot: ElementTree.Element, link: str) -> np.ndarray:
    """Return the pose of a link in the root, all joints at zero, shape (4, 4)."""
    for joint in robot.findall('joint'):
        if joint.find('child').get('link') == link:
            origin = joint.find('origin')
            roll, pitch, yaw = numbers(origin.get('rpy'))
            own = np.eye(4)
            own[:3, :3] = rotation_matrix(yaw, pitch, roll)
            own[:3, 3] = numbers(origin.get('xyz'))
            return matrix(robot, joint.find('parent').get('link')) @ own
    return np.eye(4)


@pytest.mark.parametrize('frames', [
    pytest.param(FrameNames(), id='usual frames'),
    pytest.param(FrameNames(footprint=''), id='no footprint'),
    pytest.param(FrameNames().prefixed('r1/'), id='prefix')])
@pytest.mark.parametrize('dynamics', [pytest.param(name, id=name) for name in VEHICLES])
def test_links_are_one_tree_below_the_moving_frame(
        tmp_path: Path, dynamics: str, frames: FrameNames) -> None:
    robot = described(tmp_path, dynamics, frames)
    links = [link.get('name') for link in robot.iter('link')]
    children = [joint.find('child').get('link') for joint in robot.findall('joint')]
    parents = {joint.find('parent').get('link') for joint in robot.findall('joint')}
    assert len(set(links)) == len(links)
    assert len({joint.get('name') for joint in robot.findall('joint')}) == len(children)
    assert set(links) - set(children) == {frames.moving}
    assert parents <= set(links)


@pytest.mark.parametrize('dynamics', VEHICLES)
def test_states_are_those_of_the_joints_that_turn(tmp_path: Path, dynamics: str) -> None:
    path = tmp_path / 'one.world.xml'
    path.write_text(f'<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>'
                    f'<dynamics class="{dynamics}"/></vehicle></mvsim_world>')
    simulation = Simulation.from_file(path)
    model = RobotModel(simulation.vehicles['r1'], FrameNames(), [])
    robot, state = ElementTree.fromstring(model.description()), model.joint_states(TYPES, 0)
    assert sorted(state.name) == sorted(
        joint.get('name') for joint in robot.findall('joint') if joint.get('type') != 'fixed')
    assert len(state.name) == len(state.position) == len(state.velocity) == len(state.effort)


def test_wheels_and_sensors_are_where_the_spec_has_them(tmp_path: Path) -> None:
    robot = described(tmp_path, 'ackermann', FrameNames())
    front_left = matrix(robot, 'fl_wheel')
    assert front_left[:3, 3] == pytest.approx([1.3, 1.0, 0.2])
    laser = Pose(0.3, 0.1, 0.4, 1.0, 0.2, -0.1).matrix
    assert matrix(robot, 'laser') == pytest.approx(laser)


@pytest.mark.parametrize('dynamics, names', [
    ('differential', 'l_wheel r_wheel'), ('differential_3_wheels', 'l_wheel r_wheel caster_wheel'),
    ('differential_4_wheels', 'lr_wheel rr_wheel lf_wheel rf_wheel'),
    ('ackermann', 'rl_wheel rr_wheel fl_wheel fr_wheel'), ('single_track', 'f_wheel r_wheel'),
    ('mecanum', 'lr_wheel rr_wheel lf_wheel rf_wheel'),
    ('tracked', ' '.join(f'wheel_{k}' for k in range(1, 11)))])
def test_wheels_have_the_names_of_their_tags(tmp_path: Path, dynamics: str, names: str) -> None:
    robot = described(tmp_path, dynamics, FrameNames())
    rolling = [joint.get('name') for joint in robot.findall('joint')
               if joint.find('axis') is not None and joint.find('axis').get('xyz') == '0 1 0']
    assert rolling == [f'{name}_joint' for name in names.split()]
    links = {link.get('name') for link in robot.iter('link')}
    assert links >= {*names.split(), *(f'{name}_steering' for name in names.split())}


def test_a_wheel_is_a_cylinder_about_its_axle(tmp_path: Path) -> None:
    robot = described(tmp_path, 'differential', FrameNames())
    (wheel,) = [each for each in robot.iter('link') if each.get('name') == 'l_wheel']
    roll, pitch, yaw = numbers(wheel.find('visual/origin').get('rpy'))
    axis = rotation_matrix(yaw, pitch, roll) @ [0.0, 0.0, 1.0]
    assert abs(axis[1]) == pytest.approx(1.0)
    cylinder = wheel.find('visual/geometry/cylinder')
    assert (cylinder.get('radius'), cylinder.get('length')) == ('0.2', '0.2')
    assert wheel.find('inertial/inertia').get('iyy') is not None


def test_moments_of_inertia_are_possible(tmp_path: Path) -> None:
    for inertia in described(tmp_path, 'ackermann', FrameNames()).iter('inertia'):
        moments = sorted(float(inertia.get(f'i{axis}{axis}')) for axis in 'xyz')
        assert moments[0] > 0.0
        assert moments[2] <= moments[0] + moments[1]


TETRAHEDRON = (
    'v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')
COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 2 3</float_array>
<technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


def looking(folder: Path, inside: str, wheel: str = '') -> tuple[ElementTree.Element, VehicleSpec]:
    """Return the URDF of a vehicle with visuals, and its spec."""
    path = folder / 'one.world.xml'
    path.write_text(f'<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>{inside}'
                    f'<dynamics class="ackermann">{wheel}</dynamics></vehicle></mvsim_world>')
    (vehicle,) = load_world(path).vehicles
    sensors = [(each.name, 'base_link', each.pose) for each in vehicle.sensors]
    return ElementTree.fromstring(robot_urdf(vehicle, FrameNames(), sensors)), vehicle


def placed(visual: ElementTree.Element) -> np.ndarray:
    """Return the matrix of a visual in its link, with the scale of its mesh."""
    roll, pitch, yaw = numbers(visual.find('origin').get('rpy'))
    matrix = np.eye(4)
    matrix[:3, :3] = rotation_matrix(yaw, pitch, roll)
    matrix[:3, 3] = numbers(visual.find('origin').get('xyz'))
    mesh = visual.find('geometry/mesh')
    return matrix if mesh is None else matrix @ np.diag([*numbers(mesh.get('scale')), 1.0])


def link_of(robot: ElementTree.Element, name: str) -> ElementTree.Element:
    (link,) = [each for each in robot.iter('link') if each.get('name') == name]
    return link


@pytest.mark.parametrize('scale', ['0.5', '-2 0.5 3'])
@pytest.mark.parametrize(('name', 'content', 'raw'), [
    pytest.param('a.obj', TETRAHEDRON, [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], id='obj'),
    pytest.param('a.dae', COLLADA, [[0, 0, 0], [1, 0, 0], [0, 2, 3]], id='collada, z up')])
def test_a_mesh_is_where_the_cameras_see_it(
        tmp_path: Path, name: str, content: str, raw: list[list[float]], scale: str) -> None:
    (tmp_path / name).write_text(content)
    robot, vehicle = looking(
        tmp_path, f'<visual><model_uri>{name}</model_uri>'
        f'<model_scale>{scale}</model_scale>'
        '<model_offset_x>1</model_offset_x><model_yaw>30</model_yaw><model_roll>90</model_roll>'
        '<model_color>#ff0000</model_color></visual>')
    (visual,) = link_of(robot, 'base_link').findall('visual')
    assert visual.find('geometry/mesh').get('filename') == (tmp_path / name).as_uri()
    assert visual.find('material/color').get('rgba') == '1 0 0 1'
    seen = load_mesh(str(tmp_path / name)).vertices
    ones = np.ones((len(seen), 1))
    assert np.sort(np.hstack([raw, ones]) @ placed(visual).T, axis=0) == pytest.approx(
        np.sort(np.hstack([seen, ones]) @ visual_matrix(vehicle.visuals[0]).T, axis=0), abs=1e-6)
    assert link_of(robot, 'base_link').find('collision/geometry/box') is not None


def test_a_missing_mesh_and_an_odd_solid_leave_the_box(tmp_path: Path) -> None:
    robot, _ = looking(tmp_path, '<visual><model_uri>none.obj</model_uri></visual>'
                       '<visual><geometry type="ramp" lx="1" ly="1" lz="1"/></visual>')
    (visual,) = link_of(robot, 'base_link').findall('visual')
    assert visual.find('geometry/box') is not None


def test_solids_are_in_their_middle(tmp_path: Path) -> None:
    robot, _ = looking(tmp_path, '<visual><geometry type="box" lx="2" ly="1" lz="0.5"/></visual>'
                       '<visual><geometry type="cylinder" radius="0.1" length="3"/></visual>')
    box, cylinder = link_of(robot, 'base_link').findall('visual')
    assert box.find('geometry/box').get('size') == '2 1 0.5'
    assert placed(box)[:3, 3] == pytest.approx([1.0, 0.5, 0.25])
    assert placed(cylinder)[:3, 3] == pytest.approx([0.0, 0.0, 1.5])


def test_solids_with_three_scales(tmp_path: Path) -> None:
    """A box has them as its size; the round ones that URDF does not have are left out."""
    robot, _ = looking(tmp_path, ''.join(
        f'<visual><geometry type="{solid}"/><model_scale>{scale}</model_scale></visual>'
        for solid, scale in (('box" lx="2" ly="1" lz="0.5', '-2 3 4'),
                             ('cylinder" radius="0.1" length="3', '2 2 -1'),
                             ('cylinder" radius="0.1" length="3', '2 1 1'),
                             ('sphere" radius="1', '1 1 2'))))
    box, cylinder = link_of(robot, 'base_link').findall('visual')
    assert box.find('geometry/box').get('size') == '4 3 2'
    assert placed(box)[:3, 3] == pytest.approx([-2.0, 1.5, 1.0])
    assert cylinder.find('geometry/cylinder').attrib == {'radius': '0.2', 'length': '3'}
    assert placed(cylinder)[:3, 3] == pytest.approx([0.0, 0.0, -1.5])


def test_meshes_of_wheels_and_sensors_are_in_their_links(tmp_path: Path) -> None:
    (tmp_path / 'a.obj').write_text(TETRAHEDRON)
    mesh = '<visual{}><model_uri>a.obj</model_uri>{}</visual>'
    robot, _ = looking(
        tmp_path,
        mesh.format(' name="fork"', '<model_offset_x>1.3</model_offset_x>'
                    '<model_offset_y>1</model_offset_y><model_offset_z>0.5</model_offset_z>')
        + '<sensor class="laser" name="front"><pose_3d>1 0 0.4 90 0 0</pose_3d>'
        + mesh.format('', '<model_offset_z>0.1</model_offset_z>') + '</sensor>',
        '<fl_wheel pos="1.3 1" linked_yaw="fork"/><fr_wheel pos="1.3 -1">'
        + mesh.format('', '') + mesh.format('', '<model_offset_y>0.2</model_offset_y>')
        + '</fr_wheel>')
    (fork,) = link_of(robot, 'fl_wheel_steering').findall('visual')
    assert placed(fork)[:3, 3] == pytest.approx([0.0, 0.0, 0.3])
    rim, cap = link_of(robot, 'fr_wheel').findall('visual')
    assert rim.find('geometry/mesh') is not None
    assert placed(cap)[:3, 3] == pytest.approx([0.0, 0.2, 0.0])
    (front,) = link_of(robot, 'front').findall('visual')
    assert placed(front)[:3, 3] == pytest.approx([0.0, 0.0, 0.1])
