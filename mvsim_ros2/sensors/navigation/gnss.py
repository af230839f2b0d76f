# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Satellite navigation receiver.

The antenna moves with the lever arm of its mounting; its place goes to WGS84 in double precision.
White noise, a drifting error and the events of the spec are added. The drift is Gauss-Markov of
first order: the share exp(-T / drift_time) of it remains after a period T. With `sky_view` the
simulation places satellites, and objects hide and reflect their signals.

The receiver gets the direct signal of a satellite if its ray is free. Let d be the direction of a
satellite and n the normal of a surface. The antenna receives the reflection from the direction u =
d - 2 (d.n) n, if this ray meets the surface, with a free line to the satellite. At a distance L
the reflection has the extra path L (1 - u.d) (method of images). It disturbs the code of a direct
signal by

    a e cos(2 pi e / wavelength) / (1 + a cos(2 pi e / wavelength)),    e the extra path,

limited to a times a twentieth of 293 m, by correlators a tenth of a chip apart (Van Dierendonck,
Fenton and Ford, Theory and performance of narrow correlator spacing in a GPS receiver, Navigation
39, 1992; Kaplan and Hegarty, Understanding GPS, 2006, 6.2). For a blocked satellite the receiver
uses the reflection, with the whole extra path. Errors of ranges move the position by (G^T G)^-1
G^T of them, with a row (-d, 1) in G for each satellite. Dilutions of precision are roots of sums
of the diagonal of (G^T G)^-1 (Kaplan and Hegarty, 7.3).
"""

import logging
import math
from typing import Any, NamedTuple

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Array, rotation_matrix
from mvsim_ros2.sensors import BodyState, FixType, GnssFix, Mount, Sensor, SensorModel
from mvsim_ros2.sensors.navigation import geodesy
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.navigation.satellites import satellite_places, SiteErrors, STREAM
from mvsim_ros2.sensors.raycast.opacity import SOLID
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import GeoreferenceSpec, GnssEventSpec, GnssSpec, PropertyRegionSpec

_WAVELENGTH = 299_792_458.0 / 1_575_420_000.0  # m, of L1 and E1
_CODE = 0.5 * 0.1 * 293.05  # m: half of the spacing of the correlators
_AROUND, _UP = 48, (5.0, 25.0, 50.0)  # rays that look for surfaces
_OFF = 1e-3  # m: rays from a surface begin this far from it
_REACH = 300.0  # m; reflections from farther are too late for the correlators
LEAST = 4  # satellites of a fix


class Sky(NamedTuple):
    """The signals at an antenna."""

    satellites: int  # that are used
    lines_of_sight: int  # of these, those that are heard directly
    horizontal: float  # dilution of precision, inf where there are too few satellites
    vertical: float
    offset: Array  # (3,): error of the position by reflections [m], frame of the directions


def dilution(directions: Array) -> tuple[float, float, Array]:
    """
    Return horizontal and vertical dilution of precision, and what takes ranges to positions.

    :param directions: unit vectors to the satellites, z up, shape (n, 3).
    :returns: inf, inf and zeros where there are too few, or all lie in one plane.
    """
    design = np.column_stack([-directions, np.ones(len(directions))])
    normal = design.T @ design
    if len(directions) < LEAST or np.linalg.cond(normal) > 1e8:
        return math.inf, math.inf, np.zeros((4, len(directions)))
    covariance = np.linalg.inv(normal)
    variance = np.diag(covariance)
    return (math.sqrt(variance[0] + variance[1]), math.sqrt(variance[2]),
            covariance @ design.T)


def listen(scene: RayScene, antenna: Array, directions: Array, mask: int,
           reflected: float) -> Sky:
    """
    Return what an antenna hears of the satellites above its horizon.

    :param antenna: in the world [m].
    :param directions: unit vectors to the satellites in the world, shape (n, 3).
    :param mask: of the rays, see `RayScene.mask`.
    :param reflected: amplitude of a reflected signal relative to a direct one; 0: none.
    """
    heard = scene.cast(antenna, directions, mask=mask, least=SOLID).instance < 0
    error = np.zeros(len(directions))
    used = heard.copy()
    if reflected > 0.0:
        extra = _extra_paths(scene, antenna, directions, mask)
        late = np.isfinite(extra)
        path = extra[late & heard]
        wave = reflected * np.cos(2.0 * math.pi * path / _WAVELENGTH)
        error[late & heard] = np.clip(wave * path / (1.0 + wave), -reflected * _CODE,
                                      reflected * _CODE)
        error[late & ~heard] = extra[late & ~heard]
        used |= late
    horizontal, vertical, to_place = dilution(directions[used])
    return Sky(int(used.sum()), int(heard.sum()), horizontal, vertical,
               (to_place @ error[used])[:3])


def _extra_paths(scene: RayScene, antenna: Array, directions: Array, mask: int) -> Array:
    """Return the extra path of the earliest reflection of each satellite [m], inf for none."""
    extra = np.full(len(directions), math.inf)
    for normal in _normals_around(scene, antenna, mask):
        facing = directions @ normal > 1e-3
        mirrored = directions - 2.0 * (directions @ normal)[:, np.newaxis] * normal
        hits = scene.cast(antenna, mirrored, mask=mask, farthest=_REACH, least=SOLID)
        meets = facing & (hits.instance >= 0) & (hits.normal @ normal > 0.999)
        for i in np.flatnonzero(meets):
            place = antenna + hits.distance[i] * mirrored[i] + _OFF * normal
            if not scene.occluded(place, directions[i], mask=mask)[0]:
                later = hits.distance[i] * (1.0 - float(mirrored[i] @ directions[i]))
                extra[i] = min(extra[i], later)
    return extra


def _normals_around(scene: RayScene, antenna: Array, mask: int) -> Array:
    """Return the different normals of the surfaces around an antenna, shape (n, 3)."""
    turn = 2.0 * math.pi * (np.arange(_AROUND) + 0.5) / _AROUND
    rays = np.concatenate([
        np.stack([math.cos(up) * np.cos(turn), math.cos(up) * np.sin(turn),
                  np.full(_AROUND, math.sin(up))], axis=1) for up in np.radians(_UP)])
    hits = scene.cast(antenna, rays, mask=mask, farthest=_REACH, least=SOLID)
    steep = (hits.instance >= 0) & (np.abs(hits.normal[:, 2]) < 0.7)
    found: Array = np.unique(np.round(hits.normal[steep], 3), axis=0)
    length: Array = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.maximum(length, 1e-9)


_LEAST_FIXED = 6  # satellites in sight that fixed ambiguities need
NO_COVERAGE = 'gps_no_coverage'  # property of the regions without reception
_LOG = logging.getLogger(__name__)


class Gnss(Sensor):
    """Receiver and antenna on a vehicle, or a base station in the world."""

    MEMORY = ('drift', 'floating', 'good_since')
    drift: Array  # (3,): error that wanders, east-north-up [m]
    good_since: int | None  # ns: since when satellites suffice for RTK

    def __init__(self, mount: Mount) -> None:
        """Mount a receiver; a world without georeference lies at latitude and longitude 0."""
        super().__init__(mount.spec, mount.owner)
        spec: GnssSpec = mount.spec
        self._spec, self._random, world = spec, mount.random, mount.world
        if world.georeference is None:
            _LOG.warning('%s: the world has no <georeference>: its origin is taken to lie at '
                         'latitude 0, longitude 0, height 0', spec.source)
        self._reference = Georeference(
            world.georeference or GeoreferenceSpec(latitude=0.0, longitude=0.0))
        self._regions = [
            element for element in world.elements if isinstance(element, PropertyRegionSpec)
            and element.property_name == NO_COVERAGE]
        self._fix = _fix_type(spec.reception)
        self._place = spec.pose.position
        self._white = np.array([spec.horizontal_std_noise] * 2 + [spec.vertical_std_noise])
        self._wander = np.array([spec.horizontal_drift_noise] * 2 + [spec.vertical_drift_noise])
        self._keep = math.exp(-1e-9 * self.period_ns / spec.drift_time)
        self._velocity_noise = spec.velocity_std_noise
        # errors that it shares with others; None: it has its own
        self._site = SiteErrors(
            mount.streams.get(STREAM), spec.drift_time) if spec.shared_drift else None
        # where it looks for its satellites; None: it hears them all
        self._views = mount.views if spec.sky_view else None
        self._wanders_alone = bool(self._wander.any()) and self._site is None
        self._may_float = spec.reception == 'float' or spec.ambiguity_time > 0.0 or any(
            event.reception == 'float' for event in spec.events)
        self.floating: Array = np.zeros(3)  # as `drift`, of a float fix, with the deviation 1
        self.reset()

    def measure(self, stamp_ns: int, state: BodyState) -> GnssFix:
        """Return a fix; the drift takes one step."""
        normals = self._random.standard_normal((3, 3))
        fresh = math.sqrt(1.0 - self._keep ** 2)
        if self._site is None:
            self.drift = self._keep * self.drift + fresh * self._wander * normals[0]
        else:
            self.drift = self._wander * self._site.at(stamp_ns * 1e-9)
        if self._may_float:
            self.floating = self._keep * self.floating + fresh * self._random.standard_normal(3)
        rotation = rotation_matrix(*state.pose[3:])
        antenna = state.pose[:3] + rotation @ self._place
        motion = state.motion
        moving = motion.velocity + rotation @ np.cross(motion.rate, self._place)
        if not np.isfinite([antenna, moving]).all():
            raise SensorError(f'{self.name}: the state of its vehicle is not finite: {state}')
        true_place = self._reference.ecef(antenna)
        axes = geodesy.enu_axes(*geodesy.geodetic(true_place)[:2])
        fix, offset, factor, noise = self._reception(stamp_ns * 1e-9, antenna)
        dilution, heard = np.ones(3), None
        if self._views is not None:
            heard, dilution = self._heard(stamp_ns, state.mover_index, antenna, true_place, axes)
            offset = offset + heard.offset
            if heard.satellites < LEAST or not math.isfinite(heard.horizontal):
                fix = FixType.NONE
        fix = self._ambiguities(fix, stamp_ns, heard)
        seen: dict[str, Any] = {} if heard is None else {
            'satellites': heard.satellites, 'hdop': heard.horizontal, 'vdop': heard.vertical}
        if fix == FixType.NONE:
            unknown = np.full(3, math.nan)
            return GnssFix(self.name, self.frame_id, stamp_ns, fix, math.nan, math.nan, math.nan,
                           np.diag(unknown), unknown, np.diag(unknown), **seen)
        wander, drift = self._wander, self.drift
        if fix == FixType.FLOAT:
            drift = drift + self._spec.float_std_noise * self.floating
            wander = np.hypot(wander, self._spec.float_std_noise)
        error = offset + factor * dilution * (drift + noise * normals[1])
        latitude, longitude, altitude = geodesy.geodetic(true_place + error @ axes)
        velocity = (self._reference.to_enu(antenna, moving)
                    + factor * self._velocity_noise * normals[2])
        return GnssFix(
            self.name, self.frame_id, stamp_ns, fix, math.degrees(latitude),
            math.degrees(longitude), altitude,
            np.diag((factor * dilution) ** 2 * (noise ** 2 + wander ** 2)), velocity,
            (factor * self._velocity_noise) ** 2 * np.eye(3), **seen)

    def _heard(self, stamp_ns: int, carrier: int, antenna: Array, place: Array,
               axes: Array) -> tuple[Sky, Array]:
        """
        Return what it hears, east-north-up, and how much larger errors are than in the open.

        :param carrier: row of its vehicle.
        :param place: of the antenna, geocentric [m].
        :param axes: east, north and up there.
        """
        spec = self._spec
        away = satellite_places(spec.constellations, spec.sky_time + 1e-9 * stamp_ns) - place
        directions = away / np.linalg.norm(away, axis=1, keepdims=True) @ axes.T
        directions = directions[directions[:, 2] > math.sin(spec.elevation_mask)]
        heading = self._reference.heading(antenna)
        cosine, sine = math.cos(heading), math.sin(heading)
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        assert self._views is not None
        scene = self._views.use(RayView).now()
        mask = scene.mask(carrier, self.name, spec.ignore_parent_body)
        heard = listen(scene, antenna, directions @ turn, mask, spec.multipath)
        open_h, open_v, _ = dilution(directions)
        ratio_h, ratio_v = heard.horizontal / open_h, heard.vertical / open_v
        return (heard._replace(offset=turn @ heard.offset),
                np.array([ratio_h, ratio_h, ratio_v]))

    def _ambiguities(self, fix: FixType, stamp_ns: int, heard: Sky | None) -> FixType:
        """Return the kind of fix after what is known of the ambiguities of the carrier."""
        if fix != FixType.RTK:
            if fix != FixType.FLOAT:
                self.good_since = None
            return fix
        if heard is not None and heard.lines_of_sight < _LEAST_FIXED:
            self.good_since = None
            return FixType.FLOAT if self._may_float else FixType.DIFFERENTIAL
        if self.good_since is None:
            self.good_since = stamp_ns
        waited = 1e-9 * (stamp_ns - self.good_since)
        return FixType.RTK if waited >= self._spec.ambiguity_time else FixType.FLOAT

    def _reception(self, time: float, antenna: Array) -> tuple[FixType, Array, float, Array]:
        """Return the kind of fix, the offset [m], the factor of all noise, and the white [m]."""
        happening = [event for event in self._spec.events if _applies(event, time, antenna)]
        fix = next((_fix_type(event.reception) for event in happening if event.reception),
                   self._fix)
        region = next((each for each in self._regions if _holds(each, antenna)), None)
        if region is not None and region.value_bool:
            fix = FixType.NONE
        offset = np.sum([event.shift for event in happening] + [(0.0, 0.0, 0.0)], axis=0)
        noise = self._white
        for event in happening:
            across, up = event.horizontal_std_noise, event.vertical_std_noise
            if across is not None or up is not None:
                noise = np.array([noise[0] if across is None else across] * 2
                                 + [noise[2] if up is None else up])
        return fix, offset, math.prod(event.noise_factor for event in happening), noise

    def reset(self) -> None:
        """Draw the errors that wander anew."""
        self.drift, self.good_since = np.zeros(3), None
        if self._wanders_alone:
            self.drift = self._wander * self._random.standard_normal(3)
        if self._may_float:
            self.floating = self._random.standard_normal(3)


def _fix_type(name: str) -> FixType:
    return FixType[name.upper()]


def _applies(event: GnssEventSpec, time: float, place: Array) -> bool:
    """Return whether an event happens at a time [s] and a place of the world."""
    return all((low is None or low <= value) and (high is None or value <= high)
               for low, value, high in (
                   (event.start, time, event.end), (event.x_min, place[0], event.x_max),
                   (event.y_min, place[1], event.y_max)))


def _holds(region: PropertyRegionSpec, place: Array) -> bool:
    """Return whether a place of the world lies in a region, border included."""
    x, y, z = place
    return bool(region.x_min <= x <= region.x_max and region.y_min <= y <= region.y_max
                and region.z_min <= z <= region.z_max)


MODELS = (SensorModel(spec=GnssSpec, make=Gnss),)
