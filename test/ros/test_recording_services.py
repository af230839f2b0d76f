# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags, films, states and seeds through the services of the real node."""

from collections.abc import Iterator
import json
from pathlib import Path

import pytest
from ros_client import Client, running, told_ns, WALL
from std_srvs.srv import Trigger


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp('recorded')


@pytest.fixture(scope='module')
def client(domain: int, folder: Path) -> Iterator[Client]:
    with running(domain, WALL, 'start_paused:=true',
                 "variables:=['controller=twist_pid', 'v=0.5', 'w=20']", 'odom_rate:=200.0',
                 'realtime_factor:=0.0', 'steps_per_request:=20', 'film_seconds:=0.1',
                 f'record_folder:={folder}') as client:
        yield client


def test_bag_holds_the_steps_between(client: Client, folder: Path) -> None:
    begin = client.paused_ns()
    answer = client.trigger('start_bag')
    assert answer.success and answer.message == str(folder / 'bag_1')
    refused = client.trigger('start_bag')
    assert not refused.success and 'stop that bag first' in refused.message
    assert client.trigger('step').success
    assert client.trigger('stop_bag').message == str(folder / 'bag_1')
    run = json.loads((folder / 'bag_1' / 'run.json').read_text())
    assert (run['start_ns'], run['end_ns']) == (begin, client.paused_ns()) and run['complete']
    # without subscribers too: all sensors are recorded
    assert run['topics']['/odom']['messages'] > 1
    assert not client.trigger('stop_bag').success


def test_film_is_made(client: Client, folder: Path) -> None:
    pytest.importorskip('av', reason='no PyAV: pip install av')
    answer = client.trigger('film')
    assert answer.success and answer.message == str(folder / 'film_1.mp4')
    assert client.trigger('step').success
    film = folder / 'film_1.mp4'
    client.wait('the file', lambda: film.is_file() and b'moov' in film.read_bytes())


def test_film_that_a_signal_ends_is_told(domain: int, tmp_path: Path) -> None:
    pytest.importorskip('av', reason='no PyAV: pip install av')
    with running(domain, WALL, f'record_folder:={tmp_path}',
                 ros_args=('-r', '__ns:=/filmed', '-r', '/clock:=/filmed/clock'),
                 ) as client:
        film = client.call(Trigger, '/filmed/mvsim/film', Trigger.Request()).message
        assert client.simulator.end() == 0
        assert film == str(tmp_path / 'film_1.mp4')
        (line,) = [line for line in client.simulator.errors.splitlines() if film in line]
        assert 'the simulation ended' in line


def test_saved_state_is_restored(client: Client) -> None:
    saved = client.trigger('save')
    assert saved.success
    assert client.trigger('step').success and client.paused_ns() > told_ns(saved.message)
    restored = client.trigger('restore')
    assert restored.success and restored.message == saved.message
    assert client.paused_ns() == told_ns(saved.message)
    assert client.trigger('step').success and client.paused_ns() > told_ns(saved.message)


def test_seed_holds_from_the_next_reset_on(client: Client) -> None:
    assert not client.put(seed=7)
    assert client.trigger('reset').success
