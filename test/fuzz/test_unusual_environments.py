# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Each command in environments that are not as usual: it does its work, or says in a line why not.

:claim: In any environment, commands end without a traceback and name every result that is missing
:reference: commands in 20 environments by hand, 12 combinations in the tests

All of them: MVSIM_ENVIRONMENTS=1.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys

import pytest
from two_wheels import ROBOT

from mvsim_ros2.cli import main

WHOLE = bool(os.environ.get('MVSIM_ENVIRONMENTS'))
PATIENCE = 300  # s of the processor, whatever else runs
HANGS = 3600.0  # s of the wall clock, for what waits for ever
ROOT = Path(__file__).resolve().parents[2]
# the words of each verb, and what it writes; IN has the files that it reads
VERBS = {
    'new': ('new OUT.world.xml', 'OUT.world.xml'), 'check': ('check IN/one.world.xml', ''),
    'view': ('view IN/one.world.xml --no-browser --port 0 --duration 0.1', ''),
    'export': ('view IN/one.world.xml --export OUT.html --duration 0.2', 'OUT.html'),
    'replay': ('view IN/bag --no-browser --port 0 --duration 0.1', ''),
    'picture': ('picture IN/one.world.xml --top -o OUT.png', 'OUT.png'),
    'video': ('picture IN/one.world.xml --video --size 64x48 --after 0 --duration 0.1 -o OUT.mp4',
              'OUT.mp4'),
    'log': ('log IN/one.world.xml --duration 0.1 -o OUT', 'OUT'),
    'plot': ('plot IN/logs -o OUT.png', 'OUT.png'), 'tune': ('tune IN/one.world.xml r1', ''),
    'record': ('record IN/one.world.xml --duration 0.1 -o OUT', 'OUT/manifest.sha256'),
    'verify': ('verify IN/bag', ''),
    'convert': ('convert IN/bag --to euroc -o OUT', 'OUT/mav0'),
    'sweep': ('sweep IN/plan.yaml --workers 0 -o OUT', 'OUT/summary.csv'),
    'experiment': ('experiment stops -o OUT', 'OUT'),
    'convert-urdf': ('convert-urdf IN/robot.urdf --no-drive -o OUT.xml', 'OUT.xml'),
    'completion': ('completion bash', ''), 'help': ('--help', ''), 'version': ('--version', '')}
# goes back and forth by a day at each look
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t) {
  static int (*real)(clockid_t, struct timespec *), calls;
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int code = real(id, t);
  if (id == CLOCK_REALTIME) t->tv_sec += (calls++ % 3 - 1) * 86400;
  return code;
}"""
WORLD = """<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class=
"differential"><controller class="twist_pid"/></dynamics><sensor class="imu" name="imu"/></vehicle>
</mvsim_world>"""


@pytest.fixture(scope='session')
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide what the commands read."""
    folder = tmp_path_factory.mktemp('files')
    (folder / 'one.world.xml').write_text(WORLD)
    (folder / 'robot.urdf').write_text(ROBOT)
    (folder / 'plan.yaml').write_text('worlds: [one.world.xml]\nduration: 0.1\n')
    for verb, place in ('log', 'logs'), ('record', 'bag'):
        assert main([verb, str(folder / 'one.world.xml'), '--duration', '0.2', '-o',
                     str(folder / place)]) == 0
    (folder / 'clock.c').write_text(CLOCK)
    if shutil.which('cc'):
        subprocess.run(['cc', '-shared', '-fPIC', '-o', 'clock.so', 'clock.c', '-ldl'], cwd=folder,
                       check=True)
    return folder


@contextmanager
def no_change(folder: Path) -> Iterator[None]:
    """Change nothing."""
    yield


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a disk of 1 MB with 64 kB of room at a folder, where root can."""
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', str(folder)],
                      capture_output=True).returncode:
        pytest.skip('only root can mount a small disk, and not in every container')
    try:
        (folder / 'filling').write_bytes(bytes(960 * 1024))
        yield
    finally:
        subprocess.run(['umount', '--lazy', str(folder)], check=True)


# words of the shell before a command, variables, and what is done to the folder of its output
Way = tuple[str, dict[str, str], Callable[[Path], object]]
WAYS: dict[str, Way] = {
    'home that cannot be written': ('', {'HOME': '/proc', 'XDG_CACHE_HOME': '/proc/cache'},
                                    no_change),
    'no home': ('unset HOME XDG_CACHE_HOME XDG_CONFIG_HOME;', {}, no_change),
    'small disk': ('', {}, small_disk),
    'Turkish': ('', {'LANG': 'tr_TR.UTF-8', 'LC_ALL': 'tr_TR.UTF-8'}, no_change),
    'C': ('', {'LANG': 'C', 'LC_ALL': 'C', 'PYTHONUTF8': '0', 'PYTHONCOERCECLOCALE': '0'},
          no_change),
    'closed output': ('exec >&-;', {}, no_change), 'closed input': ('exec <&-;', {}, no_change),
    'closed errors': ('exec 2>&-;', {}, no_change),
    'output is full': ('exec >/dev/full;', {}, no_change),
    'optimised': ('', {'PYTHONOPTIMIZE': '2'}, no_change),
    'warnings are errors': ('', {'PYTHONWARNINGS': 'error'}, no_change),
    'few files': ('ulimit -n 24;', {}, no_change),
    'very few files': ('ulimit -n 9;', {}, no_change),
    'little memory': ('ulimit -v 700000;', {}, no_change),
    'very little memory': ('ulimit -v 250000;', {}, no_change),
    'small files only': ('ulimit -f 16;', {}, no_change),
    'few processes': ('ulimit -u 1;', {}, no_change),
    'steps of the clock': ('', {'LD_PRELOAD': 'CLOCK'}, no_change),
    'no terminal': ('', {'TERM': '', 'COLUMNS': '0'}, no_change),
    'hash seed': ('', {'PYTHONHASHSEED': '1', 'PYTHONDONTWRITEBYTECODE': '1'}, no_change)}
FOLDERS = {'usual': 'out', 'spaces': 'a b', 'line': 'a\nb', 'letters': 'ä🚗 ς', 'dash': '-x',
           'percent': '%s{0}$HOME'}
USUAL = [('check', 'home that cannot be written'), ('log', 'no home'), ('record', 'small disk'),
         ('plot', 'small disk'), ('check', 'Turkish'), ('verify', 'closed output'),
         ('convert', 'closed input'), ('log', 'warnings are errors'), ('check', 'few files'),
         ('check', 'very little memory'), ('convert-urdf', 'optimised'),
         ('record', 'steps of the clock')]


def ended(words: str, folder: Path, files: Path, way: str = '',
          **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    shell, given, _ = WAYS.get(way, ('', {}, no_change))
    if 'LD_PRELOAD' in given:
        given = {'LD_PRELOAD': str(files / 'clock.so')}
    names = {name: value for name, value in os.environ.items()
             if not name.startswith(('LC_', 'LANG', 'PYTHON', 'MVSIM'))}
    program = [sys.executable, '-m', 'mvsim_ros2', *words.replace('IN', str(files)).replace(
        'OUT', './OUT').split()]
    return subprocess.run(
        ['bash', '-c', f'ulimit -t {PATIENCE}; {shell} exec "$@"', 'bash', *program], cwd=folder,
        text=True, capture_output=True, timeout=HANGS, errors='replace',
        env=names | {'PYTHONPATH': str(ROOT), 'XDG_CACHE_HOME': str(files / 'cache')} | given
        | variables)


def check(done: subprocess.CompletedProcess[str], verb: str, folder: Path) -> None:
    """Check that a command did its work, or said in a line why not."""
    said = done.stdout + done.stderr
    assert 'Traceback' not in said and 'this is a bug' not in said, said
    assert done.returncode in (0, 1, 2), said
    written = VERBS[verb][1]
    if done.returncode == 0:
        assert not written or (folder / written).exists(), said
    else:
        assert not done.stderr or re.search('error: .{10}', done.stderr), said


@pytest.mark.parametrize(('verb', 'way'), [
    (verb, way) for way in WAYS for verb in VERBS] if WHOLE else USUAL)
def test_a_command_in_another_environment(
        verb: str, way: str, files: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'out'
    folder.mkdir()
    with WAYS[way][2](folder):
        check(ended(VERBS[verb][0], folder, files, way), verb, folder)


@pytest.mark.parametrize('name', FOLDERS if WHOLE else ['line'])
@pytest.mark.parametrize('verb', VERBS if WHOLE else ['record'])
def test_a_command_in_a_folder_with_another_name(
        verb: str, name: str, files: Path, tmp_path: Path) -> None:
    folder = tmp_path / FOLDERS[name]
    folder.mkdir()
    done = ended(VERBS[verb][0].replace('IN/', './'), folder, files) if verb == 'new' else ended(
        VERBS[verb][0], folder, files)
    assert done.returncode == 0, done.stderr
    check(done, verb, folder)


@pytest.mark.skipif(not WHOLE, reason='compiles all kernels: set MVSIM_ENVIRONMENTS=1')
def test_kernel_caches(files: Path, tmp_path: Path) -> None:
    """Two first runs at once, 50 at once, a damaged cache, that of another version: one result."""
    cache = tmp_path / 'kernels'
    cache.mkdir()
    logs: set[str] = set()

    def run(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        done = ended('log IN/one.world.xml --duration 0.05 -o OUT', folder, files,
                     NUMBA_CACHE_DIR=str(cache))
        assert (done.returncode, done.stderr) == (0, ''), done.stderr
        logs.add((folder / 'OUT/mvsim_r1_pose.csv').read_text())

    with ThreadPoolExecutor(50) as threads:
        list(threads.map(run, range(2)))
        list(threads.map(run, range(2, 52)))
    kernels = sorted(cache.rglob('*.nbc'))
    for number, kernel in enumerate(kernels[::5]):
        data = kernel.read_bytes()
        middle = len(data) // 2
        damaged = b'', data[:middle], data[:middle] + b'x' + data[middle + 1:]
        kernel.write_bytes(damaged[number % 3])
    run(52)
    for kernel in kernels[::5]:
        kernel.rename(kernel.with_name(kernel.name.replace('.py3', '.py2')))
    run(53)
    assert len(logs) == 1
