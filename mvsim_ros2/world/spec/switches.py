# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which groups of lamps there are, and which are on at the start."""

from collections.abc import Mapping, Sequence

from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.lights import LightGroupSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Switches = Mapping[tuple[str, str], bool]  # of groups, by name of the thing and of the group


def first_switches(things: Sequence[VehicleSpec | BlockSpec]) -> dict[tuple[str, str], bool]:
    """Return which groups are on at the start, by the names of their things and of themselves."""
    return {(thing.name, group.name): group.initially_on
            for thing in things for group in groups_of(thing)}


def groups_of(thing: VehicleSpec | BlockSpec) -> tuple[LightGroupSpec, ...]:
    """Return the groups of a thing, those that only its visuals name included."""
    named = {group.name for group in thing.light_groups}
    others = dict.fromkeys(visual.light_group for visual in thing.visuals
                           if visual.light_group and visual.light_group not in named)
    return (*thing.light_groups, *(LightGroupSpec(name=name) for name in others))
