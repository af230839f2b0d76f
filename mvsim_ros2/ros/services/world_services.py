# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The services of `simulation_interfaces` about worlds and their named poses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from geometry_msgs.msg import Vector3

from mvsim_ros2.base.package_files import share_directory, world_path, WORLD_SUFFIX
from mvsim_ros2.errors import MvsimError, ResourceError
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.ros.services.answers import FAILED, NOT_FOUND, RequestError, resource, UNSUPPORTED
from mvsim_ros2.ros.services.bounds import BOX
from mvsim_ros2.ros.services.entities import passes
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_context import empty_context, load_world_context, text_context

# service -> its features in SimulatorFeatures
FEATURES = {
    'GetAvailableWorlds': ('AVAILABLE_WORLDS',),
    'GetCurrentWorld': ('WORLD_INFO_GETTING',),
    'LoadWorld': ('WORLD_LOADING', 'WORLD_RESOURCE_STRING'),
    'UnloadWorld': ('WORLD_UNLOADING',),
    'GetNamedPoses': ('NAMED_POSES',),
    'GetNamedPoseBounds': ('POSE_BOUNDS',),
}
# numbers of LoadWorld
NO_WORLD_LOADED = 101  # of UnloadWorld
UNSUPPORTED_FORMAT, NO_RESOURCE, PARSE_ERROR, MISSING_ASSETS, UNSUPPORTED_ELEMENTS = (
    101, 102, 103, 104, 106)


class WorldServices:
    """Responses to requests about worlds."""

    def __init__(
            self, loop: SimulationLoop, settings: Settings, loaded: Callable[[], None]) -> None:
        self._loop, self._settings, self._loaded = loop, settings, loaded

    def get_available_worlds(self, request: Any, response: Any) -> None:
        """List the worlds of this package and of further folders."""
        if request.filter.tags:
            raise RequestError(UNSUPPORTED, 'worlds have no tags')
        folders = [share_directory() / 'worlds']
        for source in request.additional_sources:
            folder = _local(source)
            try:
                if folder is None or not folder.is_dir():
                    raise FileNotFoundError(f'{source!r} is no folder')
                folders.append(folder)
            except OSError as error:
                if not request.continue_on_error:
                    raise RequestError(FAILED, str(error)) from error
        response.worlds = [_described(path) for folder in folders
                           for path in sorted(folder.glob(f'*{WORLD_SUFFIX}'))]

    def get_current_world(self, _: Any, response: Any) -> None:
        """Describe the present world."""
        self._need_world(FAILED)
        response.world = _described(Path(self._loop.simulation.world.path))

    def load_world(self, request: Any, response: Any) -> None:
        """Replace the world by another one, paused at its start."""
        wanted: Any = resource(request)
        if not wanted.uri and not wanted.resource_string:
            raise RequestError(NO_RESOURCE, 'give the path of a world file, or the name of a '
                               'world of this package, as uri, or its text as resource_string')
        path = self._path_of(wanted.uri) if wanted.uri else None
        strict = self._settings.strict or request.fail_on_unsupported_element
        settings = replace(self._settings, strict=strict)
        try:
            with self._loop.loading():
                self._loop.set_context(
                    text_context(settings, wanted.resource_string, 'resource_string')
                    if path is None else load_world_context(settings, str(path)))
                self._loop.pause()
        except ResourceError as error:
            raise RequestError(MISSING_ASSETS, str(error)) from error
        except MvsimError as error:
            raise RequestError(UNSUPPORTED_ELEMENTS if strict else PARSE_ERROR,
                               str(error)) from error
        self._loaded()
        self.get_current_world(request, response)

    def unload_world(self, _: Any, __: Any) -> None:
        """Remove the world; the simulation stands until another one is loaded."""
        self._need_world(NO_WORLD_LOADED)
        self._loop.pause()
        self._loop.set_context(empty_context(self._settings))
        self._loaded()

    def get_named_poses(self, request: Any, response: Any) -> None:
        """List those that pass the filter."""
        for each in self._loop.simulation.world.named_poses:
            if passes(request.tags, each.tags):
                message = TYPES.simulation_interfaces.NamedPose(
                    name=each.name, description=each.description, tags=list(each.tags))
                state_messages.fill_pose(message.pose, each.pose)
                response.poses.append(message)

    def get_named_pose_bounds(self, request: Any, response: Any) -> None:
        """Give the free box around one in its frame, empty bounds where none is known."""
        places = {each.name: each for each in self._loop.simulation.world.named_poses}
        if request.name not in places:
            raise RequestError(NOT_FOUND, f'there is no named pose {request.name!r}, but '
                               f'{", ".join(places) or "none at all"}')
        x, y, z = places[request.name].size
        if z:
            response.bounds.type = BOX
            response.bounds.points = [Vector3(x=0.5 * x, y=0.5 * y, z=z),
                                      Vector3(x=-0.5 * x, y=-0.5 * y, z=0.0)]

    def _need_world(self, code: int) -> None:
        if not self._loop.context.loaded:
            raise RequestError(code, 'no world is loaded: load one by LoadWorld')

    def _path_of(self, uri: str) -> Path:
        name = _local(uri)
        if name is None:
            raise RequestError(UNSUPPORTED_FORMAT, f'{uri!r} is no file of this machine')
        try:
            return world_path(str(name))
        except (OSError, ResourceError) as error:
            raise RequestError(NOT_FOUND, str(error)) from error


def _local(uri: str) -> Path | None:
    """Return the path of a URI, None where it is not on this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme == 'file':
        return Path(unquote(parts.path))
    return None if '://' in uri else Path(uri)


def local_file(uri: str, folder: Path) -> Path | None:
    """Return the file of a URI, None where it is not on this machine."""
    if uri.startswith('package://'):
        package, _, rest = uri.removeprefix('package://').partition('/')
        try:
            return share_directory(package) / rest
        except ResourceError:
            return None
    path = _local(uri)
    try:
        return path if path is None else folder / path.expanduser()
    except (OSError, RuntimeError):
        return None


def _described(path: Path) -> Any:
    """Return the WorldResource of a world file."""
    world = TYPES.simulation_interfaces.WorldResource(name=path.name.removesuffix(WORLD_SUFFIX))
    world.world_resource.uri = str(path)
    return world
