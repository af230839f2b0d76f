# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects in sight of a camera as vision_msgs, from the real node to a real client."""

from collections.abc import Iterator
import importlib
from pathlib import Path
from typing import Any

from generated_types import provide
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, running

WORLD = """<mvsim_world>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose> <dynamics class="differential"/>
    <sensor class="camera" name="eye"> <pose_3d>0.8 0 0.5 -90 0 -90</pose_3d>
      <ncols>64</ncols> <nrows>48</nrows> <cx>32</cx> <cy>24</cy> <fx>60</fx> <fy>60</fy>
      <labels>true</labels> <boxes_3d>true</boxes_3d> <renderer>cpu</renderer> </sensor>
  </vehicle>
  <block name="crate"> <init_pose>3 0 0</init_pose> <zmax>1</zmax>
    <shape> <pt>-0.5 -0.5</pt> <pt>0.5 -0.5</pt> <pt>0.5 0.5</pt> <pt>-0.5 0.5</pt> </shape>
  </block>
</mvsim_world>"""


@pytest.fixture(scope='module')
def client(domain: int, patch: pytest.MonkeyPatch,
           tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Provide a client of a node with a camera before a crate."""
    provide('vision_msgs', patch)
    world: Path = tmp_path_factory.mktemp('world') / 'crate.world.xml'
    world.write_text(WORLD)
    with running(domain, f'world:={world}') as each:
        each.listen(Odometry, '/odom')
        each.fresh('/odom')
        yield each


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
