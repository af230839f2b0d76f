# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Surroundings of a world: ground, light, and a sky or the sky box of the world."""

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.scene.lighting import lighting_of
from mvsim_ros2.scene.scene import Material, Mesh, Texture
from mvsim_ros2.window.drawing.glb import glb, Piece
from mvsim_ros2.world.spec import ElevationMapSpec, HorizontalPlaneSpec, WorldSpec

_FAR = 450.0  # m of the sides of a box; browsers draw what is nearer than 1000 m
_ROWS = 256  # px of a sky without a box
# of the faces of `Lighting.sky`: where one looks to, and what is up in its picture
_FACES = (((1, 0, 0), (0, 0, 1)), ((-1, 0, 0), (0, 0, 1)), ((0, 0, -1), (1, 0, 0)),
          ((0, 0, 1), (-1, 0, 0)), ((0, 1, 0), (0, 0, 1)), ((0, -1, 0), (0, 0, 1)))
_GROUND_STEP = 0.02  # m by which the ground lies below the floors of a world
_GROUND, _LINES, _STRONG_LINES = (200, 204, 208), (168, 174, 180), (140, 146, 152)
_AMBIENT = 2.4  # brightness of faces that the sun does not reach


def sky_box(faces: NDArray[np.uint8]) -> Piece:
    """Return a box, with faces as `Lighting.sky`, seen from within only, in its own light."""
    corners, uv, triangles, numbers = [], [], [], []
    for number, (towards, upwards) in enumerate(np.array(_FACES, float)):
        right = np.cross(towards, upwards)
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corners.append(_FAR * (towards + across * right + along * upwards))
            uv.append((0.5 + 0.5 * across, 0.5 + 0.5 * along))
        first = 4 * number
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
        numbers += [number, number]
    materials = tuple(
        Material((1.0, 1.0, 1.0, 1.0), Texture(np.dstack([
            face, np.full(face.shape[:2], 255, np.uint8)]))) for face in faces)
    mesh = Mesh(np.array(corners), np.array(triangles, np.int32),
                np.repeat(-np.array([towards for towards, _ in _FACES], float), 4, axis=0),
                np.array(uv, np.float32), np.array(numbers, np.int32), materials)
    return Piece(mesh, np.eye(4), (1.0, 1.0, 1.0, 1.0), one_sided=True, unlit=True)


def add_sky(server: viser.ViserServer, dark: bool) -> None:
    """
    Set the colours of the day or of the night.

    Light comes from lamps instead of an environment map. A browser hides the scene while it
    filters such a map, for seconds without a graphics card.
    """
    server.scene.configure_environment_map(None)
    server.scene.set_background_image(_gradient(dark), format='png')


def _gradient(dark: bool) -> NDArray[np.uint8]:
    """Return the sky from the top of the picture to its bottom, shape (rows, 2, 3)."""
    high, low = ((24, 28, 36), (66, 72, 82)) if dark else ((146, 186, 224), (236, 240, 243))
    share = np.linspace(0.0, 1.0, _ROWS)[:, None, None] ** 1.2
    colours = (1 - share) * np.array(high, float) + share * np.array(low, float)
    return np.asarray(np.broadcast_to(colours, (_ROWS, 2, 3)), np.uint8)


def add_surroundings(server: viser.ViserServer, world: WorldSpec) -> None:
    """Add light, ground with a grid of metres where there is no terrain, and a box for a sky."""
    server.scene.world_axes.visible = False
    server.scene.configure_default_lights(True, cast_shadow=False)
    server.scene.add_light_hemisphere(
        '/light', sky_color=(255, 255, 255), ground_color=(190, 185, 178), intensity=_AMBIENT)
    faces = lighting_of(world).sky
    if faces is not None:
        server.scene.add_glb('/sky', glb([sky_box(faces)]), cast_shadow=False,
                             receive_shadow=False)
    if any(isinstance(element, ElevationMapSpec) for element in world.elements):
        return
    lowest = min([plane.init_pose.z + plane.z for plane in world.elements
                  if isinstance(plane, HorizontalPlaneSpec)], default=0.0)
    server.scene.add_grid(
        '/ground', infinite_grid=True, cell_size=1.0, section_size=5.0, cell_color=_LINES,
        section_color=_STRONG_LINES, cell_thickness=0.6, section_thickness=1.0,
        fade_distance=90.0, shadow_opacity=0.2, plane_color=_GROUND, plane_opacity=1.0,
        position=(0.0, 0.0, min(lowest, 0.0) - _GROUND_STEP))
