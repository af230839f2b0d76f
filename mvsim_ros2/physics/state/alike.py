# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that differ in name, pose and sensors only, whose records need to be made once."""

from contextlib import suppress
from typing import Any, NamedTuple

from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_OWN = {'name', 'init_pose', 'sensors', 'source'}


class Records(NamedTuple):
    """Records of a vehicle and of its wheels as they are at the start."""

    vehicle: Any
    wheels: Any


class Alike:
    """The records of vehicles, to be copied for those that are like them."""

    def __init__(self) -> None:
        """Know none yet."""
        self._known: dict[tuple[Any, ...], Records] = {}

    def find(self, spec: VehicleSpec, footprint: Footprint) -> Records | None:
        """Return the records of a vehicle like this one, None where there has been none."""
        try:
            return self._known.get(_kind(spec, footprint))
        except TypeError:  # a list or an array in it, which may change
            return None

    def keep(self, spec: VehicleSpec, footprint: Footprint, vehicle: Any, wheels: Any) -> None:
        """Copy the records of a new vehicle."""
        with suppress(TypeError):  # as in `find`
            self._known[_kind(spec, footprint)] = Records(vehicle.copy(), wheels.copy())


def _kind(spec: VehicleSpec, footprint: Footprint) -> tuple[Any, ...]:
    """Return what is equal for vehicles that have the same records."""
    return footprint, *(value for name, value in vars(spec).items() if name not in _OWN)
