# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A camera that looks at a world from outside, as in pictures and films of it."""

from dataclasses import replace
import logging
import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, Layer, Renderer
from mvsim_ros2.scene.scene import MoverStates, Scene
from mvsim_ros2.sensors.views.views import SceneView
from mvsim_ros2.world.spec import (
    ElementSpec, ElevationMapSpec, HorizontalPlaneSpec, PlaneSpec, WorldSpec)

if TYPE_CHECKING:
    from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
    from mvsim_ros2.sensors.raycast.ray_scene import RayScene

_LOG = logging.getLogger(__name__)

_REACH = 250.0  # m; half the side of the floor around a world
_STEP = 0.02  # m by which it lies below those of the world
_FLOOR = (0.62, 0.66, 0.58, 1.0)
_KEPT = 4  # scenes, each without other planes


class OverviewCamera(SceneView):
    """
    Makes pictures from anywhere.

    Unlike sensors it follows `<cull_face>`: planes are invisible from the side that is not drawn,
    so that pictures show the inside of buildings. Where a world has no terrain a plain floor goes
    on around it. OpenGL draws, or rays where there is none or the environment variable
    MVSIM_ROS2_RENDERER is 'cpu'. Without compiled kernels there is no ambient occlusion.
    """

    def rebuild(self) -> None:
        self._renderings: dict[tuple[int, ...], _View] = {}

    def look(self) -> None:
        """Take nothing in yet: `render` does, where something is to be seen."""

    def render(self, view: CameraView, layers: tuple[Layer, ...]) -> CameraFrame:
        """Return what a camera sees."""
        views = self.views
        viewpoint = view.pose[:3, 3]
        culled = tuple(i for i, element in enumerate(views.things.elements)
                       if _is_culled(element, viewpoint))
        if culled not in self._renderings:
            if len(self._renderings) >= _KEPT:
                self._renderings.pop(next(iter(self._renderings)))
            elements = [element for i, element in enumerate(views.things.elements)
                        if i not in culled]
            world = replace(views.things, elements=tuple(elements))
            self._renderings[culled] = _View(build_scene(
                world, views.footprints, states=views.instant.movers,
                around=_surroundings(world), objects=views.objects))
        return self._renderings[culled].render(views.instant.movers, view, layers)


class _View:
    """A scene and what draws it: OpenGL, with ambient occlusion by rays, or else rays."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._rays: RayScene | None = None
        self._caster: OpennessCaster | None = None
        if os.environ.get('MVSIM_ROS2_RENDERER') != 'cpu':
            try:
                from mvsim_ros2.sensors.opengl.renderer import GlRenderer
                self._renderer: Renderer = GlRenderer(scene, openness=self._openness)
                return
            except (ImportError, RenderContextError) as error:
                _LOG.info('pictures are made by rays: %s', error)
        from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
        self._renderer = RayRenderer(self._ray_scene())

    def render(self, states: MoverStates, view: CameraView,
               layers: tuple[Layer, ...]) -> CameraFrame:
        """Return what a camera sees."""
        self._scene.update(states)
        if self._rays is not None:
            self._rays.update()
        if view.occlusion_reach > 0.0 and not use_machine_code():
            view = replace(view, occlusion_reach=0.0)
        return self._renderer.render(view, layers)

    def _ray_scene(self) -> 'RayScene':
        if self._rays is None:
            from mvsim_ros2.sensors.raycast.ray_scene import RayScene
            self._rays = RayScene(self._scene)
        return self._rays

    def _openness(self, view: CameraView) -> NDArray[np.float32]:
        """Return the ambient occlusion of a view."""
        from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
        if self._caster is None:
            self._caster = OpennessCaster(self._ray_scene())
        return self._caster.look(view)


def _is_culled(element: ElementSpec, viewpoint: Array) -> bool:
    """Return whether a viewpoint faces the face of a plane that is not drawn."""
    if not isinstance(element, PlaneSpec) or element.cull_face == 'NONE' or element.animation:
        return False
    x, y, z = element.init_pose.inverse().transform(viewpoint).tolist()
    return element.is_in_front(x, y, z) == (element.cull_face == 'FRONT')


def _surroundings(world: WorldSpec) -> tuple[HorizontalPlaneSpec, ...]:
    """Return a floor around the middle of a world, a little below its own; none with terrain."""
    if any(isinstance(element, ElevationMapSpec) for element in world.elements):
        return ()
    places = [vehicle.init_pose.position for vehicle in world.vehicles] or [np.zeros(3)]
    x, y, _ = np.mean(places, axis=0).tolist()
    lowest = min([plane.init_pose.z + plane.z for plane in world.elements
                  if isinstance(plane, HorizontalPlaneSpec)], default=0.0)
    return (HorizontalPlaneSpec(
        'floor', x_min=x - _REACH, x_max=x + _REACH, y_min=y - _REACH, y_max=y + _REACH,
        z=min(lowest, 0.0) - _STEP, color=_FLOOR),)
