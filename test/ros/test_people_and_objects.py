# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""People, and objects in sight of a camera, from the real node to a real client and in a bag."""

from collections.abc import Iterator
import importlib
from pathlib import Path
from typing import Any

from generated_types import provide
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, running
from rosbags.highlevel import AnyReader

from mvsim_ros2 import Simulation
from mvsim_ros2.recording.recorder import Recorder

WORLD = """<mvsim_world>
  <vehicle name="robot"> <init_pose>8 0 0</init_pose> <dynamics class="differential"/>
    <sensor class="camera" name="eye"> <pose_3d>0.8 0 0.5 -90 0 -90</pose_3d>
      <ncols>64</ncols> <nrows>48</nrows> <cx>32</cx> <cy>24</cy> <fx>60</fx> <fy>60</fy>
      <labels>true</labels> <boxes_3d>true</boxes_3d> <renderer>cpu</renderer> </sensor>
  </vehicle>
  <block name="crate"> <init_pose>11 0 0</init_pose> <zmax>1</zmax>
    <shape> <pt>-0.5 -0.5</pt> <pt>0.5 -0.5</pt> <pt>0.5 0.5</pt> <pt>-0.5 0.5</pt> </shape>
  </block>
  <actor name="anna"> <init_pose>0 0 90</init_pose> <model>social_force</model>
    <walking_speed>1.2</walking_speed> <path loop="false"> <waypoint>0 60 0</waypoint> </path>
  </actor>
  <actor name="ben"> <init_pose>-3 1 0</init_pose> </actor>
</mvsim_world>"""


@pytest.fixture(scope='module')
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a world in which anna walks to the north and ben stands, behind a camera."""
    path: Path = tmp_path_factory.mktemp('world') / 'two.world.xml'
    path.write_text(WORLD)
    return path


@pytest.fixture(scope='module')
def client(domain: int, world: Path, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    for package in ('people_msgs', 'vision_msgs'):
        provide(package, patch)
    with running(domain, f'world:={world}') as each:
        each.listen(Odometry, '/odom')
        each.fresh('/odom')
        yield each


def check(message: Any) -> None:
    """Check a message of the time when anna walks at full speed."""
    anna, ben = message.people
    assert message.header.frame_id == 'map' and (anna.name, ben.name) == ('anna', 'ben')
    assert anna.position.y > 1.0 and abs(anna.velocity.x) < 0.3
    assert anna.velocity.y == pytest.approx(1.2, abs=0.1)
    assert (ben.position.x, ben.position.y, ben.velocity.x) == pytest.approx((-3.0, 1.0, 0.0))
    assert anna.reliability == 1.0


def test_people_have_velocities(client: Client) -> None:
    from people_msgs.msg import People
    client.listen(People, '/people')
    client.wait('that anna has walked', lambda: (
        client.fresh('/people').people[0].position.y > 3.0))
    check(client.fresh('/people'))


def test_bags_have_people_and_boxes(world: Path, tmp_path: Path) -> None:
    with Recorder(Simulation.from_file(world), tmp_path / 'bag', topics=['/people*']) as recorder:
        recorder.run(4.0)
    with AnyReader([tmp_path / 'bag']) as reader:
        last = {connection.topic: reader.deserialize(raw, connection.msgtype)
                for connection, _, raw in reader.messages()
                if connection.topic.startswith('/people')}
    check(last['/people'])
    boxes = {each.id: each.bbox for each in last['/people/boxes'].detections}
    assert boxes.keys() == {'anna', 'ben'}
    assert boxes['anna'].size.z > 1.0 and boxes['anna'].center.position.z == pytest.approx(
        0.5 * boxes['anna'].size.z)


def heard(client: Client, kind: str, ending: str) -> Any:
    """Return the next message of a topic of the camera."""
    message_type = getattr(importlib.import_module('vision_msgs.msg'), kind)
    (topic,) = client.wait(f'a topic {ending}', lambda: [
        name for name, _ in client.node.get_topic_names_and_types() if name.endswith(ending)])
    client.listen(message_type, topic)
    return client.fresh(topic)


def test_detections_have_places_sizes_and_classes_by_name(client: Client) -> None:
    names = {each.class_id: each.class_name
             for each in heard(client, 'LabelInfo', '/label_info').class_map}
    message = heard(client, 'Detection3DArray', '/detections')
    (crate,) = [each for each in message.detections
                if names[int(each.results[0].hypothesis.class_id)] == 'block']
    assert crate.results[0].hypothesis.score == 1.0
    centre, size = crate.bbox.center.position, crate.bbox.size
    assert (centre.x, centre.y, centre.z) == pytest.approx((0.0, 0.0, 2.2), abs=1e-3)
    assert (size.x, size.y, size.z) == pytest.approx((1.0, 1.0, 1.0), abs=1e-3)
    assert message.header.frame_id == crate.header.frame_id != ''
    assert message.header.stamp == crate.header.stamp
