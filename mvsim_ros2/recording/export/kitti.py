# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
KITTI odometry folders.

A. Geiger, P. Lenz, R. Urtasun, *Are we ready for autonomous driving? The KITTI vision benchmark
suite*, CVPR 2012::

    poses/00.txt                  of the first camera, the first pose is the identity
    sequences/00/times.txt        s, from the first frame on
    sequences/00/calib.txt        P0 to P3: projections; Tr: from the LiDAR to the first camera
    sequences/00/velodyne/        000000.bin ...: x y z [m] and intensity (0 to 1) as float32
    sequences/00/labels/          000000.label ...: class and object of each point as uint32
    sequences/00/image_2, image_3 000000.png ...: first and second camera

Labels follow J. Behley and others, *SemanticKITTI*, ICCV 2019: the class in the lower 16 bits, the
object in the upper ones.

As in KITTI, scans are compensated for motion: points are in the LiDAR frame at the time of the
first camera's image. Without cameras this is the start of the scan. The first camera is then a
virtual one at the LiDAR, with the optical axis along x.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import Array
from mvsim_ros2.recording.export.bag_source import Camera, Source, stamp_ns
from mvsim_ros2.recording.export.message_data import (
    half_period, motion_compensated, points_of, save_image, warn_of_lens)

OPTICAL = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0],
                    [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])  # on a frame with x forward
PINHOLE = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
CLOUD = 'sensor_msgs/msg/PointCloud2'
_INTENSITIES = 255.0  # largest one of a LiDAR in a bag


def to_kitti(source: Source, folder: Path, cloud: str | None = None,
             cameras: list[str] | None = None) -> dict[str, int]:
    """
    Write a KITTI odometry folder.

    A frame is a scan with an image of each camera within half a period; other scans are left
    out. Without names of one or two cameras it has the first pair, or the first one.
    """
    topic = source.choose(CLOUD, cloud, 'point cloud')
    chosen = _choose_cameras(source, cameras)
    for camera in chosen:
        warn_of_lens(camera, 'KITTI')
    starts: list[int] = []
    lidar = ''
    for _, message in source.messages(topic):
        starts.append(stamp_ns(message))
        lidar = message.header.frame_id
    if not starts:
        raise ConversionError(f'{source.folder}: there is no message on {topic}')
    frames = frames_of(np.array(starts), chosen)  # scan -> image index of each camera
    if not frames:
        raise ConversionError(f'{source.folder}: no scan has images of all cameras')
    times = {scan: int(chosen[0].stamps[images[0]]) if chosen else starts[scan]
             for scan, images in frames.items()}
    numbers = {scan: number for number, scan in enumerate(frames)}
    sequence = folder / 'sequences' / '00'
    (sequence / 'velodyne').mkdir(parents=True)
    on_lidar = source.on_base(lidar)
    for scan, (_, message) in enumerate(source.messages(topic)):
        if scan in frames:
            write_scan(source, message, on_lidar, times[scan],
                       sequence / 'velodyne' / f'{numbers[scan]:06d}.bin')
            _write_labels(message, sequence / 'labels' / f'{numbers[scan]:06d}.label')
    for k, camera in enumerate(chosen):
        wanted = {images[k]: numbers[scan] for scan, images in frames.items()}
        _save_images(source, camera, wanted, sequence / f'image_{k + 2}')
    on_first = source.camera_on_base(chosen[0]) if chosen else on_lidar @ OPTICAL
    poses = source.trajectory.at(list(times.values())) @ on_first
    _write_rows(folder / 'poses' / '00.txt', np.linalg.inv(poses[0]) @ poses)
    first = min(times.values())
    (sequence / 'times.txt').write_text(
        ''.join(f'{1e-9 * (time - first):.9f}\n' for time in times.values()))
    _write_calibration(source, sequence / 'calib.txt', chosen, on_lidar, on_first)
    return {'frames': len(frames), 'scans': len(starts)}


def write_scan(source: Source, cloud: Any, on_lidar: Array, at_ns: int, path: Path) -> None:
    """Write the points of a scan as they are at a time, and their intensities from 0 to 1."""
    points = motion_compensated(cloud, source.trajectory, on_lidar, at_ns)
    points[:, 3] = np.minimum(points[:, 3] / _INTENSITIES, 1.0)
    points.astype('<f4').tofile(path)


def _write_labels(message: Any, path: Path) -> None:
    """Write class and object of each point as SemanticKITTI does, where the cloud has them."""
    points = points_of(message)
    if not {'label', 'instance'} <= set(points.dtype.names or ()):
        return
    path.parent.mkdir(exist_ok=True)
    both = points['label'].astype('<u4') | points['instance'].astype('<u4') << 16
    both.astype('<u4').tofile(path)


def _choose_cameras(source: Source, names: list[str] | None) -> list[Camera]:
    cameras = source.chosen_cameras(names)
    if names is None:
        pair = [each for each in cameras if each.name.endswith(('/left', '/right'))]
        cameras = pair[:2] or cameras[:1]
    if len(cameras) > 2:
        raise ConversionError(f'{source.folder}: KITTI has two colour cameras, choose them from '
                              f'{", ".join(each.name for each in cameras)}')
    return cameras


def frames_of(starts: NDArray[np.int64], cameras: list[Camera]) -> dict[int, tuple[int, ...]]:
    """Return the scans with an image of each camera close in time, and the image indices."""
    gap = half_period(starts)
    frames = {}
    for scan, start in enumerate(starts.tolist()):
        images = tuple(int(np.argmin(abs(camera.stamps - start))) for camera in cameras)
        if all(abs(int(camera.stamps[image]) - start) <= gap
               for camera, image in zip(cameras, images, strict=True)):
            frames[scan] = images
    return frames


def _save_images(source: Source, camera: Camera, wanted: dict[int, int], folder: Path) -> None:
    """Write the images of a camera with the wanted indices in the bag, renumbered."""
    folder.mkdir()
    for index, (_, message) in enumerate(source.messages(f'{camera.name}/image_raw')):
        if index in wanted:
            save_image(message, folder / f'{wanted[index]:06d}.png')


def _write_rows(path: Path, poses: Array) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(''.join(row_of(pose[:3]) + '\n' for pose in poses))


def row_of(matrix: Array) -> str:
    """Return the numbers of a matrix, row by row."""
    return ' '.join(f'{number:.12e}' for number in matrix.ravel())


def _write_calibration(source: Source, path: Path, cameras: list[Camera], on_lidar: Array,
                       on_first: Array) -> None:
    """Write projections from the frame of the first camera, and the pose of the LiDAR in it."""
    projections = []
    for camera in cameras:
        inner = np.array(camera.info.k).reshape(3, 3)
        from_first = np.linalg.inv(source.camera_on_base(camera)) @ on_first
        projections.append(inner @ from_first[:3])
    projections = projections or [PINHOLE]
    projections = [projections[k % len(projections)] for k in range(4)]
    lines = [f'P{k}: {row_of(matrix)}' for k, matrix in enumerate(projections)]
    lines.append(f'Tr: {row_of((np.linalg.inv(on_first) @ on_lidar)[:3])}')
    path.write_text('\n'.join(lines) + '\n')
