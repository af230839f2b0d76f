# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Markers that a client publishes, seen by a camera of the real node."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
import sys
from typing import Any

from generated_types import provide
from geometry_msgs.msg import Point
import numpy as np
import pytest
from ros_client import Client, running, stamp_ns
from sensor_msgs.msg import Image
from standard_services import asking, NOT_FOUND, OK
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from mvsim_ros2.ros.messages.marker_shapes import object_of

WORLD = """<mvsim_world version="1.0"><element class="horizontal_plane"/>
  <sensor class="camera" name="eye"><pose_3d>0 0 1 -90 0 -90</pose_3d><ncols>32</ncols>
    <nrows>24</nrows><cx>15.5</cx><cy>11.5</cy><fx>20</fx><fy>20</fy><renderer>cpu</renderer>
    <labels>true</labels><sensor_period>0.02</sensor_period></sensor>
</mvsim_world>"""
MARKER = 10  # number of the class in the label images


@pytest.fixture(scope='module')
def started(domain: int, patch: pytest.MonkeyPatch,
            tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Provide a client of a node that starts paused, which hears the labels of a camera."""
    provide('simulation_interfaces', patch)
    world: Path = tmp_path_factory.mktemp('worlds') / 'eye.world.xml'
    world.write_text(WORLD)
    with running(domain, f'world:={world}', 'start_paused:=true', 'realtime_factor:=0.0',
                 'steps_per_request:=20') as each:
        each.listen(Image, '/eye/labels')
        yield each


@pytest.fixture
def client(started: Client) -> Client:
    """Provide the client, with no marker left from another test."""
    show(started, '/runtime_objects', Marker(action=Marker.DELETEALL))
    wait_for(started, lambda count: count == 0)
    return started


def marker(kind: int = Marker.CUBE, number: int = 1, frame: str = 'map', **fields: Any) -> Marker:
    each = Marker(type=kind, id=number, ns='marks', color=ColorRGBA(r=1.0, a=1.0), **fields)
    each.header.frame_id = frame
    each.pose.position.x, each.pose.position.z = 3.0, 1.0
    each.scale.x = each.scale.y = each.scale.z = 1.0
    return each


def seen(client: Client) -> int:
    """Return how many pixels of an image of a later time than it is show markers."""
    client.catch_up()  # those of before a reset are of later times, too
    images, now = client.heard['/eye/labels'], client.paused_ns()
    images.clear()

    def is_there() -> bool:
        there = bool(images) and stamp_ns(images[-1].header) > now
        if not there:
            assert client.trigger('step').success
        return there

    client.wait('an image', is_there)
    return int((np.frombuffer(images[-1].data, np.uint16) == MARKER).sum())


def show(client: Client, topic: str, *markers: Marker) -> None:
    client.publisher(MarkerArray, topic).publish(MarkerArray(markers=list(markers)))


def wait_for(client: Client, condition: Any) -> None:
    client.wait('the marker', lambda: condition(seen(client)))


def test_markers_come_move_and_go(client: Client) -> None:
    assert seen(client) == 0
    show(client, '/runtime_objects', marker())
    wait_for(client, lambda count: 40 < count < 70)  # a metre at 2.5 m: 8 pixels squared
    show(client, '/runtime_objects', marker(number=2), marker(Marker.SPHERE))
    wait_for(client, lambda count: count > 40)
    show(client, '/runtime_objects', marker(number=2, action=Marker.DELETE))
    wait_for(client, lambda count: 20 < count < 50)  # the round one is left
    show(client, '/runtime_objects', Marker(action=Marker.DELETEALL))
    wait_for(client, lambda count: count == 0)


@pytest.mark.parametrize('kind, points', [
    (Marker.CYLINDER, ()), (Marker.LINE_STRIP, ((0, -1, 0), (0, 1, 0), (0, 1, 1))),
    (Marker.LINE_LIST, ((0, -1, 0), (0, 1, 0))),
    (Marker.TRIANGLE_LIST, ((0, -1, -1), (0, 1, -1), (0, 1, 1)))])
def test_kinds_of_markers(client: Client, kind: int, points: tuple[Any, ...]) -> None:
    each = marker(kind, points=[Point(x=float(x), y=float(y), z=float(z)) for x, y, z in points])
    each.colors = [each.color for _ in points]
    show(client, '/runtime_objects', each)
    wait_for(client, lambda count: count > 10)
    show(client, '/runtime_objects', Marker(action=Marker.DELETEALL))
    wait_for(client, lambda count: count == 0)


def test_overlays_are_in_no_sensor_and_what_is_odd_is_said(client: Client) -> None:
    overlay, odd, elsewhere = marker(), marker(Marker.TEXT_VIEW_FACING), marker(frame='odom')
    broken = marker(number=4)
    broken.scale.x = float('nan')
    show(client, '/runtime_overlays', overlay)
    show(client, '/runtime_objects', odd, elsewhere, broken)
    for words in ('type 9 are not shown', "frame 'odom': markers must be in map", 'not finite'):
        client.wait(words, lambda words=words: words in client.simulator.errors)
    assert seen(client) == 0
    assert 'runtime_overlays' not in client.simulator.errors


def test_a_service_deletes_them(client: Client) -> None:
    ask = asking(client)
    show(client, '/runtime_objects', marker(), marker(number=2))
    wait_for(client, lambda count: count > 40)
    assert ask('DeleteEntity', entity='marks/1').result.result == OK
    assert seen(client) > 40
    assert ask('DeleteEntity', entity='marks/2').result.result == OK
    assert seen(client) == 0
    assert ask('DeleteEntity', entity='marks/2').result.result == NOT_FOUND


def test_a_reset_keeps_them(client: Client) -> None:
    show(client, '/runtime_objects', marker())
    wait_for(client, lambda count: count > 40)
    assert client.trigger('reset').success
    assert seen(client) > 40


def test_a_marker_is_converted_in_few_calls() -> None:
    """So that thousands of them are there in a moment: a sphere is not made anew for each."""
    ball, calls = marker(Marker.SPHERE), Counter[str]()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        shown = object_of(ball, 'ball')
    finally:
        sys.setprofile(None)
    assert calls.total() < 400, calls  # returns count as well
    assert np.abs(shown.corners).max() == 0.5
