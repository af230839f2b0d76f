# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The solid objects of a world that no force moves, as all parts of the simulator see them."""

from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.elements.plane import PlaneSpec
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.shapes.outlines import StaticOutline
from mvsim_ros2.world.spec.walls import wall_outlines
from mvsim_ros2.world.spec.world import WorldSpec


def solids(world: WorldSpec, cells: bool = True) -> tuple[StaticOutline, ...]:
    """
    Return the pieces of all solid static objects of a world: of its elements, then walls.

    :param cells: with elements whose solid parts are the cells of a map.
    :raises PluginError: where an element has no record.
    """
    pieces = [piece for element in world.elements if not is_moving(element)
              for piece in pieces_of(element, cells)]
    return (*pieces, *wall_pieces(world))


def wall_pieces(world: WorldSpec) -> tuple[StaticOutline, ...]:
    """Return the walls of all groups, numbered through."""
    pieces: list[StaticOutline] = []
    for group in world.walls:
        pieces += wall_outlines(group, len(pieces) + 1)
    return tuple(pieces)


def pieces_of(element: ElementSpec, cells: bool = True) -> tuple[StaticOutline, ...]:
    """
    Return the pieces of an element where it stands, or starts.

    :param cells: also where they are the cells of a map.
    :raises PluginError: where it has no record.
    """
    record = ELEMENTS[type(element)]
    return record.outlines(element) if cells or not record.cells else ()


def occupancy_maps(world: WorldSpec) -> list[OccupancyMap]:
    """Return the maps of the elements whose solid is cells."""
    maps = [record.cells(element) for element in world.elements
            for record in (ELEMENTS[type(element)],) if record.cells]
    return [each for each in maps if each is not None]


def is_moving(element: ElementSpec) -> bool:
    """Return whether keyframes move an element."""
    return isinstance(element, PlaneSpec) and element.animation is not None


def moving_elements(world: WorldSpec, solid: bool) -> list[PlaneSpec]:
    """
    Return the elements that keyframes move, in the order of the world file.

    :param solid: those that bodies collide with, or the others, whose rows follow.
    """
    return [element for element in world.elements
            if isinstance(element, PlaneSpec) and is_moving(element)
            and bool(pieces_of(element)) == solid]


def has_ground(world: WorldSpec) -> bool:
    """Return whether a world defines its own ground."""
    return any(ELEMENTS[type(element)].is_ground for element in world.elements)
