# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Specs from the elements of a world file."""

from collections.abc import Callable
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding.bind import Binder
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import Report
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.spec import (
    AckermannSpec, BlockSpec, CameraSpec, Differential4Spec, ImuSpec, Keyframe, LaserSpec, Source,
    TwistPidController, WorldSpec)

Load = Callable[..., WorldSpec]
VEHICLE = '<vehicle name="r"><init_pose>0 0 0</init_pose>{}</vehicle>'
DIFFERENTIAL = '<dynamics class="differential">{}</dynamics>'


def test_first_layer_wins_and_repeated_tags_add_up(tmp_path: Path) -> None:
    def node(line: int, **texts: str) -> Node:
        source = Source('w.xml', line)
        return Node('block', {}, '', [
            *(Node(name, {}, text, [], source) for name, text in texts.items()),
            Node('visual', {'name': f'v{line}'}, '', [], source)], source)

    report = Report()
    block = Binder(report, Resources(offline=True, cache=tmp_path)).bind(
        BlockSpec, (node(1, mass='1'), node(2, mass='2', init_pose='1 2 90'), node(3, zmax='3')))
    assert block.mass == 1
    assert block.zmax == 3
    assert block.init_pose == Pose(1, 2, 0, math.pi / 2)
    assert [visual.name for visual in block.visuals] == ['v1', 'v2', 'v3']
    assert block.source == Source('w.xml', 1)
    assert report.warnings == ()


def test_attribute_and_child_element_mean_the_same(load: Load) -> None:
    child = load(VEHICLE.format(DIFFERENTIAL.format('<chassis><mass>7</mass></chassis>')))
    attribute = load(VEHICLE.format(DIFFERENTIAL.format('<chassis mass="7"/>')))
    assert child.vehicles[0].dynamics.chassis.mass == 7
    assert child.vehicles == attribute.vehicles
    assert load('<block init_pose="1 2 0" static="true"/>').blocks[0].static


def test_part_keeps_the_defaults_of_its_owner(load: Load) -> None:
    dynamics = load(VEHICLE.format(
        '<dynamics class="ackermann"><chassis mass="900"/><rl_wheel mass="9"/></dynamics>'
    )).vehicles[0].dynamics
    default = AckermannSpec()
    assert isinstance(dynamics, AckermannSpec)
    assert (dynamics.chassis.mass, dynamics.chassis.zmax) == (900, default.chassis.zmax)
    assert dynamics.chassis.shape == default.chassis.shape
    assert (dynamics.rl_wheel.mass, dynamics.rl_wheel.pos) == (9, default.rl_wheel.pos)
    assert dynamics.rr_wheel == default.rr_wheel


def test_class_attribute_chooses_the_spec(load: Load) -> None:
    vehicle = load(VEHICLE.format("""
        <dynamics class="differential_4_wheels">
          <controller class="twist_pid"><KP>3</KP><W>90</W></controller>
        </dynamics>
        <sensor class="imu" name="i"><angular_velocity_std_noise>0.5</angular_velocity_std_noise>
        </sensor>
        <sensor class="laser"/>""")).vehicles[0]
    assert isinstance(vehicle.dynamics, Differential4Spec)
    controller = vehicle.dynamics.controller
    assert isinstance(controller, TwistPidController)
    assert (controller.KP, controller.W) == (3, math.pi / 2)
    imu, laser = vehicle.sensors
    assert isinstance(imu, ImuSpec)
    assert imu.angular_velocity_white_noise == 0.5
    assert isinstance(laser, LaserSpec)
    assert laser.name == 'laser1'


@pytest.mark.parametrize(('inside', 'pose'), [
    pytest.param('', Pose(z=0.05), id='default'),
    pytest.param('<pose>1 2 90</pose>', Pose(1, 2, 0.05, math.pi / 2), id='pose'),
    pytest.param('<pose_3d>1 2 3 0 90 0</pose_3d>', Pose(1, 2, 3, 0, math.pi / 2), id='pose_3d'),
    pytest.param('<pose>1 2 0</pose><height>.7</height>', Pose(1, 2, 0.7), id='height'),
])
def test_pose_of_a_laser(load: Load, inside: str, pose: Pose) -> None:
    world = load(f'<sensor class="laser" name="s">{inside}</sensor>')
    assert world.sensors[0].pose == pose


def test_camera_is_upright_and_forward(load: Load) -> None:
    camera = load('<sensor class="camera" name="s"/>').sensors[0]
    assert isinstance(camera, CameraSpec)
    assert camera.pose == Pose(0, 0, 0.5, -math.pi / 2, 0, -math.pi / 2)
    right, down, ahead = camera.pose.matrix[:3, :3].T
    np.testing.assert_allclose(ahead, (1, 0, 0), atol=1e-12)
    np.testing.assert_allclose(right, (0, -1, 0), atol=1e-12)
    np.testing.assert_allclose(down, (0, 0, -1), atol=1e-12)


def test_keyframes_and_waypoints(load: Load) -> None:
    world = load("""
        <block name="b"><init_pose3d>0 0 1 0 0 0</init_pose3d>
          <animation type="keyframes">
            <time_pose>0 1 2 90</time_pose>
            <time_pose3d>2 1 2 3 0 0 90</time_pose3d>
          </animation>
        </block>
        <actor><init_pose>0 0 0</init_pose>
          <path loop="false">
            <waypoint pause="2" animation="run">1 2 90</waypoint>
            <waypoint>1 2 3 0 0 0<pause>1</pause></waypoint>
          </path>
        </actor>""")
    animation = world.blocks[0].animation
    assert animation is not None
    assert animation.keys == (Keyframe(0, Pose(1, 2, 0, math.pi / 2)),
                              Keyframe(2, Pose(1, 2, 3, 0, 0, math.pi / 2)))
    path = world.actors[0].path
    assert path is not None
    assert [point.pose for point in path.waypoints] == [Pose(1, 2, 0, math.pi / 2), Pose(1, 2, 3)]
    assert (path.loop, path.waypoints[0].pause, path.waypoints[0].animation) == (False, 2, 'run')
    assert world.warnings == ()


def test_outline_becomes_convex_with_a_warning(load: Load) -> None:
    points = ''.join(f'<pt>{x} {y}</pt>' for x, y in (
        (0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)))
    world = load(f'<block><init_pose>0 0 0</init_pose><shape>{points}</shape></block>')
    assert world.blocks[0].shape == ((0, 0), (2, 0), (2, 1), (1, 2), (0, 2))
    assert [warning.message for warning in world.warnings] == [
        '<shape> is not convex: the convex hull is used']


@pytest.mark.parametrize(('content', 'line', 'message'), [
    pytest.param('\n<gravty>9</gravty>', 3, '<gravty> is not known in <mvsim_world> and is '
                 "ignored; did you mean 'gravity'?", id='top level'),
    pytest.param('<block static_="true">\n<init_pose>0 0 0</init_pose></block>', 2,
                 'attribute static_ is not known in <block name="block001"> and is ignored; '
                 "did you mean 'static'?", id='attribute'),
    pytest.param('<block><init_pose>0 0 0</init_pose>\n<I_MAX>1</I_MAX></block>', 3,
                 '<I_MAX> is not known in <block name="block001"> and is ignored; it belongs in '
                 '<controller>', id='elsewhere'),
    pytest.param('<block><init_pose>0 0 0</init_pose>\n<zyx>1</zyx></block>', 3,
                 '<zyx> is not known in <block name="block001"> and is ignored',
                 id='nothing near'),
    pytest.param('<block><init_pose>0 0 0</init_pose><name>b</name></block>', 2,
                 '<name> is not known in <block name="block001"> and is ignored; write it as an '
                 'attribute, name="..."',
                 id='name as a child'),
    pytest.param('<gui><fov_deg unit="deg">60</fov_deg></gui>', 2,
                 'attribute unit is not known in <fov_deg> and is ignored', id='in a value'),
    pytest.param('<gravity>9.81 m</gravity>', 2, "<gravity> is '9.81 m': 'm' after the number is "
                 'ignored', id='text after a number'),
    pytest.param('<gravity>9</gravity>\n<gravity>8</gravity>', 3,
                 '<gravity> is given twice: the one in line 2 is used', id='twice'),
])
def test_fault_is_a_warning_and_an_error_when_strict(
        load: Load, content: str, line: int, message: str) -> None:
    warnings = load(content).warnings
    assert [(warning.source.line, warning.message) for warning in warnings] == [(line, message)]
    with pytest.raises(WorldFileError) as error:
        load(content, strict=True)
    assert str(error.value) == str(warnings[0])


def test_tags_of_another_controller_are_no_fault(load: Load) -> None:
    content = VEHICLE.format(DIFFERENTIAL.format(
        '<controller class="twist_ideal"><KP>3</KP></controller>'))
    assert load(content, strict=True).warnings == ()


@pytest.mark.parametrize(('content', 'message'), [
    pytest.param('<vehicle name="r"><dynamics class="differential"/></vehicle>',
                 'lacks <init_pose>', id='missing tag'),
    pytest.param('<vehicle name="r"><init_poze>0 0 0</init_poze></vehicle>',
                 "test.world.xml:2; did you mean 'init_pose'?", id='missing tag, misspelt'),
    pytest.param('<vehicle name="r"><init_pose>0 0 0</init_pose></vehicle>',
                 'lacks <dynamics>', id='no dynamics'),
    pytest.param(VEHICLE.format('<dynamics class="diferential"/>'),
                 "did you mean 'differential'?", id='unknown class'),
    pytest.param('<element/>', 'there are elevation_map', id='no class'),
    pytest.param('<gravity>-1</gravity>', "<gravity> is '-1': it must be at least 0 m/s^2",
                 id='minimum'),
    pytest.param('<block mass="0"><init_pose>0 0 0</init_pose></block>',
                 "attribute mass of <block> is '0': it must be above 0 kg", id='above'),
    pytest.param('<sensor class="laser"><fov_degrees>361</fov_degrees></sensor>',
                 'it must be at most 360 deg', id='maximum of an angle'),
    pytest.param('<element class="horizontal_plane"><cull_face>front</cull_face></element>',
                 "possible are NONE, FRONT, BACK; did you mean 'FRONT'?", id='choice'),
    pytest.param('<block><init_pose>1 2</init_pose></block>', '3 numbers', id='short pose'),
    pytest.param('<block><init_pose>0 0 0</init_pose><shape><pt>0 0</pt><pt>1 1</pt></shape>'
                 '</block>', 'three or more <pt>', id='two points'),
    pytest.param('<block><init_pose>0 0 0</init_pose><shape><pt>0</pt></shape></block>',
                 "<pt> is '0'", id='half a point'),
    pytest.param('<walls><shape><pt>0 0</pt></shape></walls>', 'even number', id='odd walls'),
    pytest.param('<joint type="pin" body_a="a" anchor_a="0 0" anchor_b="0 0"/>',
                 'lacks <body_b>', id='missing attribute'),
    pytest.param('<joint type="pin" body_a="a" bodyb="b" anchor_a="0 0" anchor_b="0 0"/>',
                 'there is attribute bodyb at ', id='missing attribute, misspelt'),
])
def test_error_names_line_and_rule(load: Load, content: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=r'test\.world\.xml:2: ') as error:
        load(content)
    assert message in str(error.value)
