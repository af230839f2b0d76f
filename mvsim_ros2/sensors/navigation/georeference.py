# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where on the Earth a world lies."""

from dataclasses import replace
import math

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.sensors.navigation import geodesy
from mvsim_ros2.world.spec import GeoreferenceSpec, HorizontalPlaneSpec


class Georeference:
    """
    From places in a world to places on the Earth.

    The axes of a world point east, north and up at its origin, turned by `world_to_enu_rotation`.
    In a UTM world x and y are easting and northing in the zone of the reference, without a
    rotation. z is the height above the ellipsoid.
    """

    def __init__(self, spec: GeoreferenceSpec) -> None:
        latitude, longitude = math.radians(spec.latitude), math.radians(spec.longitude)
        self._utm: geodesy.TransverseMercator | None = None
        self._southern = latitude < 0.0
        self._origin = geodesy.ecef(latitude, longitude, spec.height)
        cosine, sine = math.cos(spec.world_to_enu_rotation), math.sin(spec.world_to_enu_rotation)
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        self._axes: Array = geodesy.enu_axes(latitude, longitude).T @ turn
        self.origin = np.zeros(3)  # place of the reference in the world
        if spec.world_is_utm:
            self._utm = geodesy.TransverseMercator(
                geodesy.utm_meridian(geodesy.utm_zone(latitude, longitude)))
            easting, northing = self._utm.project(latitude, longitude)
            self.origin = np.array([
                easting + geodesy.UTM_EASTING,
                northing + self._southern * geodesy.UTM_NORTHING, spec.height])

    def ecef(self, place: Array) -> Array:
        """Return the geocentric place of a place in the world [m]."""
        if self._utm is None:
            result: Array = self._origin + self._axes @ place
            return result
        x, y, z = place.tolist()
        return geodesy.ecef(*self._utm.unproject(
            x - geodesy.UTM_EASTING, y - self._southern * geodesy.UTM_NORTHING), z)

    def place(self, latitude: float, longitude: float, height: float) -> Array:
        """Return the place in the world of a latitude, longitude [rad] and height [m]."""
        if self._utm is None:
            result: Array = self._axes.T @ (
                geodesy.ecef(latitude, longitude, height) - self._origin)
            return result
        easting, northing = self._utm.project(latitude, longitude)
        return np.array([easting + geodesy.UTM_EASTING,
                         northing + self._southern * geodesy.UTM_NORTHING, height])

    def geodetic(self, place: Array) -> tuple[float, float, float]:
        """Return latitude, longitude [rad] and height [m] of a place in the world."""
        return geodesy.geodetic(self.ecef(place))

    def to_enu(self, place: Array, vector: Array) -> Array:
        """
        Return a vector at a place of the world east-north-up at that place.

        The scale of a UTM world is taken off: so velocities are those over ground.
        """
        latitude, longitude, _ = self.geodetic(place)
        if self._utm is None:
            result: Array = geodesy.enu_axes(latitude, longitude) @ (self._axes @ vector)
            return result
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            return np.zeros(3)
        step = vector * (0.5 / length)  # 0.5 m each way: the map is smooth over that
        moved = self.ecef(place + step) - self.ecef(place - step)
        enu: Array = geodesy.enu_axes(latitude, longitude) @ moved * length
        return enu

    def heading(self, place: Array) -> float:
        """Return the turn from the world frame at a place to east-north-up there [rad]."""
        east, north, _ = self.to_enu(place, np.array([1.0, 0.0, 0.0]))
        return math.atan2(north, east)


def placed(plane: HorizontalPlaneSpec, spec: GeoreferenceSpec) -> HorizontalPlaneSpec:
    """Return a plane that has its corners on the Earth with its extent in the world."""
    reference = Georeference(replace(spec, world_to_enu_rotation=0.0))
    (west, south, _), (east, north, _) = (
        reference.place(math.radians(latitude), math.radians(longitude), spec.height).tolist()
        for latitude, longitude in (plane.geo_corner_sw, plane.geo_corner_ne))
    return replace(
        plane, x_min=west, x_max=east, y_min=south, y_max=north, texture_size_x=east - west,
        texture_size_y=north - south,
        init_pose=plane.init_pose.compose(Pose(yaw=-spec.world_to_enu_rotation)))
