# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of SDF as vehicles and blocks, against numbers worked by hand."""

import re

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
    plain, moved = (load_world_text(cart(x), 'cart.sdf').vehicles[0].dynamics
                    for x in (0.0, 0.05))
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
    assert (crate.zmin, crate.zmax) == pytest.approx((-1.5, 1.7))
    assert set(crate.shape or ()) == {(-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0)}


@pytest.mark.parametrize('inside, said', [
    pytest.param('', 'has no <model>', id='nothing'),
    pytest.param('<include><uri>a</uri></include>', '<include> of SDF is not followed',
                 id='include'),
    pytest.param('<model name="m"><model name="n"/></model>', '<model> in a <model>',
                 id='model in a model'),
    pytest.param('<model name="m"><link name="l"><pose relative_to="q">1 0 0 0 0 0</pose></link>'
                 '</model>', "relative to 'q', which is no link", id='unknown frame'),
    pytest.param('<model name="m"><link name="a"><pose relative_to="b"/></link><link name="b">'
                 '<pose relative_to="a"/></link></model>', 'in a circle', id='circle'),
    pytest.param('<model name="m"><link name="a"/><link name="b"/><joint name="j" type="bal">'
                 '<parent>a</parent><child>b</child></joint></model>', "the type 'bal'",
                 id='kind of joint'),
    pytest.param('<model name="m"><link name="a"><collision name="c"><geometry><box><size>1 0 1'
                 '</size></box></geometry></collision></link></model>',
                 "a.sdf:1: the outline of the body of 'm' has no area", id='no area'),
    pytest.param('<model name="m"><link name="a"/><joint name="j" type="fixed"><parent>a</parent>'
                 '<child>c</child></joint></model>', "'c', which is no link", id='unknown link'),
])
def test_models_that_cannot_be_read(inside: str, said: str) -> None:
    with pytest.raises(WorldFileError, match=re.escape(said)):
        load_world_text(f'<sdf version="1.9">{inside}</sdf>', 'a.sdf')


def test_what_is_left_out_is_said() -> None:
    world = load_world_text("""<sdf version="1.9"><model name="m"><link name="l">
      <collision name="a"><geometry><box><size>1 1 1</size></box></geometry></collision>
      <collision name="b"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>
      </link></model></sdf>""", 'a.sdf')
    assert any('<plane> of SDF is left out' in str(each) for each in world.warnings)
