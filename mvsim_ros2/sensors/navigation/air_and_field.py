# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Barometer in the standard atmosphere, and magnetometer in the field of the Earth.

In the troposphere, at the height h, the pressure is p0 (1 - L h / T0)^(g M / (R L)) (ISO 2533,
International Standard Atmosphere).

With declination D, inclination I and strength F the field is F (cos I sin D, cos I cos D, -sin I)
in east-north-up. By default they come from the World Magnetic Model of NOAA and the British
Geological Survey, at georeference and date.
"""

import logging
import math

import numpy as np

from mvsim_ros2.frames import Array, rotation_matrix
from mvsim_ros2.sensors import (
    BodyState, MagneticSample, Mount, PressureSample, Sensor, SensorModel)
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.world.spec import BarometerSpec, MagnetometerSpec

_LOG = logging.getLogger(__name__)
_LAPSE, _TEMPERATURE = 0.0065, 288.15  # K/m, K
_EXPONENT = 9.80665 * 0.028964420 / (8.31432 * _LAPSE)
_LAST_YEAR = math.nextafter(2030.0, 0.0)  # whose model is that of 2025, to its end
_USUAL = 4.8e-5 * np.array([0.0, math.cos(math.radians(60)), -math.sin(math.radians(60))])


def standard_pressure(height: float, sea_level: float = 101325.0) -> float:
    """Return the pressure [Pa] at a height [m] from -2 to 11 km."""
    return float(sea_level * (1.0 - _LAPSE * height / _TEMPERATURE) ** _EXPONENT)


class Barometer(Sensor):
    """Barometer on a vehicle; the world lies as high as its georeference says."""

    MEMORY = ('drift',)

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec, reference = mount.spec, mount.world.georeference
        self._random = mount.random
        self._ground = 0.0  # height of z = 0 of the world [m]
        if reference is not None:
            self._ground = reference.height - float(Georeference(reference).origin[2])
        self._sea_level, self._noise = spec.sea_level_pressure, spec.std_noise
        self._walk = spec.drift_noise * math.sqrt(1e-9 * self.period_ns)
        self.drift = 0.0  # Pa

    def measure(self, stamp_ns: int, state: BodyState) -> PressureSample:
        """Return the pressure; the drift takes one step."""
        height = float(state.pose[2] + rotation_matrix(*state.pose[3:])[2] @ self.pose.position)
        step, white = self._random.standard_normal(2).tolist()
        self.drift += self._walk * step
        pressure = (standard_pressure(self._ground + height, self._sea_level) + self.drift
                    + self._noise * white)
        return PressureSample(self.name, self.frame_id, stamp_ns, pressure, self._noise ** 2)

    def reset(self) -> None:
        self.drift = 0.0


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
    """Return the field in east-north-up [T]; the model fills in values that `spec` lacks."""
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

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount.spec, mount.owner)
        spec: MagnetometerSpec = mount.spec
        place = mount.world.georeference
        reference = None if place is None else Georeference(place)
        heading = reference.heading(reference.origin) if reference else 0.0
        self._random = mount.random
        self._field = earth_field(spec, reference) @ rotation_matrix(heading)  # in the world
        self._hard_iron, self._noise = np.array(spec.hard_iron), spec.std_noise
        self._covariance = spec.std_noise ** 2 * np.eye(3)
        self._covariance.flags.writeable = False

    def measure(self, stamp_ns: int, state: BodyState) -> MagneticSample:
        field = (self._field @ rotation_matrix(*state.pose[3:]) @ self.pose.rotation
                 + self._hard_iron + self._noise * self._random.standard_normal(3))
        return MagneticSample(self.name, self.frame_id, stamp_ns, field, self._covariance)


MODELS = (SensorModel(spec=BarometerSpec, make=Barometer),
          SensorModel(spec=MagnetometerSpec, make=Magnetometer))
