# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makers of vehicles and worlds for the tests of the physics."""

import csv
from dataclasses import replace
import math

import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, AckermannSpec, Differential3Spec, Differential4Spec, DifferentialSpec,
    DrivetrainSpec, FrontSteerPidController, MecanumSpec, OmniSpec, RawController, RollerWheelSpec,
    SingleTrackSpec, SkidSteerSpec, TrackedSpec, TwistFrontSteerPidController,
    TwistIdealController, TwistPidController, VehicleSpec, WheelSpec, WorldSpec)

CONTROLLERS = {
    'raw': RawController(), 'ideal': TwistIdealController(),
    'pid': TwistPidController(KP=4.0, KI=3.0, max_torque=20.0),
    'twist_front': TwistFrontSteerPidController(KP=1000.0, max_torque=300.0),
    'front': FrontSteerPidController(KP=1000.0, max_torque=300.0)}
CAR_WHEELS = {
    name: WheelSpec((0.0, y, 0.0), mass=6.0, width=0.3, diameter=0.62)
    for name, y in (('rl_wheel', 1.0), ('rr_wheel', -1.0), ('fl_wheel', 0.0), ('fr_wheel', 0.0))}


def _row(y):
    return tuple(WheelSpec((x, y, 0.0), mass=1.0, width=0.08, diameter=0.25)
                 for x in (0.35, 0.0, -0.35))


DYNAMICS = {
    'diff2': DifferentialSpec(
        l_wheel=WheelSpec((0.0, 0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        r_wheel=WheelSpec((0.0, -0.5, 0.0), mass=1.0, width=0.03, diameter=0.2)),
    'diff_x03': DifferentialSpec(
        l_wheel=WheelSpec((0.3, 0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        r_wheel=WheelSpec((0.3, -0.5, 0.0), mass=1.0, width=0.03, diameter=0.2)),
    'diff3': Differential3Spec(
        l_wheel=WheelSpec((0.0, 0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        r_wheel=WheelSpec((0.0, -0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        caster_wheel=WheelSpec((0.5, 0.0, 0.0), mass=1.0, diameter=0.1, width=0.05)),
    'diff4': Differential4Spec(
        lr_wheel=WheelSpec((-0.3, 0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        rr_wheel=WheelSpec((-0.3, -0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        lf_wheel=WheelSpec((0.3, 0.5, 0.0), mass=1.0, width=0.03, diameter=0.2),
        rf_wheel=WheelSpec((0.3, -0.5, 0.0), mass=1.0, width=0.03, diameter=0.2)),
    'ack': AckermannSpec(**CAR_WHEELS, max_steer_ang=math.radians(60)),  # type: ignore[arg-type]
} | {
    kind: AckermannDrivetrainSpec(
        **CAR_WHEELS, drivetrain=DrivetrainSpec(kind=kind))  # type: ignore[arg-type]
    for kind in ('open_front', 'open_rear', 'open_4wd',
                 'torsen_front', 'torsen_rear', 'torsen_4wd')
} | {
    'single': SingleTrackSpec(), 'skid6': SkidSteerSpec(
        l_wheels=_row(0.4), r_wheels=_row(-0.4)),
    'chain6': SkidSteerSpec(l_wheels=_row(0.4), r_wheels=_row(-0.4), common_speed=True),
    'tracked': TrackedSpec(wheel=WheelSpec(mass=3.0, diameter=0.3)),
    'mecanum': MecanumSpec(),
    'omni3': OmniSpec(roller_wheels=tuple(
        RollerWheelSpec(
            (0.3 * math.cos(angle), 0.3 * math.sin(angle), angle + 0.5 * math.pi),
            diameter=0.15, width=0.06)
        for angle in (0.0, 2.0 * math.pi / 3.0, -2.0 * math.pi / 3.0))),
}


def _vehicle(kind='diff2', controller='pid', name='r1', damping=0.0, **changes):
    dynamics = replace(
        DYNAMICS[kind], controller=CONTROLLERS[controller],
        chassis=replace(
            DYNAMICS[kind].chassis, linear_damping=damping, angular_damping=damping))
    return VehicleSpec(name=name, dynamics=dynamics, **changes)


@pytest.fixture(scope='session')
def vehicle():
    """Return a maker of vehicles: kind, controller, name, damping, further fields."""
    return _vehicle


@pytest.fixture(scope='session')
def physics():
    """Return a maker of physics: vehicles, options of it, then fields of the world."""
    def make(*vehicles, seed=0, options=None, **world):
        return PhysicsWorld(
            WorldSpec(**{'simul_timestep': 0.005, 'vehicles': vehicles, **world}),
            RandomStreams(seed), **({'mode': 'mvsim'} | (options or {})))
    return make


@pytest.fixture(scope='session')
def table(shared):
    """Return a reader of reference tables of the models: rows of numbers and words by column."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text

    def read(name):
        with (shared / 'golden/models' / name).open() as file:
            return [{column: number(text) for column, text in row.items()}
                    for row in csv.DictReader(file)]
    return read
