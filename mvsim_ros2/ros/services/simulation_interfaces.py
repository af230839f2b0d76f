# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The services of `simulation_interfaces`, where that package is installed.

Both versions of the package are supported: services that a version lacks are left out, and
the list of features says which ones exist.
"""

from collections.abc import Callable
from functools import partial
import importlib
import operator
from typing import Any

from rclpy.node import Node

from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.ros.services import entities
from mvsim_ros2.ros.services.answers import (
    offer_service, RequestError, respond, UNSUPPORTED)
from mvsim_ros2.ros.services.bounds import fill_bounds
from mvsim_ros2.ros.services.control import offer_simulate_steps
from mvsim_ros2.ros.services.entities import EntityInfos
from mvsim_ros2.ros.services.spawning import FEATURES as SPAWN_FEATURES, FORMATS, SpawnServices
from mvsim_ros2.ros.services.world_services import FEATURES as WORLD_FEATURES, WorldServices
from mvsim_ros2.ros.simulation_loop import SimulationLoop

# result numbers of single services
ALREADY_IN_TARGET_STATE, INCORRECT_TRANSITION = 101, 103

# numbers of simulation_interfaces/msg/SimulationState
STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING_WORLD = range(6)
SPAWNED = 4
EVERYTHING = 1 | 2 | SPAWNED  # scopes of a reset: time, state, what was spawned
# service -> its features in SimulatorFeatures
FEATURES = {
    'GetSimulatorFeatures': (),
    'GetSimulationState': ('SIMULATION_STATE_GETTING',),
    'SetSimulationState': ('SIMULATION_STATE_SETTING', 'SIMULATION_STATE_PAUSE'),
    'StepSimulation': ('STEP_SIMULATION_SINGLE', 'STEP_SIMULATION_MULTIPLE'),
    'ResetSimulation': ('SIMULATION_RESET', 'SIMULATION_RESET_SPAWNED'),
    'GetEntities': ('ENTITY_CATEGORIES', 'ENTITY_BOUNDS_BOX', 'ENTITY_BOUNDS_CONVEX',
                    'ENTITY_TAGS'),
    'GetEntityInfo': ('ENTITY_INFO_GETTING',),
    'SetEntityInfo': ('ENTITY_INFO_SETTING',),
    'GetEntityState': ('ENTITY_STATE_GETTING',),
    'GetEntitiesStates': (),  # included in ENTITY_STATE_GETTING
    'SetEntityState': ('ENTITY_STATE_SETTING',),
    'GetEntityBounds': ('ENTITY_BOUNDS',),
}


class StandardServices:
    """Responses to the requests of `simulation_interfaces`."""

    def __init__(self, loop: SimulationLoop, settings: Settings,
                 delete_shown: Callable[[str], bool]) -> None:
        self._loop = loop
        self._frames = settings.map_frame, 'world', ''
        self._infos = EntityInfos()
        self._worlds = WorldServices(loop, settings, self._world_was_loaded)
        self._spawning = SpawnServices(
            loop, settings, self._frames, self._infos, delete_shown)
        self._stopped = False  # paused and reset, not only paused
        self.features: list[int] = []

    def offer(self, node: Node, queue: MainThreadQueue) -> bool:
        """Offer the services of the package; return False where it is not installed."""
        try:
            types: Any = importlib.import_module('simulation_interfaces.srv')
        except ImportError:
            return False
        known = TYPES.simulation_interfaces.SimulatorFeatures
        read = {'SpawnEntity': self._spawning.read, 'SpawnEntities': self._spawning.read_all}
        post: dict[str, Any] = {'StepSimulation': queue.post_in_turn, **dict.fromkeys(
            ('GetSimulatorFeatures', 'GetSimulationState'), operator.call)}  # at once
        services = [(name, holder, features)
                    for holder, offered in ((self, FEATURES), (self._spawning, SPAWN_FEATURES),
                                            (self._worlds, WORLD_FEATURES))
                    for name, features in offered.items() if hasattr(types, name)]
        if offer_simulate_steps(node, self._loop, queue):
            self.features.append(known.STEP_SIMULATION_ACTION)
        self.features += [getattr(known, feature)
                          for _, _, features in services for feature in features]
        for name, holder, _ in services:  # now that the features are complete
            snake = ''.join(f'_{c.lower()}' if c.isupper() else c for c in name)[1:]
            answer = getattr(holder, f'_{snake}' if holder is self else snake)
            offer_service(node, getattr(types, name), snake, partial(respond, answer),
                          post.get(name, queue.post), read.get(name))
        return True

    def _world_was_loaded(self) -> None:
        self._stopped = True
        self._infos.forget()

    def _get_simulator_features(self, _: Any, response: Any) -> None:
        response.features.features = self.features
        response.features.spawn_formats = FORMATS
        response.features.custom_info = 'mvsim_ros2'

    @property
    def _state(self) -> int:
        if self._loop.loads:
            return LOADING_WORLD
        if not self._loop.context.loaded:
            return NO_WORLD
        if not self._loop.paused:
            return PLAYING
        is_at_start = self._loop.simulation.steps == 1  # time may run by other services as well
        return STOPPED if self._stopped and is_at_start else PAUSED

    def _get_simulation_state(self, _: Any, response: Any) -> None:
        response.state.state = self._state

    def _set_simulation_state(self, request: Any, _: Any) -> None:
        target = request.state.state
        if target == self._state and not self._loop.stepping:  # a pause ends the steps
            raise RequestError(ALREADY_IN_TARGET_STATE, 'the simulation is in this state')
        if target not in (STOPPED, PLAYING, PAUSED, QUITTING) or (
                self._state == NO_WORLD and target != QUITTING):
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
            self._spawning.remove_spawned()
        elif request.scope and request.scope & EVERYTHING != EVERYTHING:
            raise RequestError(UNSUPPORTED, 'scope must be 0 (reset everything) or '
                               f'{SPAWNED} (remove spawned entities)')
        else:
            self._loop.reset()

    def _get_entities(self, request: Any, response: Any) -> None:
        response.entities = entities.matching(
            self._loop.simulation, request.filters, self._infos)

    def _get_entity_info(self, request: Any, response: Any) -> None:
        info = self._infos.of(
            request.entity, *entities.entity(self._loop.simulation, request.entity))
        response.info.category.category = info.category
        response.info.description, response.info.tags = info.description, list(info.tags)

    def _set_entity_info(self, request: Any, _: Any) -> None:
        entities.entity(self._loop.simulation, request.entity)
        self._infos.change(request.entity, request.info)

    def _get_entity_state(self, request: Any, response: Any) -> None:
        entities.fill_state(response.state, self._loop.simulation, request.entity, self._frames[0],
                            self._loop.stamp_ns)

    def _get_entities_states(self, request: Any, response: Any) -> None:
        response.entities = entities.matching(
            self._loop.simulation, request.filters, self._infos)
        for name in response.entities:
            state = TYPES.simulation_interfaces.EntityState()
            entities.fill_state(
                state, self._loop.simulation, name, self._frames[0], self._loop.stamp_ns)
            response.states.append(state)

    def _set_entity_state(self, request: Any, _: Any) -> None:
        entities.set_state(self._loop.simulation, request, self._frames)

    def _get_entity_bounds(self, request: Any, response: Any) -> None:
        handle, _ = entities.entity(self._loop.simulation, request.entity)
        fill_bounds(response.bounds, handle)
