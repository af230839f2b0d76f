# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What robots remember: where they were, and ways through what they saw."""

import math

import numpy as np
import pytest

from mvsim_ros2.policies import Trail, Way

ROOM, FAR, PERIOD = (0.3, 0.45), 12.0, 0.1  # m, m, s
RAYS = 360
AROUND = np.linspace(-np.pi, np.pi, RAYS, endpoint=False)
WALL = (2.0, -1.5, 1.0)  # m: x, and from which y to which one


def scan(pose: tuple[float, float, float], bearings: np.ndarray = AROUND,
         wall: tuple[float, float, float] = WALL) -> np.ndarray:
    x, y, yaw = pose
    with np.errstate(divide='ignore'):
        ranges = (wall[0] - x) / np.cos(yaw + bearings)
    across = y + ranges * np.sin(yaw + bearings)
    return np.where((ranges > 0.0) & (across >= wall[1]) & (across <= wall[2]), ranges, FAR)[None]


def seen_from(pose: tuple[float, float, float], goal: tuple[float, float]) -> np.ndarray:
    """Return a place in the frame of a robot, shape (1, 2)."""
    away = np.subtract(goal, pose[:2])
    cosine, sine = np.cos(pose[2]), np.sin(pose[2])
    return np.array([[cosine * away[0] + sine * away[1], cosine * away[1] - sine * away[0]]])


def made(bearings: np.ndarray = AROUND, mount: tuple[float, float, float] = (0.0, 0.0, 0.0),
         ) -> Way:
    way = Way(ROOM, bearings, np.array([FAR]), PERIOD, np.array([mount]))
    way.begin(0)
    return way


@pytest.mark.parametrize('pose', [(0.0, 0.0, 0.0), (-3.2, 1.1, 2.5), (1e3, -2e3, -1.0)], ids=repr)
def test_where_nothing_is_seen_the_way_is_straight(pose: tuple[float, float, float]) -> None:
    """Its length is that of a path through cells, at most 8 % too long, and a cell."""
    goal = np.array([[4.0, 1.5]])
    way = made().seen_from([0], np.array([pose]), np.full((1, RAYS), FAR), goal)
    assert way[0, :4] == pytest.approx([4.0, 1.5, 4.0, 1.5], abs=1e-9)
    assert 4.27 - 0.15 < way[0, 4] < 1.09 * 4.27 + 0.3


@pytest.mark.parametrize('yaw', [0.0, 1.0, -2.5])
def test_a_way_turns_at_the_end_of_a_wall(yaw: float) -> None:
    """
    The turn is as far from the end of the wall as the robot needs, within a cell or two.

    :claim: Paths of policies keep the requested clearance and are at most 15 % longer than the
        shortest
    :reference: the path around the end of a wall, in closed form
    """
    pose = (0.0, 0.0, yaw)
    way = made().seen_from([0], np.array([pose]), scan(pose), seen_from(pose, (4.0, 0.0)))[0]
    ahead, aside = seen_from((0.0, 0.0, -yaw), (way[0], way[1]))[0]
    assert 1.5 < ahead < 2.7 and 1.2 < aside < 1.7
    assert way[2:4] == pytest.approx(seen_from(pose, (4.0, 0.0))[0], abs=1e-9)
    shortest = 2.0 * np.hypot(2.0, 1.3)
    assert shortest < way[4] < 1.15 * shortest


def test_what_is_out_of_sight_is_remembered_until_the_episode_ends() -> None:
    """A LiDAR that looks ahead sees a wall, then away from it."""
    bearings = np.linspace(-0.9, 0.9, 181)
    toward, away = (0.0, 0.0, 0.0), (0.0, 0.0, np.pi)
    way = made(bearings)
    for pose in [toward, *[away] * 30]:
        found = way.seen_from([0], np.array([pose]), scan(pose, bearings),
                              seen_from(pose, (4.0, 0.0)))[0]
        assert abs(found[1]) > 1.0
    way.begin(0)
    found = way.seen_from([0], np.array([away]), scan(away, bearings),
                          seen_from(away, (4.0, 0.0)))[0]
    assert found[:2] == pytest.approx([-4.0, 0.0], abs=1e-9)


def test_what_went_away_is_forgotten_where_rays_pass() -> None:
    pose, goal = np.zeros((1, 3)), np.array([[4.0, 0.0]])
    way, there = made(), scan((0.0, 0.0, 0.0))
    gone = scan((0.0, 0.0, 0.0), wall=(3.5, -2.5, -0.8))  # something behind, aside
    for ranges in [there] * 3:
        assert way.seen_from([0], pose, ranges, goal)[0, 1] > 1.0
    for _ in range(30):
        found = way.seen_from([0], pose, gone, goal)[0]
    assert found[:2] == pytest.approx([4.0, 0.0], abs=1e-9)


def test_the_map_moves_along() -> None:
    """After hundreds of metres it is as good as new, whatever was there before."""
    pose = (280.0, -160.0, 0.5)
    wall, goal = (282.0, -161.5, -159.0), seen_from(pose, (284.0, -160.0))
    old, new = made(), made()
    for step in range(400):
        before = (0.7 * step, -0.4 * step, 0.5)
        old.seen_from([0], np.array([before]), np.full((1, RAYS), 3.0), goal)
    for _ in range(40):  # rays go through what was drawn last
        found = old.seen_from([0], np.array([pose]), scan(pose, wall=wall), goal)[0]
        fresh = new.seen_from([0], np.array([pose]), scan(pose, wall=wall), goal)[0]
    assert np.linalg.norm(fresh[:2] - goal[0]) > 0.5
    assert found[4] == pytest.approx(fresh[4], abs=0.3)
    assert found[:2] == pytest.approx(fresh[:2], abs=0.3)


def test_a_lidar_may_be_mounted_anywhere() -> None:
    """From the same place it draws the same, wherever the robot's own middle is."""
    pose, mount = (0.3, -0.2, 0.4), (0.2, 0.1, 1.0)
    lidar = (0.3 + 0.2 * np.cos(0.4) - 0.1 * np.sin(0.4),
             -0.2 + 0.2 * np.sin(0.4) + 0.1 * np.cos(0.4), 1.4)
    way = made(mount=mount).seen_from(
        [0], np.array([pose]), scan(lidar), seen_from(pose, (4.0, 0.0)))[0]
    turn = seen_from((0.0, 0.0, -0.4), (way[0], way[1]))[0] + pose[:2]
    assert 1.5 < turn[0] < 2.7 and 1.2 < turn[1] < 1.7


def test_robots_are_apart() -> None:
    """Each has the way that it has alone, and one that begins anew leaves the others alone."""
    poses = np.array([[0.0, 0.0, 0.2], [1.0, -0.5, -0.7], [-1.0, 0.5, 3.0]])
    alone, many = [made() for _ in poses], Way(ROOM, AROUND, np.full(3, FAR), PERIOD)
    for step in range(12):
        poses += [0.02, 0.01, 0.05]
        ranges = np.concatenate([scan(tuple(pose)) for pose in poses])
        goals = np.concatenate([seen_from(tuple(pose), (4.0, 0.0)) for pose in poses])
        if step == 6:
            many.begin(1)
            alone[1].begin(0)
        found = many.seen_from(range(3), poses, ranges, goals)
        for row, each in enumerate(alone):
            np.testing.assert_array_equal(found[row], each.seen_from(
                [0], poses[row:row + 1], ranges[row:row + 1], goals[row:row + 1])[0])


def test_a_goal_that_is_walled_in_is_looked_for_as_the_crow_flies() -> None:
    """The robot sees a ring around itself."""
    found = made().seen_from([0], np.zeros((1, 3)), np.full((1, RAYS), 1.5),
                             np.array([[4.0, 0.0]]))[0]
    assert found == pytest.approx([4.0, 0.0, 4.0, 0.0, 4.0], abs=1e-9)


def test_odd_numbers_do_no_harm() -> None:
    """Places at the end of the numbers, ranges that are none."""
    for pose, ranges, goal in (
            ([1e300, -1e300, 1.0], np.full((1, RAYS), 1.0), [[1e3, 0.0]]),
            ([0.0, 0.0, 0.0], np.zeros((1, RAYS)), [[0.0, 0.0]]),
            ([0.0, 0.0, 0.0], np.full((1, RAYS), 1e-6), [[1e3, 1e3]])):
        found = made().seen_from([0], np.array([pose]), ranges, np.array(goal))
        assert np.isfinite(found).all()


def on_circle(time: float) -> tuple[float, float, float]:
    """Return the pose at a time on a circle of radius 2 m around the origin, at 0.5 rad/s."""
    return 2.0 * math.cos(0.5 * time), 2.0 * math.sin(0.5 * time), 0.5 * time + 0.5 * math.pi


def test_a_circle_is_seen_from_the_robot_on_it() -> None:
    """The place of an age is a chord away, whose bearing is behind by half the angle."""
    trail, ages = Trail((0.5, 2.0, 3.0), 0.1), np.array([0.5, 2.0, 3.0])
    trail.begin(0, *on_circle(0.0)[:2])
    for step in range(1, 101):
        pose = np.array([on_circle(0.1 * step)])
        trail.note(pose)
    angle = 0.5 * ages
    chord, bearing = 4.0 * np.sin(0.5 * angle), np.pi - 0.5 * angle
    expected = np.column_stack([chord * np.cos(bearing), chord * np.sin(bearing)])
    assert trail.seen_from(pose) == pytest.approx(expected.reshape(1, -1), abs=1e-12)


def test_before_the_start_it_is_the_start_and_robots_are_apart() -> None:
    """What one robot begins anew leaves the other one's places alone."""
    trail = Trail((0.1, 0.4), 0.1, 2)
    trail.begin(0, 1.0, 0.0)
    trail.begin(1, 0.0, 5.0)
    for x in (0.1, 0.2):
        poses = np.array([[1.0 + x, 0.0, 0.0], [x, 5.0, 0.0]])
        trail.note(poses)
    assert trail.seen_from(poses) == pytest.approx(np.array([[-0.1, 0.0, -0.2, 0.0]] * 2))
    trail.begin(0, 1.2, 0.0)
    assert trail.seen_from(poses) == pytest.approx(
        np.array([[0.0, 0.0, 0.0, 0.0], [-0.1, 0.0, -0.2, 0.0]]))


def test_nothing_is_remembered_where_nothing_is_asked_for() -> None:
    trail = Trail((), 0.1)
    trail.note(np.zeros((1, 3)))
    assert trail.seen_from(np.zeros((1, 3))).shape == (1, 0)
