# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drive a robot by a trained policy: the simulator, the policy, and RViz if wanted.

    ros2 launch mvsim_ros2 policy.launch.py policy:=navigate.onnx
    ros2 topic pub --once /goal_pose geometry_msgs/PoseStamped \
        "{header: {frame_id: map}, pose: {position: {x: 3.0, y: 1.0}}}"

A goal can also be set by "2D Goal Pose" in RViz. It takes all arguments of mvsim.launch.py too.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch_ros.actions import Node

from mvsim_ros2.ros.launching.arguments import file_of, is_true, namespace_of
from mvsim_ros2.ros.launching.simulation import Companions, in_namespace, simulation


def _policy(context: LaunchContext) -> Companions:
    """Return the node that drives."""
    return Companions([in_namespace(namespace_of(context), Node(
        package='mvsim_ros2', executable='policy_node', name='policy', output='screen',
        parameters=[{'policy': file_of(context, 'policy'),
                     'use_sim_time': is_true(context, 'use_sim_time')}]))])


def generate_launch_description() -> LaunchDescription:
    """Return the simulator and the policy."""
    policy = DeclareLaunchArgument(
        'policy', description='ONNX file of the policy, see docs/learning.md')
    return simulation('demo', companions=_policy, publish_map_odom=True, arguments=[policy])
