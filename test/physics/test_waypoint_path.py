# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that follow waypoints in time (`<controller class="trajectory">`)."""

import math

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import ControllerError, MvsimError
from mvsim_ros2.physics.controllers.ideal import WaypointPath
from mvsim_ros2.world.spec import TimedWaypointSpec, TrajectoryController

CORNER = ((0.0, 0.0, 0.0), (2.0, 2.0, 0.0), (4.0, 2.0, 0.0), (6.0, 2.0, 4.0))  # t, x, y


def path(points=CORNER, **options):
    return WaypointPath(TrajectoryController(
        waypoints=tuple(TimedWaypointSpec(*point) for point in points), **options))


def world(dynamics, controller, pose='0 0 0'):
    return f"""<mvsim_world version="1.0">
      <simul_timestep>0.01</simul_timestep>
      <vehicle name="r1"> <init_pose>{pose}</init_pose>
        <dynamics class="{dynamics}">
          <controller class="trajectory">{controller}</controller>
        </dynamics>
      </vehicle>
    </mvsim_world>"""


@pytest.mark.parametrize('time, along, speed', [
    (0.0, 0.0, 1.0), (1.0, 1.0, 1.0), (3.0, 2.0, 0.0), (5.0, 4.0, 2.0), (7.0, 1.0, 1.0)])
def test_the_schedule_is_linear_and_loops(time, along, speed):
    assert path().schedule(time) == pytest.approx((along, speed))


def test_it_waits_for_the_first_time_and_stops_after_the_last():
    late = path(tuple((t + 10.0, x, y) for t, x, y in CORNER), loop=False)
    assert late.schedule(3.0) == (0.0, 1.0)
    assert late.schedule(16.0) == late.schedule(99.0) == (6.0, 0.0)
    assert late.twist(16.0, 0.0, 0.0, 0.0) == (0.0, 0.0)


def test_it_rests_between_two_waypoints_at_one_place():
    assert path().twist(3.0, 2.0, 0.0, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize('loop, place', [(True, (0.5, 0.0)), (False, (2.0, 4.0))])
def test_the_point_ahead_goes_round_or_stays_at_the_end(loop, place):
    assert path(loop=loop).place(6.5) == pytest.approx(place)


def test_it_steers_on_the_circle_through_the_point_ahead():
    """Curvature 2 y / (x^2 + y^2) of the target in the frame of the vehicle."""
    v, w = path(max_angular_speed=0.0).twist(4.0, 1.0, 0.0, 0.0)  # target (2, 0.5)
    assert (v, w) == pytest.approx((2.0, 2.0 * 2.0 * 0.5 / 1.25))


def test_the_limit_of_the_yaw_rate_keeps_the_radius():
    free = path(max_angular_speed=0.0).twist(4.0, 1.0, 0.0, 0.0)
    v, w = path(max_angular_speed=0.4).twist(4.0, 1.0, 0.0, 0.0)
    assert w == 0.4
    assert v / w == pytest.approx(free[0] / free[1])


def test_a_target_at_the_vehicle_gives_no_turn():
    assert path(lookahead_distance=0.5).twist(0.5, 1.0, 0.0, 2.0) == (1.0, 0.0)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('dynamics', ['differential', 'ackermann'])
def test_it_drives_round_a_circle(tmp_path, dynamics, mode):
    """A circle of 4 m in 24 chords: it is never farther away than 5 cm, and comes round."""
    turns = np.linspace(0.0, 2.0 * math.pi, 25)
    points = ''.join(f'<waypoint t="{8 * a:.6f}" x="{4 * math.sin(a):.6f}" '
                     f'y="{4 - 4 * math.cos(a):.6f}"/>' for a in turns)
    (tmp_path / 'circle.trajectory.xml').write_text(points)
    file = tmp_path / 'w.world.xml'
    file.write_text(world(dynamics, '<include file="circle.trajectory.xml"/>'
                          '<lookahead_distance>0.3</lookahead_distance>'))
    sim = Simulation.from_file(file, physics=mode, strict=True)
    robot = sim.vehicles['r1']
    away = []
    for _ in range(64):
        sim.run(1.0)
        away.append(math.hypot(robot.pose.x, robot.pose.y - 4.0) - 4.0)
    assert max(map(abs, away)) < 0.05
    assert math.hypot(robot.pose.x, robot.pose.y) > 5.0  # at 64 s: 8 rad round
    if dynamics == 'ackermann':
        wheels, (v, _, w) = robot.spec.dynamics.wheels, robot.commanded_twist
        wanted = math.atan(w * (wheels[2].pos[0] - wheels[0].pos[0]) / v)
        angles = robot.wheels['steer'][2:]  # the cotangents of both surround that of the middle
        assert 0.5 * np.sum(1.0 / np.tan(angles)) == pytest.approx(
            1.0 / math.tan(np.clip(wanted, -math.pi / 6, math.pi / 6)))


def test_on_a_straight_it_is_where_the_schedule_says(tmp_path):
    file = tmp_path / 'w.world.xml'
    file.write_text(world(
        'differential', '<loop>false</loop> <waypoint t="4" x="2" y="0"/>'
        '<waypoint t="0" x="0" y="0"/>'))
    sim = Simulation.from_file(file)
    robot = sim.vehicles['r1']
    sim.run(3.0)
    assert robot.pose.x == pytest.approx(1.5, abs=1e-5)
    state = sim.snapshot()
    sim.run(2.0)
    end = robot.pose
    assert (end.x, robot.twist_body[0]) == pytest.approx((2.0, 0.0), abs=1e-5)
    sim.restore(state)
    sim.run(2.0)
    assert robot.pose == end


def test_it_takes_no_command(tmp_path):
    file = tmp_path / 'w.world.xml'
    file.write_text(world('differential', '<waypoint t="0" x="0" y="0"/>'
                          '<waypoint t="1" x="1" y="0"/>'))
    robot = Simulation.from_file(file).vehicles['r1']
    assert robot.commands == () and not robot.accepts_twist
    with pytest.raises(ControllerError, match='trajectory .*it goes its own way'):
        robot.set_twist(1.0, 0.0)


@pytest.mark.parametrize('dynamics, points, message', [
    ('differential', '<waypoint t="0" x="0" y="0"/>', '1 <waypoint>: give two'),
    ('differential', '<waypoint t="1" x="0" y="0"/><waypoint t="1" x="1" y="0"/>',
     r'the time 1 s \(lines 5 and 5\)'),
    ('ackermann_drivetrain', '<waypoint t="0" x="0" y="0"/><waypoint t="1" x="1" y="0"/>',
     "'trajectory', which it cannot have")])
def test_what_cannot_be_followed(tmp_path, dynamics, points, message):
    file = tmp_path / 'w.world.xml'
    file.write_text(world(dynamics, points))
    with pytest.raises(MvsimError, match=message):
        Simulation.from_file(file)
