# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A small ROS stack for the benchmark of navigation: it drives straight to the goal, without a map.

    mvsim_ros2 benchmark nav rooms --contestants "ros:python examples/learn/ros_stack.py"
"""

import math

from geometry_msgs.msg import PoseStamped, TwistStamped
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

FRAMES = 'odom', 'base_footprint'  # from the map to the robot
TURN = 2.0  # 1/s, yaw rate for the bearing of the goal


class Seeker(Node):
    """Turns to the goal and drives there, slower where it is aside."""

    def __init__(self) -> None:
        """Listen to the goal and to frames, each of which a command answers."""
        super().__init__('seeker')
        self._goal: PoseStamped | None = None
        self.create_subscription(PoseStamped, 'goal_pose', self._take, 1)
        self.create_subscription(TFMessage, 'tf', self._drive, 10)
        self._commands = self.create_publisher(TwistStamped, 'cmd_vel', 1)

    def _take(self, goal: PoseStamped) -> None:
        self._goal = goal

    def _drive(self, message: TFMessage) -> None:
        """Answer a state: the stamp of the command is that of the state."""
        frames = {each.child_frame_id: each for each in message.transforms}
        if self._goal is None or not frames.keys() >= set(FRAMES):
            return
        x, y = self._goal.pose.position.x, self._goal.pose.position.y
        for name in FRAMES:
            move = frames[name].transform
            x, y = x - move.translation.x, y - move.translation.y
            yaw = 2.0 * math.atan2(move.rotation.z, move.rotation.w)
            x, y = (math.cos(yaw) * x + math.sin(yaw) * y, math.cos(yaw) * y - math.sin(yaw) * x)
        bearing = math.atan2(y, x)
        command = TwistStamped(header=frames[FRAMES[-1]].header)
        command.twist.linear.x = max(math.cos(bearing), 0.0) ** 3
        command.twist.angular.z = TURN * bearing
        self._commands.publish(command)


def main() -> None:
    """Drive until SIGINT."""
    rclpy.init()
    try:
        rclpy.spin(Seeker())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == '__main__':
    main()
