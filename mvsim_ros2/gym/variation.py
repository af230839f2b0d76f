# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles and worlds whose parameters are drawn at random (domain randomisation)."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
import math
from typing import Any, TypeVar

import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import number, refused
from mvsim_ros2.gym.map_worlds import drawn
from mvsim_ros2.gym.worlds import spec_of, World
from mvsim_ros2.world.spec.fields import entries
from mvsim_ros2.world.spec.lights import LightsSpec
from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.tyres import TyreSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

Range = tuple[float, float]
S = TypeVar('S', bound=SensorSpec)

_FRICTION = 'mu', 'D', 'D_y'  # what limits the force of a tyre
_STIFFNESS = 'C_s', 'C_alpha', 'B', 'B_y'  # what it does before that
# electrons of a pixel: noise is their root, beside their number; by power of the factor
_ELECTRONS = {'full_well': -2, 'read_noise': -1}
_SMALLEST, _LARGEST = 1e-3, 1e3  # factors
_MAY_VANISH = 'noise', 'light'


@drawn
def varied(world: World, mass: Range | None = None, friction: Range | None = None,
           tyre: Range | None = None, noise: Range | None = None, light: Range | None = None,
           ) -> Callable[[np.random.Generator], WorldSpec]:
    """
    Return what makes worlds with other parameters, for the argument `world` of environments.

    Each copy of an environment draws factors of its own, by its seed. A range that is not given
    draws nothing, so that the others stay what they are. Latencies are drawn for each
    episode: see `latency` in `Settings`.

    Factors are at most 1000, and at least 0.001 where they must not be 0.

    :param mass: lowest and highest factor of the mass of the chassis of all vehicles.
    :param friction: of the friction coefficient of their tyres.
    :param tyre: of the stiffness of their tyres.
    :param noise: of all random errors of their sensors; 0 takes them away.
    :param light: of the strength of the sun and of the ambient light; 0 is night.
    :raises LearningError: where a range is not two numbers in order, or is out of its limits.

    >>> from mvsim_ros2.gym import maps, Navigate, varied, VehicleVectorEnv
    >>> world = varied(maps.rooms(6.0, 6.0), mass=(0.8, 1.3), friction=(0.5, 1.0))
    >>> envs = VehicleVectorEnv(2, Navigate(), world, rays=36)
    >>> envs.close()
    """
    ranges = {name: _range(name, limits) for name, limits in {
        'mass': mass, 'friction': friction, 'tyre': tyre, 'noise': noise, 'light': light,
    }.items() if limits is not None}

    def make(random: np.random.Generator) -> WorldSpec:
        drawn = spec_of(world, random)
        factors = {name: float(random.uniform(*limits)) for name, limits in ranges.items()}
        return replace(
            drawn, vehicles=tuple(_vehicle(each, factors) for each in drawn.vehicles),
            lights=_lights(drawn.lights, factors.get('light', 1.0)))

    return make


def _range(name: str, limits: object) -> Range:
    """Return the lowest and the highest factor of a parameter, or raise `LearningError`."""
    if not isinstance(limits, Sequence | np.ndarray) or isinstance(limits, str) or (
            len(limits) != 2):
        raise refused(f'varied: {name}', limits,
                      'give the lowest and the highest factor, such as (0.8, 1.2)')
    least = 0.0 if name in _MAY_VANISH else _SMALLEST
    lowest, highest = (number(f'varied: {which} {name}', limit, least, _LARGEST)
                       for which, limit in zip(('lowest', 'highest'), limits, strict=True))
    if lowest > highest:
        raise refused(f'varied: {name}', limits, 'give the lowest factor first, then the highest')
    return lowest, highest


def _vehicle(vehicle: VehicleSpec, factors: dict[str, float]) -> VehicleSpec:
    """Return a vehicle with other parameters."""
    dynamics = vehicle.dynamics
    chassis = replace(
        dynamics.chassis, mass=factors.get('mass', 1.0) * dynamics.chassis.mass)
    wheels = {each.name: replace(wheel, friction=_tyre(wheel.friction, factors))
              for each in fields(dynamics)
              if getattr(wheel := getattr(dynamics, each.name), 'friction', None) is not None}
    return replace(
        vehicle, dynamics=replace(dynamics, chassis=chassis, **wheels),
        friction=_tyre(vehicle.friction, factors),
        front_friction=vehicle.front_friction and _tyre(vehicle.front_friction, factors),
        rear_friction=vehicle.rear_friction and _tyre(vehicle.rear_friction, factors),
        sensors=tuple(_sensor(each, factors.get('noise', 1.0)) for each in vehicle.sensors))


def _tyre(tyre: TyreSpec, factors: dict[str, float]) -> TyreSpec:
    """Return a tyre with other parameters; raise `LearningError` where it has none to vary."""
    changed: dict[str, Any] = {}
    for which, names in (('friction', _FRICTION), ('tyre', _STIFFNESS)):
        if which in factors:
            known = {name: factors[which] * getattr(tyre, name) for name in names
                     if getattr(tyre, name, None) is not None}
            if not known:
                raise LearningError(
                    f'{tyre.source}: the tyre {tyre.XML_CLASS} has none of '
                    f'{", ".join(names)}: leave out {which}=, or take another tyre')
            changed |= known
    return replace(tyre, **changed)


def _sensor(sensor: S, factor: float) -> S:
    """Return a sensor with larger or smaller random errors."""
    kind: Any = type(sensor)
    changed: dict[str, Any] = {}
    for entry in entries(kind):
        field, value = entry.field, getattr(sensor, entry.field)
        if not (entry.tag.random and value):
            continue
        if field in _ELECTRONS:
            changed[field] = value * factor ** _ELECTRONS[field] if factor else 0.0
        elif isinstance(value, tuple):
            changed[field] = tuple(factor * each for each in value)
        else:
            most = math.inf if entry.tag.maximum is None else entry.tag.maximum
            changed[field] = min(factor * value, most)
    return replace(sensor, **changed)


def _lights(lights: LightsSpec, factor: float) -> LightsSpec:
    return replace(lights, light_diffuse=factor * lights.light_diffuse,
                   light_ambient=factor * lights.light_ambient)
