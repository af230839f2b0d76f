# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes of robot descriptions: where they are seen, and outlines from them."""

from collections.abc import Callable
import itertools
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.footprint import mesh_footprint
from mvsim_ros2.scene.shapes.bodies import visual_matrix
from mvsim_ros2.scene.shapes.meshes import load_mesh
from mvsim_ros2.world.file.urdf_import.description.document import read_document
from mvsim_ros2.world.file.urdf_import.robot import read_robot
from mvsim_ros2.world.file.urdf_import.visuals import points_of
from mvsim_ros2.world.spec import DifferentialSpec, VehicleSpec

trimesh = pytest.importorskip('trimesh')
Loader = Callable[..., VehicleSpec]

WHEEL = """
<link name="{side}_wheel"><inertial><mass value="0.5"/></inertial>
  <visual><geometry><mesh filename="wheel.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  <visual><origin xyz="0 0.05 0"/><geometry><sphere radius="0.02"/></geometry></visual>
</link>
<joint name="{side}_joint" type="continuous"><parent link="base_link"/>
  <child link="{side}_wheel"/><origin xyz="0 {y} 0"/><axis xyz="0 1 0"/></joint>"""
ROBOT = """
<link name="base_footprint"/>
<joint name="base" type="fixed"><parent link="base_footprint"/><child link="base_link"/>
  <origin xyz="0 0 0.06"/></joint>
<link name="base_link">
  <inertial><mass value="5"/></inertial>
  <visual><origin xyz="0.1 0 0.2"/><geometry><mesh filename="{mesh}"/></geometry></visual>
  <collision><origin xyz="0.1 0 0.2"/><geometry><mesh filename="{mesh}"/></geometry></collision>
</link>""" + WHEEL.format(side='left', y=0.2) + WHEEL.format(side='right', y=-0.2)
DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"
 version="1.4.1"><asset><unit meter="1"/><up_axis>{up}</up_axis></asset><library_geometries>
 <geometry id="g"><mesh><source id="p"><float_array id="a" count="12">0 0 0 0.4 0 0 0 0.2 0 0 0 0.1
 </float_array><technique_common><accessor source="#a" count="4" stride="3"><param name="X"
 type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
 </technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
 <p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
 </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
 </COLLADA>"""


@pytest.fixture
def meshes(tmp_path: Path) -> Path:
    """Write the meshes beside the description."""
    trimesh.creation.box((0.4, 0.2, 0.1)).export(tmp_path / 'body.stl')
    wheel = trimesh.creation.cylinder(60.0, 40.0, transform=trimesh.transformations.
                                      rotation_matrix(np.pi / 2, (1, 0, 0)))
    wheel.apply_translation((0.0, 10.0, 0.0))
    wheel.export(tmp_path / 'wheel.stl')
    return tmp_path


def seen(vehicle: VehicleSpec) -> np.ndarray:
    """Return the corners of the first visual in the frame of the vehicle, shape (n, 3)."""
    (visual,) = vehicle.visuals
    assert visual.model_uri is not None and visual.model_uri.path is not None
    matrix = visual_matrix(visual)
    corners: np.ndarray = load_mesh(visual.model_uri.path).vertices @ matrix[:3, :3].T
    return corners + matrix[:3, 3]


def test_body_and_wheels_of_meshes(load_robot: Loader, meshes: Path) -> None:
    vehicle = load_robot(robot=ROBOT.format(mesh='body.stl'))
    dynamics = vehicle.dynamics
    assert isinstance(dynamics, DifferentialSpec)
    wheel = dynamics.l_wheel
    assert (wheel.diameter, wheel.width) == pytest.approx((0.12, 0.04))  # about the joint
    assert wheel.pos[:2] == pytest.approx((0.0, 0.21))  # in the middle of the mesh
    tyre, cap = wheel.visuals
    assert tyre.model_scale == pytest.approx(0.001)
    assert cap.model_offset_y == pytest.approx(0.04)  # from the middle of the wheel
    assert dynamics.chassis.shape_from_visual
    outline = mesh_footprint(vehicle.visuals)
    assert outline is not None
    assert np.array(outline.polygon).min(axis=0) == pytest.approx((-0.1, -0.1))
    assert np.array(outline.polygon).max(axis=0) == pytest.approx((0.3, 0.1))
    assert (outline.zmin, outline.zmax) == pytest.approx((0.21, 0.31))


def test_an_arm_of_a_mesh_is_no_wheel(load_robot: Loader, meshes: Path) -> None:
    arm = WHEEL.format(side='arm', y=0.0).replace('wheel.stl" scale="0.001 0.001 0.001', 'body.stl'
                                                  ).replace('<visual>', '<visual><origin '
                                                            'xyz="0.2 0 0"/>', 1)
    dynamics = load_robot(robot=ROBOT.format(mesh='body.stl') + arm, strict=False).dynamics
    assert [wheel.joint for wheel in dynamics.wheels] == ['left_joint', 'right_joint']


@pytest.mark.parametrize('up', ['X_UP', 'Y_UP', 'Z_UP'])
def test_collada_files_keep_their_own_axes(load_robot: Loader, meshes: Path, up: str) -> None:
    (meshes / 'body.dae').write_text(DAE.format(up=up))
    corners = seen(load_robot(robot=ROBOT.format(mesh='body.dae')))
    assert corners.min(axis=0) == pytest.approx((0.1, 0.0, 0.26), abs=1e-6)
    assert corners.max(axis=0) == pytest.approx((0.5, 0.2, 0.36), abs=1e-6)
    robot = read_robot(read_document(str(meshes / 'robot.urdf'), {}, lambda *_: None).root)
    measured = points_of(robot.links['base_link'].visuals[0], Pose(z=0.06).matrix)
    assert measured.min(axis=0) == pytest.approx(corners.min(axis=0), abs=1e-6)
    assert measured.max(axis=0) == pytest.approx(corners.max(axis=0), abs=1e-6)


@pytest.mark.parametrize('scale', [(1.0, -1.0, 1.0), (2.0, 0.5, 3.0), (-1.0, -2.0, -3.0)])
@pytest.mark.parametrize('name', ['body.stl', 'X_UP', 'Y_UP', 'Z_UP'])
def test_meshes_are_scaled_along_their_own_axes(
        load_robot: Loader, meshes: Path, name: str, scale: tuple[float, float, float]) -> None:
    (meshes / 'body.dae').write_text(DAE.format(up=name))
    file = name if name == 'body.stl' else 'body.dae'
    robot = ROBOT.format(mesh=file).replace(
        f'"{file}"', f'"{file}" scale="{" ".join(map(str, scale))}"').replace(
        '<visual><origin xyz="0.1 0 0.2"', '<visual><origin xyz="0.1 0 0.2" rpy="0.3 0.2 0.1"', 1)
    corners = seen(load_robot(robot=robot))
    own = np.array([[0, 0, 0], [0.4, 0, 0], [0, 0.2, 0], [0, 0, 0.1]]) if file == 'body.dae' else (
        np.array(list(itertools.product((-0.2, 0.2), (-0.1, 0.1), (-0.05, 0.05)))))
    wanted = own * scale @ rotation_matrix(0.1, 0.2, 0.3).T + (0.1, 0.0, 0.26)
    assert np.unique(corners.round(6), axis=0) == pytest.approx(
        np.unique(wanted.round(6), axis=0), abs=2e-6)


def test_a_missing_mesh_is_a_warning(load_robot: Loader, meshes: Path,
                                     caplog: pytest.LogCaptureFixture) -> None:
    load_robot(robot=ROBOT.format(mesh='package://none_such/body.dae'), strict=False)
    assert 'package://none_such/body.dae' in caplog.text
