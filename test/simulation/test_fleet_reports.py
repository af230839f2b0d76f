# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a fleet reports is what each of its vehicles says, to the last bit."""

import math

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.ros.messages.state_messages import UNKNOWN
from mvsim_ros2.simulation.handles import Fleet, VehicleHandle


def planar_covariance(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the 36 numbers of a covariance of x, y and yaw."""
    full = UNKNOWN.copy().reshape(6, 6)
    full[np.ix_([0, 1, 5], [0, 1, 5])] = covariance
    return full.ravel()


def odometry_origin(truth: Pose, estimate: Pose) -> Pose:
    """Return the pose of the odometry frame in the map that makes both poses agree."""
    if truth.pitch != 0.0 or truth.roll != 0.0:
        return truth.compose(estimate.inverse())
    yaw = truth.yaw - estimate.yaw
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return Pose(truth.x - cosine * estimate.x + sine * estimate.y,
                truth.y - sine * estimate.x - cosine * estimate.y, truth.z - estimate.z, yaw)


def said(vehicle: VehicleHandle) -> tuple[list[float], ...]:
    """Return what a handle says, in the order of a report."""
    belief, truth = vehicle.odometry, vehicle.pose
    x, y, yaw = belief.pose
    vx, vy, wz = belief.twist
    robot = Pose(x, y, 0.0, yaw)

    def numbers(pose: Pose) -> list[float]:
        return [pose.x, pose.y, pose.z, *pose.quaternion]

    return ([*numbers(robot), *planar_covariance(belief.pose_covariance), vx, vy, 0.0, 0.0, 0.0,
             wz, *planar_covariance(belief.twist_covariance)],
            [*numbers(truth), *[0.0] * 36, *vehicle.twist_in_space, *[0.0] * 36],
            numbers(odometry_origin(truth, robot)), numbers(robot))


def check(simulation: Simulation, fleet: Fleet) -> None:
    """Compare the reports of a fleet with its vehicles."""
    fleet.look()
    assert list(fleet.reports) == list(simulation.vehicles)
    for name, report in fleet.reports.items():
        for part, expected in zip((report.belief, report.truth, report.origin, report.robot),
                                  said(simulation.vehicles[name]), strict=True):
            assert bytes(part) == np.array(expected, '<f8').tobytes(), name


@pytest.mark.parametrize('world', [
    pytest.param('two_robots', id='level'),
    pytest.param('orchard', id='uneven ground'),
    pytest.param('outdoor', id='ramps'),
])
def test_reports_are_what_handles_say(world: str) -> None:
    simulation = Simulation.from_file(world, sensors=False, seed=3)
    simulation.warm_up()
    fleet = Fleet(simulation, UNKNOWN)
    check(simulation, fleet)
    for vehicle in simulation.vehicles.values():
        vehicle.set_twist(0.7, -0.4)
    for _ in range(3):
        simulation.run(0.5)
        check(simulation, fleet)


def test_vehicles_that_come_go_and_tumble() -> None:
    simulation = Simulation.from_file('two_robots', sensors=False)
    fleet = Fleet(simulation, UNKNOWN)
    simulation.set_pose('r2', Pose(1.0, 2.0, 0.5, -2.0, 0.3, -0.2), (0.4, 0.1, -0.2))
    check(simulation, fleet)
    simulation.run(0.1)
    check(simulation, fleet)
    simulation.remove('r1')
    check(simulation, fleet)
    simulation.reset()
    check(simulation, fleet)


def test_a_sensor_that_was_off_measures_when_it_would_have() -> None:
    always, paused = (Simulation.from_file('demo') for _ in range(2))
    stamps = []
    for simulation in (always, paused):
        simulation.step(10)
        simulation.set_enabled('robot/imu', simulation is always)
        simulation.step(37)
        state = simulation.snapshot()
        simulation.step(20)
        simulation.restore(state)
        simulation.set_enabled('robot/imu', True)
        stamps.append([(each.sensor, each.stamp_ns) for each in simulation.step(100)])
    assert stamps[0] == stamps[1]
    assert len(stamps[0]) > 50
