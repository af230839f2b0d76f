# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How a world is shown: window, place on the Earth, markers, named places, objects only seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.fields import Problems, Spec, tag

# why nothing acts on a tag, see `Tag.idle`
BROWSER = 'the window is a page in a browser, which has its own size'
PANELS = 'the window has its panels folded open and shut by a click'


@dataclass(frozen=True)
class GuiSpec(Spec):
    """User interface (`<gui>`): initial settings of `mvsim_ros2 view` and of `viewer`."""

    win_w: int = tag('int', 800, unit='px', minimum=1, idle=BROWSER, doc='width of the window')
    win_h: int = tag('int', 600, unit='px', minimum=1, idle=BROWSER, doc='height of the window')
    start_maximized: bool = tag('bool', True, idle=BROWSER, doc='fill the screen')
    refresh_fps: float = tag('float', 20.0, unit='Hz', above=0, idle='the window is drawn 30 '
                             'times a second, or as often as the connection allows',
                             doc='refresh rate')
    ortho: bool = tag('bool', False, idle='`mvsim_ros2 picture --top` draws without perspective',
                      doc='orthographic view')
    show_forces: bool = tag('bool', False, doc='draw wheel forces from the start')
    force_scale: float = tag(
        'float', 0.01, unit='m/N', idle='forces are drawn relative to the load of the vehicle',
        doc='length of a force')
    show_sensor_points: bool = tag('bool', True, doc='draw LiDAR measurements from the start')
    show_trajectories: bool = tag('bool', False, doc='draw the paths of `<controller '
                                  'class="trajectory">`: on the topic `world_markers`')
    show_sensor_previews: bool = tag('bool', True, doc='show the images of cameras from the start')
    show_gui_panels: bool = tag('bool', True, idle=PANELS, doc='open the side panels')
    fov: float = tag('angle', 1.0471975511965976, name='fov_deg', unit='deg', above=0, maximum=179,
                     doc='upright field of view')
    follow_vehicle: str = tag('text', '', doc='vehicle that the camera follows')
    headless: bool = tag(
        'bool', False, idle='only `mvsim_ros2 view` and the parameter `viewer` open a window',
        doc='no window')
    clip_plane_min: float = tag('float', 0.05, unit='m', above=0, doc='near plane')
    clip_plane_max: float = tag(
        'float', 1e4, unit='m', above=0, over='clip_plane_min', doc='far plane')
    cam_distance: float = tag('float', 80.0, unit='m', above=0, doc='distance from that point')
    cam_azimuth: float = tag('angle', 0.7853981633974483, name='cam_azimuth', unit='deg',
                             doc='direction of the camera from that point, from x towards y')
    cam_elevation: float = tag('angle', 0.6981317007977318, name='cam_elevation', unit='deg',
                               doc='elevation of the camera above the horizon')
    cam_point_to: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='m', doc='point that the camera looks at')

    @property
    def given(self) -> bool:
        """Return whether the world file has it."""
        return bool(self.source.line)


@dataclass(frozen=True)
class GeoreferenceSpec(Spec):
    """Place on Earth (`<georeference>`) of the origin; in a UTM world it chooses the zone."""

    latitude: float = tag(
        'float', 0.0, unit='deg', minimum=-90, maximum=90, required=True, doc='latitude')
    longitude: float = tag(
        'float', 0.0, unit='deg', minimum=-180, maximum=360, required=True, doc='longitude')
    height: float = tag('float', 0.0, unit='m', doc='height above the ellipsoid')
    world_to_enu_rotation: float = tag('angle', 0.0, name='world_to_enu_rotation_deg', unit='deg',
                                       doc='rotation from the world frame to east-north-up')
    world_is_utm: bool = tag('bool', False, doc='x, y are UTM easting and northing, z is the '
                             'height above the ellipsoid')

    def problems(self) -> Problems:
        if self.world_is_utm and self.world_to_enu_rotation != 0:
            yield 'world_is_utm and world_to_enu_rotation_deg exclude each other'
        if self.world_is_utm and not -80 <= self.latitude <= 84:
            yield 'UTM covers latitudes from -80 to 84 degrees'
        if self.world_is_utm and self.latitude == self.longitude == 0:
            yield 'world_is_utm needs latitude and longitude'


@dataclass(frozen=True)
class MarkerSpec(Spec):
    """Line for display only (`<marker>`), on `world_markers` for RViz."""

    kind: str = tag('text', 'line_strip', name='type', attribute=True, choices=('line_strip',),
                    doc='only line_strip')
    color: Colour = tag('colour', (1.0, 1.0, 1.0, 1.0), doc='colour')
    translation: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='m', doc='offset of all points')
    points: tuple[tuple[float, float, float], ...] = tag(
        'matrix', (), unit='m', doc='one `x y z` per line')

    def problems(self) -> Problems:
        if any(len(point) != 3 for point in self.points):
            yield 'points takes one `x y z` a line'


@dataclass(frozen=True)
class NamedPoseSpec(Spec):
    """
    Place with a name (`<named_pose>`), an addition to the format of MVSim.

    Clients read it by the services GetNamedPoses and GetNamedPoseBounds of simulation_interfaces.
    """

    name: str = tag('name', '', attribute=True, required=True, doc='name')
    pose: Pose = tag('pose', Pose(), required=True, unit='m, deg', doc='pose in the world')
    description: str = tag('text', '', doc='description in words')
    tags: tuple[str, ...] = tag('names', (), doc='purpose, such as `spawn` or `parking`')
    size: tuple[float, float, float] = tag('point3', (0.0, 0.0, 0.0), unit='m',
                                           doc='free box on the ground around it; zeros: unknown')

    def problems(self) -> Problems:
        if not self.name:
            yield 'give a named pose its name'
        if min(self.size) < 0.0 or 0.0 in self.size and any(self.size):
            yield 'size takes three lengths above 0'


MOST = 10_000  # objects at one time


@dataclass(frozen=True, eq=False)
class RuntimeObject:
    """
    Coloured triangles that cameras see; nothing touches them, and no LiDAR meets them.

    >>> import numpy as np
    >>> from mvsim_ros2 import Pose
    >>> from mvsim_ros2.world.spec import RuntimeObject
    >>> corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], float)
    >>> red = np.array([[1, 0, 0, 1]], float)
    >>> RuntimeObject('mark', Pose(x=2.0), corners, red).name
    'mark'
    """

    name: str
    pose: Pose  # of the frame of the corners, in the world
    corners: NDArray[np.float64]  # of triangles, shape (F, 3, 3) [m]
    colours: NDArray[np.float64]  # of the triangles: sRGB and opacity, 0 to 1, shape (F, 4)

    def __post_init__(self) -> None:
        """
        Check the arrays.

        :raises SceneError: where a shape is another one, or a number is not finite.
        """
        count = len(self.corners)
        if self.corners.shape != (count, 3, 3) or self.colours.shape != (count, 4):
            raise SceneError(f'object {self.name!r} has corners {self.corners.shape} and colours '
                             f'{self.colours.shape}: give shapes (F, 3, 3) and (F, 4)')
        if not (np.isfinite(self.corners).all() and np.isfinite(self.colours).all()):
            raise SceneError(f'object {self.name!r} has numbers that are not finite')
