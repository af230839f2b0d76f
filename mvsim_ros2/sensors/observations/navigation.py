# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of motion, position, air, field and contact."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import Observation


@dataclass(frozen=True, eq=False)
class ImuSample(Observation):
    """
    Angular velocity and specific force.

    At rest on level ground the specific force is +g along z (REP-145).

    ==============================  ======  =======  =========  ======  ===========================
    field                           shape   dtype    unit       frame   meaning
    ==============================  ======  =======  =========  ======  ===========================
    angular_velocity                (3,)    float64  rad/s      sensor  about x, y, z
    linear_acceleration             (3,)    float64  m/s^2      sensor  specific force
    orientation                     (4,)    float64             ENU     quaternion x y z w of the
                                                                        sensor; None where not
                                                                        measured
    angular_velocity_covariance     (3, 3)  float64  rad^2/s^2  sensor  of a sample
    linear_acceleration_covariance  (3, 3)  float64  m^2/s^4    sensor  of a sample
    orientation_covariance          (3, 3)  float64  rad^2      ENU     of a sample
    ==============================  ======  =======  =========  ======  ===========================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/imu')
    >>> round(float(sample.linear_acceleration[2]), 1), sample.orientation.shape
    (9.8, (4,))
    """

    angular_velocity: NDArray[np.float64]
    linear_acceleration: NDArray[np.float64]
    orientation: NDArray[np.float64] | None
    angular_velocity_covariance: NDArray[np.float64]
    linear_acceleration_covariance: NDArray[np.float64]
    orientation_covariance: NDArray[np.float64]


class FixType(IntEnum):
    """
    Kind of a position fix, numbered as in sensor_msgs/NavSatStatus.

    That has none for `FLOAT`, which is 2 in messages.
    """

    NONE = -1
    SINGLE = 0  # on its own
    DIFFERENTIAL = 1  # with corrections from satellites
    RTK = 2  # with corrections from a base on the ground
    FLOAT = 3  # the same, before the ambiguities of the carrier are fixed


@dataclass(frozen=True, eq=False)
class GnssFix(Observation):
    """
    Geodetic position on WGS84 and velocity; NaN where there is no fix.

    ===================  ======  =======  =======  =====  ==============================
    field                shape   dtype    unit     frame  meaning
    ===================  ======  =======  =======  =====  ==============================
    fix                          FixType                  how well the position is known
    latitude                     float    deg      WGS84  of the antenna
    longitude                    float    deg      WGS84  of the antenna
    altitude                     float    m        WGS84  above the ellipsoid
    covariance           (3, 3)  float64  m^2      ENU    of the position
    velocity             (3,)    float64  m/s      ENU    of the antenna
    velocity_covariance  (3, 3)  float64  m^2/s^2  ENU    of the velocity
    satellites                   int                      used; None without `sky_view`
    hdop                         float                    horizontal dilution of precision; None
                                                          without `sky_view`
    vdop                         float                    vertical; the same
    ===================  ======  =======  =======  =====  ==============================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> fix = simulation.measure('robot/gnss')
    >>> fix.fix, round(fix.latitude, 4), round(fix.longitude, 4)
    (<FixType.RTK: 2>, 47.2692, 11.4041)
    """

    fix: FixType
    latitude: float
    longitude: float
    altitude: float
    covariance: NDArray[np.float64]
    velocity: NDArray[np.float64]
    velocity_covariance: NDArray[np.float64]
    satellites: int | None = None
    hdop: float | None = None
    vdop: float | None = None


@dataclass(frozen=True, eq=False)
class MagneticSample(Observation):
    """
    Magnetic field of the Earth.

    ==========  ======  =======  ====  ======  =============
    field       shape   dtype    unit  frame   meaning
    ==========  ======  =======  ====  ======  =============
    field       (3,)    float64  T     sensor  along x, y, z
    covariance  (3, 3)  float64  T^2   sensor  of a sample
    ==========  ======  =======  ====  ======  =============

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/magnetometer')
    >>> (sample.field * 1e6).round().tolist()  # north is to the left, and down
    [1.0, 22.0, -44.0]
    """

    field: NDArray[np.float64]
    covariance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PressureSample(Observation):
    """
    Pressure of the air.

    ========  =====  =====  ====  =====  =============
    field     shape  dtype  unit  frame  meaning
    ========  =====  =====  ====  =====  =============
    pressure         float  Pa           at the sensor
    variance         float  Pa^2         of a sample
    ========  =====  =====  ====  =====  =============

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/barometer')
    >>> round(sample.pressure, -2)
    94600.0
    """

    pressure: float
    variance: float


@dataclass(frozen=True, eq=False)
class UwbRanges(Observation):
    """
    Distances to the anchors that answered.

    =======  =====  =======  ====  =====  =====================================================
    field    shape  dtype    unit  frame  meaning
    =======  =====  =======  ====  =====  =====================================================
    anchors  (n,)   int64                 numbers of the anchors
    places   (n,3)  float64  m     world  where they stand
    ranges   (n,)   float64  m            measured distances
    in_view  (n,)   bool                  whether nothing stands between, which is the truth
    noise           float    m            standard deviation in free sight
    =======  =====  =======  ====  =====  =====================================================

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import UwbAnchorSpec, UwbSpec, WorldSpec
    >>> tag = UwbSpec(name='tag', anchors=(UwbAnchorSpec(1, (3.0, 4.0, 0.0)),))
    >>> ranges = Simulation(WorldSpec(sensors=(tag,))).measure('tag')
    >>> ranges.anchors.tolist(), round(float(ranges.ranges[0]))
    ([1], 5)
    """

    anchors: NDArray[np.int64]
    places: NDArray[np.float64]
    ranges: NDArray[np.float64]
    in_view: NDArray[np.bool_]
    noise: float


@dataclass(frozen=True, eq=False)
class EncoderSample(Observation):
    """
    Counts of the wheel encoders of a vehicle.

    =====  =========  =======  =====  =====  =============================================
    field  shape      dtype    unit   frame  meaning
    =====  =========  =======  =====  =====  =============================================
    names             tuple                  of the joints, in the order of the wheels
    ticks  (wheels,)  int64                  since the start
    angle  (wheels,)  float64  rad           the same as an angle, positive forward
    rate   (wheels,)  float64  rad/s         mean since the last measurement, by the ticks
    =====  =========  =======  =====  =====  =============================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.vehicles['robot'].set_twist(0.5, 0.0)
    >>> simulation.run(1.0)
    >>> sample = simulation.measure('robot/wheels')
    >>> sample.ticks.tolist(), sample.angle.round(1).tolist()
    ([1338, 1338], [2.1, 2.1])
    """

    names: tuple[str, ...]
    ticks: NDArray[np.int64]
    angle: NDArray[np.float64]
    rate: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactSample(Observation):
    """
    Whether something touches a bumper, and where.

    =======  ======  =======  ====  =======  ========================
    field    shape   dtype    unit  frame    meaning
    =======  ======  =======  ====  =======  ========================
    pressed          bool                    whether there is a point
    points   (n, 2)  float64  m     vehicle  x, y of each contact
    =======  ======  =======  ====  =======  ========================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/bumper')
    >>> sample.pressed, sample.points.shape
    (False, (0, 2))
    """

    pressed: bool
    points: NDArray[np.float64]
