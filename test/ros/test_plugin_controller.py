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
"""A controller that an installed package adds takes its command from ROS."""

from collections.abc import Callable
import os
from pathlib import Path

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client
from ros_client import Simulator


def test_it_drives_by_messages_on_cmd_vel(
        domain: int, project: Path, follow_recipe: Callable[[str, str], Path],
        monkeypatch: pytest.MonkeyPatch) -> None:
    folder = follow_recipe('A controller', 'my_controllers')
    monkeypatch.setenv('PYTHONPATH', f'{project}{os.pathsep}{folder}')
    client = Client(domain)
    with Simulator(domain, f'world:={folder}/my.world.xml',
                   'realtime_factor:=5.0') as client.simulator:
        client.listen(Odometry, '/base_pose_ground_truth')
        states = client.heard['/base_pose_ground_truth']
        publisher = client.publisher(Twist, '/cmd_vel')
        message = Twist()
        message.linear.x = 0.5
        client.wait('the speed', lambda: states and states[-1].twist.twist.linear.x > 0.45,
                    lambda: publisher.publish(message))
    client.close()
