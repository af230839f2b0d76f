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
"""A robot with a description of its own, on the graph: as its maker's tools know it."""

from collections.abc import Iterator
from pathlib import Path

from nav_msgs.msg import Odometry
import pytest
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from ros_client import Client
from ros_client import Simulator
from sensor_msgs.msg import Imu
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
WORLD = """<mvsim_world>
  <vehicle name="r1" urdf="package://mvsim_ros2/worlds/descriptions/round_robot.urdf.xacro"
           urdf_args="camera:=false"><init_pose>0 0 0</init_pose></vehicle>
  <block name="box"><init_pose>3 0 0</init_pose><static>true</static></block>
</mvsim_world>"""


@pytest.fixture(scope='module')
def client(domain: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Provide a client of a node with a described robot."""
    path: Path = tmp_path_factory.mktemp('described') / 'one.world.xml'
    path.write_text(WORLD)
    each = Client(domain)
    with Simulator(domain, f'world:={path}', 'realtime_factor:=1.0') as each.simulator:
        each.listen(TFMessage, '/tf')
        each.listen(TFMessage, '/tf_static', LATCHED)
        each.listen(String, '/robot_description', LATCHED)
        each.listen(JointState, '/joint_states')
        each.fresh('/tf')
        yield each
    each.close()


def test_the_description_is_the_file_itself_expanded(client: Client) -> None:
    client.wait('the description', lambda: client.heard['/robot_description'])
    text = client.heard['/robot_description'][0].data
    assert '<robot name="round_robot"' in text and 'libgazebo_ros_diff_drive.so' in text
    assert 'xacro:' not in text and 'camera_link' not in text


def test_joints_have_their_own_names(client: Client) -> None:
    assert list(client.fresh('/joint_states').name) == ['wheel_left_joint', 'wheel_right_joint']


def test_every_link_is_a_frame_with_one_parent(client: Client) -> None:
    client.wait('static frames', lambda: client.heard['/tf_static'])
    client.wait('wheels', lambda: len(client.fresh('/tf').transforms) == 3)
    parents = [(each.child_frame_id, each.header.frame_id)
               for message in (client.heard['/tf_static'][-1], client.fresh('/tf'))
               for each in message.transforms]
    assert sorted(parents) == [
        ('base_footprint', 'odom'), ('base_link', 'base_footprint'), ('base_scan', 'base_link'),
        ('caster_link', 'base_link'), ('imu_link', 'base_link'), ('wheel_left_link', 'base_link'),
        ('wheel_right_link', 'base_link')]


def test_measurements_are_in_the_frames_of_the_file(client: Client) -> None:
    client.listen(LaserScan, '/scan')
    client.listen(Imu, '/imu')
    client.listen(Odometry, '/odom')
    scan, imu, odom = (client.fresh(topic, 2) for topic in ('/scan', '/imu', '/odom'))
    assert (scan.header.frame_id, imu.header.frame_id) == ('base_scan', 'imu_link')
    assert odom.child_frame_id == 'base_link'
    assert min(scan.ranges) == pytest.approx(2.53, abs=0.05)  # from x = -0.03 to the box
