# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A vehicle of ours, written as URDF and read back, is the same vehicle."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.urdf_export.urdf import robot_urdf
from mvsim_ros2.sensors.camera.camera_sensor import OPTICAL
from mvsim_ros2.world.spec.sensors.camera import CameraSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

SHARE = Path(__file__).resolve().parents[2] / 'worlds'
SENSORS = ('lidar2d', 'vlp16', 'camera', 'imu', 'gnss', 'sonar', 'bumper', 'magnetometer',
           'barometer')
VEHICLES = ['burger', 'small_robot', 'rover', 'four_wheels']


def load(folder: Path, inside: str, attributes: str, before: str = '') -> VehicleSpec:
    path = folder / 'one.world.xml'
    path.write_text(f'<mvsim_world>{before}<vehicle name="r1" {attributes}>'
                    f'<init_pose>0 0 0</init_pose>{inside}</vehicle></mvsim_world>')
    (vehicle,) = load_world(path).vehicles
    return vehicle


def there_and_back(folder: Path, vehicle: VehicleSpec) -> VehicleSpec:
    """Return the vehicle that the URDF of `vehicle` describes."""
    frames = FrameNames()
    links = [(sensor.name, frames.base,
              sensor.pose.compose(OPTICAL.inverse()) if isinstance(sensor, CameraSpec)
              else sensor.pose) for sensor in vehicle.sensors]
    (folder / 'made.urdf').write_text(robot_urdf(vehicle, frames, links))
    return load(folder, '', 'urdf="made.urdf"')


def _axles(vehicle: VehicleSpec) -> str:
    """Return which axles a drivetrain drives, '' where there is none."""
    drivetrain = getattr(vehicle.dynamics, 'drivetrain', None)
    return '' if drivetrain is None else str(drivetrain.kind).partition('_')[2]


def assert_same_wheels_and_body(one: VehicleSpec, other: VehicleSpec) -> None:
    assert type(one.dynamics) is type(other.dynamics)
    for wheel, again in zip(one.dynamics.wheels, other.dynamics.wheels, strict=True):
        assert again.pos == pytest.approx(wheel.pos)
        assert (again.mass, again.diameter, again.width, again.spin_inertia) == pytest.approx(
            (wheel.mass, wheel.diameter, wheel.width, wheel.spin_inertia))
    body, again_body = one.dynamics.chassis, other.dynamics.chassis
    assert again_body.mass == pytest.approx(body.mass)
    assert (again_body.zmin, again_body.zmax) == pytest.approx((body.zmin, body.zmax))
    assert np.array(sorted(again_body.shape)) == pytest.approx(np.array(sorted(body.shape)))
    assert again_body.color == pytest.approx(body.color, abs=0.01)


@pytest.mark.parametrize('name', VEHICLES)
def test_vehicles_of_the_library(tmp_path: Path, name: str) -> None:
    """
    Exported robot descriptions of four vehicles, read back, have the same wheels and bodies.

    :reference: the vehicles
    """
    vehicle = load(tmp_path, '', f'class="{name}"',
                   f'<include file="{SHARE}/vehicles/{name}.vehicle.xml"/>')
    assert_same_wheels_and_body(vehicle, there_and_back(tmp_path, vehicle))


@pytest.mark.parametrize(('name', 'inside'), [
    pytest.param('ackermann', '', id='ackermann'),
    pytest.param('ackermann_drivetrain', '<drivetrain type="open_rear"/>', id='drivetrain'),
    pytest.param('ackermann_drivetrain', '<drivetrain type="torsen_4wd"/>', id='all wheels'),
    pytest.param('ackermann_drivetrain', '<drivetrain type="open_front"/>', id='front wheels'),
    pytest.param('mecanum', '', id='mecanum'),
    pytest.param('skid_steer', ''.join(
        f'<{side}_wheel pos="{x} {y}"/>' for side, y in (('l', 0.5), ('r', -0.5))
        for x in (-0.4, 0, 0.4)), id='six wheels')])
def test_classes_of_dynamics(tmp_path: Path, name: str, inside: str) -> None:
    vehicle = load(tmp_path, f'<dynamics class="{name}">{inside}</dynamics>', '')
    back = there_and_back(tmp_path, vehicle)
    assert_same_wheels_and_body(vehicle, back)
    assert _axles(back) == _axles(vehicle)


def test_centre_of_mass_and_inertia(tmp_path: Path) -> None:
    vehicle = load(tmp_path, '<dynamics class="differential"><chassis mass="20" '
                   'centre_of_mass="0.1 0.02 0.3" yaw_inertia="5"/></dynamics>', '')
    chassis = there_and_back(tmp_path, vehicle).dynamics.chassis
    assert chassis.centre_of_mass == pytest.approx((0.1, 0.02, 0.3))
    assert chassis.yaw_inertia == pytest.approx(5.0)


@pytest.mark.parametrize('name', SENSORS)
def test_sensors(tmp_path: Path, name: str) -> None:
    vehicle = load(tmp_path, f'<include file="{SHARE}/sensors/{name}.sensor.xml" '
                   'sensor_x="0.2" sensor_y="0.1" sensor_z="0.4"/>'
                   '<dynamics class="differential"/>', '')
    (sensor,), (again,) = vehicle.sensors, there_and_back(tmp_path, vehicle).sensors
    assert type(again) is type(sensor)
    assert again.name == sensor.name
    assert again.sensor_period == pytest.approx(sensor.sensor_period)
    assert again.pose.matrix == pytest.approx(sensor.pose.matrix, abs=1e-8)
    for field in ('nrays', 'fov', 'min_range', 'max_range', 'horz_nrays', 'vert_nrays',
                  'range_std_noise', 'ncols', 'nrows', 'fx', 'clip_min', 'clip_max',
                  'horizontal_std_noise', 'vertical_std_noise', 'std_noise',
                  'angular_velocity_white_noise', 'linear_acceleration_white_noise'):
        if (name, field) in (('sonar', 'range_std_noise'), ('bumper', 'fov')):
            continue  # of which Gazebo has nothing
        assert getattr(again, field, 0.0) == pytest.approx(getattr(sensor, field, 0.0)), field


@pytest.mark.parametrize(('kind', 'inside', 'fields'), [
    pytest.param('laser', '<nrays>31</nrays><fov_degrees>90</fov_degrees><start_angle_deg>20'
                 '</start_angle_deg>', ('nrays', 'fov', 'start_angle', 'angles'), id='laser'),
    pytest.param('laser', '<nrays>30</nrays><fov_degrees>360</fov_degrees>',
                 ('nrays', 'fov', 'closed_circle', 'angles'), id='full circle'),
    pytest.param('lidar3d', '<fov_nrays>31</fov_nrays><azimuth_min_degrees>10'
                 '</azimuth_min_degrees><azimuth_max_degrees>80</azimuth_max_degrees>',
                 ('fov_nrays', 'columns', 'azimuth_min', 'azimuth_max'), id='lidar3d')])
def test_angles_of_scans(tmp_path: Path, kind: str, inside: str, fields: tuple[str, ...]) -> None:
    vehicle = load(tmp_path, f'<sensor class="{kind}" name="s">{inside}</sensor>'
                   '<dynamics class="differential"/>', '')
    (sensor,), (again,) = vehicle.sensors, there_and_back(tmp_path, vehicle).sensors
    for field in fields:
        assert getattr(again, field) == pytest.approx(getattr(sensor, field)), field
