# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles and blocks that come, go, and are put elsewhere while a simulation runs."""

from collections.abc import Mapping
from dataclasses import replace
import math
from typing import Any

from mvsim_ros2.base.arguments import check_type, real
from mvsim_ros2.errors import ArgumentError, MvsimError, PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.simulation.base import SimulationBase
from mvsim_ros2.simulation.handles import BlockHandle, VehicleHandle
from mvsim_ros2.world.spec import BlockSpec, ElementSpec, VehicleSpec


class Population(SimulationBase):
    """Part of a `Simulation`: adds, removes and moves things."""

    __slots__ = ()

    @property
    def elements(self) -> tuple[ElementSpec, ...]:
        """
        Return the elements that are there now: walls, maps, ground.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('occupancy_map'))
        >>> [element.name for element in simulation.elements]
        ['occupancy_grid1']
        """
        return self._physics.spec.elements

    def _take_in(self, spec: VehicleSpec | BlockSpec) -> None:
        """Let sensors see a thing that came behind the others."""
        if self._suite.take_in(spec, self.time_ns, self._footprints):
            self._sensors_changed()

    def spawn_vehicle(self, name: str, class_name: str | VehicleSpec, pose: Pose) -> VehicleHandle:
        """
        Add a vehicle.

        :param class_name: a vehicle class of the world file, or a spec of its own.
        :param pose: of its reference point in the world frame.
        :raises PhysicsError: where the class is not known, the name is taken, or the body is
            not possible.

        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('demo'))
        >>> simulation.spawn_vehicle('other', 'small_robot', Pose(x=-9.0, yaw=1.0)).pose.x
        -9.0
        """
        check_type('pose', pose, Pose, 'write Pose(x=1.0, y=2.0, yaw=0.5)')
        template = class_name if isinstance(class_name, VehicleSpec) else _class(
            self.world.vehicle_classes, class_name, 'vehicle')
        spec = replace(template, name=name, init_pose=pose)
        self._footprints |= world_footprints(replace(self.world, vehicles=(spec,), blocks=()))
        self._physics.add_vehicle(spec, self._footprints.get(name))
        self.vehicles.add(name, VehicleHandle(self._physics, name))
        self._take_in(spec)
        return self.vehicles[name]

    def spawn_block(self, name: str, class_name: str | BlockSpec, pose: Pose) -> BlockHandle:
        """
        Add a block.

        :param class_name: a block class of the world file, or a spec of its own.
        :param pose: of its origin in the world frame.
        :raises PhysicsError: where the class is not known, the name is taken, or the body is
            not possible.

        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> from mvsim_ros2.world.spec import BlockSpec
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> simulation.spawn_block('step', BlockSpec(mass=2.0, zmax=0.1), Pose(x=2.0)).pose.x
        2.0
        """
        check_type('pose', pose, Pose, 'write Pose(x=1.0, y=2.0, yaw=0.5)')
        template = class_name if isinstance(class_name, BlockSpec) else _class(
            self.world.block_classes, class_name, 'block')
        spec = replace(template, name=name, init_pose=pose)
        self._footprints |= world_footprints(replace(self.world, vehicles=(), blocks=(spec,)))
        self._physics.add_block(spec, self._footprints.get(name))
        self.blocks.add(name, BlockHandle(self._physics, name))
        self._take_in(spec)
        return self.blocks[name]

    def add_element(self, element: ElementSpec) -> None:
        """
        Add an element: a wall, a map, a piece of ground.

        Impulses of contacts are lost, as by `Simulation.restore`.

        :raises PhysicsError: where its name is empty or taken, it has keyframes, or its shape is
            not possible.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> from mvsim_ros2.world.spec import VerticalPlaneSpec
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> wall = VerticalPlaneSpec(name='wall', x0=2, y0=-5, x1=2, y1=5)
        >>> simulation.add_element(wall)
        >>> simulation.cast_rays((0.0, 0.0), [0.0], 10.0, ignore='robot').round(2)
        array([1.99])
        """
        if not element.name or any(each.name == element.name for each in self.elements):
            raise PhysicsError(f'an element needs a name that no other one has, not '
                               f'{element.name!r}: choose another name')
        self._set_elements((*self.elements, element))

    def remove_element(self, name: str) -> None:
        """
        Take an element out of the world.

        :raises PhysicsError: where there is none of this name.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('occupancy_map'))
        >>> simulation.remove_element('occupancy_grid1')
        >>> simulation.elements
        ()
        """
        left = tuple(each for each in self.elements if each.name != name)
        if len(left) == len(self.elements):
            raise PhysicsError(f'there is no element {name!r}, only '
                               f'{", ".join(each.name for each in self.elements) or "none"}')
        self._set_elements(left)

    def _set_elements(self, elements: tuple[ElementSpec, ...]) -> None:
        before = self.elements
        try:
            self._physics.set_elements(elements)
        except MvsimError:
            self._physics.set_elements(before)
            raise
        self._things_changed()

    def remove(self, name: str) -> None:
        """
        Take a vehicle or block out of the world.

        :raises PhysicsError: where there is none of this name.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('sensors'))
        >>> simulation.remove('box')
        >>> simulation.blocks
        <0 blocks>
        """
        self._physics.remove(name)
        self._went(name)

    def set_pose(self, name: str, pose: Pose,
                 twist: tuple[float, float, float] | None = None) -> None:
        """
        Put a vehicle or block somewhere else.

        :param twist: vx, vy [m/s], wz [rad/s] from then on in its own frame; at rest without.
        :raises PhysicsError: where there is none of this name, or it follows keyframes.
        :raises ArgumentError: where a number is not finite, or not below 1e7.

        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('empty'))
        >>> simulation.set_pose('robot', Pose(x=1.0), twist=(0.5, 0.0, 0.0))
        >>> simulation.vehicles['robot'].pose.x
        1.0
        """
        check_type('pose', pose, Pose, 'write Pose(x=1.0, y=2.0, yaw=0.5)')
        self._physics.set_pose(name, pose, twist)
        self._suite.views.past.forget()
        if name in self.blocks and not self.blocks[name].spec.moves:
            self._things_changed()

    def ground_at(self, x: float, y: float, limit: float = math.inf) -> float:
        """
        Return the height of the highest ground at a place that is not above a limit [m].

        If there is none but an elevation map above, the height of the map; else 0.

        >>> from mvsim_ros2 import Simulation, world_path
        >>> round(Simulation.from_file(world_path('outdoor')).ground_at(5.0, 5.0), 2)
        0.27
        """
        return self._physics.ground_at(real('x', x), real('y', y), real('limit', limit))

    def set_poses(self, poses: Mapping[str, Pose],
                  twists: Mapping[str, tuple[float, float, float]] | None = None) -> None:
        """
        Put several vehicles and blocks somewhere else; quicker than `set_pose` for each.

        :param poses: by name.
        :param twists: by name, of those that move on: see `set_pose`; the others are at rest.
        :raises PhysicsError: where there is none of a name, or it follows keyframes; then none is
            put.
        :raises ArgumentError: where a number is not finite, or not below 1e7, or a twist is given
            for something without a pose.

        >>> from mvsim_ros2 import Pose, Simulation, world_path
        >>> simulation = Simulation.from_file(world_path('two_robots'))
        >>> simulation.set_poses({'r1': Pose(x=1.0), 'r2': Pose(x=4.0)}, {'r2': (0.5, 0.0, 0.0)})
        >>> [vehicle.pose.x for vehicle in simulation.vehicles.values()]
        [1.0, 4.0]
        """
        check_type('poses', poses, Mapping, "write {'r1': Pose(x=1.0), 'r2': Pose(x=4.0)}")
        twists = twists or {}
        for name, pose in poses.items():
            check_type(f'pose of {name!r}', pose, Pose, 'write Pose(x=1.0, y=2.0, yaw=0.5)')
        for name in twists:
            if name not in poses:
                raise ArgumentError(f'there is a twist of {name!r}, but no pose: give both')
        self._physics.set_poses(poses, twists)
        self._suite.views.past.forget()
        if any(name in self.blocks and not self.blocks[name].spec.moves for name in poses):
            self._things_changed()


def _class(classes: Mapping[str, Any], name: str, what: str) -> Any:
    if not isinstance(name, str) or name not in classes:
        raise PhysicsError(f'there is no {what} class {name!r} in this world, only '
                           f'{", ".join(classes) or "none"}')
    return classes[name]
