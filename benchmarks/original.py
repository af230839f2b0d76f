# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time beside MVSim, the original in C++, on the same worlds, in turn and on one core.

    python benchmarks/original.py --original BUILD [--pairs N] [--rows REGEX]

Each simulator loads a world (`original_worlds.py`) and warms up; then, in each of N rounds, MVSim,
mode `mvsim` and mode `physical` make the same steps one after another. Prints medians, how many
times faster this package is, and the range of the original; sensors cost what a world with them
takes above the same without. Then how far apart vehicles are in both after 10 s.

BUILD is the folder in which MVSim was built by CMake: the benchmark reads CMakeCache.txt and
cmake/mvsim-simulator-config.cmake there, and compiles `mvsim_driver/driver.cpp` against the
library (a compiler and CMake are needed), which runs a world through the class `mvsim::World`.
The Python module of MVSim only talks to a server, and `mvsim-cli` keeps pace with the clock.
What cameras and LiDARs see is drawn when one is due, not all the time as by `mvsim-cli`, but by
the same call, which also prepares scans to be shown in a window: without that, VLP-16, OS1-64 and
OS1-128 are 1.3, 1.7 and 1.9 times as fast. Shadows, which MVSim sets up with its window only, are
set up likewise.

The figures of docs/performance-mvsim.md are of MVSim 1.2.0 with MRPT 2.15.9, both built for
release, and Box2D with -O3, which by itself MVSim builds without optimisation:

    git clone --branch 1.2.0 --recursive https://github.com/MRPT/mvsim
    CXXFLAGS='-O3 -DNDEBUG' cmake -S mvsim -B BUILD -DCMAKE_BUILD_TYPE=Release \
        -DMVSIM_WITH_ZMQ=OFF -DMVSIM_WITH_PROTOBUF=OFF -DMVSIM_WITH_PYTHON=OFF
    cmake --build BUILD --target mvsim-simulator

with -DCMAKE_PREFIX_PATH=PATH where MRPT is not installed, but built in PATH
(https://github.com/MRPT/mrpt, tag 2.15.9, -DCMAKE_BUILD_TYPE=Release).

:claim: Cost of steps, scans, images and loading, compared with MVSim
:reference: MVSim 1.2.0 in C++, on the same worlds in one run
"""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
import math
import os
from pathlib import Path
import re
import statistics
import subprocess
import sys
import tempfile
import time
from types import TracebackType

from original_worlds import write_worlds

from mvsim_ros2 import Simulation
from mvsim_ros2.jit.kernel import use_machine_code

HERE = Path(__file__).resolve()
MVSIM, MODES = 'original', ('mvsim', 'physical')
US, BEAMS, IMAGES, SECONDS = 'us', 'M beams/s', 'images/s', 's'
FIRST_SCAN, LOADING = 'first scan', 'loading'
_SERVE = '--serve'
_ENVIRONMENT = dict(os.environ)
_ENVIRONMENT.pop('PYTHONDONTWRITEBYTECODE', None)  # what is installed has its bytecode


@dataclass(frozen=True)
class Row:
    """A row: `count` vehicle-steps, scans, beams or images are made by `calls` of `steps`."""

    name: str
    world: str
    unit: str
    count: float = 1.0
    calls: int = 0
    steps: int = 20
    bare: str = ''  # the world whose time is subtracted
    what: str = ''  # of loading

    @property
    def beside(self) -> bool:
        """Return whether MVSim has it: its LiDARs take snapshots only."""
        return not self.world.endswith('rolling')


def lidar_rows(name: str, world: str, beams: int, calls: int) -> list[Row]:
    """Return the rows of a LiDAR among boxes."""
    return [Row(f'{name}, {kind}', f'boxes_{world}{ending}', BEAMS, calls * beams, calls,
                bare='boxes_bare')
            for kind, ending in (('snapshots', ''), ('rolling', '_rolling'))]


ROWS = [
    Row('a vehicle and step, 1 robot, 20 steps a call', 'robots_1', US, 1e5, 5000),
    Row('1 robot, a step a call', 'robots_1', US, 5e4, 50_000, 1),
    *(Row(f'{count} robots', f'robots_{count}', US, 1e5, 5000 // count)
      for count in (10, 50, 100, 200)),
    Row('a step of 1000 robots', 'robots_1000', US, 200, 10),
    Row('50 robots that push each other', 'crowd', US, 5e4, 50),
    Row('50 robots in an arena with 40 boxes', 'arena', US, 5e4, 50),
    Row('50 robots on a grid map', 'map_50', US, 2e4, 20),
    Row('1 robot that pushes a wall of a grid', 'map_wall', US, 2e4, 1000),
    Row('a scan of 360 rays, 1 robot', 'hall_1_laser', US, 1000, 1000, bare='hall_1_bare'),
    Row('a scan of 360 rays, 100 robots', 'hall_100_laser', US, 2000, 20, bare='hall_100_bare'),
    *lidar_rows('VLP-16 among boxes', 'vlp16', 16 * 1800, 40),
    *lidar_rows('OS1-64', 'os1_64', 64 * 1024, 20),
    *lidar_rows('OS1-128', 'os1_128', 128 * 2048, 10),
    *(Row(name, f'boxes_{world}', IMAGES, 20, 20, bare='boxes_bare') for name, world in (
        ('colour 640 x 480 without shadows', 'colour'), ('colour with shadows', 'colour_shadows'),
        ('depth', 'depth'), ('colour and depth', 'rgbd'))),
    Row('until the first scan, whole process', 'hall_1_laser', SECONDS, what=FIRST_SCAN),
    Row('10,000 blocks that stand, and a step', 'blocks_10000', SECONDS, what=LOADING),
    Row('a map of 4000 x 4000 cells, and a step', 'map_4000', SECONDS, what=LOADING),
    Row('1000 robots, and a step', 'robots_1000', SECONDS, what=LOADING),
]
PLACED = 'robots_50', 'crowd', 'map_50'  # worlds whose vehicles are compared after 10 s


class Server:
    """A process with a world, driven by lines: see `mvsim_driver/driver.cpp`."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it, and wait until it is ready."""
        self._errors = tempfile.TemporaryFile('w+')
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            text=True, env=_ENVIRONMENT)
        _, loading, *version = self._answer().split()
        self.loading, self.version = float(loading), ' '.join(version)

    def __enter__(self) -> 'Server':
        """Return the server."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """End the process."""
        self._process.communicate()
        self._errors.close()

    def _answer(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout else ''
        if not line:
            self._process.wait()
            self._errors.seek(0)
            raise SystemExit(f'{self._process.args!r} ended:\n{self._errors.read()}')
        return line

    def _ask(self, line: str) -> str:
        if self._process.stdin:
            self._process.stdin.write(f'{line}\n')
            self._process.stdin.flush()
        return self._answer()

    def run(self, calls: int, steps: int) -> tuple[float, int, float]:
        """Return the CPU time of calls [s], the observations, and CPU time of the process [s]."""
        took, seen, whole = self._ask(f'{calls} {steps}').split()
        return float(took), int(seen), float(whole)

    def poses(self) -> dict[str, list[float]]:
        """Return x, y [m] and yaw of all vehicles."""
        poses, line = {}, self._ask('poses').split()
        while line != ['end']:
            poses[line[0]] = [float(number) for number in line[1:]]
            line = self._answer().split()
        return poses


class Players:
    """MVSim and this package, with their worlds in a folder."""

    def __init__(self, build: Path, folder: Path) -> None:
        """Compile the driver of MVSim, write the worlds."""
        self.folder = folder
        self.driver = compiled_driver(build, folder / 'driver')
        write_worlds(folder)

    def server(self, kind: str, world: str, compiled: bool = True) -> Server:
        """Start one; `compiled`: our kernels are there before the world is loaded."""
        path = str(self.folder / f'{world}.world.xml')
        if kind == MVSIM:
            drawn = ['--drawn'] * (world.startswith('boxes') and world != 'boxes_bare')
            return Server([self.driver, path, *drawn, *['--shadows'] * world.endswith('shadows')])
        return Server([sys.executable, str(HERE), _SERVE, kind, path, *['compiled'] * compiled])

    def loads(self, row: Row, pairs: int) -> dict[str, list[float]]:
        """Return the CPU times of a row of loading [s]; the first, which compiles, left out."""
        taken: dict[str, list[float]] = {kind: [] for kind in (MVSIM, *MODES)}
        for _ in range(pairs + 1):
            for kind, times in taken.items():
                with self.server(kind, row.world, compiled=False) as server:
                    step = server.run(1, 1)[0]
                    whole = server.run(1, 20)[2]
                    times.append(whole if row.what == FIRST_SCAN else server.loading + step)
        return {kind: times[1:] for kind, times in taken.items()}

    def steps(self, row: Row, pairs: int) -> dict[str, list[float]]:
        """Return the values of a row of steps in its unit, from worlds that go on running."""
        kinds = (MVSIM, *MODES) if row.beside else MODES
        taken: dict[str, list[float]] = {kind: [] for kind in kinds}
        seen = set()
        with ExitStack() as ends:
            servers = {kind: [ends.enter_context(self.server(kind, world))
                              for world in (row.world, row.bare) if world] for kind in kinds}
            for ready in servers.values():
                for server in ready:
                    for part in 20, 5:
                        server.run(row.calls // part or 1, row.steps)
            for _ in range(pairs):
                for kind, (server, *bare) in servers.items():
                    took, observations, _ = server.run(row.calls, row.steps)
                    seen.add(observations)
                    took -= sum(other.run(row.calls, row.steps)[0] for other in bare)
                    taken[kind].append(in_unit(row, took))
        if len(seen) > 1:
            raise SystemExit(f'{row.name}: not all measure as often: {sorted(seen)}')
        return taken

    def apart(self, world: str) -> float:
        """Return how far apart [m] vehicles are at most after 10 s, in mode mvsim."""
        places = []
        for kind in MVSIM, 'mvsim':
            with self.server(kind, world) as server:
                server.run(100, 20)
                places.append(server.poses())
        return max(math.dist(places[0][name][:2], place[:2])
                   for name, place in places[1].items())


def compiled_driver(build: Path, folder: Path) -> str:
    """Compile the driver of MVSim against a build of it; return its path."""
    cache = (build / 'CMakeCache.txt').read_text(encoding='utf-8')
    found = re.findall(r'^((?:mrpt-\w+|box2d)_DIR):\w+=(.+)$', cache, re.MULTILINE)
    for command in (
            ['cmake', '-S', str(HERE.parent / 'mvsim_driver'), '-B', str(folder),
             '-DCMAKE_BUILD_TYPE=Release', f'-Dmvsim-simulator_DIR={build / "cmake"}',
             *(f'-D{name}={path}' for name, path in found)],
            ['cmake', '--build', str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f'{" ".join(command)}\n{done.stdout}{done.stderr}')
    return str(folder / 'driver')


def in_unit(row: Row, seconds: float) -> float:
    """Return what some CPU time is in the unit of a row."""
    if row.unit == US:
        return 1e6 * seconds / row.count
    return row.count / seconds / (1e6 if row.unit == BEAMS else 1.0)


def serve(mode: str, path: str, *compiled: str) -> None:
    """Be the `Server` of this package: answer lines as `mvsim_driver/driver.cpp` does."""
    if compiled:
        use_machine_code()
    begin = time.process_time()
    simulation = Simulation.from_file(path, physics=mode)
    for line in Path(f'{path}.twists').read_text(encoding='utf-8').splitlines():
        name, v, w = line.split()
        simulation.vehicles[name].set_twist(float(v), float(w))
    print(f'ready {time.process_time() - begin:.9f} mode {mode}', flush=True)
    for line in sys.stdin:
        if line == 'poses\n':
            for name, vehicle in simulation.vehicles.items():
                pose = vehicle.pose
                print(f'{name} {pose.x:.9f} {pose.y:.9f} {pose.yaw:.9f}')
            print('end', flush=True)
            continue
        calls, steps = (int(word) for word in line.split())
        seen, step, begin = 0, simulation.step, time.process_time()
        for _ in range(calls):
            seen += len(step(steps))
        end = time.process_time()
        print(f'{end - begin:.9f} {seen} {end:.9f}', flush=True)


def line_of(row: Row, taken: dict[str, list[float]]) -> str:
    """Return a line of the table."""
    original, *ours = (statistics.median(taken[kind]) if kind in taken else math.nan
                       for kind in (MVSIM, *MODES))
    less = row.unit in (US, SECONDS)
    ratios = (original / value if less else value / original for value in ours)
    numbers = [f'{value:10.4g}' for value in (original, *ours)] + [f'{x:12.2f}' for x in ratios]
    edges = f'   {min(taken[MVSIM]):.4g}..{max(taken[MVSIM]):.4g}' if MVSIM in taken else ''
    return f'{row.name:44}{row.unit:>10}{"".join(numbers).replace("nan", "  -")}{edges}'


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    if arguments[:1] == [_SERVE]:
        serve(*arguments[1:])
        return
    about = (__doc__ or '').strip()
    parser = argparse.ArgumentParser(
        description=about.partition('\n:claim')[0],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--original', type=Path, metavar='BUILD', help='where MVSim was built')
    parser.add_argument('--pairs', type=int, default=3, metavar='N', help='rounds (3)')
    parser.add_argument('--rows', default='', metavar='REGEX', help='of the names of rows')
    options = parser.parse_args(arguments)
    if options.original is None:
        parser.exit(2, f'{parser.format_help()}\nA build of MVSim is needed: --original BUILD\n')
    build = options.original.resolve()
    for needed in 'CMakeCache.txt', 'cmake/mvsim-simulator-config.cmake':
        if not (build / needed).is_file():
            parser.error(f'MVSim was not built in {build}: there is no {needed}; --help says how')
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # and all that is started here
    with tempfile.TemporaryDirectory() as folder:
        players = Players(build, Path(folder))
        with players.server(MVSIM, 'robots_1') as server:
            version = server.version
        version = f'MVSim {version_of(build)}, {version}'
        print(f'{version:44}{"unit":>10}' + ''.join(f'{kind:>10}' for kind in (MVSIM, *MODES))
              + ''.join(f'{f"{kind} x":>12}' for kind in MODES) + '   original, range')
        for row in ROWS:
            if re.search(options.rows, row.name):
                taken = (players.loads if row.what else players.steps)(row, options.pairs)
                print(line_of(row, taken), flush=True)
        for world in PLACED:
            if re.search(options.rows, f'vehicles of {world}'):
                print(f'vehicles of {world} after 10 s: at most {players.apart(world):.2g} m '
                      'apart', flush=True)


def version_of(build: Path) -> str:
    """Return the version of MVSim."""
    text = (build / 'cmake/mvsim-simulator-config-version.cmake').read_text(encoding='utf-8')
    found = re.search(r'PACKAGE_VERSION "(.*)"', text)
    return found[1] if found else ''


if __name__ == '__main__':
    main(sys.argv[1:])
