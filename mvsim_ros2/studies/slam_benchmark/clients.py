# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""SLAM packages as clients of a benchmark, and scores of their trajectories."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points, PackageNotFoundError, version
from importlib.util import find_spec
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys
import time
from types import MappingProxyType
from zipfile import ZipFile

import numpy as np

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.frames import Array


@dataclass(frozen=True)
class Topics:
    """The topics that a client reads from a bag."""

    points: str
    imu: str


@dataclass(frozen=True)
class Client:
    """
    A SLAM package.

    Placeholders in `command` are `{bag}`, `{folder}` for the results, the topics `{points}` and
    `{imu}`, `{python}` and `{share}`, the files of this package.
    """

    name: str
    module: str  # required package
    package: str  # its name on PyPI
    truth: str  # reference of its trajectory: 'base_link', or 'lidar' at the end of scans
    command: tuple[str, ...]
    result: str  # pattern of the trajectory in the folder
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def version(self) -> str:
        """Return the version of its package, '-' where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return '-'

    @property
    def is_installed(self) -> bool:
        """Return whether its package is installed."""
        return find_spec(self.module) is not None


_KISS = ('kiss_icp_pipeline', '--dataloader', 'rosbag', '--topic', '{points}', '{bag}')
_KNOWN = (
    Client('kiss-icp', 'kiss_icp', 'kiss-icp', 'lidar', _KISS, '*/*_poses_tum.txt',
           (('kiss_icp_out_dir', '{folder}'),)),
    # without times of the points
    Client('kiss-icp-no-time', 'kiss_icp', 'kiss-icp', 'lidar', _KISS, '*/*_poses_tum.txt',
           (('kiss_icp_out_dir', '{folder}'), ('kiss_icp_data', '{"deskew": false}'))),
    Client('genz-icp', 'genz_icp', 'genz-icp', 'lidar', (
        'genz_icp_pipeline', '--dataloader', 'rosbag', '--topic', '{points}', '{bag}'),
        '*/*_poses_tum.txt', (('genz_icp_out_dir', '{folder}'),)),
    Client('rko-lio', 'rko_lio', 'rko_lio', 'lidar', (
        'rko_lio', '--dataloader', 'rosbag', '--lidar', '{points}', '--imu', '{imu}',
        '--log', '--log_dir', '{folder}', '--run_name', 'run', '{bag}'), '*/*_tum.txt'),
    Client('yag-slam', 'yag_slam', 'yag-slam', 'base_link', (
        '{python}', '{share}/benchmarks/slam/yag_slam_client.py', '{bag}',
        '{folder}/yag_slam_tum.txt'), '*_tum.txt'))
# those of other packages are added by entry points of this group, each a `Client`
GROUP = 'mvsim_ros2.slam_clients'


@cache
def known_clients() -> Mapping[str, Client]:
    """Return the clients by name: this package's, then others."""
    return MappingProxyType({client.name: client for client in (
        *_KNOWN, *(each.load() for each in entry_points(group=GROUP)))})


def program(name: str) -> str:
    """Return the path of a program, in the folder of the interpreter or on PATH."""
    found = shutil.which(name, path=os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get('PATH', '')]))
    if found is None:
        raise BenchmarkError(
            f"there is no program {name}: pip install 'mvsim_ros2[slam]' to have it")
    return found


def run_client(client: Client, bag: Path, topics: Topics, folder: Path) -> tuple[Path, float]:
    """
    Run a client on a bag; raise `BenchmarkError` where it fails or writes no trajectory.

    :returns: its trajectory (TUM) and run time [s].
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = {'bag': str(bag.resolve()), 'folder': str(folder.resolve()), 'points': topics.points,
             'imu': topics.imu, 'python': sys.executable, 'share': str(share_directory())}

    def filled(text: str) -> str:
        for name, word in words.items():
            text = text.replace(f'{{{name}}}', word)
        return text

    first, *rest = (filled(word) for word in client.command)
    log = folder / 'output.txt'
    begin = time.monotonic()
    with log.open('w') as output:
        ended = subprocess.run(
            [program(first), *rest], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **{name: filled(text) for name, text in
                                  client.environment}})
    lasted = time.monotonic() - begin
    found = sorted(folder.glob(client.result))
    if ended.returncode or not found:
        lines = log.read_text(errors='replace').split('\n')
        raise BenchmarkError(
            f'{client.name} ended with code {ended.returncode} and '
            f'{"a" if found else "no"} trajectory; its last output, in {log}: '
            f'{" / ".join(line.strip() for line in lines[-4:] if line.strip())}')
    return found[0], lasted


APART = 0.02  # s, largest time difference of two compared poses
DELTA = 10  # m, distance over which drift is measured
_APE, _RPE = 'evo_ape', 'evo_rpe'


@dataclass(frozen=True, eq=False)
class Score:
    """Errors of one run."""

    ape: float  # m, root mean square of the absolute error after rigid alignment (SE3)
    worst: float  # m, maximum
    drift: float  # relative error over DELTA, root mean square; NaN for a shorter path
    times: Array  # s
    errors: Array  # m, absolute, at these times
    aligned: Array  # the estimated positions in the frame of the true ones [m], shape (N, 3)


def check_evaluators() -> None:
    """Look for the programs that compare trajectories, before hours of recording."""
    program(_APE)
    program(_RPE)


def score(truth: Path, estimate: Path) -> Score:
    """Compare two trajectories in files of the TUM format."""
    statistics, arrays = _evo(_APE, truth, estimate, '--align')
    drift = float('nan')
    if _length(truth) > 2 * DELTA:
        relative, _ = _evo(_RPE, truth, estimate, '--align', '--delta', str(DELTA),
                           '--delta_unit', 'm')
        drift = relative['rmse'] / DELTA
    move = arrays['alignment_transformation_sim3']
    positions = np.loadtxt(estimate, ndmin=2)[:, 1:4] @ move[:3, :3].T + move[:3, 3]
    return Score(statistics['rmse'], statistics['max'], drift, arrays['timestamps'],
                 arrays['error_array'], positions)


def _evo(command: str, truth: Path, estimate: Path, *options: str,
         ) -> tuple[dict[str, float], dict[str, Array]]:
    """Return the statistics and the arrays of one call of evo."""
    results = estimate.with_suffix(f'.{command}.zip')
    results.unlink(missing_ok=True)
    ended = subprocess.run(
        [program(command), 'tum', str(truth), str(estimate), *options, '--t_max_diff', str(APART),
         '--save_results', str(results), '--no_warnings'],
        capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if ended.returncode or not results.is_file():
        said = (ended.stdout + ended.stderr).strip()[-300:]
        if 'Degenerate' in said:
            said += ' (a path along one line can be turned about itself: drive around a corner)'
        raise BenchmarkError(f'{command} cannot compare {estimate} with {truth}: {said}')
    with ZipFile(results) as archive:
        statistics = json.loads(archive.read('stats.json'))
        arrays = {}
        for name in archive.namelist():
            if name.endswith('.npy'):
                with archive.open(name) as file:
                    arrays[Path(name).stem] = np.load(file)
    return statistics, arrays


def _length(trajectory: Path) -> float:
    """Return the length of a trajectory [m]."""
    positions = np.loadtxt(trajectory, ndmin=2)[:, 1:4]
    return float(np.linalg.norm(np.diff(positions, axis=0), axis=1).sum())
