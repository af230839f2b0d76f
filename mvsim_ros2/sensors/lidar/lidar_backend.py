# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a LiDAR in three dimensions looks with: the processor or the graphics card."""

from functools import cache
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.sensors.opengl.backend import renderer_choice
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import (
    OutlineRayView, RayView, TracedOutlineRayView, TracedRayView)
from mvsim_ros2.sensors.views.views import SceneViews

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
        return not gl_thread().software
    except RenderContextError as error:
        _LOG.info('rays of LiDARs are cast by the processor: %s', error)
        return False
