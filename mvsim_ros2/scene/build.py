# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Construction of the scene of a world for three-dimensional sensors.

Meshes and textures are cached, so that rebuilding after changes of the world is cheap.
"""

from collections.abc import Mapping
from collections.abc import Sequence

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.lighting import lighting_of
from mvsim_ros2.scene.scene import MoverStates
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.scene.scene_builder import Parts
from mvsim_ros2.scene.shapes.bodies import add_actor
from mvsim_ros2.scene.shapes.bodies import add_block
from mvsim_ros2.scene.shapes.bodies import add_sensor
from mvsim_ros2.scene.shapes.bodies import add_vehicle
from mvsim_ros2.scene.shapes.ground import add_floor
from mvsim_ros2.scene.shapes.ground import add_points
from mvsim_ros2.scene.shapes.ground import add_terrain
from mvsim_ros2.scene.shapes.walls import add_occupancy
from mvsim_ros2.scene.shapes.walls import add_plane
from mvsim_ros2.scene.shapes.walls import add_walls
from mvsim_ros2.spec.block import BlockSpec
from mvsim_ros2.spec.common import Footprint
from mvsim_ros2.spec.element import ElementSpec
from mvsim_ros2.spec.element import ElevationMapSpec
from mvsim_ros2.spec.element import HorizontalPlaneSpec
from mvsim_ros2.spec.element import OccupancyGridSpec
from mvsim_ros2.spec.element import PlaneSpec
from mvsim_ros2.spec.element import PointCloudSpec
from mvsim_ros2.spec.element import VerticalPlaneSpec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.spec.world import WorldSpec

_NO_FOOTPRINTS: Mapping[str, Footprint] = {}


def build_scene(world: WorldSpec, footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS,
                vehicles: Sequence[VehicleSpec] | None = None,
                blocks: Sequence[BlockSpec] | None = None,
                states: MoverStates | None = None,
                around: Sequence[ElementSpec] = ()) -> Scene:
    """
    Return the scene of all visible objects of a world.

    A world without ground elements has no ground, except for its occupancy maps.

    :param footprints: outlines of meshes by name of vehicle or block, as
        `footprint.world_footprints` gives them.
    :param vehicles: present vehicles in the rows of the physics, as `blocks`; None for those of
        the world file.
    :param states: present poses; None for the initial poses of the world file.
    :param around: elements around the world that are only seen.
    :raises WorldFileError: where an outline is not possible.
    """
    vehicles = world.vehicles if vehicles is None else vehicles
    blocks = world.blocks if blocks is None else blocks
    parts = Parts()
    planes = animated_planes(world)
    first_figure = len(vehicles) + len(blocks)
    body_of = {id(plane): first_figure + len(world.actors) + i for i, plane in enumerate(planes)}
    for element in (*world.elements, *around):
        if isinstance(element, PlaneSpec):
            body = body_of.get(id(element), -1)
            floor = isinstance(element, HorizontalPlaneSpec)
            thing = parts.thing(f'element {element.name}', 'ground' if floor else 'wall', body,
                                body >= 0, reflectivity=element.reflectivity)
            if isinstance(element, HorizontalPlaneSpec):
                add_floor(parts, thing, element)
            elif isinstance(element, VerticalPlaneSpec):
                add_plane(parts, thing, element)
        elif isinstance(element, ElevationMapSpec):
            add_terrain(parts, element)
        elif isinstance(element, OccupancyGridSpec):
            add_occupancy(parts, element, not has_ground(world))
        elif isinstance(element, PointCloudSpec):
            add_points(parts, element)
    add_walls(parts, world.walls)
    wheels = 0
    for row, vehicle in enumerate(vehicles):
        add_vehicle(parts, vehicle, row, wheels, footprints.get(vehicle.name))
        wheels += len(vehicle.dynamics.wheels)
    for row, block in enumerate(blocks):
        add_block(parts, block, len(vehicles) + row, footprints.get(block.name))
    for row, actor in enumerate(world.actors):
        add_actor(parts, actor, first_figure + row)
    for sensor in world.sensors:
        add_sensor(parts, parts.thing(sensor.name, 'sensor'), sensor, sensor.name)
    scene = parts.scene(lighting_of(world))
    scene.place(first_states(world, vehicles, blocks) if states is None else states)
    return scene


def has_ground(world: WorldSpec) -> bool:
    """Return whether a world has ground elements."""
    return any(isinstance(element, (ElevationMapSpec, HorizontalPlaneSpec))
               for element in world.elements)


def animated_planes(world: WorldSpec) -> list[PlaneSpec]:
    """Return the moving planes: vertical ones, then horizontal ones."""
    return [element for kind in (VerticalPlaneSpec, HorizontalPlaneSpec)
            for element in world.elements
            if isinstance(element, kind) and element.animation is not None]


def first_states(world: WorldSpec, vehicles: Sequence[VehicleSpec],
                 blocks: Sequence[BlockSpec]) -> MoverStates:
    """Return the initial poses of the world file, with unsteered wheels."""
    wheels = [wheel for vehicle in vehicles for wheel in vehicle.dynamics.wheels]
    return MoverStates(
        _poses([vehicle.init_pose for vehicle in vehicles]),
        np.array([wheel.pos[2] for wheel in wheels], float), np.zeros(len(wheels)),
        _poses([block.init_pose for block in blocks]),
        _poses([actor.init_pose for actor in world.actors]
               + [plane.init_pose for plane in animated_planes(world)]))


def _poses(poses: Sequence[Pose]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([(p.x, p.y, p.z, p.yaw, p.pitch, p.roll) for p in poses]).reshape(-1, 6)
