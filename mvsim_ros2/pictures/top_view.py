# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Top view of a world as a picture, with paths and a scan of a robot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.base.files import replaced
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.canvas import (
    Bounds, Canvas, frame_picture, Label, LegendEntry, rgba, shade, ticks)
from mvsim_ros2.pictures.perspective import scan_ends
from mvsim_ros2.pictures.plan_symbols import (
    actor_outline, draw_actor, draw_blocks, draw_floors, draw_terrain, draw_vehicle, draw_walls,
    map_corners, solid_polygons, terrain_bounds, vehicle_outline)
from mvsim_ros2.scene.footprint import with_mesh_outlines
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.spec import VehicleSpec, WorldSpec

if TYPE_CHECKING:
    from PIL.Image import Image

PAGE = rgba('#f3f2ee')
GRID, GRID_STRONG = rgba('#2d3742', 0.07), rgba('#2d3742', 0.16)
TRUTH, BELIEF, SCAN = rgba('#1d5fd1'), rgba('#d6336c'), rgba('#00897b')
LONG_SIDE = 1280  # px of the longer side, where no scale is given
FINEST = 100.0  # px/m, where no scale is given
MARGIN, MARGIN_OF_A_ROBOT = 0.5, 3.0  # m around what is shown


@dataclass(frozen=True, eq=False)
class ScanView:
    """A planar scan in the world frame."""

    origin: NDArray[np.float64]  # of the sensor, shape (2,) [m]
    ends: NDArray[np.float64]  # of the rays, shape (rays, 2) [m]
    hit: NDArray[np.bool_]  # whether a ray has a return, shape (rays,)
    full_circle: bool


def scan_view(scan: LaserScan2D, sensor: Pose) -> ScanView:
    """
    Return a scan as points of the world.

    :param scan: observation; rays without a return end at its largest range.
    :param sensor: pose of the sensor in the world frame.
    """
    ends, hit = scan_ends(scan)
    level = Pose(sensor.x, sensor.y, yaw=sensor.yaw)
    seen = abs(scan.angle_increment) * (len(hit) + 0.5)
    return ScanView(level.position[:2], level.transform(ends)[:, :2], hit, bool(seen >= 2 * np.pi))


def draw_top_view(
    world: WorldSpec,
    *,
    poses: Mapping[str, Pose] | None = None,
    steering: Mapping[str, Sequence[float]] | None = None,
    path: ArrayLike | None = None,
    odometry_path: ArrayLike | None = None,
    scan: ScanView | None = None,
    pixels_per_metre: float | None = None,
    title: str = '',
) -> 'Image':
    """
    Draw a world from above, x to the right and y up: outlines of bodies, hill-shaded terrain.

    :param poses: of vehicles, blocks and actors by name; the initial ones for the others.
    :param steering: angle of each wheel by name of vehicle [rad]; the initial ones for the
        others.
    :param path: true positions of a robot in the world frame, shape (n, 2) [m].
    :param odometry_path: positions by odometry, in the world frame, shape (n, 2) [m].
    :param scan: one planar scan, see `scan_view`.
    :param pixels_per_metre: scale; None for 1280 pixels on the longer side.
    :param title: text above the picture.
    :raises RecordingError: where Pillow is missing or the picture would be too large.
    """
    world = with_mesh_outlines(world)
    at = dict(poses or {})
    tracks = [np.asarray(track, float).reshape(-1, 2)
              for track in (path, odometry_path) if track is not None]
    bounds = _bounds(world, at, tracks)
    longest = max(bounds[2] - bounds[0], bounds[3] - bounds[1])
    scale = pixels_per_metre or min(FINEST, LONG_SIDE / longest)
    canvas = Canvas(bounds, scale, PAGE)
    draw_terrain(canvas, world)
    draw_floors(canvas, world)
    _draw_grid(canvas)
    if scan is not None:
        _draw_scan_area(canvas, scan)
    vehicles = [(vehicle, at.get(vehicle.name, vehicle.init_pose)) for vehicle in world.vehicles]
    actors = [(actor, at.get(actor.name, actor.init_pose)) for actor in world.actors]
    canvas.shadows(
        [*solid_polygons(world, at), *(vehicle_outline(*each) for each in vehicles),
         *(actor_outline(*each) for each in actors)],
        0.07, 0.05, 0.32)
    draw_blocks(canvas, world.blocks, at)
    draw_walls(canvas, world)
    legend = []
    if scan is not None:
        legend.append(LegendEntry('last scan', SCAN, 'area'))
    if path is not None:
        canvas.line(tracks[0], TRUTH, 3.2)
        canvas.dots(tracks[0][:1], TRUTH, 6.0)
        canvas.dots(tracks[0][:1], rgba('#ffffff'), 3.0)
        legend.append(LegendEntry('path (ground truth)', TRUTH, 'line'))
    if odometry_path is not None:
        canvas.dashed(tracks[-1], BELIEF, 3.0, 12.0, 7.0)
        legend.append(LegendEntry('path (odometry)', BELIEF, 'dashed'))
    for vehicle, pose in vehicles:
        draw_vehicle(canvas, vehicle, pose, (steering or {}).get(vehicle.name))
    for actor, pose in actors:
        draw_actor(canvas, actor, pose)
    if scan is not None:  # last, above other robots
        canvas.dots(scan.ends[scan.hit], SCAN, 1.6)
    return frame_picture(canvas.finish(), bounds, scale, tuple(legend), _names(vehicles), title)


def save_picture(picture: 'Image', path: str | Path) -> None:
    """
    Write a picture; a missing folder is created.

    :raises RecordingError: where it cannot be written, or the extension is not known.
    """
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with replaced(path) as new:
            picture.save(new)
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the picture cannot be written: {error}') from error


def _names(vehicles: list[tuple[VehicleSpec, Pose]]) -> tuple[Label, ...]:
    """Return labels with the names of the vehicles, where there are several."""
    if len(vehicles) < 2:
        return ()
    labels = []
    for vehicle, pose in vehicles:
        outline = np.asarray(vehicle_outline(vehicle, pose))
        labels.append(Label(vehicle.name, pose.x, float(outline[:, 1].max()) + 0.12,
                            shade(rgba(vehicle.dynamics.chassis.color), 0.6)))
    return tuple(labels)


def _bounds(world: WorldSpec, at: Mapping[str, Pose],
            tracks: list[NDArray[np.float64]]) -> Bounds:
    """Return the bounds of all solids, else of terrain, robots with a margin, and paths."""
    boxes = [_box(polygon, MARGIN) for polygon in solid_polygons(world, at)]
    boxes += [_box(track, MARGIN) for track in tracks if len(track)]
    boxes += [_box(corners, MARGIN) for corners in map_corners(world)]
    boxes = boxes or terrain_bounds(world)
    margin = MARGIN if boxes else MARGIN_OF_A_ROBOT
    boxes += [_box(vehicle_outline(vehicle, at.get(vehicle.name, vehicle.init_pose)), margin)
              for vehicle in world.vehicles]
    boxes += [_box(actor_outline(actor, at.get(actor.name, actor.init_pose)), margin)
              for actor in world.actors]
    every = np.array(boxes or [(-5.0, -5.0, 5.0, 5.0)])
    (x_min, y_min), (x_max, y_max) = every[:, :2].min(axis=0), every[:, 2:].max(axis=0)
    return float(x_min), float(y_min), float(x_max), float(y_max)


def _box(points: ArrayLike, margin: float) -> Bounds:
    xy = np.asarray(points, float).reshape(-1, 2)
    low, high = xy.min(axis=0) - margin, xy.max(axis=0) + margin
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _draw_grid(canvas: Canvas) -> None:
    """Draw a line every metre, a darker one every five."""
    x_min, y_min, x_max, y_max = canvas.bounds
    steps = [(1.0, GRID), (5.0, GRID_STRONG)] if canvas.scale >= 12 else [(5.0, GRID_STRONG)]
    for step, colour in steps:
        for x in ticks(x_min, x_max, step):
            canvas.line([(x, y_min), (x, y_max)], colour, 0.8)
        for y in ticks(y_min, y_max, step):
            canvas.line([(x_min, y), (x_max, y)], colour, 0.8)


def _draw_scan_area(canvas: Canvas, scan: ScanView) -> None:
    area = scan.ends if scan.full_circle else np.vstack([scan.origin, scan.ends])
    canvas.polygon(area, rgba('#00a896', 0.20))


def top_view(simulation: Simulation) -> 'Image':
    """
    Return the present state of a simulation from above, as a Pillow image; x is to the right.

    :raises RecordingError: where Pillow is missing or the picture would be too large.

    >>> from mvsim_ros2 import Simulation, top_view, world_path
    >>> simulation = Simulation.from_file(world_path('empty'))
    >>> simulation.run(0.5)
    >>> top_view(simulation).mode
    'RGB'
    """
    things = [*simulation.vehicles.values(), *simulation.blocks.values(),
              *simulation.actors.values()]
    return draw_top_view(
        simulation.world, poses={thing.name: thing.pose for thing in things},
        steering={name: vehicle.wheels['steer'].tolist()
                  for name, vehicle in simulation.vehicles.items()},
        title=f'{Path(simulation.world.path).name}, {simulation.time:g} s')
