# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""State of a simulation at one instant, as the window draws it; immutable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.pictures.perspective import PosedObservation
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.world.spec import RuntimeObject, VehicleSpec


@dataclass(frozen=True, eq=False)
class VehicleState:
    """One vehicle."""

    spec: VehicleSpec
    pose: Pose  # true, of the reference point in the world frame
    twist: Array  # vx, vy [m/s], wz [rad/s] in its own frame
    command: tuple[float, float, float]  # the same, as last commanded
    believed: tuple[float, float, float] | None = None  # x, y, yaw by its odometry [m, rad]
    wheels: NDArray[np.void] | None = None  # only of those that are looked at closely
    contacts: tuple[tuple[float, float], ...] = ()  # where it is touched, world frame [m]
    ghost: int = 0  # number of the recording that it is a ghost of, 0 for what is none


@dataclass(frozen=True, eq=False)
class Frame:
    """A simulation at one instant."""

    time: float  # simulated [s]
    states: MoverStates
    vehicles: Mapping[str, VehicleState]
    blocks: Mapping[str, Pose]
    actors: Mapping[str, Pose]
    # what was measured since the frame before, the last of each sensor
    seen: Sequence[PosedObservation] = ()
    scene: Scene | None = None  # where things came or went since the frame before
    running: bool = True
    speed: float = 0.0  # simulated seconds a second, as reached

    def pose(self, name: str) -> Pose | None:
        """Return where a thing is, None where there is none of this name."""
        vehicle = self.vehicles.get(name)
        return vehicle.pose if vehicle else self.blocks.get(name) or self.actors.get(name)


@dataclass
class Closely:
    """Which vehicles are looked at closely, which costs a little time for each."""

    wheels: set[str] = field(default_factory=set)
    all_wheels: bool = False
    contacts: bool = False
    odometry: bool = False

    def state_of(self, vehicle: VehicleHandle) -> VehicleState:
        """Return the state of a vehicle."""
        believed = vehicle.odometry.pose if self.odometry else None
        wheels = vehicle.wheels if self.all_wheels or vehicle.name in self.wheels else None
        contacts = vehicle.contacts if self.contacts else ()
        return VehicleState(
            vehicle.spec, vehicle.pose, vehicle.twist_body, vehicle.commanded_twist,
            believed, wheels, tuple((each.x, each.y) for each in contacts))


def capture(simulation: Simulation, closely: Closely, seen: Sequence[PosedObservation],
            with_scene: bool, running: bool, speed: float,
            overlays: Sequence[RuntimeObject] = ()) -> Frame:
    """
    Return the present state; nothing of the simulation is changed.

    :param seen: what was measured since the frame before.
    :param with_scene: whether things came or went.
    :param speed: simulated seconds a second, as reached.
    :param overlays: objects that no sensor sees.
    """
    return Frame(
        simulation.time, simulation.movers(),
        {name: closely.state_of(handle) for name, handle in simulation.vehicles.items()},
        {name: handle.pose for name, handle in simulation.blocks.items()},
        {name: handle.pose for name, handle in simulation.actors.items()},
        seen, simulation.scene(overlays) if with_scene else None, running, speed)
