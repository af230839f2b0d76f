# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shipped IMUs of makers, against their data sheets."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.world.spec import ImuSpec, WorldSpec

G = 9.80665
SENSORS = Path(__file__).parents[2] / 'worlds' / 'sensors'


def _load(name: str, folder: Path, options: str = '') -> ImuSpec:
    file = folder / 'a.world.xml'
    file.write_text(f'<mvsim_world version="1.0"><include file="{SENSORS}/{name}.sensor.xml" '
                    f'{options}/></mvsim_world>')
    sensor = load_world(file, strict=True).sensors[0]
    assert isinstance(sensor, ImuSpec)
    return sensor


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
        flicker: float, force: float, tmp_path: Path) -> None:
    """
    Six shipped IMUs have the noise and the limits of their data sheets.

    :reference: data sheets of the makers
    """
    imu = _load(name, tmp_path)
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
        cutoff_of_g: float, tmp_path: Path) -> None:
    """
    Offsets are spread by a third of the tolerances in the sheets; steps and filters are theirs.

    :reference: data sheets DS-000189 revision 1.3 and BST-BMI088-DS001 revision 1.4
    """
    imu = _load(name, tmp_path)
    found = (
        3.0 * math.degrees(imu.angular_velocity_bias_noise),
        1.0 / math.degrees(imu.angular_velocity_resolution), imu.angular_velocity_bandwidth,
        3e3 / G * imu.linear_acceleration_bias_noise, G / imu.linear_acceleration_resolution,
        imu.linear_acceleration_bandwidth)
    assert found == pytest.approx((rate, steps, cutoff, force, steps_of_g, cutoff_of_g), rel=1e-3)


# s, Hz, deg/s rms
@pytest.mark.parametrize('name, period, bandwidth, expected', [
    pytest.param('bmi088', 0.0025, 47.0, 0.1, id='bmi088'),
    pytest.param('mpu6050', 0.001, 98.0, 0.05, id='mpu6050')])
def test_noise_at_a_bandwidth_is_that_of_the_data_sheet(
        name: str, period: float, bandwidth: float, expected: float, tmp_path: Path) -> None:
    """
    Gyroscopes have the noise that their sheets give at a bandwidth, within 5 %.

    :reference: data sheets BST-BMI088-DS001 revision 1.4 and PS-MPU-6000A revision 3.4
    """
    imu = _load(name, tmp_path, f'sensor_period_sec="{period}" gyro_bandwidth="{bandwidth}"')
    simulation = Simulation(WorldSpec(sensors=(imu,), simul_timestep=period), seed=4)
    samples = simulation.step(10_000)
    rates = np.degrees([sample.angular_velocity for sample in samples])
    assert np.sqrt(np.mean(rates.var(axis=0))) == pytest.approx(expected, rel=0.05)
    variance = math.degrees(1.0) ** 2 * samples[0].angular_velocity_covariance[0, 0]
    assert math.sqrt(variance) == pytest.approx(expected, rel=0.05)


def test_noise_behind_a_filter_goes_on_from_a_snapshot_to_the_same_bits(tmp_path: Path) -> None:
    imu = _load('bmi088', tmp_path)
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


def test_a_cheap_imu_at_rest(tmp_path: Path) -> None:
    imu = _load('mpu6050', tmp_path)
    simulation = Simulation(WorldSpec(sensors=(imu,)), seed=2)
    samples = simulation.step(1000)
    rates = np.array([sample.angular_velocity for sample in samples])
    # 0.005 deg/s/sqrt(Hz) up to 41.3 Hz behind the filter of 42 Hz, beside steps of 1/131 deg/s
    assert np.degrees(rates.std(axis=0)) == pytest.approx(0.032, rel=0.1)
    steps = np.degrees(rates) * 131.0
    assert np.abs(steps - np.rint(steps)).max() < 0.05
    assert 0.1 < np.abs(np.degrees(rates.mean(axis=0))).max() < 25.0
