# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What LiDARs, radars and range finders measure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.sensors.observations.base import Observation


@dataclass(frozen=True, eq=False)
class LaserScan2D(Observation):
    """
    One scan of a planar LiDAR.

    Ray i points to ``angle_min + i * angle_increment``, counter-clockwise from the x axis of the
    sensor.

    ===============  =======  =======  ====  ======  ==============================================
    field            shape    dtype    unit  frame   meaning
    ===============  =======  =======  ====  ======  ==============================================
    angle_min                 float    rad   sensor  bearing of the first ray
    angle_max                 float    rad   sensor  bearing of the last ray
    angle_increment           float    rad           between rays
    time_increment            float    s             between rays, 0 where all were measured at
                                                     once
    scan_time                 float    s             between scans
    range_min                 float    m             smallest range
    range_max                 float    m             largest range
    ranges           (rays,)  float32  m     sensor  +inf: nothing within reach, -inf: too close
                                                     (REP-117)
    intensities      (rays,)  float32                255: a white surface that faces the sensor,
                                                     0: nothing; None where not asked for
    echoes           (n,      float32        sensor  range [m] and intensity of all returns of each
                     rays,                           ray, the strongest first; None where one is
                     2)                              asked for
    ===============  =======  =======  ====  ======  ==============================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> scan = simulation.measure('robot/scan')
    >>> scan.ranges.shape, round(float(scan.ranges[180]), 1)  # ahead is a box
    ((360,), 3.2)
    """

    angle_min: float
    angle_max: float
    angle_increment: float
    time_increment: float
    scan_time: float
    range_min: float
    range_max: float
    ranges: NDArray[np.float32]
    intensities: NDArray[np.float32] | None = None
    echoes: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class PointCloud(Observation):
    """
    Points of a LiDAR or a depth camera.

    The points are a structured array with the fields `x`, `y`, `z` [m] and others, as the sensor
    says: docs/lidars-3d.md.

    ========  =====  ======  ====  ========  ======================================================
    field     shape  dtype   unit  frame     meaning
    ========  =====  ======  ====  ========  ======================================================
    points    (n,)   struct  m     frame_id  or (rows, columns) where points are ordered; those
                                             that are missing are then NaN
    is_dense         bool                    whether no point is NaN
    second           cloud                   next weaker return of each beam of an ordered cloud,
                                             None where there is none
    ========  =====  ======  ====  ========  ======================================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> cloud = simulation.measure('robot/lidar')
    >>> cloud.points.dtype.names
    ('x', 'y', 'z', 'intensity', 'ring', 'time')
    >>> cloud.is_dense, bool((cloud.points['z'] < 2.5).all())
    (True, True)
    """

    points: NDArray[np.void]
    is_dense: bool
    second: 'PointCloud | None' = None


@dataclass(frozen=True, eq=False)
class RangeSample(Observation):
    """
    Distance to the nearest thing in a cone around the x axis of the sensor.

    =============  =====  =====  ====  ======  ====================================================
    field          shape  dtype  unit  frame   meaning
    =============  =====  =====  ====  ======  ====================================================
    infrared              bool                 False: ultrasound
    field_of_view         float  rad           whole angle of the cone
    range_min             float  m             smallest distance
    range_max             float  m             largest distance
    distance              float  m     sensor  +inf: nothing within reach, -inf: too close
                                               (REP-117)
    =============  =====  =====  ====  ======  ====================================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/sonar')
    >>> round(sample.distance, 1), sample.range_max
    (2.8, 4.0)
    """

    infrared: bool
    field_of_view: float
    range_min: float
    range_max: float
    distance: float


@dataclass(frozen=True, eq=False)
class RadarDetections(Observation):
    """
    Detections of a radar.

    In messages `distance` is called `range`, `velocity` `doppler_velocity`; `snr` is `amplitude`
    there, and in dB as `rcs` is (dBsm).

    =========  =====  =======  ====  ======  ==================================================
    field      shape  dtype    unit  frame   meaning
    =========  =====  =======  ====  ======  ==================================================
    distance   (n,)   float64  m     sensor  of what was met
    azimuth    (n,)   float64  rad   sensor  from x towards y
    elevation  (n,)   float64  rad   sensor  from the xy plane upwards
    velocity   (n,)   float64  m/s   sensor  along the ray, positive away from the sensor
    rcs        (n,)   float64  m^2           radar cross-section
    snr        (n,)   float64                signal to noise ratio
    ghost      (n,)   bool                   whether it came over a wall, which is the truth
    =========  =====  =======  ====  ======  ==================================================

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import RadarSpec, WorldSpec
    >>> seen = Simulation(WorldSpec(sensors=(RadarSpec(name='front'),))).measure('front')
    >>> len(seen.distance)  # nothing stands there
    0
    """

    distance: Array
    azimuth: Array
    elevation: Array
    velocity: Array
    rcs: Array
    snr: Array
    ghost: NDArray[np.bool_]
