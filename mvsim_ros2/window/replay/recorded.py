# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that were recorded, as tracks of vehicles and measurements by time."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import MvsimError, WindowError
from mvsim_ros2.frames import Array, Pose, rotations, wrap_angle, ypr_from_matrix
from mvsim_ros2.pictures.perspective import PosedObservation
from mvsim_ros2.recording.export.trajectory import Trajectory
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import VehicleSpec, WorldSpec

# by sensor: times [s], growing, and what was measured; `carrier` is the frame of the measurement
Measurements = dict[str, list[tuple[float, PosedObservation]]]


@dataclass(frozen=True, eq=False)
class Track:
    """Where a vehicle was."""

    times: Array  # (n,): growing [s]
    poses: Array  # (n, 6): x, y, z [m], yaw, pitch, roll [rad], world frame
    believed: Array | None = None  # (n, 3): x, y, yaw by its odometry, from where it started
    angles: Array | None = None  # (n, wheels): how far the wheels have turned [rad]
    steers: Array | None = None  # (n, wheels): how they are steered [rad]

    def at(self, time: float) -> 'Track':
        """Return the state at a time as a track of one row: linear between two rows."""
        place = float(np.interp(time, self.times, np.arange(len(self.times))))
        low = min(int(place), max(0, len(self.times) - 2))
        high, share = min(low + 1, len(self.times) - 1), place - low

        def between(rows: Array | None) -> Array | None:
            return None if rows is None else (
                (1.0 - share) * rows[low] + share * rows[high])[None]

        step = self.poses[high] - self.poses[low]
        step[3:] = wrap_angle(step[3:])
        return Track(np.array([time]), (self.poses[low] + share * step)[None],
                     between(self.believed), between(self.angles), between(self.steers))


def track_of(true: Trajectory) -> Track:
    """Return a trajectory as a track without wheels."""
    angles = ypr_from_matrix(rotations(true.quaternions))
    return Track(1e-9 * true.times_ns.astype(float), np.column_stack([true.positions, *angles]))


@dataclass(frozen=True, eq=False)
class Recording:
    """One run."""

    title: str
    world: WorldSpec
    tracks: dict[str, Track]  # by name of the vehicle
    seen: Measurements = field(default_factory=dict)
    blocks: Mapping[str, Track] = field(default_factory=dict)  # of those whose motion is known
    figures: Mapping[int, Track] = field(default_factory=dict)  # by row of `MoverStates.figures`
    collisions: tuple[float, ...] = ()  # when vehicles began to touch something [s]
    label: str = ''  # of its vehicles where it is shown as a ghost

    @property
    def start(self) -> float:
        """Return when it begins [s]."""
        return min(float(track.times[0]) for track in self.tracks.values())

    @property
    def end(self) -> float:
        """Return when it ends [s]."""
        return max(float(track.times[-1]) for track in self.tracks.values())

    def last_seen(self, time: float) -> list[PosedObservation]:
        """Return what each sensor measured last at a time."""
        found = []
        for measurements in self.seen.values():
            row = bisect_right(measurements, time, key=lambda each: each[0]) - 1
            if row >= 0:
                found.append(measurements[row][1])
        return found


def seen_where(seen: PosedObservation) -> Pose:
    """Return the pose of the frame of a measurement of a recording in the world."""
    return seen.carrier


def rolled(spec: VehicleSpec, poses: Array) -> Array:
    """
    Return how far the wheels have turned where only poses are known, shape (n, wheels) [rad].

    They roll without slip and without being steered.
    """
    steps = np.diff(poses[:, :2], axis=0, prepend=poses[:1, :2])
    ahead = steps[:, 0] * np.cos(poses[:, 3]) + steps[:, 1] * np.sin(poses[:, 3])
    turns = wrap_angle(np.diff(poses[:, 3], prepend=poses[0, 3]))
    return np.stack([np.cumsum(ahead - wheel.pos[1] * turns) / wheel.radius
                     for wheel in spec.dynamics.wheels], axis=1)


def world_of(path: object, named: str | None, recorded: str | None,
             variables: Mapping[str, str]) -> WorldSpec:
    """
    Return the world of a recording: the one that is named, or else the one that it names.

    :param path: of the recording.
    :param named: file or name of a world, None for none.
    :param recorded: what the recording says.
    :raises WindowError: where neither is there.
    :raises MvsimError: where it cannot be loaded.
    """
    if not (named or recorded):
        raise WindowError(f'{path} does not name the world of its recording: give --world')
    try:
        return load_world(world_path(named or recorded or ''), variables)
    except MvsimError as error:
        if named:
            raise
        raise WindowError(f'{path} was recorded in {recorded}, which cannot be loaded here '
                          f'({error}): give that world with --world') from error


def name_in(world: WorldSpec, name: str, path: object, alone: bool) -> str:
    """
    Return the name of a vehicle in a world.

    :param alone: True where it is the only one of a recording: then it is the only one of the
        world too, whatever its name.
    :raises WindowError: where there is none.
    """
    names = [vehicle.name for vehicle in world.vehicles]
    if name in names:
        return name
    if alone and len(names) == 1:
        return names[0]
    raise WindowError(f'{path}: there is no vehicle {name!r} in {world.path}, only '
                      f'{", ".join(names) or "none"}: give the world it was recorded in with '
                      '--world')
