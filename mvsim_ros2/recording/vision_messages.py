# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of vision_msgs (4.1) that recordings use; rosbags does not come with them."""

VISION_MESSAGES = {
    'BoundingBox3D': """
geometry_msgs/Pose center
geometry_msgs/Vector3 size
""",
    'ObjectHypothesis': """
string class_id
float64 score
""",
    'ObjectHypothesisWithPose': """
vision_msgs/ObjectHypothesis hypothesis
geometry_msgs/PoseWithCovariance pose
""",
    'Detection3D': """
std_msgs/Header header
vision_msgs/ObjectHypothesisWithPose[] results
vision_msgs/BoundingBox3D bbox
string id
""",
    'Detection3DArray': """
std_msgs/Header header
vision_msgs/Detection3D[] detections
""",
    'VisionClass': """
uint16 class_id
string class_name
""",
    'LabelInfo': """
std_msgs/Header header
vision_msgs/VisionClass[] class_map
float32 threshold
"""}
