# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scans of 3D LiDARs by several threads."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import beside, divide
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.sensors.base import Mount
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.falling import falling_of
from mvsim_ros2.sensors.lidar.air import air_of, CLEAR, WAVELENGTH
from mvsim_ros2.sensors.lidar.beam_sending import new_room, Room
from mvsim_ros2.sensors.lidar.cloud_fields import Layout
from mvsim_ros2.sensors.lidar.motion_during_scan import path_of, sweep_path
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_kernel import NO_SKY, sky_of, sweep, sweep_present
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.raycast.embree.packet import LANES
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.spray import with_spray

_SMALLEST = 8192  # beams that are worth a thread


class Scanner:
    """Beams, echoes and layout of a LiDAR."""

    def __init__(self, name: str, beams: Beams, echoes: Returns, layout: Layout, organised: bool,
                 mount: Mount) -> None:
        """Keep what scans have in common; `organised`: there is a point for each beam."""
        self.name = name
        self.beams = beams
        self.echoes = echoes
        self.air, weather = CLEAR, mount.world.weather
        self._mount = mount
        self.shows_particles = weather.shows_particles
        if not weather.is_clear:
            falling = falling_of(weather, mount.world.air.wind, mount.streams.seed,
                                 weather.extinction(WAVELENGTH))
            self.air = air_of(
                weather, echoes.farthest, 1.0 / echoes.power, echoes.half, falling)
        self.layout = layout
        self.organised = organised
        self.random = mount.random
        self._rooms: list[Room] = []
        self._solid = True  # what the rooms are made for
        self._in_daylight = layout.daylight
        self._key = np.zeros(1, np.uint64)

    def room(self, solid: bool) -> Room:
        """Return scratch for a thread; `solid`: all surfaces are."""
        return new_room(self.beams.rings, solid, self.echoes.samples, self.echoes.turns,
                        self._in_daylight)

    def draw_key(self) -> None:
        """Draw the key of the next scan of a call of `scan_ready`."""
        self._key[0] = self.random.bit_generator.random_raw()

    def scan_ready(self, scene: RayScene, mount: Pose, row: int, poses: Array, mask: int,
                   room: Room, measured: NDArray[np.float32]) -> PreparedCall:
        """
        Return a call that scans at once what stands, organised, in the layout of ranges.

        :param row: of the carrier in `poses`.
        :param mask: of the rays, which meet nothing that moves.
        :param room: scratch of the thread.
        :param measured: filled in: ranges and intensities, shape (2, beams).
        """
        words = np.empty((len(self.beams.columns) * self.beams.rings, self.layout.size),
                         np.uint32)
        return PreparedCall(
            sweep_present, row, poses, np.zeros(3), mount.position, mount.rotation, scene.datum,
            path_of(1), self._key, words.view(np.float32), words, measured, scene.target,
            scene.opacity, scene.matter, self.air, self.beams,
            self.echoes._replace(span=0.0), mask, self.layout.words, room)

    def scan(self, scene: RayScene, mount: Pose, state: BodyState, hide_vehicle: bool,
             time_ns: int) -> NDArray[np.uint32]:
        """
        Return the points of a scan, one a row of words.

        Organised: ring by ring. Else in the order in which they were measured.

        :param mount: pose of the sensor on its carrier.
        :param state: of the carrier, at the end of the sweep.
        :param hide_vehicle: whether the carrier is not seen.
        :param time_ns: of the end of the sweep.
        :raises SensorError: where the state is not finite.
        """
        path = sweep_path(mount, state, scene.datum, self.echoes.sweep)
        if not all(np.isfinite(part).all() for part in path):
            raise SensorError(f'{self.name}: the pose {state.pose} of its carrier, or its '
                              f'motion {state.twist_body}, is not finite')
        mask = scene.mask(state.mover_index, self.name, hide_vehicle)
        echoes = self.echoes._replace(span=scene.span)
        key = self.random.integers(0, 2 ** 64, dtype=np.uint64)
        beams, size = self.beams, self.layout.size
        columns = len(beams.columns)
        each = beams.rings * echoes.turns
        points = np.empty((columns * each, size), np.uint32)
        groups = divide(-(-columns // LANES), _SMALLEST // (each * LANES))
        parts = [(LANES * begin, min(LANES * end, columns)) for begin, end in groups]
        solid = not len(scene.opacity.faces)
        if solid != self._solid:
            self._rooms, self._solid = [], solid
        while len(self._rooms) < len(parts):
            self._rooms.append(self.room(solid))

        counts = [0] * len(parts)
        air = self.air
        if self.shows_particles:
            end = 1e-9 * time_ns
            falling = with_spray(air.falling, self._mount, end)
            air = air._replace(falling=falling._replace(time=np.array([end]), datum=scene.datum))
        sky = sky_of(scene.scene.lighting) if self._in_daylight else NO_SKY

        def measure(number: int) -> None:
            begin, end = parts[number]
            rows = points if self.organised else points[begin * each:end * each]
            with np.errstate(over='ignore'):  # without numba: random bits wrap around
                counts[number] = sweep(
                    scene.target, scene.opacity, scene.matter, air, beams, path, echoes,
                    key, mask, begin, end, self.organised, self.layout.words,
                    self._rooms[number], rows.view(np.float32), rows, sky)

        beside(len(parts), measure)
        if self.organised:
            return points
        total = counts[0]
        for (begin, _), count in zip(parts[1:], counts[1:], strict=True):
            points[total:total + count] = points[begin * each:begin * each + count]
            total += count
        return points[:total]
