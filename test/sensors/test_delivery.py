# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Clocks, delays and losses of sensors, and what triggers them."""

from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.factory import without_noise
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec import (
    CameraSpec, ImuSpec, LaserSpec, Lidar3dSpec, SensorSpec, WorldSpec)
from mvsim_ros2.world.spec.sensors.base import LINKS

STEP_NS = 5_000_000


def simulation_of(*sensors: SensorSpec, seed: int = 1) -> Simulation:
    """Return a world of sensors alone, with steps of 5 ms."""
    return Simulation(WorldSpec(sensors=sensors, simul_timestep=1e-9 * STEP_NS), seed=seed)


def published(simulation: Simulation, steps: int) -> list[tuple[int, Observation]]:
    """Return measurements with the time at which each is published [ns]."""
    found = []
    for _ in range(steps):
        found += [(simulation.time_ns, each) for each in simulation.step()]
    return found


def test_stamps_are_of_the_measurement_and_publishing_is_later() -> None:
    simulation = simulation_of(ImuSpec(name='imu', sensor_period=0.01, latency=0.0234))
    found = published(simulation, 40)
    assert [each.stamp_ns for _, each in found] == list(range(10_000_000, 180_000_000, 10_000_000))
    assert {time - each.stamp_ns for time, each in found} == {25_000_000}  # the step after
    several = simulation_of(ImuSpec(name='imu', sensor_period=0.01, latency=0.0234)).step(40)
    assert [each.stamp_ns for each in several] == [each.stamp_ns for _, each in found]


def test_latency_jitter_and_losses_have_the_distribution_that_they_are_given() -> None:
    """
    Delays are normally distributed around the latency; losses have the probability of the tag.

    :reference: mean and standard deviation of the normal distribution, binomial distribution
    """
    count, latency, jitter, lost = 4000, 0.05, 0.004, 0.1
    simulation = Simulation(WorldSpec(simul_timestep=1e-4, sensors=(ImuSpec(
        name='imu', sensor_period=0.03, latency=latency, latency_jitter=jitter, lost=lost),)))
    found = published(simulation, 300 * count)
    delays = np.array([1e-9 * (time - each.stamp_ns) for time, each in found]) - 0.5e-4
    share = 1.0 - (len(found) + 1) / count
    assert abs(share - lost) < 4.0 * np.sqrt(lost * (1 - lost) / count)
    assert abs(delays.mean() - latency) < 4.0 * jitter / np.sqrt(len(delays))
    assert delays.std() == pytest.approx(jitter, rel=4.0 / np.sqrt(2 * len(delays)))
    assert len(np.unique(np.diff([each.stamp_ns for _, each in found]))) > 1


def test_measurements_of_a_sensor_arrive_in_order() -> None:
    simulation = simulation_of(ImuSpec(name='imu', sensor_period=0.01, link='wifi', latency=0.03))
    stamps = [each.stamp_ns for _, each in published(simulation, 2000)]
    assert stamps == sorted(stamps) and 900 < len(stamps) < 1000


@pytest.mark.parametrize('spec', [
    ImuSpec(name='s', sensor_period=0.05), LaserSpec(name='s', nrays=9, sensor_period=0.05),
    Lidar3dSpec(name='s', vert_nrays=2, horz_nrays=8, sensor_period=0.05)], ids=repr)
def test_clocks_of_stamps_are_ahead_and_drift(spec: SensorSpec) -> None:
    true, off = (simulation_of(each) for each in (
        spec, replace(spec, clock_offset=0.75, clock_drift=400.0)))
    for (_, one), (_, other) in zip(published(true, 200), published(off, 200), strict=True):
        ahead = other.stamp_ns - one.stamp_ns - 750_000_000
        assert abs(ahead - 400e-6 * one.stamp_ns) < 50_000  # a sweep begins earlier


def test_without_noise_delays_have_no_jitter_and_nothing_is_lost() -> None:
    quiet = without_noise(ImuSpec(name='imu', link='wifi'))
    assert quiet.delays == LINKS['wifi']._replace(jitter=0.0, lost=0.0)
    assert without_noise(CameraSpec(name='c', link='ideal', image_noise=0.0)).delays == (0, 0, 0)


def test_a_snapshot_holds_what_is_on_its_way() -> None:
    specs = (ImuSpec(name='imu', sensor_period=0.01, link='wifi'),
             ImuSpec(name='fast', sensor_period=0.007))
    simulation = simulation_of(*specs)
    simulation.step(33)
    state = simulation.snapshot()
    first = [(time, each.sensor, each.stamp_ns) for time, each in published(simulation, 100)]
    simulation.restore(state)
    again = [(time, each.sensor, each.stamp_ns) for time, each in published(simulation, 100)]
    assert first == again and len(first) > 100
    simulation.reset()
    assert published(simulation, 1) == []


def test_a_triggered_sensor_measures_when_it_is_told_alone() -> None:
    simulation = simulation_of(
        LaserSpec(name='scan', nrays=3, trigger='external'), ImuSpec(name='imu'))
    assert {each.sensor for each in simulation.step(100)} == {'imu'}
    simulation.trigger('scan')
    found = [(each.sensor, each.stamp_ns) for each in simulation.step(30)]
    assert found.count(('scan', 505_000_000)) == 1
    assert [sensor for sensor, _ in found].count('scan') == 1
    simulation.set_enabled('scan', False)
    with pytest.raises(SensorError, match='off'):
        simulation.trigger('scan')
    with pytest.raises(SensorError, match='is its period'):
        simulation.trigger('imu')


@pytest.mark.parametrize('exposure', [0.0, 0.02])
def test_a_camera_exposes_from_its_trigger_on(exposure: float) -> None:
    simulation = simulation_of(CameraSpec(
        name='c', trigger='external', ncols=8, nrows=6, renderer='cpu', exposure_time=exposure,
        exposure_samples=2))
    simulation.step(20)
    simulation.trigger('c')
    (time, image), = published(simulation, 20)
    assert image.stamp_ns == pytest.approx(100_000_000, abs=STEP_NS)
    assert time - image.stamp_ns == pytest.approx(1e9 * exposure, abs=STEP_NS)


def test_sensors_follow_each_other_with_a_phase() -> None:
    """Of the same vehicle: a camera at the middle of each turn of a LiDAR."""
    simulation = simulation_of(
        LaserSpec(name='lidar', nrays=5, sensor_period=0.1),
        CameraSpec(name='left', trigger='lidar', ncols=8, nrows=6, renderer='cpu'),
        CameraSpec(name='right', trigger='lidar', sensor_phase=0.05, ncols=8, nrows=6,
                   renderer='cpu'))
    stamps: dict[str, list[int]] = {}
    for _, each in published(simulation, 100):
        stamps.setdefault(each.sensor, []).append(each.stamp_ns // 1_000_000)
    assert stamps['lidar'] == [100, 200, 300, 400, 500]
    assert stamps['left'] == stamps['lidar']
    assert stamps['right'] == [150, 250, 350, 450]


def test_what_triggers_a_sensor_is_there() -> None:
    with pytest.raises(SensorError, match="triggered by 'lidar', which is no sensor"):
        simulation_of(ImuSpec(name='imu', trigger='lidar'))
