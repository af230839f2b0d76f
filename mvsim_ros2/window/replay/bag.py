# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings from bags: true motion, scans, clouds, collisions."""

from collections.abc import Mapping
import json
import logging
import math
from pathlib import Path
from typing import Any

import numpy as np

from mvsim_ros2.errors import ConversionError, WindowError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.perspective import PosedObservation
from mvsim_ros2.recording.export.bag_source import open_bag, Source, stamp_ns
from mvsim_ros2.recording.export.message_data import points_of
from mvsim_ros2.recording.hashes import effective_world, fingerprint
from mvsim_ros2.recording.objects import BLOCK, FIGURE, MOVING, read_moving_things
from mvsim_ros2.sensors.observations import LaserScan2D, Observation, PointCloud
from mvsim_ros2.window.replay.recorded import (
    Measurements, Recording, rolled, Track, track_of, world_of)
from mvsim_ros2.window.view import RUN_FILE
from mvsim_ros2.world.spec.world import WorldSpec

_LOG = logging.getLogger(__name__)

_POINTS = 6000  # of a cloud that are kept
_SCAN, _CLOUD = 'sensor_msgs/msg/LaserScan', 'sensor_msgs/msg/PointCloud2'
_COLLISION = 'collision'
_APART = 0.5  # s without a touch between two collisions


def read_bag(path: str, world: str | None, variables: Mapping[str, str]) -> Recording:
    """
    Return the run that a bag holds.

    :param world: file or name of the world it was recorded in; None for what `run.json` says.
    :param variables: values of variables of that world.
    :raises WindowError: where the world cannot be found, or the bag holds no motion.
    :raises MvsimError: where the bag or the world cannot be read.
    """
    file = Path(path) / RUN_FILE
    about = _about_world(file) if file.is_file() else {}
    spec = world_of(path, world, about.get('name'), variables)
    _compare(path, spec, about)
    tracks: dict[str, Track] = {}
    seen: Measurements = {}
    collisions: list[float] = []
    alone = len(spec.vehicles) == 1
    for vehicle in spec.vehicles:
        try:
            with open_bag(path, None if alone else vehicle.name) as source:
                track = track_of(source.trajectory)
                tracks[vehicle.name] = Track(
                    track.times, track.poses, angles=rolled(vehicle, track.poses))
                seen |= _measurements(source, vehicle.name, track)
                collisions += _collisions(source)
        except ConversionError as error:
            if alone:
                raise
            _LOG.warning('%s: the motion of %s is unknown, so it stands at its start: %s',
                         path, vehicle.name, error)
    if not tracks:
        raise WindowError(f'{path}: this bag holds no motion of a vehicle of {spec.path}')
    blocks, figures = _moving(Path(path))
    return Recording(path, spec, tracks, seen, blocks, figures, tuple(sorted(collisions)))


def _moving(folder: Path) -> tuple[dict[str, Track], dict[int, Track]]:
    """
    Return the motion of blocks by name, and of figures by row.

    :raises WindowError: where that file is damaged.
    """
    file = folder / 'ground_truth' / MOVING
    if not file.is_file():
        return {}, {}
    try:
        tables = read_moving_things(file)
    except ValueError as error:
        raise WindowError(f'{error}: the file is damaged') from error
    tracks = {key: Track(times, poses) for key, (times, poses) in tables.items()}
    return ({name: track for (kind, name), track in tracks.items() if kind == BLOCK},
            {int(name): track for (kind, name), track in tracks.items() if kind == FIGURE})


def _collisions(source: Source) -> list[float]:
    """Return when a vehicle began to touch something [s]; moments without a touch are none."""
    found: list[float] = []
    last = -math.inf
    for time, message in source.stamped(_COLLISION):
        if message.data:
            if time - last > _APART:
                found.append(time)
            last = time
    return found


def _about_world(file: Path) -> dict[str, Any]:
    """Return what `run.json` says of the world."""
    try:
        about = json.loads(file.read_text(encoding='utf-8')).get('world', {})
        if not isinstance(about, dict) or not isinstance(about.get('name', ''), str):
            raise ValueError('it describes no world')
    except (AttributeError, OSError, RecursionError, ValueError) as error:
        raise WindowError(f'{file}: it is damaged: {error}') from error
    return about


def _compare(path: str, world: WorldSpec, about: Mapping[str, Any]) -> None:
    """Warn where a world is not the one of the recording."""
    if about and fingerprint(effective_world(world)) != about.get('sha256'):
        _LOG.warning('the world %s has changed since %s was recorded, or its variables have other '
                     'values: what is shown may differ', world.path, path)


def _measurements(source: Source, vehicle: str, track: Track) -> Measurements:
    """Return scans and clouds of LiDARs by the names of their topics."""
    clouds = set(source.topics(_CLOUD))
    result: Measurements = {}
    places: dict[str, Pose | None] = {}  # of the sensor on the vehicle, None where not known
    for topic, message in source.messages(*clouds, *source.topics(_SCAN)):
        if topic not in places:
            try:
                places[topic] = Pose.from_matrix(source.on_base(message.header.frame_id))
            except ConversionError as error:
                _LOG.warning('the topic %s is not shown: %s', topic, error)
                places[topic] = None
        place = places[topic]
        if place is None:
            continue
        sensor = f'{vehicle}/{topic.strip("/").replace("/", "_")}'
        read = read_cloud if topic in clouds else read_scan
        time = stamp_ns(message) * 1e-9
        carrier = Pose(*track.at(time).poses[0].tolist())
        result.setdefault(sensor, []).append(
            (time, PosedObservation(read(sensor, message), carrier.compose(place))))
    return result


def read_scan(sensor: str, message: Any) -> Observation:
    """Return a LaserScan as an observation."""
    return LaserScan2D(
        sensor, message.header.frame_id, stamp_ns(message), message.angle_min, message.angle_max,
        message.angle_increment, message.time_increment, message.scan_time, message.range_min,
        message.range_max, np.array(message.ranges, np.float32))


def read_cloud(sensor: str, message: Any) -> Observation:
    """Return a PointCloud2 as an observation, thinned."""
    points = points_of(message)
    step = max(1, -(-len(points) // _POINTS))
    return PointCloud(sensor, message.header.frame_id, stamp_ns(message), points[::step].copy(),
                      True)
