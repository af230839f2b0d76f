# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Both renderers."""

from collections.abc import Callable

import pytest
from small_scenes import GL_WITH_RAYS

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.scene.camera_view import ALL_LAYERS, CameraFrame, CameraView, Layer, Renderer
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
from mvsim_ros2.sensors.raycast.image.ray_renderer import pinhole_rays, RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene, uses_embree


class Drawer:
    """Draws a scene, with what moved in it."""

    def __init__(self, kind: str, scene: Scene) -> None:
        self._rays = RayScene(scene)
        caster, by_rays = OpennessCaster(self._rays), RayRenderer(self._rays)
        self._renderer: Renderer = by_rays if kind == 'cpu' else GlRenderer(
            scene, openness=lambda view: caster.look(view, pinhole_rays(
                view.width, view.height, view.fx, view.fy, view.cx, view.cy)),
            smoother=by_rays.smooth if kind == GL_WITH_RAYS else None)

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


@pytest.fixture(scope='session')
def gl_with_rays(gl: None) -> None:
    """Skip where OpenGL does not leave edges to rays."""
    if not uses_embree() or not use_machine_code() or not gl_thread().software:
        pytest.skip('edges are smoothed by several samples of a pixel')


@pytest.fixture(params=['gl', 'cpu'])
def drawer(request: pytest.FixtureRequest) -> Callable[[Scene], Drawer]:
    """Return a function that makes a renderer of a scene, of either kind."""
    if request.param != 'cpu':
        request.getfixturevalue('gl' if request.param == 'gl' else 'gl_with_rays')
    return lambda scene: Drawer(request.param, scene)


@pytest.fixture
def drawers(gl: None) -> Callable[[Scene], tuple[Drawer, Drawer]]:
    """Return a function that makes a renderer of a scene of each kind."""
    return lambda scene: (Drawer('gl', scene), Drawer('cpu', scene))
