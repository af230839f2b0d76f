# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run yag-slam, a graph SLAM for planar LiDARs, on a recorded bag.

    python benchmarks/slam/yag_slam_client.py BAG TRAJECTORY.tum

Reads scans from ``/scan``, odometry from ``/odom`` and the pose of the LiDAR from
``/tf_static``; writes the poses of the base at the start of each scan.
"""

from bisect import bisect_left
import math
from pathlib import Path
import sys

import numpy as np
from numpy.typing import NDArray
from rosbags.highlevel import AnyReader
from yag_slam.graph_slam import GraphSlam
from yag_slam.helpers import default_config, default_config_loop
from yag_slam.models import LocalizedRangeScan
from yag_slam.scan_matching import Scan2DMatcherCpp

Array = NDArray[np.float64]

APART = 0.25, math.radians(12)  # m, rad: motion after which a scan enters the graph


def compose(a: Array, b: Array) -> Array:
    """Return pose b, given in the frame of pose a, as a pose: x, y, yaw."""
    c, s = math.cos(a[2]), math.sin(a[2])
    return np.array([a[0] + c * b[0] - s * b[1], a[1] + s * b[0] + c * b[1], a[2] + b[2]])


def inverse(a: Array) -> Array:
    """Return the inverse of pose a."""
    c, s = math.cos(a[2]), math.sin(a[2])
    return np.array([-c * a[0] - s * a[1], s * a[0] - c * a[1], -a[2]])


def pose_of(position, rotation) -> Array:
    """Return x, y, yaw of a message."""
    return np.array([position.x, position.y, 2.0 * math.atan2(rotation.z, rotation.w)])


def seconds(header) -> float:
    """Return the stamp of a message [s]."""
    return header.stamp.sec + 1e-9 * header.stamp.nanosec


def read(bag: Path):
    """Return scans, times and poses of the odometry, and the pose of the LiDAR."""
    scans, times, poses, places = [], [], [], {}
    with AnyReader([bag]) as reader:
        wanted = [each for each in reader.connections
                  if each.topic in ('/scan', '/odom', '/tf_static')]
        for connection, _, raw in reader.messages(wanted):
            message = reader.deserialize(raw, connection.msgtype)
            if connection.topic == '/scan':
                scans.append(message)
            elif connection.topic == '/odom':
                times.append(seconds(message.header))
                poses.append(pose_of(message.pose.pose.position, message.pose.pose.orientation))
            else:
                for each in message.transforms:
                    places[each.child_frame_id] = pose_of(
                        each.transform.translation, each.transform.rotation)
    return scans, np.array(times), np.array(poses), places


def at(times: Array, poses: Array, time: float) -> Array:
    """Return the odometry at a time, linear between two messages."""
    k = min(max(bisect_left(times, time), 1), len(times) - 1)
    share = (time - times[k - 1]) / (times[k] - times[k - 1])
    step = poses[k] - poses[k - 1]
    step[2] = math.remainder(step[2], math.tau)
    return poses[k - 1] + share * step


def main(bag: str, trajectory: str) -> None:
    """Run the SLAM over all scans of a bag and write the trajectory."""
    scans, times, poses, places = read(Path(bag))
    slam = GraphSlam(Scan2DMatcherCpp(default_config),
                     Scan2DMatcherCpp(default_config_loop, loop=True))
    place = places[scans[0].header.frame_id]
    kept, follows = [], []  # scans in the graph; which of them each scan follows, and by how much
    for message in scans:
        odometry = compose(at(times, poses, seconds(message.header)), place)
        moved = compose(inverse(kept[-1][1]), odometry) if kept else None
        if moved is None or math.hypot(*moved[:2]) > APART[0] or abs(
                math.remainder(moved[2], math.tau)) > APART[1]:
            ranges = np.where(np.isfinite(message.ranges), message.ranges, message.range_max + 1.0)
            scan = LocalizedRangeScan(
                ranges.astype(float).tolist(), message.angle_min, message.angle_max,
                message.angle_increment, message.range_min, message.range_max,
                min(message.range_max, default_config['range_threshold']), *odometry)
            slam.process_scan(scan)
            kept.append((scan, odometry))
            moved = np.zeros(3)
        follows.append((len(kept) - 1, moved))
    slam.run_opt()
    back = inverse(place)
    with open(trajectory, 'w') as file:
        for message, (number, moved) in zip(scans, follows, strict=True):
            corrected = kept[number][0].corrected_pose
            x, y, yaw = compose(compose(np.array(
                [corrected.x, corrected.y, corrected.euler[-1]]), moved), back)
            file.write(f'{seconds(message.header):.9f} {x:.9f} {y:.9f} 0 0 0 '
                       f'{math.sin(yaw / 2):.9f} {math.cos(yaw / 2):.9f}\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
