# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Walking along a path."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.world.spec import ActorSpec, PathSpec, WaypointSpec, WorldSpec

DT = 0.01


def poses(actor, seconds, start):
    """Return x y z yaw of somebody after every step."""
    simulation = Simulation(WorldSpec(simul_timestep=DT, actors=(
        replace(actor, name='a', init_pose=start, skip_elevation_adjust=True),)))
    rows = []
    for _ in range(round(seconds / DT)):
        simulation.step()
        pose = simulation.actors['a'].pose
        rows.append((pose.x, pose.y, pose.z, pose.yaw))
    return np.array(rows)


def path(*waypoints, loop=True):
    """Return a path through waypoints."""
    return PathSpec(loop=loop, waypoints=waypoints)


@pytest.mark.parametrize(('animation', 'speed'), [('', 1.4), ('walk', 1.4), ('run', 3.5),
                                                  ('idle', 0.0)], ids=str)
def test_speeds(animation, speed):
    """The way of moving toward a waypoint gives the speed; idle never arrives."""
    actor = ActorSpec(path=path(WaypointSpec(Pose(7.0, 0.0), animation=animation)))
    assert poses(actor, 1.0, Pose())[-1, 0] == pytest.approx(speed)


def test_waits_goes_on_and_stops_at_the_end():
    """7 m at 1.4 m/s, 2 s pause, 3.5 m running, and there it stays."""
    actor = ActorSpec(path=path(
        WaypointSpec(Pose(7.0, 0.0), pause=2.0),
        WaypointSpec(Pose(7.0, 3.5, 1.0), animation='run'), loop=False))
    rows = poses(actor, 9.0, Pose())
    at = {t: rows[round(t / DT) - 1] for t in (4.99, 5.0, 7.0, 7.5, 8.99)}
    assert at[4.99][0] == pytest.approx(7.0 - 0.014)
    assert at[5.0][0] == at[7.0][0] == 7.0 and at[7.0][1] == 0.0
    length = math.hypot(3.5, 1.0)
    assert at[7.5][1:3] == pytest.approx([0.5 * 3.5 * 3.5 / length, 0.5 * 3.5 / length])
    assert at[8.99][:3].tolist() == [7.0, 3.5, 1.0]


def test_loops():
    """A square of 1.4 m takes 4 s a round; its corners are reached exactly."""
    corners = [(1.4, 0.0), (1.4, 1.4), (0.0, 1.4), (0.0, 0.0)]
    actor = ActorSpec(path=path(*(WaypointSpec(Pose(x, y)) for x, y in corners)))
    rows = poses(actor, 8.0, Pose())
    for k in range(8):
        assert rows[100 * (k + 1) - 1, :2] == pytest.approx(corners[k % 4])


def test_turns_at_the_ends_of_a_stretch():
    """From the first yaw to the way ahead in a tenth, to that of the waypoint in a fifth."""
    actor = ActorSpec(walking_speed=1.0, path=path(
        WaypointSpec(Pose(0.0, 10.0, yaw=math.pi)), loop=False))
    yaw = poses(actor, 10.5, Pose(yaw=0.0))[:, 3]
    expected = {0.5: 0.5, 1.0: 1.0, 5.0: 1.0, 8.0: 1.0, 9.0: 1.5}
    assert [yaw[round(t / DT) - 1] for t in expected] == pytest.approx(
        [share * math.pi / 2 for share in expected.values()])
    assert yaw[-1] == math.pi


def test_a_short_way_turns_nobody():
    """Below 10 cm the yaw stays until that of the waypoint is near."""
    actor = ActorSpec(walking_speed=0.1, path=path(
        WaypointSpec(Pose(0.0, 0.09, yaw=0.5)), loop=False))
    yaw = poses(actor, 1.0, Pose(yaw=0.3))[:, 3]
    assert yaw[:70] == pytest.approx(np.full(70, 0.3)) and yaw[-1] == 0.5


@pytest.mark.parametrize('actor', [
    ActorSpec(), ActorSpec(path=path(WaypointSpec(Pose()))),
    ActorSpec(walking_speed=0.0, path=path(WaypointSpec(Pose(1.0, 0.0))))],
    ids=['no path', 'there already', 'too slow'])
def test_stands(actor):
    """Who has nowhere to go stays."""
    assert not poses(actor, 1.0, Pose()).any()
