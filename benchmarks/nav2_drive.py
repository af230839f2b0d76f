# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drive a robot to a goal by Nav2: by its planner and controller, or by its behaviour tree.

    python benchmarks/nav2_drive.py X Y [tree]

Asks `compute_path_to_pose` for a path to a place of the map and `follow_path` to drive it, or
`navigate_to_pose` for both. Prints how far from the goal the robot is by ground truth. It needs
the package nav2_msgs; `benchmarks/clients.py` starts the nodes.
"""

from importlib import import_module
import math
import sys
import time
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
import rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from std_srvs.srv import Trigger

TOLERANCE = 0.25  # m, that of the goal checker and of the planner


def result_of(node: Node, name: str, **fields: Any) -> Any:
    """Send a goal to an action of Nav2, wait for its end, and return the result."""
    kind = getattr(import_module('nav2_msgs.action'), name)
    snake = ''.join(f'_{each.lower()}' if each.isupper() else each for each in name)[1:]
    client = ActionClient(node, kind, snake)
    client.wait_for_server()
    sent = client.send_goal_async(kind.Goal(**fields))
    rclpy.spin_until_future_complete(node, sent)
    ended = sent.result().get_result_async()
    rclpy.spin_until_future_complete(node, ended)
    return ended.result().result


def wait_until_active(node: Node) -> None:
    """Wait until the lifecycle manager says that all its nodes are active."""
    client, active = node.create_client(Trigger, 'lifecycle_manager/is_active'), False
    client.wait_for_service()
    while not active:
        time.sleep(0.5)
        answer = client.call_async(Trigger.Request())
        rclpy.spin_until_future_complete(node, answer)
        active = answer.result().success


def main() -> None:
    """Drive to the place of the command line."""
    x, y = map(float, sys.argv[1:3])
    rclpy.init()
    node, poses = Node('drive'), []
    node.create_subscription(Odometry, 'base_pose_ground_truth', poses.append, 1)
    goal = PoseStamped()
    goal.header.frame_id, goal.pose.orientation.w = 'map', 1.0
    goal.pose.position.x, goal.pose.position.y = x, y
    wait_until_active(node)
    if 'tree' in sys.argv[3:]:
        print(result_of(node, 'NavigateToPose', pose=goal))
    else:
        path = result_of(node, 'ComputePathToPose', goal=goal, planner_id='GridBased').path
        print(result_of(node, 'FollowPath', path=path, controller_id='FollowPath',
                        goal_checker_id='general_goal_checker'))
    for _ in range(20):  # the newest pose
        rclpy.spin_once(node, timeout_sec=0.05)
    place = poses[-1].pose.pose.position
    off = math.dist((place.x, place.y), (x, y))
    print(f'{"reached" if off < TOLERANCE else "missed"} the goal, {off:.2f} m off')
    rclpy.shutdown()


if __name__ == '__main__':
    main()
