# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings from CSV logs."""

from collections.abc import Mapping
import re

import numpy as np

from mvsim_ros2.errors import WindowError
from mvsim_ros2.frames import Array
from mvsim_ros2.recording.read_log import read_vehicle_logs, VehicleLog
from mvsim_ros2.window.replay.recorded import name_in, Recording, Track, world_of

_POSE = ('q0x', 'q1y', 'q2z', 'q3yaw', 'q4pitch', 'q5roll')
_BELIEVED = ('odo_x', 'odo_y', 'odo_yaw')
_TITLE = re.compile('of vehicle (?P<vehicle>.+?), (?P<world>.+), physics mode')


def read_logs(path: str, world: str | None, variables: Mapping[str, str]) -> Recording:
    """
    Return the run that a folder of CSV logs holds, or one of their files.

    :param world: file or name of the world it was recorded in; None for what the logs say.
    :param variables: values of variables of that world.
    :raises WindowError: where the world cannot be found.
    :raises MvsimError: where the logs or the world cannot be read.
    """
    logs = read_vehicle_logs(path)
    titles = [_TITLE.search(log.title) for log in logs]
    spec = world_of(path, world, titles[0]['world'] if titles[0] else None, variables)
    names = [name_in(spec, title['vehicle'] if title else log.name, path, len(logs) == 1)
             for log, title in zip(logs, titles, strict=True)]
    return Recording(str(path), spec, dict(zip(names, map(_track, logs), strict=True)))


def _track(log: VehicleLog) -> Track:
    rows = min([len(log.pose['Timestamp']), *(len(wheel['Timestamp']) for wheel in log.wheels)])
    if not rows:
        raise WindowError(f'the log of {log.name} has no rows: there is nothing to show')

    def stacked(name: str) -> Array | None:
        if not log.wheels or any(name not in wheel for wheel in log.wheels):
            return None  # the original writes no angles
        return np.stack([wheel[name][:rows] for wheel in log.wheels], axis=1)

    def columns(names: tuple[str, ...]) -> Array:
        return np.stack([log.pose[name][:rows] for name in names], axis=1)

    return Track(log.pose['Timestamp'][:rows], columns(_POSE),
                 columns(_BELIEVED) if _BELIEVED[0] in log.pose else None,
                 stacked('angle'), stacked('steer'))
