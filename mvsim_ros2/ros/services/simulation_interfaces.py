# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The services of `simulation_interfaces`, where that package is installed.

Both versions of the package are supported: services that a version lacks are left out, and
the list of features says which ones exist.
"""

from collections.abc import Callable
import importlib
import itertools
from typing import Any

from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.messages.names import graph_name
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.services.bounds import fill_bounds
from mvsim_ros2.ros.services.results import FAILED
from mvsim_ros2.ros.services.results import NOT_FOUND
from mvsim_ros2.ros.services.results import OK
from mvsim_ros2.ros.services.results import RequestError
from mvsim_ros2.ros.services.results import resource
from mvsim_ros2.ros.services.results import UNSUPPORTED
from mvsim_ros2.ros.services.time_control import offer_simulate_steps
from mvsim_ros2.ros.services.world_services import FEATURES as WORLD_FEATURES
from mvsim_ros2.ros.services.world_services import WorldServices
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.simulation import Simulation

# result numbers of single services
ALREADY_IN_TARGET_STATE, INCORRECT_TRANSITION = 101, 103
NAME_NOT_UNIQUE, NAME_INVALID, UNSUPPORTED_FORMAT, NO_RESOURCE = 101, 102, 103, 104
NAMESPACE_INVALID, INVALID_INITIAL_POSE, ENTITIES_SPAWN_FAILED = 105, 109, 150

# numbers of simulation_interfaces/msg/SimulationState
STOPPED, PLAYING, PAUSED, QUITTING = 0, 1, 2, 3
SPAWNED = 4
EVERYTHING = 1 | 2 | SPAWNED  # scopes of a reset: time, state, what was spawned
# service -> its features in SimulatorFeatures
FEATURES = {
    'GetSimulatorFeatures': (),
    'GetSimulationState': ('SIMULATION_STATE_GETTING',),
    'SetSimulationState': ('SIMULATION_STATE_SETTING', 'SIMULATION_STATE_PAUSE'),
    'StepSimulation': ('STEP_SIMULATION_SINGLE', 'STEP_SIMULATION_MULTIPLE'),
    'ResetSimulation': ('SIMULATION_RESET', 'SIMULATION_RESET_SPAWNED'),
    'GetEntities': ('ENTITY_CATEGORIES', 'ENTITY_BOUNDS_BOX'),
    'GetEntityInfo': ('ENTITY_INFO_GETTING',),
    'GetEntityState': ('ENTITY_STATE_GETTING',),
    'GetEntitiesStates': (),  # included in ENTITY_STATE_GETTING
    'SetEntityState': ('ENTITY_STATE_SETTING',),
    'GetEntityBounds': ('ENTITY_BOUNDS',),
    'GetSpawnables': ('SPAWNABLES',),
    'SpawnEntity': ('SPAWNING',),
    'SpawnEntities': ('SPAWNING_ENTITIES',),
    'DeleteEntity': ('DELETING',),
}


class StandardServices:
    """Responses to the requests of `simulation_interfaces`."""

    def __init__(self, loop: SimulationLoop, settings: Settings) -> None:
        """
        Prepare.

        :param settings: of the node; poses are in its `map_frame`; 'world' and '' mean the same.
        """
        self._loop = loop
        self._frames = settings.map_frame, 'world', ''
        self._worlds = WorldServices(loop, settings, self._world_was_loaded)
        self._stopped = False  # paused and reset, not only paused
        self.features: list[int] = []

    def offer(self, node: Node, queue: MainThreadQueue) -> bool:
        """Offer the services of the package; return False where it is not installed."""
        try:
            types: Any = importlib.import_module('simulation_interfaces.srv')
            known = importlib.import_module('simulation_interfaces.msg').SimulatorFeatures
        except ImportError:
            return False
        for name, features in (FEATURES | WORLD_FEATURES).items():
            if hasattr(types, name):
                snake = ''.join(f'_{c.lower()}' if c.isupper() else c for c in name)[1:]
                answer = (getattr(self._worlds, snake) if name in WORLD_FEATURES
                          else getattr(self, f'_{snake}'))
                node.create_service(getattr(types, name), snake, _service_callback(queue, answer))
                self.features += [getattr(known, feature) for feature in features]
        if offer_simulate_steps(node, self._loop, queue):
            self.features.append(known.STEP_SIMULATION_ACTION)
        return True

    def _world_was_loaded(self) -> None:
        self._stopped = True

    @property
    def _simulation(self) -> Simulation:
        return self._loop.context.simulation

    def _get_simulator_features(self, _: Any, response: Any) -> None:
        response.features.features = self.features
        response.features.custom_info = 'mvsim_ros2'

    @property
    def _state(self) -> int:
        if not self._loop.paused:
            return PLAYING
        is_at_start = self._simulation.steps == 1  # time may run by other services as well
        return STOPPED if self._stopped and is_at_start else PAUSED

    def _get_simulation_state(self, _: Any, response: Any) -> None:
        response.state.state = self._state

    def _set_simulation_state(self, request: Any, _: Any) -> None:
        target = request.state.state
        if target == self._state:
            raise RequestError(ALREADY_IN_TARGET_STATE, 'the simulation is in this state')
        if target not in (STOPPED, PLAYING, PAUSED, QUITTING):
            raise RequestError(INCORRECT_TRANSITION, f'there is no transition to state {target}')
        if target == PLAYING:
            self._loop.resume()
        else:
            self._loop.pause()
        if target == STOPPED:
            self._loop.reset()
        if target == QUITTING:
            self._loop.stop()
        self._stopped = target == STOPPED

    def _step_simulation(self, request: Any, _: Any) -> None:
        self._loop.step(request.steps)
        self._stopped = False

    def _reset_simulation(self, request: Any, _: Any) -> None:
        if request.scope == SPAWNED:
            simulation = self._simulation
            world = simulation.world
            first = {each.name for each in world.vehicles} | {each.name for each in world.blocks}
            for name in {*simulation.vehicles, *simulation.blocks} - first:
                simulation.remove(name)
            self._loop.update()
        elif request.scope and request.scope & EVERYTHING != EVERYTHING:
            raise RequestError(UNSUPPORTED, 'a reset is of everything, scope 0, or removes '
                               f'spawned entities, scope {SPAWNED}')
        else:
            self._loop.reset()

    def _get_entities(self, request: Any, response: Any) -> None:
        response.entities = entities.matching(self._simulation, request.filters)

    def _get_entity_info(self, request: Any, response: Any) -> None:
        _, response.info.category.category = entities.entity(self._simulation, request.entity)

    def _get_entity_state(self, request: Any, response: Any) -> None:
        entities.fill_state(response.state, self._simulation, request.entity, self._frames[0])

    def _get_entities_states(self, request: Any, response: Any) -> None:
        response.entities = entities.matching(self._simulation, request.filters)
        make = importlib.import_module('simulation_interfaces.msg').EntityState
        response.states = [make() for _ in response.entities]
        for name, state in zip(response.entities, response.states, strict=True):
            entities.fill_state(state, self._simulation, name, self._frames[0])

    def _set_entity_state(self, request: Any, _: Any) -> None:
        entities.set_state(self._simulation, request, self._frames)

    def _get_spawnables(self, request: Any, response: Any) -> None:
        make = importlib.import_module('simulation_interfaces.msg').Spawnable
        world = self._simulation.world
        for what, classes in (('vehicle', world.vehicle_classes),
                              ('block', world.block_classes)):
            for name in classes:
                each = make(description=f'{what} class of {world.path}')
                resource(each).uri = name
                response.spawnables.append(each)
        if request.sources:
            response.result.error_message = f'unknown sources: {", ".join(request.sources)}'

    def _spawn_entity(self, request: Any, response: Any) -> None:
        wanted, simulation = resource(request), self._simulation
        if not wanted.uri:
            code = UNSUPPORTED_FORMAT if wanted.resource_string else NO_RESOURCE
            raise RequestError(code, 'give the name of a class of the world as uri')
        is_vehicle = wanted.uri in simulation.world.vehicle_classes
        if not is_vehicle and wanted.uri not in simulation.world.block_classes:
            raise RequestError(NOT_FOUND, f'the world has no class {wanted.uri!r}')
        name = self._free_name(request, wanted.uri)
        if request.entity_namespace.strip('/') not in ('', graph_name(name)):
            raise RequestError(NAMESPACE_INVALID, 'the namespace of a vehicle is its name')
        try:
            pose = entities.read_pose(request.initial_pose.pose,
                                      request.initial_pose.header.frame_id, self._frames)
        except entities.InvalidPoseError as error:
            raise RequestError(INVALID_INITIAL_POSE, str(error)) from error
        if is_vehicle:
            self._loop.context.names.check([*simulation.vehicles, name])
            simulation.spawn_vehicle(name, wanted.uri, pose)
        else:
            simulation.spawn_block(name, wanted.uri, pose)
        self._loop.update()
        response.entity_name = name

    def _spawn_entities(self, request: Any, response: Any) -> None:
        make = importlib.import_module('simulation_interfaces.msg').SpawnResult
        failed = 0
        for each in request.spawn_requests:
            result = make()
            _respond(self._spawn_entity, each, result)
            failed += result.result.result != OK
            response.results.append(result)
        if failed:
            raise RequestError(ENTITIES_SPAWN_FAILED, f'{failed} of '
                               f'{len(request.spawn_requests)} could not be spawned')

    def _get_entity_bounds(self, request: Any, response: Any) -> None:
        handle, _ = entities.entity(self._simulation, request.entity)
        fill_bounds(response.bounds, handle)

    def _free_name(self, request: Any, class_name: str) -> str:
        """Return the name of a new entity, a numbered one where renaming is allowed."""
        taken = entities.entities(self._simulation)
        if request.name and request.name not in taken:
            return str(request.name)
        if not request.allow_renaming:
            code = NAME_NOT_UNIQUE if request.name else NAME_INVALID
            raise RequestError(code, f'the name {request.name!r} is taken or none')
        stem = request.name or class_name
        return next(name for number in itertools.count(1)
                    if (name := f'{stem}_{number}') not in taken)

    def _delete_entity(self, request: Any, _: Any) -> None:
        _, category = entities.entity(self._simulation, request.entity)
        if category == entities.HUMAN:
            raise RequestError(UNSUPPORTED, f'actor {request.entity!r} cannot be removed')
        self._simulation.remove(request.entity)
        self._loop.update()


def _service_callback(queue: MainThreadQueue, fill: Callable[[Any, Any], None],
                      ) -> Callable[[Any, Any], Any]:
    """Return a service callback that fills the response in the simulation loop."""
    def in_the_loop(request: Any, response: Any) -> None:
        queue.call(lambda: fill(request, response))

    def serve(request: Any, response: Any) -> Any:
        _respond(in_the_loop, request, response)
        return response
    return serve


def _respond(fill: Callable[[Any, Any], None], request: Any, response: Any) -> None:
    """Fill a response and its result, where it has one."""
    code, reason = OK, ''
    try:
        fill(request, response)
    except RequestError as error:
        code, reason = error.code, str(error)
    except MvsimError as error:
        code, reason = FAILED, str(error)
    if hasattr(response, 'result'):
        response.result.result = code
        response.result.error_message = reason or response.result.error_message
