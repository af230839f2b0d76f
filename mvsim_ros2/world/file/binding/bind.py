# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Binding of elements of a world file to specs.

The fields of a spec class declare names, types and limits (`mvsim_ros2.world.spec.fields`). A
value is an attribute or a child element. Where an object has several layers, the first one with a
tag is used, and repeated tags are collected from all.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from mvsim_ros2.base.registry import with_plugins
from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding import values
from mvsim_ros2.world.file.binding.tags import (
    describe, how_to_say, known_names, Place, places_in, where_it_belongs)
from mvsim_ros2.world.file.document.control_flow import CONTROL_TAGS
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean, Report
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.spec import (
    BlockSpec, ElementSpec, GeometrySpec, Keyframe, PropertyRegionSpec, Resource, Source, Spec,
    Tag, VehicleSpec, WallsSpec)
from mvsim_ros2.world.spec.common import Point, Polygon
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.elements.property_region import PROPERTIES
from mvsim_ros2.world.spec.fields import (
    acts, entries, Entry, entry_of, KINDS, ordered, Problems)
from mvsim_ros2.world.spec.outlines import convex_hull, geometry_footprint
from mvsim_ros2.world.spec.solids import block_footprint, vehicle_footprint
from mvsim_ros2.world.spec.walls import wall_outlines

Layers = Sequence[Node]
_NOTHING_ELSE: Mapping[str, Set[str]] = MappingProxyType({})
Value = TypeVar('Value')


class Binder:
    """Binds the elements of one world."""

    def __init__(self, report: Report, resources: Resources,
                 elsewhere: Mapping[str, Set[str]] = _NOTHING_ELSE, world: str = '') -> None:
        self._world_folder = Path(world).parent if world else None
        self._report = report
        self._elsewhere = elsewhere
        self._resources = resources
        self._missing: set[str] = set()  # missing files that have been reported
        self._constant: dict[int, dict[str, Any]] = {}  # values of layers by their identity
        self._checked: list[Node] = []  # constant layers whose names are checked, kept alive
        self._special: dict[str, Callable[[Place, Tag, Any], Any]] = {
            'uri': self._uri, 'pose': self._pose, 'polygon': self._polygon,
            'segments': self._segments}

    def bind(self, spec: type, layers: Layers, default: Any = None, *,
             known: tuple[type, ...] = (), template: bool = False,
             given: Mapping[str, Any] | None = None, constant: bool = False,
             optional: Set[str] = frozenset()) -> Any:
        """
        Return the spec described by layers.

        :param layers: nodes in order of precedence.
        :param default: spec with the values of tags that no layer has.
        :param known: further classes whose tags are ignored without a warning.
        :param template: mandatory tags may be missing, as in a class.
        :param given: values of fields that are not read from the layers.
        :param constant: the last layer is one that many objects of the spec have.
        :param optional: mandatory fields that may be missing nevertheless.
        :raises ResourceError: where a file that cannot be replaced is missing.
        """
        attributes, children = known_names((spec, *known))
        known_fields: dict[str, Any] = {'source': layers[0].source, **(given or {})}
        fields, own = dict(known_fields), layers
        if constant:
            own = layers[:-1]
            fields = self._values_of(spec, layers[-1], attributes, children) | known_fields
        for entry in _given_in(spec, frozenset(fields), frozenset(
                name for layer in own for name in (
                    *layer.attributes, *(child.tag for child in layer.children)))):
            if entry.field in known_fields:
                continue
            fallback = getattr(spec if default is None else default, entry.field, None)
            places = self._places(entry, layers)
            if places:
                self._report_idle(entry, places)
                fields[entry.field] = self._value(entry, places, fallback)
            elif entry.tag.required and not template and entry.field not in optional:
                raise WorldFileError(
                    f'{layers[0].source}: {describe(layers[0])} lacks <{entry.names[0]}>: '
                    f'{KINDS[entry.tag.kind]}; {entry.tag.doc}'
                    f'{_misspelt(entry, layers, attributes, children)}')
        for layer in own:
            self._check_names(layer, attributes, children, (spec, *known))
        if hasattr(spec, 'IDLE'):
            self._report.has_no_effect(layers[0].source, describe(layers[0]), spec.IDLE)
        bound = spec(**fields) if default is None else replace(default, **fields)
        for problem in problems(bound):
            raise WorldFileError(f'{layers[0].source}: {describe(layers[0])}: {problem}')
        for doubt in doubts(bound):
            self._report.warn(layers[0].source, f'{describe(layers[0])}: {doubt}')
        self._report_unused(bound, layers)
        return bound

    def _report_unused(self, bound: Any, layers: Layers) -> None:
        """Report the tags that the other values of a spec leave without effect."""
        own: Any = type(bound)
        unused = [(bound, entry.field, f'it needs <{name}>{value and f"{value}</{name}>"}')
                  for entry in entries(own) if not acts(entry.tag, bound)
                  for name, _, value in (entry.tag.needs.partition('='),)]
        unused += bound.without_effect()
        for part, field, reason in unused:
            kind: Any = type(part)
            if getattr(part, field) == getattr(kind, field):
                continue
            entry = entry_of(kind, field)
            if part is not bound:
                self._report.has_no_effect(part.source, f'<{entry.names[0]}>', reason)
            for place in self._places(entry, layers) if part is bound else ():
                self._report.has_no_effect(place.source, place.label, reason)

    def _values_of(self, spec: type, layer: Node, attributes: Set[str],
                   children: Set[str]) -> dict[str, Any]:
        """Return the fields that a constant layer has, read once."""
        known = self._constant.get(id(layer))
        if known is None:
            known = self._constant[id(layer)] = {}
            self._checked.append(layer)
            for entry in entries(spec):
                places = [] if entry.tag.kind == 'name' else self._places(entry, (layer,))
                if places:
                    self._report_idle(entry, places)
                    known[entry.field] = self._value(
                        entry, places, getattr(spec, entry.field, None))
            self._check_names(layer, attributes, children, (spec,))
        return known

    def choose(self, classes: tuple[type[Any], ...], node: Node, plugins: str = '') -> type[Any]:
        """Return the spec class that the `class` of a node names."""
        if len(classes) == 1 and not plugins:
            return classes[0]
        by_name = {choice.XML_CLASS: choice for choice in classes}
        child = node.child('class')
        name = node.attributes.get('class', child.text if child else '').strip()
        if name not in by_name and plugins:
            by_name = {choice.XML_CLASS: choice for choice in with_plugins(classes, plugins)}
        if name not in by_name:
            what = (f'<{node.tag}> has the class {name!r}' if name
                    else f'{describe(node)} has no class')
            hint = did_you_mean(name, by_name) if name else _class_elsewhere(node, by_name.keys())
            raise WorldFileError(f'{node.source}: {what}: there are {", ".join(by_name)}{hint}')
        return by_name[name]

    def _places(self, entry: Entry, layers: Layers) -> list[Place]:
        """Return the occurrences of an entry: all of a repeated tag, else one."""
        everywhere: list[Place] = []
        for layer in layers[:1] if entry.tag.kind == 'name' else layers:
            found = list(places_in(entry, layer))
            if entry.tag.kind == 'specs':
                everywhere += found
            elif entry.tag.kind == 'keyframes' and found:
                return found
            elif found:
                if len(found) > 1:
                    self._report.warn(
                        found[1].source, f'{found[1].label} is given twice: the one in line '
                        f'{found[0].source.line} is used')
                return found[:1]
        return everywhere

    def _report_idle(self, entry: Entry, places: list[Place]) -> None:
        """Report the places of a tag that nothing acts on."""
        for place in places if entry.tag.idle else ():
            self._report.has_no_effect(place.source, place.label, entry.tag.idle)

    def _value(self, entry: Entry, places: list[Place], fallback: Any) -> Any:
        kind = entry.tag.kind
        if kind == 'specs':
            return tuple(self._nested(entry, place, None) for place in places)
        if kind == 'keyframes':
            return tuple(self._read(place, _keyframe_reader(place, entry.tag)) for place in places)
        place = places[0]
        if kind == 'spec':
            return self._nested(entry, place, fallback)
        if place.node is not None and not entry.tag.content:
            points = {'pt'} if kind in ('polygon', 'segments') else set()
            self._check_names(place.node, frozenset(), points)
            if points:
                self._check_text(place.node, ())

        def read(text: str, remark: values.Remark) -> Any:
            if kind in self._special:
                value = self._special[kind](place, entry.tag, fallback)
            else:
                value = values.READERS[kind](text, remark)
            values.check_limits(entry.tag, value)
            return value

        return self._read(place, read)

    def _read(self, place: Place, reader: Callable[[str, values.Remark], Value]) -> Value:
        try:
            return reader(place.text, self._remark(place))
        except ValueError as error:
            raise WorldFileError(
                f'{place.source}: {place.label} is {place.text.strip()[:80]!r}: {error}') from None

    def _nested(self, entry: Entry, place: Place, fallback: Any) -> Any:
        assert place.node is not None
        spec = self.choose(entry.own_classes, place.node, entry.tag.plugins)
        known = entry.own_classes if entry.tag.mixed else ()
        default = fallback if type(fallback) is spec else None
        if known and not place.node.varies:  # else the tags are those of all that it may be
            others = known_names(known)[1] - known_names((spec,))[1]
            for child in place.node.children:
                if child.tag in others:
                    self._report.has_no_effect(
                        child.source, f'<{child.tag}>',
                        f'a {entry.names[0]} {spec.XML_CLASS!r} does not take it, others do')
        return self.bind(spec, (place.node,), default, known=known)

    def _remark(self, place: Place) -> values.Remark:
        return lambda text: self._report.warn(
            place.source, f'{place.label} is {place.text.strip()[:80]!r}: {text}')

    def _uri(self, place: Place, tag: Tag, fallback: Any) -> Resource | None:
        uri = place.text.strip()
        if not uri:
            return None
        return self.resource(uri, place.source, place.label, tag.stand_in)

    def resource(self, uri: str, source: Source, label: str, stand_in: str) -> Resource:
        """Return the file that `uri` names, with one warning where it is missing."""
        found = self._resources.find(uri, Path(source.file).parent)
        if found.path is None and self._world_folder is not None:
            there = self._resources.find(uri, self._world_folder)  # as the original does
            found = there if there.path else found
        if found.path is None:
            message = f'{label} {uri!r} is not available: {found.reason}'
            if not stand_in:
                raise ResourceError(f'{source}: {message}')
            if uri not in self._missing:
                self._missing.add(uri)
                self._report.warn(source, f'{message}; {stand_in} is used instead')
        return found

    def _pose(self, place: Place, tag: Tag, fallback: Any) -> Pose:
        remark = self._remark(place)
        full = (len(values.numbers(place.text, lambda text: None, 3, 6)) == 6 if tag.content
                else place.name.endswith('3d'))
        if full:
            return values.pose3(place.text, remark)
        x, y, yaw = values.pose2(place.text, remark)
        return Pose(x, y, fallback.z, yaw, fallback.pitch, fallback.roll)

    def _points(self, place: Place) -> list[Point]:
        assert place.node is not None
        corners = (Place('pt', '<pt>', node.text, node.source, node)
                   for node in place.node.children if node.tag == 'pt')
        return [self._read(corner, values.READERS['point2']) for corner in corners]

    def _polygon(self, place: Place, tag: Tag, fallback: Any) -> Polygon:
        points = self._points(place)
        hull = convex_hull(points, place.label, place.source)
        if _area(hull) - abs(_area(points)) > 1e-6 * _area(hull):
            self._report.warn(
                place.source, f'{place.label} is not convex: the convex hull is used')
        return hull

    def _segments(self, place: Place, tag: Tag, fallback: Any) -> tuple[Point, ...]:
        points = self._points(place)
        if len(points) % 2 or not points:
            raise ValueError(
                f'it has {len(points)} points: each two <pt> are one segment, so give an even '
                'number of them')
        return tuple(points)

    def _check_names(self, node: Node, attributes: Set[str], children: Set[str],
                     specs: tuple[type, ...] = ()) -> None:
        """Warn of attributes and children of a node that are not known, and of unread text."""
        for name in node.attributes:
            if name not in attributes and not name.startswith(('xmlns', 'xml:', 'xsi:')):
                self._unknown(node, name, attributes, specs, node.source, attribute=True)
        for child in node.children:
            if child.tag not in children:
                read = children | CONTROL_TAGS | self._elsewhere.get(node.tag, frozenset())
                self._unknown(node, child.tag, read, specs, child.source)
        if specs:
            self._check_text(node, specs)

    def _unknown(self, node: Node, name: str, known: Set[str], specs: tuple[type, ...],
                 source: Source, attribute: bool = False) -> None:
        label = f'attribute {name}' if attribute else f'<{name}>'
        hint = where_it_belongs(name, node.tag, specs, attribute) or did_you_mean(name, known)
        self._report.warn(source, f'{label} is not known in {describe(node)} and is ignored{hint}')

    def _check_text(self, node: Node, specs: tuple[type, ...]) -> None:
        """Warn of text in an element that holds tags."""
        text = node.text.strip()
        if text and not any(entry.tag.content for spec in specs for entry in entries(spec)):
            self._report.warn(
                node.source, f'the text {text[:80]!r} in {describe(node)} is ignored'
                f'{how_to_say(text, specs[0]) if specs else "; it takes <pt>x y</pt>"}')


@lru_cache(maxsize=256)
def _given_in(spec: type, fields: frozenset[str], names: frozenset[str]) -> tuple[Entry, ...]:
    """Return the entries of a spec that have one of `names`, and required ones not in `fields`."""
    return tuple(entry for entry in entries(spec) if (
        entry.tag.content or entry.tag.required and entry.field not in fields
        or not names.isdisjoint(entry.names)))


def _class_elsewhere(node: Node, known: Set[str]) -> str:
    """Return a hint where another attribute of a node, or its text, is a class of it, or ''."""
    given = [(f'{key}="{value}"', value.strip()) for key, value in node.attributes.items()
             if key != 'name']
    for place, value in (*given, (f'the text {node.text.strip()!r}', node.text.strip())):
        if value in known:
            return f'; write class="{value}" in place of {place}'
    return ''


def _misspelt(entry: Entry, layers: Layers, attributes: Set[str], children: Set[str]) -> str:
    """Return a hint at the first unknown name similar to one of the entry, or ''."""
    found = [(name, f'attribute {name}', layer.source) for layer in layers
             for name in layer.attributes if name not in attributes]
    found += [(child.tag, f'<{child.tag}>', child.source) for layer in layers
              for child in layer.children if child.tag not in children]
    hints = (f'; there is {label} at {source}{did_you_mean(name, entry.names)}'
             for name, label, source in found if did_you_mean(name, entry.names))
    return next(hints, '')


def _keyframe_reader(place: Place, tag: Tag) -> Callable[[str, values.Remark], Keyframe]:
    def within(text: str, remark: values.Remark) -> Keyframe:
        key = values.keyframe(text, remark, place.name.endswith('3d'))
        values.check_limits(tag, (key.time, key.pose))
        return key

    return within


def _area(points: Sequence[Point]) -> float:
    """Return the signed area of a polygon [m^2]."""
    shifted = [*points[1:], *points[:1]]
    return 0.5 * sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, shifted, strict=True))


# what computes the outline of a spec, and raises a WorldFileError where it is not possible
_OUTLINES: dict[type, Callable[[Any], object]] = {
    BlockSpec: block_footprint, GeometrySpec: geometry_footprint,
    VehicleSpec: vehicle_footprint, WallsSpec: wall_outlines}


def doubts(spec: Spec) -> Problems:
    """Yield a sentence for what is possible but hardly meant."""
    yield from spec.doubts()
    if isinstance(spec, PropertyRegionSpec) and spec.property_name not in PROPERTIES:
        yield (f'nothing reads the property {spec.property_name!r}: there are '
               f'{", ".join(PROPERTIES)}{did_you_mean(spec.property_name, PROPERTIES)}')


def problems(spec: Spec) -> Problems:
    """Yield a sentence for every violated rule of a spec."""
    yield from spec.problems()
    yield from ordered(spec)
    if isinstance(spec, ElementSpec):
        record = ELEMENTS[type(spec)]
        yield from record.check(spec)
        record.outlines(spec)
    if type(spec) in _OUTLINES:
        _OUTLINES[type(spec)](spec)
