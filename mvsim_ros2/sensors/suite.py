# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""All sensors of a world: what they look into, and when each is due."""

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.scene.planar import PlanarScene
from mvsim_ros2.scene.planar import StaticGeometry
from mvsim_ros2.sensors.factory import make_sensors
from mvsim_ros2.sensors.factory import mounted_sensors
from mvsim_ros2.sensors.lidar2d import Lidar2D
from mvsim_ros2.sensors.lidar2d import measure_together
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.raycast.planar import PlanarRayCaster
from mvsim_ros2.sensors.sensor import full_name
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.sensors.state import BodyState
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.world import WorldSpec

_PLANAR = [0, 1, 3]  # x, y, yaw of a pose


class SensorSuite:
    """
    The sensors of a simulation, by the name ``'vehicle/sensor'``.

    Measurement k of a sensor falls on the first step at or after ``k * period``, so that
    the mean rate is right where the period is not a whole number of steps.
    """

    def __init__(self, world: WorldSpec, physics: PhysicsWorld, streams: RandomStreams,
                 footprints: Mapping[str, Footprint], with_sensors: bool = True) -> None:
        """
        Make the sensors of all vehicles and those that stand in the world.

        :param footprints: outlines of meshes by name of vehicle or block.
        :param with_sensors: False makes none.
        :raises SensorError: where two sensors of a vehicle have the same name.
        """
        self._world = world
        self._physics = physics
        self._streams = streams
        self._with_sensors = with_sensors
        reference = world.georeference
        self._world_to_enu = reference.world_to_enu_rotation if reference else 0.0
        self.sensors: dict[str, Sensor] = {}
        self.enabled: dict[str, bool] = {}
        self._left_out: set[str] = set()  # sensors of classes that cannot be simulated
        self._due = np.zeros(0, np.int64)  # next measurement of each sensor [ns]
        self._standing = self._static_blocks()
        self._static = StaticGeometry.from_world(
            replace(world, blocks=self._standing), footprints)
        self._caster = PlanarRayCaster(self._scene(footprints))
        self._make_sensors(0)

    def update(self, now_ns: int, footprints: Mapping[str, Footprint]) -> None:
        """Look again at the vehicles and blocks of the physics, after some came or went."""
        standing = self._static_blocks()
        if standing != self._standing:
            self._standing = standing
            self._static = StaticGeometry.from_world(
                replace(self._world, blocks=standing), footprints)
        self._caster.update(self._scene(footprints))
        self._make_sensors(now_ns)

    def _static_blocks(self) -> tuple[BlockSpec, ...]:
        blocks = self._physics.blocks
        return tuple(replace(spec, init_pose=Pose(*pose.tolist()))
                     for spec, pose in zip(blocks.specs, blocks.pose, strict=True)
                     if not spec.moves)

    def _scene(self, footprints: Mapping[str, Footprint]) -> PlanarScene:
        vehicles, blocks = self._physics.vehicles, self._physics.blocks
        self._steered: list[float] = []  # angles of the wheels in the scene
        self._row_of = {name: i for i, name in enumerate(vehicles.names)}
        self._movable = np.flatnonzero(blocks.movable)
        figures = self._physics.figures
        return PlanarScene.from_parts(
            self._static, vehicles.specs, blocks.specs, footprints,
            dict(zip(figures.names, figures.outlines, strict=True)))

    def _make_sensors(self, now_ns: int) -> None:
        """Keep the sensors of vehicles that are still there, make those of new ones."""
        due = dict(zip(self.sensors, self._due, strict=True))
        world = replace(self._world, vehicles=tuple(self._physics.vehicles.specs))
        mounted = mounted_sensors(world) if self._with_sensors else []
        known = self.sensors | make_sensors(
            [(owner, spec) for owner, spec in mounted
             if full_name(owner, spec) not in {*due, *self._left_out}],
            self._caster, self._streams, self._world_to_enu)
        self._left_out = {full_name(*pair) for pair in mounted} - set(known)
        self.sensors = {name: known[name] for owner, spec in mounted
                        if (name := full_name(owner, spec)) in known}
        self.enabled = {name: self.enabled.get(name, True) for name in self.sensors}
        self._names = list(self.sensors)
        self._periods = np.array([s.period_ns for s in self.sensors.values()], np.int64)
        self._due = np.array([due.get(name, now_ns + sensor.period_ns)
                              for name, sensor in self.sensors.items()], np.int64)

    def steps_until_due(self, now_ns: int, step_ns: int, limit: int) -> int:
        """Return the steps to go, at least one, until a sensor is due; at most `limit`."""
        if not len(self._due):
            return limit
        return min(limit, max(1, -(-(int(self._due.min()) - now_ns) // step_ns)))

    def measure_due(self, now_ns: int) -> list[Observation]:
        """Measure with the enabled sensors that are due."""
        rows = np.flatnonzero(self._due <= now_ns)
        if not len(rows):
            return []
        periods = self._periods[rows]
        self._due[rows] += ((now_ns - self._due[rows]) // periods + 1) * periods
        names = [self._names[row] for row in rows]
        return self.measure([name for name in names if self.enabled[name]], now_ns)

    def measure(self, names: Sequence[str], now_ns: int) -> list[Observation]:
        """Measure the present state with the sensors called `names`, in this order."""
        if not names:
            return []
        movers = self._mover_poses(), self._mover_twists()
        self._steer_wheels()
        states = {name: self._state(name, *movers) for name in names}
        lidars = [sensor for name in names
                  if isinstance(sensor := self.sensors[name], Lidar2D)]
        scans = iter(measure_together(lidars, now_ns, [states[s.name] for s in lidars]))
        return [next(scans) if isinstance(sensor := self.sensors[name], Lidar2D)
                else sensor.measure(now_ns, states[name]) for name in names]

    def _steer_wheels(self) -> None:
        """Turn the wheels that scanners see, where they stand in another way than last time."""
        steered = self._caster.scene.steered
        if steered:
            vehicles = self._physics.vehicles
            angles = vehicles.wheels['steer'][
                [vehicles.wheel_start[each.mover] + each.wheel for each in steered]].tolist()
            if angles != self._steered:
                self._caster.steer(angles)
                self._steered = angles

    def _mover_poses(self) -> NDArray[np.float64]:
        return np.concatenate([self._physics.vehicles.pose[:, _PLANAR],
                               self._physics.blocks.pose[self._movable][:, _PLANAR],
                               self._physics.figures.pose[:, _PLANAR]])

    def _mover_twists(self) -> NDArray[np.float64]:
        return np.concatenate([self._physics.vehicles.twist_body,
                               self._physics.blocks.twist_body[self._movable],
                               self._physics.figures.twist_body])

    def _state(self, name: str, mover_poses: NDArray[np.float64],
               mover_twists: NDArray[np.float64]) -> BodyState:
        vehicles = self._physics.vehicles
        row = self._row_of.get(name.rpartition('/')[0], -1)
        if row < 0:
            return BodyState(np.zeros(6), gravity=self._physics.gravity,
                             mover_poses=mover_poses, mover_twists=mover_twists)
        return BodyState(
            vehicles.pose[row], vehicles.twist_body[row], vehicles.acceleration_body[row],
            self._physics.gravity, mover_poses, mover_twists, row)

    def reset(self) -> None:
        """Forget all measurements and start the periods anew."""
        for sensor in self.sensors.values():
            sensor.reset()
        self._due = self._periods.copy()

    def snapshot(self) -> dict[str, Any]:
        """Return what the sensors remember, and when each is due."""
        return {name: (int(due), sensor.state())
                for (name, sensor), due in zip(self.sensors.items(), self._due, strict=True)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `snapshot` of the same sensors."""
        for row, (name, sensor) in enumerate(self.sensors.items()):
            self._due[row], memory = state[name]
            sensor.set_state(memory)
