# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which controllers and vehicle classes there are, and which goes with which."""

from collections.abc import Callable, Iterator
from functools import cache
import logging
from typing import Any

from mvsim_ros2.base.registry import Registry
from mvsim_ros2.errors import PhysicsError, PluginError
from mvsim_ros2.jit.dispatch import Dispatch
from mvsim_ros2.physics.controllers.record import Controller, TorqueKernel
from mvsim_ros2.physics.modes import MVSIM
from mvsim_ros2.physics.mvsim_step import motor_torques
from mvsim_ros2.physics.vehicle.forms import motion_by, MotionKernel
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, ChassisSpec, DynamicsSpec)
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.weather import AirSpec
from mvsim_ros2.world.spec.world import WorldSpec

CONTROLLERS = Registry('controller', 'mvsim_ros2.controllers', kind=Controller)
VEHICLE_CLASSES = Registry('vehicle class', 'mvsim_ros2.vehicles', kind=VehicleClass)


def class_of(dynamics: DynamicsSpec) -> VehicleClass:
    """Return the record of the class of a vehicle, PluginError where there is none."""
    return VEHICLE_CLASSES[type(dynamics)]


def controller_of(dynamics: DynamicsSpec) -> Controller:
    """Return the record of the controller of a vehicle, PluginError where there is none."""
    return CONTROLLERS[type(dynamics.controller)]


@cache
def _torque_kernels() -> tuple[TorqueKernel, ...]:
    return tuple(dict.fromkeys(
        kernel for controller in CONTROLLERS for kernel in controller.torques.values()))


@cache
def _motion_kernels() -> tuple[MotionKernel, ...]:
    return tuple(dict.fromkeys(kind.form.motion for kind in VEHICLE_CLASSES))


def kernel_numbers(dynamics: DynamicsSpec) -> dict[str, float]:
    """
    Return the numbers that are assigned to the kernels of a vehicle.

    :raises PluginError: where one cannot be used.
    """
    form, controller = class_of(dynamics).form, controller_of(dynamics)
    torques = controller.torques[form]
    numbers = _torque_kernels().index(torques), _motion_kernels().index(form.motion)
    _provide(f'controller {controller.spec.XML_CLASS!r}', motor_torques, numbers[0], torques)
    _provide(f'vehicle class {dynamics.XML_CLASS!r}', motion_by, numbers[1], form.motion)
    return {'controller': numbers[0], 'motion': numbers[1]}


def _provide(
        what: str, dispatch: Dispatch[..., Any], number: int, kernel: Callable[..., Any]) -> None:
    try:
        dispatch.put(number, kernel)
    except (TypeError, ValueError) as error:
        raise PluginError(f'the {what} cannot be used: {error}') from error


def check(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle is possible and of a kind that is built here.

    :raises PhysicsError: if it is not; the message gives the place and the allowed names.
    :raises PluginError: where there is no record of its class or controller.
    """
    dynamics = vehicle.dynamics
    kind, controller = class_of(dynamics), controller_of(dynamics)
    if kind.form not in controller.torques:
        known = [repr(each.spec.XML_CLASS) for each in CONTROLLERS if kind.form in each.torques]
        raise PhysicsError(
            f'{dynamics.controller.source}: vehicle {vehicle.name!r} of class '
            f'{dynamics.XML_CLASS!r} has the controller {controller.spec.XML_CLASS!r}, which it '
            f'cannot have; use {" or ".join(known)}')
    for part, problems in (
            (dynamics, dynamics.problems()),
            (dynamics.controller, controller.problems(dynamics.controller, kind.form))):
        for problem in problems:
            raise PhysicsError(
                f'{part.source}: vehicle {vehicle.name!r} of class {dynamics.XML_CLASS!r}: '
                f'{problem}')


_LOG = logging.getLogger(__name__)


def refuse_physical(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle has nothing that acts in mode `physical` only.

    :raises PhysicsError: where it has.
    """
    for source, what in _found(vehicle):
        raise PhysicsError(
            f"{source}: vehicle {vehicle.name!r} has {what}, which physics mode 'mvsim' does not "
            "have: use mode 'physical', or leave it out")


def _found(vehicle: VehicleSpec) -> Iterator[tuple[Source, str]]:
    """Yield where each such thing is, and what."""
    for tyre in vehicle.tyres:
        for name in ('relaxation_length', 'lateral_relaxation_length'):
            if getattr(tyre, name) is not None:
                yield tyre.source, f'a tyre with a {name}'
    dynamics, chassis = vehicle.dynamics, vehicle.dynamics.chassis
    for wheel in dynamics.wheels:
        if wheel.tyre_stiffness > 0.0:
            yield wheel.source, 'a wheel with a tyre_stiffness'
    if dynamics.aerodynamics is not None:
        yield dynamics.aerodynamics.source, 'an <aerodynamics>'
    if dynamics.draught is not None:
        yield dynamics.draught.source, 'a <draught>'
    if dynamics.engine is not None:
        yield dynamics.engine.source, 'an <engine>'
    if isinstance(dynamics, AckermannDrivetrainSpec):
        for kind in dynamics.drivetrain.differentials.values():
            if kind in ('locked', 'limited_slip'):
                yield dynamics.drivetrain.source, f'a {kind} differential'
    if chassis.load_transfer_lag != ChassisSpec.load_transfer_lag:
        yield chassis.source, 'a load_transfer_lag'


def warn_of_air_without_effect(world: WorldSpec, mode: str) -> None:
    """Warn where a world has a wind or another density of air, and there is nothing to feel it."""
    sways = any(visual.sways for block in world.blocks for visual in block.visuals)
    if world.air.density == AirSpec.density and (sways or not any(world.air.wind)):
        return
    if mode == MVSIM:
        _LOG.warning("%s: <air> acts in physics mode 'physical' only", world.air.source)
    elif not any(vehicle.dynamics.aerodynamics for vehicle in world.vehicles):
        _LOG.warning('%s: <air> has no effect: no <dynamics> of a vehicle has an <aerodynamics>',
                     world.air.source)
