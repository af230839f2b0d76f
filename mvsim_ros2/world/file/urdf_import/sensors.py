# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sensors in the Gazebo tags of a robot as `<sensor>` of a world file.

Each is mounted at the pose of its link. Measurements are in the frame that the description names,
if this is a link at the pose of the sensor. Otherwise the sensor has its own frame.
"""

from collections import Counter
from collections.abc import Iterator
import re

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    all_in, element, Findings, pose_text, sdf_pose, text_of, value, written)
from mvsim_ros2.world.file.urdf_import.robot import Robot
from mvsim_ros2.world.file.urdf_import.sensor_kinds import kind_of, Mounted
from mvsim_ros2.world.file.urdf_import.visuals import visual_nodes

USUAL_RATE = 10.0  # Hz; default
_OPTICAL = Pose(yaw=-0.5 * np.pi, roll=-0.5 * np.pi).matrix  # optical frame in the camera body
_NEAR = 2e-3  # m, and rad: many descriptions write 1.57 for a quarter turn
_LOOKING = ('laser', 'lidar3d', 'camera', 'rgbd_camera', 'sonar', 'infrared')
_FRAME_TAGS = ('gz_frame_id', 'ignition_frame_id', 'frame_id', 'frame_name', 'frameName')
_PLUGIN = re.compile('ros_(imu|gps)[.]so')  # of Gazebo classic, sensors without a <sensor>
_ENDINGS = ('/image', '/image_raw', '/image_color')  # of camera topics


def sensor_nodes(robot: Robot, ground: float, heaviest: str,
                 findings: Findings) -> tuple[list[Node], set[str]]:
    """
    Return the sensors of a robot, and the links whose visuals they have.

    :param ground: height of the ground in the frame of the root [m].
    """
    nodes: list[Node] = []
    housings: set[str] = set()
    names: Counter[str] = Counter()
    topics: set[str] = set()
    for link, sensor in (*_sensors(robot, findings), *_of_plugins(robot, findings)):
        mounted = kind_of(sensor, findings)
        if mounted is None:
            continue
        name = _name(sensor, link, mounted, robot, names)
        in_root = robot.poses[link] @ sdf_pose(sensor) @ mounted.offset
        is_housed = (mounted.kind in _LOOKING and link not in housings
                     and link not in (robot.root, heaviest))
        nodes.append(_node(robot, name, link, sensor, mounted, in_root, ground, is_housed,
                           topics, findings))
        if is_housed:
            housings.add(link)
    return nodes, housings


def _sensors(robot: Robot, findings: Findings) -> Iterator[tuple[str, Node]]:
    """Yield each `<sensor>` with its link."""
    for node in robot.extensions:
        sensors = list(all_in(node.children, 'sensor')) if node.tag == 'gazebo' else []
        link = node.attributes.get('reference', robot.root).strip()
        for sensor in sensors:
            if link in robot.links:
                yield link, sensor
            elif link in robot.joints:
                yield robot.joints[link].child, sensor
            else:
                findings.lost(node.source, f'<gazebo reference="{link}"> names no link, so its '
                              'sensors have no pose: correct the name')


def _of_plugins(robot: Robot, findings: Findings) -> Iterator[tuple[str, Node]]:
    """Yield as a `<sensor>` each plugin of Gazebo classic that is one, with its link."""
    for node in robot.extensions:
        for plugin in all_in(node.children, 'plugin') if node.tag == 'gazebo' else ():
            kind = _PLUGIN.search(plugin.attributes.get('filename', ''))
            link, source = text_of(plugin, 'bodyName'), plugin.source
            if kind and link not in robot.links:
                findings.lost(source, f'<bodyName> of the plugin is {link!r}, which is no link')
            elif kind:
                noise = [element(tag, source, children=[element('stddev', source, words[0])])
                         for tag in ('accel', 'rate')
                         if (words := text_of(plugin, f'{tag}GaussianNoise').split())]
                yield link, element('sensor', source, children=[
                    element('update_rate', source, text_of(plugin, 'updateRate')),
                    element('topic', source, text_of(plugin, 'topicName')),
                    element('imu', source, children=[element('noise', source, children=noise)])],
                    attributes={'type': kind[1], 'name': f'{kind[1]}_{link}'})


def _name(sensor: Node, link: str, mounted: Mounted, robot: Robot, names: Counter[str]) -> str:
    """Return a name different from those of other sensors and of links with other poses."""
    name = re.sub('[^A-Za-z0-9_]', '_', sensor.attributes.get('name', '') or mounted.kind)
    if name != link and name in robot.links:
        name = f'{name}_sensor'
    if name == link and not np.allclose(sdf_pose(sensor) @ mounted.offset, np.eye(4)):
        name = f'{name}_sensor'
    names[name] += 1
    return name if names[name] == 1 else f'{name}_{names[name]}'


def _node(robot: Robot, name: str, link: str, sensor: Node, mounted: Mounted, in_root: Array,
          ground: float, is_housed: bool, topics: set[str], findings: Findings) -> Node:
    pose = in_root @ _OPTICAL if mounted.kind == 'camera' else in_root
    to_body = Pose(z=-ground).matrix
    children = [element('pose_3d', sensor.source, pose_text(to_body @ pose)),
                element('sensor_period', sensor.source, written(1.0 / _rate(sensor, findings)))]
    frame = _frame(robot, link, sensor, mounted, in_root, findings)
    if frame and frame != name:
        children.append(element('frame_id', sensor.source, frame))
    topic = _topic(sensor)
    if topic in topics:
        findings.lost(sensor.source, f'the topic {topic!r} is that of another sensor: its name, '
                      f'{name}, is used; give it a topic of its own')
    elif topic:
        children.append(element('topic', sensor.source, topic))
        topics.add(topic)
    children += [element(tag, sensor.source, text) for tag, text in mounted.values.items()]
    if is_housed:
        children += visual_nodes(robot, [link], Pose.from_matrix(pose).inverse().matrix)
    return element('sensor', sensor.source, children=children,
                   attributes={'name': name, 'class': mounted.kind})


def _rate(sensor: Node, findings: Findings) -> float:
    rate = value(sensor, 'update_rate', default=0.0)
    if rate > 0.0:
        return rate
    findings.assumed(sensor.source, f'the sensor has no <update_rate> above 0: it measures at '
                     f'{USUAL_RATE:g} Hz')
    return USUAL_RATE


def _plugins(sensor: Node) -> Iterator[Node]:
    yield sensor
    yield from (node for node in sensor.children if node.tag == 'plugin')


def _frame(robot: Robot, link: str, sensor: Node, mounted: Mounted, in_root: Array,
           findings: Findings) -> str:
    """Return the link of the measurements, '' where the sensor has its own frame."""
    wanted = next((text for node in _plugins(sensor) for tag in _FRAME_TAGS
                   if (text := text_of(node, tag))), '')
    optical = mounted.kind in ('camera', 'rgbd_camera')
    place = in_root @ _OPTICAL if optical else in_root
    for name in (wanted, '' if optical else link):
        if name in robot.links and np.allclose(robot.poses[name], place, atol=_NEAR):
            return name
    if wanted and wanted != link:
        why = 'is no link'
        if wanted in robot.links:
            there = np.linalg.inv(place) @ robot.poses[wanted]
            apart = float(np.linalg.norm(there[:3, 3]))
            turned = np.degrees(np.arccos(np.clip(0.5 * (np.trace(there[:3, :3]) - 1), -1, 1)))
            why = (f'is {apart:.3g} m away from ' if apart > _NEAR else
                   f'is turned by {turned:.3g} degrees from ') + (
                'the optical frame of the camera (z ahead, x to the right)' if optical
                else 'the sensor')
        findings.assumed(sensor.source, f'the frame {wanted!r} {why}: the measurements are in a '
                         'frame named after the sensor, which is published')
    return ''


def _topic(sensor: Node) -> str:
    """Return the topic of the description, relative and valid in ROS; '' for none."""
    topic = ''
    for node in _plugins(sensor):
        remapping = (child.text.partition(':=') for child in all_in(node.children, 'remapping'))
        topic = topic or next((new.strip() for old, _, new in remapping if '~/out' in old
                               or 'image_raw' in old), '')
        topic = topic or next((text for tag in ('topic', 'topicName', 'camera_name')
                               if (text := text_of(node, tag)) and '__default' not in text), '')
    for ending in _ENDINGS:
        topic = topic.removesuffix(ending)
    parts = [re.sub('[^A-Za-z0-9_]', '_', part) for part in topic.split('/') if part]
    return '/'.join(f'n{part}' if part[0].isdigit() else part for part in parts)
