# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Summary of a world as lines of text."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from mvsim_ros2.world.spec import Resource, WorldSpec


def summary(world: WorldSpec) -> Iterator[str]:
    """Yield the contents and the missing files of a world, line by line."""
    yield world.path
    yield (f'  physics: mode {world.physics.mode}, step {1e3 * world.timestep:g} ms, '
           f'gravity {world.gravity:g} m/s^2')
    yield f'  vehicles: {len(world.vehicles)}'
    for vehicle in world.vehicles:
        yield f'    {vehicle}'
    yield f'  vehicle classes: {", ".join(world.vehicle_classes) or "none"}'
    kinds = _counts('intangible' if block.intangible else 'static' if block.static else 'movable'
                    for block in world.blocks)
    yield f'  blocks: {len(world.blocks)}{kinds and f" ({kinds})"}'
    yield f'  block classes: {", ".join(world.block_classes) or "none"}'
    yield f'  elements: {_counts(element.XML_CLASS for element in world.elements) or "none"}'
    walls = sum(len(group.shape) // 2 for group in world.walls)
    for count, what in ((walls, 'wall segments'), (len(world.sensors), 'sensors of their own'),
                        (len(world.actors), 'actors'), (len(world.joints), 'joints'),
                        (len(world.markers), 'markers')):
        if count:
            yield f'  {what}: {count}'
    missing = {resource.uri: resource for resource in resources(world) if resource.path is None}
    yield f'  missing files: {len(missing)}'
    for resource in missing.values():
        yield f'    {resource.uri} ({resource.reason})'


def resources(spec: Any) -> Iterator[Resource]:
    """Yield every file that a spec refers to."""
    if isinstance(spec, Resource):
        yield spec
    elif isinstance(spec, tuple):
        for part in spec:
            yield from resources(part)
    elif is_dataclass(spec):
        for item in fields(spec):
            yield from resources(getattr(spec, item.name))


def _counts(names: Iterable[str]) -> str:
    return ', '.join(f'{count} {name}' for name, count in Counter(names).items())
