# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Both renderers."""

from collections.abc import Callable

import pytest

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.scene.camera_view import ALL_LAYERS, CameraFrame, CameraView, Layer, Renderer
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene


class Drawer:
    """Draws a scene, with what moved in it."""

    def __init__(self, kind: str, scene: Scene) -> None:
        self._rays = RayScene(scene)
        caster, by_rays = OpennessCaster(self._rays), RayRenderer(self._rays)
        self._renderer: Renderer = by_rays if kind == 'cpu' else GlRenderer(
            scene, openness=caster.look)

    def __call__(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS) -> CameraFrame:
        self._rays.update()
        return self.render(view, layers)

    def render(self, view: CameraView, layers: tuple[Layer, ...],
               out: CameraFrame | None = None) -> CameraFrame:
        return self._renderer.render(view, layers, out)


@pytest.fixture(scope='session')
def gl() -> None:
    """Skip where there is no OpenGL."""
    try:
        gl_thread()
    except RenderContextError as error:
        pytest.skip(str(error))


@pytest.fixture(params=['gl', 'cpu'])
def renderer(request: pytest.FixtureRequest) -> str:
    """Return either kind of renderer; skip where there is no OpenGL."""
    if request.param == 'gl':
        request.getfixturevalue('gl')
    return str(request.param)


@pytest.fixture
def drawer(renderer: str) -> Callable[[Scene], Drawer]:
    """Return a function that makes a renderer of a scene, of either kind."""
    return lambda scene: Drawer(renderer, scene)


@pytest.fixture
def drawers(gl: None) -> Callable[[Scene], tuple[Drawer, Drawer]]:
    """Return a function that makes a renderer of a scene of each kind."""
    return lambda scene: (Drawer('gl', scene), Drawer('cpu', scene))
