# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a picture in three dimensions is taken from."""

import numpy as np
from numpy.typing import ArrayLike

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.frames import Array
from mvsim_ros2.pictures.plan_symbols import map_corners, solid_polygons, vehicle_outline
from mvsim_ros2.pictures.sight import hidden_sides, Sight
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.simulation import Simulation

Place = tuple[float, float, float]

FIELD_OF_VIEW = np.radians(50.0)  # from the left to the right border
# of the eye, seen from what it sees, the first ones by preference [rad]
_AZIMUTHS = tuple(np.radians([-62.0, -118.0, -28.0, -152.0, 62.0, 118.0, 28.0, 152.0]).tolist())
_ELEVATIONS = tuple(np.radians([50.0, 60.0, 70.0]).tolist())
_FLAW, _STEEPER = 0.01, 0.04  # what each place by which a direction is less preferred costs
_NEARBY, _CLOSE = 3.2, 0.8  # lengths of the largest robot around it, and around several
_LEAST = 0.5  # m, at least that
_HEIGHT = 2.0  # m above the ground that is to be seen, less around small robots
_ROOM = 0.6  # m around what is to be seen
_SAMPLES = 9  # places on the floor along each side of what is to be seen
_CORNERS = 4  # of a robot that are looked for, besides its middle


def camera(eye: Place, at: Place, width: int, height: int) -> CameraView:
    """
    Return a camera at `eye` that looks at `at`, upright.

    :raises RecordingError: where the two are the same place.
    """
    position, target = np.asarray(eye, float), np.asarray(at, float)
    away = target - position
    distance = float(np.linalg.norm(away))
    if not 1e-6 < distance < 1e7:
        raise RecordingError(f'a camera at {eye} cannot look at {at}: give two different places')
    forward = away / distance
    right = np.cross(forward, (0.0, 0.0, 1.0))
    if np.linalg.norm(right) < 1e-6:  # straight down or up: the top of the picture is +y
        right = np.array([1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2] = right, np.cross(forward, right), forward
    pose[:3, 3] = position
    focal = 0.5 * width / np.tan(0.5 * FIELD_OF_VIEW)
    return CameraView(pose, width, height, focal, focal, 0.5 * (width - 1), 0.5 * (height - 1),
                      near=0.02 * min(distance, 5.0))


def projected(view: CameraView, points: ArrayLike) -> tuple[Array, Array]:
    """
    Return where points of the world are in a picture.

    :param points: shape (n, 3) [m].
    :returns: column and row, shape (n, 2) [px], and depth, shape (n,) [m]. Points behind the
        camera have a depth of 0 or less and no valid pixel.
    """
    local = (np.asarray(points, float) - view.pose[:3, 3]) @ view.pose[:3, :3]
    depth = local[:, 2]
    safe = np.where(depth > 0, depth, 1.0)
    return np.stack([view.fx * local[:, 0] / safe + view.cx,
                     view.fy * local[:, 1] / safe + view.cy], axis=1), depth


def automatic_view(simulation: Simulation, width: int, height: int,
                   eye: Place | None = None, at: Place | None = None) -> CameraView:
    """
    Return a camera that sees the surroundings of the robots, or a world without any.

    Of several directions it takes the one that shows all robots, and most of the places where they
    may go. Walls hide fewer of these from higher up.

    :param eye: where it is, None to choose.
    :param at: where it looks at, None to choose.
    """
    low, high = _extent(simulation)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                        for z in (low[2], high[2])])
    if eye is not None or at is not None:
        target = np.asarray(at or 0.5 * (low + high), float)
        distance = float(np.linalg.norm(corners - target, axis=1).max()) / np.tan(
            0.5 * FIELD_OF_VIEW)
        towards = _direction(_AZIMUTHS[0], _ELEVATIONS[0])
        return camera(eye or _place(target + distance * towards), _place(target), width, height)
    worth = _Worth(simulation, low, high)
    best, most = None, -np.inf
    for steeper, elevation in enumerate(_ELEVATIONS):
        for flaw, azimuth in enumerate(_AZIMUTHS):
            view = _fitted(corners, _direction(azimuth, elevation), width, height)
            value = worth.of(view.pose[:3, 3]) - _FLAW * flaw - _STEEPER * steeper
            if value > most:
                best, most = view, value
    assert best is not None
    return best


def _direction(azimuth: float, elevation: float) -> Array:
    """Return the unit vector towards an eye."""
    level = np.cos(elevation)
    return np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])


def _fitted(corners: Array, towards: Array, width: int, height: int) -> CameraView:
    """Return the nearest camera in a direction that has all corners of a box in its picture."""
    low, high = 0, 1
    while not _holds(_backed_off(corners, towards, width, height, high), corners):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _holds(_backed_off(corners, towards, width, height, middle), corners):
            high = middle
        else:
            low = middle
    return _backed_off(corners, towards, width, height, high)


def _backed_off(corners: Array, towards: Array, width: int, height: int,
                steps: int) -> CameraView:
    """Return a camera that is away by steps of a twentieth, and aims at a box."""
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    distance = float(1.05 ** steps)
    view = camera(_place(middle + distance * towards), _place(middle), width, height)
    for _ in range(3):  # aim at the middle of what is seen
        pixels, _ = projected(view, corners)
        aside = 0.5 * (pixels.min(axis=0) + pixels.max(axis=0)) - (view.cx, view.cy)
        view.pose[:3, 3] += distance * view.pose[:3, :2] @ (aside / view.fx)
    return view


def _holds(view: CameraView, corners: Array) -> bool:
    """Return whether all corners of a box are in the picture."""
    pixels, depth = projected(view, corners)
    size = (view.width, view.height)
    return bool((depth > 0).all() and (pixels > 0).all() and (pixels < size).all())


class _Worth:
    """How much of what matters an eye sees."""

    def __init__(self, simulation: Simulation, low: Array, high: Array) -> None:
        """Take in where the robots are, and where they may go in a box that is to be seen."""
        scene = simulation.scene()
        self._sight = Sight(scene, hidden_sides(simulation.world))
        thing = {name: number for number, name in enumerate(scene.thing_names)}
        robots: list[tuple[float, float, float]] = []
        owners: list[int] = []
        for name, vehicle in simulation.vehicles.items():
            outline = np.asarray(vehicle_outline(vehicle.spec, vehicle.pose))
            top = vehicle.pose.z + vehicle.footprint.zmax
            robots += [(x, y, top) for x, y in [outline.mean(axis=0), *outline[:_CORNERS]]]
            owners += [thing[name]] * (len(robots) - len(owners))
        self._robots = np.array(robots, float).reshape(-1, 3)
        self._owners = np.array(owners, np.int64)
        height = float(self._robots[:, 2].mean()) if robots else low[2]
        x, y = (np.linspace(low[i], high[i], _SAMPLES + 2)[1:-1] for i in (0, 1))
        self._floor = np.array([(a, b, height) for a in x for b in y])

    def of(self, eye: Array) -> float:
        """Return the visible shares of the robots and of the floor."""
        floor = self._sight.clear(eye, self._floor, np.zeros(len(self._floor), np.int64))
        if not len(self._robots):
            return float(floor.mean())
        robots = self._sight.clear(eye, self._robots, self._owners)
        return float(robots.mean() + floor.mean())


def _place(point: Array) -> Place:
    x, y, z = point.tolist()
    return x, y, z


def _extent(simulation: Simulation) -> tuple[Array, Array]:
    """Return the corners of the box that is to be seen [m]."""
    world = simulation.world
    vehicles = [(simulation.vehicles[name].spec, simulation.vehicles[name].pose)
                for name in simulation.vehicles]
    blocks = {name: handle.pose for name, handle in simulation.blocks.items()}
    near = [np.asarray(vehicle_outline(*each)) for each in vehicles]
    every = near + [np.asarray(polygon) for polygon in solid_polygons(world, blocks)]
    every += map_corners(world)
    points = np.concatenate(every or [np.array([[-5.0, -5.0], [5.0, 5.0]])])
    low, high = points.min(axis=0) - _ROOM, points.max(axis=0) + _ROOM
    tall = _HEIGHT
    if near:
        robots = np.concatenate(near)
        length = max(float(np.ptp(each, axis=0).max()) for each in near)
        around = max(_LEAST, (_NEARBY if len(near) == 1 else _CLOSE) * length)
        tall = min(tall, around)
        low = np.maximum(low, robots.min(axis=0) - around)
        high = np.minimum(high, robots.max(axis=0) + around)
    ground = float(np.median([pose.z for _, pose in vehicles] or [0.0]))
    return np.append(low, ground), np.append(high, ground + tall)
