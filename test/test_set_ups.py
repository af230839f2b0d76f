# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The parameter files and RViz set-ups fit the simulator and its worlds."""

from collections.abc import Iterator
from dataclasses import fields
import math
from pathlib import Path
from typing import Any

import pytest
import yaml

from mvsim_ros2 import load_world
from mvsim_ros2.ros.messages.names import sensor_topics
from mvsim_ros2.ros.messages.settings import fault, Settings
from mvsim_ros2.world.spec.solids import vehicle_footprint


def test_the_parameter_file_holds_all_defaults(project: Path) -> None:
    text = (project / 'config/mvsim.yaml').read_text()
    values = yaml.safe_load(text)['/**']['ros__parameters']
    assert not any(fault(name, value) for name, value in values.items())
    defaults = {item.name: list(item.default) if isinstance(item.default, tuple) else item.default
                for item in fields(Settings) if item.name != 'world'}
    assert values == defaults


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
    assert [value for key, value in values.items() if key[-1] == 'map_topic'] == ['/map']
    lists = {key[-1]: value for key, value in values.items() if key[0] == 'velocity_smoother'}
    (speed,) = [value for key, value in values.items() if key[-1] == 'desired_linear_vel']
    assert speed <= lists['max_velocity'][0]


def test_slam_draws_free_space_as_far_as_the_lidar_of_the_demo(project: Path) -> None:
    values = yaml.safe_load((project / 'config/slam_toolbox.yaml').read_text())
    (robot,) = load_world(project / 'worlds/demo.world.xml').vehicles
    (reach,) = [each.max_range for each in robot.sensors if hasattr(each, 'max_range')]
    assert values['/**']['ros__parameters']['max_laser_range'] == reach
