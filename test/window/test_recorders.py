# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags and films of a simulation that goes on meanwhile."""

import json

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import WindowError
from mvsim_ros2.pictures import automatic_view
from mvsim_ros2.pictures.film import Film
from mvsim_ros2.window.recorders import Recorders
from mvsim_ros2.window.replay.bag import read_bag

av = pytest.importorskip('av', reason='no PyAV: pip install av')


@pytest.fixture
def simulation(project):
    """Return a robot with a LiDAR that drives in a circle."""
    simulation = Simulation.from_file(project / 'worlds' / 'demo.world.xml')
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(0.5, 0.4)
    return simulation


def advance(simulation, recorders, steps):
    """Go some steps as the loops do."""
    for _ in range(steps):
        recorders.record(simulation, simulation.step())


def last_place(simulation):
    (vehicle,) = simulation.vehicles.values()
    return np.array([*vehicle.pose.position, vehicle.pose.yaw]).tobytes()


def test_bag_begun_in_the_middle_holds_what_follows(simulation, tmp_path):
    recorders = Recorders(tmp_path)
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


def test_film_shows_the_next_seconds_and_changes_nothing(simulation, tmp_path):
    recorders, said = Recorders(tmp_path), []
    recorders.listeners.append(said.append)
    view = automatic_view(simulation, 160, 90)
    path = recorders.start_film(simulation, 0.2, lambda: view)
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


def test_films_are_drawn_at_the_end(simulation, tmp_path):
    """Also one that is complete, and one that ends with it; their names differ from the start."""
    recorders, said = Recorders(tmp_path), []
    recorders.listeners.append(said.append)
    view = automatic_view(simulation, 160, 90)
    first = recorders.start_film(simulation, 0.04, lambda: view)
    advance(simulation, recorders, 1)
    second = recorders.start_film(simulation, 2.0, lambda: view)
    advance(simulation, recorders, 10)
    recorders.close()
    assert sorted(said) == [f'{first}: 1 frames', f'{second}: 2 frames, the simulation ended']
    for path, count in ((first, 1), (second, 2)):
        with av.open(str(path)) as file:
            assert len(list(file.decode(video=0))) == count


def test_films_are_cut_where_there_is_no_time(simulation, tmp_path):
    recorders, said = Recorders(tmp_path), []
    recorders.listeners.append(said.append)
    view = automatic_view(simulation, 160, 90)
    path = recorders.start_film(simulation, 10.0, lambda: view)
    advance(simulation, recorders, round(9.0 / simulation.dt))
    film = recorders._film
    recorders.close(0.0)
    film.wait()
    (line,) = said
    assert str(path) in line and 'the simulation ended' in line
    assert 'frames' not in line or ' of 226 frames' in line


def test_film_is_told_once_where_it_is_given_up(simulation, tmp_path):
    told = []
    view = automatic_view(simulation, 64, 48)
    lost = Film(simulation, tmp_path / 'lost.mp4', 1.0, lambda: view, told.append)
    lost.take(simulation, [])
    lost.give_up('the end came')
    lost.end('too late')
    assert lost.wait() and not lost.path.exists()
    assert told == [f'{lost.path} is lost, the end came while it was drawn']
    whole = Film(simulation, tmp_path / 'whole.mp4', 0.04, lambda: view, told.append)
    whole.take(simulation, [])
    assert whole.complete and whole.wait()
    whole.give_up('the end came')
    assert whole.path.exists() and told[1:] == [f'{whole.path}: 1 frames']


def test_film_without_a_frame_is_none(simulation, tmp_path):
    recorders, said = Recorders(tmp_path), []
    recorders.listeners.append(said.append)
    path = recorders.start_film(simulation, 1.0, lambda: automatic_view(simulation, 160, 90))
    recorders.close()
    assert said == [f'{path}: there is no film, the simulation ended']


@pytest.mark.parametrize('event, why', [
    pytest.param(lambda s: s.reset(), 'time went back', id='reset'),
    pytest.param(lambda s: s.spawn_vehicle('new', next(iter(s.vehicles.values())).spec,
                                           Pose(1.0, 1.0)), 'things came', id='spawn')])
def test_bag_ends_where_its_run_does(simulation, tmp_path, event, why):
    recorders, said = Recorders(tmp_path), []
    recorders.listeners.append(said.append)
    simulation.run(0.2)
    folder = recorders.start_bag(simulation)
    advance(simulation, recorders, 5)
    event(simulation)
    advance(simulation, recorders, 5)
    assert not recorders.active and len(said) == 1 and why in said[0]
    assert json.loads((folder / 'run.json').read_text())['complete']


def test_wrong_order_is_refused(simulation, tmp_path):
    recorders = Recorders(tmp_path)
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
