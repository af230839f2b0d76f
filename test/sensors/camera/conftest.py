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
"""Both renderers."""

from collections.abc import Callable

import pytest

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.camera_view import ALL_LAYERS
from mvsim_ros2.sensors.camera_view import CameraFrame
from mvsim_ros2.sensors.camera_view import CameraView
from mvsim_ros2.sensors.camera_view import Layer
from mvsim_ros2.sensors.camera_view import Renderer
from mvsim_ros2.sensors.gl.context import gl_thread
from mvsim_ros2.sensors.gl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.view import RayRenderer


class Drawer:
    """Draws a scene, with what moved in it."""

    def __init__(self, kind: str, scene: Scene) -> None:
        self._rays = RayScene(scene) if kind == 'cpu' else None
        self._renderer: Renderer = (
            RayRenderer(self._rays) if self._rays else GlRenderer(scene))

    def __call__(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS) -> CameraFrame:
        if self._rays:
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
def drawer(request: pytest.FixtureRequest) -> Callable[[Scene], Drawer]:
    """Return a function that makes a renderer of a scene, of either kind."""
    if request.param == 'gl':
        request.getfixturevalue('gl')
    return lambda scene: Drawer(request.param, scene)
