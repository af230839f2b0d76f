# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A nuScenes folder of one scene.

H. Caesar and others, *nuScenes: a multimodal dataset for autonomous driving*, CVPR 2020::

    v1.0-trainval/*.json          tables, see `nuscenes_tables`
    samples/LIDAR_TOP/*.pcd.bin   x y z [m], intensity, ring as float32: scans of key frames
    samples/CAM_FRONT/*.png ...   images of key frames
    sweeps/                       the same between key frames
    maps/*.png                    an empty mask

Poses of the vehicle are in the world of the simulation, those of sensors on the vehicle. A scan
has the time of its end, and its points are compensated for motion to it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import Array, quaternions, rotation_matrix
from mvsim_ros2.recording.export.bag_source import Camera, Source, stamp_ns
from mvsim_ros2.recording.export.coco import CLASSES
from mvsim_ros2.recording.export.kitti import CLOUD
from mvsim_ros2.recording.export.kitti_object import inside, pixels_of, projection, Thing
from mvsim_ros2.recording.export.message_data import (
    half_period, motion_compensated, pixels, points_of, save_image, warn_of_lens)
from mvsim_ros2.recording.export.trajectory import nanoseconds

LIDAR = 'LIDAR_TOP'
HEADINGS = {'CAM_FRONT': 0.0, 'CAM_FRONT_LEFT': 55.0, 'CAM_FRONT_RIGHT': -55.0,
            'CAM_BACK': 180.0, 'CAM_BACK_LEFT': 110.0, 'CAM_BACK_RIGHT': -110.0}  # degrees
KEY_NS = 500_000_000  # between key frames
MARGIN = 1e-3  # m around boxes, for rounding, in which points without labels count
MOVES = 0.1  # m/s from which an object is moving
VERSION = 'v1.0-trainval'
SCENE = 'scene-0001'  # the first one of the split `train` of the development kit
NAMES = ('category', 'attribute', 'visibility', 'instance', 'sensor', 'calibrated_sensor',
         'ego_pose', 'log', 'scene', 'sample', 'sample_data', 'sample_annotation', 'map')
CATEGORIES = {'vehicle': 'vehicle.car', 'person': 'human.pedestrian.adult',
              'block': 'movable_object.barrier', 'vegetation': 'static.vegetation',
              'sensor': 'static.other'}  # what is not here is background
ATTRIBUTES = {('vehicle', True): 'vehicle.moving', ('vehicle', False): 'vehicle.stopped',
              ('person', True): 'pedestrian.moving', ('person', False): 'pedestrian.standing'}
VISIBILITIES = {'1': ('v0-40', 0.4), '2': ('v40-60', 0.6), '3': ('v60-80', 0.8),
                '4': ('v80-100', 1.0)}  # name, largest share
Row = dict[str, Any]


class Tables:
    """Tables that grow."""

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self.rows: dict[str, list[Row]] = {name: [] for name in NAMES}
        for index, name in enumerate(CATEGORIES.values(), 1):
            self.add('category', name, name=name, description='', index=index)
        for name in ATTRIBUTES.values():
            self.add('attribute', name, name=name, description='')
        for token, (level, _) in VISIBILITIES.items():
            self.rows['visibility'].append({
                'token': token, 'level': level,
                'description': f'between {level[1:].replace("-", " and ")} % of it are seen'})

    def token(self, table: str, key: object) -> str:
        """Return the token of a row, 32 hexadecimal digits."""
        text = f'{self._identity}/{table}/{key}'
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def add(self, table: str, key: object, **columns: Any) -> str:
        """Append a row, and return its token."""
        token = self.token(table, key)
        self.rows[table].append({'token': token, **columns})
        return token

    def write(self, folder: Path) -> None:
        """Write a file for each table."""
        folder.mkdir(parents=True)
        for name, rows in self.rows.items():
            (folder / f'{name}.json').write_text(json.dumps(rows, indent=0) + '\n')


def chained(rows: Iterable[Row]) -> list[Row]:
    """Return rows of one chain, each with the tokens of the one before and after, or ''."""
    chain = list(rows)
    for row, before, after in zip(chain, [None, *chain[:-1]], [*chain[1:], None], strict=True):
        row['prev'] = before['token'] if before else ''
        row['next'] = after['token'] if after else ''
    return chain


def visibility_of(seen: int, hidden: int) -> str:
    """Return the token for pixels of an object that are seen, and that others hide."""
    share = seen / max(seen + hidden, 1)
    return next(token for token, (_, most) in VISIBILITIES.items() if share <= most)


@dataclass
class _Sample:
    """A key frame, and what is known of the objects at its time."""

    time: int  # ns
    token: str
    things: list[Thing]  # in the world
    points: dict[int, int] = field(default_factory=dict)  # of the LiDAR, by object
    seen: dict[int, int] = field(default_factory=dict)  # pixels, by object
    hidden: dict[int, int] = field(default_factory=dict)


class _Boxes:
    """Boxes of all objects in a recording; a row holds until the next one of its object."""

    def __init__(self, path: Path, own: str) -> None:
        self._times, self._things = [], []
        for line in path.read_text().splitlines()[1:]:
            time, number, label, *numbers = line.split(',')[:12]
            name = line.split(',', 12)[12]
            kind = CLASSES[int(label)]
            if kind in CATEGORIES and (kind, name) != ('vehicle', own):
                values = np.array(numbers, float)
                pose = np.eye(4)
                pose[:3, :3], pose[:3, 3] = rotation_matrix(*values[6:9]), values[:3]
                self._times.append(int(time))
                self._things.append(Thing(int(number), kind, pose, values[3:6]))

    def at(self, time: int) -> list[Thing]:
        """Return the boxes at a time [ns]."""
        last = {thing.number: thing for when, thing in zip(
            self._times, self._things, strict=True) if when <= time}
        return [last[number] for number in sorted(last)]


def to_nuscenes(source: Source, folder: Path, cloud: str | None = None,
                cameras: list[str] | None = None) -> dict[str, int]:
    """Write a nuScenes folder; return numbers of key frames, sensors' files, and boxes."""
    topic = source.choose(CLOUD, cloud, 'point cloud')
    if cloud is None:  # depth cameras have clouds as well
        topic = next((each for each in source.topics(CLOUD)
                      if _scan_times(source.sensor(each)[0])), topic)
    truth, _ = source.sensor(topic)
    boxes = source.folder / 'ground_truth' / 'boxes.csv'
    ends = _scan_times(truth)
    scans = {stamp: ends[stamp] for stamp in (
        stamp_ns(message) for _, message in source.messages(topic)) if stamp in ends}
    if not scans or not boxes.is_file():
        raise ConversionError(f'{source.folder}: there is no ground truth of {topic} and of boxes '
                              'in this folder: write it with "mvsim_ros2 record"')
    tables = Tables(hashlib.sha256((source.folder / 'run.json').read_bytes()).hexdigest())
    things = _Boxes(boxes, source.owner(topic))
    samples: list[_Sample] = []
    for time in scans.values():
        if not samples or time - samples[-1].time >= KEY_NS:
            samples.append(_Sample(time, tables.token('sample', time), things.at(time)))
    writer = _Writer(source, folder, tables, samples)
    writer.write_scans(topic, scans)
    for channel, camera in _channels(source, source.chosen_cameras(cameras)).items():
        writer.write_images(channel, camera)
    _add_scene(tables, source, samples)
    _add_annotations(tables, samples, writer.labelled)
    _add_map(tables, folder)
    tables.write(folder / VERSION)
    return {'key frames': len(samples), 'files': len(tables.rows['sample_data']),
            'boxes': len(tables.rows['sample_annotation'])}


def _scan_times(files: list[Path]) -> dict[int, int]:
    """Return the end of each scan by its stamp, the start [ns]."""
    times = {path.name.rpartition('_')[2]: [
        nanoseconds(line.split()[0]) for line in path.read_text().splitlines()]
        for path in files if path.name.endswith(('_start.tum', '_end.tum')) and path.is_file()}
    return dict(zip(times.get('start.tum', ()), times.get('end.tum', ()), strict=False))


def _channels(source: Source, cameras: list[Camera]) -> dict[str, Camera]:
    """Return cameras by the channel of nuScenes that looks their way; others by their names."""
    channels: dict[str, Camera] = {}
    for camera in cameras:
        ahead = source.camera_on_base(camera)[:3, 2]
        heading = math.degrees(math.atan2(ahead[1], ahead[0]))
        name = min(HEADINGS, key=lambda each: abs(math.remainder(heading - HEADINGS[each], 360)))
        if name in channels:
            name = 'CAM_' + camera.name.strip('/').replace('/', '_').upper()
        channels[name] = camera
    return channels


class _Writer:
    """Writes files of sensors, and their rows."""

    def __init__(self, source: Source, folder: Path, tables: Tables,
                 samples: list[_Sample]) -> None:
        self._source, self._folder, self._tables = source, folder, tables
        self._samples = samples
        self._times = np.array([sample.time for sample in samples])
        self.labelled = False  # whether a camera knows the objects of its pixels

    def _begin(self, channel: str, modality: str, pose: Array, inner: list[list[float]]) -> str:
        """Add a sensor, and return the token of its calibration."""
        for name in ('samples', 'sweeps'):
            (self._folder / name / channel).mkdir(parents=True)
        return self._tables.add(
            'calibrated_sensor', channel, **_placed(pose), camera_intrinsic=inner,
            sensor_token=self._tables.add('sensor', channel, channel=channel, modality=modality))

    def _rows(self, channel: str, calibration: str, times: NDArray[np.int64], ending: str,
              height: int, width: int) -> Iterator[tuple[Row, _Sample | None]]:
        """Yield a row for each measurement, and the key frame that it belongs to as its key."""
        gap = half_period(times)
        nearest = abs(self._times[:, None] - times).argmin(axis=1)
        keys = {int(index): sample for index, sample in zip(nearest, self._samples, strict=True)
                if abs(sample.time - times[index]) <= gap}
        poses = self._source.trajectory.at(times)
        rows = []
        for index, time in enumerate(times.tolist()):
            key = keys.get(index)
            sample = key or self._samples[int(abs(self._times - time).argmin())]
            name = f'{channel}/{self._source.folder.name}__{channel}__{time // 1000}.{ending}'
            rows.append(({
                'token': self._tables.token('sample_data', (channel, time)),
                'sample_token': sample.token, 'calibrated_sensor_token': calibration,
                'ego_pose_token': self._tables.add(
                    'ego_pose', (channel, time), timestamp=time // 1000, **_placed(poses[index])),
                'timestamp': time // 1000, 'fileformat': ending.partition('.')[0],
                'is_key_frame': key is not None, 'height': height, 'width': width,
                'filename': ('sweeps/' if key is None else 'samples/') + name}, key))
        self._tables.rows['sample_data'] += chained(row for row, _ in rows)
        yield from rows

    def write_scans(self, topic: str, ends: dict[int, int]) -> None:
        """Write the point clouds of a topic."""
        messages = (each for _, each in self._source.messages(topic) if stamp_ns(each) in ends)
        _, first = next(self._source.messages(topic))
        on_lidar = self._source.on_base(first.header.frame_id)
        calibration = self._begin(LIDAR, 'lidar', on_lidar, [])
        rows = self._rows(LIDAR, calibration, np.array(list(ends.values())), 'pcd.bin', 0, 0)
        for (row, key), message in zip(rows, messages, strict=True):
            time = ends[stamp_ns(message)]
            points = motion_compensated(message, self._source.trajectory, on_lidar, time)
            fields = points_of(message)
            rings = (fields['ring'] if 'ring' in (fields.dtype.names or ())
                     else np.zeros(len(fields)))
            np.column_stack([points, rings]).astype('<f4').tofile(self._folder / row['filename'])
            if key is not None:
                pose = self._source.trajectory.at([time])[0] @ on_lidar
                places = points[:, :3] @ pose[:3, :3].T + pose[:3, 3]
                for thing in key.things:
                    own = (places - thing.pose[:3, 3]) @ thing.pose[:3, :3]
                    hit = (fields['instance'] == thing.number
                           if 'instance' in (fields.dtype.names or ())
                           else (abs(own) <= 0.5 * thing.size + MARGIN).all(axis=1))
                    key.points[thing.number] = int(hit.sum())

    def write_images(self, channel: str, camera: Camera) -> None:
        """Write the images of a camera, and count the pixels of objects where it knows them."""
        warn_of_lens(camera, 'nuScenes')
        source, on_camera = self._source, self._source.camera_on_base(camera)
        inner: Array = np.array(camera.info.k, float).reshape(3, 3)
        calibration = self._begin(channel, 'camera', on_camera, inner.tolist())
        rows = self._rows(channel, calibration, camera.stamps, 'png',
                          int(camera.info.height), int(camera.info.width))
        keys = {}
        for (row, key), (_, message) in zip(
                rows, source.messages(f'{camera.name}/image_raw'), strict=True):
            save_image(message, self._folder / row['filename'])
            if key is not None:
                keys[stamp_ns(message)] = key
        for _, message in source.messages(f'{camera.name}/instances'):
            self.labelled = True
            key = keys.get(stamp_ns(message))
            if key is not None:
                pose = source.trajectory.at([stamp_ns(message)])[0] @ on_camera
                _count(key, pose, pixels(message), inner)


def _count(sample: _Sample, on_camera: Array, instances: NDArray[np.generic],
           inner: Array) -> None:
    """Add the pixels of objects in an image, and those that others hide."""
    inverse = np.linalg.inv(on_camera)
    things = [Thing(each.number, each.kind, inverse @ each.pose, each.size)
              for each in sample.things]
    for thing in things:
        whole = projection(thing.pose, thing.size, inner)
        part = None if whole is None else inside(whole, *instances.shape)
        if part is not None:
            seen, hidden = pixels_of(thing, things, instances, inner, part)
            sample.seen[thing.number] = sample.seen.get(thing.number, 0) + seen
            sample.hidden[thing.number] = sample.hidden.get(thing.number, 0) + hidden


def _placed(pose: Array) -> Row:
    """Return a pose as columns, the quaternion with w first."""
    x, y, z, w = quaternions(pose[None, :3, :3])[0].tolist()
    return {'translation': pose[:3, 3].tolist(), 'rotation': [w, x, y, z]}


def _add_scene(tables: Tables, source: Source, samples: list[_Sample]) -> None:
    name = source.folder.name
    log = tables.add('log', 'log', logfile=name, vehicle=source.prefix.strip('/') or 'robot',
                     date_captured='1970-01-01', location='simulation')
    scene = tables.add(
        'scene', SCENE, log_token=log, nbr_samples=len(samples), name=SCENE,
        first_sample_token=samples[0].token, last_sample_token=samples[-1].token,
        description=f'recording {name}')
    tables.rows['sample'] = chained(
        {'token': each.token, 'timestamp': each.time // 1000, 'scene_token': scene}
        for each in samples)


def _add_annotations(tables: Tables, samples: list[_Sample], labelled: bool) -> None:
    """Add the boxes that the LiDAR or a camera has seen, object by object."""
    categories = {row['name']: row['token'] for row in tables.rows['category']}
    attributes = {row['name']: row['token'] for row in tables.rows['attribute']}
    kinds = {thing.number: thing.kind for each in samples for thing in each.things}
    speeds = _speeds(samples)
    for number, kind in sorted(kinds.items()):
        chain = []
        for sample in samples:
            thing = next((each for each in sample.things if each.number == number), None)
            seen, hidden = sample.seen.get(number, 0), sample.hidden.get(number, 0)
            hits = sample.points.get(number, 0)
            if thing is None or not hits and not seen:
                continue
            attribute = ATTRIBUTES.get((kind, speeds.get((sample.time, number), 0.0) > MOVES))
            length, width, height = thing.size.tolist()
            chain.append({
                'token': tables.token('sample_annotation', (number, sample.time)),
                'sample_token': sample.token, 'instance_token': tables.token('instance', number),
                'attribute_tokens': [attributes[attribute]] if attribute else [],
                'visibility_token': visibility_of(seen, hidden) if labelled else '',
                **_placed(thing.pose), 'size': [width, length, height],
                'num_lidar_pts': hits, 'num_radar_pts': 0})
        if chain:
            tables.rows['sample_annotation'] += chained(chain)
            tables.add('instance', number, category_token=categories[CATEGORIES[kind]],
                       nbr_annotations=len(chain), first_annotation_token=chain[0]['token'],
                       last_annotation_token=chain[-1]['token'])


def _speeds(samples: list[_Sample]) -> dict[tuple[int, int], float]:
    """Return the speed of objects between a key frame and the one before, the first after it."""
    speeds: dict[tuple[int, int], float] = {}
    for one, other in zip(samples, samples[1:], strict=False):
        before = {thing.number: thing.pose[:3, 3] for thing in one.things}
        for thing in other.things:
            if thing.number in before:
                speed = 1e9 * float(np.linalg.norm(
                    thing.pose[:3, 3] - before[thing.number])) / (other.time - one.time)
                speeds[other.time, thing.number] = speed
                speeds.setdefault((one.time, thing.number), speed)
    return speeds


def _add_map(tables: Tables, folder: Path) -> None:
    """Add an empty mask: worlds do not say where roads are, and readers want a file."""
    from PIL import Image

    token = tables.token('map', 'map')
    (folder / 'maps').mkdir()
    Image.new('L', (1, 1)).save(folder / 'maps' / f'{token}.png')
    tables.add('map', 'map', category='semantic_prior', filename=f'maps/{token}.png',
               log_tokens=[row['token'] for row in tables.rows['log']])
