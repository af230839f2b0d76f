# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Controllers whose body has the velocity that is wanted: `twist_ideal` and `trajectory`.

A vehicle with a `trajectory` follows waypoints in time by the law of MVSim 1.4
(PoseTrajectoryFollower). This is pure pursuit of a point ahead of the target of the vehicle, not
of its position; R. C. Coulter, *Implementation of the pure pursuit path tracking algorithm*,
CMU-RI-TR-92-01 (1992), with the speed of the schedule.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.record import Command, Controller
from mvsim_ros2.physics.vehicle.forms import FRONT_PAIR, IN_LINE, ROLLERS, SIDES
from mvsim_ros2.world.spec.vehicle.controller import TrajectoryController, TwistIdealController

NEAR = 1e-6  # m^2; a target at a smaller square of the distance gives no turn


class WaypointPath:
    """The path of a controller `trajectory` and its schedule."""

    def __init__(self, spec: TrajectoryController) -> None:
        self._spec = spec
        waypoints = spec.in_order
        self._times: Array = np.array([each.t for each in waypoints])
        self._places: Array = np.array([(each.x, each.y) for each in waypoints])
        steps = np.linalg.norm(np.diff(self._places, axis=0), axis=1)
        self._along: Array = np.concatenate([[0.0], np.cumsum(steps)])  # m, at each waypoint
        self._speeds = (steps / np.diff(self._times)).tolist()

    def schedule(self, time: float) -> tuple[float, float]:
        """Return how far along the path it should be [m], and how fast [m/s]."""
        first, last = float(self._times[0]), float(self._times[-1])
        if self._spec.loop:
            time = first + (time - first) % (last - first)
        elif time >= last:
            return float(self._along[-1]), 0.0
        time = max(time, first)
        segment = int(np.searchsorted(self._times, time, side='right')) - 1
        return float(np.interp(time, self._times, self._along)), self._speeds[segment]

    def place(self, along: float) -> tuple[float, float]:
        """Return the place [m] at a distance along the path, round and round where it loops."""
        length = float(self._along[-1])
        if self._spec.loop and length > 0.0:
            along %= length
        return (float(np.interp(along, self._along, self._places[:, 0])),
                float(np.interp(along, self._along, self._places[:, 1])))

    def twist(self, time: float, x: float, y: float, yaw: float) -> tuple[float, float]:
        """
        Return the velocity [m/s] and the yaw rate [rad/s] of a vehicle.

        :param time: simulated time [s].
        :param x: of its reference point in the world [m].
        """
        along, speed = self.schedule(time)
        if speed == 0.0:
            return 0.0, 0.0
        target_x, target_y = self.place(along + self._spec.lookahead_distance)
        dx, dy, cosine, sine = target_x - x, target_y - y, math.cos(yaw), math.sin(yaw)
        ahead, aside = cosine * dx + sine * dy, cosine * dy - sine * dx
        square = ahead * ahead + aside * aside
        turn = 2.0 * aside / square * speed if square > NEAR else 0.0
        most = self._spec.max_angular_speed
        if 0.0 < most < abs(turn):
            return speed * most / abs(turn), math.copysign(most, turn)
        return speed, turn


@compiled(inlined=True)
def no_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Records, dt: float,
        ) -> tuple[float, float]:
    """Return no torques; see `Controller.torques`."""
    return 0.0, 0.0


_TORQUES = dict.fromkeys((SIDES, FRONT_PAIR, IN_LINE, ROLLERS), no_torques)
CONTROLLERS = (
    Controller(TrajectoryController, None, _TORQUES, is_ideal=True),
    Controller(TwistIdealController, Command.TWIST, _TORQUES, is_ideal=True),
)
