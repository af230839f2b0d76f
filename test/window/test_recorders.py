# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags and films of a simulation that goes on meanwhile."""

import json
import subprocess
import sys

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import WindowError
from mvsim_ros2.pictures import automatic_view
from mvsim_ros2.pictures.video import Film
from mvsim_ros2.window.recorders import Recorders
from mvsim_ros2.window.replay.bag import read_bag

av = pytest.importorskip('av', reason='no PyAV: pip install av')


@pytest.fixture
def simulation():
    """Return a robot with a LiDAR that drives in a circle."""
    simulation = Simulation.from_file('demo')
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(0.5, 0.4)
    return simulation


@pytest.fixture
def view(simulation):
    """Return what says where small films look from."""
    view = automatic_view(simulation, 160, 90)
    return lambda: view


@pytest.fixture
def said():
    """Return what the recorders have said."""
    return []


@pytest.fixture
def recorders(tmp_path, said):
    """Return recorders."""
    recorders = Recorders(tmp_path)
    recorders.listeners.append(said.append)
    return recorders


def advance(simulation, recorders, steps):
    """Go some steps as the loops do."""
    for _ in range(steps):
        recorders.record(simulation, simulation.step())


def last_place(simulation):
    (vehicle,) = simulation.vehicles.values()
    return np.array([*vehicle.pose.position, vehicle.pose.yaw]).tobytes()


def test_bag_begun_in_the_middle_holds_what_follows(simulation, recorders, tmp_path):
    simulation.run(1.0)
    begin = simulation.time
    folder = recorders.start_bag(simulation)
    assert recorders.active and recorders.bag == folder == tmp_path / 'bag_1'
    advance(simulation, recorders, 100)
    assert recorders.stop_bag() == folder and not recorders.active
    about = json.loads((folder / 'run.json').read_text())
    assert about['complete'] and about['end_ns'] == simulation.time_ns
    recording = read_bag(str(folder), None, {})
    assert recording.start == pytest.approx(begin, abs=0.03)
    (vehicle,) = simulation.vehicles.values()
    (track,) = recording.tracks.values()
    np.testing.assert_allclose(track.at(recording.end).poses[0, :2],
                               vehicle.pose.position[:2], atol=0.02)
    assert recorders.start_bag(simulation).name == 'bag_2'
    recorders.close()


def test_film_shows_the_next_seconds_and_changes_nothing(simulation, recorders, said, view):
    path = recorders.start_film(simulation, 0.2, view)
    film = recorders._film
    advance(simulation, recorders, round(0.3 / simulation.dt))
    assert not recorders.filming and not recorders.active  # complete, while it is drawn
    film.wait()
    assert said == [f'{path}: 5 frames']
    with av.open(str(path)) as file:
        frames = [frame.to_ndarray(format='rgb24') for frame in file.decode(video=0)]
    assert len(frames) == 5 and frames[0].shape == (90, 160, 3) and frames[0].std() > 10
    assert (frames[0] != frames[-1]).any()
    alone = Simulation(simulation.world)
    for vehicle in alone.vehicles.values():
        vehicle.set_twist(0.5, 0.4)
    alone.step(simulation.steps)
    assert last_place(alone) == last_place(simulation)


def test_films_are_drawn_at_the_end(simulation, recorders, said, view):
    """Also one that is complete, and one that ends with it; their names differ from the start."""
    first = recorders.start_film(simulation, 0.04, view)
    advance(simulation, recorders, 1)
    second = recorders.start_film(simulation, 2.0, view)
    advance(simulation, recorders, 10)
    recorders.close()
    assert sorted(said) == [f'{first}: 1 frames', f'{second}: 2 frames, the simulation ended']
    for path, count in ((first, 1), (second, 2)):
        with av.open(str(path)) as file:
            assert len(list(file.decode(video=0))) == count


def test_films_are_cut_where_there_is_no_time(simulation, recorders, said, view):
    path = recorders.start_film(simulation, 10.0, view)
    advance(simulation, recorders, round(9.0 / simulation.dt))
    film = recorders._film
    recorders.close(0.0)
    film.wait()
    (line,) = said
    assert str(path) in line and 'the simulation ended' in line
    assert 'frames' not in line or ' of 226 frames' in line


def test_film_says_once_what_became_of_it(simulation, tmp_path, said, view):
    cut = Film(simulation, tmp_path / 'cut.mp4', 1.0, view, said.append)
    cut.take(simulation, [])
    cut.give_up('the end came')
    cut.end('too late')
    assert cut.wait() and len(said) == 1 and said[0].endswith(', the end came')
    whole = Film(simulation, tmp_path / 'whole.mp4', 0.04, view, said.append)
    whole.take(simulation, [])
    assert whole.complete and whole.wait()
    whole.give_up('the end came')
    assert whole.path.exists() and said[1:] == [f'{whole.path}: 1 frames']


def test_film_of_a_process_that_is_killed_can_be_played(project, tmp_path):
    """Frames are in the file as they are drawn, and its beginning is whole without its end."""
    script = f"""
import os
from mvsim_ros2 import Simulation, world_path
from mvsim_ros2.pictures import automatic_view
from mvsim_ros2.pictures.video import Film
simulation = Simulation.from_file(world_path('empty'), sensors=False)
view = automatic_view(simulation, 64, 48)
film = Film(simulation, __import__('pathlib').Path({str(tmp_path / 'film.mp4')!r}), 60.0,
            lambda: view, print)
while film._video.frames < 60:
    film.take(simulation, simulation.step())
print(film.progress, flush=True)
os._exit(9)
"""
    done = subprocess.run([sys.executable, '-c', script], cwd=project, capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 9 and done.stdout.endswith(' of 1500 frames\n'), done.stderr
    with av.open(str(tmp_path / 'film.mp4')) as file:
        assert len(list(file.decode(video=0))) >= 59


def test_bag_ends_at_a_size(simulation, tmp_path, said, view):
    recorders = Recorders(tmp_path, largest_bag=1e6)
    recorders.listeners.append(said.append)
    recorders.start_film(simulation, 60.0, view)
    folder = recorders.start_bag(simulation)
    while recorders.bag:
        advance(simulation, recorders, 1)
    assert said == [f'{folder} is complete: it has 0.001 GB, the limit of bags started here']
    assert recorders.filming  # which has nothing to do with it
    assert json.loads((folder / 'run.json').read_text())['complete']
    sizes = sum(path.stat().st_size for path in folder.rglob('*') if path.is_file())
    assert 0.9e6 < sizes < 1.5e6
    recorders.close(0.0)


def test_nothing_is_written_through_links_of_others(simulation, tmp_path, view):
    """Also links to nothing: names are taken, whatever they lead to."""
    folder, elsewhere = tmp_path / 'recorded', tmp_path / 'elsewhere'
    folder.mkdir()
    for name in ('bag_1', 'film_1.mp4'):
        (folder / name).symlink_to(elsewhere)
    recorders = Recorders(folder)
    assert recorders.start_bag(simulation).name == 'bag_2'
    assert recorders.start_film(simulation, 0.04, view).name == 'film_2.mp4'
    recorders.close()
    assert not elsewhere.exists()


def test_names_of_things_lead_nowhere_else(tmp_path):
    """A bag of vehicles and sensors whose names are paths stays in its folder."""
    simulation = simulate(''.join(
        f'<vehicle name="{name}"><init_pose>{3 * k} 0 0</init_pose><dynamics '
        'class="differential"><controller class="twist_pid"/></dynamics>'
        f'<sensor class="imu" name="..{k}"/><sensor class="laser" name=".."/></vehicle>'
        for k, name in enumerate(('../../up', '/root/x'))))
    folder = tmp_path / 'a' / 'b'
    recorders = Recorders(folder)
    before = {*tmp_path.rglob('*')}
    recorders.start_bag(simulation)
    advance(simulation, recorders, 50)
    bag = recorders.stop_bag()
    new = {*tmp_path.rglob('*')} - before
    assert len(new) > 15 and all(path == folder.parent or path == folder
                                 or path.is_relative_to(bag) for path in new)


def test_film_without_a_frame_is_none(simulation, recorders, said, view):
    path = recorders.start_film(simulation, 1.0, view)
    recorders.close()
    assert said == [f'{path}: there is no film, the simulation ended']


@pytest.mark.parametrize('event, why', [
    pytest.param(lambda s: s.reset(), 'the simulation was reset', id='reset'),
    pytest.param(lambda s: s.spawn_vehicle('new', next(iter(s.vehicles.values())).spec,
                                           Pose(1.0, 1.0)), 'objects were added', id='spawn')])
def test_bag_ends_where_its_run_does(simulation, recorders, said, event, why):
    simulation.run(0.2)
    folder = recorders.start_bag(simulation)
    advance(simulation, recorders, 5)
    event(simulation)
    advance(simulation, recorders, 5)
    assert not recorders.active and len(said) == 1 and why in said[0]
    assert json.loads((folder / 'run.json').read_text())['complete']


def test_wrong_order_is_refused(simulation, recorders):
    with pytest.raises(WindowError, match='start one first'):
        recorders.stop_bag()
    recorders.start_bag(simulation)
    with pytest.raises(WindowError, match='stop that bag first'):
        recorders.start_bag(simulation)
    for seconds in (0.0, 1e6, float('nan')):
        with pytest.raises(WindowError, match='120 s at most'):
            recorders.start_film(simulation, seconds, lambda: None)
    recorders.close()
    assert not recorders.active


def test_folder_that_cannot_be_made_is_an_error(simulation, tmp_path):
    (tmp_path / 'file').write_text('')
    with pytest.raises(Exception, match='cannot be made'):
        Recorders(tmp_path / 'file' / 'x').start_bag(simulation)
