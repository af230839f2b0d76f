# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""LiDARs (`<sensor class="laser">` and `"lidar3d"`)."""

from dataclasses import dataclass, replace
import math

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import Colour, colour, Resource
from mvsim_ros2.world.spec.fields import Problems, tag, Unused
from mvsim_ros2.world.spec.sensors.base import BYTES_A_RAY, sensor_pose, SensorSpec

# why nothing acts on a tag, see `Tag.idle`
RAYS = 'each ray is cast exactly, without a depth image'
_FULL_CIRCLE = 2 * math.pi - 1e-6  # rad
DRAWN = 'the window has switches and colours for what LiDARs measure, RViz its displays'


@dataclass(frozen=True)
class LaserSpec(SensorSpec):
    """
    Planar LiDAR (laser scanner).

    >>> from mvsim_ros2.world.spec import LaserSpec
    >>> LaserSpec(name='scan', nrays=360, max_range=30.0)  # measures LaserScan2D
    LaserSpec(name='scan', nrays=360, max_range=30)
    """

    XML_CLASS = 'laser'

    pose: Pose = sensor_pose(Pose(z=0.05))
    fov: float = tag('angle', 3.141592653589793, name='fov_degrees', unit='deg', above=0,
                     maximum=360, doc='field of view, centred on the x axis of the sensor')
    start_angle: float | None = tag(
        'angle', None, name='start_angle_deg', unit='deg', minimum=-360, maximum=360,
        doc='bearing of the first ray, at the right end of the field of view; default: field of '
            'view centred, a full circle starts behind')
    nrays: int = tag('int', 181, minimum=1, maximum=1_000_000, doc='rays of a scan')
    closed_circle: bool = tag('bool', False, doc='true: a scan of 360 degrees repeats its first '
                              'ray at the end, as in MVSim and l360 scanners; false: no ray twice')
    height: float | None = tag('float', None, unit='m', doc='z of the sensor, overrides the pose')
    range_std_noise: float = tag(
        'float', 0.01, unit='m', minimum=0, random=True, doc='noise of a range')
    angle_std_noise: float = tag(
        'angle', 0.00017453292519943296, name='angle_std_noise_deg', unit='deg', minimum=0,
        random=True, doc='noise of the bearing of a ray')
    min_range: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='smallest range; nearer surfaces read as too close')
    max_range: float = tag(
        'float', 80.0, unit='m', above=0, over='min_range', doc='largest range')
    rolling: bool = tag(
        'bool', False, doc='true: the beam turns once per period, as in a rotating scanner')
    renderer: str = tag('text', 'auto', choices=('auto', 'gl', 'cpu'),
                        idle='the processor casts all rays', doc='program that casts the rays')
    bodies_visible: bool = tag('bool', True, doc='false: only occupancy grids are visible')
    raytrace_3d: bool | None = tag(
        'choice', None, doc='measure in 3D instead of in the plane; auto: only in mode '
        '`physical`, on uneven ground, with a tilted sensor or with translucent objects')
    ignore_parent_body: bool = tag('bool', False, doc='make its own vehicle invisible to the '
                                   'sensor (with raytrace_3d; a planar scan never sees it)')
    generate_intensity: bool = tag(
        'bool', True, doc='add intensities by reflectivity and incidence, 0 to 255')
    returns: int = tag('int', 1, minimum=1, maximum=3, doc='number of echoes of a split beam, on '
                       'a separate topic; with beam_samples')
    beam_samples: int = tag('int', 1, minimum=1, maximum=64, doc='rays over the width of a beam, '
                            'for mixed echoes; 1: only its middle; with raytrace_3d')
    beam_divergence: float = tag(
        'angle', 0.003, name='beam_divergence_degrees', unit='deg', minimum=0, maximum=5,
        doc='full opening angle of a beam, for beam_samples, mirrors and weather in 3D')
    return_separation: float = tag(
        'float', 0.5, unit='m', minimum=0, doc='smallest difference in range of two echoes')
    viz_visiblePoints: bool = tag('bool', False, idle=DRAWN, doc='draw the points')
    viz_visibleLines: bool = tag('bool', True, idle=DRAWN, doc='draw the rays')
    viz_visiblePlane: bool = tag('bool', False, idle=DRAWN, doc='draw the scanned area')
    viz_pointSize: float = tag('float', 3.0, unit='px', idle=DRAWN, doc='size of drawn points')
    viz_pointsColor: Colour = tag(
        'colour', colour('#ff000080'), idle=DRAWN, doc='colour of drawn points')
    viz_planeColor: Colour = tag(
        'colour', colour('#0000ff10'), idle=DRAWN, doc='colour of the drawn area')

    def __post_init__(self) -> None:
        """Let `height` override the pose."""
        if self.height is not None:
            object.__setattr__(self, 'pose', replace(self.pose, z=self.height))

    @property
    def angles(self) -> tuple[float, float]:
        """
        Bearing of the first ray, and angle from ray to ray [rad].

        Below a full circle the first and the last ray lie on the borders of the field of view. A
        full circle has no ray twice, unless it is closed. A single ray points ahead.
        """
        start = self.start_angle
        if self.nrays == 1:
            return start or 0.0, 0.0
        if self.fov >= _FULL_CIRCLE and not self.closed_circle:
            return -math.pi if start is None else start, 2 * math.pi / self.nrays
        return -self.fov / 2 if start is None else start, self.fov / (self.nrays - 1)

    @property
    def memory(self) -> float:
        return BYTES_A_RAY * self.nrays

    def problems(self) -> Problems:
        yield from super().problems()
        if self.beam_samples > 1 and not self.raytrace_3d:
            yield 'rays over the width of a beam are cast in space: set raytrace_3d to true'
        if self.returns > 1 and self.beam_samples < 3:
            yield ('several returns need rays over the width of a beam: set beam_samples, for '
                   'example to 7')


@dataclass(frozen=True)
class Lidar3dSpec(SensorSpec):
    """
    3D LiDAR: rotating, or with a rosette or another pattern.

    >>> from mvsim_ros2.world.spec import Lidar3dSpec
    >>> Lidar3dSpec(name='lidar', horz_nrays=900, returns=2)  # measures PointCloud
    Lidar3dSpec(name='lidar', horz_nrays=900, returns=2)
    """

    XML_CLASS = 'lidar3d'

    renderer: str = tag('text', 'auto', choices=('auto', 'gl', 'cpu'),
                        idle='the processor casts all rays', doc='program that casts the rays')
    range_std_noise: float = tag(
        'float', 0.01, unit='m', minimum=0, random=True, doc='noise of a range')
    angle_std_noise: float = tag('angle', 0.0, name='angle_std_noise_deg', unit='deg', minimum=0,
                                 random=True, doc='noise of the azimuth of a beam')
    min_range: float = tag('float', 0.01, unit='m', minimum=0, doc='smallest range')
    max_range: float = tag(
        'float', 80.0, unit='m', above=0, over='min_range', doc='largest range')
    vert_fov: float = tag(
        'angle', 0.5235987755982988, name='vert_fov_degrees', unit='deg', minimum=0,
        maximum=180, doc='vertical field of view, centred on the horizon')
    vert_nrays: int = tag('int', 16, minimum=1, maximum=65535, doc='number of rings')
    vertical_ray_angles: tuple[float, ...] = tag(
        'angles', (), unit='deg', doc='elevation of each ring, instead of an even spread')
    azimuth_offsets: tuple[float, ...] = tag(
        'angles', (), unit='deg', needs='pattern=rotating',
        doc='azimuth of each ring relative to its column, in the order of vertical_ray_angles or '
        'from the lowest ring. A shorter list whose length divides the number of rings repeats')
    firing_times: tuple[float, ...] = tag(
        'values', (), unit='s', needs='pattern=rotating', doc='firing time of each ring after its '
        'column, same order and repetition; default: all at once')
    beam_heights: tuple[float, ...] = tag(
        'values', (), unit='m', needs='pattern=rotating',
        doc='height of the origin of each ring, same order and repetition')
    beam_origin_radius: float = tag('float', 0.0, unit='m', minimum=0, needs='pattern=rotating',
                                    doc='distance of the origin of beams from the axis of '
                                    'rotation, in the direction of the column')
    rings_from_top: bool = tag(
        'bool', False, doc='number rings from the highest (as Ouster does) instead of the lowest')
    horz_nrays: int = tag('int', 180, minimum=1, maximum=100_000, doc='columns of a revolution')
    fov_nrays: int | None = tag('int', None, minimum=1, maximum=100_000, needs='pattern=rotating',
                                doc='number of columns from azimuth_min to azimuth_max, both '
                                'borders included, instead of a part of horz_nrays')
    azimuth_min: float = tag(
        'angle', -3.141592653589793, name='azimuth_min_degrees', unit='deg', minimum=-360,
        maximum=360, needs='pattern=rotating', doc='right border of the field of view')
    azimuth_max: float = tag(
        'angle', 3.141592653589793, name='azimuth_max_degrees', unit='deg', minimum=-360,
        maximum=360, over='azimuth_min', needs='pattern=rotating',
        doc='left border of the field of view')
    clockwise: bool = tag(
        'bool', True, needs='pattern=rotating', doc='sense of rotation, seen from above')
    pattern: str = tag('text', 'rotating', choices=('rotating', 'rosette', 'file'),
                       doc='scan pattern; rosette: continues from scan to scan, with horz_nrays * '
                       'vert_nrays points in each; file: from pattern_file')
    pattern_file: Resource | None = tag(
        'uri', None, needs='pattern=file', doc='CSV file with one beam per line: azimuth [deg], '
        'elevation [deg], time after the start [s] and optionally the ring. A pattern longer than '
        'a period continues in the next scan')
    rosette_fov: float = tag('angle', 0.0, name='rosette_fov_degrees', unit='deg', minimum=0,
                             maximum=170, needs='pattern=rosette',
                             doc='diameter of a round rosette; 0: a rosette around the horizon')
    rosette_elevation_min: float = tag(
        'angle', -0.12217304763960307, name='rosette_elevation_min_degrees', unit='deg',
        minimum=-90, maximum=90, needs='pattern=rosette',
        doc='lower border of a rosette around the horizon')
    rosette_elevation_max: float = tag(
        'angle', 0.9075712110370514, name='rosette_elevation_max_degrees', unit='deg', minimum=-90,
        maximum=90, over='rosette_elevation_min', needs='pattern=rosette',
        doc='upper border of a rosette around the horizon')
    rosette_rpm_1: float = tag(
        'float', 7294.0, unit='1/min', needs='pattern=rosette', doc='speed of the first prism')
    rosette_rpm_2: float = tag(
        'float', -4664.0, unit='1/min', needs='pattern=rosette', doc='speed of the second prism')
    rolling: bool = tag('bool', True, doc='true: columns fire over the period, and points have a '
                        'time; false: all beams at once, as in MVSim, without a time field')
    layout: str = tag(
        'text', 'velodyne', choices=('velodyne', 'ouster', 'hesai', 'robosense', 'livox', 'mvsim'),
        doc='fields of a point; mvsim: as in MVSim')
    organised: bool = tag('bool', False, doc='true: a row per ring and a point per beam, NaN '
                          'without a return; false: only returns')
    labels: bool = tag('bool', False, doc='add the fields label (class) and instance')
    horz_resolution_factor: float = tag(
        'float', 1.0, above=0, idle=RAYS, doc='resolution of the depth image of the original')
    vert_resolution_factor: float = tag(
        'float', 1.0, above=0, idle=RAYS, doc='resolution of the depth image of the original')
    max_vert_relative_depth_to_interpolate: float = tag(
        'float', 0.3, minimum=0, idle=RAYS, doc='interpolation of the original')
    max_horz_relative_depth_to_interpolate: float = tag(
        'float', 0.1, minimum=0, idle=RAYS, doc='interpolation of the original')
    ignore_parent_body: bool = tag('bool', False, doc='make its own vehicle invisible to the '
                                                      'sensor')
    generate_intensity: bool = tag(
        'bool', True, doc='compute intensities by reflectivity, incidence and range; false: 1')
    intensity_half_range: float = tag(
        'float', 0.0, unit='m', minimum=0, needs='generate_intensity',
        doc='range at which the intensity falls to one half; 0: constant')
    detection_range: float = tag('float', 0.0, unit='m', minimum=0, doc='range at which half of '
                                 'the returns of a facing surface with detection_reflectivity are '
                                 'lost; less for dark and oblique surfaces; 0: no losses')
    detection_reflectivity: float = tag(
        'float', 0.1, above=0, maximum=1, doc='reflectivity for detection_range')
    weak_range_std_noise: float = tag(
        'float', 0.0, unit='m', minimum=0, random=True, doc='additional range noise of an echo at '
        'the limit of detection; falls with the root of the power')
    grazing_angle: float = tag(
        'angle', 0.0, name='grazing_angle_degrees', unit='deg', minimum=0, maximum=90,
        doc='surfaces at a smaller angle to the beam are invisible')
    dropout: float = tag(
        'float', 0.0, minimum=0, maximum=1, random=True, doc='share of returns lost at random')
    returns: int = tag('int', 1, minimum=1, maximum=3,
                       doc='largest number of points of a split beam; 3 with beam_samples')
    beam_samples: int = tag(
        'int', 1, minimum=1, maximum=64, doc='rays over the width of a beam, for mixed echoes; 1: '
        'only its middle, and for two returns one on its edge')
    beam_divergence: float = tag(
        'angle', 0.003, name='beam_divergence_degrees', unit='deg', minimum=0, maximum=5,
        doc='full opening angle of a beam, for two returns, mirrors and weather')
    return_separation: float = tag(
        'float', 0.5, unit='m', minimum=0, doc='smallest difference in range of two returns')
    viz_pointSize: float = tag('float', 3.0, unit='px', idle=DRAWN, doc='size of drawn points')

    @property
    def memory(self) -> float:
        return BYTES_A_RAY * self.columns * self.vert_nrays * self.returns

    @property
    def column_step(self) -> float:
        """Angle from column to column [rad]."""
        if self.fov_nrays is None:
            return 2.0 * math.pi / self.horz_nrays
        return (self.azimuth_max - self.azimuth_min) / max(self.fov_nrays - 1, 1)

    @property
    def columns(self) -> int:
        """Columns in the field of view."""
        fov = self.azimuth_max - self.azimuth_min
        return self.fov_nrays or min(int(fov / self.column_step + 1e-9) + 1, self.horz_nrays)

    def without_effect(self) -> Unused:
        """Yield the count per revolution if the count of the field of view is given too."""
        if self.fov_nrays is not None and self.pattern == 'rotating':
            yield self, 'horz_nrays', 'fov_nrays says how many columns there are'

    def problems(self) -> Problems:
        yield from super().problems()
        angles = self.vertical_ray_angles
        if angles and len(angles) != self.vert_nrays:
            yield (f'vertical_ray_angles has {len(angles)} angles and vert_nrays is '
                   f'{self.vert_nrays}: they must agree')
        if len(set(angles)) < len(angles):
            yield 'the vertical_ray_angles must all be different'
        for name in ('azimuth_offsets', 'firing_times', 'beam_heights'):
            values = getattr(self, name)
            if values and self.vert_nrays % len(values):
                yield (f'{name} has {len(values)} values and vert_nrays is {self.vert_nrays}: '
                       'give one for each ring, or a number of them that divides the rings')
        column = self.sensor_period * self.column_step / (2.0 * math.pi)
        if any(not 0.0 <= time < column + 1e-9 for time in self.firing_times):
            yield (f'firing_times go from {min(self.firing_times):g} to '
                   f'{max(self.firing_times):g} s: they must lie between 0 and the time of a '
                   f'column, {column:g} s, the part of sensor_period in which the head turns '
                   'from one to the next')
        if self.azimuth_max - self.azimuth_min > 2.0 * math.pi + 1e-9:
            yield 'azimuth_min and azimuth_max are more than a full circle apart'
        if self.fov_nrays is None and max(-self.azimuth_min, self.azimuth_max) > math.pi + 1e-9:
            yield ('azimuth_min and azimuth_max go beyond 180 degrees: the columns of horz_nrays '
                   'lie between -180 and 180, give fov_nrays')
        if self.returns == 3 and self.beam_samples < 3:
            yield ('three returns need rays over the width of a beam: set beam_samples, for '
                   'example to 7')


SENSORS = LaserSpec, Lidar3dSpec
