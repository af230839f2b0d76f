# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The launch files: they name what is there; run for real where ROS 2 launch is installed."""

import ast
from collections.abc import Iterator
from dataclasses import fields
import importlib.util
import math
from pathlib import Path
import re
from typing import Any

import pytest
import yaml

from mvsim_ros2 import load_world
from mvsim_ros2.messages.names import sensor_topics
from mvsim_ros2.messages.sensor_channels import channels_of
from mvsim_ros2.messages.settings import fault
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.spec.shapes.body_outlines import vehicle_footprint

NAMES = ('camera', 'demo', 'ekf', 'lidar3d', 'many_robots', 'mvsim', 'nav2', 'outdoor', 'record',
         'slam', 'two_robots')
LAUNCH_FILES = [pytest.param(name, id=name) for name in NAMES]
EXPECTED = {
    'headless', 'log_level', 'map_height', 'namespace', 'params_file', 'publish_map',
    'publish_map_odom', 'publish_odom_tf', 'realtime_factor', 'rviz_config_file', 'seed',
    'use_respawn', 'use_rviz', 'use_sim_time', 'viewer', 'world',
}


def calls(path: Path, function: str) -> list[ast.Call]:
    """Return the calls of a function in a file."""
    return [node for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and getattr(node.func, 'id', '') == function]


def parameters(path: Path) -> set[str]:
    """Return the parameters of the simulator that a launch file takes as arguments."""
    (table,) = [node.value for node in ast.parse(path.read_text()).body
                if isinstance(node, ast.Assign) and node.targets[0].id == 'PARAMETERS']
    return {key.value for key in table.keys}


def strings(calls: list[ast.Call], position: int) -> set[str]:
    """Return the arguments at a position of calls, where they are strings."""
    return {call.args[position].value for call in calls
            if isinstance(call.args[position], ast.Constant)}


def test_there_is_no_other_launch_file(project: Path) -> None:
    files = {path.name.removesuffix('.launch.py') for path in (project / 'launch').iterdir()}
    assert files - {'__pycache__'} == set(NAMES)


@pytest.mark.parametrize('name', LAUNCH_FILES)
def test_arguments_that_are_used_are_declared(project: Path, name: str) -> None:
    path = project / f'launch/{name}.launch.py'
    used = strings(calls(path, 'LaunchConfiguration'), 0)
    assert used <= strings(calls(path, 'DeclareLaunchArgument'), 0)


@pytest.mark.parametrize('name', [
    pytest.param(name, id=name) for name in NAMES if name != 'mvsim'])
def test_what_is_passed_to_the_simulator_is_an_argument_of_it(project: Path, name: str) -> None:
    path = project / f'launch/{name}.launch.py'
    (include,) = [call for call in calls(path, 'IncludeLaunchDescription')
                  if 'mvsim.launch.py' in ast.unparse(call)]
    (passed,) = [word.value for word in include.keywords if word.arg == 'launch_arguments']
    names = {pair.elts[0].value for pair in passed.elts}
    assert 'world' in names
    assert names <= EXPECTED


def test_arguments_are_declared_and_used(project: Path) -> None:
    path = project / 'launch/mvsim.launch.py'
    declared = {ast.literal_eval(call.args[0]) for call in calls(path, 'DeclareLaunchArgument')}
    used = {call.args[0].value for call in calls(path, 'LaunchConfiguration')
            if isinstance(call.args[0], ast.Constant)}
    assert declared == used | parameters(path) == EXPECTED


@pytest.mark.parametrize('name', LAUNCH_FILES)
def test_files_that_they_name_exist(project: Path, name: str) -> None:
    path = project / f'launch/{name}.launch.py'
    joined = [[ast.literal_eval(part) for part in call.args[0].elts[1:]]
              for call in calls(path, 'PathJoinSubstitution')
              if 'share' in ast.unparse(call.args[0].elts[0])
              or "'mvsim_ros2'" in ast.unparse(call.args[0].elts[0])]
    assert joined
    for parts in joined:
        assert project.joinpath(*parts).is_file(), parts


def test_the_executable_is_installed(project: Path) -> None:
    launch = (project / 'launch/mvsim.launch.py').read_text()
    (executable,) = re.findall(r"package=PACKAGE, executable='(\w+)'", launch)
    assert f'{executable} = ' in (project / 'setup.py').read_text()


def test_parameters_that_they_set_exist(project: Path) -> None:
    named = parameters(project / 'launch/mvsim.launch.py')
    assert named <= {item.name for item in fields(Settings)}


def test_the_parameter_file_holds_all_defaults(project: Path) -> None:
    text = (project / 'config/mvsim.yaml').read_text()
    values = yaml.safe_load(text)['/**']['ros__parameters']
    assert not any(fault(name, value) for name, value in values.items())
    defaults = {item.name: list(item.default) if isinstance(item.default, tuple) else item.default
                for item in fields(Settings) if item.name != 'world'}
    assert values == defaults


@pytest.mark.parametrize('name, shown', [
    pytest.param('mvsim', {'TF', 'LaserScan', 'Map', 'World', 'Moving things'}, id='mvsim'),
    pytest.param('camera', {'TF', 'Camera', 'Depth', 'Depth points'}, id='camera'),
    pytest.param('lidar3d', {'TF', 'LiDAR'}, id='lidar3d'),
    pytest.param('outdoor', {'TF', 'LiDAR', 'Camera'}, id='outdoor')])
def test_rviz_set_up_is_yaml(project: Path, name: str, shown: set[str]) -> None:
    displays = yaml.safe_load((project / f'config/{name}.rviz').read_text())[
        'Visualization Manager']['Displays']
    assert {each['Name'] for each in displays} >= shown


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every value of a parameter file with the keys that lead to it."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def test_parameters_of_nav2_differ_in_the_type_of_commands_only(project: Path) -> None:
    jazzy, kilted = (dict(leaves(yaml.safe_load((project / f'config/nav2_{name}.yaml').read_text())
                                 )) for name in ('jazzy', 'kilted'))
    assert jazzy.keys() == kilted.keys()
    different = {key[-1] for key in jazzy if jazzy[key] != kilted[key]}
    assert different == {'enable_stamped_cmd_vel'}
    stamped = [key for key in jazzy if key[-1] == 'enable_stamped_cmd_vel']
    assert {key[0] for key in stamped} == {
        'behavior_server', 'collision_monitor', 'controller_server', 'docking_server',
        'velocity_smoother'}
    assert not any(jazzy[key] for key in stamped) and all(kilted[key] for key in stamped)


@pytest.mark.parametrize('distribution', [
    pytest.param('jazzy', id='jazzy'), pytest.param('kilted', id='kilted and later')])
def test_plugins_of_nav2_have_the_names_that_its_behaviour_trees_ask_for(
        project: Path, distribution: str) -> None:
    text = (project / f'config/nav2_{distribution}.yaml').read_text()
    values = {name: node['ros__parameters'] for name, node in yaml.safe_load(text).items()
              if 'ros__parameters' in node}
    controller = values['controller_server']
    # before Lyrical the trees ask for no checkers: then the only ones there are serve
    for plugins, asked in (('controller_plugins', 'FollowPath'),
                           ('progress_checker_plugins', 'progress_checker'),
                           ('goal_checker_plugins', 'general_goal_checker')):
        assert controller[plugins] == [asked]
        assert 'plugin' in controller[asked]
    assert values['planner_server']['planner_plugins'] == ['GridBased']


def test_zones_of_nav2_that_the_parameters_do_not_know_are_off(project: Path) -> None:
    (include,) = [call for call in calls(project / 'launch/nav2.launch.py',
                                         'IncludeLaunchDescription')
                  if 'bringup_launch.py' in ast.unparse(call)]
    passed = ast.unparse(include)
    for zones in ('use_keepout_zones', 'use_speed_zones'):
        assert f"('{zones}', 'False')" in passed


def test_parameters_of_nav2_fit_the_robot_and_its_frames(project: Path) -> None:
    values = dict(leaves(yaml.safe_load((project / 'config/nav2_jazzy.yaml').read_text())))
    (robot,) = load_world(project / 'worlds/occupancy_map.world.xml').vehicles
    reach = max(math.hypot(*corner) for corner in vehicle_footprint(robot).polygon)
    radii = [value for key, value in values.items() if key[-1] == 'robot_radius']
    assert len(radii) == 2 and all(reach < radius < 1.3 * reach for radius in radii)
    frames = {value for key, value in values.items() if key[-1].endswith(('frame', 'frame_id'))}
    settings = Settings(world='')
    assert frames == {settings.map_frame, settings.odom_frame, settings.base_frame,
                      settings.footprint_frame}
    topics = {value for key, value in values.items()
              if key[-1] in ('topic', 'scan_topic', 'odom_topic', 'cmd_vel_out_topic')}
    assert topics == {*sensor_topics(robot.sensors), 'odom', 'cmd_vel'} - {'imu'}
    lists = {key[-1]: value for key, value in values.items() if key[0] == 'velocity_smoother'}
    (speed,) = [value for key, value in values.items() if key[-1] == 'desired_linear_vel']
    assert speed <= lists['max_velocity'][0]


def test_what_the_launch_file_writes_into_the_parameters_of_nav2_is_there(project: Path) -> None:
    (call,) = calls(project / 'launch/nav2.launch.py', 'RewrittenYaml')
    (rewrites,) = [word.value for word in call.keywords if word.arg == 'param_rewrites']
    values = dict(leaves(yaml.safe_load((project / 'config/nav2_jazzy.yaml').read_text())))
    for name in rewrites.keys:
        assert [key[0] for key in values if key[-1] == name.value] == [
            'local_costmap', 'global_costmap']


@pytest.mark.parametrize('name', ['camera', 'lidar3d', 'outdoor'])
def test_rviz_shows_topics_that_the_world_has(project: Path, name: str) -> None:
    displays = yaml.safe_load((project / f'config/{name}.rviz').read_text())[
        'Visualization Manager']['Displays']
    (vehicle,) = load_world(project / f'worlds/{name}.world.xml').vehicles
    topics = {topic + channel.ending for sensor, topic in zip(
        vehicle.sensors, sensor_topics(vehicle.sensors), strict=True)
        for channel in channels_of(sensor)}
    shown = {each['Topic']['Value'] for each in displays if 'Topic' in each} - {'odom'}
    assert shown and shown <= topics


@pytest.mark.parametrize('name', LAUNCH_FILES)
def test_descriptions_are_generated(project: Path, name: str) -> None:
    pytest.importorskip('launch_ros', reason='ROS 2 launch is not installed')
    spec = importlib.util.spec_from_file_location(name, project / f'launch/{name}.launch.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.generate_launch_description().entities
