# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""In which order the bodies of a world are made."""

from collections.abc import Iterable, Sequence
import heapq

from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


def in_order_of_file(
        blocks: Sequence[BlockSpec], vehicles: Sequence[VehicleSpec],
        ) -> Iterable[BlockSpec | VehicleSpec]:
    """
    Return blocks and vehicles of one file by line, of several one after the other.

    The engine solves contacts in the order of the bodies, which a pushed heap of blocks shows.
    Among themselves blocks, and vehicles, keep their order.
    """
    kinds: tuple[Sequence[BlockSpec | VehicleSpec], ...] = blocks, vehicles
    if len({thing.source.file for things in kinds for thing in things}) > 1:
        return (*blocks, *vehicles)
    return heapq.merge(*kinds, key=lambda thing: thing.source.line)
