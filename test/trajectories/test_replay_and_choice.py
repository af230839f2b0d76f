# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recorded commands are given again, and controllers are made from a line of text."""

from collections.abc import Callable
import math
from pathlib import Path

import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.trajectories.controller import drive, RouteFollower
from mvsim_ros2.trajectories.controllers_by_name import make_controller
from mvsim_ros2.trajectories.explorer import Explorer
from mvsim_ros2.trajectories.replay import COLUMNS, CommandReplay

MakeWorld = Callable[..., Simulation]
HEADER = ','.join(COLUMNS) + '\n'


@pytest.mark.parametrize('vehicle', [
    pytest.param('small_robot', id='twists'), pytest.param('steered_car', id='steering angles')])
def test_commands_are_given_at_their_times(
        alone: MakeWorld, tmp_path: Path, vehicle: str) -> None:
    file = tmp_path / 'commands.csv'
    file.write_text(HEADER + '1000000000,it,0.5,0,0\n4000000000,it,0.5,0,0.1\n'
                    '7000000000,it,0,0,0\n')
    replay = CommandReplay(file)
    simulation, by_hand = alone(vehicle), alone(vehicle)
    drive(simulation, replay, 100.0)
    assert replay.finished
    assert simulation.time == pytest.approx(7.02)
    it = by_hand.vehicles['it']
    by_hand.run(1.0)
    for w in (0.0, 0.1):
        if it.accepts_twist:
            it.set_twist(0.5, w)
        else:
            it.set_steering(0.5, math.atan(1.6 * w / 0.5))
        by_hand.run(3.0)
    if it.accepts_twist:
        it.set_twist(0.0, 0.0)
    else:
        it.set_steering(0.0, 0.0)
    by_hand.run(0.02)
    assert simulation.vehicles['it'].pose == it.pose


def test_a_replay_is_as_long_as_the_recording(alone: MakeWorld, tmp_path: Path) -> None:
    (tmp_path / 'commands.csv').write_text(HEADER + '5000000,it,0.5,0,0\n')
    (tmp_path / 'run.json').write_text('{"end_ns": 2000000000}')
    simulation = alone()
    drive(simulation, make_controller(f'replay:{tmp_path}'), 100.0)
    assert simulation.time == pytest.approx(2.02)


@pytest.mark.parametrize('text, message', [
    pytest.param('0,0\n1,1\n', r':2: .* rows of time_ns, vehicle', id='no names'),
    pytest.param(HEADER + '0,it,1,0,0\n5,it,1,0\n', ':3: ', id='column missing'),
    pytest.param(HEADER + '0.5,it,1,0,0\n', ':2: ', id='seconds'),
    pytest.param(HEADER, ':1: ', id='empty'),
])
def test_bad_commands_are_refused_with_their_line(
        tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / 'file.csv').write_text(text)
    with pytest.raises(TrajectoryError, match=message):
        CommandReplay(tmp_path / 'file.csv')


def test_commands_are_for_vehicles_that_are_there(alone: MakeWorld, tmp_path: Path) -> None:
    (tmp_path / 'file.csv').write_text(HEADER + '0,robot,1,0,0\n')
    with pytest.raises(TrajectoryError, match=r"file.csv: commands for a vehicle 'robot'"):
        CommandReplay(tmp_path / 'file.csv')(alone())


@pytest.mark.parametrize('text, kind', [
    pytest.param('eight', RouteFollower, id='eight'),
    pytest.param('eight,radius=2,speed=0.5,laps=3', RouteFollower, id='eight with options'),
    pytest.param('lawn_mower,length=3,width=2,spacing=1', RouteFollower, id='lawn mower'),
    pytest.param('explore', Explorer, id='explore'),
    pytest.param('explore,seed=3,x_min=0,y_min=0,x_max=9,y_max=9', Explorer, id='bounds'),
    pytest.param('follow:way.csv,speed=0.5', RouteFollower, id='follow'),
    pytest.param('replay:commands.csv', CommandReplay, id='replay'),
])
def test_a_text_names_a_controller(tmp_path: Path, text: str, kind: type) -> None:
    (tmp_path / 'way.csv').write_text('0 0\n3 0\n')
    (tmp_path / 'commands.csv').write_text(HEADER + '0,it,1,0,0\n')
    assert isinstance(make_controller(text, folder=tmp_path), kind)


@pytest.mark.parametrize('text, message', [
    pytest.param('dance', "no controller 'dance', only follow", id='name'),
    pytest.param('', "no controller ''", id='nothing'),
    pytest.param('follow', 'follow:FILE', id='file missing'),
    pytest.param('eight:file.csv', 'takes no file', id='file too many'),
    pytest.param('eight,size=3', "no option 'size', only speed, laps, radius", id='option'),
    pytest.param('eight,radius=big', "radius is 'big'", id='no number'),
    pytest.param('eight,radius', "radius is ''", id='no value'),
    pytest.param('eight,radius=-1', 'radius of the pattern is -1', id='negative'),
    pytest.param('eight,laps=1.5', 'whole number', id='half a lap'),
    pytest.param('explore,x_min=3', 'all of x_min', id='half bounds'),
    pytest.param('explore,x_min=3,y_min=0,x_max=2,y_max=1', 'are empty', id='no room'),
])
def test_a_bad_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(TrajectoryError, match=message):
        make_controller(text)
