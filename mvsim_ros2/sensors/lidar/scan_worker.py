# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What LiDARs in three dimensions share: who casts their rays, and scans by several threads."""

from functools import cache
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import beside, divide
from mvsim_ros2.errors import RenderContextError, SensorError
from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.lidar.air import air_of, CLEAR
from mvsim_ros2.sensors.lidar.beam_sending import new_room, Room
from mvsim_ros2.sensors.lidar.cloud_fields import Layout
from mvsim_ros2.sensors.lidar.motion_during_scan import sweep_path, SweepPath
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_kernel import NOISIEST, send, sweep
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.opengl.context import renderer_choice
from mvsim_ros2.sensors.raycast.embree.packet import LANES
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import (
    OutlineRayView, RayView, TracedOutlineRayView, TracedRayView)
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec.weather import WeatherSpec

if TYPE_CHECKING:
    from mvsim_ros2.sensors.opengl.tracer import Tracer

_LOG = logging.getLogger(__name__)


class LidarBackend:
    """Gives a LiDAR its scene, and who casts its rays."""

    def __init__(self, views: SceneViews, choice: str, place: str, returns: int = 1,
                 outlines: bool = False) -> None:
        """
        Choose what to look with.

        :param choice: 'auto', 'gl' or 'cpu', see `renderer_choice`.
        :param place: of the sensor in the world file, for messages.
        :param returns: of a beam, or rays; where there are several the processor casts.
        :param outlines: it meets bodies as planar LiDARs do.
        """
        self._views = views
        self._kind = OutlineRayView if outlines else RayView
        self._traced_kind = TracedOutlineRayView if outlines else TracedRayView
        self._choice = renderer_choice(choice)
        if returns > 1:
            if self._choice == 'gl':
                _LOG.warning('%s: beams with several rays are cast by the processor', place)
            self._choice = 'cpu'

    def over(self, span: float) -> tuple[RayScene, 'Tracer | None']:
        """
        Return the scene with its motion during a time, and who casts rays at it.

        :param span: s before the present instant.
        :raises RenderContextError: where it is to be OpenGL and this cannot be had.
        """
        if self._choice == 'auto':
            self._choice = 'gl' if _has_card() else 'cpu'
        if self._choice == 'cpu':
            return self._views.use(self._kind).over(span), None
        eye = self._views.use(self._traced_kind)
        return eye.over(span), eye.tracer


@cache
def _has_card() -> bool:
    """Return whether OpenGL runs on a graphics card; it is only started where one may be."""
    devices = Path('/dev')
    if not any(devices.glob('nvidia[0-9]*')) and not any(devices.glob('dri/renderD*')):
        return False
    try:
        from mvsim_ros2.sensors.opengl.context import gl_thread
        from mvsim_ros2.sensors.opengl.tracer import LEAST_VERSION
        gl = gl_thread()
        return not gl.software and gl.version >= LEAST_VERSION
    except RenderContextError as error:
        _LOG.info('rays of LiDARs are cast by the processor: %s', error)
        return False


_SMALLEST = 8192  # beams that are worth a thread
_NOTHING = np.zeros((0, 4), np.int32)


class Scanner:
    """Beams, echoes and layout of a LiDAR."""

    def __init__(self, name: str, beams: Beams, echoes: Returns, layout: Layout, organised: bool,
                 random: np.random.Generator, weather: WeatherSpec) -> None:
        """
        Keep what scans have in common.

        :param name: full name of the sensor.
        :param organised: whether there is a point for each beam.
        :param random: source of the key of each scan.
        :param weather: of the world.
        """
        self.name = name
        self.beams = beams
        self.echoes = echoes
        self.air = CLEAR
        if not weather.is_clear:
            self.air = air_of(weather, echoes.farthest, 1.0 / echoes.power, echoes.half)
        self.layout = layout
        self.organised = organised
        self.random = random
        self._rooms: list[Room] = []
        self._solid = True  # what the rooms are made for

    def scan(self, scene: RayScene, mount: Pose, state: BodyState,
             hide_vehicle: bool, tracer: 'Tracer | None' = None) -> NDArray[np.uint32]:
        """
        Return the points of a scan, one a row of words.

        Organised: ring by ring. Else in the order in which they were measured.

        :param mount: pose of the sensor on its carrier.
        :param state: of the carrier, at the end of the sweep.
        :param hide_vehicle: whether the carrier is not seen.
        :param tracer: casts the rays in place of this thread and others, where all surfaces are
            solid; the scene is its own.
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
            self._rooms.append(new_room(
                beams.rings, solid, echoes.samples, echoes.turns))

        found = _NOTHING
        if tracer is not None and solid and echoes.samples == 1:  # it finds the first surface only
            found = self._traced(tracer, scene, path, echoes, key, mask)

        counts = [0] * len(parts)

        def measure(number: int) -> None:
            begin, end = parts[number]
            rows = points if self.organised else points[begin * each:end * each]
            with np.errstate(over='ignore'):  # without numba: random bits wrap around
                counts[number] = sweep(
                    scene.target, scene.opacity, scene.matter, self.air, beams, path, echoes,
                    key, mask, begin, end, self.organised, self.layout.words,
                    self._rooms[number], rows.view(np.float32), rows, found,
                    found.view(np.float32))

        beside(len(parts), measure)
        if self.organised:
            return points
        total = counts[0]
        for (begin, _), count in zip(parts[1:], counts[1:], strict=True):
            points[total:total + count] = points[begin * each:begin * each + count]
            total += count
        return points[:total]

    def _traced(self, tracer: 'Tracer', scene: RayScene, path: SweepPath, echoes: Returns,
                key: np.uint64, mask: int) -> NDArray[np.int32]:
        """Return what the beams meet, as a tracer finds it."""
        beams = self.beams
        count = len(beams.columns) * beams.rings
        requests = np.empty((count, 8), np.float32)
        with np.errstate(over='ignore'):
            send(beams, path, echoes, key, self._rooms[0], requests)
        return tracer.trace(scene.target, requests, mask,
                            echoes.farthest + NOISIEST * echoes.range_noise)
