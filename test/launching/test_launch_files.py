# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The launch files of this package alone: what they start, and what they refuse."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
import re
import signal
from typing import Any

import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
from ros_client import Client, TIMEOUT
import yaml

# one that also hears what was published before it came needs a publisher that keeps it
KEEPS = {'Transient Local': DurabilityPolicy.TRANSIENT_LOCAL}
TYPES = {'Camera': 'sensor_msgs/Image', 'Image': 'sensor_msgs/Image',
         'LaserScan': 'sensor_msgs/LaserScan', 'Map': 'nav_msgs/OccupancyGrid',
         'MarkerArray': 'visualization_msgs/MarkerArray', 'Odometry': 'nav_msgs/Odometry',
         'PointCloud2': 'sensor_msgs/PointCloud2', 'RobotModel': 'std_msgs/String'}
WITHOUT_TOPIC = {'Axes', 'Grid', 'Group', 'TF'}
OPTIONAL = {'map'}  # topics of worlds with an occupancy map only


def displays_of(tree: list[Any]) -> Iterator[Any]:
    """Yield the displays of an RViz set-up, those in groups too."""
    for each in tree:
        yield each
        yield from displays_of(each.get('Displays', []))


def frames_in(message: Any) -> set[str]:
    """Return the frames that a message names, those of a robot description too."""
    if hasattr(message, 'header'):
        return {message.header.frame_id}
    if hasattr(message, 'markers'):
        return {each.header.frame_id for each in message.markers}
    return set(re.findall('<link name="([^"]*)"', message.data))


@pytest.mark.parametrize('name, arguments, set_up', [
    pytest.param('mvsim', ('world:=occupancy_map',), 'mvsim', id='mvsim'),
    pytest.param('demo', (), 'mvsim', id='demo'),
    pytest.param('demo', ('world:=corridor',), 'mvsim', id='another world'),
    pytest.param('camera', (), 'camera', id='camera'),
    pytest.param('lidar3d', (), 'lidar3d', id='lidar3d'),
    pytest.param('outdoor', (), 'outdoor', id='outdoor'),
    pytest.param('two_robots', (), 'two_robots', id='two_robots'),
    pytest.param('many_robots', (), 'many_robots', id='many_robots')])
def test_rviz_finds_the_topic_and_the_frames_of_every_display(
        project: Path, domain: int, launch: Callable[..., Any], name: str,
        arguments: tuple[str, ...], set_up: str) -> None:
    view = yaml.safe_load((project / f'config/{set_up}.rviz').read_text())['Visualization Manager']
    client = Client(domain)
    client.simulator = launch(name, *arguments)
    fixed = view['Global Options']['Fixed Frame']
    transforms = import_module('tf2_msgs.msg').TFMessage
    client.listen(transforms, '/tf')
    client.listen(transforms, '/tf_static', QoSProfile(
        depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    topics = []
    for display in displays_of(view['Displays']):
        kind = display['Class'].partition('/')[2]
        if kind in WITHOUT_TOPIC:
            continue
        topic = display['Description Topic' if kind == 'RobotModel' else 'Topic']
        package, _, short = TYPES[kind].partition('/')
        message_type = getattr(import_module(f'{package}.msg'), short)
        client.listen(message_type, f'/{topic["Value"]}', QoSProfile(
            depth=5, durability=KEEPS.get(topic.get('Durability Policy'),
                                          DurabilityPolicy.VOLATILE)))
        if topic['Value'] not in OPTIONAL:
            topics.append(f'/{topic["Value"]}')
    assert len(topics) >= 2

    def known() -> set[str]:
        parents = {each.child_frame_id: each.header.frame_id for topic in ('/tf', '/tf_static')
                   for message in client.heard[topic] for each in message.transforms}
        found = {fixed}
        while more := {child for child, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    for topic in topics:
        message = client.wait(topic, lambda topic=topic: client.heard[topic])[-1]
        client.wait(f'the frames of {topic} below {fixed}',
                    lambda message=message: frames_in(message) <= known())
    assert ('RViz is left out' in client.simulator.errors) or 'rviz2' in client.simulator.errors
    client.close()
    assert client.simulator.end() == 0
    assert 'Traceback' not in client.simulator.errors


@pytest.mark.parametrize('name, argument, said', [
    pytest.param('demo', 'world:=nowhere', "world:=nowhere: there is no world 'nowhere'",
                 id='world'),
    pytest.param('demo', 'seed:=many', "seed:=many: 'many' should be of type integer", id='type'),
    pytest.param('demo', 'realtime_factor:=-1', 'realtime_factor:=-1: .*between', id='range'),
    pytest.param('demo', 'viewer:=abc', 'viewer:=abc: .*true, false or a port', id='viewer'),
    pytest.param('demo', 'worlld:=demo', 'worlld:=demo: .*did you mean world', id='typo'),
    pytest.param('demo', 'publish_map:=maybe', 'publish_map.*maybe.*not valid', id='choice'),
    pytest.param('demo', 'use_rviz:=often', 'use_rviz.*often.*not valid', id='switch'),
    pytest.param('demo', 'log_level:=loud', 'log_level:=loud: should be one of', id='log level'),
    pytest.param('demo', 'namespace:=1/a', 'namespace:=1/a: ', id='namespace'),
    pytest.param('demo', 'params_file:=/no/such', 'params_file:=/no/such: there is no such file',
                 id='parameters'),
    pytest.param('demo', 'rviz_config_file:=/no/such', 'rviz_config_file:=/no/such: there is no',
                 id='RViz'),
    pytest.param('slam', 'namespace:=r1', 'not installed: slam_toolbox', id='slam'),
    pytest.param('ekf', 'seed:=1', 'not installed: robot_localization', id='ekf'),
    pytest.param('nav2', 'headless:=true', 'not installed: nav2_bringup', id='nav2'),
    pytest.param('nav2_many', 'realtime_factor:=2', 'not installed: nav2_bringup', id='nav2_many'),
    pytest.param('record', 'bag:=out', 'not installed: ros2bag', id='record')])
def test_what_is_wrong_is_said_before_anything_starts(
        launch: Callable[..., Any], prefix: Path, name: str, argument: str, said: str,
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(prefix))  # without others that are installed
    refused = launch(name, argument)
    assert refused.process.wait(TIMEOUT) == 1
    assert re.search(said, refused.errors), refused.errors
    assert 'process started' not in refused.errors


def test_parameters_come_from_defaults_files_and_arguments_in_this_order(
        domain: int, launch: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / 'mine.yaml'
    file.write_text('/**: {ros__parameters: {odom_rate: 10.0, publish_map_odom: false}}\n'
                    '/a/b/mvsim: {ros__parameters: {seed: 5}}')
    client = Client(domain)
    client.simulator = launch('demo', f'params_file:={file}', 'seed:=7', 'namespace:=/a/b/',
                              'headless:=true', 'viewer:=false')
    srv = import_module('rcl_interfaces.srv')
    names = ['seed', 'odom_rate', 'publish_map_odom', 'clock_rate']
    answer = client.call(srv.GetParameters, '/a/b/mvsim/get_parameters',
                         srv.GetParameters.Request(names=names))
    seed, rate, exact, clock = answer.values
    assert (seed.integer_value, rate.double_value, exact.bool_value) == (7, 10.0, False)
    assert clock.double_value == 100.0
    client.close()


def test_a_launch_ends_with_its_simulator(launch: Callable[..., Any], tmp_path: Path) -> None:
    world = tmp_path / 'empty.world.xml'
    world.write_text('<nothing/>')
    failed = launch('demo', f'world:={world}')
    assert failed.process.wait(TIMEOUT) == 1
    assert 'mvsim_node: error:' in failed.errors
    assert 'the simulator has failed, with exit code 1' in failed.errors


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGKILL])
def test_the_simulator_ends_with_its_launch(
        launch: Callable[..., Any], domain: int, tmp_path: Path, number: int,
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TMPDIR', str(tmp_path))
    client = Client(domain)
    client.simulator = started = launch('demo', 'headless:=true')
    client.listen(import_module('rosgraph_msgs.msg').Clock, '/clock')
    client.fresh('/clock')
    (node,) = re.findall(
        r'mvsim_node-\d+\]: process started with pid \[(\d+)\]', started.errors)
    started.process.send_signal(number)
    started.process.wait(TIMEOUT)
    client.simulator = None
    client.wait('the end of the node', lambda: is_over(int(node)))
    client.close()
    if number == signal.SIGTERM:
        assert not list(tmp_path.iterdir())


def is_over(process: int) -> bool:
    """Return whether a process has ended, or waits for nobody but its parent to see its end."""
    try:
        return Path(f'/proc/{process}/stat').read_text().rpartition(')')[2].split()[0] == 'Z'
    except OSError:
        return True


def test_a_policy_in_a_namespace_drives_to_goals_in_the_map(
        project: Path, domain: int, launch: Callable[..., Any]) -> None:
    messages = import_module('geometry_msgs.msg')
    client = Client(domain)
    client.simulator = launch(
        'policy', f'policy:={project}/examples/learn/navigate.onnx', 'namespace:=rob',
        'headless:=true')
    client.listen(messages.Twist, '/rob/cmd_vel')
    goal = messages.PoseStamped()
    goal.header.frame_id = 'map'
    goal.pose.position.x = 3.0
    publisher = client.publisher(messages.PoseStamped, '/rob/goal_pose')
    publisher.publish(goal)
    client.wait('a command', lambda: any(
        each.linear.x > 0.0 for each in client.heard['/rob/cmd_vel']))
    client.close()
    assert client.simulator.end() == 0
    assert 'there is no transform' not in client.simulator.errors
