# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is around a world: ground, sky, light."""

import viser

from mvsim_ros2.scene.lighting import lighting_of
from mvsim_ros2.window.drawing.sky import add_sky, add_sky_box
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
from mvsim_ros2.world.spec.world import WorldSpec

_STEP = 0.02  # m by which the ground lies below the floors of a world
_GROUND, _LINES, _STRONG_LINES = (200, 204, 208), (168, 174, 180), (140, 146, 152)
_AMBIENT = 0.35  # added brightness of faces that the sun does not reach


def add_surroundings(server: viser.ViserServer, world: WorldSpec, dark: bool) -> None:
    """Add ground with a grid of metres, where there is no terrain, and a sky."""
    server.scene.world_axes.visible = False
    server.scene.configure_default_lights(True, cast_shadow=True)
    server.scene.add_light_hemisphere(
        '/light', sky_color=(255, 255, 255), ground_color=(190, 185, 178), intensity=_AMBIENT)
    add_sky(server, dark)
    box = lighting_of(world).sky
    if box is not None:
        add_sky_box(server, box)
    if any(isinstance(element, ElevationMapSpec) for element in world.elements):
        return
    lowest = min([plane.init_pose.z + plane.z for plane in world.elements
                  if isinstance(plane, HorizontalPlaneSpec)], default=0.0)
    server.scene.add_grid(
        '/ground', infinite_grid=True, cell_size=1.0, section_size=5.0, cell_color=_LINES,
        section_color=_STRONG_LINES, cell_thickness=0.6, section_thickness=1.0,
        fade_distance=90.0, shadow_opacity=0.2, plane_color=_GROUND, plane_opacity=1.0,
        position=(0.0, 0.0, min(lowest, 0.0) - _STEP))
