# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shipped definitions of sensors: their options, and their numbers against data sheets."""

from dataclasses import replace
import math
from pathlib import Path
import re
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.sensors.camera.image_noise import measured_depth
from mvsim_ros2.sensors.lidar.scan_pattern import rotating
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import (
    BlockSpec, CameraSpec, ImagerSpec, ImuSpec, LaserSpec, Lidar3dSpec, SensorSpec,
    WheelEncodersSpec, WorldSpec)

FOLDER = Path(__file__).resolve().parents[2] / 'worlds/sensors'
DEFINITIONS = [pytest.param(path, id=path.name.partition('.')[0])
               for path in sorted(FOLDER.glob('*.xml')) if not path.name.startswith('wheel')]
# other than the default, and what the spec then holds
OPTIONS: dict[type[SensorSpec], dict[str, tuple[str, object]]] = {
    LaserSpec: {'rolling': ('true', True), 'raytrace_3d': ('true', True),
                'ignore_parent_body': ('true', True),
                'range_std_noise': ('0.5', 0.5)},
    Lidar3dSpec: {'rolling': ('false', False), 'ignore_parent_body': ('true', True),
                  'layout': ('mvsim', 'mvsim'), 'labels': ('true', True),
                  'range_std_noise': ('0.5', 0.5)},
    ImagerSpec: {'labels': ('true', True), 'image_noise': ('7', 7.0), 'renderer': ('cpu', 'cpu'),
                 'ignore_parent_body': ('true', True), 'antialiasing': ('false', False)},
    ImuSpec: {'angular_velocity_bias_noise': ('0.5', 0.5), 'measure_orientation': ('true', True),
              'linear_acceleration_bias_noise': ('0.25', 0.25)}}
RENAMED = {'range_std_noise': 'sensor_std_noise', 'angular_velocity_bias_noise': 'gyro_bias',
           'linear_acceleration_bias_noise': 'accel_bias'}
# options that belong to one device: what its maker lets be set
OWN = {'laser': {'fov_degrees', 'sensor_hz', 'sensor_nrays'},
       'lidar3d': {'columns', 'rings', 'sensor_hz', 'sensor_rpm', 'vert_fov_degrees'},
       'camera': {'baseline', 'focal_length', 'ncols', 'nrows'},
       'imu': {f'{part}_{what}' for part in ('gyro', 'accel')
               for what in ('bandwidth', 'density', 'limit', 'noise', 'walk')},
       'gnss': {'fix'}}


def included(path: Path | str, **variables: object) -> Any:
    """Return the sensor of a definition, by its path or name."""
    path = FOLDER / f'{path}.sensor.xml' if isinstance(path, str) else path
    options = ' '.join(f'{key}="{value}"' for key, value in variables.items())
    (spec,) = load_world_text(f'<include file="{path}" {options}/>', 'text', strict=True).sensors
    return spec


@pytest.mark.parametrize('path', DEFINITIONS)
def test_place_and_name(path: Path) -> None:
    spec = included(path, sensor_name='it', sensor_x='1', sensor_y='2', sensor_z='3',
                    sensor_yaw='40', sensor_pitch='20', sensor_roll='-10')
    pose = spec.pose
    if isinstance(spec, CameraSpec):  # the pose is optical, that of the definition is not
        pose = pose.compose(Pose(yaw=-np.pi / 2, roll=-np.pi / 2).inverse())
    expected = Pose(1.0, 2.0, 3.0, *np.radians([40.0, 20.0, -10.0]).tolist())
    np.testing.assert_allclose(pose.matrix, expected.matrix, atol=1e-12)
    assert spec.name == 'it'
    assert not isinstance(spec, WheelEncodersSpec)


@pytest.mark.parametrize('path', DEFINITIONS)
def test_options_of_the_class(path: Path) -> None:
    spec = included(path)
    options = next((each for kind, each in OPTIONS.items() if isinstance(spec, kind)), {})
    changed = included(path, **{
        RENAMED.get(name, name): text for name, (text, _) in options.items()})
    for name, (_, value) in options.items():
        assert getattr(changed, name) == value, name


def test_definitions_of_a_class_have_the_same_options() -> None:
    options: dict[str, list[set[str]]] = {}
    for path in FOLDER.glob('*.xml'):
        text = path.read_text()
        # gnss_rtk includes gnss
        kind = re.findall('<(?:sensor class|include file)="([a-z0-9_]+)', text)[0]
        options.setdefault(kind, []).append(
            set(re.findall(r'\$\{(\w+)', text)) - OWN.get(kind, set()))
    for kind, sets in options.items():
        assert not set.union(*sets) - set.intersection(*sets), kind
        assert {'sensor_name', 'sensor_period_sec'} < sets[0], kind


@pytest.mark.parametrize('path', DEFINITIONS)
def test_the_period_may_be_chosen(path: Path) -> None:
    usual = included(path)
    period = 0.004 if isinstance(usual, ImuSpec) else 0.05  # above twice its bandwidth
    spec = included(path, sensor_period_sec=str(period))
    assert spec.sensor_period == period
    if isinstance(spec, Lidar3dSpec) and 'ouster' not in path.name:  # beams follow the period
        assert spec.horz_nrays == pytest.approx(
            usual.horz_nrays * period / usual.sensor_period, abs=1.0)


def test_a_camera_that_is_tilted_and_rolled_looks_where_it_says() -> None:
    spec = included('camera', sensor_yaw='30', sensor_pitch='-15', sensor_roll='25')
    body, optical = Simulation(WorldSpec(sensors=(spec,))).sensors[spec.name].frames
    expected = Pose(0.1, 0.0, 0.5, *np.radians([30.0, -15.0, 25.0]).tolist())
    np.testing.assert_allclose(body.pose.matrix, expected.matrix, atol=1e-12)
    assert optical.parent == body.name


def test_vlp16_fires_as_its_manual_says() -> None:
    """Laser k fires at 2.304 us k, even ones from -15, odd ones from 1 degree (63-9243, 9.3)."""
    spec = included('vlp16')
    beams = rotating(spec, spec.sensor_period)
    for laser in range(16):
        elevation = -15 + laser if laser % 2 == 0 else laser
        ring = (elevation + 15) // 2
        assert math.degrees(math.asin(beams.vectors[ring, 2])) == pytest.approx(elevation)
        assert beams.delays[ring] == pytest.approx(2.304e-6 * laser)
        # the head turns on, clockwise
        turned = -2 * math.pi * 2.304e-6 * laser / spec.sensor_period
        assert math.atan2(beams.vectors[ring, 1], beams.vectors[ring, 0]) == pytest.approx(turned)
    assert beams.columns[1, 2] == pytest.approx(55.296e-6, rel=3e-4)
    assert beams.origins[0, 2] == -beams.origins[15, 2] == 0.0112


@pytest.mark.parametrize('name, columns, near', [
    pytest.param('helios_70', 1800, np.arange(-6, 6) * 4 / 3, id='70'),
    pytest.param('helios_31', 1800, np.arange(-16, 16), id='31'),
    pytest.param('helios_26', 1800, np.arange(-14, 8) / 2, id='26'),
    pytest.param('hdl32', 2170, np.arange(-23, 9) * 4 / 3, id='hdl32')])
def test_rings_are_where_data_sheets_have_them(name: str, columns: int, near: np.ndarray) -> None:
    """
    Rings of four shipped LiDARs have the elevations of their data sheets, within 0.01 degrees.

    :reference: manufacturers' data sheets
    """
    spec = included(name)
    rings = np.sort(np.degrees(spec.vertical_ray_angles))
    assert len(rings) == 32 and spec.horz_nrays == columns
    inside = rings[(rings > near[0] - 0.1) & (rings < near[-1] + 0.1)]
    assert inside == pytest.approx(near, abs=0.01)
    assert len(set(spec.firing_times)) == 32
    assert max(spec.firing_times) < spec.sensor_period / columns


@pytest.mark.parametrize('names, layout', [
    ('vlp16 vlp32c hdl32', 'velodyne'), ('ouster_os0 ouster_os1 ouster_os2', 'ouster'),
    ('hesai_xt32 hesai_qt128 hesai_at128', 'hesai'),
    ('helios_26 helios_31 helios_70', 'robosense'), ('livox_mid40 livox_mid360', 'livox')])
def test_points_have_the_fields_of_the_driver_of_their_maker(names: str, layout: str) -> None:
    assert {included(name).layout for name in names.split()} == {layout}


def test_vlp32c_points_where_its_manual_says() -> None:
    """Lasers 2 k and 2 k + 1 fire together, at the angles of tables 9-2 and 9-6 (63-9325)."""
    spec = included('vlp32c')
    beams = rotating(replace(spec, firing_times=()), spec.sensor_period)
    table = {math.degrees(math.asin(z)): -math.degrees(math.atan2(y, x))
             for x, y, z in beams.vectors}
    for elevation, offset in ((-25.0, 1.4), (-15.639, -1.4), (0.0, -1.4), (0.667, 4.2),
                              (1.667, -4.2), (15.0, -1.4), (10.333, 1.4), (-1.333, -1.4)):
        found = min(table, key=lambda each: abs(each - elevation))
        assert (found, table[found]) == pytest.approx((elevation, offset), abs=1e-3)
    assert sorted(spec.firing_times) == pytest.approx(np.repeat(2.304e-6 * np.arange(16), 2))
    assert spec.horz_nrays == 1808


@pytest.mark.parametrize('name, depth, error', [
    ('realsense_d435', 2.0, 0.015), ('realsense_d455', 4.0, 0.04), ('zed2i', 3.0, 0.022),
    ('oak_d', 3.0, 0.05)])
def test_depth_cameras_err_as_their_makers_say(name: str, depth: float, error: float) -> None:
    """Errors at a distance are within what data sheets allow: 1 or 2 % there."""
    spec = included(name)
    true = np.full((100, spec.depth_ncols), depth, np.float32)
    found = measured_depth(true, spec, np.random.default_rng(1))[:, spec.depth_ncols // 4:]
    deviation = np.nanstd(found)
    assert deviation == pytest.approx(
        depth ** 2 * spec.disparity_noise / (spec.depth_fx * spec.depth_baseline), rel=0.15)
    assert 0.2 * error < deviation < error


# rays or columns, rings, degrees around, hertz, least and largest range
@pytest.mark.parametrize('name, rays, rings, around, rate, near, far', [
    ('rplidar_a1', 800, 1, 360, 10, 0.15, 12), ('rplidar_a2', 1600, 1, 360, 10, 0.2, 12),
    ('rplidar_s2', 3200, 1, 360, 10, 0.05, 30), ('hokuyo', 1081, 1, 270, 40, 0.1, 30),
    ('hokuyo_urg04', 682, 1, 239.414, 10, 0.02, 5.6), ('sick_lms111', 541, 1, 270, 50, 0.5, 20),
    ('sick_tim571', 811, 1, 270, 15, 0.05, 25), ('hesai_xt32', 2000, 32, 360, 10, 0.05, 120),
    ('hesai_qt128', 900, 128, 360, 10, 0.05, 50), ('hesai_at128', 1200, 128, 120, 10, 1, 210)])
def test_rays_and_ranges_are_those_of_the_data_sheets(
        name: str, rays: int, rings: int, around: float, rate: float, near: float,
        far: float) -> None:
    """
    Ten shipped LiDARs have the rays, rates and ranges of their data sheets.

    :reference: manufacturers' data sheets
    """
    spec = included(name)
    if rings > 1:
        beams = rotating(spec, spec.sensor_period)
        found = len(beams.columns), beams.rings, math.degrees(spec.azimuth_max - spec.azimuth_min)
    else:
        found = spec.nrays, 1, math.degrees(spec.fov)
    assert found == pytest.approx((rays, rings, around), abs=1.0 if rings > 1 else 1e-3)
    assert (1.0 / spec.sensor_period, spec.min_range, spec.max_range) == pytest.approx(
        (rate, near, far))


def test_ouster_beams_begin_beside_the_axis() -> None:
    """The formula of its maker, from range, encoder, azimuth and altitude to x and y."""
    spec = replace(included('ouster_os1', rings=32, columns=512), range_std_noise=0.0,
                   detection_range=0.0, rolling=False, pose=Pose(z=1.0))
    room = BlockSpec('room', static=True, init_pose=Pose(), zmin=-5.0, zmax=9.0, shape=(
        (-6.0, -4.0), (6.0, -4.0), (6.0, 4.0), (-6.0, 4.0)))
    cloud = Simulation(WorldSpec(blocks=(room,), sensors=(spec,))).measure('lidar').points
    n = 0.015806
    encoder = math.pi - 2 * math.pi * np.arange(512) / 512
    azimuth = -np.radians(np.resize([4.23, 1.41, -1.41, -4.22], 32))[:, None]  # from the top
    altitude = np.linspace(math.radians(22.5), -math.radians(22.5), 32)[:, None]
    r = cloud['range'] / 1000.0
    x = (r - n) * np.cos(encoder + azimuth) * np.cos(altitude) + n * np.cos(encoder)
    y = (r - n) * np.sin(encoder + azimuth) * np.cos(altitude) + n * np.sin(encoder)
    assert cloud['x'] == pytest.approx(x, abs=1e-3)  # the range is in millimetres
    assert cloud['y'] == pytest.approx(y, abs=1e-3)
    walls = np.minimum(abs(abs(cloud['x']) - 6.0), abs(abs(cloud['y']) - 4.0))
    low = (cloud['z'] > -5.9) & (cloud['z'] < 7.9)
    assert low.sum() > 10_000 and walls[low].max() < 1e-4


def test_points_lie_on_walls_at_the_times_of_their_lasers() -> None:
    """A sensor on a fast turning vehicle: undo its motion at the time of each point."""
    spec = replace(included('vlp16'), range_std_noise=0.0, detection_range=0.0,
                   pose=Pose(0.3, 0.1, 0.8), ignore_parent_body=True)
    world = load_world_text("""<simul_timestep>0.005</simul_timestep>
      <vehicle name="r"><init_pose>-8 0 0</init_pose><dynamics class="differential">
      <controller class="twist_ideal"/></dynamics></vehicle>""", 'text')
    walls = tuple(BlockSpec(f'wall{k}', static=True, init_pose=pose, zmax=6.0, shape=(
        (0.0, -30.0), (0.1, -30.0), (0.1, 30.0), (0.0, 30.0))) for k, pose in enumerate(
            (Pose(15.0), Pose(-15.0, yaw=math.pi), Pose(0.0, 12.0, yaw=math.pi / 2),
             Pose(0.0, -12.0, yaw=-math.pi / 2))))
    simulation = Simulation(replace(
        world, blocks=walls, vehicles=(replace(world.vehicles[0], sensors=(spec,)),)))
    vehicle = simulation.vehicles['r']
    vehicle.set_twist(6.0, 1.5)
    poses, clouds = {}, []
    while not clouds or simulation.time < 0.45:
        clouds += simulation.step()
        poses[simulation.time_ns] = vehicle.pose
    cloud = clouds[-1]
    times = np.array(sorted(poses))
    rows = np.array([(poses[t].x, poses[t].y, poses[t].yaw) for t in times])
    when = cloud.stamp_ns + 1e9 * cloud.points['time'].astype(float)
    x, y, yaw = (np.interp(when, times, np.unwrap(row) if k == 2 else row)
                 for k, row in enumerate(rows.T))
    local = np.stack([cloud.points[each] for each in 'xyz'], axis=1) + spec.pose.position
    place = (rotation_matrix(yaw) @ local[:, :, None])[:, :2, 0] + np.stack([x, y], axis=1)
    off = np.minimum(abs(abs(place[:, 0]) - 15.0), abs(abs(place[:, 1]) - 12.0))
    assert len(off) > 10_000
    assert np.quantile(off, 0.99) < 2e-4


G = 9.80665


# deg/s/sqrt(Hz), deg/h, deg/s, ug/sqrt(Hz) of x and z, ug, g: what data sheets say, densities
# of one side; 0.34 deg/sqrt(h) of the ADIS16470 are 0.008014 deg/s/sqrt(Hz)
@pytest.mark.parametrize('name, density, instability, rate, noise, of_z, flicker, force', [
    ('mpu6050', 0.005, 0.0, 250, 400, 400, 0.0, 2),
    ('icm20948', 0.015, 0.0, 500, 230, 230, 0.0, 4),
    ('bmi088', 0.014, 2.0, 500, 160, 190, 0.0, 6), ('mti1', 0.007, 10.0, 2000, 120, 120, 30.0, 16),
    ('adis16470', 0.008014, 8.0, 2000, 100, 100, 13.0, 40),
    ('vn100', 0.0035, 10.0, 2000, 140, 140, 40.0, 16)])
def test_numbers_are_those_of_the_data_sheets(
        name: str, density: float, instability: float, rate: float, noise: float, of_z: float,
        flicker: float, force: float) -> None:
    """
    Six shipped IMUs have the noise and the limits of their data sheets.

    :reference: manufacturers' data sheets
    """
    imu = included(name)
    one_sided = math.sqrt(2.0) * np.broadcast_to(imu.linear_acceleration_noise_density, 3)
    found = (
        math.sqrt(2.0) * math.degrees(imu.angular_velocity_noise_density),
        3600.0 * math.degrees(imu.angular_velocity_bias_instability),
        math.degrees(imu.angular_velocity_limit), 1e6 / G * one_sided[0],
        1e6 / G * one_sided[2], 1e6 / G * imu.linear_acceleration_bias_instability,
        imu.linear_acceleration_limit / G)
    assert found == pytest.approx(
        (density, instability, rate, noise, of_z, flicker, force), rel=1e-3)


# +-deg/s, LSB per deg/s, Hz; +-mg, LSB per g, Hz
@pytest.mark.parametrize('name, rate, steps, cutoff, force, steps_of_g, cutoff_of_g', [
    ('icm20948', 5.0, 65.5, 51.2, 50.0, 8192.0, 50.4),
    ('bmi088', 1.0, 65.536, 64.0, 20.0, 5460.0, 80.0)])
def test_offsets_steps_and_filters_are_those_of_the_data_sheets(
        name: str, rate: float, steps: float, cutoff: float, force: float, steps_of_g: float,
        cutoff_of_g: float) -> None:
    """
    Offsets scatter by a third of the data-sheet tolerances; steps and filters match the sheets.

    :reference: data sheets DS-000189 revision 1.3 and BST-BMI088-DS001 revision 1.4
    """
    imu = included(name)
    found = (
        3.0 * math.degrees(imu.angular_velocity_bias_noise),
        1.0 / math.degrees(imu.angular_velocity_resolution), imu.angular_velocity_bandwidth,
        3e3 / G * imu.linear_acceleration_bias_noise, G / imu.linear_acceleration_resolution,
        imu.linear_acceleration_bandwidth)
    assert found == pytest.approx((rate, steps, cutoff, force, steps_of_g, cutoff_of_g), rel=1e-3)


# s, Hz, deg/s rms
@pytest.mark.parametrize('name, period, bandwidth, expected', [
    ('bmi088', 0.0025, 47.0, 0.1), ('mpu6050', 0.001, 98.0, 0.05)])
def test_noise_at_a_bandwidth_is_that_of_the_data_sheet(
        name: str, period: float, bandwidth: float, expected: float) -> None:
    """
    Gyroscopes have the noise of their data sheets at a given bandwidth, within 5 %.

    :reference: data sheets BST-BMI088-DS001 revision 1.4 and PS-MPU-6000A revision 3.4
    """
    imu = included(name, sensor_period_sec=period, gyro_bandwidth=bandwidth)
    simulation = Simulation(WorldSpec(sensors=(imu,), simul_timestep=period), seed=4)
    samples = simulation.step(10_000)
    rates = np.degrees([sample.angular_velocity for sample in samples])
    assert np.sqrt(np.mean(rates.var(axis=0))) == pytest.approx(expected, rel=0.05)
    variance = math.degrees(1.0) ** 2 * samples[0].angular_velocity_covariance[0, 0]
    assert math.sqrt(variance) == pytest.approx(expected, rel=0.05)


def test_noise_behind_a_filter_goes_on_from_a_snapshot_to_the_same_bits() -> None:
    imu = included('bmi088')
    simulation = Simulation(WorldSpec(sensors=(imu,)), seed=5)
    first = simulation.step(30)
    snapshot = simulation.snapshot()
    later = [sample.angular_velocity.tobytes() for sample in simulation.step(30)]
    simulation.restore(snapshot)
    assert [sample.angular_velocity.tobytes() for sample in simulation.step(30)] == later
    simulation.reset()
    again = simulation.step(30)
    assert [sample.angular_velocity.tobytes() for sample in again] == [
        sample.angular_velocity.tobytes() for sample in first]


def test_a_cheap_imu_at_rest() -> None:
    imu = included('mpu6050')
    simulation = Simulation(WorldSpec(sensors=(imu,)), seed=2)
    samples = simulation.step(1000)
    rates = np.array([sample.angular_velocity for sample in samples])
    # 0.005 deg/s/sqrt(Hz) up to 41.3 Hz behind the filter of 42 Hz, beside steps of 1/131 deg/s
    assert np.degrees(rates.std(axis=0)) == pytest.approx(0.032, rel=0.1)
    steps = np.degrees(rates) * 131.0
    assert np.abs(steps - np.rint(steps)).max() < 0.05
    assert 0.1 < np.abs(np.degrees(rates.mean(axis=0))).max() < 25.0
