# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Magnetometer in the field of the Earth.

With declination D, inclination I and strength F the field is F (cos I sin D, cos I cos D,
-sin I) in east-north-up. Where they are not given they are those of a tilted dipole, the first
degree of the World Magnetic Model 2020 (NOAA), which can be 20 degrees off: give them where
that matters.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors.base import Mount
from mvsim_ros2.sensors.base import Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.navigation import geodesy
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.observations import MagneticSample
from mvsim_ros2.spec.sensors.air_and_field import MagnetometerSpec

Array = NDArray[np.float64]

_DIPOLE = np.array([-1450.7, 4652.9, -29404.5]) * 1e-9  # g11, h11, g10 of WMM2020 [T]
_RADIUS = 6371200.0  # m, of that model
_USUAL = 4.8e-5 * np.array([0.0, math.cos(math.radians(60)), -math.sin(math.radians(60))])


def dipole_field(place: Array) -> Array:
    """Return the field of the Earth's dipole at a geocentric place, geocentric axes [T]."""
    distance = float(np.linalg.norm(place))
    up = place / distance
    field: Array = (_RADIUS / distance) ** 3 * (3.0 * (_DIPOLE @ up) * up - _DIPOLE)
    return field


def earth_field(spec: MagnetometerSpec, reference: Georeference | None) -> Array:
    """Return the field in east-north-up [T]; what `spec` leaves open is that of the dipole."""
    field = _USUAL
    if reference is not None:
        latitude, longitude, _ = reference.geodetic(reference.origin)
        field = geodesy.enu_axes(latitude, longitude) @ dipole_field(
            reference.ecef(reference.origin))
    east, north, up = field.tolist()
    declination = math.atan2(east, north) if spec.declination is None else spec.declination
    inclination = (math.atan2(-up, math.hypot(east, north))
                   if spec.inclination is None else spec.inclination)
    strength = float(np.linalg.norm(field)) if spec.strength is None else spec.strength
    return strength * np.array([math.cos(inclination) * math.sin(declination),
                                math.cos(inclination) * math.cos(declination),
                                -math.sin(inclination)])


class Magnetometer(Sensor):
    """Magnetometer on a vehicle."""

    def __init__(self, spec: MagnetometerSpec, owner: str, random: np.random.Generator,
                 reference: Georeference | None = None) -> None:
        """
        Mount a magnetometer.

        :param random: source of its noise.
        :param reference: where on the Earth the world lies.
        """
        super().__init__(spec, owner)
        self._random = random
        heading = 0.0 if reference is None else reference.heading(reference.origin)
        self._field = earth_field(spec, reference) @ rotation_matrix(heading)  # in the world
        self._hard_iron = np.array(spec.hard_iron)
        self._noise = spec.std_noise
        self._covariance = spec.std_noise ** 2 * np.eye(3)
        self._covariance.flags.writeable = False

    def measure(self, stamp_ns: int, state: BodyState) -> MagneticSample:
        """Return the field in the sensor frame."""
        field = (self._field @ rotation_matrix(*state.pose[3:]) @ self.pose.rotation
                 + self._hard_iron + self._noise * self._random.standard_normal(3))
        return MagneticSample(self.name, self.frame_id, stamp_ns, field, self._covariance)


def make_magnetometer(mount: Mount) -> Magnetometer:
    """Return a magnetometer."""
    spec = mount.world.georeference
    return Magnetometer(mount.spec, mount.owner, mount.random,
                        None if spec is None else Georeference(spec))


MODELS = (SensorModel(spec=MagnetometerSpec, make=make_magnetometer),)
