# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of SDF as vehicles and blocks, against numbers worked by hand."""

import math
import re

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec.vehicle.dynamics import DifferentialSpec

# the frame of the link is {x} along x beside the wheel
WHEEL = """<link name="{name}"><pose relative_to="base">{x} {y} -0.02 -1.570796327 0 0</pose>
  <inertial><mass>0.5</mass></inertial><collision name="c"><pose>-{x} 0 0 0 0 0</pose><geometry>
  <cylinder><radius>0.08</radius><length>0.04</length></cylinder></geometry></collision></link>
  <joint name="{name}_joint" type="revolute"><parent>base</parent><child>{name}</child>
  <pose>-{x} 0 0 0 0 0</pose><axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower>
  <upper>1e16</upper></limit></axis></joint>"""
BASE = """<link name="base"><pose>0 0 0.1 0 0 0</pose><inertial><mass>5</mass></inertial>
  <collision name="c"><geometry><box><size>0.4 0.3 0.1</size></box></geometry></collision>
  <sensor name="eye" type="gpu_lidar"><pose>0.1 0 0.05 0 0 0</pose><update_rate>5</update_rate>
  <lidar><scan><horizontal><samples>90</samples><min_angle>-1</min_angle><max_angle>1</max_angle>
  </horizontal></scan><range><min>0.1</min><max>8</max></range></lidar></sensor></link>"""
PLUGIN = """<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
  <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint></plugin>"""


def cart(x: float = 0.0) -> str:
    wheels = ''.join(WHEEL.format(name=name, x=x, y=y) for name, y in (
        ('left', 0.2), ('right', -0.2)))
    return (f'<sdf version="1.9"><model name="cart"><pose>1 2 0 0 0 1.5</pose>{BASE}{wheels}'
            f'{PLUGIN}</model></sdf>')


def test_a_cart_has_its_wheels_sensors_and_place_and_drives() -> None:
    world = load_world_text(cart(), 'cart.sdf')
    (vehicle,) = world.vehicles
    dynamics = vehicle.dynamics
    assert isinstance(dynamics, DifferentialSpec)
    assert [(*wheel.pos[:2], wheel.radius) for wheel in dynamics.wheels] == [
        pytest.approx((0.0, 0.2, 0.08)), pytest.approx((0.0, -0.2, 0.08))]
    assert dynamics.chassis.mass == pytest.approx(5.0)
    # the base is 0.1 above the frame of the model, and its wheels reach down to that
    assert (dynamics.chassis.zmin, dynamics.chassis.zmax) == pytest.approx((0.05, 0.15))
    assert (vehicle.init_pose.x, vehicle.init_pose.y, vehicle.init_pose.z,
            vehicle.init_pose.yaw) == pytest.approx((1.0, 2.0, 0.0, 1.5))
    (eye,) = vehicle.sensors
    assert (eye.name, eye.pose.x, eye.pose.z) == ('eye', pytest.approx(0.1), pytest.approx(0.15))
    simulation = Simulation(world)
    simulation.vehicles['cart'].set_twist(0.5, 0.0)
    simulation.run(2.0)
    assert simulation.vehicles['cart'].pose.y > 2.5


def test_a_joint_beside_the_frame_of_its_link_is_where_it_says() -> None:
    plain, moved = (load_world_text(cart(x), 'cart.sdf').vehicles[0].dynamics for x in (0.0, 0.05))
    assert [wheel.pos for wheel in moved.wheels] == [
        pytest.approx(wheel.pos) for wheel in plain.wheels]


def test_balls_on_ball_joints_are_casters() -> None:
    ball = """<link name="ball"><pose relative_to="base">-0.15 0 -0.07 0 0 0</pose><collision
      name="c"><geometry><sphere><radius>0.03</radius></sphere></geometry></collision></link>
      <joint name="b" type="ball"><parent>base</parent><child>ball</child></joint></model>"""
    world = load_world_text(cart().replace('</model>', ball), 'cart.sdf')
    wheels = world.vehicles[0].dynamics.wheels
    assert (wheels[2].pos[0], wheels[2].diameter) == pytest.approx((-0.15, 0.06))
    assert not [each for each in world.warnings if 'joint' in each.message]


def test_models_that_stand_are_blocks() -> None:
    world = load_world_text("""<sdf version="1.9"><world name="w">
      <model name="post"><static>true</static><pose>3 0 0 0 0 0</pose><link name="l">
        <collision name="c"><pose>0 0 1 0 0 0</pose><geometry><cylinder><radius>0.2</radius>
        <length>2</length></cylinder></geometry></collision></link></model>
      <model name="crate"><link name="a"><inertial><mass>2</mass></inertial><collision name="c">
        <geometry><box><size>1 2 3</size></box></geometry></collision></link>
        <link name="lid"><pose>0 0 1.6 0 0 0</pose><inertial><mass>1</mass></inertial>
        <collision name="c"><geometry><box><size>1 2 0.2</size></box></geometry></collision>
        </link></model></world></sdf>""", 'two.sdf')
    post, crate = world.blocks
    assert post.static and (post.zmin, post.zmax, post.init_pose.x) == (0.0, 2.0, 3.0)
    assert not crate.static and crate.mass == 3.0
    # it stands 1.5 m deep in the ground; its frame is at its lowest point
    assert (crate.init_pose.z, crate.zmin, crate.zmax) == pytest.approx((-1.5, 0.0, 3.2))
    assert set(crate.shape or ()) == {(-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0)}


@pytest.mark.parametrize('inside, said', [
    pytest.param('', 'has no <model>', id='nothing'),
    pytest.param('<model name="m"><link name="l"><pose relative_to="q">1 0 0 0 0 0</pose></link>'
                 '</model>', "link, joint, frame or model 'q'; there are l", id='unknown frame'),
    pytest.param('<model name="m"><link name="a"><pose relative_to="b"/></link><link name="b">'
                 '<pose relative_to="a"/></link></model>', 'in a circle', id='circle'),
    pytest.param('<model name="m"><link name="a"/><link name="b"/><joint name="j" type="bal">'
                 '<parent>a</parent><child>b</child></joint></model>', "the type 'bal'",
                 id='kind of joint'),
    pytest.param('<model name="m"><link name="a"><collision name="c"><geometry><box><size>1 0 1'
                 '</size></box></geometry></collision></link></model>',
                 'the SDF has no <model> with a shape', id='no area'),
    pytest.param('<model name="m"><link name="a"/><joint name="j" type="fixed"><parent>a</parent>'
                 '<child>c</child></joint></model>', "no link, joint, frame or model 'c'",
                 id='unknown link'),
    pytest.param('<model name="m"><link name="a"/><frame name="a"/></model>', "'a' is taken at",
                 id='one name twice'),
    pytest.param('<model name="m"><link name="a"/><joint name="j" type="fixed"><parent>a</parent>'
                 '</joint></model>', 'needs a link of the model', id='no child'),
    pytest.param('<model name="m"><link name="a"><collision name="c"/></link></model>',
                 'lacks a <geometry>', id='no geometry'),
    pytest.param('<model name="m"><pose rotation_format="quat_xyzw">0 0 0 1 0 0</pose></model>',
                 'write 7 finite numbers', id='quaternion'),
])
def test_models_that_cannot_be_read(inside: str, said: str) -> None:
    with pytest.raises(WorldFileError, match=re.escape(said)):
        load_world_text(f'<sdf version="1.9">{inside}</sdf>', 'a.sdf')


BOX = """<link name="{name}"><pose{relative}>{pose}</pose><collision name="c"><geometry><box>
  <size>1 1 1</size></box></geometry></collision></link>"""


def box(name: str, pose: str = '0 0 0 0 0 0', relative: str = '') -> str:
    return BOX.format(name=name, pose=pose, relative=relative and f' relative_to="{relative}"')


TURN = '0 0 0 0 0 1.5707963267948966'
FRAME = f'<frame name="f"><pose>2 0 1 0 0 1.5707963267948966</pose></frame>{box("l")}'
# two levels of models, the inner one turned by a quarter; its link is 1 m along its x
NESTED = f"""<model name="in"><pose>3 0 0 0 0 1.5707963267948966</pose>{box("l", "1 0 0 0 0 0")}
  <frame name="g"><pose>0 2 0 0 0 0</pose></frame></model>"""


@pytest.mark.parametrize(('inside', 'places'), [
    pytest.param(FRAME + box('b', '1 0 0 0 0 0', 'f'), [(0, 0, 0), (2, 1, 1)], id='frame'),
    pytest.param(box('l', '1 0 0 0 0 0') + box('b', '1 0 0 0 0 0', 'l')
                 + box('c', '0 1 0 0 0 0', '__model__'), [(1, 0, 0), (2, 0, 0), (0, 1, 0)],
                 id='links'),
    pytest.param(box('l', '1 2 0 0 0 1.5707963267948966') + box('b', '1 0 0 0 0 0', 'f')
                 + '<frame name="f" attached_to="l"><pose>0 0 1 0 0 0</pose></frame>',
                 [(1, 2, 0), (1, 3, 1)], id='a frame is placed in what it is attached to'),
    pytest.param(box('l') + box('m', '4 0 0 0 0 0') + box('b', '0 0 0 0 0 0', 'j')
                 + '<joint name="j" type="fixed"><pose>0 1 0 0 0 0</pose><parent>l</parent>'
                 '<child>m</child></joint>', [(0, 0, 0), (4, 0, 0), (4, 1, 0)],
                 id='a joint is placed in its child'),
    pytest.param(NESTED + box('b', '1 0 0 0 0 0', 'in::g') + box('l'),
                 [(1, 1, 0), (0, 0, 0), (3, 1, 0)], id='a model in a model'),
    pytest.param(f'<model name="in" placement_frame="l"><pose>5 0 0 0 0 0</pose>'
                 f'{box("l", "1 2 0 0 0 0")}{box("k")}</model>', [(5, 0, 0), (4, -2, 0)],
                 id='placement frame'),
    pytest.param(box('l', '1 0 0 0 0 0').replace('<pose>', '<pose degrees="true">')
                 + box('b', '0 0 0 0 0 0', 'l') + box('c').replace(
                     '<pose>0 0 0 0 0 0', '<pose rotation_format="quat_xyzw">1 2 3 0 0 0.6 0.8')
                 + box('d', '1 0 0 0 0 0', 'c'),
                 [(1, 0, 0), (1, 0, 0), (1, 2, 3), (1.28, 2.96, 3)], id='quaternion'),
])
def test_parts_are_where_their_frames_say(inside: str,
                                          places: list[tuple[float, float, float]]) -> None:
    """
    Turned, nested and attached frames place the boxes of a model.

    :claim: Parts of SDF models follow `relative_to`, `attached_to`, `placement_frame` and joints
    :reference: positions computed by hand
    """
    world = load_world_text(f'<sdf version="1.11"><model name="m"><static>1</static><pose>0 0 5 0 '
                            f'0 0</pose>{inside}</model></sdf>', 'a.sdf')
    found = []
    for block in world.blocks:
        assert block.shape is not None and block.zmin is not None and block.zmax is not None
        x, y = np.mean(block.shape, axis=0)
        cosine, sine = math.cos(block.init_pose.yaw), math.sin(block.init_pose.yaw)
        found.append((block.init_pose.x + cosine * x - sine * y,
                      block.init_pose.y + sine * x + cosine * y,
                      block.init_pose.z + 0.5 * (block.zmin + block.zmax) - 5.0))
    assert sorted(found) == [pytest.approx(place, abs=1e-6) for place in sorted(places)]


@pytest.mark.parametrize(('version', 'axis', 'turns'), [
    pytest.param('1.9', '<xyz>0 0 1</xyz>', True, id='of the joint'),
    pytest.param('1.9', '<xyz expressed_in="__model__">0 1 0</xyz>', True, id='of the model'),
    pytest.param('1.9', '<xyz expressed_in="base">0 1 0</xyz>', True, id='of a link'),
    pytest.param('1.4', '<xyz>0 1 0</xyz>', True, id='before 1.5 of the model'),
    pytest.param('1.6', '<xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame>',
                 True, id='use_parent_model_frame'),
    pytest.param('1.9', '<xyz>0 1 0</xyz>', False, id='upright'),
])
def test_axes_are_in_the_frame_that_they_say(version: str, axis: str, turns: bool) -> None:
    text = cart().replace('<xyz>0 0 1</xyz>', axis).replace('1.9', version)
    world = load_world_text(text, 'cart.sdf')
    assert len(world.vehicles) == turns
    assert any('does not drive, and is a block' in str(each) for each in world.warnings) != turns


@pytest.mark.parametrize(('outer', 'inner', 'more', 'static'), [
    pytest.param('', '<static>1</static>', '', True, id='by the one in it'),
    pytest.param('<static>1</static>', '', '', True, id='by its own word'),
    pytest.param('', '', '', False, id='by none'),
    pytest.param('', '<static>1</static>', box('l'), False, id='with a link of its own'),
    pytest.param('', '', '<joint name="j" type="fixed"><parent>world</parent><child>in::l</child>'
                 '</joint>', True, id='by a joint')])
def test_models_stand_that_are_static(outer: str, inner: str, more: str, static: bool) -> None:
    world = load_world_text(
        f'<sdf version="1.9"><model name="m">{outer}<model name="in">{inner}{box("l")}</model>'
        f'{more}</model></sdf>', 'a.sdf')
    assert {block.static for block in world.blocks} == {static}


def test_a_model_in_a_vehicle_is_a_part_of_it() -> None:
    arm = """<model name="mast"><pose>0.1 0 0.2 0 0 0</pose><link name="top"><sensor name="imu"
      type="imu"><pose>0 0 0.3 0 0 0</pose></sensor></link></model><joint name="fix" type="fixed">
      <parent>base</parent><child>mast::top</child></joint></model>"""
    (vehicle,) = load_world_text(cart().replace('</model>', arm), 'cart.sdf').vehicles
    imu = vehicle.sensors[1]
    assert (imu.name, imu.pose.x, imu.pose.z) == ('imu', pytest.approx(0.1), pytest.approx(0.5))
    assert '"mast/top"' in vehicle.robot_description


def test_what_is_left_out_is_said() -> None:
    world = load_world_text("""<sdf version="1.9"><model name="m"><link name="l">
      <collision name="a"><geometry><box><size>1 1 1</size></box></geometry></collision>
      <collision name="b"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>
      <collision name="p"><geometry><polyline/></geometry></collision></link></model></sdf>""",
                            'a.sdf')
    said = [each.message for each in world.warnings]
    assert any('<plane> is left out that is not level, or that moves' in each for each in said)
    assert any('<polyline> of SDF is left out' in each for each in said)
