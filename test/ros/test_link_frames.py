# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Frames and joints of robots with a description of their own, without a graph."""

from collections.abc import Iterable
from pathlib import Path

from geometry_msgs.msg import TransformStamped
import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.names import FrameNames, sensor_topics
from mvsim_ros2.ros.messages.transform_messages import vehicle_frames
from mvsim_ros2.ros.messages.urdf_export.link_frames import LinkFrames
from mvsim_ros2.ros.publishers.topics import TYPES

Tree = dict[str, tuple[str, np.ndarray]]


def simulation(folder: Path, robot: str, inside: str = '') -> Simulation:
    path = folder / 'one.world.xml'
    path.write_text(f"""<mvsim_world>
      <vehicle name="r1" urdf="package://mvsim_ros2/worlds/descriptions/{robot}">
        <init_pose>0 0 0</init_pose>{inside}</vehicle></mvsim_world>""")
    return Simulation(load_world(path))


def tree(transforms: Iterable[TransformStamped]) -> Tree:
    """Return parent and matrix by child; a child has one parent."""
    result: Tree = {}
    for each in transforms:
        q, t = each.transform.rotation, each.transform.translation
        x, y, z, w = q.x, q.y, q.z, q.w
        matrix = np.eye(4)
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        matrix[:3, 3] = t.x, t.y, t.z
        assert each.child_frame_id not in result
        result[each.child_frame_id] = each.header.frame_id, matrix
    return result


def pose(frames: Tree, frame: str, root: str) -> np.ndarray:
    """Return the matrix of a frame in the root of the tree."""
    matrix = np.eye(4)
    while frame != root:
        frame, local = frames[frame]
        matrix = local @ matrix
    return matrix


@pytest.mark.parametrize('prefix', ['', 'r1/'], ids=['plain', 'prefixed'])
def test_all_links_hang_below_the_footprint(tmp_path: Path, prefix: str) -> None:
    sim = simulation(tmp_path, 'round_robot.urdf.xacro')
    names = FrameNames().prefixed(prefix)
    vehicle = sim.vehicles['r1']
    links = LinkFrames(TYPES, vehicle.spec, names)
    frames = tree([*vehicle_frames(TYPES, 0, names, sim.sensors.values(), links),
                   *links.moving(0, vehicle.wheels)])
    root = f'{prefix}base_footprint'
    for link, place in {'base_link': (0, 0, 0.035), 'base_scan': (-0.03, 0, 0.165),
                        'wheel_left_link': (0, 0.12, 0.035), 'caster_link': (-0.11, 0, 0.01),
                        'camera_optical_link': (0.14, 0, 0.105)}.items():
        assert pose(frames, prefix + link, root)[:3, 3] == pytest.approx(place), link
    for sensor in sim.sensors.values():
        for frame in sensor.frames:
            assert pose(frames, prefix + frame.name, root) is not None
    # the frame of the scan is where the sensor is
    assert pose(frames, f'{prefix}base_scan', root) == pytest.approx(
        sim.sensors['r1/lidar'].pose.matrix, abs=1e-9)


def test_root_above_the_ground_hangs_on_the_footprint(tmp_path: Path) -> None:
    sim = simulation(tmp_path, 'skid_robot.urdf')
    names = FrameNames()
    links = LinkFrames(TYPES, sim.vehicles['r1'].spec, names)
    frames = tree(vehicle_frames(TYPES, 0, names, sim.sensors.values(), links))
    assert frames['base_link'][0] == 'base_footprint'
    assert frames['base_link'][1][2, 3] == pytest.approx(0.17)
    assert pose(frames, 'laser_frame', 'base_footprint')[:3, 3] == pytest.approx((0.26, 0, 0.29))


def test_footprint_below_the_base_becomes_the_root(tmp_path: Path) -> None:
    path = tmp_path / 'robot.urdf'
    path.write_text((Path(__file__).resolve().parents[2] / 'worlds' / 'descriptions'
                     / 'skid_robot.urdf').read_text().replace('</robot>', """
      <link name="base_footprint"/><joint name="down" type="fixed"><parent link="base_link"/>
      <child link="base_footprint"/><origin xyz="0 0 -0.17"/></joint></robot>"""))
    world = tmp_path / 'own.world.xml'
    world.write_text('<mvsim_world><vehicle name="r1" urdf="robot.urdf"><init_pose>0 0 0'
                     '</init_pose></vehicle></mvsim_world>')
    (vehicle,) = load_world(world).vehicles
    frames = tree(LinkFrames(TYPES, vehicle, FrameNames()).fixed(0))
    assert 'base_footprint' not in frames
    assert frames['base_link'][0] == 'base_footprint'
    assert frames['base_link'][1][2, 3] == pytest.approx(0.17)


def test_joints_turn_with_the_wheels_about_their_own_axes(tmp_path: Path) -> None:
    sim = simulation(tmp_path, 'skid_robot.urdf')
    vehicle = sim.vehicles['r1']
    vehicle.set_twist(0.5, 0.0)
    sim.run(0.5)
    links = LinkFrames(TYPES, vehicle.spec, FrameNames())
    joints = dict(zip(links.names, links.positions(vehicle.wheels), strict=True))
    speeds = dict(zip(links.names, links.velocities(vehicle.wheels), strict=True))
    # its right wheels turn about an axis to the right: forward is negative
    assert joints['front_left_wheel_joint'] == pytest.approx(-joints['front_right_wheel_joint'])
    assert speeds['rear_left_wheel_joint'] == pytest.approx(0.5 / 0.11, rel=0.02)
    frames = tree(links.moving(0, vehicle.wheels))
    left, right = (frames[f'front_{side}_wheel'][1] for side in ('left', 'right'))
    assert left[:3, :3] == pytest.approx(right[:3, :3])  # both roll the same way
    assert left[0, 2] == pytest.approx(np.sin(joints['front_left_wheel_joint']))


def test_steering_joints_steer(tmp_path: Path) -> None:
    sim = simulation(tmp_path, 'car.urdf.xacro')
    vehicle = sim.vehicles['r1']
    vehicle.set_steering(0.3, 0.2)
    sim.run(1.0)
    links = LinkFrames(TYPES, vehicle.spec, FrameNames())
    joints = dict(zip(links.names, links.positions(vehicle.wheels), strict=True))
    assert joints['front_left_steering_joint'] > 0.2 > joints['front_right_steering_joint'] > 0.1
    frames = tree(links.moving(0, vehicle.wheels))
    knuckle = frames['front_left_knuckle'][1]
    assert np.arctan2(knuckle[1, 0], knuckle[0, 0]) == pytest.approx(
        joints['front_left_steering_joint'])
    assert frames['front_left_wheel'][0] == 'front_left_knuckle'


def test_topics_are_those_of_the_description(tmp_path: Path) -> None:
    vehicle = simulation(tmp_path, 'round_robot.urdf.xacro').vehicles['r1'].spec
    assert sensor_topics(vehicle.sensors) == ['imu', 'scan', 'camera']


def test_a_joint_that_the_description_lacks_is_an_error(tmp_path: Path) -> None:
    vehicle = simulation(tmp_path, 'skid_robot.urdf', """<dynamics><lf_wheel
        joint="front_left_whel_joint"/></dynamics>""").vehicles['r1'].spec
    with pytest.raises(MvsimError, match="did you mean 'front_left_wheel_joint'"):
        LinkFrames(TYPES, vehicle, FrameNames())
