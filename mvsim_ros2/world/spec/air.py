# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The air that vehicles move through."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Spec, tag


@dataclass(frozen=True)
class AirSpec(Spec):
    """Density and wind (`<air>`) for vehicles with `<aerodynamics>` in mode `physical`."""

    density: float = tag('float', 1.225, unit='kg/m^3', attribute=True, minimum=0,
                         doc='density; default: standard atmosphere at sea level')
    wind: tuple[float, float] = tag(
        'point2', (0.0, 0.0), unit='m/s', attribute=True, doc='velocity of the air, world frame')
