# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Transforms are the same with the broadcasters of tf2_ros and without them."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
from ros_client import Client, Simulator, stamp_ns, WORLDS
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
# of the parts that the node uses, with the names of tf2_ros: for machines without that package
RECORDER = """
class TransformBroadcaster:
    TOPIC = '/tf'
    def __init__(self, node):
        self._publisher = node.create_publisher(None, self.TOPIC, 100)
    def sendTransform(self, transforms):
        from tf2_msgs.msg import TFMessage
        self._publisher.publish(TFMessage(transforms=transforms))
class StaticTransformBroadcaster(TransformBroadcaster):
    TOPIC = '/tf_static'
"""
WITHOUT = "raise ImportError('tf2_ros is blocked')"


def heard(domain: int, folder: Path, code: str | None, patch: pytest.MonkeyPatch,
          ) -> dict[str, list[Any]]:
    """Return the first messages of two robots, with another tf2_ros unless `code` is None."""
    if code is not None:
        folder.mkdir()
        (folder / 'tf2_ros.py').write_text(code)
        patch.setenv('PYTHONPATH', str(folder), prepend=':')
    client, messages = Client(domain), {}
    moving = [f'/{name}/tf' for name in ('r1', 'r2')]
    for topic in moving:
        client.listen(TFMessage, topic)
        client.listen(TFMessage, f'{topic}_static', LATCHED)
    with Simulator(domain, f'world:={WORLDS}/pair.world.xml', 'publish_map_odom:=true',
                   'start_paused:=true', 'steps_per_request:=12') as client.simulator:
        for topic in client.heard:  # those who come late have it from a reset
            client.wait(topic, lambda topic=topic: client.heard[topic],
                        lambda: client.call(Trigger, '/mvsim/reset', Trigger.Request()))
        for name in ('reset', 'step'):
            client.call(Trigger, f'/mvsim/{name}', Trigger.Request())

        def since_the_reset(topic: str) -> list[Any]:
            heard = client.heard[topic]
            starts = [i for i, each in enumerate(heard)
                      if stamp_ns(each.transforms[0].header) == 1]
            # a pause repeats the state
            return list({stamp_ns(each.transforms[0].header): each
                         for each in heard[starts[-1]:]}.values()) if starts else []

        for topic in moving:
            messages[topic] = client.wait(
                topic, lambda topic=topic: len(since_the_reset(topic)) == 5
                and since_the_reset(topic))
            messages[f'{topic}_static'] = client.heard[f'{topic}_static'][-1:]
    client.close()
    return messages


def test_messages_are_equal_with_and_without_tf2_ros(
        domain: int, tmp_path: Path) -> None:
    """
    Transforms are the same messages with and without tf2_ros.

    :reference: broadcasters of tf2_ros, or publishers like theirs where it is not installed
    """
    sent = []
    for number, code in enumerate(
            (None if find_spec('tf2_ros') else RECORDER, WITHOUT)):
        with pytest.MonkeyPatch.context() as patch:
            sent.append(heard(domain, tmp_path / f'{number}', code, patch))
    assert sent[0] == sent[1]
    first = sent[0]['/r1/tf'][0].transforms
    assert {each.child_frame_id for each in first} == {'odom', 'base_footprint'}
    assert {stamp_ns(each.header) for each in first} == {1}
