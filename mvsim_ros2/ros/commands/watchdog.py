# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The commands in force of one vehicle, and its stop without them."""

from collections.abc import Callable

from mvsim_ros2.simulation.handles import VehicleHandle


class CommandWatchdog:
    """
    Commands a vehicle, and stops it as the watchdog of a real base does.

    Commanded velocities become zero, and the steering angle is kept; commanded torques become
    zero, and the service brake, where there is one, is pressed.
    """

    def __init__(self, vehicle: VehicleHandle) -> None:
        self._vehicle = vehicle
        self.reset()

    def reset(self) -> None:
        """Drop all commands, after the vehicle has been reset."""
        self._stop: Callable[[], None] | None = None
        self._torques = (0.0,) * self._vehicle.torques_taken
        self._angle = self._pressed = 0.0
        self._emergency = False  # the brake is pressed because commands expired

    def twist(self, vx: float, wz: float, vy: float) -> None:
        """Command velocities [m/s, rad/s]; raises ControllerError as `set_twist` does."""
        self._vehicle.set_twist(vx, wz, vy)
        self._stop = lambda: self._vehicle.set_twist(0.0, 0.0)

    def drive(self, speed: float, angle: float) -> None:
        """Command a speed [m/s] and a steering angle [rad]; raises as `set_steering` does."""
        self._vehicle.set_steering(speed, angle)
        self._stop = lambda: self._vehicle.set_steering(0.0, angle)

    def joints(self, *values: float) -> None:
        """Command the driven wheels, then the angles of the steered; raises as `set_joints`."""
        count = len(self._vehicle.spec.dynamics.driven_wheels)
        steering = values[count:]
        self._vehicle.set_joints(*values[:count], steering=steering)
        self._stop = lambda: self._vehicle.set_joints(*[0.0] * count, steering=steering)

    def torques(self, *values: float) -> None:
        """Command torques of the motors [N m]; raises as `set_torques` does."""
        self._vehicle.set_torques(*values, steering=self._angle)
        self._torques = values
        if self._emergency:
            self._vehicle.set_brake(self._pressed)
            self._emergency = False
        self._stop = self._cut_torques

    def steer(self, angle: float) -> None:
        """Command the steering angle that goes with torques [rad]; raises likewise."""
        self._vehicle.set_torques(*self._torques, steering=angle)
        self._angle = angle

    def brake(self, pressed: float) -> None:
        """Press the service brake, 0 to 1; raises as `set_brake` does."""
        self._vehicle.set_brake(pressed)
        self._pressed, self._emergency = pressed, False

    def park(self, parked: float) -> None:
        """Set the parking brake, 0 to 1; raises as `set_parking_brake` does."""
        self._vehicle.set_parking_brake(parked)

    def stop(self) -> None:
        """Stop the vehicle, whatever command is in force."""
        if self._stop is not None:
            self._stop()
            self._stop = None

    def _cut_torques(self) -> None:
        self._torques = (0.0,) * len(self._torques)
        self._vehicle.set_torques(*self._torques, steering=self._angle)
        brakes = self._vehicle.spec.dynamics.brakes
        if brakes is not None and brakes.serves:
            self._vehicle.set_brake(1.0)
            self._emergency = True
