# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""People on a topic of their own, from the real node to a real client, and in a bag."""

from collections.abc import Iterator
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
  <vehicle name="robot"> <init_pose>8 0 0</init_pose> <dynamics class="differential"/> </vehicle>
  <actor name="anna"> <init_pose>0 0 90</init_pose> <model>social_force</model>
    <walking_speed>1.2</walking_speed> <path loop="false"> <waypoint>0 60 0</waypoint> </path>
  </actor>
  <actor name="ben"> <init_pose>-3 1 0</init_pose> </actor>
</mvsim_world>"""


@pytest.fixture(scope='module')
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a world in which anna walks to the north and ben stands."""
    path: Path = tmp_path_factory.mktemp('world') / 'two.world.xml'
    path.write_text(WORLD)
    return path


@pytest.fixture(scope='module')
def client(domain: int, world: Path, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Provide a client of a node with the world."""
    provide('people_msgs', patch)
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
    with Recorder(Simulation.from_file(world), tmp_path / 'bag') as recorder:
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
