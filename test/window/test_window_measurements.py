# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements as points, areas and lines, and how much of them is sent."""

from dataclasses import replace
from functools import partial

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.pictures.perspective import frame_pose, PosedObservation, scan_ends, with_pose
from mvsim_ros2.sensors.observations import LaserScan2D, PointCloud, RangeSample
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.carriers import Carriers, field_of_view
from mvsim_ros2.window.drawing.measured import (
    Budget, cloud_dots, events_picture, Measured, range_cone, scan_area, uwb_lines)
from mvsim_ros2.window.frame import capture, Closely


def scan(ranges, full=False):
    """Return a scan of four rays over half a circle, or all of it."""
    step = np.pi / 2 if full else np.pi / 3
    return LaserScan2D('r/scan', 'scan', 0, 0.0, 3 * step, step, 0.0, 0.1, 0.1, 10.0,
                       np.array(ranges, np.float32))


def test_ends_of_rays_that_hit_and_that_do_not():
    ends, hit = scan_ends(scan([1.0, np.inf, -np.inf, 2.0], full=True))
    np.testing.assert_allclose(ends, [(1, 0, 0), (0, 10, 0), (0, 0, 0), (0, -2, 0)], atol=1e-6)
    assert hit.tolist() == [True, False, False, True]


@pytest.mark.parametrize('full, triangles', [
    pytest.param(False, 3, id='half circle'), pytest.param(True, 4, id='full circle')])
def test_area_is_closed_where_the_scan_goes_round(full, triangles):
    corners, faces = scan_area(scan([1.0, 1.0, 1.0, 1.0], full))
    assert len(corners) == 5 and len(faces) == triangles and faces.max() == 4


def cloud(count, **fields):
    """Return a cloud along x, with a point that is missing."""
    table = np.zeros(count, [('x', 'f4'), ('y', 'f4'), ('z', 'f4'),
                             *((name, value.dtype) for name, value in fields.items())])
    table['x'], table['z'] = np.arange(count), np.linspace(-2, 2, count)
    table['x'][1] = np.nan
    for name, value in fields.items():
        table[name] = value
    return PointCloud('r/lidar', 'lidar', 0, table, False)


def test_clouds_are_thinned_evenly():
    points, colours = cloud_dots(cloud(130_000), 'height', 12000, Pose())
    assert points.shape == colours.shape == (12000, 3)
    assert points[0, 0] == 0 and points[-1, 0] == 129_999
    assert np.isfinite(points).all()


def test_colours_tell_what_is_asked_for():
    label = np.array([1, 1, 4, 4], np.uint16)
    labelled = cloud_dots(cloud(4, label=label), 'label', 10, Pose())[1]
    assert (labelled[1] == labelled[2]).all() and (labelled[0] != labelled[1]).any()
    high, low = (cloud_dots(cloud(50), 'height', 100, pose)[1][-1]
                 for pose in (Pose(), Pose(roll=np.pi)))
    assert (high != low).any()  # by the height in the world
    packed = np.full(4, 0x00102030, np.uint32)
    for rgb in packed, packed.view(np.float32):  # as measured, and as bags have it
        assert cloud_dots(cloud(4, rgb=rgb), 'height', 10, Pose())[1][0].tolist() == [
            0x10, 0x20, 0x30]


def test_cone_ends_where_the_range_was_measured():
    sample = RangeSample('r/sonar', 'sonar', 0, False, np.pi / 3, 0.1, 4.0, 2.0)
    lines = range_cone(sample)
    np.testing.assert_allclose(np.linalg.norm(lines[0, 0]), 2.0, rtol=1e-6)
    assert lines[:, :, 0].max() == pytest.approx(2.0 * np.cos(np.pi / 6), rel=1e-6)


WATCHERS = """
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="r" class="small_robot"><init_pose>0 0 0</init_pose>
    <sensor class="camera" name="colour"/> <sensor class="rgbd_camera" name="rgbd"/>
    <sensor class="thermal_camera" name="heat"/> <sensor class="event_camera" name="dvs"/>
    <sensor class="radar" name="radar"/>
    <sensor class="uwb" name="tag"><anchor id="1" place="6 0 2"/>
      <anchor id="2" place="0 -5 2"/></sensor>
  </vehicle>
  <block name="wall"><init_pose>3 0 0</init_pose></block>"""


@pytest.fixture(scope='module')
def watchers():
    """Return a robot whose sensors look ahead."""
    return simulate(WATCHERS)


@pytest.mark.parametrize('name', ['colour', 'rgbd', 'heat', 'dvs', 'radar'])
def test_fields_of_view_lie_ahead(watchers, name):
    sensor = next(each for each in watchers.vehicles['r'].spec.sensors if each.name == name)
    ends = field_of_view(sensor).reshape(-1, 3) @ sensor.pose.rotation.T
    assert ends[:, 0].min() > -1e-6 and ends[:, 0].max() > 1.0
    assert abs(ends[:, 1].max() + ends[:, 1].min()) < 0.05


def test_events_are_red_and_blue_where_the_light_changed(watchers):
    seen = watchers.measure('r/dvs')
    events = np.array([(3, 2, 0, 1), (5, 7, 0, 0)], seen.events.dtype)
    picture = events_picture(replace(seen, events=events))
    assert picture.shape == (seen.info.height, seen.info.width, 3)
    assert picture[2, 3, 0] > picture[2, 3, 2] and picture[7, 5, 2] > picture[7, 5, 0]
    assert (picture != picture[0, 0]).any(axis=2).sum() == 2


def test_ranges_of_uwb_end_at_the_anchors(watchers):
    watchers.set_noise(False)
    ranges = watchers.measure('r/tag')
    at = watchers.vehicles['r'].pose.compose(watchers.sensors['r/tag'].pose).position
    lines = uwb_lines(ranges, np.array(at))
    assert len(lines) == len(ranges.places) > 0 and not lines[:, 0].any()
    clear = ranges.in_view
    np.testing.assert_allclose((lines[:, 1] + at)[clear], ranges.places[clear], atol=0.02)


def test_names_tell_the_speed(watchers, server):
    carriers = Carriers(server, Choices())
    watchers.vehicles['r'].set_twist(0.5, 0.0)
    for seconds, text in ((0.0, 'r'), (2.0, 'r 0.5 m/s')):
        watchers.run(seconds)
        carriers.draw(capture(watchers, Closely(), (), False, True, 1.0))
        assert carriers._labels['r'].text == text


def test_budget_holds_the_rate_and_serves_in_turn():
    now = [0.0]
    budget = Budget(10_000, lambda: now[0])
    seen = [PosedObservation(cloud(3), Pose()), PosedObservation(scan([1.0] * 4), Pose())]
    sent = {'r/lidar': 0, 'r/scan': 0}
    for _ in range(1000):
        now[0] += 0.01
        for each in budget.in_turn(seen):
            if budget.take(each.observation.sensor, 1000):
                sent[each.observation.sensor] += 1
    assert sum(sent.values()) * 1000 == pytest.approx(10_000 * 10, rel=0.1)
    assert abs(sent['r/lidar'] - sent['r/scan']) <= 2


def test_points_stay_where_they_were_measured_while_the_browser_is_behind(server):
    """A node's place changes seldom: a browser that moves it before its points shows no lie."""
    simulation = Simulation.from_file('demo')
    measured = Measured(server, Choices(), partial(frame_pose, simulation), Budget(float('inf')))
    vehicle, places = simulation.vehicles['robot'], set()
    vehicle.set_twist(0.3, 1.0)
    for _ in range(4):
        scans = []
        simulation.run(0.5, lambda seen: scans.append(with_pose(simulation, seen)))
        seen = next(each for each in reversed(scans) if isinstance(each.observation, LaserScan2D))
        measured._show_scan(seen.observation, seen)
        ends, hit = scan_ends(seen.observation)
        pose = frame_pose(simulation, seen)
        points = measured._nodes[seen.observation.sensor, 'points']
        np.testing.assert_allclose(points.points + points.position,
                                   ends[hit] @ pose.rotation.T + pose.position, atol=0.01)
        places.add(tuple(points.position))
        assert tuple(points.wxyz) == (1.0, 0.0, 0.0, 0.0)
    assert len(places) == 1
