# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Masses, inertias, outlines and wheels of robot descriptions, against numbers worked by hand."""

from collections.abc import Callable
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.world.file.urdf_import.description.document import read_document
from mvsim_ros2.world.file.urdf_import.robot import Inertial, together
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, Differential3Spec, DifferentialSpec, MecanumSpec,
    SingleTrackSpec, SkidSteerSpec, TwistFrontSteerPidController, VehicleSpec)

Loader = Callable[..., VehicleSpec]
CAR = Path(__file__).resolve().parents[3] / 'worlds' / 'descriptions' / 'car.urdf.xacro'


def test_two_masses_add_up_about_their_common_centre() -> None:
    one = Inertial(1.0, np.array([1.0, 0.0, 0.0]), np.diag([0.1, 0.2, 0.3]))
    other = Inertial(3.0, np.array([-1.0, 0.0, 0.0]), np.zeros((3, 3)))
    both = together([one, other])
    assert both.mass == 4.0
    assert both.centre == pytest.approx([-0.5, 0.0, 0.0])
    # 1 kg at 1.5 m and 3 kg at 0.5 m from the centre: 2.25 + 0.75 about y and z
    assert both.tensor == pytest.approx(np.diag([0.1, 3.2, 3.3]))


def test_inertia_turns_with_its_frame() -> None:
    pose = np.eye(4)
    pose[:3, :3] = rotation_matrix(0.0, 0.0, math.pi / 2)  # y becomes z
    turned = Inertial(1.0, np.array([0.0, 1.0, 0.0]), np.diag([1.0, 2.0, 3.0])).placed(pose)
    assert turned.centre == pytest.approx([0.0, 0.0, 1.0])
    assert turned.tensor == pytest.approx(np.diag([1.0, 3.0, 2.0]))


def test_mass_and_inertia_of_a_simple_robot(load_robot: Loader) -> None:
    dynamics = load_robot().dynamics
    assert isinstance(dynamics, DifferentialSpec)
    assert dynamics.chassis.mass == pytest.approx(5.0)
    # 0.1 + 2 (0.001 + 0.5 0.15^2)
    assert dynamics.chassis.yaw_inertia == pytest.approx(0.1245)
    # base_link is at the height of the axles, 0.05 above the ground
    assert dynamics.chassis.centre_of_mass == pytest.approx((0.0, 0.0, 0.05))
    assert (dynamics.chassis.zmin, dynamics.chassis.zmax) == pytest.approx((0.1, 0.2))
    assert np.array(dynamics.chassis.shape) == pytest.approx(
        np.array([(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)]))
    wheel = dynamics.l_wheel
    assert wheel.pos == pytest.approx((0.0, 0.15, 0.0))
    assert (wheel.mass, wheel.diameter, wheel.width) == pytest.approx((0.5, 0.1, 0.02))
    assert wheel.inertia == pytest.approx(0.002)  # iyy, about the axle
    assert (wheel.joint, dynamics.r_wheel.joint) == ('left_joint', 'right_joint')


def test_links_on_fixed_joints_are_part_of_the_body(load_robot: Loader) -> None:
    chassis = load_robot("""
      <link name="mast"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>
        <inertia ixx="0.02" iyy="0.02" izz="0.01"/></inertial></link>
      <joint name="mast_joint" type="fixed"><parent link="base_link"/><child link="mast"/>
        <origin xyz="0.3 0 0.2"/></joint>""").dynamics.chassis
    assert chassis.mass == pytest.approx(6.0)
    # the mast stands at x 0.3 and its centre at z 0.05 + 0.2 + 0.1
    assert chassis.centre_of_mass == pytest.approx((0.05, 0.0, (5 * 0.05 + 0.35) / 6))
    # all 7 kg have their centre at x = 0.3 / 7
    assert chassis.yaw_inertia == pytest.approx(0.1245 + 0.01 + 6 / 7 * 0.3 ** 2)


def test_round_robot(load_shipped: Loader) -> None:
    vehicle = load_shipped('round_robot.urdf.xacro')
    dynamics = vehicle.dynamics
    assert isinstance(dynamics, Differential3Spec)
    assert dynamics.chassis.mass == pytest.approx(2.5)
    assert dynamics.chassis.centre_of_mass is not None
    assert dynamics.chassis.centre_of_mass[0] == pytest.approx((2.4 * -0.02 - 0.1 * 0.03) / 2.5)
    assert dynamics.caster_wheel.pos == pytest.approx((-0.11, 0.0, 0.0))
    assert dynamics.caster_wheel.diameter == pytest.approx(0.02)
    assert dynamics.l_wheel.pos == pytest.approx((0.0, 0.12, 0.0))
    assert dynamics.l_wheel.spin_inertia == pytest.approx(0.5 * 0.1 * 0.035 ** 2)
    assert dynamics.controller.max_torque == pytest.approx(0.425, rel=2e-3)  # of the ground
    assert vehicle.friction.mu == 0.9
    body = np.array(dynamics.chassis.shape)
    assert np.hypot(*body.T).max() == pytest.approx(0.153, abs=1e-3)
    assert '<robot name="round_robot"' in vehicle.robot_description


def test_car(load_shipped: Loader) -> None:
    dynamics = load_shipped('car.urdf.xacro').dynamics
    assert isinstance(dynamics, AckermannDrivetrainSpec)
    assert dynamics.drivetrain.kind == 'open_rear'
    assert isinstance(dynamics.controller, TwistFrontSteerPidController)
    assert dynamics.controller.max_torque == 12.0  # 6 N m for each of two wheels
    places = [wheel.pos[:2] for wheel in dynamics.wheels]
    assert places == [(0.0, 0.2), (0.0, -0.2), (0.5, 0.2), (0.5, -0.2)]
    # 12 kg of the body, two knuckles of 0.2 kg and 0.6 kg of LiDAR
    assert dynamics.chassis.mass == pytest.approx(13.0)
    x = (12 * 0.25 + 2 * 0.2 * 0.5 + 0.6 * 0.3) / 13
    assert dynamics.chassis.centre_of_mass == pytest.approx(
        (x, 0.0, 0.1 + (12 * 0.05 + 0.6 * 0.3) / 13))
    # the inner wheel turns by 0.6 rad at most
    inner = 1.0 / (1.0 / math.tan(dynamics.max_steer_ang) - 0.5 * 0.4 / 0.5)
    assert math.atan(inner) == pytest.approx(0.6)
    assert dynamics.steer_rate == pytest.approx(3.0)
    assert [wheel.steering_joint for wheel in dynamics.wheels] == [
        '', '', 'front_left_steering_joint', 'front_right_steering_joint']


PASSIVE = """
<link name="rear_wheel"><inertial><mass value="0.2"/></inertial>
  <collision><origin rpy="1.5707963267948966 0 0"/>
    <geometry><cylinder radius="0.03" length="0.02"/></geometry></collision></link>
<link name="fork"><inertial><mass value="0.1"/></inertial></link>
<joint name="pivot" type="{pivot}"><parent link="base_link"/><child link="fork"/>
  <origin xyz="-0.2 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="rear_joint" type="continuous"><parent link="fork"/><child link="rear_wheel"/>
  <origin xyz="-0.05 0 -0.02"/><axis xyz="0 1 0"/></joint>
<gazebo><plugin filename="gz-sim-diff-drive-system" name="d"><left_joint>left_joint</left_joint>
  <right_joint>right_joint</right_joint></plugin></gazebo>"""


@pytest.mark.parametrize('pivot', ['continuous', 'fixed'])
def test_a_wheel_without_a_drive_is_a_caster(load_robot: Loader, pivot: str) -> None:
    dynamics = load_robot(PASSIVE.format(pivot=pivot), strict=False).dynamics
    assert isinstance(dynamics, Differential3Spec)
    assert dynamics.caster_wheel.pos == pytest.approx((-0.25, 0.0, 0.0))
    assert (dynamics.caster_wheel.mass, dynamics.caster_wheel.diameter) == pytest.approx(
        (0.2, 0.06))
    assert dynamics.chassis.mass == pytest.approx(5.1)  # with the fork


BALL = """
<link name="ball_{0}">
  <collision><geometry><sphere radius="0.02"/></geometry></collision></link>
<joint name="ball_joint_{0}" type="fixed"><parent link="base_link"/><child link="ball_{0}"/>
  <origin xyz="{1} {2} -0.03"/></joint>"""


@pytest.mark.parametrize(('places', 'expected'), [
    pytest.param([(-0.2, 0.05), (-0.2, -0.05)], (-0.2, 0.0), id='both behind'),
    pytest.param([(-0.15, 0.0), (0.15, 0.0)], None, id='before and behind'),
])
def test_several_casters(load_robot: Loader, places: list[tuple[float, float]],
                         expected: tuple[float, float] | None) -> None:
    parts = ''.join(BALL.format(i, x, y) for i, (x, y) in enumerate(places))
    dynamics = load_robot(parts).dynamics
    assert len(dynamics.wheels) == (2 if expected is None else 3)
    if expected is not None:
        assert dynamics.wheels[2].pos[:2] == pytest.approx(expected)
        assert dynamics.wheels[2].diameter == pytest.approx(0.04)


ACKERMANN = """<gazebo><plugin filename="{file}" name="steering">
  <{left}>rear_left_wheel_joint</{left}><{right}>rear_right_wheel_joint</{right}>{extra}
  <left_steering_joint>front_left_steering_joint</left_steering_joint>
  <right_steering_joint>front_right_steering_joint</right_steering_joint></plugin></gazebo>"""


@pytest.mark.parametrize(('plugin', 'largest'), [
    pytest.param(ACKERMANN.format(
        file='gz-sim-ackermann-steering-system', left='left_joint', right='right_joint',
        extra='<steering_limit>0.4</steering_limit>'), 0.4, id='gz'),
    pytest.param(ACKERMANN.format(
        file='libgazebo_ros_ackermann_drive.so', left='rear_left_joint', right='rear_right_joint',
        extra='<front_left_joint>front_left_wheel_joint</front_left_joint>'
        '<max_steer>0.3</max_steer>'), 0.3, id='classic'),
    pytest.param('', math.atan(1 / (1 / math.tan(0.6) + 0.4)), id='nothing said'),
])
def test_ways_to_say_ackermann(load_robot: Loader, plugin: str, largest: float) -> None:
    text = read_document(str(CAR), {}, lambda source, text: None).text
    before, _, rest = text.partition('<ros2_control')
    robot = before.partition('>')[2].partition('<robot')[2].partition('>')[2]
    rest = rest.partition('</ros2_control>')[2].rpartition('</robot>')[0]
    dynamics = load_robot(plugin, robot=robot + rest).dynamics
    assert isinstance(dynamics, AckermannDrivetrainSpec)
    assert dynamics.drivetrain.kind == ('open_rear' if plugin else 'open_4wd')
    assert dynamics.max_steer_ang == pytest.approx(largest)


def test_mecanum(load_robot: Loader) -> None:
    text = (CAR.parent / 'skid_robot.urdf').read_text()
    robot = text.partition('<robot name="skid_robot">')[2].rpartition('</robot>')[0]
    robot = robot.replace('gz-sim-diff-drive-system', 'gz-sim-mecanum-drive-system').replace(
        'gz::sim::systems::DiffDrive', 'gz::sim::systems::MecanumDrive')
    dynamics = load_robot(robot=robot, strict=False).dynamics
    assert isinstance(dynamics, MecanumSpec)
    assert [round(math.degrees(wheel.roller_angle)) for wheel in dynamics.wheels] == [
        45, -45, -45, 45]


def test_wheels_of_the_world_on_a_body_of_the_file(load_robot: Loader) -> None:
    dynamics = load_robot(inside='<dynamics class="single_track"/>').dynamics
    assert isinstance(dynamics, SingleTrackSpec)
    assert dynamics.chassis.mass == pytest.approx(6.0)  # no wheel of the file is one


def test_a_class_can_be_spawned(tmp_path: Path) -> None:
    path = tmp_path / 'one.world.xml'
    path.write_text(f'<mvsim_world><vehicle:class name="c" urdf="{CAR}"/></mvsim_world>')
    template = load_world(path).vehicle_classes['c']
    assert template.class_name == 'c' and template.robot_description


def test_the_world_has_precedence_tag_by_tag(load_shipped: Loader) -> None:
    dynamics = load_shipped('skid_robot.urdf', inside="""<dynamics class="skid_steer">
      <chassis mass="30" color="#00ff00"/><controller class="twist_pid"><KP>7</KP></controller>
      </dynamics>""").dynamics
    assert isinstance(dynamics, SkidSteerSpec)
    assert dynamics.chassis.mass == 30.0
    assert dynamics.chassis.color == (0.0, 1.0, 0.0, 1.0)
    assert dynamics.chassis.zmin == pytest.approx(0.09)  # of the description
    assert dynamics.controller.KP == 7.0
    assert len(dynamics.l_wheels) == len(dynamics.r_wheels) == 2


def test_class_with_description_and_arguments(load_shipped: Loader) -> None:
    with_camera = load_shipped('round_robot.urdf.xacro')
    without = load_shipped('round_robot.urdf.xacro', 'camera:=false lidar_rate:=5')
    names = {sensor.name: sensor.sensor_period for sensor in without.sensors}
    assert names == pytest.approx({'imu': 0.01, 'lidar': 0.2})
    assert len(with_camera.sensors) == 3


@pytest.mark.parametrize(('robot', 'message'), [
    pytest.param('', r'robot\.urdf:1: the robot has no <link>', id='no link'),
    pytest.param('<link name="a"/><link name="b"/>', 'the robot has roots a, b', id='two roots'),
    pytest.param('<link name="a"/>', 'the robot has no wheels', id='no wheels'),
    pytest.param('<link name="a"/>\n<link name="a"/>', r"robot\.urdf:2: the name 'a' is taken at",
                 id='same name'),
    pytest.param('<link name="a"/>\n<joint name="j" type="fixd"><parent link="a"/></joint>',
                 r"robot\.urdf:2: joint 'j' has the type 'fixd'.*did you mean 'fixed'", id='type'),
    pytest.param('<link name="base"/><link name="b"/><joint name="j" type="fixed">'
                 '<parent link="bas"/><child link="b"/></joint>',
                 "names the link 'bas', which does not exist; did you mean 'base'", id='parent'),
    pytest.param('<link name="a"/><link name="b"/>'
                 '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
                 '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>',
                 'its joints go in a circle', id='circle'),
    pytest.param('<link name="a"><inertial><mass value="-1"/></inertial></link>',
                 'the mass is -1 kg', id='negative mass'),
    pytest.param('<link name="a"><inertial><mass value="nan"/></inertial></link>',
                 "value of <mass> is 'nan': write a finite number", id='mass of nan'),
    pytest.param('<link name="a"><visual><geometry><cone/></geometry></visual></link>',
                 '<cone> is not a geometry: there are box, cylinder, sphere, mesh', id='shape'),
])
def test_what_is_broken_is_an_error(load_robot: Loader, robot: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        load_robot(robot=robot)


@pytest.mark.parametrize(('parts', 'message'), [
    pytest.param('<gazebo><plugin filename="libgazebo_ros_diff_drive.so"><left_joint>left_jont'
                 '</left_joint></plugin></gazebo>', "did you mean 'left_joint'", id='joint'),
    pytest.param('<gazebo><plugin filename="gz-sim-diff-drive-system">'
                 '<left_joint>left_joint</left_joint></plugin></gazebo>',
                 'the robot has 1 driven wheels, 1 of them on the left', id='one wheel'),
])
def test_a_drive_that_cannot_be_is_an_error(load_robot: Loader, parts: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        load_robot(parts)


@pytest.mark.parametrize(('parts', 'message'), [
    pytest.param('<gazebo><plugin filename="libmine.so"/></gazebo>',
                 "the plugin 'libmine.so' is not known", id='plugin'),
    pytest.param('<gazebo reference="nowhere"><sensor name="s" type="imu"/></gazebo>',
                 'names no link', id='reference'),
    pytest.param('<gazebo reference="base_link"><sensor name="s" type="thermal"/></gazebo>',
                 "no sensor of the type 'thermal'", id='kind of sensor'),
    pytest.param('<link name="arm"/><joint name="j" type="revolute"><parent link="base_link"/>'
                 '<child link="arm"/><axis xyz="0 0 1"/></joint>',
                 r"joint 'j' \(revolute\) does not move", id='joint'),
    pytest.param('<sensor/>', '<sensor> is not read', id='tag'),
])
def test_what_is_lost_is_a_fault(load_robot: Loader, parts: str, message: str) -> None:
    assert load_robot(parts, strict=False).name == 'r1'
    with pytest.raises(WorldFileError, match=message):
        load_robot(parts)


@pytest.mark.parametrize(('inside', 'message'), [
    pytest.param('urdf="nope.urdf"', 'there is no robot description', id='no file'),
    pytest.param('urdf="package://no_such_package/a.urdf"', 'no share folder', id='no package'),
    pytest.param('urdf="robot.urdf" urdf_args="a=1"', 'write name:=value', id='arguments'),
    pytest.param('urdf="robot.urdf" urdf_args="\'"', 'No closing quotation', id='quotes'),
])
def test_a_description_that_is_not_there_is_an_error(tmp_path: Path, inside: str,
                                                     message: str) -> None:
    (tmp_path / 'robot.urdf').write_text('<robot name="r"/>')
    path = tmp_path / 'one.world.xml'
    path.write_text(f'<mvsim_world>\n<vehicle:class name="c" {inside}/></mvsim_world>')
    with pytest.raises(WorldFileError, match=message) as raised:
        load_world(path)
    assert str(raised.value).startswith(f'{path}:2:')
