# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tags of a world file: values of a spec class in elements, and where each tag may stand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, CrowdSpec, JointSpec, MarkerSpec, NamedPoseSpec, Source, VehicleSpec,
    WallsSpec, WorldSpec)
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.fields import entries, Entry
from mvsim_ros2.world.spec.sensors.base import sensor_specs

_ROOT = 'mvsim_world'
_SHOWN = 3  # places named of those within an element
_MOST = 4  # places elsewhere; a tag that has more says nothing

_NONE: frozenset[str] = frozenset()
Holder = tuple[str, type]  # name of an element and its spec class
_ELEMENT_KINDS = ('spec', 'specs', 'polygon', 'segments')  # never written as an attribute


@dataclass(frozen=True)
class Place:
    """One occurrence of a tag: its text, and its element unless it is an attribute."""

    name: str
    label: str  # for messages
    text: str
    source: Source
    node: Node | None


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


def collections() -> Mapping[str, tuple[tuple[type[Any], ...], str]]:
    """Return for each tag its spec classes, and the field of the world that collects them."""
    return {
        'vehicle': ((VehicleSpec,), 'vehicles'),
        'block': ((BlockSpec,), 'blocks'),
        'actor': ((ActorSpec,), 'actors'),
        'crowd': ((CrowdSpec,), 'crowds'),
        'element': (tuple(record.spec for record in ELEMENTS), 'elements'),
        'walls': ((WallsSpec,), 'walls'),
        'sensor': (sensor_specs(), 'sensors'),
        'joint': ((JointSpec,), 'joints'),
        'marker': ((MarkerSpec,), 'markers'),
        'named_pose': ((NamedPoseSpec,), 'named_poses'),
    }


def spec_classes(plugins: bool = True) -> dict[type, list[str]]:
    """Return every spec class, parents before children, with its tags."""
    found: dict[type, list[str]] = {WorldSpec: [_ROOT]}

    def add(spec: type, name: str) -> None:
        known = spec in found
        names = found.setdefault(spec, [])
        if name not in names:
            names.append(name)
        if not known:
            add_parts(spec)

    def add_parts(spec: type) -> None:
        for entry in entries(spec):
            for part in entry.classes if plugins else entry.own_classes:
                add(part, entry.names[0])

    add_parts(WorldSpec)
    for tag, (specs, _) in collections().items():
        for spec in specs:
            add(spec, tag)
    return found


def where_it_belongs(name: str, element: str, specs: Sequence[type], attribute: bool) -> str:
    """
    Return how a tag that an element does not know is meant, or '' where many know it.

    :param element: name of the element that has it.
    :param specs: classes of that element.
    :param attribute: it is written as an attribute.
    """
    attributes, children = known_names(tuple(specs)) if specs else (_NONE, _NONE)
    if not attribute and name in attributes:
        return f'; write it as an attribute, {name}="..."'
    if attribute and name in children:
        return f'; write it as a tag, <{name}>'
    holders = _holders().get(name, ())
    same = [f'<{element} class="{own}">' for holder, spec in holders
            if holder == element and (own := getattr(spec, 'XML_CLASS', ''))]
    around = {holder for holder, _ in _holders().get(element, ())}
    within = {held for spec in specs for held, _ in _parts(spec)}
    near = [f'<{holder}>' for holder, _ in holders if holder in around | within]
    return _named(same, _SHOWN) or _named(near, _SHOWN) or (
        '' if attribute else _named([f'<{holder}>' for holder, _ in holders], _MOST, more=False))


def how_to_say(text: str, spec: type) -> str:
    """Return the spelling of a text in an element that holds tags."""
    written = {entry: f'{entry.names[0]}="%s"' if entry.tag.attribute
               else f'<{entry.names[0]}>%s</{entry.names[0]}>' for entry in entries(spec)}
    for entry, form in written.items():
        if text in entry.tag.choices:
            return f'; write {form % text}'
    forms = [form % '...' for entry, form in written.items() if entry.tag.kind != 'name']
    return (f'; it takes {", ".join(forms[:_SHOWN])}{" and others" * (len(forms) > _SHOWN)}'
            if forms else '; it takes none')


def _named(places: Sequence[str], most: int, more: bool = True) -> str:
    """Return that a tag belongs in places, '' where there are none, or too many to name."""
    each = list(dict.fromkeys(places))
    if not each or not more and len(each) > most:
        return ''
    return (f'; it belongs in {", ".join(each[:most])}{" and others" if len(each) > most else ""}')


@cache
def _holders() -> Mapping[str, tuple[Holder, ...]]:
    """Return for each tag the elements that have it, but for names of things."""
    found: dict[str, list[Holder]] = {tag: [(_ROOT, WorldSpec)] for tag in collections()}
    for spec, names in spec_classes(plugins=False).items():
        for entry in entries(spec):
            if not entry.tag.content and entry.tag.kind != 'name':
                for tag in entry.names:
                    found.setdefault(tag, []).extend((name, spec) for name in names)
    return {tag: tuple(holders) for tag, holders in found.items()}


@cache
def _parts(spec: type) -> tuple[Holder, ...]:
    """Return the elements within those of a spec class, at any depth."""
    found: dict[Holder, None] = {}

    def add(parts: Iterator[Holder]) -> None:
        for part in parts:
            if part not in found:
                found[part] = None
                add(_direct(part[1]))

    add(_direct(spec))
    return tuple(found)


def _direct(spec: type) -> Iterator[Holder]:
    if spec is WorldSpec:
        yield from ((tag, part) for tag, (parts, _) in collections().items() for part in parts)
    for entry in entries(spec):
        for part in entry.own_classes:
            yield entry.names[0], part
