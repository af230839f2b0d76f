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
Record a live run: the simulator, and `ros2 bag record` (MCAP, simulated time).

    ros2 launch mvsim_ros2 record.launch.py world:=my.world.xml bag:=run1
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

The bag ends with Ctrl-C. It takes all arguments of mvsim.launch.py as well. Where nothing else
of ROS takes part in the run, `mvsim_ros2 record` is faster, and loses no message.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import ExecuteProcess
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the recorder, and the simulator."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution([share, 'worlds', 'demo.world.xml']),
            description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'bag', default_value='bag', description='Folder of the bag; must not exist yet'),
        DeclareLaunchArgument(
            'topics', default_value='.*',
            description='Regular expression for the names of the topics to record'),
        ExecuteProcess(
            cmd=['ros2', 'bag', 'record', '--storage', 'mcap', '--use-sim-time',
                 '--output', LaunchConfiguration('bag'),
                 '--regex', LaunchConfiguration('topics')],
            output='screen'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world'))]),
    ])
