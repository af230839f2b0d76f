# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects that cameras see, as vision_msgs has them (4.1, from ROS 2 Humble on)."""

from typing import Any

from mvsim_ros2.frames import Pose, ypr_from_matrix
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.state_messages import fill_stamp
from mvsim_ros2.sensors.observations import LabelImage
from mvsim_ros2.world.spec.label_classes import LABELS


def detections(types: MessageTypes, labels: LabelImage, frame_id: str) -> Any:
    """
    Return the boxes around the objects in sight as a Detection3DArray.

    `id` is the object, a number of the image of instances; `class_id` the class, a number of
    `class_names`. The size is along the axes of the body.
    """
    kind = types.vision_msgs
    found = []
    for box in labels.boxes_3d if labels.boxes_3d is not None else ():
        result = kind.ObjectHypothesisWithPose()
        result.hypothesis.class_id, result.hypothesis.score = str(int(box['label'])), 1.0
        each = kind.Detection3D(results=[result], id=str(int(box['thing'])))
        fill_stamp(each.header, labels.stamp_ns, frame_id)
        place, turn = each.bbox.center.position, each.bbox.center.orientation
        place.x, place.y, place.z = box['pose'][:3, 3].tolist()
        turn.x, turn.y, turn.z, turn.w = Pose(0.0, 0.0, 0.0, *map(
            float, ypr_from_matrix(box['pose'][:3, :3]))).quaternion
        each.bbox.size.x, each.bbox.size.y, each.bbox.size.z = box['size'].tolist()
        result.pose.pose = each.bbox.center
        found.append(each)
    message = kind.Detection3DArray(detections=found)
    fill_stamp(message.header, labels.stamp_ns, frame_id)
    return message


def class_names(types: MessageTypes, labels: LabelImage, frame_id: str) -> Any:
    """Return the names of the classes as a LabelInfo."""
    kind = types.vision_msgs
    message = kind.LabelInfo(class_map=[
        kind.VisionClass(class_id=number, class_name=name)
        for number, name in enumerate(LABELS)])
    fill_stamp(message.header, labels.stamp_ns, frame_id)
    return message
