# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The command `mvsim_create`: robots from a topic, a file and a text."""

from collections.abc import Iterator
import os
from pathlib import Path
import subprocess
import sys

import pytest
from ros_client import Client, LATCHED
from standard_services import asking, standing
from std_msgs.msg import String

URDF = Path(__file__).resolve().parents[2] / 'worlds/descriptions/skid_robot.urdf'
PROGRAM = 'from mvsim_ros2.ros.tools.entry_points import mvsim_create as f; raise SystemExit(f())'


@pytest.fixture(scope='module')
def client(domain: int, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Provide a client of a paused node, which keeps a robot description for late ones."""
    with standing(domain, patch) as each:
        publisher = each.node.create_publisher(String, '/robot_description', LATCHED)
        publisher.publish(String(data=URDF.read_text()))
        yield each


def create(client: Client, domain: int, *words: str) -> tuple[int, str]:
    """Run the command; return its exit code and what it says."""
    done = subprocess.Popen(
        [sys.executable, '-c', PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})
    client.wait('its end', lambda: done.poll() is not None)
    out, errors = done.communicate()
    return done.returncode, (out or errors).strip()


@pytest.mark.parametrize('words, name', [
    pytest.param(('-topic', 'robot_description'), 'from_topic', id='topic'),
    pytest.param(('-file', str(URDF)), 'from_file', id='file'),
    pytest.param(('-string', URDF.read_text()), 'from_string', id='string')])
def test_a_robot_is_spawned_where_it_shall_be(
        client: Client, domain: int, words: tuple[str, ...], name: str) -> None:
    said = create(client, domain, *words, '-name', name, '-x', '-1.5', '-Y', '1.0')
    assert said == (0, name)
    state = asking(client)('GetEntityState', entity=name).state
    assert state.pose.position.x == pytest.approx(-1.5)
    assert state.pose.orientation.z == pytest.approx(0.4794255)
    assert asking(client)('DeleteEntity', entity=name).result.result == 1


@pytest.mark.parametrize('words, said', [
    pytest.param(('-topic', 'nobody', '-wait', '1'), 'no robot description on /nobody',
                 id='nobody publishes'),
    pytest.param(('-string', '<robot'), 'result 106', id='no XML'),
    pytest.param(('-file', 'none.urdf'), 'no such file', id='no file')])
def test_what_is_wrong_is_one_line(
        client: Client, domain: int, words: tuple[str, ...], said: str) -> None:
    code, line = create(client, domain, *words)
    assert code == 1 and said in line and '\n' not in line
