# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The record of a vehicle class: everything that the rest of the package needs of one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mvsim_ros2.physics.vehicle.forms import Form
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Drive = tuple[int, float]  # which torque drives a wheel: LEFT, RIGHT or NONE; its share of that


def _no_values(dynamics: Any, dt: float) -> Mapping[str, float]:
    return {}


def _nothing(vehicle: VehicleSpec, wheels: Any) -> None:
    return


@dataclass(frozen=True)
class VehicleClass:
    """
    All about a vehicle class, apart from its geometry, which is in its `spec`.

    :ivar spec: class of its parameters, wheels and steering; its `problems` say what is wrong.
    :ivar form: which controllers it can have, and how its wheels measure the motion.
    :ivar drives: for each wheel which torque drives it, and its share of that; NONE where a
        drivetrain or the controller gives each wheel its torque.
    :ivar parameters: of its spec and the step [s], values of the record of a vehicle (see
        `layout`) beyond those that all have.
    :ivar complete: writes into the records of the wheels of a vehicle what is not in a
        `WheelSpec`; raises PhysicsError where they are not possible.
    :raises ValueError: where that cannot be a vehicle class; says why.
    """

    spec: type[DynamicsSpec]
    form: Form
    drives: Callable[[Any], Sequence[Drive]]
    parameters: Callable[[Any, float], Mapping[str, float]] = _no_values
    complete: Callable[[VehicleSpec, Any], None] = _nothing

    def __post_init__(self) -> None:
        """Check what can be checked without a vehicle."""
        if not issubclass(self.spec, DynamicsSpec) or not self.spec.XML_CLASS:
            raise ValueError(f'the vehicle class of {self.spec.__qualname__}: make it a '
                             'DynamicsSpec with an XML_CLASS')
