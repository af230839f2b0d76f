# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
TUM RGB-D folders.

J. Sturm and others, *A benchmark for the evaluation of RGB-D SLAM systems*, IROS 2012::

    rgb.txt, depth.txt      time [s] and file of each image
    rgb/, depth/            PNG; depths in 16 bits, 5000 for a metre, 0 where there is none
    groundtruth.txt         time, tx ty tz, qx qy qz qw of the optical frame of the colour camera
    accelerometer.txt       time, ax ay az [m/s^2], where there is an IMU
"""

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.frames import quaternions
from mvsim_ros2.recording.export.bag_source import Camera, Source, stamp_ns
from mvsim_ros2.recording.export.message_data import pixels, save_image
from mvsim_ros2.recording.export.trajectory import seconds

UNITS = 5000.0  # of a depth in a metre
LARGEST = 2 ** 16 - 1
DEPTHS = {'32FC1': 1.0, '16UC1': 1e-3}  # m, by encoding
COLOUR, DEPTH = '_rgb', '_depth'  # ends of the names of the two images of an RGB-D camera


def to_tum_rgbd(source: Source, folder: Path, cameras: list[str] | None = None) -> dict[str, int]:
    """Write a TUM RGB-D folder; raise `ConversionError` where no camera has depths."""
    images = set(source.topics('sensor_msgs/msg/Image'))
    camera = next((each for each in source.chosen_cameras(cameras)
                   if _depth_of(each) in images), None)
    if camera is None:
        raise ConversionError(f'{source.folder}: there is no camera with depths in this bag: '
                              'record an rgbd_camera')
    colours = _write_images(source, f'{camera.name}/image_raw', folder, 'rgb', save_image)
    depths = _write_images(source, _depth_of(camera), folder, 'depth', _save_depth)
    poses = source.trajectory.at(colours) @ source.camera_on_base(camera)
    lines = ['# ground truth trajectory', '# timestamp tx ty tz qx qy qz qw']
    lines += [seconds(time) + ' ' + ' '.join(f'{number:.9f}' for number in (*pose[:3, 3], *turn))
              for time, pose, turn in zip(colours, poses, quaternions(poses[:, :3, :3]),
                                          strict=True)]
    (folder / 'groundtruth.txt').write_text('\n'.join(lines) + '\n')
    imus = source.topics('sensor_msgs/msg/Imu')
    if imus:
        lines = ['# accelerometer data', '# timestamp ax ay az']
        for _, sample in source.messages(imus[0]):
            a = sample.linear_acceleration
            lines.append(f'{seconds(stamp_ns(sample))} {a.x:.9f} {a.y:.9f} {a.z:.9f}')
        (folder / 'accelerometer.txt').write_text('\n'.join(lines) + '\n')
    return {'images': len(colours), 'depths': len(depths)}


def _depth_of(camera: Camera) -> str:
    return camera.name.removesuffix(COLOUR) + DEPTH + '/image_raw'


def _write_images(source: Source, topic: str, folder: Path, name: str, save: Any) -> list[int]:
    """Write the images of a topic and their list; return their times [ns]."""
    (folder / name).mkdir()
    times = []
    lines = [f'# {name} images', '# timestamp filename']
    for _, message in source.messages(topic):
        time = stamp_ns(message)
        file = f'{name}/{seconds(time)}.png'
        save(message, folder / file)
        times.append(time)
        lines.append(f'{seconds(time)} {file}')
    (folder / f'{name}.txt').write_text('\n'.join(lines) + '\n')
    return times


def _save_depth(message: Any, path: Path) -> None:
    """Write an image of depths, 32FC1 [m] or 16UC1 [mm] (REP-118)."""
    if message.encoding not in DEPTHS:
        raise ConversionError(f'depths of encoding {message.encoding!r} cannot be converted')
    metres = pixels(message).astype(float) * DEPTHS[message.encoding]
    units = np.rint(np.where(np.isfinite(metres), metres, 0.0) * UNITS)
    units[(units < 0) | (units > LARGEST)] = 0.0
    Image.fromarray(units.astype(np.uint16)).save(path, compress_level=1)
