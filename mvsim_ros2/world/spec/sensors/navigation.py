# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of the own motion and place (`<sensor class="imu">` and `"gnss"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import PerAxis, Problems, Spec, tag, Unused
from mvsim_ros2.world.spec.sensors.base import SensorSpec

_NO_BIAS = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ImuSpec(SensorSpec):
    """
    Inertial measurement unit: angular velocity and specific force in the sensor frame.

    >>> from mvsim_ros2.world.spec import ImuSpec
    >>> ImuSpec(name='imu', sensor_period=0.005, measure_orientation=True)  # measures ImuSample
    ImuSpec(name='imu', sensor_period=0.005, measure_orientation=True)
    """

    XML_CLASS = 'imu'

    angular_velocity_white_noise: PerAxis = tag(
        'axes', 2e-4, name='angular_velocity_white_noise_std_noise', unit='rad/s', minimum=0,
        aliases=('angular_velocity_std_noise',), random=True, doc='noise of a gyroscope sample')
    linear_acceleration_white_noise: PerAxis = tag(
        'axes', 0.017, name='linear_acceleration_white_noise_std_noise', unit='m/s^2',
        aliases=('linear_acceleration_std_noise',), minimum=0,
        random=True, doc='noise of an accelerometer sample')
    angular_velocity_noise_density: PerAxis | None = tag(
        'axes', None, unit='rad/s/sqrt(Hz)', minimum=0, random=True,
        doc='white noise of the gyroscope before its low-pass filter, as a two-sided density: its '
        'angle random walk. The one-sided density of a data sheet is sqrt(2) times as large')
    linear_acceleration_noise_density: PerAxis | None = tag(
        'axes', None, unit='m/s^2/sqrt(Hz)', minimum=0, random=True,
        doc='the same for the accelerometer: its velocity random walk')
    angular_velocity_bias_instability: PerAxis = tag(
        'axes', 0.0, unit='rad/s', minimum=0, random=True,
        doc='flicker of the gyroscope bias: the level at which its Allan deviation is flat')
    linear_acceleration_bias_instability: PerAxis = tag(
        'axes', 0.0, unit='m/s^2', minimum=0, random=True,
        doc='flicker of the accelerometer bias: the level at which its Allan deviation is flat')
    angular_velocity_random_walk: PerAxis = tag(
        'axes', 0.0, name='angular_velocity_random_walk_std_noise', unit='rad/s/sqrt(s)',
        minimum=0, random=True, doc='random walk of the gyroscope bias')
    linear_acceleration_random_walk: PerAxis = tag(
        'axes', 0.0, name='linear_acceleration_random_walk_std_noise',
        unit='m/s^2/sqrt(s)', minimum=0, random=True, doc='random walk of the accelerometer bias')
    angular_velocity_bias: tuple[float, float, float] = tag(
        'point3', _NO_BIAS, unit='rad/s', doc='bias of the gyroscope at the start')
    linear_acceleration_bias: tuple[float, float, float] = tag(
        'point3', _NO_BIAS, unit='m/s^2', doc='bias of the accelerometer at the start')
    angular_velocity_bias_noise: PerAxis = tag(
        'axes', 0.0, name='angular_velocity_bias_std_noise', unit='rad/s', minimum=0,
        random=True, doc='standard deviation of that bias between starts')
    linear_acceleration_bias_noise: PerAxis = tag(
        'axes', 0.0, name='linear_acceleration_bias_std_noise', unit='m/s^2', minimum=0,
        random=True, doc='standard deviation of that bias between starts')
    angular_velocity_scale: PerAxis = tag(
        'axes', 1.0, above=0, doc='scale factor of the gyroscope')
    linear_acceleration_scale: PerAxis = tag(
        'axes', 1.0, above=0, doc='scale factor of the accelerometer')
    angular_velocity_limit: PerAxis | None = tag(
        'axes', None, unit='rad/s', above=0, doc='largest absolute reading of an axis')
    linear_acceleration_limit: PerAxis | None = tag(
        'axes', None, unit='m/s^2', above=0, doc='largest absolute reading of an axis')
    angular_velocity_misalignment: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='rad',
        doc='misalignment of the gyroscope, small rotations about x, y and z')
    linear_acceleration_misalignment: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='rad',
        doc='misalignment of the accelerometer, small rotations about x, y and z')
    angular_velocity_g_sensitivity: PerAxis = tag(
        'axes', 0.0, unit='rad/s per m/s^2',
        doc='reading of a gyroscope axis per specific force along it')
    angular_velocity_bandwidth: float | None = tag(
        'float', None, unit='Hz', above=0,
        doc='cut-off frequency of the gyroscope (0.707 of a motion and of the noise of its '
            'density), below half of the sample rate; default: no low-pass filter')
    linear_acceleration_bandwidth: float | None = tag(
        'float', None, unit='Hz', above=0, doc='the same of the accelerometer')
    angular_velocity_resolution: PerAxis = tag(
        'axes', 0.0, unit='rad/s', minimum=0, doc='resolution of a reading, 0: continuous')
    linear_acceleration_resolution: PerAxis = tag(
        'axes', 0.0, unit='m/s^2', minimum=0, doc='resolution of a reading, 0: continuous')
    measure_orientation: bool = tag('bool', False, doc='give the orientation as well')
    orientation_std_noise: float = tag(
        'float', 0.005, unit='rad', minimum=0, random=True, doc='noise of the orientation')

    def problems(self) -> Problems:
        yield from super().problems()
        for name in ('angular_velocity_bandwidth', 'linear_acceleration_bandwidth'):
            bandwidth, highest = getattr(self, name), 0.5 / self.sensor_period
            if bandwidth is not None and bandwidth >= highest:
                yield (f'{name} is {bandwidth:g} Hz: samples every {self.sensor_period:g} s show '
                       f'what is below {highest:g} Hz only: lower it, or leave it out')

    def without_effect(self) -> Unused:
        """Yield tags without effect: the noise of a sample if a density is given too."""
        for what in ('angular_velocity', 'linear_acceleration'):
            if getattr(self, f'{what}_noise_density') is not None:
                yield self, f'{what}_white_noise', f'<{what}_noise_density> replaces it'


# kinds of fix of the original -> those here
FIX_TYPES = {'': '', 'no_fix': 'none', 'single': 'single', 'dgps': 'differential',
             'rtk_float': 'float', 'rtk_fixed': 'rtk'}


def fix_type() -> str:
    """Return the field `fix_type`."""
    field: str = tag('text', '', attribute=True, choices=tuple(FIX_TYPES),
                     doc='the same by the values of MVSim, overrides `fix`')
    return field


@dataclass(frozen=True)
class GnssEventSpec(Spec):
    """
    Change of the reception, at some times, in some places, or both.

    Missing attributes do not restrict it. The first active event sets the fix; the offsets of
    all active events add up.
    """

    fix: str = tag(
        'text', '', attribute=True, choices=('none', 'single', 'differential', 'float', 'rtk'),
        doc='kind of fix; default: from the receiver')
    start: float = tag('float', 0.0, unit='s', attribute=True, doc='simulated time')
    end: float | None = tag('float', None, unit='s', attribute=True, doc='simulated time')
    x_min: float | None = tag('float', None, unit='m', attribute=True, doc='place in the world')
    x_max: float | None = tag('float', None, unit='m', attribute=True, doc='place in the world')
    y_min: float | None = tag('float', None, unit='m', attribute=True, doc='place in the world')
    y_max: float | None = tag('float', None, unit='m', attribute=True, doc='place in the world')
    east: float = tag('float', 0.0, unit='m', attribute=True, doc='offset, as of multipath')
    north: float = tag('float', 0.0, unit='m', attribute=True, doc='offset')
    up: float = tag('float', 0.0, unit='m', attribute=True, doc='offset')
    noise_factor: float = tag(
        'float', 1.0, attribute=True, minimum=0, doc='factor of all noises of the receiver')
    outage: bool = tag(
        'bool', False, attribute=True, doc='no reception; overrides `fix` and `fix_type`')
    fix_type: str = fix_type()
    horizontal_std_noise: float | None = tag(
        'float', None, unit='m', attribute=True, minimum=0,
        doc='noise that replaces the noise of the receiver; the last event with one counts')
    vertical_std_noise: float | None = tag(
        'float', None, unit='m', attribute=True, minimum=0, doc='the same, height')
    offset: tuple[float, ...] = tag(
        'values', (), unit='m', attribute=True, doc='east, north and up, in place of these')

    def problems(self) -> Problems:
        if self.offset and len(self.offset) != 3:
            yield f'offset has {len(self.offset)} numbers: give three, east, north and up'
        if self.end is not None and self.end <= self.start:
            yield f'it ends at {self.end:g} s and starts at {self.start:g} s: make the end later'
        for axis, least, most in (('x', self.x_min, self.x_max), ('y', self.y_min, self.y_max)):
            if least is not None and most is not None and most <= least:
                yield (f'{axis}_max is {most:g} and {axis}_min is {least:g}: it would never '
                       'apply; exchange them')

    @property
    def reception(self) -> str:
        """Return the kind of fix, '' for the receiver's."""
        return 'none' if self.outage else FIX_TYPES[self.fix_type] or self.fix

    @property
    def shift(self) -> tuple[float, ...]:
        """Return the offset east, north, up [m]."""
        return self.offset or (self.east, self.north, self.up)


@dataclass(frozen=True)
class GnssSpec(SensorSpec):
    """
    Satellite navigation receiver; the sensor is the antenna.

    >>> from mvsim_ros2.world.spec import GnssSpec
    >>> GnssSpec(name='gnss', fix='rtk', horizontal_std_noise=0.01)  # measures GnssFix
    GnssSpec(name='gnss', horizontal_std_noise=0.01, fix='rtk')
    """

    XML_CLASS = 'gnss'

    horizontal_std_noise: float = tag(
        'float', 2.0, unit='m', minimum=0, random=True, doc='east, north')
    vertical_std_noise: float = tag('float', 4.0, unit='m', minimum=0, random=True, doc='height')
    horizontal_drift_noise: float = tag(
        'float', 0.0, name='horizontal_drift_std_noise', unit='m', minimum=0,
        random=True, doc='drifting error, east and north')
    vertical_drift_noise: float = tag('float', 0.0, name='vertical_drift_std_noise', unit='m',
                                      minimum=0, random=True, doc='drifting error, height')
    drift_time: float = tag(
        'float', 300.0, unit='s', above=0, doc='correlation time of a drift (falls to 1/e)')
    velocity_std_noise: float = tag(
        'float', 0.05, unit='m/s', minimum=0, random=True, doc='noise of the velocity')
    fix: str = tag('text', 'single', choices=('none', 'single', 'differential', 'float', 'rtk'),
                   doc='kind of fix without events; float: RTK before its ambiguities are fixed')
    fix_type: str = fix_type()
    shared_drift: bool = tag('bool', False, doc='true: all receivers with the same drift_time '
                             'share the drift, so that their relative positions are right')
    ambiguity_time: float = tag(
        'float', 0.0, unit='s', minimum=0, doc='time of good reception until an rtk receiver is '
        'fixed instead of float; 0: fixed at once')
    float_std_noise: float = tag(
        'float', 0.3, unit='m', minimum=0, random=True,
        doc='drifting error of a float fix, in addition to the other noises')
    sky_view: bool = tag(
        'bool', False, doc='true: simulate satellites that objects can hide; noise grows with the '
        'dilution of precision, a fix needs four satellites, rtk six')
    constellations: str = tag('text', 'gps', choices=('gps', 'gps_galileo'), needs='sky_view',
                              doc='satellites of sky_view')
    sky_time: float = tag('float', 0.0, unit='s', minimum=0, needs='sky_view',
                          doc='time of the satellites at the start of a run')
    elevation_mask: float = tag(
        'angle', 0.17453292519943295, name='elevation_mask_degrees', unit='deg', minimum=0,
        maximum=80, needs='sky_view', doc='elevation below which satellites are not used')
    multipath: float = tag('float', 0.0, minimum=0, maximum=0.95, doc='amplitude of signals '
                           'reflected by walls, relative to direct ones; 0: off; with sky_view')
    ignore_parent_body: bool = tag(
        'bool', True, doc='its own vehicle hides and reflects no satellites')
    events: tuple[GnssEventSpec, ...] = tag(
        'specs', (), name='event', spec=GnssEventSpec, doc='outages, offsets, other fixes')

    def problems(self) -> Problems:
        yield from super().problems()
        if self.multipath and not self.sky_view:
            yield 'multipath needs the satellites of sky_view: set that to true'
        if self.ambiguity_time and 'rtk' not in {
                self.reception, *(event.reception for event in self.events)}:
            yield (f'ambiguity_time is {self.ambiguity_time:g} s and fix is '
                   f'{self.reception!r}: only a fix of the kind rtk waits for its ambiguities; '
                   'set fix to rtk, or leave it out')

    @property
    def reception(self) -> str:
        """Return the kind of fix where no event says another."""
        return FIX_TYPES[self.fix_type] or self.fix


@dataclass(frozen=True)
class UwbAnchorSpec(Spec):
    """An anchor (`<anchor>`) at a fixed position in the world."""

    number: int = tag(
        'int', 0, name='id', attribute=True, minimum=0, maximum=65535, doc='its number')
    place: tuple[float, float, float] = tag('point3', (0.0, 0.0, 0.0), unit='m', attribute=True,
                                            required=True, doc='position in the world')


@dataclass(frozen=True)
class UwbSpec(SensorSpec):
    """
    Tag that measures its distances to anchors by two-way ranging in ultra-wideband.

    >>> from mvsim_ros2.world.spec import UwbAnchorSpec, UwbSpec
    >>> UwbSpec(name='tag', anchors=(UwbAnchorSpec(1, (5.0, 0.0, 2.0)),))  # measures UwbRanges
    UwbSpec(name='tag', anchors=(UwbAnchorSpec(number=1, place=(5, 0, 2)),))
    """

    XML_CLASS = 'uwb'

    anchors: tuple[UwbAnchorSpec, ...] = tag(
        'specs', (UwbAnchorSpec(place=(0.0, 0.0, 2.0)),), name='anchor', spec=UwbAnchorSpec,
        doc='anchors; default: one 2 m above the origin')
    max_range: float = tag('float', 60.0, unit='m', above=0, doc='range with a line of sight')
    range_std_noise: float = tag('float', 0.05, unit='m', minimum=0, random=True,
                                 doc='noise of a range with a line of sight')
    nlos_bias: float = tag(
        'float', 0.3, unit='m', minimum=0, random=True,
        doc='mean excess of a range behind an obstacle, exponentially distributed')
    nlos_range_factor: float = tag(
        'float', 0.5, minimum=0, maximum=1,
        doc='share of max_range that remains behind an obstacle; 0: no range')
    dropout: float = tag(
        'float', 0.0, minimum=0, maximum=1, random=True, doc='share of ranges lost at random')
    ignore_parent_body: bool = tag('bool', True, doc='its own vehicle hides no anchor')

    def problems(self) -> Problems:
        yield from super().problems()
        numbers = [anchor.number for anchor in self.anchors]
        if len(set(numbers)) < len(numbers):
            yield 'its anchors must have different ids: messages name them so'


@dataclass(frozen=True)
class MagnetometerSpec(SensorSpec):
    """
    Magnetometer in the field of the Earth.

    Missing values come from the World Magnetic Model at the georeference of the
    world; without a georeference it points north and 60 degrees down, with 48 uT.

    >>> from mvsim_ros2.world.spec import MagnetometerSpec
    >>> MagnetometerSpec(name='mag', sensor_period=0.05)  # measures MagneticSample
    MagnetometerSpec(name='mag', sensor_period=0.05)
    """

    XML_CLASS = 'magnetometer'

    declination: float | None = tag('angle', None, name='declination_deg', unit='deg',
                                    doc='angle from true north to the field, east positive')
    inclination: float | None = tag('angle', None, name='inclination_deg', unit='deg', minimum=-90,
                                    maximum=90, doc='angle from the horizon down to the field')
    strength: float | None = tag('float', None, unit='T', above=0, doc='strength of the field')
    date: float = tag('float', 2026.0, unit='year', minimum=2010, maximum=2030,
                      doc='decimal year for the World Magnetic Model')
    std_noise: float = tag(
        'float', 3e-7, unit='T', minimum=0, random=True, doc='noise of a sample')
    hard_iron: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='T', doc='magnetic field of the vehicle, sensor frame')


@dataclass(frozen=True)
class BarometerSpec(SensorSpec):
    """
    Barometer in the standard atmosphere.

    >>> from mvsim_ros2.world.spec import BarometerSpec
    >>> BarometerSpec(name='pressure', std_noise=1.0)  # measures PressureSample
    BarometerSpec(name='pressure', std_noise=1)
    """

    XML_CLASS = 'barometer'

    sea_level_pressure: float = tag(
        'float', 101325.0, unit='Pa', above=0, doc='pressure at height 0')
    std_noise: float = tag(
        'float', 5.0, unit='Pa', minimum=0, random=True, doc='noise of a sample')
    drift_noise: float = tag('float', 0.0, name='drift_std_noise', unit='Pa/sqrt(s)', minimum=0,
                             random=True, doc='random walk of the reading, such as by weather')


SENSORS = ImuSpec, GnssSpec, UwbSpec, MagnetometerSpec, BarometerSpec
