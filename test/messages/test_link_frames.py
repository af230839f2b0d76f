# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Frames and joints of robots, without a graph."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.names import FrameNames, Namespaces, sensor_topics
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import fixed_frames

Tree = dict[str, tuple[str, np.ndarray]]


def simulation(folder: Path, robot: str, inside: str = '') -> Simulation:
    path = folder / 'one.world.xml'
    path.write_text(f"""<mvsim_world>
      <vehicle name="r1" urdf="{robot}"><init_pose>0 0 0</init_pose>{inside}</vehicle>
      </mvsim_world>""")
    return Simulation(load_world(path))


def shipped(folder: Path, robot: str, inside: str = '') -> Simulation:
    return simulation(folder, f'package://mvsim_ros2/worlds/descriptions/{robot}', inside)


def model_of(made: Simulation, names: FrameNames = FrameNames()) -> RobotModel:  # noqa: B008
    return RobotModel(made.vehicles['r1'], names, made.sensors.values())


def tree(model: RobotModel, settings: Settings = Settings()) -> Tree:  # noqa: B008
    """Return parent and matrix of each link by its frame; a child has one parent."""
    result, wheels = {}, model._vehicle.wheels
    for (parent, child), (x, y, z, a, b, c, d) in zip(model.moving(), model.poses(
            (wheels['angle'].tolist(), wheels['steer'].tolist()), 0).tolist(), strict=True):
        matrix = np.eye(4)
        matrix[:3] = [
            [1 - 2 * (b * b + c * c), 2 * (a * b - c * d), 2 * (a * c + b * d), x],
            [2 * (a * b + c * d), 1 - 2 * (a * a + c * c), 2 * (b * c - a * d), y],
            [2 * (a * c - b * d), 2 * (b * c + a * d), 1 - 2 * (a * a + b * b), z]]
        result[child] = parent, matrix
    fixed = {child: (parent, place.matrix) for parent, child, place in model.fixed(settings)}
    assert len(fixed) == len(model.fixed(settings)) and not fixed.keys() & result.keys()
    return result | fixed


def pose(frames: Tree, frame: str, root: str) -> np.ndarray:
    """Return the matrix of a frame in the root of the tree."""
    matrix = np.eye(4)
    while frame != root:
        frame, local = frames[frame]
        matrix = local @ matrix
    return matrix


@pytest.mark.parametrize('prefix', ['', 'r1/'], ids=['plain', 'prefixed'])
def test_all_links_hang_below_the_footprint(tmp_path: Path, prefix: str) -> None:
    sim = shipped(tmp_path, 'round_robot.urdf.xacro')
    frames = tree(model_of(sim, FrameNames().prefixed(prefix)))
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
    model = model_of(shipped(tmp_path, 'skid_robot.urdf'))
    frames = tree(model)
    assert frames['base_link'][0] == 'base_footprint'
    assert frames['base_link'][1][2, 3] == pytest.approx(0.17)
    assert pose(frames, 'laser_frame', 'base_footprint')[:3, 3] == pytest.approx((0.26, 0, 0.29))
    # which is no joint of the description: a robot_state_publisher does not have it
    (added,) = model.fixed(Settings(publish_robot_description=False, publish_sensor_tf=False))
    assert added[:2] == ('base_footprint', 'base_link')


def test_footprint_below_the_base_becomes_the_root(tmp_path: Path) -> None:
    (tmp_path / 'robot.urdf').write_text((
        Path(__file__).resolve().parents[2] / 'worlds/descriptions/skid_robot.urdf'
    ).read_text().replace('</robot>', """
      <link name="base_footprint"/><joint name="down" type="fixed"><parent link="base_link"/>
      <child link="base_footprint"/><origin xyz="0 0 -0.17"/></joint></robot>"""))
    frames = tree(model_of(simulation(tmp_path, 'robot.urdf')))
    assert 'base_footprint' not in frames
    assert frames['base_link'][0] == 'base_footprint'
    assert frames['base_link'][1][2, 3] == pytest.approx(0.17)


def test_joints_turn_with_the_wheels_about_their_own_axes(tmp_path: Path) -> None:
    sim = shipped(tmp_path, 'skid_robot.urdf')
    sim.vehicles['r1'].set_twist(0.5, 0.0)
    sim.run(0.5)
    model = model_of(sim)
    state = model.joint_states(TYPES, 0)
    joints = dict(zip(state.name, state.position, strict=True))
    speeds = dict(zip(state.name, state.velocity, strict=True))
    # its right wheels turn about an axis to the right: forward is negative
    assert joints['front_left_wheel_joint'] == pytest.approx(-joints['front_right_wheel_joint'])
    assert speeds['rear_left_wheel_joint'] == pytest.approx(0.5 / 0.11, rel=0.02)
    frames = tree(model)
    left, right = (frames[f'front_{side}_wheel'][1] for side in ('left', 'right'))
    assert left[:3, :3] == pytest.approx(right[:3, :3])  # both roll the same way
    assert left[0, 2] == pytest.approx(np.sin(joints['front_left_wheel_joint']))


def test_steering_joints_steer(tmp_path: Path) -> None:
    sim = shipped(tmp_path, 'car.urdf.xacro')
    sim.vehicles['r1'].set_steering(0.3, 0.2)
    sim.run(1.0)
    model = model_of(sim)
    state = model.joint_states(TYPES, 0)
    joints = dict(zip(state.name, state.position, strict=True))
    assert joints['front_left_steering_joint'] > 0.2 > joints['front_right_steering_joint'] > 0.1
    frames = tree(model)
    knuckle = frames['front_left_knuckle'][1]
    assert np.arctan2(knuckle[1, 0], knuckle[0, 0]) == pytest.approx(
        joints['front_left_steering_joint'])
    assert frames['front_left_wheel'][0] == 'front_left_knuckle'


def test_topics_are_those_of_the_description(tmp_path: Path) -> None:
    vehicle = shipped(tmp_path, 'round_robot.urdf.xacro').vehicles['r1'].spec
    assert sensor_topics(vehicle.sensors) == ['imu', 'scan', 'camera']


def test_a_joint_that_the_description_lacks_is_an_error(tmp_path: Path) -> None:
    made = shipped(tmp_path, 'skid_robot.urdf', """<dynamics><lf_wheel
        joint="front_left_whel_joint"/></dynamics>""")
    with pytest.raises(MvsimError, match="did you mean 'front_left_wheel_joint'"):
        model_of(made)


@pytest.mark.parametrize('dynamics', ['differential', 'differential_4_wheels', 'ackermann'])
def test_frames_of_joints_are_fixed_where_the_description_says_so(
        tmp_path: Path, dynamics: str) -> None:
    path = tmp_path / 'one.world.xml'
    path.write_text(f"""<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>
      <dynamics class="{dynamics}"/><sensor class="imu" name="imu"/></vehicle></mvsim_world>""")
    model = model_of(Simulation.from_file(path))
    kinds = {joint.find('child').get('link'): joint.get('type') for joint in ElementTree
             .fromstring(model.description()).findall('joint')}
    assert {child: 'continuous' for _, child in model.moving()} | {
        child: 'fixed' for _, child, _ in model.fixed(Settings())} == kinds
    left = model.fixed(Settings(publish_robot_description=False))
    assert [child for _, child, _ in left] == ['imu']


@pytest.mark.parametrize('world, place', [
    pytest.param('', '0 0', id='plain'),
    pytest.param('<world_to_enu_rotation_deg>30</world_to_enu_rotation_deg>', '0 0', id='turned'),
    pytest.param('<world_is_utm>true</world_is_utm>', '682000 5207000', id='UTM')])
def test_velocities_of_receivers_are_in_a_frame_that_points_north(
        tmp_path: Path, world: str, place: str) -> None:
    path = tmp_path / 'north.world.xml'
    path.write_text(f"""<mvsim_world><georeference><latitude>47</latitude>
      <longitude>11.4</longitude>{world}</georeference>
      <vehicle name="r1"><init_pose>{place} 40</init_pose>
        <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
        <sensor class="gnss" name="gnss"><velocity_std_noise>0</velocity_std_noise></sensor>
      </vehicle></mvsim_world>""")
    sim = Simulation.from_file(path)
    sim.vehicles['r1'].set_twist(1.0, 0.0)
    sim.run(1.0)
    handle = sim.sensors['r1/gnss']
    velocity, = (channel for channel in channels_of(handle.spec) if channel.ending == '/velocity')
    message = message_of(velocity, TYPES, handle.measure(), 'r1/')
    transforms = {each.child_frame_id: each for each in fixed_frames(
        TYPES, sim, Namespaces(Settings(), ['r1']), Settings(), 1)['']}
    frame = transforms[message.header.frame_id]
    assert frame.header.frame_id == 'map'
    turn = 2.0 * np.arctan2(frame.transform.rotation.z, frame.transform.rotation.w)
    east, north = message.twist.twist.linear.x, message.twist.twist.linear.y
    truth = sim.vehicles['r1']
    vx, vy, _ = truth.pose.rotation @ truth.twist_in_space[:3]
    found = complex(east, north) * np.exp(1j * turn)
    assert found == pytest.approx(complex(vx, vy), rel=1e-3)
