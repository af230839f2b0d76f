# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How a world is shown: camera of the user interface, georeference of the map."""

from dataclasses import dataclass

from mvsim_ros2.short_repr import ShortRepr
from mvsim_ros2.spec.common import Source
from mvsim_ros2.spec.fields import tag


@dataclass(frozen=True)
class GuiSpec(ShortRepr):
    """User interface of the original (`<gui>`); viewers take the camera from it."""

    win_w: int = tag('int', 800, unit='px', minimum=1, acts=False, doc='width of the window')
    win_h: int = tag('int', 600, unit='px', minimum=1, acts=False, doc='height of the window')
    start_maximized: bool = tag('bool', True, acts=False, doc='fill the screen')
    refresh_fps: float = tag('float', 20.0, unit='Hz', above=0, acts=False, doc='refresh rate')
    ortho: bool = tag('bool', False, acts=False, doc='orthographic view')
    show_forces: bool = tag('bool', False, acts=False, doc='draw wheel forces')
    force_scale: float = tag('float', 0.01, unit='m/N', acts=False, doc='length of a force')
    show_sensor_points: bool = tag('bool', True, acts=False, doc='draw what sensors measure')
    fov_deg: float = tag('float', 60.0, unit='deg', above=0, acts=False, doc='field of view')
    follow_vehicle: str = tag('text', '', acts=False, doc='vehicle that the camera follows')
    headless: bool = tag('bool', False, acts=False, doc='no window')
    clip_plane_min: float = tag('float', 0.05, unit='m', above=0, acts=False, doc='near plane')
    clip_plane_max: float = tag('float', 1e4, unit='m', above=0, acts=False, doc='far plane')
    cam_distance: float = tag('float', 80.0, unit='m', acts=False, doc='camera distance')
    cam_azimuth: float = tag('float', 45.0, unit='deg', acts=False, doc='camera azimuth')
    cam_elevation: float = tag('float', 40.0, unit='deg', acts=False, doc='camera elevation')
    cam_point_to: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='m', acts=False, doc='point that the camera looks at')
    source: Source = Source()


@dataclass(frozen=True)
class GeoreferenceSpec(ShortRepr):
    """Place on Earth (`<georeference>`) of the origin; in a UTM world it chooses the zone."""

    latitude: float = tag(
        'float', 0.0, unit='deg', minimum=-90, maximum=90, required=True, doc='latitude')
    longitude: float = tag(
        'float', 0.0, unit='deg', minimum=-180, maximum=360, required=True, doc='longitude')
    height: float = tag('float', 0.0, unit='m', doc='height above the ellipsoid')
    world_to_enu_rotation: float = tag(
        'angle', 0.0, name='world_to_enu_rotation_deg', unit='deg',
        doc='turn from the world frame to east-north-up')
    world_is_utm: bool = tag(
        'bool', False,
        doc='x, y are UTM easting and northing, z is the height above the ellipsoid')
    source: Source = Source()
