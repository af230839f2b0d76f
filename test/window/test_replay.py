# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recorded runs: read, played, shown as ghosts, written as a page."""

import re
import threading

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.errors import WindowError
from mvsim_ros2.recording.csv_log import CsvLog
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.window.replay.bag import read_bag
from mvsim_ros2.window.replay.logs import read_logs
from mvsim_ros2.window.replay.playback import Playback
from mvsim_ros2.window.replay.recorded import rolled, Track
from mvsim_ros2.window.view import replay

SECONDS = 1.5


def driven(project, world):
    """Return a simulation whose vehicles drive in a circle."""
    simulation = Simulation.from_file(project / 'worlds' / f'{world}.world.xml')
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(0.5, 0.4)
    return simulation


@pytest.fixture(scope='module')
def logs(project, tmp_path_factory):
    """Return a folder of logs of two robots, and the simulation at their end."""
    folder = tmp_path_factory.mktemp('logs')
    simulation = driven(project, 'two_robots')
    with CsvLog(simulation, folder, list(simulation.vehicles), 50.0) as log:
        log.run(SECONDS)
    return folder, simulation


@pytest.fixture(scope='module')
def bag(project, tmp_path_factory):
    """Return a bag of a robot with a LiDAR, and the simulation at its end."""
    folder = tmp_path_factory.mktemp('bags') / 'bag'
    simulation = driven(project, 'demo')
    with Recorder(simulation, folder) as recorder:
        recorder.run(SECONDS)
    return folder, simulation


def test_logs_give_back_poses_and_wheels(logs):
    folder, simulation = logs
    playback = Playback([read_logs(str(folder), None, {})])
    assert playback.end - playback.start == pytest.approx(SECONDS, abs=0.05)
    frame = playback.frame(playback.end, with_scene=True)
    for name, vehicle in simulation.vehicles.items():
        shown = frame.vehicles[name]
        np.testing.assert_allclose(shown.pose.position, vehicle.pose.position, atol=1e-6)
        np.testing.assert_allclose(shown.twist[:2], vehicle.twist_body[:2], atol=0.02)
        assert shown.believed is not None
    wheels = np.concatenate([vehicle.wheels['angle'] for vehicle in simulation.vehicles.values()])
    np.testing.assert_allclose(frame.states.wheel_angle, wheels, atol=1e-5)
    assert frame.scene is not None and playback.frame(0.0).scene is None


def test_bag_gives_back_poses_and_scans(bag):
    folder, simulation = bag
    recording = read_bag(str(folder), None, {})
    (vehicle,) = simulation.vehicles.values()
    frame = Playback([recording]).frame(recording.end)
    np.testing.assert_allclose(frame.vehicles[vehicle.name].pose.position,
                               vehicle.pose.position, atol=1e-3)
    (seen,) = frame.seen
    assert isinstance(seen.observation, LaserScan2D)
    sensor = next(each for each in simulation.sensors.values()
                  if type(each.spec).__name__ == 'LaserSpec')
    place = vehicle.pose.compose(sensor.pose)
    assert seen.carrier.z == pytest.approx(place.z, abs=0.01)
    assert np.hypot(seen.carrier.x - place.x, seen.carrier.y - place.y) < 0.1
    np.testing.assert_allclose(frame.states.wheel_angle, vehicle.wheels['angle'], atol=0.3)


def test_second_run_is_a_ghost(logs):
    recording = read_logs(str(logs[0]), None, {})
    playback = Playback([recording, recording])
    names = set(recording.tracks)
    assert set(playback.frame(1.0).vehicles) == names | {f'{n} (2)' for n in names}
    scene = playback.frame(1.0, with_scene=True).scene
    ghosts = scene.colour[scene.owner >= len(names), 3]
    assert len(ghosts) and (ghosts < 0.5).all()


def test_turns_are_taken_the_short_way():
    track = Track(np.array([0.0, 1.0]), np.array([[0.0] * 6, [2.0] * 6]))
    track.poses[:, 3] = 3.0, -3.0
    yaw = track.at(0.5).poses[0, 3]
    assert abs(abs(yaw) - np.pi) < 1e-9 and track.at(5.0).poses[0, 0] == 2.0


def test_wheels_roll_as_far_as_the_vehicle_goes(project):
    (vehicle,) = load_world(project / 'worlds' / 'empty.world.xml').vehicles
    poses = np.zeros((11, 6))
    poses[:, 0] = np.linspace(0.0, 1.0, 11)
    angles = rolled(vehicle, poses)
    assert angles[-1, 0] == pytest.approx(1.0 / vehicle.dynamics.wheels[0].radius)


@pytest.mark.parametrize('edit, words', [
    pytest.param('no title', 'give --world', id='world unknown'),
    pytest.param('gone', 'cannot be loaded here', id='world gone')])
def test_world_of_a_log_must_be_known(logs, tmp_path, edit, words):
    for file in logs[0].glob('mvsim_r1_*'):
        text = file.read_text()
        text = (text.partition('\n')[2] if edit == 'no title'
                else re.sub(', /.*world.xml', ', /gone.world.xml', text))
        tmp_path.joinpath(file.name).write_text(text)
    with pytest.raises(WindowError, match=words):
        read_logs(str(tmp_path), None, {})


def test_logs_of_another_world_are_refused(logs, project):
    with pytest.raises(WindowError, match="no vehicle 'r1'"):
        read_logs(str(logs[0]), 'demo', {})


@pytest.mark.parametrize('arguments', [
    pytest.param(['demo', 'two_robots', '--no-browser'], id='two worlds'),
    pytest.param(['demo', '--world', 'demo', '--no-browser'], id='world of a world'),
    pytest.param(['no_such_world', '--no-browser'], id='no such world'),
    pytest.param(['demo', '--export', '/no/such/folder/x.html'], id='no such folder')])
def test_wrong_use_is_one_line(arguments, capsys):
    assert main(['view', *arguments]) == 1
    assert capsys.readouterr().err.strip().splitlines()[-1].startswith('error: ')


def test_a_port_that_cannot_be_is_wrong_usage(capsys):
    with pytest.raises(SystemExit, match='2'):
        main(['view', 'demo', '--port', '70000', '--no-browser'])
    assert 'from 0 to 65535' in capsys.readouterr().err


def test_window_of_the_command_ends_after_its_time(capsys):
    assert main(['view', 'empty', '--port', '0', '--no-browser', '--duration', '0.3',
                 '--speed', 'max']) == 0
    assert re.search(r'open http://localhost:\d+/[\w-]+/ in a browser', capsys.readouterr().out)


def test_nothing_is_drawn_in_a_window_that_is_closed(logs):
    with replay([str(logs[0])], port=0) as playing:
        playing.start()
    assert 'mvsim replay' not in {thread.name for thread in threading.enumerate()}


def test_window_of_recordings_ends_after_its_time_or_theirs(bag, capsys):
    for duration in ('0.2', '1000'):
        assert main(['view', str(bag[0]), '--no-browser', '--duration', duration, '--speed', '50',
                     '--port', '0']) == 0
    assert capsys.readouterr().out.count('http') == 2
    assert main(['view', str(bag[0]), '--export', 'page.html', '--duration', '1']) == 1
    assert 'shows all of them: leave out --duration' in capsys.readouterr().err


@pytest.mark.parametrize('kind', ['world', 'logs', 'bag'])
def test_page_holds_everything(kind, logs, bag, tmp_path, capsys):
    what = {'world': 'empty', 'logs': str(logs[0]), 'bag': str(bag[0])}[kind]
    page = tmp_path / 'run.html'
    more = ['--duration', '1', '--drive', '0.5', '0.2'] if kind == 'world' else []
    assert main(['view', what, '--export', str(page), *more]) == 0
    assert 'frames' in capsys.readouterr().out
    text = page.read_text()
    assert len(text) < 4e6 and '__VISER_EMBED_DATA__' in text
    assert not re.search('<(script|link|img)[^>]+(src|href)="https?://', text)
