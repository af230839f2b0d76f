# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Marks in the world: paths, forces, contacts, regions, odometry, GNSS fixes, planned paths."""

from collections import deque
from dataclasses import dataclass, field
import math
import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
import viser

from mvsim_ros2.errors import WindowError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.observations import GnssFix
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.nodes import change, Nodes, Places, RGB, show
from mvsim_ros2.window.frame import Frame, VehicleState
from mvsim_ros2.world.spec import GeoreferenceSpec, PropertyRegionSpec, VehicleSpec, WorldSpec
from mvsim_ros2.world.spec.solids import vehicle_footprint

_SPACING = 0.05  # m between two points of a path
_CHUNK = 120  # segments that are sent once they are complete
_CHUNKS = 25  # of a path, the oldest go
_PATH, _OUTLINE, _CURVE = 0.03, 0.04, 0.05  # m above the ground
_JUMP = 2.0  # m; farther steps are no motion: someone was put elsewhere
_LOAD_LENGTH = 0.5  # m of the arrow of all of the weight
TRUE: RGB = (29, 95, 209)
BELIEVED: RGB = (214, 51, 108)
PLANNED: RGB = (46, 160, 67)
GNSS: RGB = (245, 124, 0)
LOAD: RGB = (250, 176, 5)
GRIP: RGB = (250, 82, 82)
CONTACT: RGB = (224, 49, 49)
REGION: RGB = (51, 154, 240)
# of ghosts, in turn
_GHOSTS: tuple[RGB, ...] = (
    (230, 126, 34), (142, 68, 173), (22, 160, 133), (192, 57, 43), (127, 140, 141))

_KEPT = 300  # fixes of a receiver
_DOT = 0.05  # m
_SIDES = 32  # of the ring around a fix
_SIGMAS = 2.0  # radius of that ring, in standard deviations of the horizontal position
_STEP = 1e-3  # m, rad; smaller motions of an outline are not sent
_MOST = 5000  # points of a line; longer ones are thinned evenly


@dataclass(eq=False)
class _Path:
    """Where a vehicle was; of its parts only the last one changes."""

    nodes: Nodes  # of its parts, by number
    points: list[Array] = field(default_factory=list)  # of the last part
    number: int = 0  # of the last part


class Marks:
    """Draws what is not visible in the world itself."""

    def __init__(self, server: viser.ViserServer, world: WorldSpec, choices: Choices) -> None:
        self._server, self._scene, self._choices = server, server.scene, choices
        self._paths: dict[tuple[str, RGB], _Path] = {}
        self._arrows: dict[RGB, Any] = {}
        self._contacts = Nodes(server)
        self._regions = [self._region(i, element) for i, element in enumerate(world.elements)
                         if isinstance(element, PropertyRegionSpec)]
        self._time = -1.0

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        if frame.time < self._time:  # back to the start
            for path in self._paths.values():
                path.nodes.clear()
            self._paths.clear()
        self._time = frame.time
        for key in [key for key in self._paths if key[0] not in frame.vehicles]:
            self._paths.pop(key).nodes.clear()
        for name, vehicle in frame.vehicles.items():
            place = vehicle.pose.position + (0.0, 0.0, _PATH)
            self._extend((name, path_colour(vehicle.ghost)), place, self._choices.true_paths)
            if vehicle.believed is not None:
                x, y, yaw = vehicle.believed
                start = vehicle.spec.init_pose
                self._extend((name, BELIEVED), start.transform(np.array([x, y, _PATH])),
                             self._choices.believed_paths)
        self._draw_forces(frame)
        self._draw_contacts(frame)
        show(self._regions, self._choices.regions)

    def _extend(self, key: tuple[str, RGB], place: Array, wanted: bool) -> None:
        path = self._paths.setdefault(key, _Path(Nodes(self._server)))
        show(path.nodes.values(), wanted)
        if not path.points:
            path.points = [place]
            return
        step = float(np.linalg.norm(place - path.points[-1]))
        if step < _SPACING:
            return
        if step > _JUMP:
            _complete(path, place)
            return
        path.points.append(place)
        name = f'/paths/{key[0]}/{"believed" if key[1] == BELIEVED else "true"}/{path.number}'
        path.nodes.lines(path.number, name, _segments(path.points), key[1], 2.5, visible=wanted)
        if len(path.points) > _CHUNK:
            _complete(path, place)

    def _draw_forces(self, frame: Frame) -> None:
        arrows: dict[RGB, list[Array]] = {LOAD: [], GRIP: []}
        if self._choices.forces:
            for vehicle in frame.vehicles.values():
                _forces(vehicle, arrows)
        for colour, lines in arrows.items():
            node, points = self._arrows.get(colour), np.asarray(lines, np.float32)
            if node is not None:
                node.points = points if lines else node.points
                change(node, visible=bool(lines))
            elif lines:
                self._arrows[colour] = self._scene.add_arrows(
                    f'/forces/{"load" if colour == LOAD else "grip"}', points, colour,
                    shaft_radius=0.012, head_radius=0.03, head_length=0.06)

    def _draw_contacts(self, frame: Frame) -> None:
        places = [(x, y, vehicle.pose.z + 0.1) for vehicle in frame.vehicles.values()
                  for x, y in vehicle.contacts] if self._choices.contacts else []
        if places:
            self._contacts.dots(0, '/contacts', np.array(places, np.float32), CONTACT, 0.12)
        show(self._contacts.values(), bool(places))

    def _region(self, number: int, region: PropertyRegionSpec) -> Any:
        low, high = max(region.z_min, 0.0), min(region.z_max, 0.02)
        return self._scene.add_box(
            f'/regions/{number}', color=REGION, opacity=0.25, visible=False, cast_shadow=False,
            dimensions=(region.x_max - region.x_min, region.y_max - region.y_min,
                        max(0.01, high - low)),
            position=(0.5 * (region.x_min + region.x_max), 0.5 * (region.y_min + region.y_max),
                      0.5 * (low + max(low + 0.01, high))))


def _complete(path: _Path, place: Array) -> None:
    """Leave the last part of a path as it is, and begin another one at a place."""
    path.points = [place]
    path.number += 1
    while len(path.nodes) > _CHUNKS:
        path.nodes.forget(next(iter(path.nodes)))


def _segments(points: list[Array]) -> NDArray[np.float32]:
    line = np.asarray(points, np.float32)
    return np.stack([line[:-1], line[1:]], axis=1)


def _forces(vehicle: VehicleState, arrows: dict[RGB, list[Array]]) -> None:
    """Append the force of the ground on each wheel: its load, and what drives and steers."""
    wheels = vehicle.wheels
    if wheels is None or not len(wheels):
        return
    scale = _LOAD_LENGTH / max(1e-9, float(np.sum(wheels['normal_load'])))
    feet = np.stack([wheels['x'], wheels['y'], np.full(len(wheels), 0.01)], axis=1)
    loads = np.zeros_like(feet)
    loads[:, 2] = len(wheels) * scale * wheels['normal_load']
    grips = np.zeros_like(feet)
    grips[:, 0], grips[:, 1] = (len(wheels) * scale * wheels[axis]
                                for axis in ('force_x', 'force_y'))
    for colour, force in ((LOAD, loads), (GRIP, grips)):
        long = np.linalg.norm(force, axis=1) > 0.02
        ends = np.stack([feet[long], feet[long] + force[long]], axis=1)
        arrows[colour] += list(vehicle.pose.transform(ends))


def path_colour(ghost: int) -> RGB:
    """Return the colour of the path of a vehicle, of a ghost by its number."""
    return _GHOSTS[(ghost - 1) % len(_GHOSTS)] if ghost else TRUE


class Navigation:
    """Draws marks of odometry and of satellite receivers."""

    def __init__(self, server: viser.ViserServer, world: WorldSpec, choices: Choices) -> None:
        self._choices = choices
        # as the receivers, which warn of it
        self._earth = Georeference(world.georeference or GeoreferenceSpec(
            latitude=0.0, longitude=0.0))
        self._fixes: dict[str, deque[Array]] = {}
        self._dots, self._rings, self._outlines = Nodes(server), Nodes(server), Nodes(server)
        self._places = Places(_STEP)
        self._time = -1.0

    def draw(self, frame: Frame) -> None:
        """Show a frame."""
        if frame.time < self._time:
            self._forget()
        self._time = frame.time
        latest = {}
        for seen in frame.seen:
            fix = seen.observation
            if isinstance(fix, GnssFix) and math.isfinite(fix.latitude):
                latest[fix.sensor] = fix
        for sensor, fix in latest.items():
            self._add_fix(sensor, fix)
        for nodes in (self._dots, self._rings):
            show(nodes.values(), self._choices.gnss)
        for name in self._outlines.keys() - frame.vehicles.keys():
            self._outlines.forget(name)
            self._places.forget(name)
        for name, vehicle in frame.vehicles.items():
            self._place_outline(name, vehicle)
        show(self._outlines.values(), self._choices.believed_paths)

    def _add_fix(self, sensor: str, fix: GnssFix) -> None:
        place = self._earth.place(
            math.radians(fix.latitude), math.radians(fix.longitude), fix.altitude)
        fixes = self._fixes.setdefault(sensor, deque(maxlen=_KEPT))
        fixes.append(place)
        points = np.array(fixes, np.float32)
        ring = place + _ring(_SIGMAS * math.sqrt(max(0.0, 0.5 * float(
            fix.covariance[0, 0] + fix.covariance[1, 1]))))
        segments = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1).astype(np.float32)
        self._dots.dots(sensor, f'/gnss/{sensor}/fixes', points, GNSS, _DOT)
        self._rings.lines(sensor, f'/gnss/{sensor}/ring', segments, GNSS, 2.0)

    def _place_outline(self, name: str, vehicle: VehicleState) -> None:
        if vehicle.believed is None:
            return
        x, y, yaw = vehicle.believed
        if name not in self._outlines:
            self._outlines.lines(name, f'/odometry/{name}', _outline(vehicle.spec), BELIEVED, 2.5)
        self._places.put(name, self._outlines[name],
                         vehicle.spec.init_pose.compose(Pose(x, y, _OUTLINE, yaw)))

    def _forget(self) -> None:
        """Take all fixes away: time went back."""
        for each in (self._dots, self._rings, self._fixes):
            each.clear()


def _ring(radius: float) -> Array:
    """Return a circle on the ground, shape (n, 3) [m]."""
    turn = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    return radius * np.stack([np.cos(turn), np.sin(turn), np.zeros(_SIDES)], axis=1)


def _outline(spec: VehicleSpec) -> NDArray[np.float32]:
    """Return the outline of a vehicle on the ground and where it heads, shape (n, 2, 3) [m]."""
    corners = np.array([(x, y, 0.0) for x, y in vehicle_footprint(spec).polygon])
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    middle, front = corners.mean(axis=0), corners[:, 0].max()
    heading = np.array([[middle, (front, middle[1], 0.0)]])
    return np.concatenate([sides, heading]).astype(np.float32)


class Curves:
    """Draws lines by their names; any thread may set them."""

    def __init__(self, server: viser.ViserServer, choices: Choices) -> None:
        self._choices = choices
        self._lock = threading.Lock()
        self._new: dict[str, tuple[NDArray[np.float32], RGB]] = {}
        self._nodes = Nodes(server)

    def put(self, name: str, points: ArrayLike, colour: RGB = PLANNED) -> None:
        """
        Draw a line, in place of the one of that name; fewer than two points draw none.

        :param points: in the world frame, shape (n, 2) or (n, 3) [m].
        :param colour: red, green, blue, from 0 to 255.
        :raises WindowError: where they have another shape, or are not finite.
        """
        line = np.asarray(points, np.float32)
        if not line.size:
            line = np.zeros((0, 3), np.float32)
        if line.ndim != 2 or line.shape[1] not in (2, 3) or not np.isfinite(line).all():
            raise WindowError(
                f'the path {name!r} is not an array of finite points (n, 2) or (n, 3)')
        if line.shape[1] == 2:
            line = np.column_stack([line, np.full(len(line), _CURVE, np.float32)])
        if len(line) > _MOST:
            line = line[np.linspace(0, len(line) - 1, _MOST).astype(np.int64)]
        with self._lock:
            self._new[name] = line, colour

    def draw(self, _: Frame) -> None:
        """Show what was set since the last frame."""
        with self._lock:
            new, self._new = self._new, {}
        for name, (line, colour) in new.items():
            self._nodes.forget(name)
            if len(line) > 1:
                self._nodes.lines(
                    name, f'/curves/{name.strip("/") or "path"}',
                    np.stack([line[:-1], line[1:]], axis=1), colour, 3.5,
                    visible=self._choices.planned)
        show(self._nodes.values(), self._choices.planned)
