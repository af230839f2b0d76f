# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Send a robot through places of the demo world with Nav2.

    ros2 launch mvsim_ros2 nav2.launch.py world:=demo     # in one terminal, see docs/nav2.md
    python examples/nav2_waypoints.py [FOLDER]            # in another

It draws the places first; sending them needs the ROS package nav2_simple_commander.
"""

import math
from pathlib import Path
import sys

from mvsim_ros2 import load_world, world_path
from mvsim_ros2.pictures import draw_top_view, save_picture

PLACES = [(-9.5, 3.0, 90), (-5.3, 0.0, 0), (-3.6, -4.0, -90), (1.5, 0.0, 0), (9.0, 0.0, 180)]


def main() -> int:
    """Draw the places and send them; return the exit code."""
    folder = Path(*sys.argv[1:] or ['out'])
    path = [(-11.0, 0.0), *((x, y) for x, y, _ in PLACES)]
    picture = draw_top_view(load_world(world_path('demo')), path=path,
                            title='Places for Nav2, joined by straight lines')
    save_picture(picture, folder / 'nav2_waypoints.png')
    try:
        from geometry_msgs.msg import PoseStamped
        from nav2_simple_commander.robot_navigator import BasicNavigator, TaskResult
        import rclpy
    except ModuleNotFoundError as error:
        print(f'{error}: apt install ros-jazzy-nav2-simple-commander, and source ROS 2',
              file=sys.stderr)
        return 1
    rclpy.init()
    navigator = BasicNavigator()
    navigator.waitUntilNav2Active(localizer='bt_navigator')  # map to odom is that of the simulator
    goals = []
    for x, y, degrees in PLACES:
        goal = PoseStamped()
        goal.header.frame_id = 'map'
        goal.pose.position.x, goal.pose.position.y = x, y
        goal.pose.orientation.z = math.sin(math.radians(degrees) / 2.0)
        goal.pose.orientation.w = math.cos(math.radians(degrees) / 2.0)
        goals.append(goal)
    navigator.followWaypoints(goals)
    while not navigator.isTaskComplete():
        pass
    print(navigator.getResult())
    return 0 if navigator.getResult() == TaskResult.SUCCEEDED else 1


if __name__ == '__main__':
    sys.exit(main())
