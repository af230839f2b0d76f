# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What every solid has to keep: elements of all registered kinds, walls, and blocks of all shapes.

Kinds that installed packages add are here as well: this file is to pass with any of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
import math
from typing import Any

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.canvas import Canvas
from mvsim_ros2.pictures.plan_symbols import draw_blocks, draw_floors, draw_walls
from mvsim_ros2.scene.shapes.geometry_meshes import ROUND
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.spec import (
    AnimationSpec, BlockSpec, ChassisSpec, Differential4Spec, Element, ElementSpec,
    ElevationMapSpec, GeometrySpec, HeightMap, Keyframe, LaserSpec, Lidar3dSpec, OccupancyGridSpec,
    OccupancyMap, PlaneSpec, RgbdCameraSpec, StaticOutline, TwistPidController, VehicleSpec,
    WallsSpec, WheelSpec, WorldSpec)
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.outlines import placed, SHAPES
from mvsim_ros2.world.spec.solids import block_footprint, pieces_of, solids, wall_pieces

# m; sensors measure with single precision, and a depth buffer of 24 bits from 2 cm on is exact
# to 3e-6 m at 1 m: a millimetre is far more than either, and less than any skin or cell
SAME = 1e-3
# m; two skins, of 1 cm at most each, and the tolerance of the engine of 5 mm lie between bodies
NEAR = 0.03
FRONT, EYE, WIDTH = 0.3, 0.35, 0.4  # m; front of the cart, place of its sensors, its width
WAY = 1.0  # m from the front of the cart to the solid
PLAIN = (250, 250, 250, 255)  # colour of a canvas
STANDING_STILL = AnimationSpec(keys=(Keyframe(0.0, Pose()), Keyframe(10.0, Pose())))


@dataclass(frozen=True)
class Face:
    """The middle of a side of a solid, where nothing is in front of it."""

    x: float
    y: float
    normal: float  # bearing [rad]
    zmin: float
    zmax: float
    # m; how far before it a round thing begins for sensors, whose body is a polygon
    bulge: float = 0.0

    @property
    def z(self) -> float:
        """Return a height at which the solid is."""
        return 0.5 if math.isinf(self.zmax) else 0.5 * (self.zmin + self.zmax)

    def before(self, distance: float) -> Pose:
        """Return a pose from which one looks at it from a distance [m]."""
        return Pose(self.x + distance * math.cos(self.normal),
                    self.y + distance * math.sin(self.normal), yaw=self.normal + math.pi)


def sides(polygon: Any) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Yield middle, outward normal and length of the sides of a polygon."""
    corners = np.asarray(polygon, float)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        yield (start + end) / 2, np.array([end[1] - start[1], start[0] - end[0]]) / length, length


def is_free(middle: np.ndarray, normal: np.ndarray, pieces: tuple[StaticOutline, ...]) -> bool:
    """Return whether the cart can come up to a side without meeting another piece."""
    way = middle + np.outer(np.linspace(0.02, WAY + 1.0, 50), normal)
    return all(max((point - start) @ outwards for start, outwards, _ in sides(piece.polygon)) > 0
               for piece in pieces for point in way)


def face_of(pieces: tuple[StaticOutline, ...]) -> Face:
    """Return the longest side that the cart can come up to."""
    length, x, y, normal, piece = max((
        (length, *middle, math.atan2(normal[1], normal[0]), piece)
        for piece in pieces for middle, normal, length in sides(piece.polygon)
        if is_free(middle, normal, pieces)), key=lambda each: each[0])
    return Face(x, y, normal, piece.zmin, piece.zmax)


def wall_of_cells() -> OccupancyGridSpec:
    """Return a map with one straight wall."""
    values = np.zeros((20, 30), np.int8)
    values[3:17, 10:12] = 100
    return OccupancyGridSpec('it', occupancy=OccupancyMap(values, 0.1, 1.0, -1.0))


# of kinds whose solid or ground is in a file
EXAMPLES: dict[type[ElementSpec], ElementSpec] = {
    OccupancyGridSpec: wall_of_cells(),
    ElevationMapSpec: ElevationMapSpec('it', heights=HeightMap(
        np.zeros((5, 5)), 2.0, -4.0, -4.0))}


def example(record: Element) -> ElementSpec:
    """Return an element of a kind, made of its defaults."""
    return EXAMPLES.get(record.spec) or record.spec('it')


def block(**options: Any) -> tuple[WorldSpec, Face]:
    """Return a world with a static block, and the highest of its sides."""
    spec = BlockSpec('it', static=True, skip_elevation_adjust=True,
                     init_pose=Pose(3.0, 1.0, 0.6, 0.4), **options)
    footprint = block_footprint(spec)
    geometry = spec.geometry or GeometrySpec('box')
    profile = SHAPES[geometry.kind].profile

    def height(middle: np.ndarray) -> float:
        return profile.height(geometry, middle[profile.axis]) if profile else 1.0
    best = max(sides(footprint.polygon), key=lambda side: height(side[0]))[0]
    (x, y), (nx, ny) = next((middle, normal) for middle, normal, _ in sides(
        placed(footprint.polygon, spec.init_pose))
        if np.allclose(middle, placed((tuple(best),), spec.init_pose)))
    bulge = geometry.radius * (1 - math.cos(math.pi / 8)) if geometry.kind in ROUND else 0.0
    return WorldSpec(blocks=(spec,)), Face(
        x, y, math.atan2(ny, nx), 0.6 + footprint.zmin, 0.6 + footprint.zmax, bulge)


def cases() -> Iterator[Any]:
    """Yield a world with a solid and a face of that for every kind."""
    for record in ELEMENTS:
        if record.is_solid:
            element, kind = example(record), record.spec.XML_CLASS
            face = face_of(pieces_of(element))
            yield pytest.param(WorldSpec(elements=(element,)), face, id=kind)
            if isinstance(element, PlaneSpec):
                moving = replace(element, animation=STANDING_STILL)
                yield pytest.param(WorldSpec(elements=(moving,)), face, id=f'moving {kind}')
    walls = WorldSpec(walls=(WallsSpec(shape=((2.0, -1.0), (2.0, 3.0))),))
    yield pytest.param(walls, face_of(wall_pieces(walls)), id='walls')
    yield pytest.param(*block(), id='block')
    for kind in SHAPES:
        geometry = GeometrySpec(kind, radius=0.5, length=1.0, lx=1.0, ly=1.0, lz=1.0,
                                vertex_count=8)
        yield pytest.param(*block(geometry=geometry, shape_from_visual=True), id=f'block, {kind}')


SOLIDS = pytest.mark.parametrize('world, face', list(cases()))


def cart(face: Face) -> VehicleSpec:
    """Return a vehicle that looks at a face and is as high as its middle."""
    wheels = {name: WheelSpec((x, y, 0.0), mass=1.0, width=0.05, diameter=0.2)
              for name, x, y in (('lr_wheel', -0.2, 0.2), ('rr_wheel', -0.2, -0.2),
                                 ('lf_wheel', 0.2, 0.2), ('rf_wheel', 0.2, -0.2))}
    half, pose, exact = 0.5 * WIDTH, Pose(EYE, 0.0, face.z), {'range_std_noise': 0.0}
    return VehicleSpec(
        'cart', init_pose=face.before(FRONT + WAY), dynamics=Differential4Spec(
            **wheels, controller=TwistPidController(KP=4.0, KI=3.0, max_torque=20.0),
            chassis=ChassisSpec(
                mass=15.0, zmin=0.05, zmax=max(0.1, face.z + 0.02), shape=(
                    (-FRONT, -half), (FRONT, -half), (FRONT, half), (-FRONT, half)))),
        sensors=(
            LaserSpec('planar', pose=pose, nrays=3, fov=0.02, angle_std_noise=0.0, **exact),
            LaserSpec('tilted', pose=pose, nrays=3, fov=0.02, angle_std_noise=0.0,
                      raytrace_3d=True, **exact),
            Lidar3dSpec('lidar', pose=pose, vert_nrays=1, vertical_ray_angles=(0.0,),
                        horz_nrays=4, rolling=False, ignore_parent_body=True, **exact),
            RgbdCameraSpec(
                'camera', pose=pose, sense_rgb=False, depth_ncols=3, depth_nrows=3, depth_cx=1.0,
                depth_cy=1.0, depth_noise_sigma=0.0, depth_encoding='32FC1',
                depth_clip_min=0.02)))


def distances(simulation: Simulation) -> dict[str, float]:
    """Return how far it is ahead by each sensor [m]; infinite where there is nothing."""
    ahead = {name: float(simulation.measure(f'cart/{name}').ranges[1])
             for name in ('planar', 'tilted')}
    points = simulation.measure('cart/lidar').points
    ahead['lidar'] = min((float(point['x']) for point in points
                          if point['x'] > 0 and abs(point['y']) < SAME), default=math.inf)
    depth = float(simulation.measure('cart/camera').depth.depth[1, 1])
    ahead['camera'] = depth if depth > 0 else math.inf
    return ahead


def driven(world: WorldSpec, face: Face, mode: str) -> tuple[float, bool]:
    """Return how far the cart came, towards the face [m], and whether it ever touched."""
    simulation = Simulation(replace(world, vehicles=(cart(face),)), physics=mode, sensors=False)
    vehicle, touched = simulation.vehicles['cart'], False
    start = vehicle.pose
    vehicle.set_twist(0.5, 0.0)
    for _ in range(45):
        simulation.run(0.1)
        touched |= vehicle.collided
    way = vehicle.pose.position - start.position
    return float(way @ (math.cos(start.yaw), math.sin(start.yaw), 0.0)), touched


@pytest.mark.parametrize('mode', [pytest.param(mode, id=mode) for mode in ('mvsim', 'physical')])
@SOLIDS
def test_it_stops_a_body(world: WorldSpec, face: Face, mode: str) -> None:
    way, touched = driven(world, face, mode)
    assert WAY - NEAR < way < WAY and touched


@SOLIDS
def test_all_sensors_meet_it_at_the_same_place(world: WorldSpec, face: Face) -> None:
    simulation = Simulation(replace(world, vehicles=(cart(face),)))
    assert distances(simulation) == pytest.approx(dict.fromkeys(
        ('planar', 'tilted', 'lidar', 'camera'), FRONT + WAY - EYE - face.bulge), abs=SAME)


@SOLIDS
def test_it_is_in_the_floor_plan_unless_it_moves(world: WorldSpec, face: Face) -> None:
    plan = Simulation(world).floor_plan(face.z, 0.02)
    rows, columns = np.nonzero(plan.solid)
    x, y = (start + 0.02 * (at + 0.5) for start, at in ((plan.x_min, columns), (plan.y_min, rows)))
    moves = any(getattr(element, 'animation', None) for element in world.elements)
    seen = face.before(face.bulge)
    nearest = np.hypot(x - seen.x, y - seen.y).min(initial=math.inf)
    assert math.isinf(nearest) if moves else nearest < 0.02


@SOLIDS
def test_it_is_drawn_from_above(world: WorldSpec, face: Face) -> None:
    canvas = Canvas((face.x - 0.1, face.y - 0.1, face.x + 0.1, face.y + 0.1), 1000.0, PLAIN)
    draw_floors(canvas, world)
    draw_blocks(canvas, world.blocks, {})
    draw_walls(canvas, world)
    pixels = np.asarray(canvas.finish())
    within, without = (
        tuple(pixels[int(row), int(column)]) for column, row in (
            canvas.pixel(place.x, place.y) for place in (face.before(-0.005), face.before(0.02))))
    assert within != without


@pytest.mark.parametrize('record', [
    pytest.param(record, id=record.spec.XML_CLASS) for record in ELEMENTS if not record.is_solid])
def test_what_is_not_solid_stops_nothing(record: Element) -> None:
    world = WorldSpec(elements=(example(record),))
    assert solids(world) == ()
    face = Face(2.0, 0.0, math.pi, 0.0, 1.0)
    way, touched = driven(world, face, 'physical')
    assert way > WAY + 0.5 and not touched
    ahead = distances(Simulation(replace(world, vehicles=(cart(face),))))
    assert ahead['planar'] == math.inf
