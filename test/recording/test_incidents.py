# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs in which something goes wrong say so: on the console, in run.json, in tables."""

import json
from pathlib import Path

import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.recording.incidents import Incidents
from mvsim_ros2.studies.slam_benchmark.clients import Score
from mvsim_ros2.studies.slam_benchmark.slam import Result, table

WORLD = """<mvsim_world> <physics mode="{mode}"/>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose> </vehicle>
  {more}
</mvsim_world>"""
POST = ('<block name="post"> <static>true</static> <init_pose>1.5 0 0</init_pose> <shape> '
        '<pt>-0.2 -2</pt> <pt>0.2 -2</pt> <pt>0.2 2</pt> <pt>-0.2 2</pt> </shape> </block>')
WALL = '<walls> <shape> <pt>1.5 -2</pt> <pt>1.5 2</pt> </shape> </walls>'


def record(folder: Path, more: str, *arguments: str) -> int:
    path = folder / 'rig.world.xml'
    path.write_text(WORLD.format(mode='mvsim', more=more))
    return main(['record', str(path), '-o', str(folder / 'run'), '--topics', '/collision',
                 *arguments])


def test_a_collision_and_that_it_got_stuck(tmp_path: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    assert record(tmp_path, POST, '--twist', '0.5', '0', '--duration', '7') == 0
    errors = capsys.readouterr().err.splitlines()
    hit, stuck = json.loads((tmp_path / 'run/run.json').read_text())['incidents']
    assert (hit['kind'], hit['with'], stuck['kind']) == ('collided', ['post'], 'stuck')
    assert 1.0e9 < hit['time_ns'] < stuck['time_ns'] < 4e9
    assert errors == [
        f'warning: vehicle robot collided with post at {hit["time_ns"] * 1e-9:.2f} s',
        f'warning: vehicle robot got stuck at {stuck["time_ns"] * 1e-9:.2f} s']


def test_walls_have_no_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path, WALL, '--twist', '0.5', '0', '--duration', '4')
    assert 'warning: vehicle robot collided at ' in capsys.readouterr().err


@pytest.mark.parametrize('twist', [('0.4', '0.3'), ('0', '0.5'), ('0', '0')])
def test_a_run_in_which_all_goes_well(tmp_path: Path, twist: tuple[str, str],
                                      capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path, '', '--twist', *twist, '--duration', '5')
    assert capsys.readouterr().err == ''
    assert json.loads((tmp_path / 'run/run.json').read_text())['incidents'] == []


def test_tipping_over(tmp_path: Path) -> None:
    """A pose on its side, which a vehicle in mode `physical` keeps."""
    path = tmp_path / 'rig.world.xml'
    path.write_text(WORLD.format(mode='physical', more=''))
    simulation = Simulation.from_file(path)
    incidents = Incidents(simulation)
    incidents.watch()
    assert incidents.found == []
    simulation.vehicles['robot']._rows.arrays.records['tipped'][0] = 1.0
    incidents.watch()
    (only,) = incidents.found
    assert only.kind == 'tipped' and incidents.of('robot')['tipped']
    assert str(only) == 'vehicle robot tipped over at 0.00 s'


def test_the_table_of_a_benchmark_counts_runs(tmp_path: Path) -> None:
    path = tmp_path / 'rig.world.xml'
    path.write_text(WORLD.format(mode='mvsim', more=POST))
    simulation = Simulation.from_file(path)
    incidents = Incidents(simulation)
    simulation.vehicles['robot'].set_twist(0.5, 0.0)
    for _ in range(800):
        simulation.step()
        incidents.watch()
    score = Score.__new__(Score)
    for name in ('ape', 'worst', 'drift'):
        object.__setattr__(score, name, 0.1)
    results = [Result('w', 'c', 1, score, 1.0, tuple(incidents.found)),
               Result('w', 'c', 2, score, 1.0)]
    assert table(results)[0][-1] == 'collided 1/2'
    assert table(results[1:])[0][-1] == '-'
