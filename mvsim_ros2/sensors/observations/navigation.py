# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of motion, position, air, field and contact."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import entry, Observation


@dataclass(frozen=True, eq=False)
class ImuSample(Observation):
    """
    Angular velocity and specific force.

    At rest on level ground the specific force is +g along z (REP-145).

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/imu')
    >>> round(float(sample.linear_acceleration[2]), 1), sample.orientation.shape
    (9.8, (4,))
    """

    angular_velocity: NDArray[np.float64] = entry('about x, y, z', '(3,)', 'rad/s', 'sensor')
    linear_acceleration: NDArray[np.float64] = entry('specific force', '(3,)', 'm/s^2', 'sensor')
    orientation: NDArray[np.float64] | None = entry(
        'quaternion x y z w of the sensor; None where not measured', '(4,)', frame='ENU')
    angular_velocity_covariance: NDArray[np.float64] = entry(
        'of a sample', '(3, 3)', 'rad^2/s^2', 'sensor')
    linear_acceleration_covariance: NDArray[np.float64] = entry(
        'of a sample', '(3, 3)', 'm^2/s^4', 'sensor')
    orientation_covariance: NDArray[np.float64] = entry('of a sample', '(3, 3)', 'rad^2', 'ENU')


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

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> fix = simulation.measure('robot/gnss')
    >>> fix.fix, round(fix.latitude, 4), round(fix.longitude, 4)
    (<FixType.RTK: 2>, 47.2692, 11.4041)
    """

    fix: FixType = entry('how well the position is known')
    latitude: float = entry('of the antenna', unit='deg', frame='WGS84')
    longitude: float = entry('of the antenna', unit='deg', frame='WGS84')
    altitude: float = entry('above the ellipsoid', unit='m', frame='WGS84')
    covariance: NDArray[np.float64] = entry('of the position', '(3, 3)', 'm^2', 'ENU')
    velocity: NDArray[np.float64] = entry('of the antenna', '(3,)', 'm/s', 'ENU')
    velocity_covariance: NDArray[np.float64] = entry('of the velocity', '(3, 3)', 'm^2/s^2', 'ENU')
    satellites: int | None = entry('used; None without `sky_view`', default=None)
    hdop: float | None = entry(
        'horizontal dilution of precision; None without `sky_view`', default=None)
    vdop: float | None = entry('vertical; the same', default=None)


@dataclass(frozen=True, eq=False)
class MagneticSample(Observation):
    """
    Magnetic field of the Earth.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/magnetometer')
    >>> (sample.field * 1e6).round().tolist()  # north is to the left, and down
    [1.0, 22.0, -44.0]
    """

    field: NDArray[np.float64] = entry('along x, y, z', '(3,)', 'T', 'sensor')
    covariance: NDArray[np.float64] = entry('of a sample', '(3, 3)', 'T^2', 'sensor')


@dataclass(frozen=True, eq=False)
class PressureSample(Observation):
    """
    Pressure of the air.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/barometer')
    >>> round(sample.pressure, -2)
    94600.0
    """

    pressure: float = entry('at the sensor', unit='Pa')
    variance: float = entry('of a sample', unit='Pa^2')


@dataclass(frozen=True, eq=False)
class UwbRanges(Observation):
    """
    Distances to the anchors that answered.

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import UwbAnchorSpec, UwbSpec, WorldSpec
    >>> tag = UwbSpec(name='tag', anchors=(UwbAnchorSpec(1, (3.0, 4.0, 0.0)),))
    >>> ranges = Simulation(WorldSpec(sensors=(tag,))).measure('tag')
    >>> ranges.anchors.tolist(), round(float(ranges.ranges[0]))
    ([1], 5)
    """

    anchors: NDArray[np.int64] = entry('numbers of the anchors', '(n,)')
    places: NDArray[np.float64] = entry('where they stand', '(n,3)', 'm', 'world')
    ranges: NDArray[np.float64] = entry('measured distances', '(n,)', 'm')
    in_view: NDArray[np.bool_] = entry(
        'whether nothing stands between, which is the truth', '(n,)')
    noise: float = entry('standard deviation in free sight', unit='m')


@dataclass(frozen=True, eq=False)
class EncoderSample(Observation):
    """
    Counts of the wheel encoders of a vehicle.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.vehicles['robot'].set_twist(0.5, 0.0)
    >>> simulation.run(1.0)
    >>> sample = simulation.measure('robot/wheels')
    >>> sample.ticks.tolist(), sample.angle.round(1).tolist()
    ([1338, 1338], [2.1, 2.1])
    """

    names: tuple[str, ...] = entry('of the joints, in the order of the wheels')
    ticks: NDArray[np.int64] = entry('since the start', '(wheels,)')
    angle: NDArray[np.float64] = entry(
        'the same as an angle, positive forward', '(wheels,)', 'rad')
    rate: NDArray[np.float64] = entry(
        'mean since the last measurement, by the ticks', '(wheels,)', 'rad/s')


@dataclass(frozen=True, eq=False)
class ContactSample(Observation):
    """
    Whether something touches a bumper, and where.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/bumper')
    >>> sample.pressed, sample.points.shape
    (False, (0, 2))
    """

    pressed: bool = entry('whether there is a point')
    points: NDArray[np.float64] = entry('x, y of each contact', '(n, 2)', 'm', 'vehicle')
