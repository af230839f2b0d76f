# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of robot descriptions: their poses, values, frames and topics."""

from collections.abc import Callable
import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.lidar.scan_pattern import rotating
from mvsim_ros2.world.file.urdf_import.convert import convert
from mvsim_ros2.world.spec import (
    BarometerSpec, BumperSpec, CameraSpec, GnssSpec, ImuSpec, InfraredSpec, LaserSpec, Lidar3dSpec,
    MagnetometerSpec, RgbdCameraSpec, SensorSpec, SonarSpec, VehicleSpec)

Loader = Callable[..., VehicleSpec]

MOUNT = """
<link name="mount"/>
<joint name="mount_joint" type="fixed"><parent link="base_link"/><child link="mount"/>
  <origin xyz="0.1 0.02 0.25" rpy="0 0 1.5707963267948966"/></joint>
<gazebo reference="mount"><sensor name="{name}" type="{kind}">{inside}</sensor></gazebo>"""
RAYS = """<ray><scan><horizontal><samples>{samples}</samples><min_angle>{low}</min_angle>
  <max_angle>{high}</max_angle></horizontal></scan>
  <range><min>0.2</min><max>12</max></range>
  <noise><type>gaussian</type><stddev>0.03</stddev></noise></ray>"""


def one(load_robot: Loader, kind: str, inside: str = '', name: str = 'thing') -> SensorSpec:
    """Return the sensor that a Gazebo tag makes."""
    (sensor,) = load_robot(MOUNT.format(kind=kind, name=name, inside=inside)).sensors
    return sensor


def test_pose_is_that_of_the_link_above_the_ground(load_robot: Loader) -> None:
    sensor = one(load_robot, 'imu', '<pose>0.1 0 0 0 0 0</pose><update_rate>50</update_rate>'
                 '<topic>__default_topic__</topic>')
    assert sensor.topic == ''
    # base_link is 0.05 above the ground; the link looks to the left
    assert sensor.pose.position == pytest.approx([0.1, 0.12, 0.3])
    assert sensor.pose.yaw == pytest.approx(math.pi / 2)
    assert sensor.sensor_period == pytest.approx(0.02)


@pytest.mark.parametrize('kind', ['ray', 'gpu_ray', 'lidar', 'gpu_lidar'])
def test_scanner(load_robot: Loader, kind: str) -> None:
    inside = RAYS.format(samples=271, low=-2.356194490192345, high=2.356194490192345)
    if 'lidar' in kind:
        inside = inside.replace('ray>', 'lidar>')
    laser = one(load_robot, kind, inside)
    assert isinstance(laser, LaserSpec)
    assert (laser.nrays, laser.min_range, laser.max_range) == (271, 0.2, 12.0)
    assert laser.fov == pytest.approx(math.radians(270))
    assert laser.range_std_noise == 0.03
    assert (laser.frame_id, laser.topic) == ('mount', '')


@pytest.mark.parametrize(('low', 'high'), [
    pytest.param(0, 2 * math.pi, id='from 0'), pytest.param(-3.14159, 3.14159, id='from -pi'),
    pytest.param(0, 6.265732, id='without the last ray'),
    pytest.param(0, math.pi / 2, id='of one side'), pytest.param(-2.0, 1.0, id='oblique')])
def test_scans_begin_and_end_where_it_is_said(load_robot: Loader, tmp_path: Path, low: float,
                                              high: float) -> None:
    laser = one(load_robot, 'ray', RAYS.format(samples=360, low=low, high=high))
    assert isinstance(laser, LaserSpec)
    assert (laser.pose.yaw, laser.frame_id) == (pytest.approx(math.pi / 2), 'mount')
    simulation = Simulation(load_world(tmp_path / 'one.world.xml'))
    scan = simulation.measure('r1/thing')
    assert (scan.angle_min, scan.angle_max) == pytest.approx((low, high))
    assert scan.angle_increment == pytest.approx((high - low) / 359)


def test_the_first_range_is_that_of_the_first_angle(load_robot: Loader, tmp_path: Path) -> None:
    load_robot(MOUNT.format(kind='ray', name='thing', inside=RAYS.format(
        samples=180, low=0, high=math.pi).replace('0.03', '0')))
    path = tmp_path / 'one.world.xml'
    path.write_text(path.read_text().replace('</mvsim_world>', '<block> <init_pose>0.1 3 0'
                                             '</init_pose> <static>true</static> </block>'
                                             '</mvsim_world>'))
    scan = Simulation(load_world(path)).measure('r1/thing')
    # the sensor looks along y of the robot, and the block begins at y = 2.5
    assert scan.ranges[0] == pytest.approx(2.48, abs=0.01)
    assert np.isinf(scan.ranges[90:]).all()


def test_rays_are_multiplied_by_the_resolution(load_robot: Loader) -> None:
    inside = RAYS.format(samples=100, low=-1, high=1).replace(
        '</samples>', '</samples><resolution>0.5</resolution>')
    assert getattr(one(load_robot, 'ray', inside), 'nrays') == 50


def test_angles_that_are_exchanged_are_said(load_robot: Loader, tmp_path: Path) -> None:
    laser = one(load_robot, 'ray', RAYS.format(samples=5, low=1, high=-0.5))
    assert isinstance(laser, LaserSpec)
    assert (laser.fov, laser.start_angle) == pytest.approx((1.5, -0.5))
    found = convert(str(tmp_path / 'robot.urdf'), {}, lambda source, text: None).findings
    assert any('-0.5, is below min_angle, 1: they are exchanged' in each.text for each in found)


def test_plugins_are_sensors_too(load_robot: Loader) -> None:
    plugin = '<plugin filename="libhector_gazebo_ros_{}.so" name="p"><bodyName>{}</bodyName>{}' \
        '<updateRate>50</updateRate><topicName>/a/b</topicName></plugin>'
    imu, gnss = load_robot(MOUNT.format(kind='imu', name='other', inside='').partition(
        '<gazebo')[0] + '<gazebo>' + plugin.format(
            'imu', 'mount', '<accelGaussianNoise>0.02 0.02 0.02</accelGaussianNoise>')
        + plugin.format('gps', 'base_link', '').replace('a/b', 'fix') + '</gazebo>').sensors
    assert isinstance(imu, ImuSpec) and isinstance(gnss, GnssSpec)
    assert imu.pose.position == pytest.approx([0.1, 0.02, 0.3])
    assert (imu.frame_id, imu.topic, imu.sensor_period) == ('mount', 'a/b', 0.02)
    assert imu.linear_acceleration_white_noise == 0.02
    assert (gnss.frame_id, gnss.topic) == ('base_link', 'fix')
    with pytest.raises(WorldFileError, match="<bodyName> of the plugin is 'head', which is no"):
        load_robot('<gazebo>' + plugin.format('imu', 'head', '') + '</gazebo>')


def test_lidar_with_rings(load_robot: Loader) -> None:
    lidar = one(load_robot, 'gpu_lidar', """<topic>/front/points</topic><lidar><scan>
      <horizontal><samples>900</samples><min_angle>-1</min_angle><max_angle>1.5</max_angle>
      </horizontal><vertical><samples>4</samples><min_angle>-0.3</min_angle>
      <max_angle>0.3</max_angle></vertical></scan></lidar>""")
    assert isinstance(lidar, Lidar3dSpec)
    assert (lidar.fov_nrays, lidar.vert_nrays) == (900, 4)
    assert lidar.vertical_ray_angles == pytest.approx((-0.3, -0.1, 0.1, 0.3))
    assert (lidar.azimuth_min, lidar.azimuth_max) == pytest.approx((-1.0, 1.5))
    assert lidar.topic == 'front/points'


@pytest.mark.parametrize(('samples', 'low', 'high'), [
    (180, -0.785, 0.785), (3, 0.1, 0.2), (1, 0.0, 0.0), (90, 2.0, 4.0)])
def test_columns_are_those_of_the_field_of_view(
        load_robot: Loader, tmp_path: Path, samples: int, low: float, high: float) -> None:
    lidar = one(load_robot, 'gpu_lidar', f"""<lidar><scan>
      <horizontal><samples>{samples}</samples><min_angle>{low}</min_angle>
      <max_angle>{high}</max_angle></horizontal><vertical><samples>16</samples>
      <min_angle>-0.26</min_angle><max_angle>0.26</max_angle></vertical></scan></lidar>""")
    assert isinstance(lidar, Lidar3dSpec)
    azimuth = np.arctan2(*rotating(lidar, 0.1).columns[:, 1::-1].T)
    expected = np.linspace(high, low, samples)  # they turn clockwise
    assert np.cos(azimuth - expected) == pytest.approx(np.ones(samples))
    assert lidar.columns == samples
    assert Simulation(load_world(tmp_path / 'one.world.xml')).measure('r1/thing') is not None


def test_camera_axis_is_x_of_its_link(load_robot: Loader) -> None:
    camera = one(load_robot, 'camera', """<topic>front/image_raw</topic><camera>
      <horizontal_fov>1.5707963267948966</horizontal_fov>
      <image><width>200</width><height>100</height></image>
      <clip><near>0.2</near><far>50</far></clip><noise><stddev>0.01</stddev></noise>
      <distortion><k1>-0.1</k1><p2>0.002</p2></distortion></camera>""")
    assert isinstance(camera, CameraSpec)
    assert (camera.ncols, camera.nrows, camera.cx, camera.cy) == (200, 100, 100.0, 50.0)
    assert (camera.fx, camera.fy) == pytest.approx((100.0, 100.0))
    assert (camera.clip_min, camera.clip_max) == (0.2, 50.0)
    assert camera.image_noise == pytest.approx(2.55)
    assert camera.distortion == pytest.approx((-0.1, 0.0, 0.0, 0.002, 0.0))
    assert camera.topic == 'front'
    # the link looks along y of the robot: so does z of the camera, and its y looks down
    assert camera.pose.rotation[:, 2] == pytest.approx([0.0, 1.0, 0.0])
    assert camera.pose.rotation[:, 1] == pytest.approx([0.0, 0.0, -1.0])


def test_depth_camera_with_optical_link(load_shipped: Loader) -> None:
    camera = load_shipped('round_robot.urdf.xacro').sensors[2]
    assert isinstance(camera, RgbdCameraSpec)
    assert camera.pose == pytest.approx(Pose(0.14, 0.0, 0.105, 0.0, 0.1, 0.0), abs=1e-9) or (
        np.allclose(camera.pose.matrix, Pose(0.14, 0.0, 0.105, 0.0, 0.1).matrix))
    assert (camera.frame_id, camera.topic) == ('camera_optical_link', 'camera')
    assert (camera.rgb_ncols, camera.depth_nrows) == (320, 240)
    assert camera.depth_fx == pytest.approx(160 / math.tan(0.6))
    assert len(camera.visuals) == 1  # its housing, which it does not see


def test_imu(load_robot: Loader) -> None:
    axes = ''.join(f'<{axis}><noise type="gaussian"><stddev>{{0}}</stddev>'
                   f'<bias_mean>{mean}</bias_mean></noise></{axis}>'
                   for axis, mean in zip('xyz', (0.1, 0.2, 0.3), strict=True))
    imu = one(load_robot, 'imu', '<imu><angular_velocity>' + axes.format(0.002)
              + '</angular_velocity><linear_acceleration>' + axes.format(0.05)
              + '</linear_acceleration></imu>')
    assert isinstance(imu, ImuSpec)
    assert imu.angular_velocity_white_noise == pytest.approx(0.002)
    assert imu.linear_acceleration_white_noise == pytest.approx(0.05)
    assert imu.angular_velocity_bias == pytest.approx((0.1, 0.2, 0.3))
    assert imu.measure_orientation


@pytest.mark.parametrize(('kind', 'inside', 'spec', 'field', 'expected'), [
    pytest.param('gps', '<gps><position_sensing><horizontal><noise><stddev>1.5</stddev></noise>'
                 '</horizontal></position_sensing></gps>', GnssSpec, 'horizontal_std_noise', 1.5,
                 id='gps'),
    pytest.param('navsat', '<navsat><position_sensing><vertical><noise><stddev>3</stddev></noise>'
                 '</vertical></position_sensing></navsat>', GnssSpec, 'vertical_std_noise', 3.0,
                 id='navsat'),
    pytest.param('camera', '<camera><horizontal_fov>3.2</horizontal_fov></camera>', CameraSpec,
                 'fx', 160 / math.tan(math.radians(85)), id='wide camera'),
    pytest.param('contact', '', BumperSpec, 'fov', 2 * math.pi, id='contact'),
    pytest.param('sonar', '<sonar><min>0.1</min><max>2</max><radius>1</radius></sonar>',
                 SonarSpec, 'fov', 2 * math.atan(0.5), id='sonar'),
    pytest.param('ray', RAYS.format(samples=5, low=-0.1, high=0.1) + '<plugin>'
                 '<output_type>sensor_msgs/Range</output_type></plugin>', SonarSpec, 'fov', 0.2,
                 id='rays as a sonar'),
    pytest.param('ray', RAYS.format(samples=5, low=-0.1, high=0.1) + '<plugin>'
                 '<output_type>sensor_msgs/Range</output_type>'
                 '<radiation_type>infrared</radiation_type></plugin>', InfraredSpec, 'max_range',
                 12.0, id='rays as infrared'),
    pytest.param('ray', RAYS.format(samples=5, low=-0.2, high=0.2) + '<plugin name="p" '
                 'filename="libgazebo_ros_range.so"><radiation>infrared</radiation></plugin>',
                 InfraredSpec, 'fov', 0.4, id='classic range'),
    pytest.param('magnetometer', '<magnetometer><x><noise><stddev>3e-7</stddev></noise></x>'
                 '</magnetometer>', MagnetometerSpec, 'std_noise', 1e-7, id='magnetometer'),
    pytest.param('air_pressure', '<air_pressure><pressure><noise><stddev>4</stddev></noise>'
                 '</pressure></air_pressure>', BarometerSpec, 'std_noise', 4.0, id='barometer'),
])
def test_other_kinds(load_robot: Loader, kind: str, inside: str, spec: type, field: str,
                     expected: float) -> None:
    sensor = one(load_robot, kind, inside)
    assert type(sensor) is spec
    assert getattr(sensor, field) == pytest.approx(expected)


@pytest.mark.parametrize(('kind', 'inside', 'message'), [
    pytest.param('ray', RAYS.format(samples='many', low=0, high=1),
                 "<samples> is 'many': write a finite number", id='samples'),
    pytest.param('ray', RAYS.format(samples=0, low=0, high=1), 'must be from 1 to', id='no rays'),
    pytest.param('camera', '<camera><horizontal_fov>7</horizontal_fov></camera>',
                 'between 0 and 2 pi', id='field of view'),
    pytest.param('ray', RAYS.format(samples=5, low=0, high=1).replace(
        '</samples>', '</samples><resolution>0</resolution>'), 'multiplies <samples>',
                 id='resolution'),
    pytest.param('camera', '<camera><clip><near>2</near><far>1</far></clip></camera>',
                 'far above near', id='clip'),
])
def test_values_that_make_no_sensor_are_errors(load_robot: Loader, kind: str, inside: str,
                                               message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        one(load_robot, kind, inside)


@pytest.mark.parametrize(('kind', 'outside', 'field', 'expected'), [
    pytest.param('camera', '<image><width>640</width><height>480</height></image>'
                 '<horizontal_fov>1.0</horizontal_fov>', 'fx', 320 / math.tan(0.5), id='camera'),
    pytest.param('ray', RAYS.format(samples=9, low=-1, high=1)[5:-6], 'nrays', 9, id='rays')])
def test_tags_out_of_place_are_read_and_said(
        load_robot: Loader, tmp_path: Path, kind: str, outside: str, field: str,
        expected: float) -> None:
    assert getattr(one(load_robot, kind, outside), field) == pytest.approx(expected)
    found = convert(str(tmp_path / 'robot.urdf'), {}, lambda source, text: None).findings
    assert any('is in <sensor>, where Gazebo does not read it' in each.text for each in found)


@pytest.mark.parametrize(('kind', 'inside', 'said'), [
    pytest.param('imu', '<updaterate>5</updaterate>',
                 "<updaterate> in <sensor> is not read; did you mean 'update_rate'?", id='typo'),
    pytest.param('camera', '<camera><width>640</width></camera>',
                 '<width> in <camera> is not read: it belongs in <image>', id='deeper'),
    pytest.param('ray', '<ray><samples>5</samples></ray>',
                 '<samples> in <ray> is not read: it belongs in <horizontal>', id='much deeper'),
    pytest.param('camera', '<camera><update_rate>5</update_rate></camera>',
                 '<update_rate> in <camera> is not read: it belongs in <sensor>', id='higher'),
    pytest.param('imu', '<image><width>9</width></image>',
                 '<image> in <sensor> is not read: it belongs in <camera>', id='other kind')])
def test_tags_that_are_not_read_are_said(
        load_robot: Loader, caplog: pytest.LogCaptureFixture, kind: str, inside: str,
        said: str) -> None:
    load_robot(MOUNT.format(kind=kind, name='thing', inside=inside), strict=False)
    assert said in caplog.text


@pytest.mark.parametrize(('origin', 'said'), [
    pytest.param('xyz="0.01 0 0" rpy="-1.5707963 0 -1.5707963"', 'is 0.01 m away from the optical',
                 id='place'),
    pytest.param('', 'is turned by 120 degrees from the optical frame', id='turn')])
def test_an_optical_frame_elsewhere_is_described(
        load_robot: Loader, tmp_path: Path, origin: str, said: str) -> None:
    load_robot(f"""<link name="optical"/><joint name="o" type="fixed"><parent link="base_link"/>
      <child link="optical"/><origin {origin}/></joint><gazebo reference="base_link"><sensor
      type="camera" name="c"><gz_frame_id>optical</gz_frame_id></sensor></gazebo>""")
    found = convert(str(tmp_path / 'robot.urdf'), {}, lambda source, text: None).findings
    assert any(said in each.text for each in found), found


def test_names_and_topics_are_unique(load_robot: Loader) -> None:
    sensor = '<sensor name="scan" type="imu"><topic>same</topic></sensor>'
    vehicle = load_robot(f'<gazebo reference="base_link">{sensor}{sensor}</gazebo>', strict=False)
    assert [(each.name, each.topic) for each in vehicle.sensors] == [
        ('scan', 'same'), ('scan_2', '')]


def test_a_sensor_beside_its_namesake_link_gets_another_name(load_robot: Loader) -> None:
    sensor = one(load_robot, 'imu', '<pose>1 0 0 0 0 0</pose>', name='mount')
    assert (sensor.name, sensor.frame_id) == ('mount_sensor', '')
