# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
KITTI folders for the detection of objects: images, scans, boxes and calibrations.

A. Geiger, P. Lenz, R. Urtasun, CVPR 2012, and the readme of its development kit for objects::

    training/image_2/000000.png ...
    training/label_2/000000.txt ...   a line for each object in the image, see `Label`
    training/velodyne/000000.bin ...  where there is a LiDAR, as in `kitti`
    training/calib/000000.txt ...     P0 to P3, R0_rect, Tr_velo_to_cam, Tr_imu_to_velo

The camera is the rectified one and the reference of all boxes at once: P0 to P3 are its
projection.
"""

from collections.abc import Iterator
from dataclasses import dataclass
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import Array
from mvsim_ros2.recording.export.bag_source import Camera, matrix_of, Source, stamp_ns
from mvsim_ros2.recording.export.kitti import CLOUD, frames_of, PINHOLE, row_of, write_scan
from mvsim_ros2.recording.export.message_data import pixels, save_image, warn_of_lens

NEAR = 0.05  # m, in front of the camera, where boxes are cut off
PARTLY, LARGELY = 0.05, 0.5  # hidden shares from which an object is partly or largely occluded
TYPES = {'vehicle': 'Car', 'person': 'Pedestrian', 'block': 'Misc', 'vegetation': 'Misc',
         'sensor': 'Misc'}  # what is not here is background
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8)
         if np.count_nonzero(CORNERS[a] != CORNERS[b]) == 1]


@dataclass(frozen=True)
class Label:
    """One line of a file of labels, its numbers as in the readme of the development kit."""

    kind: str
    truncated: float  # share of the box that is outside of the image
    occluded: int  # 0 visible, 1 partly, 2 largely hidden by others, 3 unknown
    alpha: float  # rotation_y less the direction of the object, -pi to pi
    box: tuple[float, float, float, float]  # left, top, right, bottom [px], from 0 on
    size: tuple[float, float, float]  # height, width, length [m]
    place: tuple[float, float, float]  # middle of the bottom in the camera frame [m]
    rotation_y: float  # of the length from the x axis of the camera, -pi to pi

    def __str__(self) -> str:
        numbers = (self.alpha, *self.box, *self.size, *self.place, self.rotation_y)
        return (f'{self.kind} {self.truncated:.2f} {self.occluded} '
                + ' '.join(f'{number:.2f}' for number in numbers))


@dataclass(frozen=True)
class Thing:
    """A box around an object, in the frame of the camera."""

    number: int
    kind: str
    pose: Array  # (4, 4)
    size: Array  # length, width, height [m]

    @property
    def holds_camera(self) -> bool:
        """Return whether the camera is in the box."""
        own = self.pose[:3, :3].T @ -self.pose[:3, 3]
        return bool((abs(own) <= 0.5 * self.size).all())

    def depth(self, rays: Array) -> Array:
        """Return how far along rays (n, 3) the box begins, infinite where it is missed."""
        begin = self.pose[:3, :3].T @ -self.pose[:3, 3]
        along = rays @ self.pose[:3, :3]
        with np.errstate(divide='ignore', invalid='ignore'):
            ends = np.stack([(side * self.size - begin) / along for side in (-0.5, 0.5)])
        first, last = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
        return np.where((first <= last) & (last > 0.0), first, np.inf)


def to_kitti_object(source: Source, folder: Path, cloud: str | None = None,
                    cameras: list[str] | None = None) -> dict[str, int]:
    """
    Write a KITTI folder for the detection of objects.

    A frame is an image with its labels; where there is a LiDAR one with a scan within half a
    period. Without a name it has the first camera with boxes.
    """
    boxed = source.topics('vision_msgs/msg/Detection3DArray')
    found = [each for each in source.chosen_cameras(cameras)
             if f'{each.name}/detections' in boxed]
    if not found:
        raise ConversionError(f'{source.folder}: no camera has boxes in space: give it <labels>'
                              'true</labels> and <boxes_3d>true</boxes_3d> and record again')
    camera = found[0]
    warn_of_lens(camera, 'KITTI')
    topic = cloud or next(iter(source.topics(CLOUD)), None)
    scans: dict[int, int] = {}  # image -> scan
    if topic is not None:
        topic = source.choose(CLOUD, cloud, 'point cloud')
        starts = np.array([stamp_ns(message) for _, message in source.messages(topic)])
        scans = {images[0]: scan for scan, images in frames_of(starts, [camera]).items()}
    training = folder / 'training'
    for name in ('image_2', 'label_2', 'calib', *(('velodyne',) if scans else ())):
        (training / name).mkdir(parents=True)
    inner: Array = np.array(camera.info.k, float).reshape(3, 3)
    numbers: dict[int, int] = {}  # scan -> frame
    frames = count = 0
    for index, image, things, instances in _images(source, camera):
        if topic is not None and index not in scans:
            continue
        if topic is not None:
            numbers[scans[index]] = frames
        save_image(image, training / 'image_2' / f'{frames:06d}.png')
        labels = list(labels_of(things, instances, inner))
        (training / 'label_2' / f'{frames:06d}.txt').write_text(
            ''.join(f'{label}\n' for label in labels))
        frames, count = frames + 1, count + len(labels)
    on_lidar = np.eye(4)
    for scan, (_, message) in enumerate(source.messages(topic) if topic is not None else ()):
        if scan in numbers:
            on_lidar = source.on_base(message.header.frame_id)
            image_at = next(index for index, each in scans.items() if each == scan)
            write_scan(source, message, on_lidar, int(camera.stamps[image_at]),
                       training / 'velodyne' / f'{numbers[scan]:06d}.bin')
    calibration = _calibration(inner, source.camera_on_base(camera), on_lidar)
    for number in range(frames):
        (training / 'calib' / f'{number:06d}.txt').write_text(calibration)
    return {'frames': frames, 'labels': count}


def _images(source: Source, camera: Camera,
            ) -> Iterator[tuple[int, Any, list[Thing], NDArray[np.generic]]]:
    """Yield the images of a camera that have boxes: index, message, boxes, objects."""
    for whole in source.together(*(f'{camera.name}/{kind}' for kind in (
            'image_raw', 'detections', 'instances', 'label_info'))):
        names = {str(each.class_id): each.class_name for each in whole['label_info'].class_map}
        index = int(np.searchsorted(camera.stamps, stamp_ns(whole['image_raw'])))
        yield (index, whole['image_raw'],
               [_thing(each, names) for each in whole['detections'].detections],
               pixels(whole['instances']))


def _thing(detection: Any, names: dict[str, str]) -> Thing:
    centre, size = detection.bbox.center, detection.bbox.size
    return Thing(int(detection.id), names.get(detection.results[0].hypothesis.class_id, ''),
                 matrix_of(centre.position, centre.orientation),
                 np.array([size.x, size.y, size.z]))


def labels_of(things: list[Thing], instances: NDArray[np.generic],
              inner: Array) -> Iterator[Label]:
    """Yield the labels of objects by those of the pixels and the camera's matrix (3, 3)."""
    rows, columns = instances.shape
    for thing in things:
        whole = projection(thing.pose, thing.size, inner)
        part = None if whole is None else inside(whole, rows, columns)
        if thing.kind not in TYPES or whole is None or part is None:
            continue
        left, top, right, bottom = part
        share = (right - left) * (bottom - top) / (
            (whole[2] - whole[0]) * (whole[3] - whole[1]))
        ahead, down = thing.pose[:3, 0], 0.5 * thing.size[2] * thing.pose[:3, 2]
        x, y, z = (thing.pose[:3, 3] - down).tolist()
        rotation = math.atan2(-ahead[2], ahead[0])
        length, width, height = thing.size.tolist()
        yield Label(TYPES[thing.kind], 1.0 - share,
                    _occlusion(thing, things, instances, inner, part),
                    math.remainder(rotation - math.atan2(x, z), 2.0 * math.pi),
                    part, (height, width, length), (x, y, z), rotation)


def projection(pose: Array, size: Array, inner: Array,
               ) -> tuple[float, float, float, float] | None:
    """Return left, top, right and bottom [px] of a box before a camera, None of one behind it."""
    corners = (CORNERS * size) @ pose[:3, :3].T + pose[:3, 3]
    seen = [corner for corner in corners if corner[2] >= NEAR]
    for a, b in EDGES:
        one, other = corners[a], corners[b]
        if (one[2] < NEAR) != (other[2] < NEAR):
            share = (NEAR - one[2]) / (other[2] - one[2])
            seen.append(one + share * (other - one))
    if not seen:
        return None
    image = np.array(seen) @ inner.T
    u, v = image[:, 0] / image[:, 2], image[:, 1] / image[:, 2]
    return float(u.min()), float(v.min()), float(u.max()), float(v.max())


def inside(box: tuple[float, float, float, float], rows: int, columns: int,
           ) -> tuple[float, float, float, float] | None:
    """Return the part of a box [px] that is in an image, None where there is none."""
    left, top = max(box[0], 0.0), max(box[1], 0.0)
    right, bottom = min(box[2], columns - 1.0), min(box[3], rows - 1.0)
    return None if right <= left or bottom <= top else (left, top, right, bottom)


def _occlusion(thing: Thing, things: list[Thing], instances: NDArray[np.generic], inner: Array,
               box: tuple[float, float, float, float]) -> int:
    """Return how far others hide an object."""
    own, hidden = pixels_of(thing, things, instances, inner, box)
    share = hidden / max(hidden + own, 1)
    return 0 if share < PARTLY else 1 if share < LARGELY else 2


def pixels_of(thing: Thing, things: list[Thing], instances: NDArray[np.generic], inner: Array,
              box: tuple[float, float, float, float]) -> tuple[int, int]:
    """
    Return how many pixels of an object are seen, and about how many others hide.

    Pixels of nearer objects within its box are hidden. A box around the camera, such as the walls
    of a room, hides nothing here. The box is left, top, right, bottom [px].
    """
    left, top, right, bottom = (round(each) for each in box)
    part = instances[top:bottom + 1, left:right + 1]
    v, u = np.mgrid[top:top + part.shape[0], left:left + part.shape[1]]
    rays = np.stack([u, v, np.ones_like(u)], axis=-1).reshape(-1, 3) @ np.linalg.inv(inner).T
    numbers, begin = part.ravel(), thing.depth(rays)
    own, hidden = numbers == thing.number, np.zeros(numbers.shape, bool)
    for other in things:
        if other.number != thing.number and not other.holds_camera:
            there = (numbers == other.number) & np.isfinite(begin)
            hidden[there] = other.depth(rays[there]) < begin[there]
    return int(own.sum()), int(hidden.sum())


def _calibration(inner: Array, on_camera: Array, on_lidar: Array) -> str:
    """Return projections, and the poses of the LiDAR in the camera and of the base in it."""
    whole: Array = inner @ PINHOLE
    on_first: Array = (np.linalg.inv(on_camera) @ on_lidar)[:3]
    base = np.asarray(np.linalg.inv(on_lidar)[:3], np.float64)
    lines = [f'P{k}: {row_of(whole)}' for k in range(4)]
    lines += [f'R0_rect: {row_of(np.eye(3))}', f'Tr_velo_to_cam: {row_of(on_first)}',
              f'Tr_imu_to_velo: {row_of(base)}']
    return '\n'.join(lines) + '\n'
