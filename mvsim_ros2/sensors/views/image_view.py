# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Renderers as cameras share them, and which of them draws for a camera."""

from dataclasses import replace
from functools import lru_cache
import logging
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.frames import Array
from mvsim_ros2.scene.camera_view import CameraFrame, CameraView, COLOUR, Layer
from mvsim_ros2.scene.scene import MoverStates
from mvsim_ros2.sensors.camera.lens import Lens, rays_of
from mvsim_ros2.sensors.camera.resampling import resampling_of
from mvsim_ros2.sensors.camera.wide_lenses import WIDE
from mvsim_ros2.sensors.opengl.context import renderer_choice
from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.views.ray_view import RayView, states_before
from mvsim_ros2.sensors.views.views import SceneView, SceneViews, ShapeView

if TYPE_CHECKING:
    from mvsim_ros2.sensors.opengl.renderer import GlRenderer

_LOG = logging.getLogger(__name__)
_MOST_TRIANGLES = 200_000  # that OpenGL draws faster than rays without a graphics card
AHEAD = np.zeros(2)  # directions as they are
_WIDEST = 4.0  # tangent, of the half angle that OpenGL draws for a lens


class GlImageView(SceneView):
    """The scene drawn by OpenGL."""

    renderer: 'GlRenderer'

    def rebuild(self) -> None:
        from mvsim_ros2.sensors.opengl.renderer import GlRenderer
        self._caster: OpennessCaster | None = None
        self.renderer = GlRenderer(self.views.use(ShapeView).scene, openness=self._openness)

    def look(self) -> None:
        self.views.use(ShapeView)

    def _openness(self, view: CameraView) -> NDArray[np.float32]:
        """Return the ambient occlusion of a view."""
        rays = self.views.use(RayView).now()
        self._caster = self._caster or OpennessCaster(rays)
        return self._caster.look(view)


class RayImageView(SceneView):
    """The scene drawn by rays."""

    renderer: RayRenderer

    def rebuild(self) -> None:
        self.renderer = RayRenderer(self.views.use(RayView).now())

    def look(self) -> None:
        self.views.use(RayView).now()


class ImageView:
    """Makes the images of one camera."""

    def __init__(self, views: SceneViews, choice: str, place: str,
                 casts_rays: bool = False) -> None:
        """
        Hold what to draw with.

        :param choice: 'auto', 'gl' or 'cpu', see `renderer_choice`.
        :param place: of the camera in the world file, for messages.
        :param casts_rays: whether rays are cast for its images in OpenGL too.
        """
        self._views = views
        self._choice = renderer_choice(choice)
        self._place = place
        self._casts_rays = casts_rays
        self._gl: bool | None = None  # once it is known
        self._lens: Lens | None = None  # of the last image
        self._fits = False  # whether OpenGL has images of its size

    def draw(self, lens: Lens, view: CameraView, layers: tuple[Layer, ...],
             shear: Array = AHEAD) -> CameraFrame:
        """
        Return what a camera sees.

        :param view: its pose and what it does not see; the pixels come from the lens.
        :param shear: what is taken from x and y of directions of the depth 1, shape (2,).
        :raises RenderContextError: where it is to be OpenGL and this cannot be had.
        """
        view = replace(view, width=lens.width, height=lens.height, fx=lens.fx, fy=lens.fy,
                       cx=lens.cx + lens.fx * shear[0], cy=lens.cy + lens.fy * shear[1],
                       rough=layers == COLOUR)
        if self.uses_gl(lens):
            renderer = self._views.use(GlImageView).renderer
            if lens.ideal:
                return renderer.render(view, layers)
            if 'colour' not in layers:
                return self._by_rays(lens, view, layers)
            image = np.zeros((lens.height, lens.width, 3), np.float32 if view.hdr else np.uint8)
            for part in resampling_of(lens):
                wide, pose = part.ideal, view.pose.copy()
                pose[:3, :3] = pose[:3, :3] @ part.rotation
                colour = renderer.render(replace(
                    view, pose=pose, width=wide.width, height=wide.height,
                    cx=wide.cx + wide.fx * shear[0], cy=wide.cy + wide.fy * shear[1]),
                    COLOUR).colour
                assert colour is not None
                part.take(colour, image)
            others = tuple(layer for layer in layers if layer != 'colour')
            frame = self._by_rays(lens, view, others) if others else CameraFrame()
            return replace(frame, colour=image)
        return self._by_rays(lens, view, layers, shear)

    def _by_rays(self, lens: Lens, view: CameraView, layers: tuple[Layer, ...],
                 shear: Array = AHEAD) -> CameraFrame:
        """Return what a lens sees by rays, exact for each pixel."""
        directions = rays_of(lens)
        if shear.any():
            directions = directions - np.where(
                directions[..., 2:] > 0.0, [*shear, 0.0], 0.0)
        return self._views.use(RayImageView).renderer.render(view, layers, directions=directions)

    def go_back(self, age: float) -> MoverStates:
        """
        Put all that moves where it was; return where that is.

        :param age: s before the present instant; 0 ends it.
        """
        states = states_before(self._views.instant, age)
        self._views.use(ShapeView).scene.update(states)
        if not self._gl or self._casts_rays:
            self._views.use(RayView).now().update()
        return states

    def uses_gl(self, lens: Lens) -> bool:
        """Return whether OpenGL draws; the first lens decides, a later one may be too large."""
        if self._gl is None:
            self._gl = self._choice != 'cpu' and fits_pinhole(lens) and (
                self._choice == 'gl' or self._gl_is_better()) and self._within_limit(lens)
            if self._choice == 'gl' and not fits_pinhole(lens):
                _LOG.warning('%s: the lens is too wide for OpenGL; rays draw it', self._place)
            return self._gl
        if lens is not self._lens:
            self._lens, self._fits = lens, self._within_limit(lens)
        return self._gl and self._fits

    def _within_limit(self, lens: Lens) -> bool:
        """Return whether OpenGL has images of the size that a lens needs; warn where not."""
        from mvsim_ros2.sensors.opengl.context import gl_thread
        drawn = [lens] if lens.ideal else [part.ideal for part in resampling_of(lens)]
        limit = gl_thread().largest_image
        if max(max(each.width, each.height) for each in drawn) <= limit:
            return True
        if self._choice == 'gl':
            _LOG.warning('%s: an image of %d x %d pixels is too large for this OpenGL, whose '
                         'limit is %d; rays draw it', self._place, drawn[0].width,
                         drawn[0].height, limit)
        return False

    def _gl_is_better(self) -> bool:
        try:
            from mvsim_ros2.sensors.opengl.context import gl_thread
            gl = gl_thread()
        except RenderContextError as error:
            _LOG.info('cameras are drawn by rays: %s', error)
            return False
        scene = self._views.use(ShapeView).scene
        triangles = sum(len(scene.meshes[mesh].faces) for mesh in scene.mesh)
        return not gl.software or triangles <= _MOST_TRIANGLES


@lru_cache(maxsize=128)
def fits_pinhole(lens: Lens) -> bool:
    """Return whether OpenGL can draw all that a lens sees."""
    if lens.ideal or lens.model in WIDE:
        return True
    rays = rays_of(lens)
    seen = rays.any(axis=-1)
    return bool(seen.any() and (
        np.hypot(rays[..., 0], rays[..., 1])[seen] <= _WIDEST * rays[..., 2][seen]).all())
