# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Tuning of the PID of a vehicle: identification of its torque response, gains, test of the gains.

The vehicle is alone on level ground. The first-order model `v' = a torque - b v` is fitted to the
speed v(t) after a step of torque (gain K = a / b, time constant T = 1 / b). Internal model
control with the time constant `response` of the closed loop then gives

    KP = T / (K response) = 1 / (a response),     KI = 1 / (K response) = b / (a response)

(D. E. Rivera, M. Morari, S. Skogestad, *Internal model control: PID controller design*, Ind. Eng.
Chem. Process Des. Dev. 25 (1986) 252, table I), with which the speed follows the command as `1 -
exp(-t / response)`. The torque limit is a fraction of the traction limit and of the motor torque.
The response is so slow that a command does not reach it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, CONTROLLERS
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.world.spec import (
    ControllerSpec, OdometrySpec, RawController, VehicleSpec, WorldSpec)

STEP_TIME = 5.0  # s, of the step of torque
FASTEST = 10.0  # m/s; the step ends there
SETTLE_TIME = 0.5  # s, for the loads of the wheels
STOP_TIME = 3.0  # s, of the test for stopping, and at least for driving
STEP_SHARE, LIMIT_SHARE = 0.5, 0.8  # fractions of the largest torque
SLOWEST_RESPONSE = 0.3  # s, proposed
RESPONSE_SHARE = 0.25  # of the time constant of the vehicle
ORDINARY_MU = 0.8  # of tyres without a mu
SLOWEST_DECAY = 1e-3  # 1/s; smaller damping has no meaningful time constant

# limits of the test, as in the tuner of the original
MOST_OVERSHOOT = 0.2  # of the command
MOST_ERROR = 0.05  # m/s at the end of driving
MOST_REBOUND = 0.01  # m/s backwards when stopping
LONGEST_RISE = 2.0  # s, from 10 to 90 percent


@dataclass(frozen=True, eq=False)
class Plant:
    """Response of a vehicle to a step of torque."""

    torque: float  # of the step [N m]
    most_torque: float  # largest torque of tyres and motor [N m]
    slope: float  # a: acceleration per torque [m/s^2/N m]
    decay: float  # b [1/s]
    times: Array  # since the step [s]
    speeds: Array  # by odometry, the input of the controller [m/s]

    @property
    def gain(self) -> float:
        """Return the stationary speed per torque [m/s/N m]."""
        return self.slope / self.decay

    @property
    def time_constant(self) -> float:
        """Return the time constant [s]."""
        return 1.0 / self.decay

    def model(self) -> Array:
        """Return the speeds of the model [m/s]."""
        return np.asarray(self.gain * self.torque * (1.0 - np.exp(-self.decay * self.times)))

    @property
    def misfit(self) -> float:
        """Return the mean deviation of the model relative to the largest speed."""
        return float(np.sqrt(np.mean((self.speeds - self.model()) ** 2)) / self.speeds.max())


@dataclass(frozen=True)
class Gains:
    """Proposed gains."""

    KP: float  # N m s/m
    KI: float  # N m/m
    max_torque: float  # N m
    response: float  # time constant of the closed loop [s]


@dataclass(frozen=True, eq=False)
class Trial:
    """Driving at a speed and stopping with the proposed gains."""

    speed: float  # m/s
    times: Array  # s
    commands: Array  # m/s
    speeds: Array  # true [m/s]
    torques: Array  # of the wheels, shape (n, wheels) [N m]

    @property
    def _driving(self) -> Array:
        return self.speeds[self.commands > 0.0]

    @property
    def rise_time(self) -> float:
        """Return the time from 10 to 90 percent of the speed [s], infinite where never."""
        first, last = (np.flatnonzero(self._driving >= share * self.speed)
                       for share in (0.1, 0.9))
        if not len(last):
            return float('inf')
        return float(self.times[last[0]] - self.times[first[0]])

    @property
    def overshoot(self) -> float:
        """Return the overshoot of the speed as a fraction of the command."""
        return max(0.0, float(self._driving.max()) / self.speed - 1.0)

    @property
    def error(self) -> float:
        """Return the mean deviation in the last fifth of driving [m/s]."""
        tail = self._driving[-max(1, len(self._driving) // 5):]
        return float(abs(tail.mean() - self.speed))

    @property
    def rebound(self) -> float:
        """Return the largest reverse speed when stopping [m/s]."""
        return max(0.0, -float(self.speeds[self.commands == 0.0].min()))

    def _limits(self) -> tuple[tuple[str, float, float, str], ...]:
        return (('rise time', self.rise_time, LONGEST_RISE, 's'),
                ('overshoot', 100.0 * self.overshoot, 100.0 * MOST_OVERSHOOT, '%'),
                ('steady error', self.error, MOST_ERROR, 'm/s'),
                ('rebound', self.rebound, MOST_REBOUND, 'm/s'))

    @property
    def passed(self) -> bool:
        """Return whether all limits are met."""
        return all(value <= limit for _, value, limit, _ in self._limits())

    def report(self) -> list[str]:
        """Return a line for each limit."""
        return [f'{name}: {value:.3g} {unit}, at most {limit:g}: '
                f'{"passed" if value <= limit else "FAILED"}'
                for name, value, limit, unit in self._limits()]


@dataclass(frozen=True, eq=False)
class Tuning:
    """Result of a tuning."""

    vehicle: str
    plant: Plant
    gains: Gains
    controller: ControllerSpec  # with the gains
    values: Mapping[str, float | bool]  # of the fields that have been set
    trial: Trial

    def xml(self) -> str:
        """Return the controller as it can be pasted into the world file."""
        return '\n'.join([
            f'<controller class="{self.controller.XML_CLASS}">',
            *(f'    <{name}>{_text(value)}</{name}>' for name, value in self.values.items()),
            '</controller>'])


def _text(value: float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else f'{value:.4g}'


def tune(world: WorldSpec, name: str, physics: str | None = None, torque: float | None = None,
         speed: float = 1.0, response: float | None = None, seed: int = 0) -> Tuning:
    """
    Propose gains for a vehicle and try them.

    :param name: of a vehicle, or of a vehicle class.
    :param physics: mode; None for the world's.
    :param torque: of the step [N m]; None for half of the largest torque of tyres and motor.
    :param speed: of the trial [m/s].
    :param response: time constant of the closed loop [s].
    :raises PhysicsError: where there is no such vehicle.
    :raises ControllerError: where it has no PID to tune, or does not move.
    """
    vehicle = next((spec for spec in world.vehicles if spec.name == name),
                   world.vehicle_classes.get(name))
    if vehicle is None:
        known = [*(spec.name for spec in world.vehicles), *world.vehicle_classes]
        raise PhysicsError(f'{world.path}: there is no vehicle or vehicle class {name!r}, only '
                           f'{", ".join(known) or "none"}')
    form = class_of(vehicle.dynamics).form
    if form.tuned_with is None:
        raise ControllerError(
            f'{vehicle.source}: {name!r} is a vehicle {form.name}, which has neither one '
            'torque for all wheels nor one for each side: its gains cannot be tuned')
    plant = identify(world, vehicle, physics, torque, seed)
    gains = propose(plant, speed, response, world.simul_timestep)
    controller, values = tuned(vehicle, form.tuned_with(), gains)
    return Tuning(name, plant, gains, controller, values,
                  attempt(world, vehicle, controller, gains, physics, speed, seed))


def _alone(world: WorldSpec, vehicle: VehicleSpec, controller: ControllerSpec, physics: str | None,
           seed: int) -> tuple[Simulation, VehicleHandle]:
    """Return a simulation of a vehicle alone on level ground."""
    vehicle = replace(
        vehicle, name='tuned', init_pose=Pose(), init_twist=(0.0, 0.0, 0.0), animation=None,
        sensors=(), odometry=OdometrySpec(),
        dynamics=replace(vehicle.dynamics, controller=controller))
    simulation = Simulation(
        replace(world, vehicles=(vehicle,), blocks=(), walls=(), elements=(), actors=(),
                joints=()), seed, physics, sensors=False)
    return simulation, simulation.vehicles['tuned']


def identify(world: WorldSpec, vehicle: VehicleSpec, physics: str | None = None,
             torque: float | None = None, seed: int = 0) -> Plant:
    """
    Fit a first-order model to the speed after a step of torque.

    Least squares of `v(t) = a torque t - b x(t)` with the distance x, the integral of the model.
    The limits of a motor are left out, since its loss of torque at speed is not damping.

    :param torque: of each motor [N m]; None for half of the largest torque of tyres and motor.
    :raises ControllerError: where the vehicle does not move.
    """
    motor = vehicle.dynamics.motor
    simulation, handle = _alone(
        world, replace(vehicle, dynamics=replace(vehicle.dynamics, motor=None)), RawController(),
        physics, seed)
    count = handle.torques_taken
    simulation.run(SETTLE_TIME)
    most = _most_torque(simulation, handle, count)
    if motor is not None:
        most = min(most, motor.max_torque)
    torque = STEP_SHARE * most if torque is None else torque
    simulation.reset()
    simulation.run(SETTLE_TIME)
    handle = simulation.vehicles['tuned']
    handle.set_torques(*[torque] * count)
    speeds = []
    for _ in range(round(STEP_TIME / simulation.dt)):
        simulation.step()
        speeds.append(handle.odometry.twist[0])
        if speeds[-1] > FASTEST:
            break
    measured: Array = np.array(speeds, np.float64)
    times: Array = simulation.dt * np.arange(1, len(measured) + 1, dtype=np.float64)
    if not measured[-1] > 0.01:
        raise ControllerError(
            f'{vehicle.source}: vehicle {vehicle.name!r} does not drive forward with {torque:g} '
            'N m: give another torque, or check its wheels and brakes')
    way = simulation.dt * np.cumsum(measured)
    (slope, decay), *_ = np.linalg.lstsq(
        np.column_stack([torque * times, -way]), measured, rcond=None)
    if decay < SLOWEST_DECAY:
        decay = SLOWEST_DECAY
        column = torque * times
        slope = float(column @ (measured + decay * way) / (column @ column))
    return Plant(torque, most, float(slope), float(decay), times, measured)


def _most_torque(simulation: Simulation, handle: VehicleHandle, count: int) -> float:
    """Return the torque of each motor at which the first driven wheel would slide [N m]."""
    handle.set_torques(*[1.0] * count)
    simulation.step(2)
    wheels = handle.wheels
    held = np.where(wheels['mu'] > 0.0, wheels['mu'], ORDINARY_MU) * (
        wheels['normal_load'] * wheels['radius'])
    driven = wheels['torque'] > 1e-6
    if not driven.any():
        raise ControllerError(f'{handle.spec.source}: no wheel of the vehicle is driven')
    return float(np.min(held[driven] / wheels['torque'][driven]))


def propose(plant: Plant, speed: float, response: float | None, dt: float) -> Gains:
    """
    Return the gains of internal model control.

    :param speed: a step to this speed does not reach the torque limit [m/s].
    :param response: time constant of the closed loop [s]; None: a quarter of the vehicle's, at
        most 0.3 s, within the torque limit.
    :param dt: time step [s].
    """
    limit = LIMIT_SHARE * plant.most_torque
    if response is None:
        response = max(min(RESPONSE_SHARE * plant.time_constant, SLOWEST_RESPONSE),
                       speed / (plant.slope * limit), 10.0 * dt)
    return Gains(1.0 / (plant.slope * response), plant.decay / (plant.slope * response), limit,
                 response)


def tuned(vehicle: VehicleSpec, other: ControllerSpec, gains: Gains,
          ) -> tuple[ControllerSpec, Mapping[str, float | bool]]:
    """Return a controller with these gains, and the fields that have been set."""
    present = vehicle.dynamics.controller
    set_gains = CONTROLLERS[type(present)].tuned
    if set_gains is None:
        present, set_gains = other, CONTROLLERS[type(other)].tuned
    if set_gains is None:
        raise ControllerError(
            f'{vehicle.source}: the controller {other.XML_CLASS!r} of vehicle {vehicle.name!r} '
            'has no gains that could be tuned: give its record a `tuned`')
    values = set_gains(gains.KP, gains.KI, gains.max_torque)
    return replace(present, **values), values


def attempt(world: WorldSpec, vehicle: VehicleSpec, controller: ControllerSpec, gains: Gains,
            physics: str | None, speed: float, seed: int) -> Trial:
    """Drive at a speed and stop, and return the test."""
    simulation, handle = _alone(world, vehicle, controller, physics, seed)
    simulation.run(SETTLE_TIME)
    start = simulation.time
    rows = []
    for command, seconds in ((speed, max(STOP_TIME, 8.0 * gains.response)),
                             (0.0, max(STOP_TIME, 8.0 * gains.response))):
        if handle.accepts_twist:
            handle.set_twist(command, 0.0)
        else:
            handle.set_steering(command, 0.0)
        for _ in range(round(seconds / simulation.dt)):
            simulation.step()
            rows.append((simulation.time - start, command, handle.twist_body[0],
                         *handle.wheels['torque']))
    table = np.array(rows, float)
    return Trial(speed, table[:, 0], table[:, 1], table[:, 2], table[:, 3:])
