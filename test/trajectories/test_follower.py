# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles stay near the route that they follow."""

from collections.abc import Callable
import itertools
import math

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import ControllerError, TrajectoryError
from mvsim_ros2.trajectories.controller import drive, RouteFollower
from mvsim_ros2.trajectories.route import figure_of_eight, lawn_mower, Limits, Route, Track

MakeWorld = Callable[..., Simulation]
Array = NDArray[np.float64]


class Noted:
    """A follower that keeps the poses and how far from the route the vehicle was."""

    def __init__(self, follower: RouteFollower) -> None:
        self.follower = follower
        self.poses: list[Pose] = []
        self.errors: list[float] = []
        self.speeds: list[float] = []

    @property
    def finished(self) -> bool:
        """Return whether the follower has."""
        return self.follower.finished

    def __call__(self, simulation: Simulation) -> None:
        """Follow."""
        self.follower(simulation)
        self.poses.append(simulation.vehicles['it'].pose)
        self.errors.append(self.follower.cross_track)
        self.speeds.append(float(simulation.vehicles['it'].twist_body[0]))


def distance(poses: list[Pose], route: Route) -> Array:
    """Return how far each pose is from a route, found by brute force."""
    a, b = route.points[:-1], route.points[1:]
    place = np.array([[pose.x, pose.y] for pose in poses])[:, None]
    along = ((place - a) * (b - a)).sum(2) / ((b - a) ** 2).sum(1)
    foot = a + np.clip(along, 0, 1)[..., None] * (b - a)
    gaps: Array = np.hypot(*np.moveaxis(place - foot, 2, 0)).min(axis=1)
    return gaps


@pytest.mark.parametrize('vehicle, route, speed, worst, usual', [
    pytest.param('small_robot', figure_of_eight(2.0), 0.8, 0.06, 0.01, id='small robot, eight'),
    pytest.param('small_robot', lawn_mower(6.0, 6.0, 1.0), 0.8, 0.1, 0.04, id='lawn mower'),
    pytest.param('rover', figure_of_eight(2.0), 0.8, 0.1, 0.07, id='axle before the origin'),
    pytest.param('car', figure_of_eight(6.0), 1.5, 0.2, 0.05, id='car, twists'),
    pytest.param('steered_car', figure_of_eight(6.0), 1.5, 0.2, 0.05, id='car, steering angles'),
    pytest.param('tractor', figure_of_eight(5.0), 1.5, 0.1, 0.03, id='both axles steered'),
])
def test_a_vehicle_stays_near_the_route_and_stops_at_its_end(
        alone: MakeWorld, vehicle: str, route: Route, speed: float, worst: float,
        usual: float) -> None:
    simulation = alone(vehicle)
    noted = Noted(RouteFollower(route, speed=speed))
    drive(simulation, noted, 200.0)
    assert noted.finished
    gaps = distance(noted.poses, route)
    assert gaps.max() < worst
    assert math.sqrt((gaps ** 2).mean()) < usual
    # at crossings the other branch may be nearer
    assert np.median(abs(np.abs(noted.errors) - gaps)) < 1e-3
    assert max(noted.speeds) == pytest.approx(speed, rel=0.1)
    simulation.run(2.0)
    end = simulation.vehicles['it']
    assert math.dist((end.pose.x, end.pose.y), route.points[-1]) < 0.1
    assert abs(end.twist_body[0]) < 0.02


def run(alone: MakeWorld, seed: int = 0) -> list[Pose]:
    """Return the poses of a drive."""
    noted = Noted(RouteFollower(lawn_mower(3.0, 3.0, 1.0)))
    drive(alone(seed=seed), noted, 20.0)
    return noted.poses


def test_a_drive_repeats_itself_to_the_last_bit(alone: MakeWorld) -> None:
    assert run(alone) == run(alone)


def test_laps_are_driven_on_without_a_stop(alone: MakeWorld) -> None:
    simulation = alone()
    noted = Noted(RouteFollower(figure_of_eight(1.5), laps=3))
    drive(simulation, noted, 200.0)
    assert noted.follower.travelled == pytest.approx(3 * 6 * math.pi, rel=1e-2)
    assert min(noted.speeds[100:-200]) > 0.5


def test_for_ever_ends_with_the_time(alone: MakeWorld) -> None:
    simulation = alone()
    follower = RouteFollower(figure_of_eight(1.0), laps=0)
    drive(simulation, follower, 40.01)
    assert not follower.finished
    assert simulation.time == pytest.approx(40.01)


def test_a_point_behind_is_turned_to_on_the_spot(alone: MakeWorld) -> None:
    noted = Noted(RouteFollower(Route.through([(-1.0, 0.0), (-4.0, 0.0)])))
    drive(alone(), noted, 60.0)
    assert noted.finished
    assert max(pose.x for pose in noted.poses) < 0.05


def test_a_car_turns_in_a_circle_to_a_point_behind(alone: MakeWorld) -> None:
    follower = RouteFollower(Route.through([(-6.0, 4.0), (-20.0, 4.0)]))
    drive(alone('car'), follower, 120.0)
    assert follower.finished


def test_a_pattern_starts_where_the_vehicle_stands(alone: MakeWorld) -> None:
    simulation = alone()
    simulation.set_pose('it', Pose(3.0, 2.0, yaw=math.pi / 2))
    follower = RouteFollower(Route.through([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]), relative=True)
    drive(simulation, follower, 30.0)
    pose = simulation.vehicles['it'].pose
    assert (pose.x, pose.y) == pytest.approx((2.0, 4.0), abs=0.1)


def test_a_vehicle_is_put_at_the_start_where_that_is_asked_for(alone: MakeWorld) -> None:
    simulation = alone()
    follower = RouteFollower(Route.through([(5.0, 5.0), (5.0, 8.0)]), place=True)
    follower(simulation)
    pose = simulation.vehicles['it'].pose
    assert (pose.x, pose.y, pose.yaw) == pytest.approx((5.0, 5.0, math.pi / 2))


def test_speeds_of_the_route_count(alone: MakeWorld) -> None:
    noted = Noted(RouteFollower(Route.through([(0, 0), (4, 0), (8, 0)], [0.9, 0.3, 0.3])))
    drive(alone(), noted, 60.0)
    places = np.array([pose.x for pose in noted.poses])
    speeds = np.array(noted.speeds)
    assert speeds[(2.0 < places) & (places < 2.5)].mean() == pytest.approx(0.9, abs=0.03)
    assert speeds[(5.0 < places) & (places < 7.0)].mean() == pytest.approx(0.3, abs=0.03)


def test_a_speed_that_is_given_is_the_most(alone: MakeWorld) -> None:
    noted = Noted(RouteFollower(Route.through([(0, 0), (4, 0), (8, 0)], [0.9, 0.3, 0.3]),
                                speed=0.5))
    drive(alone(), noted, 60.0)
    assert 0.45 < max(noted.speeds) < 0.55
    assert noted.speeds[-200] == pytest.approx(0.3, abs=0.03)


def test_a_raw_controller_is_refused(alone: MakeWorld) -> None:
    simulation = alone('raw_robot')
    with pytest.raises(ControllerError, match='set_torques'):
        drive(simulation, RouteFollower(figure_of_eight(1.0)), 1.0)


@pytest.mark.parametrize('arguments, message', [
    pytest.param({'speed': 0.0}, 'speed is 0', id='speed'),
    pytest.param({'speed': math.nan}, 'speed is nan', id='no speed'),
    pytest.param({'laps': 2}, 'not a loop', id='laps of a line'),
    pytest.param({'vehicle': 'other'}, 'no vehicle other, only it', id='vehicle'),
])
def test_what_cannot_be_is_refused(
        alone: MakeWorld, arguments: dict[str, float], message: str) -> None:
    with pytest.raises(TrajectoryError, match=message):
        follower = RouteFollower(
            Route.through([(0, 0), (1, 0)]), **arguments)  # type: ignore[arg-type]
        follower(alone())


corner = st.tuples(st.floats(-20, 20), st.floats(-20, 20))


@settings(max_examples=examples(60))
@given(st.lists(corner, min_size=2, max_size=12, unique=True))
def test_speeds_along_a_track_ask_for_no_more_than_the_limits(
        corners: list[tuple[float, float]]) -> None:
    try:
        route = Route.through(corners)
    except TrajectoryError:
        return  # all in one place
    limits = Limits()
    track = Track.of(route, 1.0, 0.5, limits)
    assert track.speed.min() > 0.0
    assert track.speed.max() <= 1.0
    gained = np.diff(track.speed ** 2) / (2.0 * track.step)
    assert np.abs(gained).max(initial=0.0) <= limits.acceleration * (1 + 1e-9)
    assert track.length == pytest.approx(route.length)


@pytest.mark.parametrize(('points', 'laps'), [
    ([(0, 0), (5, 0), (0, 0)], 1), ([(0, 0), (1, 0), (0, 0)], 2),
    ([(0, 0), (3, 0), (0, 0), (0, 3)], 1), ([(0, 0), (3, 0), (1, 1), (4, 1)], 1)])
def test_where_a_route_leads_back_it_is_driven_to_that_point(
        alone: MakeWorld, points: list[tuple[float, float]], laps: int) -> None:
    simulation = alone('small_robot')
    noted = Noted(RouteFollower(Route.through(points), laps=laps, place=True))
    drive(simulation, noted, 120.0)
    assert noted.finished
    way = np.array([(pose.x, pose.y) for pose in noted.poses])
    first = 0
    for point in [*points[1:]] * laps:  # one after the other
        near = np.flatnonzero(np.linalg.norm(way[first:] - point, axis=1) < 0.35)
        assert len(near), point
        first += int(near[0])
    length = laps * sum(math.dist(*pair) for pair in itertools.pairwise(points))
    driven = np.linalg.norm(np.diff(way, axis=0), axis=1).sum()
    assert driven == pytest.approx(length, rel=0.08)
