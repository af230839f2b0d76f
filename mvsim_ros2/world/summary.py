# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What a world contains, in lines of text."""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import fields
from dataclasses import is_dataclass
from typing import Any

from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.world import WorldSpec


def summary(world: WorldSpec) -> Iterator[str]:
    """Yield what the world contains, what is missing, and the warnings, line by line."""
    yield world.path
    yield (f'  physics: mode {world.physics.mode}, step {1e3 * world.timestep:g} ms, '
           f'gravity {world.gravity:g} m/s^2')
    yield f'  vehicles: {len(world.vehicles)}'
    for vehicle in world.vehicles:
        yield f'    {vehicle}'
    yield f'  vehicle classes: {_list(world.vehicle_classes)}'
    yield f'  blocks: {len(world.blocks)}{_blocks(world.blocks)}'
    yield f'  block classes: {_list(world.block_classes)}'
    yield f'  elements: {_counts(element.XML_CLASS for element in world.elements)}'
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
    yield f'  warnings: {len(world.warnings)}'
    for warning in world.warnings:
        yield f'    {warning}'


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


def _blocks(blocks: tuple[BlockSpec, ...]) -> str:
    kinds = Counter('intangible' if block.intangible else 'static' if block.static else 'movable'
                    for block in blocks)
    return f' ({", ".join(f"{count} {kind}" for kind, count in kinds.items())})' if kinds else ''


def _counts(names: Iterable[str]) -> str:
    return ', '.join(f'{count} {name}' for name, count in Counter(names).items()) or 'none'


def _list(names: Iterable[str]) -> str:
    return ', '.join(names) or 'none'
