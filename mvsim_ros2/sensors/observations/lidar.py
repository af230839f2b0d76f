# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What LiDARs, radars and range finders measure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.sensors.observations.base import entry, Observation


@dataclass(frozen=True, eq=False)
class LaserScan2D(Observation):
    """
    One scan of a planar LiDAR.

    Ray i points to ``angle_min + i * angle_increment``, counter-clockwise from the x axis of the
    sensor.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> scan = simulation.measure('robot/scan')
    >>> scan.ranges.shape, round(float(scan.ranges[180]), 1)  # ahead is a box
    ((360,), 3.2)
    """

    angle_min: float = entry('bearing of the first ray', unit='rad', frame='sensor')
    angle_max: float = entry('bearing of the last ray', unit='rad', frame='sensor')
    angle_increment: float = entry('between rays', unit='rad')
    time_increment: float = entry('between rays, 0 where all were measured at once', unit='s')
    scan_time: float = entry('between scans', unit='s')
    range_min: float = entry('smallest range', unit='m')
    range_max: float = entry('largest range', unit='m')
    ranges: NDArray[np.float32] = entry(
        '+inf: nothing within reach, -inf: too close (REP-117)', '(rays,)', 'm', 'sensor')
    intensities: NDArray[np.float32] | None = entry(
        '255: a white surface that faces the sensor, 0: nothing; None where not asked for',
        '(rays,)', default=None)
    echoes: NDArray[np.float32] | None = entry(
        'range [m] and intensity of all returns of each ray, the strongest first; None where one '
        'is asked for', '(n, rays, 2)', frame='sensor', default=None)


@dataclass(frozen=True, eq=False)
class PointCloud(Observation):
    """
    Points of a LiDAR or a depth camera.

    The points are a structured array with the fields `x`, `y`, `z` [m] and others, as the sensor
    says: docs/lidars-3d.md.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> cloud = simulation.measure('robot/lidar')
    >>> cloud.points.dtype.names
    ('x', 'y', 'z', 'intensity', 'ring', 'time')
    >>> cloud.is_dense, bool((cloud.points['z'] < 2.5).all())
    (True, True)
    """

    points: NDArray[np.void] = entry(
        'or (rows, columns) where points are ordered; those that are missing are then NaN',
        '(n,)', 'm', 'frame_id')
    is_dense: bool = entry('whether no point is NaN')
    second: 'PointCloud | None' = entry(
        'next weaker return of each beam of an ordered cloud, None where there is none',
        default=None)


@dataclass(frozen=True, eq=False)
class RangeSample(Observation):
    """
    Distance to the nearest thing in a cone around the x axis of the sensor.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/sonar')
    >>> round(sample.distance, 1), sample.range_max
    (2.8, 4.0)
    """

    infrared: bool = entry('False: ultrasound')
    field_of_view: float = entry('whole angle of the cone', unit='rad')
    range_min: float = entry('smallest distance', unit='m')
    range_max: float = entry('largest distance', unit='m')
    distance: float = entry(
        '+inf: nothing within reach, -inf: too close (REP-117)', unit='m', frame='sensor')


@dataclass(frozen=True, eq=False)
class RadarDetections(Observation):
    """
    Detections of a radar.

    In messages `distance` is called `range`, `velocity` `doppler_velocity`; `snr` is `amplitude`
    there, and in dB as `rcs` is (dBsm).

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import RadarSpec, WorldSpec
    >>> seen = Simulation(WorldSpec(sensors=(RadarSpec(name='front'),))).measure('front')
    >>> len(seen.distance)  # nothing stands there
    0
    """

    distance: Array = entry('of what was met', '(n,)', 'm', 'sensor')
    azimuth: Array = entry('from x towards y', '(n,)', 'rad', 'sensor')
    elevation: Array = entry('from the xy plane upwards', '(n,)', 'rad', 'sensor')
    velocity: Array = entry(
        'along the ray, positive away from the sensor', '(n,)', 'm/s', 'sensor')
    rcs: Array = entry('radar cross-section', '(n,)', 'm^2')
    snr: Array = entry('signal to noise ratio', '(n,)')
    ghost: NDArray[np.bool_] = entry('whether it came over a wall, which is the truth', '(n,)')
