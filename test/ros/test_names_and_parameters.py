# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names on the graph, and parameters, without ROS."""

from dataclasses import fields
import os
from pathlib import Path
import subprocess
import sys
from typing import Any

import pytest

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.names import graph_name, Namespaces, sensor_topics
from mvsim_ros2.ros.messages.settings import fault, ParameterError, Settings
from mvsim_ros2.ros.parameters import world_variables
from mvsim_ros2.ros.rclpy_runtime import PROFILES, use_fast_dds_profile
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec
from mvsim_ros2.world.spec.sensors.navigation import ImuSpec


@pytest.mark.parametrize('name, expected', [
    pytest.param('r1', 'r1', id='as it is'), pytest.param('robot 1', 'robot_1', id='blank'),
    pytest.param('velodyne-vlp16', 'velodyne_vlp16', id='dash'),
    pytest.param('3rd', 'n3rd', id='digit')])
def test_graph_name(name: str, expected: str) -> None:
    assert graph_name(name) == expected


FRONT, REAR = LaserSpec(name='front'), LaserSpec(name='rear')


@pytest.mark.parametrize('mounted, standing, expected', [
    pytest.param([FRONT, ImuSpec(name='box')], [], ['scan', 'imu'], id='one each'),
    pytest.param([FRONT, REAR], [], ['front', 'rear'], id='two'),
    pytest.param([FRONT], [REAR], ['scan', 'rear'], id='one in the world'),
    pytest.param([], [], [], id='none')])
def test_sensor_topics(mounted: list[Any], standing: list[Any], expected: list[str]) -> None:
    assert sensor_topics(mounted, standing) == expected


@pytest.mark.parametrize('names', [
    pytest.param(('a-1', 'a_1'), id='same after cleaning'),
    pytest.param(('odom', 'b'), id='taken')])
def test_topics_with_two_publishers_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(MvsimError, match='give the sensor another name'):
        sensor_topics([LaserSpec(name=name) for name in names])


def test_vehicles_with_the_same_namespace_are_refused() -> None:
    with pytest.raises(MvsimError, match="namespace 'r_1'"):
        Namespaces(Settings(), ['r 1', 'r-1'])


def test_the_frame_of_the_world_has_the_name_that_is_asked_for() -> None:
    names = Namespaces(Settings(map_frame='earth', frame_prefix=True), ['r1', 'r2'])
    assert (names.frames('r1').world, names.frames('r1').truth) == ('earth', 'earth')
    assert names.frames('').base == 'earth'  # what stands in the world
    assert names.frames('r1').odom == 'r1/odom'


@pytest.mark.parametrize('settings, vehicles, topics, tf, base', [
    pytest.param(Settings(), ['r1'], '', '', 'base_link', id='one'),
    pytest.param(Settings(force_vehicle_namespace=True), ['r1'], 'r1/', 'r1/', 'base_link',
                 id='one, forced'),
    pytest.param(Settings(), ['r1', 'r2'], 'r1/', 'r1/', 'base_link', id='two'),
    pytest.param(Settings(frame_prefix=True), ['r1', 'r2'], 'r1/', '', 'r1/base_link',
                 id='two, prefixed')])
def test_namespaces(settings: Settings, vehicles: list[str], topics: str, tf: str,
                    base: str) -> None:
    names = Namespaces(settings, vehicles)
    assert (names.topics('r1'), names.tf('r1'), names.frames('r1').base) == (topics, tf, base)
    assert names.frames('r1').world == 'map'
    assert (names.topics(''), names.frames('').base) == ('', 'map')


@pytest.mark.parametrize('name, value, said', [
    pytest.param('realtime_factor', 0.0, '', id='edge'),
    pytest.param('realtime_factor', float('nan'), 'between 0.0 and 1000.0', id='no number'),
    pytest.param('realtime_factor', '1', 'of type double', id='text'),
    pytest.param('seed', -1, 'between 0 and 9223372036854775807', id='negative'),
    pytest.param('viewer', 'perhaps', 'should be true, false or a port', id='no port'),
    pytest.param('viewer', '70000', 'should be true, false or a port', id='large port'),
    pytest.param('viewer', '8123', '', id='port'),
    pytest.param('odom_frame', '', 'cannot be empty', id='frame without a name'),
    pytest.param('footprint_frame', '', '', id='no footprint'),
    pytest.param('base_frame', '/base', 'not start with a slash', id='frame with a slash'),
    pytest.param('strict', 1, 'of type bool', id='number for bool'),
    pytest.param('variables', [1], 'of type string_array: put each into quotes', id='list'),
    pytest.param('variables', ['a=1'], '', id='list of texts'),
    pytest.param('cmd_vel_type', 'both', "one of 'auto'", id='choice')])
def test_fault(name: str, value: Any, said: str) -> None:
    assert said in fault(name, value) and bool(said) == bool(fault(name, value))


def test_frames_of_the_same_name_are_refused() -> None:
    with pytest.raises(ParameterError, match="odom_frame and base_frame: both are 'odom'"):
        Settings(base_frame='odom')


def test_defaults_have_no_fault() -> None:
    for item in fields(Settings):
        value = list(item.default) if isinstance(item.default, tuple) else item.default
        assert not fault(item.name, value), item.name


def test_every_parameter_is_documented_with_its_default(project: Path) -> None:
    page = (project / 'docs/ros-parameters.md').read_text()
    for item in fields(Settings):
        default = item.default
        if isinstance(default, bool):
            default = str(default).lower()
        elif isinstance(default, tuple):
            default = list(default)
        text = f'`{default}`' if default not in ('', ['']) else 'empty'
        assert f'| `{item.name}` | {text} |' in page, (item.name, text)


def test_a_profile_of_the_user_stays(
        monkeypatch: pytest.MonkeyPatch, project: Path, tmp_path: Path) -> None:
    first, other = PROFILES
    for variable in PROFILES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(first, 'mine.xml')
    use_fast_dds_profile()
    assert os.environ[first] == 'mine.xml' and other not in os.environ
    monkeypatch.delenv(first)
    for number, (variable, name) in enumerate(PROFILES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / ('libfastrtps.so', 'libfastdds.so')[number]).touch()
        monkeypatch.setenv('LD_LIBRARY_PATH', f'/nowhere:{folder}')
        use_fast_dds_profile()
        assert {each: os.environ.pop(each) for each in PROFILES if each in os.environ} == {
            variable: str(project / 'config' / name)}


def test_fast_dds_takes_the_profile() -> None:
    program = ('from mvsim_ros2.ros.rclpy_runtime import use_fast_dds_profile as use; use()\n'
               'import rclpy; from std_msgs.msg import Bool; rclpy.init()\n'
               'rclpy.create_node("a").create_publisher(Bool, "b", 1).publish(Bool())')
    run = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True,
                         check=True, env={k: v for k, v in os.environ.items()
                                          if k not in PROFILES})
    assert run.stdout + run.stderr == ''


def test_variables() -> None:
    assert world_variables(('', 'a=1', 'b=x=y')) == {'a': '1', 'b': 'x=y'}
    with pytest.raises(ParameterError, match='NAME=VALUE'):
        world_variables(('a',))
