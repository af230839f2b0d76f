# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Conversion of states and maps to messages: pure functions, without ROS.

All take the classes of messages as their first argument: see `messages.message_types`.
"""

from collections.abc import Iterable, Iterator
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import qos
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.solids import occupancy_maps
from mvsim_ros2.world.spec.world import WorldSpec

NOT_ESTIMATED = 1e6  # variance of z, roll and pitch, which planar odometry does not estimate
# covariance of planar odometry but for x, y and yaw, shape (36,)
UNKNOWN = np.diag([0.0, 0.0, 1.0, 1.0, 1.0, 0.0]).ravel() * NOT_ESTIMATED


def packed(types: MessageTypes, values: NDArray[np.generic], dtype: type[np.generic]) -> Any:
    """Return `values` as the flat array that a message field holds."""
    if values.dtype != dtype:
        raise TypeError(f'{values.dtype} values for a field of {np.dtype(dtype)}')
    return types.array(np.ascontiguousarray(values).reshape(-1))


def bytes_of(types: MessageTypes, values: NDArray[Any]) -> Any:
    """Return the memory of an array, in rows, as the field `data` of images and clouds."""
    return packed(types, np.ascontiguousarray(values).reshape(-1).view(np.uint8), np.uint8)


def fill_stamp(header: Any, stamp_ns: int, frame_id: str) -> None:
    """Write time [ns] and frame into a header."""
    header.stamp.sec, header.stamp.nanosec = divmod(stamp_ns, 1_000_000_000)
    header.frame_id = frame_id


def stamped(message: Any, stamp_ns: int, frame_id: str) -> Any:
    """Return a message with time [ns] and frame in its header."""
    fill_stamp(message.header, stamp_ns, frame_id)
    return message


def fill_pose(message: Any, pose: Pose) -> None:
    """Write a pose into its message."""
    p, q = message.position, message.orientation
    p.x, p.y, p.z = pose.x, pose.y, pose.z
    q.x, q.y, q.z, q.w = pose.quaternion


def pose_of(message: Any) -> Pose:
    """Return the pose of a message; its quaternion is made one of length 1."""
    p, q = message.position, message.orientation
    length = math.hypot(q.x, q.y, q.z, q.w)
    x, y, z, w = q.x / length, q.y / length, q.z / length, q.w / length
    return Pose(
        p.x, p.y, p.z, math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)))


def transform(types: MessageTypes, stamp_ns: int, parent: str, child: str, pose: Pose) -> Any:
    """Return the transform from the frame `child` to the frame `parent`."""
    message = types.geometry_msgs.TransformStamped(child_frame_id=child)
    p, q = message.transform.translation, message.transform.rotation
    p.x, p.y, p.z = pose.x, pose.y, pose.z
    q.x, q.y, q.z, q.w = pose.quaternion
    return stamped(message, stamp_ns, parent)


def pose_array(types: MessageTypes, stamp_ns: int, frame_id: str, poses: Iterable[Pose]) -> Any:
    """Return poses in one frame."""
    message = types.geometry_msgs.PoseArray()
    for pose in poses:
        each = types.geometry_msgs.Pose()
        fill_pose(each, pose)
        message.poses.append(each)
    return stamped(message, stamp_ns, frame_id)


def map_metadata(types: MessageTypes, occupancy: OccupancyMap, stamp_ns: int) -> Any:
    """Return size and origin of an occupancy map."""
    rows, columns = occupancy.values.shape
    message = types.nav_msgs.MapMetaData(
        resolution=occupancy.resolution, width=columns, height=rows)
    message.map_load_time.sec, message.map_load_time.nanosec = divmod(stamp_ns, 1_000_000_000)
    message.origin.position.x = occupancy.x_min
    message.origin.position.y = occupancy.y_min
    return message


def occupancy_grid(types: MessageTypes, occupancy: OccupancyMap, stamp_ns: int,
                   frame_id: str) -> Any:
    """Return an occupancy map."""
    return stamped(types.nav_msgs.OccupancyGrid(
        info=map_metadata(types, occupancy, stamp_ns),
        data=packed(types, occupancy.values, np.int8)), stamp_ns, frame_id)


def map_messages(types: MessageTypes, world: WorldSpec, frame_id: str, time_ns: int,
                 as_map: bool, plan: OccupancyMap | None = None,
                 ) -> Iterator[tuple[str, str, qos.Qos, list[Any]]]:
    """
    Yield topic, type, quality of service and messages: all maps on `simul_map`, one on `map`.

    Cells on `map` are free, occupied or unknown; those on `simul_map` have the probabilities
    of the world file. Without `as_map` the topic `map` is left to a map server or SLAM; `plan` is
    published there instead of the first map.
    """
    maps = occupancy_maps(world)
    first = [each.decided for each in (maps[:1] if plan is None else [plan])]
    for name, published in (('map', first if as_map else []), ('simul_map', maps)):
        if published:
            keep = qos.latched(len(published))
            yield name, 'nav_msgs/OccupancyGrid', keep, [
                occupancy_grid(types, each, time_ns, frame_id) for each in published]
            yield f'{name}_metadata', 'nav_msgs/MapMetaData', keep, [
                map_metadata(types, each, time_ns) for each in published]
