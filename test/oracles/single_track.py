# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Single-track (bicycle) dynamics with front and rear steering on a lateral slope.

The model of an agricultural robot: yaw and side slip from the side forces of two axles, the
forward speed given. Slip and force of an axle have one sign here, as in its document: the force
is what the ground resists with, and the equations of motion subtract it.

With `resolved` False these are its equations as printed; True adds what they lack: the
part of gravity across the path shrinks with the cosine of the side slip, the loads with that of
the slope. Driving backward the slip of the document changes sign against the velocity; the
force is turned round with it.
"""

import math
from typing import NamedTuple

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres import bakker
from mvsim_ros2.physics.tyres.bakker import Bakker, PRESETS


class Axle(NamedTuple):
    """One axle and its tyres."""

    distance: float  # to the centre of mass [m]
    stiffness: float = 0.0  # of a linear axle [N/rad]; 0: the tyres below
    tyre: Bakker = PRESETS['bakker87']
    wheels: int = 2  # that share the load; 1 evaluates the axle as one tyre, as the document


class SingleTrack(NamedTuple):
    """Numbers of a vehicle."""

    mass: float  # kg
    inertia: float  # about the vertical axis [kg m^2]
    front: Axle
    rear: Axle
    gravity: float = 9.81  # m/s^2
    resolved: bool = True  # False: as printed


class State(NamedTuple):
    """Motion of the centre of mass, or its rate of change."""

    x: float  # m
    y: float  # m
    heading: float  # rad, counter-clockwise
    yaw_rate: float  # rad/s
    side_slip: float  # rad, of the velocity against the heading, positive to the left


class Drive(NamedTuple):
    """What drives the vehicle."""

    speed: float  # along the vehicle [m/s], negative backward
    front_steer: float = 0.0  # rad, positive to the left
    rear_steer: float = 0.0  # rad
    slope: float = 0.0  # rad across the vehicle, positive where the left side is low


class Blend(NamedTuple):
    """Where the dynamics give way to rolling without side slip."""

    below: float = 0.8  # m/s, kinematic up to this speed
    above: float = 1.2  # m/s, dynamic from this speed on
    time_constant: float = 0.05  # s, in which the kinematic motion is taken up


@compiled
def axle_across(tyre: Bakker, axle_load: float, wheels: int, slip_angle: float) -> float:
    """
    Return the force across an axle [N], the sum over its wheels with their share of the load.

    The formula is for one tyre and not linear in load: one call with the load of the axle gives
    less force than its wheels together.
    """
    return wheels * bakker.across(tyre, axle_load / wheels, slip_angle)


@compiled
def cornering_stiffness(tyre: Bakker, load: float) -> float:
    """Return the cornering stiffness of one wheel [N/rad], B C D at slip 0."""
    B, C, D, _ = bakker.curve(tyre, load)
    return math.degrees(B * C * D)


@compiled
def _cosine(side_slip: float) -> float:
    """Return the cosine of the side slip, not nearer to 0 than 1e-6."""
    cosine = math.cos(side_slip)
    return math.copysign(max(abs(cosine), 1e-6), cosine)


@compiled
def loads(car: SingleTrack, slope: float) -> tuple[float, float]:
    """Return the static loads of front and rear axle [N]."""
    weight = car.mass * car.gravity
    if car.resolved:
        weight *= math.cos(slope)
    base = car.front.distance + car.rear.distance
    return weight * car.rear.distance / base, weight * car.front.distance / base


@compiled
def slips(car: SingleTrack, state: State, drive: Drive) -> tuple[float, float]:
    """Return the slip angles of front and rear axle [rad]; the speed must not be 0."""
    tangent = math.sin(state.side_slip) / _cosine(state.side_slip)
    return (math.atan(tangent + car.front.distance * state.yaw_rate / drive.speed)
            - drive.front_steer,
            math.atan(tangent - car.rear.distance * state.yaw_rate / drive.speed)
            - drive.rear_steer)


@compiled
def _force(axle: Axle, load: float, slip: float) -> float:
    if axle.stiffness > 0.0:
        return axle.stiffness * slip
    return -axle_across(axle.tyre, load, axle.wheels, slip)


@compiled
def forces(car: SingleTrack, state: State, drive: Drive) -> tuple[float, float]:
    """Return the side forces of front and rear axle [N], with the sign of the slip forward."""
    front, rear = slips(car, state, drive)
    load_front, load_rear = loads(car, drive.slope)
    sign = math.copysign(1.0, drive.speed)
    return sign * _force(car.front, load_front, front), sign * _force(car.rear, load_rear, rear)


@compiled
def _yaw_acceleration(car: SingleTrack, drive: Drive, front: float, rear: float) -> float:
    return (car.rear.distance * rear * math.cos(drive.rear_steer)
            - car.front.distance * front * math.cos(drive.front_steer)) / car.inertia


@compiled
def _side_slip_rate(car: SingleTrack, drive: Drive, side_slip: float, yaw_rate: float,
                    front: float, rear: float) -> float:
    path_speed = drive.speed / _cosine(side_slip)
    gravity = car.gravity * math.sin(drive.slope)
    if car.resolved:
        gravity *= math.cos(side_slip)
    across = (front * math.cos(side_slip - drive.front_steer)
              + rear * math.cos(side_slip - drive.rear_steer))
    return (gravity - across / car.mass) / path_speed - yaw_rate


@compiled
def derivative(car: SingleTrack, state: State, drive: Drive) -> State:
    """Return the rate of change of the state; the speed must not be 0."""
    front, rear = forces(car, state, drive)
    path_speed = drive.speed / _cosine(state.side_slip)
    course = state.heading + state.side_slip
    return State(
        path_speed * math.cos(course), path_speed * math.sin(course), state.yaw_rate,
        _yaw_acceleration(car, drive, front, rear),
        _side_slip_rate(car, drive, state.side_slip, state.yaw_rate, front, rear))


@compiled
def kinematic(car: SingleTrack, drive: Drive) -> tuple[float, float]:
    """Return the yaw rate [rad/s] and side slip [rad] of rolling without slip."""
    front, rear = math.tan(drive.front_steer), math.tan(drive.rear_steer)
    base = car.front.distance + car.rear.distance
    return (drive.speed * (front - rear) / base,
            math.atan((car.rear.distance * front + car.front.distance * rear) / base))


@compiled
def dynamic_share(blend: Blend, speed: float) -> float:
    """Return the share of the dynamics: 0 up to `below`, 1 from `above` on, smooth between."""
    part = min(max((abs(speed) - blend.below) / (blend.above - blend.below), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


@compiled
def blended_derivative(car: SingleTrack, blend: Blend, state: State, drive: Drive) -> State:
    """
    Return the rate of change of the state at any speed, 0 and backward included.

    Slow, yaw rate and side slip follow those of rolling without slip: the dynamics are singular
    at standstill, and there is no slip to speak of.
    """
    share = dynamic_share(blend, drive.speed)
    yaw_rate, side_slip = kinematic(car, drive)
    turning = (1.0 - share) * (yaw_rate - state.yaw_rate) / blend.time_constant
    slipping = (1.0 - share) * (side_slip - state.side_slip) / blend.time_constant
    if share > 0.0:
        rate = derivative(car, state, drive)
        turning += share * rate.yaw_rate
        slipping += share * rate.side_slip
    path_speed = drive.speed / _cosine(state.side_slip)
    course = state.heading + state.side_slip
    return State(path_speed * math.cos(course), path_speed * math.sin(course), state.yaw_rate,
                 turning, slipping)


@compiled
def largest_rate(car: SingleTrack, blend: Blend, drive: Drive) -> float:
    """Return a bound on how fast yaw rate and side slip decay [1/s], for the size of steps."""
    share = dynamic_share(blend, drive.speed)
    rate = (1.0 - share) / blend.time_constant
    if share > 0.0:
        load_front, load_rear = loads(car, drive.slope)
        front, rear = _stiffness(car.front, load_front), _stiffness(car.rear, load_rear)
        rate += share / abs(drive.speed) * (
            (front + rear) / car.mass
            + (car.front.distance**2 * front + car.rear.distance**2 * rear) / car.inertia)
    return rate


@compiled
def _stiffness(axle: Axle, load: float) -> float:
    if axle.stiffness > 0.0:
        return axle.stiffness
    return axle.wheels * cornering_stiffness(axle.tyre, load / axle.wheels)


@compiled
def _moved(state: State, rate: State, dt: float) -> State:
    return State(state.x + dt * rate.x, state.y + dt * rate.y, state.heading + dt * rate.heading,
                 state.yaw_rate + dt * rate.yaw_rate, state.side_slip + dt * rate.side_slip)


@compiled
def advance(car: SingleTrack, blend: Blend, state: State, drive: Drive, dt: float) -> State:
    """
    Return the state after `dt` [s] at any speed: Runge-Kutta of order 4, steps made to fit.

    The steps are short enough for the fastest decay of the axles, so that the result neither
    diverges nor depends much on `dt`.
    """
    parts = max(1, math.ceil(dt * largest_rate(car, blend, drive)))
    h = dt / parts
    for _ in range(parts):
        k1 = blended_derivative(car, blend, state, drive)
        k2 = blended_derivative(car, blend, _moved(state, k1, 0.5 * h), drive)
        k3 = blended_derivative(car, blend, _moved(state, k2, 0.5 * h), drive)
        k4 = blended_derivative(car, blend, _moved(state, k3, h), drive)
        for rate, weight in ((k1, h / 6.0), (k2, h / 3.0), (k3, h / 3.0), (k4, h / 6.0)):
            state = _moved(state, rate, weight)
    return state
