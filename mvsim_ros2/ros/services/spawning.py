# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The services of `simulation_interfaces` by which entities come and go."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
import itertools
import os
from pathlib import Path
from typing import Any

from mvsim_ros2.errors import MvsimError, ResourceError, WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.names import graph_name
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.services.answers import (
    INCORRECT_STATE, NOT_FOUND, OK, RequestError, resource, respond, UNSUPPORTED)
from mvsim_ros2.ros.services.entities import EntityInfos
from mvsim_ros2.ros.services.world_services import local_file
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.file.urdf_import.description.document import text_of_file
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

# service -> its features in SimulatorFeatures
FEATURES = {
    'GetSpawnables': ('SPAWNABLES',),
    'SpawnEntity': ('SPAWNING', 'SPAWNING_RESOURCE_STRING'),
    'SpawnEntities': ('SPAWNING_ENTITIES',),
    'DeleteEntity': ('DELETING',),
}
FORMATS = ['mvsim_xml', 'urdf', 'sdf']
# numbers of these services
NAME_NOT_UNIQUE, NAME_INVALID, UNSUPPORTED_FORMAT, NO_RESOURCE, NAMESPACE_INVALID = (
    101, 102, 103, 104, 105)
PARSE_ERROR, MISSING_ASSETS, INVALID_INITIAL_POSE, ENTITIES_SPAWN_FAILED = 106, 107, 109, 150

Thing = VehicleSpec | BlockSpec | ElementSpec


@dataclass(frozen=True)
class Wanted:
    """The entities that a request spawns."""

    things: tuple[Thing, ...]
    own_pose: bool  # without an initial pose it has that of its file


class SpawnServices:
    """Responses to requests that add and remove entities."""

    def __init__(self, loop: SimulationLoop, settings: Settings, frames: Iterable[str],
                 infos: EntityInfos, delete_shown: Callable[[str], bool]) -> None:
        self._delete_shown = delete_shown
        self._loop, self._settings, self._infos = loop, settings, infos
        self._frames = tuple(frames)

    def get_spawnables(self, request: Any, response: Any) -> None:
        """List the classes of the world."""
        world = self._loop.simulation.world
        for what, classes in (('vehicle', world.vehicle_classes), ('block', world.block_classes)):
            for name in classes:
                each = TYPES.simulation_interfaces.Spawnable(
                    description=f'{what} class of {world.path}')
                resource(each).uri = name
                response.spawnables.append(each)
        if request.sources:
            response.result.error_message = f'unknown sources: {", ".join(request.sources)}'

    def read(self, request: Any) -> Wanted | MvsimError:
        """
        Return what a request to spawn an entity is about, or what is wrong with it.

        It can take long, and is for the thread of the service: simulated time goes on.
        """
        try:
            return self._wanted(resource(request))
        except MvsimError as error:
            return error

    def read_all(self, request: Any) -> list[Wanted | MvsimError]:
        """Return the same of each part of a request to spawn several."""
        return [self.read(each) for each in request.spawn_requests]

    def spawn_entity(self, request: Any, response: Any, wanted: Wanted | MvsimError) -> None:
        """Add an entity, or all entities of a file or text; all of them or none."""
        if isinstance(wanted, MvsimError):
            raise wanted
        if not self._loop.context.loaded:
            raise RequestError(INCORRECT_STATE, 'no world is loaded: load one by LoadWorld')
        things = self._placed(self._named(wanted, request), wanted, request)
        for each in things:
            if isinstance(each, VehicleSpec) and request.entity_namespace.strip('/') not in (
                    '', graph_name(each.name)):
                raise RequestError(NAMESPACE_INVALID, 'the namespace of a vehicle is its name')
        self._loop.context.names.check([
            *self._loop.simulation.vehicles,
            *(each.name for each in things if isinstance(each, VehicleSpec))])
        come: list[str] = []
        try:
            for each in things:
                self._add(each)
                come.append(each.name)
            self._loop.update()
        except MvsimError:
            for name in come:
                self._remove(name)
            self._loop.update()
            raise
        response.entity_name = ','.join(come)

    def spawn_entities(self, request: Any, response: Any, read: list[Wanted | MvsimError]) -> None:
        """Add several entities; each can fail for itself."""
        failed = 0
        for each, wanted in zip(request.spawn_requests, read, strict=True):
            result = TYPES.simulation_interfaces.SpawnResult()
            respond(self.spawn_entity, each, result, wanted)
            failed += result.result.result != OK
            response.results.append(result)
        if failed:
            raise RequestError(ENTITIES_SPAWN_FAILED, f'{failed} of '
                               f'{len(request.spawn_requests)} could not be spawned')

    def delete_entity(self, request: Any, _: Any) -> None:
        """Remove an entity, with its topics, or an object that is only shown."""
        if request.entity not in entities.entities(self._loop.simulation) and (
                self._delete_shown(request.entity)):
            return
        _, category = entities.entity(self._loop.simulation, request.entity)
        if category == entities.HUMAN:
            raise RequestError(UNSUPPORTED, f'actor {request.entity!r} cannot be removed')
        self._remove(request.entity)
        self._infos.forget(request.entity)
        self._loop.update()

    def remove_spawned(self) -> None:
        """Remove what was not in the world file."""
        simulation, world = self._loop.simulation, self._loop.simulation.world
        there: tuple[Thing, ...] = (*world.vehicles, *world.blocks, *world.elements)
        first = {each.name for each in there}
        for name in entities.entities(simulation).keys() - first - simulation.actors.keys():
            self._remove(name)
            self._infos.forget(name)
        self._loop.update()

    def _remove(self, name: str) -> None:
        simulation = self._loop.simulation
        if name in simulation.vehicles or name in simulation.blocks:
            simulation.remove(name)
        else:
            simulation.remove_element(name)

    def _add(self, thing: Thing) -> None:
        if isinstance(thing, VehicleSpec):
            self._loop.simulation.spawn_vehicle(thing.name, thing, thing.init_pose)
        elif isinstance(thing, BlockSpec):
            self._loop.simulation.spawn_block(thing.name, thing, thing.init_pose)
        else:
            self._loop.simulation.add_element(thing)

    def _wanted(self, given: Any) -> Wanted:
        """Return what the resource of a request holds: a class, a file, or a text."""
        world = self._loop.simulation.world
        known: dict[str, Thing] = {**world.block_classes, **world.vehicle_classes}
        if given.uri in known:
            return Wanted((known[given.uri],), False)
        if not given.uri and not given.resource_string:
            raise RequestError(NO_RESOURCE, 'give a class of the world or a file as uri, or '
                               'its text as resource_string')
        name = str(Path(world.path).parent / 'resource_string')
        text = given.resource_string
        if given.uri:
            path = local_file(given.uri, Path(world.path).parent)
            if path is None or not os.path.isfile(path):  # of a name of any length
                raise RequestError(NOT_FOUND, f'the world has no class {given.uri!r}, and there '
                                   'is no such file on this machine')
            name = str(path)
        try:
            if given.uri:
                text = text_of_file(name, self._settings.allow_xacro)
            part = load_world_text(text, name, strict=self._settings.strict,
                                   seed=self._settings.seed, offline=self._settings.offline,
                                   allow_shell=self._settings.allow_shell,
                                   allow_xacro=self._settings.allow_xacro,
                                   optional={'init_pose'})  # the request has one
        except ResourceError as error:
            raise RequestError(MISSING_ASSETS, str(error)) from error
        except WorldFileError as error:
            raise RequestError(PARSE_ERROR, str(error)) from error
        return Wanted(_things_in(part), True)

    def _named(self, wanted: Wanted, request: Any) -> list[Thing]:
        """Return what is to be spawned under free names, numbered ones where that is allowed."""
        if request.name and len(wanted.things) > 1:
            raise RequestError(NAME_INVALID, f'one name, {request.name!r}, for '
                               f'{len(wanted.things)} entities: leave it empty')
        taken, named = set(entities.entities(self._loop.simulation)), []
        for thing in wanted.things:
            requested = request.name or thing.name
            name = requested
            if not name or name in taken:
                if not request.allow_renaming:
                    code = NAME_NOT_UNIQUE if name else NAME_INVALID
                    raise RequestError(code, f'the name {name!r} is empty or taken')
                stem = requested or getattr(thing, 'class_name', '')
                name = next(each for number in itertools.count(1)
                            if (each := f'{stem}_{number}') not in taken)
            taken.add(name)
            named.append(replace(thing, name=name))
        return named

    def _placed(self, things: list[Thing], wanted: Wanted, request: Any) -> list[Thing]:
        """Return what is to be spawned where it shall be."""
        given = request.initial_pose
        try:
            pose = entities.read_pose(given.pose, given.header.frame_id, self._frames)
        except entities.InvalidPoseError as error:
            raise RequestError(INVALID_INITIAL_POSE, str(error)) from error
        if wanted.own_pose and pose == Pose():
            return things
        if len(things) > 1:
            raise RequestError(INVALID_INITIAL_POSE, f'one pose for {len(things)} entities: '
                               'leave it out')
        if isinstance(things[0], ElementSpec):
            raise RequestError(INVALID_INITIAL_POSE, f'element {things[0].name!r} is where its '
                               'tags say: leave the pose out')
        return [replace(things[0], init_pose=pose)]


def _things_in(world: WorldSpec) -> tuple[Thing, ...]:
    """Return what can be spawned of a world."""
    for what in ('walls', 'sensors', 'actors', 'joints', 'markers', 'named_poses'):
        if getattr(world, what):
            raise RequestError(UNSUPPORTED_FORMAT, f'{getattr(world, what)[0].source}: {what} '
                               'cannot come at run time, but vehicles, blocks and elements')
    things: tuple[Thing, ...] = (*world.elements, *world.blocks, *world.vehicles)
    if not things:
        raise RequestError(UNSUPPORTED_FORMAT, 'it has no vehicle, no block and no element')
    return things
