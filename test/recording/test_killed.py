# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A recording that is killed at any moment loses a second at most, and is repaired.

:claim: a recording whose process was killed lacks a second at most, and can be repaired
:reference: the same run, whole
"""

from collections.abc import Callable
import json
from pathlib import Path
import shutil
import subprocess
import sys

from bag_reader import by_mcap, by_rosbags, check_whole, hashes, written
import numpy as np
import pytest

from mvsim_ros2.cli import main
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.bag import Split
from mvsim_ros2.recording.repair import repair
from mvsim_ros2.recording.verify import verify

SECOND = 1_000_000_000  # ns
# Forks a process for each moment, which kills itself after so many steps (negative: in the middle
# of the writes of that step), and prints at which simulated time.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from mvsim_ros2 import Simulation
from mvsim_ros2.recording.command_file import hold_twist
from mvsim_ros2.recording.recorder import Recorder
world, folder, storage, *moments = sys.argv[1:]
for moment in map(int, moments):
    child = os.fork()
    if child:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        continue
    simulation = Simulation.from_file(world)
    recorder = Recorder(simulation, Path(folder) / f'run{moment}', hold_twist(0.8, 0.9),
                        storage=storage)
    left = abs(moment)
    def die():
        print(moment, simulation.time_ns, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    def step():
        global left
        left -= 1
        if left == 0:
            if moment > 0:
                die()
            recorder._truth.write = lambda *unused: die()
        return True
    recorder.run(1000.0, step)
"""
# Steps of 5 ms: with nothing written yet, around a flush, later, within the writes of a step.
MOMENTS = {'mcap': (1, 199, 333, -101), 'sqlite3': (1, -150)}
WORLD = """<mvsim_world> <simul_timestep>0.005</simul_timestep>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 30</init_pose>
    <include file="package://mvsim_ros2/worlds/sensors/lidar2d.sensor.xml" sensor_nrays="90"/>
    <include file="package://mvsim_ros2/worlds/sensors/imu.sensor.xml" sensor_period_sec="0.005"/>
  </vehicle>
</mvsim_world>"""


def kill(project: Path, world: Path, folder: Path, storage: str,
         *moments: int) -> dict[Path, int]:
    """Return the folders of recordings that were killed, with their simulated times [ns]."""
    done = subprocess.run(
        [sys.executable, '-c', SCRIPT, str(world), str(folder), storage, *map(str, moments)],
        cwd=project, capture_output=True, text=True, check=True, timeout=600)
    return {folder / f'run{moment}': int(time) for moment, time in (
        line.split() for line in done.stdout.splitlines())}


@pytest.mark.parametrize('storage', list(MOMENTS))
def test_a_killed_run_loses_a_second_at_most(project: Path, tmp_path: Path,
                                             storage: str) -> None:
    world = tmp_path / 'rig.world.xml'
    world.write_text(WORLD)
    killed = kill(project, world, tmp_path, storage, *MOMENTS[storage])
    assert len(killed) == len(MOMENTS[storage])
    for folder, time_ns in killed.items():
        assert main(['verify', '--repair', str(folder)]) == 0
        messages = by_rosbags(folder)
        last = max((message.time_ns for message in messages), default=0)
        assert time_ns - SECOND <= last <= time_ns
        check_whole(folder)
        if storage == 'mcap':
            assert by_mcap(folder) == messages
        run = written(folder)
        assert not run['complete'] and run['repaired'] and run['end_ns'] >= last
        for path in (folder / 'ground_truth').iterdir():
            text = path.read_text()
            assert not text or text.endswith('\n')
        assert not list(folder.glob('*.tmp')) and verify(folder) == [] == repair(folder)


def test_what_is_left_is_the_beginning_of_the_run(project: Path, world: Path, run: Path,
                                                  tmp_path: Path) -> None:
    (folder,) = kill(project, world, tmp_path, 'mcap', 350)
    repair(folder)
    messages = by_rosbags(folder)
    assert messages == by_rosbags(run)[:len(messages)]
    assert hashes(messages).items() <= {
        name: topic['sha256'] for name, topic in written(folder)['topics'].items()}.items()
    last = messages[-1].time_ns
    for path in (run / 'ground_truth').iterdir():
        left, whole = ((each / 'ground_truth' / path.name).read_text() for each in (folder, run))
        assert whole.startswith(left) and left
        if path.suffix == '.tum':
            rows = np.loadtxt(folder / 'ground_truth' / path.name, ndmin=2)
            assert rows[-1, 0] <= 1e-9 * last + 1e-12
            kitti = path.with_suffix('.kitti').name
            assert len((folder / 'ground_truth' / kitti).read_text().splitlines()) == len(rows)
    starts, ends = (len((folder / f'ground_truth/top_{ending}.tum').read_text().splitlines())
                    for ending in ('start', 'end'))
    assert starts == ends == sum(each.topic == '/top_points' for each in messages)
    entry = written(folder)['topics']['/imu']
    assert entry == {**written(run)['topics']['/imu'],
                     'messages': entry['messages'], 'sha256': entry['sha256']}


def test_a_bag_in_several_files_is_repaired(project: Path, make_run: Callable[..., Path],
                                            tmp_path: Path) -> None:
    whole = make_run('split', split=Split(duration_ns=SECOND // 2))
    assert len(list(whole.glob('split_*.mcap'))) == 4
    folder = tmp_path / 'split'
    shutil.copytree(whole, folder)
    (folder / 'metadata.yaml').unlink()
    last = folder / 'split_3.mcap'
    last.write_bytes(last.read_bytes()[:-100])
    assert verify(folder) and repair(folder)
    assert by_rosbags(folder) == by_rosbags(whole)
    assert verify(folder) == []
    last.write_bytes(last.read_bytes()[:100])  # it had just been begun
    (folder / 'metadata.yaml').unlink()
    repair(folder)
    assert not last.exists() and verify(folder) == []
    assert 1.4 * SECOND < by_rosbags(folder)[-1].time_ns <= 1.6 * SECOND


def test_a_whole_recording_is_left_alone(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in run.rglob('*') if path.is_file()}
    assert main(['verify', '--repair', str(run)]) == 0
    assert capsys.readouterr().out == f'{run}: whole\n'
    assert before == {path: path.read_bytes() for path in run.rglob('*') if path.is_file()}


def test_damage_in_the_middle_is_not_cut_away(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'run'
    shutil.copytree(run, folder)
    (path,) = folder.glob('*.mcap')
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(RecordingError, match='messages after them: this cannot be repaired'):
        repair(folder)
    assert path.read_bytes() == content


def test_what_cannot_be_repaired(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match='this is no recording'):
        repair(tmp_path)
    (tmp_path / 'run.json').write_text(json.dumps({'topics': {}, 'commands': {}}))
    with pytest.raises(RecordingError, match='there is no file of messages'):
        repair(tmp_path)
    (tmp_path / 'a.mcap').write_bytes(b'nonsense')
    with pytest.raises(RecordingError, match='it is no MCAP file'):
        repair(tmp_path)
