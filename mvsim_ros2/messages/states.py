# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""
From states and maps to messages: pure functions, that need no ROS.

All take the classes of messages as their first argument: see `messages.message_types`.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.world.spec.grid import OccupancyMap

NOT_ESTIMATED = 1e6  # variance of what planar odometry says nothing of: z, roll, pitch
_UNKNOWN = np.diag([0.0, 0.0, 1.0, 1.0, 1.0, 0.0]).ravel() * NOT_ESTIMATED
_PLANAR = (6 * np.array([[0], [1], [5]]) + np.array([0, 1, 5])).ravel()  # x, y, yaw


def packed(types: MessageTypes, values: NDArray[np.generic], dtype: type[np.generic]) -> Any:
    """
    Return `values` as the flat array that a message field holds.

    :param dtype: what the field holds: float32, float64, uint8 or int8.
    :raises TypeError: where `values` are of another type; nothing is converted silently.
    """
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


def fill_rotation(message: Any, pose: Pose) -> None:
    """Write the rotation of `pose` into a quaternion."""
    message.x, message.y, message.z, message.w = pose.quaternion


def fill_pose(message: Any, pose: Pose) -> None:
    """Write a pose into its message."""
    message.position.x, message.position.y, message.position.z = pose.x, pose.y, pose.z
    fill_rotation(message.orientation, pose)


def clock(types: MessageTypes, stamp_ns: int) -> Any:
    """Return the message that says what time it is [ns]."""
    message = types.rosgraph_msgs.Clock()
    message.clock.sec, message.clock.nanosec = divmod(stamp_ns, 1_000_000_000)
    return message


def transform(types: MessageTypes, stamp_ns: int, parent: str, child: str, pose: Pose) -> Any:
    """Return the transform that says where the frame `child` is in the frame `parent`."""
    message = types.geometry_msgs.TransformStamped(child_frame_id=child)
    fill_stamp(message.header, stamp_ns, parent)
    translation = message.transform.translation
    translation.x, translation.y, translation.z = pose.x, pose.y, pose.z
    fill_rotation(message.transform.rotation, pose)
    return message


def planar_covariance(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Return the 36 numbers of a ROS covariance.

    :param covariance: of x, y and yaw, shape (3, 3).
    """
    result = _UNKNOWN.copy()
    result[_PLANAR] = covariance.ravel()
    return result


def odometry(
        types: MessageTypes, stamp_ns: int, frame_id: str, child_frame_id: str, pose: Pose,
        twist: tuple[float, float, float], pose_covariance: NDArray[np.float64] | None = None,
        twist_covariance: NDArray[np.float64] | None = None) -> Any:
    """
    Return pose and twist of a vehicle.

    :param pose: of the frame `child_frame_id` in the frame `frame_id`.
    :param twist: vx, vy [m/s] and wz [rad/s] in the frame `child_frame_id` (REP-105).
    :param pose_covariance: of x, y and yaw, shape (3, 3); None: exact.
    :param twist_covariance: of vx, vy and wz, shape (3, 3); None: exact.
    """
    message = types.nav_msgs.Odometry(child_frame_id=child_frame_id)
    fill_stamp(message.header, stamp_ns, frame_id)
    fill_pose(message.pose.pose, pose)
    velocity = message.twist.twist
    velocity.linear.x, velocity.linear.y, velocity.angular.z = twist
    if pose_covariance is not None:
        message.pose.covariance = planar_covariance(pose_covariance)
    if twist_covariance is not None:
        message.twist.covariance = planar_covariance(twist_covariance)
    return message


def pose_array(types: MessageTypes, stamp_ns: int, frame_id: str, poses: Iterable[Pose]) -> Any:
    """Return many poses in one frame."""
    message = types.geometry_msgs.PoseArray()
    fill_stamp(message.header, stamp_ns, frame_id)
    for pose in poses:
        each = types.geometry_msgs.Pose()
        fill_pose(each, pose)
        message.poses.append(each)
    return message


def map_metadata(types: MessageTypes, occupancy: OccupancyMap, stamp_ns: int) -> Any:
    """Return size and place of an occupancy map."""
    rows, columns = occupancy.values.shape
    message = types.nav_msgs.MapMetaData(
        resolution=occupancy.resolution, width=columns, height=rows)
    message.map_load_time.sec, message.map_load_time.nanosec = divmod(stamp_ns, 1_000_000_000)
    message.origin.position.x = occupancy.x_min
    message.origin.position.y = occupancy.y_min
    return message


def occupancy_grid(types: MessageTypes, occupancy: OccupancyMap, stamp_ns: int,
                   frame_id: str) -> Any:
    """Return an occupancy map as its message."""
    message = types.nav_msgs.OccupancyGrid(
        info=map_metadata(types, occupancy, stamp_ns),
        data=packed(types, occupancy.values, np.int8))
    fill_stamp(message.header, stamp_ns, frame_id)
    return message
