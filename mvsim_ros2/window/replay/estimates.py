# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories that SLAM estimated, over the true ones."""

from collections.abc import Mapping
import logging
from pathlib import Path

import numpy as np

from mvsim_ros2.errors import WindowError
from mvsim_ros2.frames import Array, quaternions, rotation_matrix, ypr_from_matrix
from mvsim_ros2.recording.export.trajectory import Trajectory
from mvsim_ros2.window.replay.recorded import Recording, rolled, Track, track_of, world_of

_LOG = logging.getLogger(__name__)

_TRUTH = 'ground_truth'  # folder
_BASE = 'base_link.tum'
_ENDS = '*_end.tum'  # of LiDARs, at the ends of their scans
_FEWEST = 3  # poses that two trajectories share
_ARM = 0.1  # m
_APART = 0.05  # s by which they may begin or end apart


def is_slam_result(folder: Path) -> bool:
    """Return whether a folder is what `benchmark slam` wrote for one world and seed."""
    return (folder / _TRUTH / _BASE).is_file() and not (folder / 'metadata.yaml').is_file()


def read_slam_result(path: str, world: str | None,
                     variables: Mapping[str, str]) -> list[Recording]:
    """
    Return the true run, and each estimate as a recording of its own.

    :param path: folder `RESULTS/WORLD/seed_N`.
    :param world: file or name of the world; None for the name of its folder.
    :raises WindowError: where there is no estimate, or the world has not one vehicle.
    :raises MvsimError: where the world cannot be read.
    """
    folder = Path(path)
    truth = folder / _TRUTH / _BASE
    spec = world_of(path, world, folder.resolve().parent.name, variables)
    if len(spec.vehicles) != 1:
        raise WindowError(f'{spec.path} has {len(spec.vehicles)} vehicles: SLAM is run with one')
    (vehicle,) = spec.vehicles
    true = track_of(read_tum(truth))
    real = Recording(path, spec, {vehicle.name: Track(
        true.times, true.poses, angles=rolled(vehicle, true.poses))})
    estimates = [each for each in sorted(folder.rglob('*tum*'))
                 if each.is_file() and each.suffix in ('.tum', '.txt')
                 and _TRUTH not in each.relative_to(folder).parts]
    if not estimates:
        raise WindowError(f'{path}: there is no estimated trajectory in this folder')
    return [real, *(read_estimate(each, real, _label(each, folder)) for each in estimates)]


def _label(file: Path, folder: Path) -> str:
    """Return the name of the program that wrote an estimate."""
    first = file.relative_to(folder).parts[0]
    return file.stem if first == file.name else first


def read_estimate(file: Path, real: Recording, label: str = '') -> Recording:
    """
    Return an estimated trajectory as a recording of the vehicle of another one.

    Rotation and translation, without a scale, align it to the ground truth by least squares. The
    source is Umeyama, *Least-squares estimation of transformation parameters between two point
    patterns*, PAMI 13 (1991), equations 40 to 42. It is that of the reference point of the vehicle
    or that of a LiDAR whose truth is known: whichever fits better.

    :param file: in the format of TUM: time, position, quaternion x y z w.
    :raises WindowError: where it cannot be read, or shares too little time with the truth.
    """
    estimate = read_tum(file)
    (name, *others), folder = real.tracks, Path(real.title)
    if others:
        raise WindowError(f'{file}: there are several vehicles in {real.title}: show a '
                          'trajectory over a run of one')
    base = _trajectory(real.tracks[name])
    references = [base, *(read_tum(each) for each in sorted((folder / _TRUTH).glob(_ENDS)))]
    fits = [_fit(estimate, reference, file) for reference in references]
    best = int(np.argmin([error for error, _ in fits]))
    error, onto = fits[best]
    _LOG.info('%s: %.3f m from the truth (root mean square, aligned)', label or file, error)
    carried = onto @ estimate.at(estimate.times_ns)
    if best:  # of a LiDAR: where the vehicle is that carries it
        at = references[best].times_ns[:1]
        mount = np.linalg.inv(base.at(at)[0]) @ references[best].at(at)[0]
        carried = carried @ np.linalg.inv(mount)
    poses = np.column_stack([carried[:, :3, 3], *ypr_from_matrix(carried[:, :3, :3])])
    spec = next(each for each in real.world.vehicles if each.name == name)
    return Recording(str(file), real.world, {name: Track(
        1e-9 * estimate.times_ns.astype(float), poses, angles=rolled(spec, poses))},
        label=label or file.stem)


def _fit(estimate: Trajectory, reference: Trajectory, file: Path) -> tuple[float, Array]:
    """
    Return the root mean square distance [m] and the motion (4, 4) onto a reference.

    It counts the places and those of `_ARM` along the axes of each pose, so that a straight way
    is not turned about itself.
    """
    times = estimate.times_ns
    shared = times[(times >= reference.times_ns[0] - 1e9 * _APART)
                   & (times <= reference.times_ns[-1] + 1e9 * _APART)]
    if len(shared) < _FEWEST:
        raise WindowError(f'{file}: {len(shared)} of its poses are within the time of the run, '
                          f'{_FEWEST} are needed: does it belong to this run?')
    here, there = estimate.at(shared), reference.at(shared)
    guess, true = here[:, :3, 3], there[:, :3, 3]
    middle, other = guess.mean(axis=0), true.mean(axis=0)
    turns = np.einsum('nij,nkj->ik', there[:, :3, :3], here[:, :3, :3])
    u, _, vt = np.linalg.svd((true - other).T @ (guess - middle) + _ARM ** 2 * turns)
    turn = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u) * np.linalg.det(vt))]) @ vt
    onto = np.eye(4)
    onto[:3, :3], onto[:3, 3] = turn, other - turn @ middle
    rest = guess @ turn.T + onto[:3, 3] - true
    return float(np.sqrt((rest ** 2).sum(axis=1).mean())), onto


def read_tum(file: Path) -> Trajectory:
    """Return a trajectory in the format of TUM; raise `WindowError` where it cannot be read."""
    try:
        table = np.loadtxt(file, ndmin=2)
    except (OSError, ValueError) as error:
        raise WindowError(f'{file}: not a trajectory in the format of TUM: {error}') from error
    if table.ndim != 2 or table.shape[1] != 8 or not len(table) or not np.isfinite(table).all():
        raise WindowError(f'{file}: not a trajectory in the format of TUM: rows of eight '
                          'numbers are needed, time, position, quaternion x y z w')
    table = table[np.argsort(table[:, 0], kind='stable')]
    return Trajectory(np.rint(1e9 * table[:, 0]).astype(np.int64), table[:, 1:4], table[:, 4:8]
                      / np.linalg.norm(table[:, 4:8], axis=1, keepdims=True))


def _trajectory(track: Track) -> Trajectory:
    turns = rotation_matrix(track.poses[:, 3], track.poses[:, 4], track.poses[:, 5])
    return Trajectory(np.rint(1e9 * track.times).astype(np.int64), track.poses[:, :3],
                      quaternions(turns))
