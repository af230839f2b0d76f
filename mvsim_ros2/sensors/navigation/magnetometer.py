# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Magnetometer in the field of the Earth.

With declination D, inclination I and strength F the field is F (cos I sin D, cos I cos D,
-sin I) in east-north-up. Where they are not given they are those of the World Magnetic Model of
NOAA and the British Geological Survey, at the georeference of the world and the given date.
"""

import logging
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors.base import Mount, Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.observations import MagneticSample
from mvsim_ros2.world.spec.sensors.air_and_field import MagnetometerSpec

Array = NDArray[np.float64]

_LOG = logging.getLogger(__name__)
_LAST_YEAR = math.nextafter(2030.0, 0.0)  # whose model is that of 2025, to its end
_USUAL = 4.8e-5 * np.array([0.0, math.cos(math.radians(60)), -math.sin(math.radians(60))])


def modelled_field(latitude: float, longitude: float, height: float, year: float) -> Array:
    """
    Return the field of the World Magnetic Model, east-north-up [T].

    :param latitude: geodetic [rad], as `longitude`.
    :param height: above the ellipsoid of WGS84 [m].
    :param year: with its fraction, for which there is a model.
    :raises ImportError: where pygeomag is not installed.
    """
    from pygeomag import GeoMag
    result = GeoMag(base_year=min(year, _LAST_YEAR)).calculate(
        math.degrees(latitude), math.degrees(longitude), 1e-3 * height, year)
    return 1e-9 * np.array([result.y, result.x, -result.z])


def earth_field(spec: MagnetometerSpec, reference: Georeference | None) -> Array:
    """Return the field in east-north-up [T]; what `spec` leaves open is that of the model."""
    field = _USUAL
    if reference is not None and None in (spec.declination, spec.inclination, spec.strength):
        try:
            field = modelled_field(*reference.geodetic(reference.origin), spec.date)
        except ImportError as error:
            _LOG.warning(
                '%s: %s needs pygeomag for the field of the Earth (%s), and points north and 60 '
                'degrees down instead: install it with "pip install pygeomag", or give '
                'declination_deg, inclination_deg and strength', spec.source, spec.name, error)
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
