# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Construction of the scene of a world for three-dimensional sensors.

Meshes and textures are cached, so that rebuilding after changes of the world is cheap.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mvsim_ros2.base.registry import named
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.lamps import Lamps
from mvsim_ros2.scene.lighting import lighting_of
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.scene.scene_builder import Parts
from mvsim_ros2.scene.shapes.bodies import (
    add_actor, add_actor_outline, add_block, add_block_outline, add_element_outline,
    add_runtime_object, add_sensor, add_vehicle, add_vehicle_outline)
from mvsim_ros2.scene.shapes.walls import add_sheet, add_walls
from mvsim_ros2.scene.wind import Wind
from mvsim_ros2.world.spec import (
    BlockSpec, ElementSpec, Footprint, PlaneSpec, RuntimeObject, VehicleSpec, WorldSpec)
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.lights import groups_of
from mvsim_ros2.world.spec.solids import has_ground, moving_elements

_NO_FOOTPRINTS: Mapping[str, Footprint] = {}


def build_scene(world: WorldSpec, footprints: Mapping[str, Footprint] = _NO_FOOTPRINTS,
                vehicles: Sequence[VehicleSpec] | None = None,
                blocks: Sequence[BlockSpec] | None = None,
                states: MoverStates | None = None,
                around: Sequence[ElementSpec] = (),
                objects: Sequence[RuntimeObject] = (), outlines: bool = False) -> Scene:
    """
    Return the scene of all visible objects of a world.

    A world without ground elements has no ground, except for its occupancy maps.

    :param vehicles: present vehicles in the rows of the physics, as `blocks`; None for the
        vehicles of the world file.
    :param states: present poses; None for the initial poses of the world file.
    :param outlines: bodies are what planar LiDARs see of them, see `shapes.outline_bodies`; none
        of sensors.
    """
    vehicles = world.vehicles if vehicles is None else vehicles
    blocks = world.blocks if blocks is None else blocks
    parts = Parts()
    first_figure = len(vehicles) + len(blocks)
    first_element = first_figure + len(world.actors)
    body_of = {id(element): first_element + i for i, element in enumerate(_moving(world))}
    for element in (*world.elements, *around):
        record, body = ELEMENTS[type(element)], body_of.get(id(element), -1)
        if not outlines or not add_element_outline(parts, element, body):
            named(record.looks)(parts, element, body)
        if record.cells and not has_ground(world):
            add_sheet(parts, element.name, record.cells(element))
    add_walls(parts, world.walls)
    wheels = 0
    for row, vehicle in enumerate(vehicles):
        (add_vehicle_outline if outlines else add_vehicle)(
            parts, vehicle, row, wheels, footprints.get(vehicle.name))
        wheels += len(vehicle.dynamics.wheels)
    for row, block in enumerate(blocks):
        (add_block_outline if outlines else add_block)(
            parts, block, len(vehicles) + row, footprints.get(block.name))
    for row, actor in enumerate(world.actors):
        (add_actor_outline if outlines else add_actor)(parts, actor, first_figure + row)
    for sensor in () if outlines else world.sensors:
        add_sensor(parts, parts.thing(sensor.name, 'sensor'), sensor, sensor.name)
    for thing in objects:
        add_runtime_object(parts, thing)
    lamps = Lamps(world, vehicles, blocks)
    glows = any(map(groups_of, vehicles)) or any(map(groups_of, blocks))
    scene = parts.scene(lighting_of(world), lamps if len(lamps) or glows else None)
    scene.place(first_states(world, vehicles, blocks))
    if any(parts.sways) and any(world.air.wind):
        scene.blow(Wind(world.air.wind, scene, np.array(parts.sways)))
    scene.first = scene.transform.copy()
    if states is not None:
        scene.place(states)
    return scene


def _moving(world: WorldSpec) -> list[PlaneSpec]:
    """Return the elements that move, in the order of the rows of the physics."""
    return moving_elements(world, solid=True) + moving_elements(world, solid=False)


def first_states(world: WorldSpec, vehicles: Sequence[VehicleSpec],
                 blocks: Sequence[BlockSpec]) -> MoverStates:
    """Return the initial poses of the world file, with unsteered wheels."""
    wheels = [wheel for vehicle in vehicles for wheel in vehicle.dynamics.wheels]
    return MoverStates(
        _poses([vehicle.init_pose for vehicle in vehicles]),
        np.array([wheel.pos[2] for wheel in wheels], float), np.zeros(len(wheels)),
        _poses([block.init_pose for block in blocks]),
        _poses([actor.init_pose for actor in world.actors]
               + [element.init_pose for element in _moving(world)]))


def _poses(poses: Sequence[Pose]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([(p.x, p.y, p.z, p.yaw, p.pitch, p.roll) for p in poses]).reshape(-1, 6)
