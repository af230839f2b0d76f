# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`mvsim_ros2 record` in processes of its own: repeated, without ROS, interrupted, out of room."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
import os
from pathlib import Path
import re
import resource
import signal
import subprocess
import sys
import time

from bag_reader import by_mcap, by_recovery, by_rosbags, check_whole, written
import pytest

from mvsim_ros2.cli import main

PATIENCE = 900.0  # s
COMMAND = (sys.executable, '-m', 'mvsim_ros2', 'record')
WITHOUT_ROS = """
import sys

class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {'rclpy', 'rosidl_runtime_py', 'rpyutils'} or '_msgs' in name:
            raise ModuleNotFoundError('blocked: ' + name, name=name)

sys.meta_path.insert(0, NoRos())
from mvsim_ros2.cli import main
sys.exit(main(sys.argv[1:]))
"""
OLDER = {'NUMBA_CPU_NAME': 'generic',
         'NPY_DISABLE_CPU_FEATURES': 'AVX512F,AVX512CD,AVX512_SKX,AVX512_CLX,AVX512_CNL'}


def record(project: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=project, capture_output=True, text=True,
                          timeout=PATIENCE, **options)


@contextmanager
def long_run(project: Path, world: Path, folder: Path,
             *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Provide a recording that goes on for very long, once megabytes are written."""
    process = subprocess.Popen(
        [*COMMAND, str(world), '--duration', '1e5', '-o', str(folder), *arguments], cwd=project,
        stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    try:
        while not any(path.stat().st_size > 2_000_000 for path in folder.glob('run.[dm]*[3p]')):
            assert time.monotonic() < deadline
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f'it ended with {process.wait(0.1)}')
        yield process
    finally:
        process.kill()
        process.wait()


def test_the_same_seed_gives_the_same_bytes_without_ros(
        project: Path, world: Path, tmp_path: Path) -> None:
    """
    And on an older processor: numba and numpy do without its later instructions.

    :claim: The same seed gives the same messages and ground truth, bit for bit, with and without
        ROS
    :reference: each other
    """
    runs = []
    for name, program in (('one', COMMAND), ('two', (sys.executable, '-c', WITHOUT_ROS,
                                                     'record'))):
        folder = tmp_path / name
        done = subprocess.run(
            [*program, str(world), '--duration', '1', '--seed', '7', '--twist', '0.5', '-0.4',
             '-o', str(folder)], cwd=project, capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, 'PYTHONHASHSEED': str(len(runs)), **(OLDER if runs else {})})
        assert done.returncode == 0, done.stderr
        assert f'{folder}: 1 s, 18 topics' in done.stdout
        runs.append(folder)
    one, two = map(written, runs)
    assert one == two
    assert one['seed'] == 7 and one['complete'] and one['commands']['twist'] == [0.5, -0.4]
    assert by_rosbags(runs[0]) == by_rosbags(runs[1])
    for path in (runs[0] / 'ground_truth').iterdir():
        assert path.read_bytes() == (runs[1] / 'ground_truth' / path.name).read_bytes()


@pytest.mark.parametrize('how', [
    pytest.param(signal.SIGINT, id='SIGINT'), pytest.param(signal.SIGTERM, id='SIGTERM')])
@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_an_interrupted_run_is_a_bag(project: Path, world: Path, tmp_path: Path,
                                     how: signal.Signals, storage: str) -> None:
    folder = tmp_path / 'run'
    with long_run(project, world, folder, '--format', storage) as process:
        process.send_signal(how)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors.startswith('interrupted: the bag ends after')
    assert check_whole(folder) > 1000
    run = written(folder)
    assert not run['complete'] and not run['messages_given_up']
    last = (folder / 'ground_truth/base_link.tum').read_text().splitlines()[-1].split()
    assert round(float(last[0]) * 1e9) == run['end_ns']
    if storage == 'mcap':
        assert by_mcap(folder) == by_rosbags(folder)


def test_a_killed_run_leaves_all_but_the_last_chunk(
        project: Path, world: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'run'
    with long_run(project, world, folder) as process:
        process.kill()
    messages = by_recovery(folder / 'run.mcap')
    assert sum(len(message.data) for message in messages) > 1_000_000
    times = [message.time_ns for message in messages]
    assert times == sorted(times)
    assert len((folder / 'ground_truth/base_link.tum').read_text().splitlines()) > 100


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_a_full_disk_is_one_error_and_a_bag(
        project: Path, world: Path, tmp_path: Path, storage: str) -> None:
    """A limit on the size of files stands for the disk: it fails in the same place."""
    folder, limit = tmp_path / 'run', 3_000_000
    done = record(
        project, str(world), '--duration', '1e5', '-o', str(folder), '--format', storage,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f'error: {folder}: the recording cannot be written: ')
    assert line.endswith('free disk space, or choose another folder')
    assert check_whole(folder) > 1000
    run = written(folder)
    assert not run['complete'] and run['messages_given_up']
    assert {topic['sha256'] for topic in run['topics'].values()} == {None}
    if storage == 'mcap':
        assert by_mcap(folder) == by_rosbags(folder)


def test_ground_truth_has_whole_rows_on_a_full_disk(
        project: Path, world: Path, tmp_path: Path) -> None:
    """Here the files of ground truth meet the limit, long before the bag does."""
    folder, limit = tmp_path / 'run', 100_000
    done = record(
        project, str(world), '--duration', '1e5', '-o', str(folder), '--topics', '/clock',
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f'error: {folder}: the recording cannot be written: ')
    check_whole(folder)
    sizes = []
    for path in (folder / 'ground_truth').iterdir():
        rows = path.read_text().splitlines(keepends=True)
        sizes.append(path.stat().st_size)
        assert all(row.endswith('\n') for row in rows)
        assert len({row.count(' ') if path.suffix != '.csv' else row.count(',')
                    for row in rows if not row.startswith('#')}) == 1
    assert 0.99 * limit < max(sizes) <= limit
    assert main(['verify', str(folder)]) == 0


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
@pytest.mark.parametrize('limit', [
    pytest.param(100, id='no room for the bag'), pytest.param(40_000, id='none for its metadata'),
    pytest.param(70_000, id='none for messages')])
def test_no_room_to_begin_leaves_nothing(
        project: Path, tmp_path: Path, storage: str, limit: int) -> None:
    folder = tmp_path / 'run'
    script = f"""
import resource
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.ros.messages.qos import CLOCK
from mvsim_ros2.recording.bags.bag import Bag
from mvsim_ros2.recording.bags.storage import FAILURES
from mvsim_ros2.recording.serialiser import TYPES
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
bag = None
try:
    bag = Bag({str(folder)!r}, {storage!r})
    said = bag.add('/said', 'std_msgs/String', CLOCK)
    bag.write(said, 1, TYPES.std_msgs.String(data=2_000_000 * 'x'))
    bag.flush()
except FAILURES:
    bag.discard()
except RecordingError as error:
    assert 'cannot be written' in str(error) and bag is None
"""
    subprocess.run([sys.executable, '-c', script], cwd=project, check=True, timeout=PATIENCE)
    assert not folder.exists()


@pytest.mark.parametrize(('arguments', 'said'), [
    pytest.param(('--topics', '/nothing'), 'no topic is called', id='topic'),
    pytest.param(('--replay', 'nowhere'), 'nowhere.*No such file', id='replay')])
def test_mistakes_end_in_one_line(project: Path, world: Path, tmp_path: Path,
                                  arguments: tuple[str, ...], said: str) -> None:
    done = record(project, str(world), '-o', str(tmp_path / 'run'), *arguments)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert re.search(f'^error: .*{said}', line)
    assert not (tmp_path / 'run').exists()
