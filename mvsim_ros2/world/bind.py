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
"""
From elements of a world file to specs.

One generic reader: what a spec class holds, under which names and within which limits, is
said by its fields (`mvsim_ros2.world.spec.fields`). A value may be written as attribute or as
child element. Where several layers describe a thing, the first one that has a tag counts, and
tags that may be repeated are collected from all.
"""

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from collections.abc import Set
from dataclasses import replace
import math
from pathlib import Path
from typing import Any
from typing import TypeVar

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.registry import with_plugins
from mvsim_ros2.world import values
from mvsim_ros2.world.places import describe
from mvsim_ros2.world.places import entries
from mvsim_ros2.world.places import Entry
from mvsim_ros2.world.places import known_names
from mvsim_ros2.world.places import Place
from mvsim_ros2.world.places import places_in
from mvsim_ros2.world.report import did_you_mean
from mvsim_ros2.world.report import Report
from mvsim_ros2.world.resources import Resources
from mvsim_ros2.world.rules import problems
from mvsim_ros2.world.spec.common import Keyframe
from mvsim_ros2.world.spec.common import Point
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.fields import KINDS
from mvsim_ros2.world.spec.fields import Tag
from mvsim_ros2.world.spec.outlines import convex_hull
from mvsim_ros2.world.tree import Node

Layers = Sequence[Node]
Value = TypeVar('Value')


class Binder:
    """Binds the elements of one world."""

    def __init__(self, report: Report, resources: Resources) -> None:
        self._report = report
        self._resources = resources
        self._told: set[str] = set()  # addresses whose stand-in has been announced
        self._special: dict[str, Callable[[Place, Tag, Any], Any]] = {
            'uri': self._uri, 'pose': self._pose, 'polygon': self._polygon,
            'segments': self._segments}

    def bind(self, spec: type, layers: Layers, default: Any = None, *,
             known: tuple[type, ...] = (), template: bool = False,
             given: Mapping[str, Any] | None = None) -> Any:
        """
        Return the spec that the layers describe.

        :param layers: nodes, the most important first.
        :param default: spec whose values hold where no layer gives one.
        :param known: further classes whose tags are passed over without a warning.
        :param template: mandatory tags may be missing, as in a class.
        :param given: values of fields that the layers do not decide.
        :raises WorldFileError: where a rule of the format is broken.
        :raises ResourceError: where a file that cannot be replaced is missing.
        """
        attributes, children = known_names((spec, *known))
        fields: dict[str, Any] = {'source': layers[0].source, **(given or {})}
        for entry in entries(spec):
            if entry.field in fields:
                continue
            fallback = getattr(spec if default is None else default, entry.field, None)
            places = self._places(entry, layers)
            if places:
                fields[entry.field] = self._value(entry, places, fallback)
            elif entry.tag.required and not template:
                raise WorldFileError(
                    f'{layers[0].source}: {describe(layers[0])} lacks <{entry.names[0]}>: '
                    f'{KINDS[entry.tag.kind]}; {entry.tag.doc}'
                    f'{_misspelt(entry, layers, attributes, children)}')
        for layer in layers:
            self._check_names(layer, attributes, children)
        bound = spec(**fields) if default is None else replace(default, **fields)
        for problem in problems(bound):
            raise WorldFileError(f'{layers[0].source}: {describe(layers[0])}: {problem}')
        return bound

    def choose(self, classes: tuple[type[Any], ...], node: Node, plugins: str = '') -> type[Any]:
        """
        Return the spec class that the `class` of a node names.

        :param plugins: group of entry points that have further classes; they are looked for
            where no other has the name.
        :raises WorldFileError: where there is no such class.
        :raises PluginError: where a plugin that may have the class cannot be used.
        """
        if len(classes) == 1 and not plugins:
            return classes[0]
        by_name = {choice.XML_CLASS: choice for choice in classes}
        child = node.child('class')
        name = node.attributes.get('class', child.text if child else '').strip()
        if name not in by_name and plugins:
            by_name = {choice.XML_CLASS: choice for choice in with_plugins(classes, plugins)}
        if name not in by_name:
            raise WorldFileError(
                f'{node.source}: <{node.tag}> has the class {name!r}: there are '
                f'{", ".join(by_name)}{did_you_mean(name, by_name)}')
        return by_name[name]

    def _places(self, entry: Entry, layers: Layers) -> list[Place]:
        """Return where the entry is given: all places of a repeated tag, else one."""
        everywhere: list[Place] = []
        for layer in layers[:1] if entry.tag.kind == 'name' else layers:
            found = list(places_in(entry, layer))
            if entry.tag.kind == 'specs':
                everywhere += found
            elif entry.tag.kind == 'keyframes' and found:
                return found
            elif found:
                if len(found) > 1:
                    self._report.fault(
                        found[1].source, f'{found[1].label} is given again: the one in line '
                        f'{found[0].source.line} counts')
                return found[:1]
        return everywhere

    def _value(self, entry: Entry, places: list[Place], fallback: Any) -> Any:
        kind = entry.tag.kind
        if kind == 'specs':
            return tuple(self._nested(entry, place, None) for place in places)
        if kind == 'keyframes':
            return tuple(self._read(place, _keyframe_reader(place)) for place in places)
        place = places[0]
        if kind == 'spec':
            return self._nested(entry, place, fallback)
        if place.node is not None and not entry.tag.content:
            points = {'pt'} if kind in ('polygon', 'segments') else set()
            self._check_names(place.node, frozenset(), points)

        def read(text: str, remark: values.Remark) -> Any:
            if kind in self._special:
                value = self._special[kind](place, entry.tag, fallback)
            else:
                value = values.READERS[kind](text, remark)
            _check_limits(entry.tag, value)
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
        return self.bind(spec, (place.node,), default, known=known)

    def _remark(self, place: Place) -> values.Remark:
        return lambda text: self._report.fault(
            place.source, f'{place.label} is {place.text.strip()[:80]!r}: {text}')

    def _uri(self, place: Place, tag: Tag, fallback: Any) -> Resource | None:
        uri = place.text.strip()
        if not uri:
            return None
        return self.resource(uri, place.source, place.label, tag.stand_in)

    def resource(self, uri: str, source: Source, label: str, stand_in: str) -> Resource:
        """
        Return the file that `uri` names, with one warning where it is missing.

        :param stand_in: what replaces it.
        :raises ResourceError: where it is missing and nothing can replace it.
        """
        found = self._resources.find(uri, Path(source.file).parent)
        if found.path is None:
            message = f'{label} {uri!r} cannot be had: {found.reason}'
            if not stand_in:
                raise ResourceError(f'{source}: {message}')
            if uri not in self._told:
                self._told.add(uri)
                self._report.note(source, f'{message}; {stand_in} stands in')
        return found

    def _pose(self, place: Place, tag: Tag, fallback: Any) -> Pose:
        remark = self._remark(place)
        full = (len(values.numbers(place.text, lambda text: None, 3, 6)) == 6 if tag.content
                else place.name.endswith('3d'))
        if full:
            return values.pose3(place.text, remark)
        x, y, yaw = values.pose2(place.text, remark)
        pose: Pose = replace(fallback, x=x, y=y, yaw=yaw)
        return pose

    def _points(self, place: Place) -> list[Point]:
        assert place.node is not None
        corners = (Place('pt', '<pt>', node.text, node.source, node)
                   for node in place.node.children if node.tag == 'pt')
        return [self._read(corner, values.READERS['point2']) for corner in corners]

    def _polygon(self, place: Place, tag: Tag, fallback: Any) -> Polygon:
        points = self._points(place)
        hull = convex_hull(points, place.label, place.source)
        if _area(hull) - abs(_area(points)) > 1e-6 * _area(hull):
            self._report.note(place.source, f'{place.label} is not convex: its convex hull counts')
        return hull

    def _segments(self, place: Place, tag: Tag, fallback: Any) -> tuple[Point, ...]:
        points = self._points(place)
        if len(points) % 2 or not points:
            raise ValueError(
                f'it has {len(points)} points: each two <pt> are one segment, so give an even '
                'number of them')
        return tuple(points)

    def _check_names(self, node: Node, attributes: Set[str], children: Set[str]) -> None:
        """Report attributes and children of a node other than those that are known."""
        for name in node.attributes:
            if name not in attributes and not name.startswith(('xmlns', 'xml:', 'xsi:')):
                self._unknown(node, f'attribute {name}', name, attributes, node.source)
        for child in node.children:
            if child.tag not in children:
                self._unknown(node, f'<{child.tag}>', child.tag, children, child.source)

    def _unknown(self, node: Node, label: str, name: str, known: Set[str],
                 source: Source) -> None:
        self._report.fault(
            source, f'{label} is not known in {describe(node)} and is passed over'
            f'{did_you_mean(name, known)}')


def _misspelt(entry: Entry, layers: Layers, attributes: Set[str], children: Set[str]) -> str:
    """Return a hint at the first unknown name that is nearly one of the entry, or nothing."""
    found = [(name, f'attribute {name}', layer.source) for layer in layers
             for name in layer.attributes if name not in attributes]
    found += [(child.tag, f'<{child.tag}>', child.source) for layer in layers
              for child in layer.children if child.tag not in children]
    hints = (f'; there is {label} at {source}{did_you_mean(name, entry.names)}'
             for name, label, source in found if did_you_mean(name, entry.names))
    return next(hints, '')


def _keyframe_reader(place: Place) -> Callable[[str, values.Remark], Keyframe]:
    return values.keyframe3 if place.name.endswith('3d') else values.keyframe2


def _check_limits(tag: Tag, value: Any) -> None:
    """
    Check a value against the limits of its tag.

    :raises ValueError: where it is outside.
    """
    if tag.choices and value not in tag.choices:
        choices = ', '.join(choice for choice in tag.choices if choice)
        raise ValueError(f'possible are {choices}{did_you_mean(str(value), tag.choices)}')
    convert = math.radians if tag.kind in ('angle', 'rate') else float
    unit = f' {tag.unit}' if tag.unit else ''
    if tag.above is not None and value <= convert(tag.above):
        raise ValueError(f'it must be above {tag.above:g}{unit}')
    if tag.minimum is not None and value < convert(tag.minimum):
        raise ValueError(f'it must be at least {tag.minimum:g}{unit}')
    if tag.maximum is not None and value > convert(tag.maximum):
        raise ValueError(f'it must be at most {tag.maximum:g}{unit}')


def _area(points: Sequence[Point]) -> float:
    """Return the signed area of a polygon [m^2]."""
    shifted = [*points[1:], *points[:1]]
    return 0.5 * sum(ax * by - bx * ay
                     for (ax, ay), (bx, by) in zip(points, shifted, strict=True))
