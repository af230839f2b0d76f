# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Event cameras against the equations of v2e."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.sensors.camera.event_camera import EventPixels, log_light
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.sensors.special_cameras import EventCameraSpec
from mvsim_ros2.world.spec.world import WorldSpec

QUIET = EventCameraSpec(name='dvs', ncols=3, nrows=2, threshold_sigma=0.0, leak_rate=0.0,
                        refractory_time=0.0)


def pixels(spec: EventCameraSpec = QUIET, seed: int = 1) -> EventPixels:
    """Return the pixels of a camera."""
    return EventPixels(spec, np.random.default_rng(seed))


def even(value: float) -> np.ndarray:
    """Return an even light."""
    return np.full((2, 3), value)


def test_the_logarithm_is_straight_below_20_and_has_no_step() -> None:
    assert log_light(np.array([0.0, 10.0, 20.0, 20.001, 255.0])) == pytest.approx(
        [0.0, 0.5 * math.log(20), math.log(20), math.log(20.001), math.log(255)])


@pytest.mark.parametrize(('start', 'end', 'polarity'), [(40.0, 100.0, 1), (100.0, 40.0, 0)])
def test_events_are_as_many_as_thresholds_and_evenly_spaced(
        start: float, end: float, polarity: int) -> None:
    """
    Event cameras return one event for each threshold, at the time of the crossing.

    :reference: equations of v2e
    """
    camera = pixels(replace(QUIET, threshold_on=0.15, threshold_off=0.15))
    assert len(camera.see(even(start), 0.0, 0.0)) == 0
    events = camera.see(even(end), 0.0, 0.01)
    way = abs(math.log(end / start))
    count = int(way / 0.15)
    assert len(events) == 6 * count and (events['polarity'] == polarity).all()
    one = events[(events['x'] == 1) & (events['y'] == 1)]['time']
    np.testing.assert_allclose(one, 0.01 * 0.15 * np.arange(1, count + 1) / way, rtol=1e-9)
    # the rest is not forgotten: it adds to the next change
    rest = way - count * 0.15
    more = math.exp(math.log(end) + math.copysign(0.15 - rest + 1e-6, end - start))
    assert len(camera.see(even(more), 0.01, 0.02)) == 6


def test_the_low_pass_is_slower_in_the_dark() -> None:
    for light in (20.0, 200.0):
        camera = pixels(replace(QUIET, cutoff=10.0))
        camera.see(even(light), 0.0, 0.0)
        camera.see(even(1.5 * light), 0.0, 0.001)
        assert camera.memory is not None
        part = (1.5 * light + 20) / 275 * 0.001 * 2 * math.pi * 10.0
        assert camera.memory[0][0, 0] == pytest.approx(
            math.log(light) + part * math.log(1.5), rel=1e-9)


def test_leaks_make_events_of_growth_at_their_rate() -> None:
    camera = pixels(replace(QUIET, leak_rate=5.0))
    camera.see(even(80.0), 0.0, 0.0)
    count = sum(len(camera.see(even(80.0), 0.01 * i, 0.01 * (i + 1))) for i in range(200))
    assert count == pytest.approx(6 * 5.0 * 2.0, abs=6)


def test_noise_has_its_rate_which_light_lowers_to_a_quarter() -> None:
    spec = replace(QUIET, ncols=100, nrows=100, shot_noise_rate=20.0)
    for light, share in ((0.0, 1.0 - 0.75 * 20 / 275), (255.0, 0.25)):
        camera = pixels(spec)
        picture = np.full((100, 100), light)
        camera.see(picture, 0.0, 0.0)
        events = np.concatenate([camera.see(picture, 0.001 * i, 0.001 * (i + 1))
                                 for i in range(20)])
        assert len(events) == pytest.approx(1e4 * 20.0 * 0.02 * share, rel=0.08)
        assert events['polarity'].mean() == pytest.approx(0.5, abs=0.04)


def test_pixels_rest_after_an_event() -> None:
    camera = pixels(replace(QUIET, refractory_time=0.004))
    camera.see(even(40.0), 0.0, 0.0)
    times = camera.see(even(160.0), 0.0, 0.01)['time']
    assert (np.diff(np.unique(times)) >= 0.004).all() and len(times) == 12


def test_thresholds_differ_from_pixel_to_pixel() -> None:
    limits = pixels(replace(QUIET, ncols=100, nrows=100, threshold_sigma=0.03)).limits[1]
    assert limits.mean() == pytest.approx(0.2, abs=0.002)
    assert limits.std() == pytest.approx(0.03, rel=0.03)


def test_a_moving_edge_makes_events_where_it_passes() -> None:
    camera = EventCameraSpec(
        name='dvs', renderer='cpu', ncols=64, nrows=48, cx=31.5, cy=23.5, fx=50.0, fy=50.0,
        sensor_period=0.05, samples=4, leak_rate=0.0, threshold_sigma=0.0)
    block = BlockSpec(name='b', init_pose=Pose(3.0), zmax=1.0, init_twist=(0.0, 1.0, 0.0),
                      ground_friction=0.0, linear_damping=0.0)
    simulation = Simulation(WorldSpec(sensors=(camera,), blocks=(block,), simul_timestep=0.01))
    found = [seen for seen in simulation.step(30) if seen.sensor == 'dvs']
    events = np.concatenate([seen.events for seen in found[1:]])
    assert len(found) == 6 and len(events) > 100
    assert [seen.stamp_ns for seen in found[1:]] == [
        50_000_000 * i for i in range(1, 6)]  # each begins where the one before ended
    for seen in found:
        assert (np.diff(seen.events['t'].astype(int)) >= 0).all()
        assert (seen.events['t'] <= 50_000_000).all()
    # the near face goes from 0.05 s to 0.3 s by 0.25 m: 5 px, to the left, at both edges
    columns = np.unique(events['x'])
    assert set(columns.tolist()) <= set(range(11, 25)) | set(range(30, 48)) and len(columns) > 6
    message = message_of(channels_of(camera)[0], TYPES, found[1], '')
    assert message.width == len(found[1].events) and message.point_step == 9
    assert [field.name for field in message.fields] == ['x', 'y', 't', 'polarity']
