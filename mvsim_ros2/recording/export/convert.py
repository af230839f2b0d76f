# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Conversion of a bag to one of the formats."""

from pathlib import Path
import shutil
import uuid

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.recording.export.bag_source import open_bag
from mvsim_ros2.recording.export.coco import to_coco
from mvsim_ros2.recording.export.euroc import to_euroc
from mvsim_ros2.recording.export.kitti import to_kitti
from mvsim_ros2.recording.export.kitti_object import to_kitti_object
from mvsim_ros2.recording.export.nuscenes import to_nuscenes
from mvsim_ros2.recording.export.tum_rgbd import to_tum_rgbd

_WITH_TOPIC = {'kitti': to_kitti, 'kitti-object': to_kitti_object, 'euroc': to_euroc,
               'nuscenes': to_nuscenes}  # of a LiDAR or an IMU
_OF_CAMERAS = {'coco': to_coco, 'tum': to_tum_rgbd}
FORMATS = (*_WITH_TOPIC, *_OF_CAMERAS)


def convert(bag: str | Path, form: str, folder: str | Path, vehicle: str | None = None,
            topic: str | None = None, cameras: list[str] | None = None) -> dict[str, int]:
    """
    Write a bag in another format; the folder appears when it is complete.

    :param form: one of `FORMATS`.
    :param folder: must not exist yet.
    :param vehicle: name, None for the only one.
    :param topic: of the point cloud for KITTI and nuScenes, of the IMU for EuRoC; None for the
        first one.
    :param cameras: names, such as ``camera`` or ``stereo/left``; None for all suitable ones.
    :returns: numbers of written items by kind.
    :raises ConversionError: where the bag lacks something, or the folder cannot be written.
    """
    if form not in FORMATS:
        raise ConversionError(f'there is no format {form!r}, only {", ".join(FORMATS)}')
    folder = Path(folder)
    if folder.exists():
        raise ConversionError(f'{folder} exists already: choose another folder')
    work = folder.with_name(f'.{folder.name}-{uuid.uuid4().hex[:8]}')
    try:
        work.mkdir(parents=True)
        with open_bag(bag, vehicle) as source:
            if form in _WITH_TOPIC:
                counts = _WITH_TOPIC[form](source, work, topic, cameras)
            else:
                counts = _OF_CAMERAS[form](source, work, cameras)
        work.rename(folder)
    except OSError as error:
        raise ConversionError(f'{folder}: cannot be written: {error}') from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return counts
