# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small vehicles and worlds for the tests of the physics, by keyword arguments."""

from dataclasses import fields, replace
import math

import numpy as np

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, AckermannSpec, DefaultTyre, Differential3Spec, Differential4Spec,
    DifferentialSpec, DrivetrainSpec, ElevationMapSpec, FrontSteerPidController, HeightMap,
    MecanumSpec, OmniSpec, RawController, RollerWheelSpec, SingleTrackSpec, SkidSteerSpec,
    TrackedSpec, TwistFrontSteerPidController, TwistIdealController, TwistPidController,
    VehicleSpec, WheelSpec, WorldSpec)

CONTROLLERS = {
    'raw': RawController(), 'ideal': TwistIdealController(),
    'pid': TwistPidController(KP=4.0, KI=3.0, max_torque=20.0),
    'twist_front': TwistFrontSteerPidController(KP=1000.0, max_torque=300.0),
    'front': FrontSteerPidController(KP=1000.0, max_torque=300.0)}


def _wheels(mass=1.0, width=0.03, diameter=0.2, **places):
    """Return wheels of a size, by names without `_wheel` and their places."""
    return {f'{name}_wheel': WheelSpec((x, y, 0.0), mass=mass, width=width, diameter=diameter)
            for name, (x, y) in places.items()}


def _row(y):
    return tuple(WheelSpec((x, y, 0.0), mass=1.0, width=0.08, diameter=0.25)
                 for x in (0.35, 0.0, -0.35))


CAR_WHEELS = _wheels(6.0, 0.3, 0.62, rl=(0.0, 1.0), rr=(0.0, -1.0), fl=(0.0, 0.0), fr=(0.0, 0.0))
DYNAMICS = {
    'diff2': DifferentialSpec(**_wheels(l=(0.0, 0.5), r=(0.0, -0.5))),
    'diff_x03': DifferentialSpec(**_wheels(l=(0.3, 0.5), r=(0.3, -0.5))),
    'diff3': Differential3Spec(
        **_wheels(l=(0.0, 0.5), r=(0.0, -0.5)),
        caster_wheel=WheelSpec((0.5, 0.0, 0.0), mass=1.0, diameter=0.1, width=0.05)),
    'diff4': Differential4Spec(
        **_wheels(lr=(-0.3, 0.5), rr=(-0.3, -0.5), lf=(0.3, 0.5), rf=(0.3, -0.5))),
    'ack': AckermannSpec(**CAR_WHEELS, max_steer_ang=math.radians(60)),
} | {
    kind: AckermannDrivetrainSpec(**CAR_WHEELS, drivetrain=DrivetrainSpec(kind=kind))
    for kind in ('open_front', 'open_rear', 'open_4wd',
                 'torsen_front', 'torsen_rear', 'torsen_4wd')
} | {
    'single': SingleTrackSpec(),
    'skid6': SkidSteerSpec(l_wheels=_row(0.4), r_wheels=_row(-0.4)),
    'chain6': SkidSteerSpec(l_wheels=_row(0.4), r_wheels=_row(-0.4), common_speed=True),
    'tracked': TrackedSpec(wheel=WheelSpec(mass=3.0, diameter=0.3)),
    'mecanum': MecanumSpec(),
    'omni3': OmniSpec(roller_wheels=tuple(
        RollerWheelSpec(
            (0.3 * math.cos(angle), 0.3 * math.sin(angle), angle + 0.5 * math.pi),
            diameter=0.15, width=0.06)
        for angle in (0.0, 2.0 * math.pi / 3.0, -2.0 * math.pi / 3.0))),
}


# fields of a car on suspensions
SUSPENDED = {'chassis': {'mass': 500.0}, 'wheels': {
    'suspension_stiffness': 1.5e4, 'suspension_damping': 1500.0, 'tyre_stiffness': 1.5e5}}


def changed(spec, chassis=None, wheels=None, **changes):
    """
    Return a vehicle with other fields, which are its own or those of its dynamics.

    :param chassis: fields of its chassis; wheels: of all its wheels.
    """
    own = {field.name for field in fields(VehicleSpec)}
    parts = {name: replace(wheel, **wheels) for name, wheel in vars(spec.dynamics).items()
             if wheels and isinstance(wheel, WheelSpec)}
    parts |= {name: value for name, value in changes.items() if name not in own}
    if chassis:
        parts['chassis'] = replace(spec.dynamics.chassis, **chassis)
    return replace(spec, **{'dynamics': replace(spec.dynamics, **parts)} | {
        name: value for name, value in changes.items() if name in own})


def vehicle(kind='diff2', controller='pid', name='r1', damping=0.0, chassis=None, **changes):
    """Return a vehicle of a kind, whose chassis is not damped; the rest is as in `changed`."""
    spec = VehicleSpec(name=name, dynamics=replace(
        DYNAMICS[kind], controller=CONTROLLERS[controller]))
    return changed(spec, {'linear_damping': damping, 'angular_damping': damping} | (chassis or {}),
                   **changes)


def physics(*vehicles, mode='mvsim', dt=0.005, seed=0, **world):
    """Return the physics of a world with vehicles and further fields."""
    return PhysicsWorld(
        WorldSpec(simul_timestep=dt, vehicles=vehicles, **world), RandomStreams(seed), mode)


def physical(*vehicles, **options):
    """Return a world in mode physical."""
    return physics(*vehicles, mode='physical', **options)


def world_with(kind, controller, dt=0.005, mu=0.8, C_rr=0.0, C_damping=0.0, **changes):
    """Return a world in mode physical with one vehicle on default tyres without losses."""
    changes.setdefault('friction', DefaultTyre(mu=mu, C_rr=C_rr, C_damping=C_damping))
    return physical(vehicle(kind, controller, **changes), dt=dt)


def tilt(world, climb, side=0.0):
    """Put a world on a slope that climbs ahead and rises to the left [rad]."""
    world.vehicles.pose[0, 4:6] = -climb, side
    record = world.vehicles.arrays.records[0]
    record['down_x'] = -math.sin(climb)
    record['down_y'] = -math.cos(climb) * math.sin(side)


def run(world, seconds):
    """Let a world run; return the forward velocity of its first vehicle [m/s]."""
    world.step(round(seconds / world.dt))
    return float(world.vehicles.twist_body[0, 0])


def slope(rise, across=0.0, size=20):
    """Return a plane that rises by these a metre along x and along y, 0 at the origin."""
    along = np.arange(-size, size + 1.0)
    return ElevationMapSpec(heights=HeightMap(
        rise * along[:, None] + across * along[None, :], 1.0, -size, -size))
