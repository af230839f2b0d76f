# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Binding of the expanded elements of a world file to a `WorldSpec`."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
import re
from typing import Any, cast

from mvsim_ros2.base.registry import named
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.at_start import doubts_at_start
from mvsim_ros2.world.file.binding.bind import Binder
from mvsim_ros2.world.file.binding.tags import collections
from mvsim_ros2.world.file.document.control_flow import AutoNames
from mvsim_ros2.world.file.document.tree import ExpandedWorld, Item, Node
from mvsim_ros2.world.file.report import did_you_mean, Report
from mvsim_ros2.world.file.resources.resources import Resources
from mvsim_ros2.world.file.resources.wall_mesh import with_segments
from mvsim_ros2.world.spec import (
    ActorSpec, BlockSpec, ElementSpec, GeoreferenceSpec, ReadOnlyMapping, SensorSpec, Source,
    VehicleSpec, WorldSpec)
from mvsim_ros2.world.spec.elements import ELEMENTS

_CLASSES: Mapping[str, type[Any]] = {
    'vehicle:class': VehicleSpec, 'block:class': BlockSpec, 'actor:class': ActorSpec}
_TOPIC_NAME = re.compile('[A-Za-z][A-Za-z0-9_]*')


def bind_world(expanded: ExpandedWorld, report: Report, resources: Resources,
               seed: int = 0, optional: Set[str] = frozenset()) -> WorldSpec:
    """Return the world that an expanded file describes."""
    held = collections()
    binder = Binder(report, resources, {expanded.root.tag: {*held, *_CLASSES}}, expanded.path)
    things: dict[str, list[Any]] = {field: [] for _, field in held.values()}
    classes: dict[str, dict[str, Any]] = {tag: {} for tag in _CLASSES}
    scalars: list[Node] = []
    for item in expanded.items:
        if item.tag in held:
            specs, field = held[item.tag]
            things[field].append(_bind_item(binder, specs, item, optional))
        elif item.tag in _CLASSES:
            template = _bind_class(binder, item)
            if template is not None:
                classes[item.tag][template.class_name] = template
        else:
            scalars.append(item.layers[0])
    named = _name_all(report, things)
    root = replace(expanded.root, children=scalars)
    world: WorldSpec = binder.bind(WorldSpec, (root,), given={
        **{field: tuple(specs) for field, specs in named.items()},
        'path': expanded.path,
        'seed': seed,
        'variables': ReadOnlyMapping(expanded.variables),
        'vehicle_classes': ReadOnlyMapping(classes['vehicle:class']),
        'block_classes': ReadOnlyMapping(classes['block:class']),
    })
    world = replace(world, elements=tuple(
        _on_earth(element, world.georeference) for element in world.elements))
    _check_references(report, world)
    for source, doubt in doubts_at_start(world) if not optional else ():  # else places come later
        report.warn(source, doubt)
    return replace(world, warnings=report.warnings)


def _bind_item(binder: Binder, specs: tuple[type[Any], ...], item: Item,
               optional: Set[str]) -> Any:
    bound = binder.bind(binder.choose(specs, item.layers[0]), item.layers,
                        constant=item.constant, optional=optional)
    if item.tag == 'walls':
        return with_segments(bound)
    read = ELEMENTS[type(bound)].read if item.tag == 'element' else ''
    return named(read)(bound, binder.resource) if read else bound


def _on_earth(element: ElementSpec, reference: GeoreferenceSpec | None) -> ElementSpec:
    """Return an element where its corners on the Earth say, if it has some."""
    if not getattr(element, 'geo_corner_sw', ()):
        return element
    if reference is None:
        raise WorldFileError(f'{element.source}: geo_corner_sw needs a <georeference> of the '
                             'world, which says where its origin lies')
    place: Any = named('mvsim_ros2.sensors.navigation.georeference:placed')
    return cast(ElementSpec, place(element, reference))


def _bind_class(binder: Binder, item: Item) -> Any:
    """Return the template of a class, or None for a vehicle class without dynamics."""
    node = item.layers[0]
    name = node.attributes.get('name', '').strip()
    if not name:
        raise WorldFileError(f'{node.source}: <{node.tag}> needs a name')
    template = binder.bind(
        _CLASSES[item.tag], item.layers, template=True, given={'name': '', 'class_name': name})
    drives = any(layer.child('dynamics') for layer in item.layers)
    return template if drives or item.tag != 'vehicle:class' else None


def _name_all(report: Report, things: dict[str, list[Any]]) -> dict[str, Sequence[Any]]:
    vehicles, actors, blocks = things['vehicles'], things['actors'], things['blocks']
    bodies = NameSpace(report, [*vehicles, *actors, *blocks])
    elements = NameSpace(report, things['elements'])
    standing = NameSpace(report, things['sensors'])
    named: dict[str, Sequence[Any]] = {
        **things,
        'vehicles': [
            _with_named_sensors(report, bodies.give(vehicle, 'veh', unique=True))
            for vehicle in vehicles],
        'actors': [bodies.give(actor, 'actor', unique=True) for actor in actors],
        'blocks': [bodies.give(block, 'block') for block in blocks],
        'elements': [elements.give(element, _class_of(element)) for element in things['elements']],
        'sensors': [standing.give(sensor, _class_of(sensor)) for sensor in things['sensors']],
    }
    _warn_of_topic_names(report, 'vehicle', named['vehicles'])
    _warn_of_topic_names(report, 'sensor', [
        *named['sensors'], *(s for vehicle in named['vehicles'] for s in vehicle.sensors)])
    return named


def _with_named_sensors(report: Report, vehicle: VehicleSpec) -> VehicleSpec:
    if not vehicle.sensors:
        return vehicle
    names = NameSpace(report, vehicle.sensors)
    return replace(vehicle, sensors=tuple(
        names.give(sensor, _class_of(sensor)) for sensor in vehicle.sensors))


def _class_of(spec: ElementSpec | SensorSpec) -> str:
    return spec.XML_CLASS


def _check_references(report: Report, world: WorldSpec) -> None:
    """Check references by name within a world."""
    vehicles = {vehicle.name for vehicle in world.vehicles}
    bodies = vehicles | {block.name for block in world.blocks}
    for joint in world.joints:
        for body in (joint.body_a, joint.body_b):
            if body not in bodies:
                raise WorldFileError(f'{joint.source}: the joint names {body!r}, which is not a '
                                     f'vehicle or block{did_you_mean(body, bodies)}')
    places: dict[str, Any] = {}
    for place in world.named_poses:
        if places.setdefault(place.name, place) is not place:
            raise WorldFileError(f'{place.source}: the name {place.name!r} is taken at '
                                 f'{places[place.name].source}: give another name')
    for element in world.elements:
        focus = getattr(element, 'floating_focus', '')
        if focus and focus not in vehicles:
            report.warn(element.source, f'<floating_focus> names {focus!r}, which is not a '
                        f'vehicle{did_you_mean(focus, vehicles)}')
    for vehicle in world.vehicles:
        parts = {visual.name for visual in vehicle.visuals}
        for wheel in vehicle.dynamics.wheels:
            if wheel.linked_yaw and wheel.linked_yaw not in parts:
                report.warn(wheel.source, f'linked_yaw names {wheel.linked_yaw!r}, which is not a '
                            f'<visual> of the vehicle{did_you_mean(wheel.linked_yaw, parts)}')
        for sensor in vehicle.sensors:
            if world.simul_timestep > sensor.sensor_period:
                report.warn(sensor.source, f'the period of sensor {sensor.name!r}, '
                            f'{sensor.sensor_period:g} s, is shorter than a physics step of '
                            f'{world.simul_timestep:g} s')


class NameSpace:
    """Unique names, such as of all bodies of a world or all sensors of a vehicle."""

    def __init__(self, report: Report, specs: Iterable[Any]) -> None:
        """Reserve the names of the file, which automatic ones must not use."""
        self._report = report
        self._names = AutoNames(spec.name for spec in specs)
        self._owners: dict[str, Source] = {}

    def give(self, spec: Any, kind: str, unique: bool = False) -> Any:
        """Return the spec with a unique name."""
        name: str = spec.name
        chosen = name or self._names.give('', kind)
        if chosen in self._owners:
            if unique:
                raise WorldFileError(
                    f'{spec.source}: the name {name!r} is taken at {self._owners[name]}: '
                    'give another name')
            chosen = self._names.give('', f'{name}_')
            self._report.warn(
                spec.source, f'the name {name!r} is taken at {self._owners[name]}: '
                f'this one is renamed to {chosen!r}')
        self._owners[chosen] = spec.source
        return spec if chosen == name else replace(spec, name=chosen)


def _warn_of_topic_names(report: Report, kind: str, specs: Iterable[Any]) -> None:
    """Warn of names that are not valid in topics."""
    for spec in specs:
        if kind == 'sensor' and '/' in spec.name:
            raise WorldFileError(
                f'{spec.source}: the sensor is called {spec.name!r}: the part before a / is the '
                f'name of the vehicle: write {spec.name.replace("/", "_")!r}')
        if not _TOPIC_NAME.fullmatch(spec.name):
            report.warn(spec.source, f'the {kind} is called {spec.name!r}: only letters, digits '
                        'and _, with a letter first, can be part of a topic')
