# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lookup of the values of a spec class in the elements of a world file."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from mvsim_ros2.base.registry import with_plugins
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.fields import classes_of, Tag, tags_of, xml_name

_ELEMENT_KINDS = ('spec', 'specs', 'polygon', 'segments')  # never written as an attribute


@dataclass(frozen=True)
class Place:
    """One occurrence of a tag: its text, and its element unless it is an attribute."""

    name: str
    label: str  # for messages
    text: str
    source: Source
    node: Node | None


@dataclass(frozen=True)
class Entry:
    """A bound field of a spec class."""

    field: str
    tag: Tag
    names: tuple[str, ...]  # the XML name and its aliases

    @property
    def own_classes(self) -> tuple[type, ...]:
        """Spec classes that the tag may hold, without those of further records."""
        return classes_of(self.tag.spec)

    @property
    def classes(self) -> tuple[type, ...]:
        """Spec classes that the tag may hold."""
        group = self.tag.plugins
        return with_plugins(self.own_classes, group) if group else self.own_classes


@cache
def entries(spec: type) -> tuple[Entry, ...]:
    """Return the bound fields of a spec class."""
    return tuple(Entry(item.name, tag, (xml_name(item), *tag.aliases))
                 for item, tag in tags_of(spec))


@cache
def dependent(spec: type) -> tuple[Entry, ...]:
    """Return the bound fields of a spec class that have no effect without others."""
    return tuple(entry for entry in entries(spec) if entry.tag.needs)


@cache
def known_names(specs: tuple[type, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of attributes and of child elements that the specs have."""
    chosen = {'class'} if hasattr(specs[0], 'XML_CLASS') else set()
    attributes, children = set(chosen), set(chosen)
    for spec in specs:
        for entry in entries(spec):
            if entry.tag.content:
                continue
            if entry.tag.kind != 'name':
                children.update(entry.names)
            if entry.tag.kind not in _ELEMENT_KINDS:
                attributes.update(entry.names)
    return frozenset(attributes), frozenset(children)


def describe(node: Node) -> str:
    """Return the abbreviated opening tag of a node, for messages."""
    shown = (f' {key}="{node.attributes[key]}"' for key in ('class', 'type', 'name')
             if key in node.attributes)
    return f'<{node.tag}{"".join(shown)}>'


def places_in(entry: Entry, layer: Node) -> Iterator[Place]:
    """Yield the occurrences of an entry in one layer."""
    if entry.tag.content:
        yield Place(entry.names[0], describe(layer), layer.text, layer.source, layer)
        return
    if entry.tag.kind not in _ELEMENT_KINDS:
        for name in entry.names:
            if name in layer.attributes:
                label = f'attribute {name} of <{layer.tag}>'
                yield Place(name, label, layer.attributes[name], layer.source, None)
    for child in layer.children:
        if child.tag in entry.names and entry.tag.kind != 'name':
            yield Place(child.tag, f'<{child.tag}>', child.text, child.source, child)
