# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a trajectory against ground truth, computed by the program `evo`."""

from dataclasses import dataclass
import json
from pathlib import Path
import subprocess
from zipfile import ZipFile

import numpy as np

from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.frames import Array
from mvsim_ros2.studies.slam_benchmark.clients import program

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
