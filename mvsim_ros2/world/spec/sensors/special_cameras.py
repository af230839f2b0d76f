# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cameras for heat and for events (`<sensor class="thermal_camera">` and `"event_camera"`)."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.fields import principal_point, Problems, tag
from mvsim_ros2.world.spec.sensors.base import sensor_pose, SensorSpec
from mvsim_ros2.world.spec.sensors.camera import MOST_PIXELS, OPTICAL_HALF_METRE_UP

_BYTES_A_PIXEL = 80  # rays, distances and what is measured


@dataclass(frozen=True)
class PinholeSpec(SensorSpec):
    """Common tags: an ideal lens; the pose is optical (z forward, x right, y down)."""

    pose: Pose = sensor_pose(OPTICAL_HALF_METRE_UP)
    ncols: int = tag('int', 320, unit='px', minimum=1, maximum=MOST_PIXELS, doc='width')
    nrows: int = tag('int', 240, unit='px', minimum=1, maximum=MOST_PIXELS, doc='height')
    cx: float = tag('float', 160.0, unit='px', doc='principal point')
    cy: float = tag('float', 120.0, unit='px', doc='principal point')
    fx: float = tag('float', 250.0, unit='px', above=0, doc='focal length')
    fy: float = tag('float', 250.0, unit='px', above=0, doc='focal length')
    clip_min: float = tag('float', 0.01, unit='m', above=0, doc='nearest depth seen')
    clip_max: float = tag(
        'float', 1e4, unit='m', above=0, over='clip_min', doc='farthest depth seen')
    ignore_parent_body: bool = tag('bool', False, doc='make its own vehicle invisible to the '
                                                      'sensor')

    @property
    def memory(self) -> float:
        return _BYTES_A_PIXEL * self.ncols * self.nrows

    def doubts(self) -> Problems:
        yield from principal_point(self)


@dataclass(frozen=True)
class ThermalCameraSpec(PinholeSpec):
    """
    Camera for heat radiation; `<material>` sets temperatures.

    >>> from mvsim_ros2.world.spec import ThermalCameraSpec
    >>> ThermalCameraSpec(name='heat', netd=0.03)  # measures ThermalImage
    ThermalCameraSpec(name='heat', netd=0.03)
    """

    XML_CLASS = 'thermal_camera'

    band_min: float = tag('float', 8.0, unit='um', above=0, doc='shortest wavelength')
    band_max: float = tag(
        'float', 14.0, unit='um', above=0, over='band_min', doc='longest wavelength')
    air_temperature: float = tag(
        'float', 293.15, unit='K', above=0,
        doc='temperature of surfaces without one in their material, and of reflected radiation')
    sky_temperature: float = tag('float', 250.0, unit='K', above=0, doc='what the sky looks like')
    netd: float = tag(
        'float', 0.05, unit='K', minimum=0, random=True, doc='noise of a temperature')
    resolution: float = tag(
        'float', 0.01, unit='K', above=0, doc='unit of the temperatures in messages')


@dataclass(frozen=True)
class EventCameraSpec(PinholeSpec):
    """
    Camera whose pixels report changes of the light as they happen.

    >>> from mvsim_ros2.world.spec import EventCameraSpec
    >>> EventCameraSpec(name='dvs', threshold_on=0.15)  # measures Events
    EventCameraSpec(name='dvs', threshold_on=0.15)
    """

    XML_CLASS = 'event_camera'

    renderer: str = tag('text', 'auto', choices=('auto', 'gl', 'cpu'),
                        doc='renderer of the images: OpenGL, rays on the processor, or automatic')
    samples: int = tag('int', 5, minimum=1, maximum=1000, doc='images per period; the logarithm '
                       'of the light is interpolated linearly between them')
    threshold_on: float = tag(
        'float', 0.2, above=0, doc='increase of the logarithm of the light that causes an event')
    threshold_off: float = tag('float', 0.2, above=0, doc='decrease of the logarithm of the light '
                                                          'that causes an event')
    threshold_sigma: float = tag('float', 0.03, minimum=0, random=True,
                                 doc='standard deviation of the thresholds of pixels')
    refractory_time: float = tag(
        'float', 0.0005, unit='s', minimum=0, doc='refractory time of a pixel after an event')
    cutoff: float = tag('float', 0.0, unit='Hz', minimum=0,
                        doc='bandwidth of a bright pixel; falls with its light; 0: no limit')
    leak_rate: float = tag(
        'float', 0.1, unit='Hz', minimum=0, random=True, doc='rate of leak events of a pixel')
    shot_noise_rate: float = tag(
        'float', 0.0, unit='Hz', minimum=0, random=True,
        doc='rate of noise events of a dark pixel; a quarter for a bright one')


SENSORS = ThermalCameraSpec, EventCameraSpec
