# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Read a nuScenes folder by its development kit, and check boxes against the points in them.

    python test/recording/export/nuscenes_kit.py FOLDER
"""

from pathlib import Path
import sys

import numpy as np
from nuscenes.nuscenes import NuScenes
from nuscenes.utils.data_classes import LidarPointCloud
from nuscenes.utils.geometry_utils import box_in_image, BoxVisibility, points_in_box
from nuscenes.utils.splits import train


def check(folder: Path) -> tuple[int, int, int]:
    """Return numbers of boxes, of points in them, and of boxes that are in images."""
    kit = NuScenes(version='v1.0-trainval', dataroot=str(folder), verbose=False)
    boxes = points = images = 0
    assert [each['name'] in train for each in kit.scene] == [True]
    for sample in kit.sample:
        for channel, token in sample['data'].items():
            path, around, inner = kit.get_sample_data(token)
            if channel == 'LIDAR_TOP':
                cloud = LidarPointCloud.from_file(path)
                assert set(cloud.points[3]) and np.isfinite(cloud.points).all()
                for box in around:
                    count = points_in_box(box, cloud.points[:3]).sum()
                    box.wlh = box.wlh + 4e-3  # the export counts within a millimetre
                    most = points_in_box(box, cloud.points[:3]).sum()
                    annotation = kit.get('sample_annotation', box.token)
                    told = annotation['num_lidar_pts']
                    assert count <= told <= most, (box, count, told, most)
                    boxes, points = boxes + 1, points + int(most)
                    moved = kit.box_velocity(box.token)
                    assert np.isfinite(moved).all() or not (
                        annotation['prev'] or annotation['next'])
                LidarPointCloud.from_file_multisweep(kit, sample, channel, channel, nsweeps=3)
            else:
                record = kit.get('sample_data', token)
                size = record['width'], record['height']
                images += sum(box_in_image(box, inner, size, BoxVisibility.ANY)
                              for box in around)
    for each in kit.scene:
        kit.list_sample(each['first_sample_token'])
    return boxes, points, images


if __name__ == '__main__':
    print('%d boxes, %d points in them, %d boxes in images' % check(Path(sys.argv[1])))
