# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A recording that is killed at any moment loses a second at most, and is repaired.

:claim: A recording whose process was killed misses at most one second, and `repair` restores it
:reference: the same run, complete
"""

from collections import Counter
from collections.abc import Callable
import json
from pathlib import Path
import shutil
import subprocess
import sys

from bag_reader import by_mcap, by_rosbags, check_whole, hashes, written
from mcap.reader import make_reader
import numpy as np
import pytest

from mvsim_ros2.cli import main
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.bag import Split
from mvsim_ros2.recording.verify import repair, verify

SECOND = 1_000_000_000  # ns
# Forks a process for each moment, which kills itself after so many steps (negative: in the middle
# of the writes of that step), and prints at which simulated time.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from mvsim_ros2 import Simulation
from mvsim_ros2.recording.text_files import hold_twist
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


def kill(project: Path, world: Path, folder: Path, storage: str, *moments: int) -> dict[Path, int]:
    """Return the folders of recordings that were killed, with their simulated times [ns]."""
    done = subprocess.run(
        [sys.executable, '-c', SCRIPT, str(world), str(folder), storage, *map(str, moments)],
        cwd=project, capture_output=True, text=True, check=True, timeout=600)
    return {folder / f'run{moment}': int(time) for moment, time in (
        line.split() for line in done.stdout.splitlines())}


@pytest.mark.parametrize('storage', list(MOMENTS))
def test_a_killed_run_loses_a_second_at_most(project: Path, tmp_path: Path, storage: str) -> None:
    world = tmp_path / 'rig.world.xml'
    world.write_text(WORLD)
    killed = kill(project, world, tmp_path, storage, *MOMENTS[storage])
    assert len(killed) == len(MOMENTS[storage])
    for folder, time_ns in killed.items():
        assert main(['verify', '--repair', '--in-place', str(folder)]) == 0
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
    repair(folder, in_place=True)
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
    assert verify(folder) and repair(folder, in_place=True)
    assert by_rosbags(folder) == by_rosbags(whole)
    assert verify(folder) == []
    last.write_bytes(last.read_bytes()[:100])  # it had just been begun
    (folder / 'metadata.yaml').unlink()
    repair(folder, in_place=True)
    assert not last.exists() and verify(folder) == []
    assert 1.4 * SECOND < by_rosbags(folder)[-1].time_ns <= 1.6 * SECOND


def test_a_whole_recording_is_left_alone(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in run.rglob('*') if path.is_file()}
    assert main(['verify', '--repair', str(run)]) == 0
    assert capsys.readouterr().out == f'{run}: whole\n'
    assert before == {path: path.read_bytes() for path in run.rglob('*') if path.is_file()}


def places_of(path: Path) -> list[int]:
    """Return where the chunks of an MCAP file begin."""
    with path.open('rb') as file:
        return [each.chunk_start_offset for each in make_reader(file).get_summary().chunk_indexes]


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    shutil.copytree(run, tmp_path / 'copy')
    return tmp_path / 'copy'


def damaged(folder: Path, name: str, place: int, value: int) -> bytes:
    """Change a byte of a file; return its content."""
    path = next(folder.glob(name))
    content = bytearray(path.read_bytes())
    content[place] = value
    path.write_bytes(content)
    return bytes(content)


def test_damage_around_messages_loses_none(run: Path, copy: Path) -> None:
    """As of the opcode of a chunk: what is in it has its own checksum."""
    content = damaged(copy, '*.mcap', places_of(next(run.glob('*.mcap')))[1], 0)
    assert main(['verify', '--repair', str(copy)]) == 0
    assert next(copy.glob('*.mcap')).read_bytes() == content
    repaired = copy.with_name('copy_repaired')
    assert by_rosbags(repaired) == by_rosbags(run) == by_mcap(repaired)
    assert written(repaired)['complete'] and written(repaired)['lost'] == {}
    for path in (run / 'ground_truth').iterdir():
        assert path.read_bytes() == (repaired / 'ground_truth' / path.name).read_bytes()


@pytest.mark.parametrize('compress', [False, True])
def test_damage_in_the_middle_keeps_what_is_before_and_behind_it(
        run: Path, make_run: Callable[..., Path], tmp_path: Path, compress: bool) -> None:
    whole = make_run('compressed', compress=True) if compress else run
    folder, target = tmp_path / 'run', tmp_path / 'other'
    shutil.copytree(whole, folder)
    place = places_of(next(whole.glob('*.mcap')))[1]
    damaged(folder, '*.mcap', place + 2000, 77)
    (found,) = verify(folder)
    assert '/imu' in found and ' are damaged: from 0.5' in found
    said = repair(folder, target)
    left, all_of_it = by_rosbags(target), by_rosbags(whole)
    assert set(left) < set(all_of_it) and verify(target) == []
    missing = [each for each in all_of_it if each not in set(left)]
    assert left[-1] == all_of_it[-1] and left == [
        each for each in all_of_it if each not in set(missing)]
    lost = Counter(each.topic for each in missing)
    assert written(target)['lost'] == lost and not written(target)['complete']
    assert f'{target}: lost: {lost["/imu"]} of 400 messages of /imu' in said
    assert len(missing) < 0.5 * len(all_of_it)
    for path in (whole / 'ground_truth').iterdir():
        assert path.read_bytes() == (target / 'ground_truth' / path.name).read_bytes()
    with pytest.raises(RecordingError, match='other exists already: choose another folder'):
        repair(folder, target)


def test_rows_of_ground_truth_that_cannot_be_read_are_left_out(run: Path, copy: Path) -> None:
    """Of files whose rows belong together too, so that they still do."""
    truth, target = copy / 'ground_truth', copy.with_name('copy_repaired')
    lines = (truth / 'top_start.tum').read_text().splitlines(keepends=True)
    (truth / 'top_start.tum').write_text(''.join([*lines[:7], 'nonsense\n', *lines[8:]]))
    text = (truth / 'velocities.csv').read_text()
    (truth / 'velocities.csv').write_text(text.replace('.', '!', 1))
    (truth / 'boxes.csv').unlink()
    said = repair(copy)
    assert verify(target) == [] and by_rosbags(target) == by_rosbags(run)
    for name in ('top_start.tum', 'top_start.kitti', 'top_end.tum', 'top_end.kitti'):
        kept = (run / 'ground_truth' / name).read_text().splitlines()
        del kept[7]
        assert (target / 'ground_truth' / name).read_text().splitlines() == kept
        assert f'{target}: lost: 1 rows of ground_truth/{name}' in said
    assert f'{target}: ground_truth/velocities.csv was altered: its rows can be read, but may ' \
        'be wrong' in said
    assert f'{target}: lost: ground_truth/boxes.csv' in said


def test_what_cannot_be_repaired(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match='this is no recording'):
        repair(tmp_path)
    (tmp_path / 'run.json').write_text(json.dumps({'topics': {}, 'commands': {}}))
    with pytest.raises(RecordingError, match='there is no file of messages'):
        repair(tmp_path)
    (tmp_path / 'a.mcap').write_bytes(b'nonsense')
    with pytest.raises(RecordingError, match='it is no MCAP file'):
        repair(tmp_path)


TRUTH = 'ground_truth/base_link.tum'
BROKEN_OFF = 'the run was interrupted: ground truth and commands after 4.000 s have no hashes'


def row_at(data: bytes, seconds: float) -> int:
    """Return the place of a digit in the row at a time."""
    return data.index(f'\n{seconds:.9f} '.encode()) + 16


def changed(data: bytes, place: int) -> bytes:
    """Return bytes of which one is another digit."""
    return data[:place] + (b'1' if data[place:place + 1] != b'1' else b'2') + data[place + 1:]


@pytest.mark.parametrize(('name', 'damage', 'said'), [
    pytest.param(TRUTH, lambda data: data, '', id='none'),
    pytest.param(TRUTH, lambda data: changed(data, row_at(data, 4.2)), '', id='no hash yet'),
    pytest.param(TRUTH, lambda data: changed(data, row_at(data, 3.0)),
                 f'{TRUTH}: its content has changed after 2.000 s', id='second piece'),
    pytest.param(TRUTH, lambda data: data[:row_at(data, 1.0)],
                 f'{TRUTH}: its content has changed after 0.000 s', id='cut'),
    pytest.param(TRUTH, None, f'{TRUTH}: it cannot be read: No such file', id='removed'),
    pytest.param('commands.csv', lambda data: data.replace(b'0.8', b'0.7'),
                 'commands.csv: its content has changed', id='commands'),
    pytest.param('pieces.sha256', lambda data: changed(data, 5),
                 'pieces.sha256: the hashes of the ground truth are damaged after 0.000 s',
                 id='hashes')])
def test_ground_truth_of_a_killed_run_is_verified(
        broken_off: Path, tmp_path: Path, name: str, damage: Callable[[bytes], bytes] | None,
        said: str) -> None:
    """
    `verify` checks the ground truth of a killed run up to its last complete piece.

    :reference: the files as they were written
    """
    folder = tmp_path / 'run'
    shutil.copytree(broken_off, folder)
    if damage is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(damage((folder / name).read_bytes()))
    found = [each for each in verify(folder) if '.mcap: ' not in each]
    assert (BROKEN_OFF in found[-1]) == (name != 'pieces.sha256')
    assert len(found) == 1 + bool(said) and said in found[0]
    altered = [each for each in repair(folder, in_place=True) if 'was altered' in each]
    assert len(altered) == ('has changed' in said)
    assert verify(folder) == [] and not (folder / 'pieces.sha256').exists()


@pytest.fixture(scope='module')
def broken_off(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a recording that was killed after 4.5 s."""
    folder = tmp_path_factory.mktemp('broken_off')
    world = folder / 'rig.world.xml'
    world.write_text(WORLD)
    (run,) = kill(project, world, folder, 'mcap', 900)
    return run
