# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Memory that a world will need, estimated before it is taken, and what the machine has."""

from collections.abc import Iterator
from dataclasses import dataclass
import math
from pathlib import Path
from typing import Any

from mvsim_ros2.errors import MemoryLimitError
from mvsim_ros2.world.spec import (
    ElevationMapSpec, OccupancyGridSpec, OccupancyMap, Source, WorldSpec)
from mvsim_ros2.world.spec.grid import corner_count

resource: Any
try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None

# Bytes, measured as the growth of the resident memory of processes that load, step and measure.
PROGRAM = 200e6
_BODY = 8e3  # a vehicle or block
_HEIGHT = 800.0  # a cell of terrain: its height, two triangles and their tree
_CELL = 4.0  # a cell of an occupancy map
_RESERVE = 200e6  # left for the rest of the process and the machine
_CORNER = 1700.0  # a corner of its solid cells, which become rectangles

_MEMORY_FILE = Path('/proc/meminfo')
_GROUP_FILES = Path('/sys/fs/cgroup/memory.max'), Path('/sys/fs/cgroup/memory.current')


@dataclass(frozen=True)
class Share:
    """Memory that one part of a world will take."""

    what: str
    source: Source
    size: float  # bytes


def memory_shares(world: WorldSpec) -> list[Share]:
    """Return what the parts of a world will take, the largest first, without small ones."""
    shares = sorted(_shares(world), key=lambda share: -share.size)
    return [share for share in shares if share.size > 0.0]


def memory_needed(world: WorldSpec) -> float:
    """Return the memory that a world will need in this process, estimated [bytes]."""
    return PROGRAM + sum(share.size for share in _shares(world))


def check_memory(world: WorldSpec) -> None:
    """Check that the machine has the memory that a world will need."""
    needed, free = memory_needed(world), memory_free()
    if needed > free:
        largest = max(_shares(world), key=lambda share: share.size)
        raise MemoryLimitError(
            f'{largest.source}: the world needs about {in_words(needed)} of memory, and '
            f'{in_words(free)} are free: {largest.what} alone takes {in_words(largest.size)}: '
            'make it smaller')


def check_room(count: int) -> None:
    """Check that there is memory for more observations."""
    if memory_free() < _RESERVE:
        raise MemoryLimitError(
            f'{count} observations of one call of step() leave less than {in_words(_RESERVE)} '
            'of memory: make fewer steps a call, or take them one by one with '
            'run(on_observation=...)')


def memory_free() -> float:
    """Return the memory that this process may still take [bytes]; infinite where not known."""
    limits = [_free_in_machine(), _free_in_group()]
    if resource is not None:
        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            limits.append(float(soft))
    return min(limits)


def in_words(size: float) -> str:
    """Return a size in bytes as people write it."""
    for unit, factor in (('TB', 1e12), ('GB', 1e9)):
        if size >= factor:
            return f'{size / factor:.3g} {unit}'
    return f'{size / 1e6:.0f} MB'


def _shares(world: WorldSpec) -> Iterator[Share]:
    bodies = len(world.vehicles) + len(world.blocks) + len(world.actors)
    yield Share('all bodies together', world.source, _BODY * bodies)
    mounted = [(f'{vehicle.name}/{sensor.name}', sensor)
               for vehicle in world.vehicles for sensor in vehicle.sensors]
    for name, sensor in (*mounted, *((sensor.name, sensor) for sensor in world.sensors)):
        if sensor.memory:
            yield Share(f'{sensor.XML_CLASS} {name!r}', sensor.source, sensor.memory)
    for element in world.elements:
        if isinstance(element, ElevationMapSpec) and element.heights is not None:
            yield Share(f'terrain {element.name!r}', element.source,
                        _HEIGHT * element.heights.values.size)
        elif isinstance(element, OccupancyGridSpec) and element.occupancy is not None:
            yield Share(f'map {element.name!r}', element.source, _map(element.occupancy))


def _map(occupancy: OccupancyMap) -> float:
    """Return what a map takes by its cells and the corners of its solid ones."""
    return _CELL * occupancy.values.size + _CORNER * corner_count(occupancy)


def _free_in_machine() -> float:
    """Return what the kernel counts as available, with free swap space."""
    try:
        lines = _MEMORY_FILE.read_text(encoding='ascii').splitlines()
    except OSError:
        return math.inf
    values = {name: text for name, _, text in (line.partition(':') for line in lines)}
    return 1024.0 * sum(float(values[name].split()[0]) for name in (
        'MemAvailable', 'SwapFree') if name in values)


def _free_in_group() -> float:
    """Return what the control group of the process leaves."""
    try:
        most, used = (file.read_text(encoding='ascii').strip() for file in _GROUP_FILES)
    except OSError:
        return math.inf
    return math.inf if most == 'max' else float(most) - float(used)
