# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Weather, and how much light it takes away.

The meteorological optical range V describes fog and dust: 5 % of the light of 550 nm is left
there. The extinction is -ln(0.05) / V (WMO No. 8, Guide to Instruments and Methods of Observation,
part I, chapter 9). At other wavelengths it is smaller in fog by (wavelength / 550 nm)^q. The q is
from Kim, McArthur and Korevaar (Comparison of laser beam propagation at 785 nm and 1550 nm in fog
and haze, Proc. SPIE 4214, 2001); the grains of dust are larger than any wavelength.

Rain has the drops of Marshall and Palmer (The distribution of raindrops with size, J. Meteorology
5, 1948): N(D) = 8000 exp(-4.1 R^-0.21 D) in each m^3 and mm of diameter, at R mm/h. They are much
larger than a wavelength, so that the extinction is twice their cross-section:
integral of pi D^2 / 2 N(D) dD. That of snow is a S^b dB/km of Recommendation ITU-R P.1814-0 (and
P.1817-1, table 2) at S mm/h, for dry or for wet snow.
"""

from dataclasses import dataclass
import math

from mvsim_ros2.world.spec.fields import Spec, tag

VISIBLE = 550e-9  # m; wavelength that visibilities are meant for
_LEFT = -math.log(0.05)  # optical depth of the meteorological optical range
_PER_DECIBEL = math.log(10.0) / 10.0 / 1000.0  # 1/m of 1 dB/km
DROPS = 8000.0  # 1/(m^3 mm)


@dataclass(frozen=True)
class WeatherSpec(Spec):
    """
    Weather of the world (`<weather>`), the same everywhere; LiDARs and cameras see it.

    >>> from mvsim_ros2.world.spec import WeatherSpec
    >>> round(WeatherSpec(fog_visibility=100.0).extinction(), 4)
    0.03
    """

    rain: float = tag(
        'float', 0.0, unit='mm/h', attribute=True, minimum=0, maximum=300, doc='rain')
    snow: float = tag('float', 0.0, unit='mm/h', attribute=True, minimum=0, maximum=50,
                      doc='snow, as the water that it melts to')
    snow_is_wet: bool = tag(
        'bool', False, attribute=True, doc='snow near the melting point, whose flakes are dense')
    water_film: float | None = tag(
        'float', None, unit='mm', attribute=True, minimum=0, maximum=10,
        doc='water on the ground, from which wheels throw spray where there are particles; '
        'default: what the rain makes')
    particles: bool = tag(
        'bool', False, attribute=True, doc='drops and flakes that all cameras and LiDARs in space '
        'see at the same places; false: LiDARs draw their echoes by chance, cameras see none')
    fog_visibility: float | None = tag('float', None, unit='m', attribute=True, minimum=1,
                                       doc='meteorological optical range in fog; default: no fog')
    dust_visibility: float | None = tag(
        'float', None, unit='m', attribute=True, minimum=1,
        doc='meteorological optical range in dust; default: no dust')

    @property
    def is_clear(self) -> bool:
        """Return whether there is nothing in the air."""
        return (self.rain == self.snow == 0.0 and self.fog_visibility is None
                and self.dust_visibility is None and not self.shows_particles)

    @property
    def shows_particles(self) -> bool:
        """Return whether something falls, or is thrown up, that has places."""
        return self.particles and self.rain + self.snow + (self.water_film or 0.0) > 0.0

    def extinction(self, wavelength: float = VISIBLE) -> float:
        """
        Return the extinction [1/m]: of light exp(-extinction d) is left after a distance d.

        :param wavelength: m.
        """
        return (fog_extinction(self.fog_visibility, wavelength)
                + dust_extinction(self.dust_visibility) + rain_extinction(self.rain)
                + snow_extinction(self.snow, self.snow_is_wet, wavelength))


FINE = WeatherSpec()


def fog_extinction(visibility: float | None, wavelength: float = VISIBLE) -> float:
    """
    Return the extinction of fog [1/m].

    :param visibility: m; None: there is none.
    :param wavelength: m.
    """
    if visibility is None:
        return 0.0
    km = 1e-3 * visibility
    if km > 50.0:
        size = 1.6
    elif km > 6.0:
        size = 1.3
    elif km > 1.0:
        size = 0.16 * km + 0.34
    else:
        size = max(0.0, km - 0.5)
    return float(_LEFT / visibility * (wavelength / VISIBLE) ** -size)


def dust_extinction(visibility: float | None) -> float:
    """
    Return the extinction of dust [1/m].

    :param visibility: m; None: there is none.
    """
    return 0.0 if visibility is None else _LEFT / visibility


def rain_slope(rate: float) -> float:
    """
    Return how fast drops get fewer with their diameter [1/mm].

    :param rate: mm/h, above 0.
    """
    return float(4.1 * rate ** -0.21)


def rain_extinction(rate: float) -> float:
    """
    Return the extinction of rain [1/m].

    :param rate: mm/h.
    """
    return 1e-6 * math.pi * DROPS / rain_slope(rate) ** 3 if rate > 0.0 else 0.0


def snow_extinction(rate: float, is_wet: bool, wavelength: float = VISIBLE) -> float:
    """
    Return the extinction of snow [1/m].

    :param rate: mm/h of water.
    :param wavelength: m.
    """
    if rate == 0.0:
        return 0.0
    nanometres = 1e9 * wavelength
    factor, power = ((1.023e-4 * nanometres + 3.7855466, 0.72) if is_wet
                     else (5.42e-5 * nanometres + 5.4958776, 1.38))
    return float(_PER_DECIBEL * factor * rate ** power)


@dataclass(frozen=True)
class AirSpec(Spec):
    """
    Density and wind (`<air>`).

    They act on vehicles with `<aerodynamics>` in mode `physical`. Meshes with `<sways>` sway in
    the wind.
    """

    density: float = tag('float', 1.225, unit='kg/m^3', attribute=True, minimum=0,
                         doc='density; default: standard atmosphere at sea level')
    wind: tuple[float, float] = tag(
        'point2', (0.0, 0.0), unit='m/s', attribute=True, doc='velocity of the air, world frame')
