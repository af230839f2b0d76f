# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Daylight that a LiDAR measures between its pulses, as the field `ambient` of Ouster.

A surface of the reflectivity g sends back g (A + s max(n.l, 0) S) of the light S of the sun, of
which shadows leave the share s, and A of the sky: the luminance that a camera has of it. `SCALE`
counts are that of a white surface in a light of 1.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.query import find_any
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import CASTERS, REFLECTIVITY, Target

Array = NDArray[np.float64]

SCALE, _MOST = 1000.0, 65535.0
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of linear red, green, blue (ITU-R BT.709)
NO_SKY = np.zeros(0)
# of the light of a world: direction to the sun, axis of the light of the sky; light of the sun, of
# the sky, how this grows along its axis, of the sky as it is seen; whether there are shadows
_TOWARDS, _AXIS, _SUN, _SKY, _LEAN, _ABOVE, _SHADOWS = 0, 3, 6, 7, 8, 9, 10
_OFF = 1e-4  # offset of rays to the sun, of the distance and of 1 m


def sky_of(lighting: Lighting) -> Array:
    """Return the light of a world, see the places above."""
    towards = np.array(lighting.towards_light, float)
    return np.array([
        *towards / np.linalg.norm(towards), *lighting.ambient_axis,
        _LUMINANCE @ lighting.light_colour, _LUMINANCE @ lighting.ambient_colour,
        _LUMINANCE @ lighting.ambient_lean, _LUMINANCE @ np.square(lighting.sky_colour),
        float(lighting.shadows)])


@compiled(inner=True, counted=False)
def gather_daylight(target: Target, block: Block, sun: Block, count: int, sky: Array,
                    daylight: Array) -> None:
    """
    Fill in the daylight that comes along rays, from 0 to 65535.

    :param block: rays and what they meet.
    :param sun: scratch, for rays towards the sun.
    :param sky: see `sky_of`.
    """
    rays, hits, found, to_sun = block.rays, block.hits, block.found, sun.rays
    x, y, z = sky[_TOWARDS], sky[_TOWARDS + 1], sky[_TOWARDS + 2]
    for n in range(count):
        off = hits[n, ray.DISTANCE] if found[n, ray.INSTANCE] >= 0 else 0.0
        out = _OFF * (1.0 + off)
        for i in range(3):
            to_sun[n, ray.OX + i] = rays[n, ray.OX + i] + off * rays[n, ray.DX + i] + (
                out * hits[n, ray.NX + i] if found[n, ray.INSTANCE] >= 0 else 0.0)
        to_sun[n, ray.DX], to_sun[n, ray.DY], to_sun[n, ray.DZ] = x, y, z
        to_sun[n, ray.TIME] = rays[n, ray.TIME]
    if sky[_SHADOWS] > 0.0 and sky[_SUN] > 0.0:
        find_any(target, sun, count, 0.0, 1e6, CASTERS, True)
    for n in range(count):
        instance, light = found[n, ray.INSTANCE], sky[_ABOVE]
        if instance >= 0:
            nx, ny, nz = hits[n, ray.NX], hits[n, ray.NY], hits[n, ray.NZ]
            light = sky[_SKY] + sky[_LEAN] * (
                nx * sky[_AXIS] + ny * sky[_AXIS + 1] + nz * sky[_AXIS + 2])
            if sky[_SHADOWS] == 0.0 or sun.found[n, ray.INSTANCE] < 0:
                light += sky[_SUN] * max(nx * x + ny * y + nz * z, 0.0)
            row = target.first_face[instance] + found[n, ray.FACE]
            light *= target.faces[row, REFLECTIVITY]
        daylight[n] = min(max(SCALE * light + 0.5, 0.0), _MOST)
