# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Range finders with a wide beam, radars, rows of infrared detectors, readers of radio tags."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.fields import Problems, Spec, tag
from mvsim_ros2.world.spec.sensors.base import BYTES_A_RAY, sensor_pose, SensorSpec


@dataclass(frozen=True)
class RangeFinderSpec(SensorSpec):
    """Common tags: both measure the nearest object in a cone around the x axis of the sensor."""

    fov: float = tag('angle', 0.5235987755982988, name='fov_degrees', unit='deg', above=0,
                     maximum=180, doc='whole angle of the cone')
    rays: int = tag('int', 1001, minimum=1, maximum=100_000, doc='number of rays in the cone')
    min_range: float = tag('float', 0.02, unit='m', minimum=0,
                           doc='smallest range; nearer surfaces read as too close')
    max_range: float = tag('float', 4.0, unit='m', above=0, doc='largest range')
    range_std_noise: float = tag(
        'float', 0.01, unit='m', minimum=0, random=True, doc='noise of a range')
    grazing_angle: float = tag('angle', 0.0, name='grazing_angle_degrees', unit='deg', minimum=0,
                               maximum=90, doc='surfaces hit at a smaller angle return no echo')
    ignore_parent_body: bool = tag('bool', True, doc='make its own vehicle invisible to the '
                                                     'sensor')


@dataclass(frozen=True)
class SonarSpec(RangeFinderSpec):
    """
    Ultrasonic range finder.

    >>> from mvsim_ros2.world.spec import SonarSpec
    >>> SonarSpec(name='sonar', max_range=6.0)  # measures RangeSample
    SonarSpec(name='sonar', max_range=6)
    """

    XML_CLASS = 'sonar'

    grazing_angle: float = tag(
        'angle', 0.6981317007977318, name='grazing_angle_degrees', unit='deg', minimum=0,
        maximum=90, doc='surfaces hit at a smaller angle return no echo')


@dataclass(frozen=True)
class InfraredSpec(RangeFinderSpec):
    """
    Infrared range finder.

    >>> from mvsim_ros2.world.spec import InfraredSpec
    >>> InfraredSpec(name='infrared', min_range=0.05)  # measures RangeSample
    InfraredSpec(name='infrared', min_range=0.05)
    """

    XML_CLASS = 'infrared'

    fov: float = tag('angle', 0.05235987755982989, name='fov_degrees', unit='deg', above=0,
                     maximum=180, doc='whole angle of the cone')
    rays: int = tag('int', 37, minimum=1, maximum=100_000, doc='number of rays in the cone')
    min_range: float = tag(
        'float', 0.1, unit='m', minimum=0, doc='smallest range; nearer surfaces read as too close')
    max_range: float = tag('float', 0.8, unit='m', above=0, doc='largest range')


@dataclass(frozen=True)
class RadarSpec(SensorSpec):
    """
    Radar that gives detections with range, direction, Doppler velocity and cross-section.

    >>> from mvsim_ros2.world.spec import RadarSpec
    >>> RadarSpec(name='front', max_range=150.0)  # measures RadarDetections
    RadarSpec(name='front', max_range=150)
    """

    XML_CLASS = 'radar'

    fov: float = tag('angle', 2.0943951023931953, name='fov_degrees', unit='deg', above=0,
                     maximum=180, doc='horizontal field of view, around the x axis of the sensor')
    vert_fov: float = tag('angle', 0.17453292519943295, name='vert_fov_degrees', unit='deg',
                          above=0, maximum=90, doc='vertical field of view, around the same axis')
    horz_nrays: int = tag('int', 241, minimum=1, maximum=10_000, doc='columns of rays over the '
                          'field of view; each object has at least 16 over its width')
    vert_nrays: int = tag(
        'int', 9, minimum=1, maximum=1000, doc='rows of these rays; each object has at least 16')
    min_range: float = tag('float', 0.5, unit='m', minimum=0, doc='smallest range')
    max_range: float = tag(
        'float', 100.0, unit='m', above=0, over='min_range', doc='largest range')
    range_resolution: float = tag('float', 0.4, unit='m', above=0, doc='length of a cell')
    azimuth_resolution: float = tag(
        'angle', 0.03490658503988659, name='azimuth_resolution_degrees', unit='deg', above=0,
        maximum=90, doc='width of a cell')
    velocity_resolution: float = tag(
        'float', 0.1, unit='m/s', above=0, doc='size of a cell in Doppler velocity')
    detection_range: float = tag('float', 80.0, unit='m', above=0, doc='range at which a '
                                 'cross-section of detection_rcs is detected half of the time')
    detection_rcs: float = tag('float', 10.0, unit='dBsm', doc='cross-section for '
                                                               'detection_range, dB of 1 m^2')
    false_alarm_rate: float = tag(
        'float', 1e-6, above=0, maximum=0.1, doc='probability of a false alarm in a cell')
    surface_reflectivity: float = tag(
        'float', 0.2, minimum=0, maximum=1,
        doc='share of the power that surfaces scatter (Lambert); vehicles, of metal, scatter all')
    ghosts: float = tag('float', 0.0, minimum=0, maximum=1, doc='share of the power that surfaces '
                        'mirror, so that ghosts of objects appear behind walls; 0: off')
    noise: float = tag('float', 1.0, minimum=0, random=True,
                       doc='factor of the errors; 0: detects everything without errors')
    ignore_parent_body: bool = tag('bool', True, doc='make its own vehicle invisible to the '
                                                     'sensor')

    @property
    def memory(self) -> float:
        return 2.0 * BYTES_A_RAY * self.horz_nrays * self.vert_nrays


@dataclass(frozen=True)
class LineSensorSpec(SensorSpec):
    """
    Infrared detectors in a row, which look down at a line.

    >>> from mvsim_ros2.world.spec import LineSensorSpec
    >>> LineSensorSpec(name='line', detectors=5)  # measures LineSample
    LineSensorSpec(name='line', detectors=5)
    """

    XML_CLASS = 'line_sensor'

    pose: Pose = sensor_pose(Pose(z=0.01))
    detectors: int = tag('int', 8, minimum=1, maximum=1000, doc='number of detectors')
    spacing: float = tag(
        'float', 0.01, unit='m', above=0, doc='distance of neighbours, along y of the sensor')
    fov: float = tag('angle', 0.5235987755982988, name='fov_degrees', unit='deg', above=0,
                     maximum=120, doc='whole angle of the cone that a detector sees')
    rays: int = tag('int', 61, minimum=1, maximum=10_000, doc='number of rays in a cone')
    max_range: float = tag('float', 0.1, unit='m', above=0, doc='largest range')
    std_noise: float = tag('float', 0.01, minimum=0, random=True, doc='noise of a reading')

    @property
    def memory(self) -> float:
        return float(BYTES_A_RAY * self.rays * self.detectors)


@dataclass(frozen=True)
class RfidTagSpec(Spec):
    """A radio tag (`<tag>`) at a fixed position in the world."""

    number: int = tag(
        'int', 0, name='id', attribute=True, minimum=0, maximum=2**31 - 1, doc='its number')
    place: tuple[float, float, float] = tag('point3', (0.0, 0.0, 0.0), unit='m', attribute=True,
                                            required=True, doc='position in the world')


@dataclass(frozen=True)
class RfidSpec(SensorSpec):
    """
    Reader of radio tags that measures the strength of their signals.

    >>> from mvsim_ros2.world.spec import RfidSpec, RfidTagSpec
    >>> RfidSpec(name='reader', tags=(RfidTagSpec(7, (2.0, 0.0, 0.5)),))  # measures RfidReadings
    RfidSpec(name='reader', tags=(RfidTagSpec(number=7, place=(2, 0, 0.5)),))
    """

    XML_CLASS = 'rfid'

    tags: tuple[RfidTagSpec, ...] = tag(
        'specs', (RfidTagSpec(place=(0.0, 0.0, 0.5)),), name='tag', spec=RfidTagSpec,
        doc='tags; default: one 0.5 m above the origin')
    power_at_1m: float = tag('float', -45.0, unit='dBm', doc='signal of a tag at 1 m')
    path_loss_exponent: float = tag(
        'float', 2.0, above=0, doc='exponent of the path loss, 2 in free space')
    shadowing_std_noise: float = tag(
        'float', 3.0, unit='dB', minimum=0, random=True, doc='deviation of a signal')
    obstacle_loss: float = tag(
        'float', 10.0, unit='dB', minimum=0, doc='loss behind an obstacle')
    sensitivity: float = tag('float', -75.0, unit='dBm', doc='weakest signal that it detects')
    beam_width: float = tag(
        'angle', 0.0, name='beam_width_degrees', unit='deg', minimum=0, maximum=360,
        doc='angle between the half-power directions of the antenna, around the x axis of the '
            'sensor; 0: all directions are the same')
    ignore_parent_body: bool = tag('bool', True, doc='its own vehicle hides no tag')

    def problems(self) -> Problems:
        yield from super().problems()
        numbers = [each.number for each in self.tags]
        if len(set(numbers)) < len(numbers):
            yield 'its tags must have different ids: messages name them so'


SENSORS = SonarSpec, InfraredSpec, RadarSpec, LineSensorSpec, RfidSpec
