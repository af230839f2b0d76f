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
"""Robot descriptions, without ROS: the tree of links, and where they are."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.frames import Pose
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.messages.urdf import robot_urdf

VEHICLES = ['differential', 'differential_3_wheels', 'differential_4_wheels', 'ackermann',
            'ackermann_drivetrain']


def described(folder: Path, dynamics: str, frames: FrameNames) -> ElementTree.Element:
    """Return the URDF of a vehicle with default wheels and one sensor."""
    path = folder / 'one.world.xml'
    path.write_text(f'<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>'
                    f'<dynamics class="{dynamics}"/></vehicle></mvsim_world>')
    (vehicle,) = load_world(path).vehicles
    return ElementTree.fromstring(robot_urdf(
        vehicle, frames,
        [(frames.prefix + 'laser', frames.base, Pose(0.3, 0.1, 0.4, 1.0, 0.2, -0.1))]))


def numbers(text: str | None) -> list[float]:
    return [float(word) for word in (text or '').split()]


def matrix(robot: ElementTree.Element, link: str) -> np.ndarray:
    """Return the pose of a link in the root, all joints at zero, shape (4, 4)."""
    for joint in robot.findall('joint'):
        if joint.find('child').get('link') == link:
            origin = joint.find('origin')
            roll, pitch, yaw = numbers(origin.get('rpy'))
            own = np.eye(4)
            own[:3, :3] = rotation_matrix(yaw, pitch, roll)
            own[:3, 3] = numbers(origin.get('xyz'))
            return matrix(robot, joint.find('parent').get('link')) @ own
    return np.eye(4)


@pytest.mark.parametrize('frames', [
    pytest.param(FrameNames(), id='usual frames'),
    pytest.param(FrameNames(footprint=''), id='no footprint'),
    pytest.param(FrameNames().prefixed('r1/'), id='prefix'),
])
@pytest.mark.parametrize('dynamics', [pytest.param(name, id=name) for name in VEHICLES])
def test_links_are_one_tree_below_the_moving_frame(
        tmp_path: Path, dynamics: str, frames: FrameNames) -> None:
    robot = described(tmp_path, dynamics, frames)
    links = [link.get('name') for link in robot.iter('link')]
    children = [joint.find('child').get('link') for joint in robot.findall('joint')]
    parents = {joint.find('parent').get('link') for joint in robot.findall('joint')}
    assert len(set(links)) == len(links)
    assert len({joint.get('name') for joint in robot.findall('joint')}) == len(children)
    assert set(links) - set(children) == {frames.moving}
    assert parents <= set(links)


def test_wheels_and_sensors_are_where_the_spec_has_them(tmp_path: Path) -> None:
    robot = described(tmp_path, 'ackermann', FrameNames())
    front_left = matrix(robot, 'wheel_3')
    assert front_left[:3, 3] == pytest.approx([1.3, 1.0, 0.2])
    laser = Pose(0.3, 0.1, 0.4, 1.0, 0.2, -0.1).matrix
    assert matrix(robot, 'laser') == pytest.approx(laser)


def test_a_wheel_is_a_cylinder_about_its_axle(tmp_path: Path) -> None:
    robot = described(tmp_path, 'differential', FrameNames())
    (wheel,) = [each for each in robot.iter('link') if each.get('name') == 'wheel_1']
    roll, pitch, yaw = numbers(wheel.find('visual/origin').get('rpy'))
    axis = rotation_matrix(yaw, pitch, roll) @ [0.0, 0.0, 1.0]
    assert abs(axis[1]) == pytest.approx(1.0)
    cylinder = wheel.find('visual/geometry/cylinder')
    assert (cylinder.get('radius'), cylinder.get('length')) == ('0.2', '0.2')
    assert wheel.find('inertial/inertia').get('iyy') is not None


def test_moments_of_inertia_are_possible(tmp_path: Path) -> None:
    for inertia in described(tmp_path, 'ackermann', FrameNames()).iter('inertia'):
        moments = sorted(float(inertia.get(f'i{axis}{axis}')) for axis in 'xyz')
        assert moments[0] > 0.0
        assert moments[2] <= moments[0] + moments[1]
