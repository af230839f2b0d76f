# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Completion of vehicles of a world file by robot descriptions."""

from dataclasses import replace
import os
from pathlib import Path
from typing import TYPE_CHECKING

from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.file.document.tree import Item, Node, Warn
from mvsim_ros2.world.file.resources.resources import local_path

if TYPE_CHECKING:
    from mvsim_ros2.world.file.urdf_import.convert import Conversion

_FILE, _ARGUMENTS = 'urdf', 'urdf_args'


class Descriptions:
    """The robot descriptions of one world, cached."""

    def __init__(self, warn: Warn, allow_xacro: bool, world: str) -> None:
        self._folder = Path(world).parent
        self._warn, self._allow_xacro = warn, allow_xacro
        self._read: dict[tuple[str, ...], Conversion] = {}

    def complete(self, item: Item) -> Item:
        """
        Return a vehicle or class with its description as a last layer.

        In `<dynamics>`, each tag of the world file has precedence.
        """
        given = next((layer for layer in item.layers if _value(layer, _FILE)), None)
        if given is None or item.tag not in ('vehicle', 'vehicle:class'):
            return item
        from mvsim_ros2.world.file.urdf_import.description.xml_values import element
        holder = next((layer for layer in item.layers if layer.child('dynamics')), None)
        dynamics = None if holder is None else holder.child('dynamics')
        made = self._conversion(given, '' if dynamics is None else _value(dynamics, 'class'))
        layers = list(item.layers)
        if holder is not None and dynamics is not None:
            whole = made.node.child('dynamics')
            assert whole is not None
            layers[layers.index(holder)] = replace(holder, children=[
                merged(child, whole) if child is dynamics else child
                for child in holder.children])
        return Item(item.tag, (*layers, element('urdf', made.node.source, children=[
            *made.node.children,
            element('robot_description', made.node.source, made.text)])))

    def _conversion(self, layer: Node, wanted: str) -> 'Conversion':
        from mvsim_ros2.world.file.urdf_import.convert import convert
        from mvsim_ros2.world.file.urdf_import.description.document import arguments_of
        uri, text = _value(layer, _FILE), _value(layer, _ARGUMENTS)
        try:
            paths = [local_path(uri, folder)
                     for folder in (Path(layer.source.file).parent, self._folder)]
        except ResourceError as error:
            raise WorldFileError(f'{layer.source}: cannot read the robot description {uri}: '
                                 f'{error}') from error
        path = next((each for each in paths if '\0' not in uri and os.path.isfile(each)), paths[0])
        key = str(path), text, wanted
        if key not in self._read:
            if '\0' in uri or not os.path.isfile(path):
                raise WorldFileError(f'{layer.source}: there is no robot description {uri!r}; '
                                     f'tried {path}')
            self._read[key] = convert(str(path), arguments_of(text, layer.source), self._warn,
                                      wanted, self._allow_xacro)
            if self._read[key].unused:
                self._warn(layer.source, f'urdf_args: {self._read[key].unused}')
            for finding in self._read[key].findings:
                if finding.lost:
                    self._warn(finding.source, finding.text)
        return self._read[key]


def _value(node: Node, tag: str) -> str:
    """Return the text of a tag, an attribute or an element, '' without one."""
    child = node.child(tag)
    return node.attributes.get(tag, child.text if child else '').strip()


def merged(given: Node, made: Node) -> Node:
    """Return a node with the given children, and those converted children with other names."""
    tags = [child.tag for child in given.children]
    taken = {*tags, *given.attributes}
    parts = [child.tag for child in made.children]

    def part(child: Node) -> Node:
        alone = tags.count(child.tag) == parts.count(child.tag) == 1 and child.tag != 'shape'
        other = made.child(child.tag) if alone else None
        return child if other is None else merged(child, other)

    return replace(
        given,
        attributes={**{key: text for key, text in made.attributes.items() if key not in taken},
                    **given.attributes},
        children=[*map(part, given.children),
                  *(child for child in made.children if child.tag not in taken)])
