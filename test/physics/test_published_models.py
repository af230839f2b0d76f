# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The single-track vehicle against a published model of a car."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mvsim_ros2.world.spec import (
    ChassisSpec, MagicFormulaTyre, RawController, SingleTrackSpec, VehicleSpec, WheelSpec)


# vehicle 2 of M. Althoff, M. Koschi, S. Manzinger, *CommonRoad: composable benchmarks for motion
# planning on roads*, IEEE Intelligent Vehicles Symposium 2017: a BMW 320i
FRONT, REAR, MASS, INERTIA, FRICTION, STIFFNESS = 1.156, 1.422, 1093.0, 1791.0, 1.048, 20.89
G, WHEEL_MASS, DURATION = 9.81, 30.0, 4.0


def published(speed, steering):
    """Return x, y and heading at the end by the single-track model of the paper."""
    front = FRICTION * STIFFNESS * MASS * G * REAR / (FRONT + REAR)  # N/rad
    rear = FRICTION * STIFFNESS * MASS * G * FRONT / (FRONT + REAR)

    def rate(t, state):
        _, _, heading, turn, drift = state
        push_front = front * (steering(t) - drift - FRONT * turn / speed)
        push_rear = rear * (REAR * turn / speed - drift)
        return [speed * math.cos(heading + drift), speed * math.sin(heading + drift), turn,
                (FRONT * push_front - REAR * push_rear) / INERTIA,
                (push_front + push_rear) / (MASS * speed) - turn]

    return np.asarray(solve_ivp(
        rate, (0.0, DURATION), np.zeros(5), rtol=1e-9, atol=1e-9).y[:3, -1])


def car():
    """Return that car, with its centre of mass in the origin."""
    chassis = MASS - 2.0 * WHEEL_MASS
    shift = WHEEL_MASS * (REAR - FRONT) / chassis
    wheel = {'mass': WHEEL_MASS, 'diameter': 0.6, 'width': 0.2}
    return SingleTrackSpec(
        controller=RawController(), max_steer_ang=0.5,
        f_wheel=WheelSpec((FRONT, 0.0, 0.0), **wheel),  # type: ignore[arg-type]
        r_wheel=WheelSpec((-REAR, 0.0, 0.0), **wheel),  # type: ignore[arg-type]
        chassis=ChassisSpec(
            mass=chassis, zmin=0.2, zmax=0.8, yaw_inertia=INERTIA, linear_damping=0.0,
            angular_damping=0.0, shape=tuple(
                (x + shift, y) for x, y in ((-2, -0.8), (-2, 0.8), (2, 0.8), (2, -0.8)))))


@pytest.mark.parametrize('dt', [0.001, 0.005, 0.01, 0.02], ids=['1ms', '5ms', '10ms', '20ms'])
@pytest.mark.parametrize('speed', [8.0, 15.0, 25.0], ids=['8mps', '15mps', '25mps'])
@pytest.mark.parametrize('steering', [
    lambda t: 0.02 if t > 0.5 else 0.0, lambda t: 0.02 * math.sin(math.pi * t)],
    ids=['bend', 'lane change'])
def test_acceptance_16_published_single_track(physics, steering, speed, dt):
    """
    Final position within 1 % of the way, and heading within 1 %.

    Where the assumptions agree: small angles, tyres far from their limit, no drive. The tyre is
    a Magic Formula that is as good as straight there.
    """
    tyre = MagicFormulaTyre(B=FRICTION * STIFFNESS / 30.0, C=1.0, D=30.0, E=0.0, C_damping=0.0)
    world = physics(
        VehicleSpec('r1', dynamics=car(), friction=tyre, init_twist=(speed, 0.0, 0.0)),
        simul_timestep=dt, options={'mode': 'physical'})
    assert world.vehicles.bodies[0].mass == pytest.approx(MASS)
    assert world.vehicles.bodies[0].constants[2:4] == pytest.approx((0.0, 0.0), abs=1e-6)
    for step in range(round(DURATION / dt)):
        world.vehicles.set_torques(0, (0.0,), steering((step + 0.5) * dt))
        world.step()
    x, y, _, heading = world.vehicles.pose[0, :4]
    expected = published(speed, steering)
    assert math.hypot(x - expected[0], y - expected[1]) < 0.01 * speed * DURATION
    assert heading == pytest.approx(expected[2], rel=0.01, abs=0.003)
