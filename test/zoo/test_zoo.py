# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions in the styles of public ones are read as a reader of our own reads them."""

from dataclasses import dataclass
import math
from pathlib import Path

import numpy as np
import pytest
from reader import Description, Robot, SdfModel, write_wheel
import xacro

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

HERE = Path(__file__).parent
RADIUS, WIDTH = 0.06, 0.03
KINDS = {'gpu_lidar': 'laser', 'ray': 'laser', 'gpu_ray': 'laser', 'rings': 'lidar3d',
         'depth': 'rgbd_camera', 'navsat': 'gnss', 'camera': 'camera', 'imu': 'imu',
         'magnetometer': 'magnetometer'}
OPTICAL = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0]])
CONTROLLERS = {  # file -> controllers of ros2_control
    'control_diff': """
      type: diff_drive_controller/DiffDriveController
      left_wheel_names: [l]
      right_wheel_names: [r]""",
    'control_car': """
      type: ackermann_steering_controller/AckermannSteeringController
      rear_wheels_names: [rl, rr]
      front_wheels_names: [fl_steer, fr_steer]
      front_steering: true""",
    'control_mecanum': """
      type: mecanum_drive_controller/MecanumDriveController
      front_left_wheel_command_joint_name: fl
      front_right_wheel_command_joint_name: fr
      rear_left_wheel_command_joint_name: rl
      rear_right_wheel_command_joint_name: rr"""}


@dataclass(frozen=True)
class Row:
    """A robot of the table: how it is written, and what it is to be."""

    layout: str
    wheel: str
    drive: str
    caster: str
    sensors: str
    root: str
    prefix: str
    kind: str  # class of dynamics
    joints: tuple[str, ...]  # of wheels, without the prefix


TABLE = """
two        plain     -             ball   gz          footprint -     differential_3_wheels l r
two        turned    classic       ball   classic     footprint -     differential_3_wheels l r
two        cad       -             wheel  -           base      -     differential_3_wheels l r
two        mesh      gz            ball   gz,camera   footprint -     differential_3_wheels l r
two        bare_mesh classic       ball   depth       base      -     differential_3_wheels l r
two        sphere    ign           ball   -           footprint -     differential_3_wheels l r
two        hub       classic_1     swivel classic     footprint -     differential_3_wheels l r
two        damped    control       ball   rings       footprint -     differential_3_wheels l r
two        plain     control_diff  box    gz          footprint -     differential_3_wheels l r
two        turned    transmission  swivel hanging     footprint -     differential_3_wheels l r
two        plain     control       balls  gz,camera   footprint left/ differential          l r
two        cad       classic       ball   gz,outdoor  footprint r1_   differential_3_wheels l r
two        plain     planar        ball   classic     footprint -     omni
two        plain     gz_velocity   ball   gz          base      -     omni
four       plain     -             -      gz          footprint -     differential_4_wheels fl fr rl rr
four       turned    skid          -      hanging     footprint -     differential_4_wheels fl fr rl rr
four       cad       gz            -      rings       base      -     differential_4_wheels fl fr rl rr
four       mesh      transmission  -      outdoor     footprint robot_ differential_4_wheels fl fr rl rr
four       plain     planar        -      gz,depth    footprint -     mecanum               fl fr rl rr
four       plain     force         -      classic     footprint -     mecanum               fl fr rl rr
mimic      plain     control       -      gz          footprint -     differential_4_wheels fl fr rl rr
mimic      turned    classic       -      -           footprint a/b/  differential_4_wheels fl fr rl rr
six        plain     -             -      rings       footprint -     skid_steer            fl fr rl rr ml mr
tracks     plain     -             -      gz          base      -     skid_steer            fl fr rl rr ml mr
mecanum    mesh      control       -      gz          footprint -     differential_4_wheels fl fr rl rr
four       damped    control       -      gz          footprint -     differential_4_wheels fl fr rl rr
six        cad       classic       -      gz          base      -     skid_steer            fl fr rl rr ml mr
mecanum    plain     control       -      gz          footprint -     mecanum               fl fr rl rr
mecanum    plain     gz_mecanum    -      classic     base      m_    mecanum               fl fr rl rr
mecanum    turned    control_mecanum -    camera      footprint -     mecanum               fl fr rl rr
omni3      plain     transmission  -      gz          footprint -     omni                  w0 w1 w2
omni4      plain     control       -      gz          base      -     omni                  w0 w1 w2 w3
omni4_plus plain     -             -      hanging     footprint -     omni                  w0 w1 w2 w3
car        plain     -             -      gz          footprint -     ackermann_drivetrain  rl rr fl fr
car        turned    control       -      classic     footprint ego_  ackermann_drivetrain  rl rr fl fr
car        cad       gz_ackermann  -      gz,depth    base      -     ackermann_drivetrain  rl rr fl fr
car        plain     classic_ackermann -  rings       footprint -     ackermann_drivetrain  rl rr fl fr
car        plain     control_car   -      camera      footprint -     ackermann_drivetrain  rl rr fl fr
car_cad    cad       -             -      gz          base      -     ackermann_drivetrain  rl rr fl fr
car_fixed  plain     control       -      gz          footprint -     ackermann             rl rr fl fr
car_virtual plain    control       -      classic     footprint -     ackermann_drivetrain  rl rr fl fr
tricycle   plain     tricycle      -      gz          footprint -     tricycle              rl rr f
tricycle   turned    control       -      outdoor     base      -     tricycle              rl rr f
all_steered plain    control       -      gz          footprint -     four_wheel_steering   rl rr fl fr
"""  # noqa: E501
ROWS = [Row(*('' if word == '-' else word for word in words[:7]), words[7], tuple(words[8:]))
        for words in map(str.split, TABLE.strip().splitlines())]


def made(row: Row, folder: Path) -> tuple[Description, Path]:
    """Write the files of a robot; return it as our reader reads it, and a world of it."""
    write_wheel(folder / 'wheel.stl', RADIUS, WIDTH)
    if row.drive in CONTROLLERS:
        (folder / f'{row.drive}.yaml').write_text(
            f'controller_manager:\n  ros__parameters: {{update_rate: 50}}\ndrive:\n'
            f'  ros__parameters:{CONTROLLERS[row.drive]}\n')
    arguments = {name: getattr(row, name) for name in (
        'layout', 'wheel', 'drive', 'caster', 'sensors', 'root', 'prefix')}
    text = xacro.process_file(str(HERE / 'robot.urdf.xacro'), mappings={
        **arguments, 'meshes': str(folder)}).toxml()
    (folder / 'robot.urdf').write_text(text)
    world = folder / 'one.world.xml'
    world.write_text('<mvsim_world><vehicle name="r" urdf="robot.urdf"><init_pose>0 0 0'
                     '</init_pose></vehicle></mvsim_world>')
    return Description(text.encode()), world


def check_masses(described: Robot, vehicle: VehicleSpec) -> None:
    mass, inertia = described.mass_and_yaw_inertia()
    dynamics = vehicle.dynamics
    without = [wheel.mass for wheel in dynamics.wheels if not wheel.joint]
    added = 0.0 if len(without) < 2 else sum(without)
    assert dynamics.chassis.mass + sum(wheel.mass for wheel in dynamics.wheels) == pytest.approx(
        max(mass, added), rel=1e-6)
    assert dynamics.chassis.yaw_inertia == pytest.approx(inertia, rel=1e-6)


def check_wheels(kind: str, joints: list[str], described: Robot, vehicle: VehicleSpec) -> None:
    if not joints:
        return
    wheels = vehicle.dynamics.wheels[:len(joints)]
    expected = sorted(map(described.wheel, joints))
    found = sorted((wheel.pos[0], wheel.pos[1], wheel.radius) for wheel in wheels)
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-4)
    assert len(vehicle.dynamics.wheels) == len(joints) + (kind == 'differential_3_wheels')


def check_sensors(ground: float, described: Robot, vehicle: VehicleSpec) -> None:
    expected = described.sensors()
    assert len(vehicle.sensors) == len(expected)
    for sensor, (kind, pose, rate, rays) in zip(
            vehicle.sensors, expected.values(), strict=True):
        assert sensor.XML_CLASS == KINDS[kind]
        turn = sensor.pose.matrix[:3, :3] @ (OPTICAL.T if kind == 'camera' else np.eye(3))
        assert turn == pytest.approx(pose[:3, :3], abs=1e-6)
        assert sensor.pose.matrix[:3, 3] == pytest.approx(pose[:3, 3] - [0, 0, ground], abs=1e-4)
        assert 1.0 / sensor.sensor_period == pytest.approx(rate)
        if rays:
            assert (getattr(sensor, 'nrays', 0) or getattr(sensor, 'fov_nrays', 0)) == rays


def drive(world: Path, forward: float, turning: float, sideways: float = 0.0) -> np.ndarray:
    """Return the mean velocity of the last second of five, (3,) [m/s, m/s, rad/s]."""
    simulation = Simulation(load_world(world), sensors=False)
    (robot,) = simulation.vehicles.values()
    robot.set_twist(forward, turning, **({'vy': sideways} if sideways else {}))
    simulation.run(4.0)
    states = []
    for _ in range(20):
        simulation.run(0.05)
        states.append(robot.twist_body)
    return np.mean(states, axis=0)


def check_motion(world: Path, kind: str) -> None:
    """Drive straight, round and sideways; the LiDARs of the robot do not see it."""
    (vehicle,) = load_world(world).vehicles
    round_course = 0.3 if vehicle.dynamics.largest_steering else 0.6
    for command in ((0.3, 0.0), (0.3, round_course)):
        assert drive(world, *command)[[0, 2]] == pytest.approx(command, rel=0.02, abs=2e-3)
    if kind in ('mecanum', 'omni'):
        assert drive(world, 0.0, 0.0, 0.2) == pytest.approx([0.0, 0.2, 0.0], rel=0.02, abs=2e-3)
    simulation = Simulation(load_world(world))
    for sensor in vehicle.sensors:
        seen = simulation.measure(f'{vehicle.name}/{sensor.name}')
        if sensor.XML_CLASS == 'laser':
            assert not np.isfinite(seen.ranges).any()
        elif sensor.XML_CLASS == 'lidar3d':
            assert len(seen.points) == 0


@pytest.mark.parametrize('row', ROWS, ids=[
    '-'.join(filter(None, (row.layout, row.wheel, row.drive, row.caster, row.prefix)))
    for row in ROWS])
def test_a_robot_of_the_zoo(row: Row, tmp_path: Path) -> None:
    described, world = made(row, tmp_path)
    (vehicle,) = load_world(world).vehicles
    assert vehicle.dynamics.XML_CLASS == row.kind
    check_masses(described, vehicle)
    check_wheels(row.kind, [row.prefix + name for name in row.joints], described, vehicle)
    check_sensors(described.lowest if row.root == 'footprint' else -RADIUS, described, vehicle)
    check_motion(world, row.kind)


MODELS = """
plain   two  gz        ball  gz    differential_3_wheels l r
old     two  classic   ball  base  differential_3_wheels l r
turned  two  classic   fixed base  differential_3_wheels l r
joint   two  gz        own   gz    differential_3_wheels l r
frame   two  -         ball  rings differential_3_wheels l r
nested  two  gz        fixed gz    differential_3_wheels l_joint r_joint
degrees two  gz        ball  gz    differential_3_wheels l r
plain   four gz        -     rings differential_4_wheels fl fr rl rr
joint   four mecanum   -     gz    mecanum               fl fr rl rr
frame   four velocity  -     gz    mecanum               fl fr rl rr
degrees four -         -     base  differential_4_wheels fl fr rl rr
plain   car  ackermann -     gz    ackermann_drivetrain  fl fr rl rr
joint   car  -         -     base  ackermann_drivetrain  fl fr rl rr
old     car  ackermann -     rings ackermann_drivetrain  fl fr rl rr
"""
MODEL_ROWS = [line.split() for line in MODELS.strip().splitlines()]


def write_model(folder: Path, style: str, layout: str, plugin: str, caster: str, sensors: str,
                ) -> Path:
    text = xacro.process_file(str(HERE / 'model.sdf.xacro'), mappings={
        'style': style, 'layout': layout, 'drive': plugin, 'caster': caster, 'sensors': sensors})
    (folder / 'model.sdf').write_text(text.toxml())
    return folder / 'model.sdf'


@pytest.mark.parametrize('row', MODEL_ROWS, ids=['-'.join(row[:5]) for row in MODEL_ROWS])
def test_a_model_of_gazebo(row: list[str], tmp_path: Path) -> None:
    *how, kind = row[:6]
    path = write_model(tmp_path, *how)
    described = SdfModel(path.read_bytes())
    (vehicle,) = load_world(path).vehicles
    assert vehicle.dynamics.XML_CLASS == kind
    check_masses(described, vehicle)
    check_wheels(kind, row[6:], described, vehicle)
    check_sensors(described.lowest, described, vehicle)
    check_motion(path, kind)


WORLD = """<sdf version="1.9"><world name="w"><include><uri>model://ground_plane</uri></include>
  <include><uri>zoo</uri><name>ego</name><pose>1 2 0 0 0 1.5707963267948966</pose></include>
  <model name="wall"><static>1</static><pose>1 5 1 0 0 0</pose><link name="l"><collision name="c">
  <geometry><box><size>4 0.2 2</size></box></geometry></collision></link></model>
  <model name="door"><pose>9 9 0 0 0 0</pose><link name="a"><collision name="c"><geometry><box>
  <size>1 1 1</size></box></geometry></collision></link><link name="b"><pose>1 0 0 0 0 0</pose>
  <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>
  </joint></model></world></sdf>"""


def test_models_and_worlds_of_a_folder_have_receipts(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / 'zoo').mkdir()
    path = write_model(tmp_path / 'zoo', *MODEL_ROWS[0][:5])
    (tmp_path / 'zoo/model.config').write_text(
        '<model><name>zoo</name><sdf version="1.11">model.sdf</sdf></model>')
    (tmp_path / 'w.world').write_text(WORLD)
    door = WORLD[WORLD.index('<model name="door"'):].partition('</model>')[0]
    (tmp_path / 'stage.world').write_text('floorplan ( bitmap "a.png" )')
    world = load_world(tmp_path / 'w.world')
    (vehicle,) = world.vehicles
    check_masses(SdfModel(path.read_bytes()), vehicle)
    assert (vehicle.name, *vehicle.init_pose.position[:2], vehicle.init_pose.yaw) == (
        'ego', 1.0, 2.0, pytest.approx(math.pi / 2))
    scan = Simulation(world).measure('ego/scan')
    # the LiDAR is 0.1 m ahead; it looks along y of the world
    assert min(scan.ranges) == pytest.approx(5.0 - 0.1 - 2.0 - 0.1, abs=0.01)
    assert main(['zoo', str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert 'zoo/model.sdf: good' in said and 'w.world: good' in said and '2 descriptions' in said
    assert said.count('receipt: straight: 0.50') == 2 and 'receipt: vehicle ego' in said
    assert "the model 'door' does not drive, and is a block" in said
    path.write_text(path.read_text().replace('<radius>0.06', '<radius>0.02', 1))
    (tmp_path / 'tracks.sdf').write_text(
        f'<sdf version="1.9">{door}<plugin filename="gz-sim-tracked-vehicle-system" name="t"/>'
        '</model></sdf>')
    assert main(['zoo', str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert said.count(': not good') == 3
    assert "the plugin 'gz-sim-tracked-vehicle-system' is not known: a wheel needs" in said


@pytest.mark.parametrize(('right', 'wrong', 'words'), [
    ('cylinder length="0.03" radius="0.06"', 'cylinder length="0.03" radius="0.03"',
     'face each other with radii of 0.03 and 0.06 m'),
    ('<parent link="base_link"/>', '', 'lacks <parent'),
    ('xyz="-0.02 ', 'xyz="0.1 ', 'does not hold: straight: it reaches')],
    ids=['odd wheels', 'loose link', 'falls over'])
def test_the_verb_prints_a_receipt_for_each_file_of_a_folder(
        tmp_path: Path, capsys: pytest.CaptureFixture[str], right: str, wrong: str,
        words: str) -> None:
    made(ROWS[0], tmp_path)
    text = (tmp_path / 'robot.urdf').read_text()
    assert main(['zoo', str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert 'robot.urdf: good' in said and 'receipt: straight: 0.50' in said
    assert 'receipt: climbs: ' in said and '1 descriptions: 1 good, 0 not' in said
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'sub/parts.xacro').write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="m" params="a"/>'
        '</robot>')
    assert right in text
    (tmp_path / 'sub/broken.urdf').write_text(text.replace(right, wrong, 2))
    assert main(['zoo', str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert words in said and 'broken.urdf: not' in said
    assert '2 descriptions: 1 good, 1 not' in said and 'parts.xacro' not in said
