# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Which wheel-ground model a wheel has: the one place that knows them all.

A new one is a file beside this, a number and a row of `KINDS`, and a branch of `ground_force`
(mode `mvsim`) or of `curve.secants` (mode `physical`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres import bakker
from mvsim_ros2.physics.tyres import default
from mvsim_ros2.physics.tyres import ellipse
from mvsim_ros2.physics.tyres import magic_formula
from mvsim_ros2.physics.tyres import sand
from mvsim_ros2.physics.tyres import wardiagnemma
from mvsim_ros2.spec.tyres.coulomb import DefaultTyre
from mvsim_ros2.spec.tyres.coulomb import EllipseTyre
from mvsim_ros2.spec.tyres.coulomb import WardIagnemmaTyre
from mvsim_ros2.spec.tyres.slip import BakkerTyre
from mvsim_ros2.spec.tyres.slip import LinearTyre
from mvsim_ros2.spec.tyres.slip import MagicFormulaTyre
from mvsim_ros2.spec.tyres.soil import ClayTyre
from mvsim_ros2.spec.tyres.soil import SandTyre
from mvsim_ros2.spec.tyres.soil import SoilTyre
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec

Array = NDArray[np.float64]

DEFAULT, WARD_IAGNEMMA, ELLIPSE, LINEAR, MAGIC_FORMULA, BAKKER, CLAY, SAND = (
    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)  # curves of slip from ELLIPSE on, soils from CLAY


def _magic_formula_values(tyre: MagicFormulaTyre) -> tuple[float, ...]:
    curve = magic_formula.parameters(tyre)
    return curve.B, curve.C, curve.E, tyre.lateral == 'crolla', tyre.gamma


def _bakker_values(tyre: BakkerTyre) -> tuple[float, ...]:
    numbers = bakker.parameters(tyre)
    return (*numbers[:9], numbers.literal, 0.0, numbers.unit)


def _soil_values(tyre: SoilTyre, option: float) -> tuple[float, ...]:
    """Return the values of a soil; the first two are for width and diameter of the wheel."""
    return (0.0, 0.0, tyre.section_height, tyre.gamma, tyre.cone_index, tyre.vertical_stiffness,
            option)


# number of each kind, and what makes its own parameters into `values`
KINDS: dict[type, tuple[float, Callable[[Any], tuple[float, ...]]]] = {
    DefaultTyre: (DEFAULT, lambda tyre: ()),
    WardIagnemmaTyre: (WARD_IAGNEMMA, wardiagnemma.values),
    EllipseTyre: (ELLIPSE, ellipse.values),
    LinearTyre: (LINEAR, lambda tyre: (tyre.C_s, tyre.C_alpha)),
    MagicFormulaTyre: (MAGIC_FORMULA, _magic_formula_values),
    BakkerTyre: (BAKKER, _bakker_values),
    ClayTyre: (CLAY, lambda tyre: _soil_values(tyre, tyre.mode == 'vti')),
    SandTyre: (SAND, lambda tyre: _soil_values(tyre, sand.READINGS[tyre.reading])),
}
IN_MVSIM = (DefaultTyre, WardIagnemmaTyre, EllipseTyre)  # those that mode `mvsim` has


def check_in_mvsim(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle has a tyre of the original.

    :raises PhysicsError: where it has one that gives a force for a slip, or that is a spring.
    """
    tyre = vehicle.friction
    if not isinstance(tyre, IN_MVSIM):
        raise PhysicsError(
            f'{tyre.source}: vehicle {vehicle.name!r} has the friction model '
            f"{tyre.XML_CLASS!r}, which physics mode 'mvsim' does not have: use mode 'physical', "
            f'or {" or ".join(repr(kind.XML_CLASS) for kind in IN_MVSIM)}')
    for wheel in vehicle.dynamics.wheels:
        if wheel.tyre_stiffness > 0.0:
            raise PhysicsError(
                f'{wheel.source}: a wheel of vehicle {vehicle.name!r} has a tyre_stiffness, which '
                "physics mode 'mvsim' does not have: use mode 'physical', or leave it out")


_default, _ward_iagnemma, _ellipse = (
    default.wheel_step, wardiagnemma.wheel_step, ellipse.wheel_step)


@compiled(inner=True)
def ground_force(
        kind: float, values: Array, mu: float, damping: float, rolling: float, mass: float,
        gravity: float, radius: float, inertia: float, omega: float, torque: float, vx: float,
        vy: float, slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force on a wheel, along and across it [N], and its new spin [rad/s].

    :param kind: number of its model.
    :param values: parameters of that model beyond mu, damping and rolling resistance.
    :param mu: friction coefficient of tyre and ground, where the model has one.
    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient.
    :param mass: for the others see `stop_slip`.
    """
    if kind == WARD_IAGNEMMA:
        return _ward_iagnemma(
            values[:], mu, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx, vy,
            slope_x, slope_y, dt)
    if kind == ELLIPSE:
        return _ellipse(
            values[:], damping, rolling, mass, gravity, radius, inertia, omega, torque, vx, vy,
            slope_x, slope_y, dt)
    return _default(
        mu, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx, vy, slope_x,
        slope_y, dt)
