# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The air that vehicles move through."""

from dataclasses import dataclass

from mvsim_ros2.base.short_repr import ShortRepr
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class AirSpec(ShortRepr):
    """Density and wind (`<air>`) for vehicles with `<aerodynamics>` in mode `physical`."""

    density: float = tag(
        'float', 1.225, unit='kg/m^3', attribute=True, minimum=0,
        doc='density; default: standard atmosphere at sea level')
    wind: tuple[float, float] = tag(
        'point2', (0.0, 0.0), unit='m/s', attribute=True,
        doc='velocity of the air, world frame')
    source: Source = Source()
