# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The light on points of surfaces: ambient light, sun and lamps, with shadows and highlights.

Highlights follow J. Blinn, Models of light reflection for computer synthesized pictures, 1977. The
shaders of `render` say the same.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene import lamps as lamp_column
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.image.shading import EMISSIVE, SHININESS, STRENGTH
from mvsim_ros2.sensors.raycast.opacity import find_opaque, Opacity, SOLID
from mvsim_ros2.sensors.raycast.query import find_any
from mvsim_ros2.sensors.raycast.ray_block import Beyond, Block
from mvsim_ros2.sensors.raycast.target import CASTERS, Target

# columns of points: colour and share of the pixel, place, normal towards the camera, direction
# to the camera, distance from it [m], row of the matter, whether it gives off light, how open it
# is to light from all around; then light as it is gathered: from all around, mirrored, and of one
# lamp: share, direction, distance
(RED, SHARE, PLACE, NORMAL, BACK, FAR, MATTER, GLOW, OPEN, GATHERED, MIRRORED, SHINES, WAY,
 LENGTH) = 0, 3, 4, 7, 10, 13, 14, 15, 16, 17, 20, 23, 24, 27
POINT = 28
# columns of the light: direction to the sun, its colour and that of its highlights, ambient
# light, how it leans and along which axis, colours of sky and air, extinction, the disc of the sun
TOWARDS, SUN, SUN_SPECULAR, AMBIENT, LEAN, AXIS, SKY, AIR, EXTINCTION, DISC = (
    0, 3, 6, 9, 12, 15, 18, 21, 24, 25)


def light_of(lighting: Lighting) -> Array:
    """Return the light of a scene for kernels, shape (28,)."""
    towards = np.array(lighting.towards_light)
    return np.concatenate([
        towards / np.linalg.norm(towards), lighting.light_colour, lighting.light_specular,
        lighting.ambient_colour, lighting.ambient_lean, lighting.ambient_axis,
        lighting.sky_colour, np.array(lighting.air_colour) ** 2, [lighting.extinction],
        lighting.disc_colour])


@compiled(counted=False)
def gather_light(
        target: Target, opacity: Opacity, points: Array, count: int, light: Array,
        shadows: bool, lamps: Array, matter: Array, rays: Block, beyond: Beyond,
        numbers: NDArray[np.int64]) -> None:
    """
    Fill in the light that reaches points, and what they mirror and give off themselves.

    :param points: shape (N, POINT), of which the first `count` are filled.
    :param light: see the columns above.
    :param shadows: whether things throw shadows in the light of the sun.
    :param lamps: see `scene.lamps`, shape (n, WIDTH).
    :param matter: see `Shading`.
    :param rays: scratch arrays, also the next ones.
    """
    for n in range(count):
        row = int(points[n, MATTER])
        lean = 0.0
        for i in range(3):
            lean += points[n, NORMAL + i] * light[AXIS + i]
        for i in range(3):
            points[n, GATHERED + i] = points[n, OPEN] * (
                light[AMBIENT + i] + lean * light[LEAN + i])
            points[n, MIRRORED + i] = matter[row, EMISSIVE + i] * points[n, GLOW]
            points[n, WAY + i] = light[TOWARDS + i]
        points[n, SHINES] = 1.0 if _slope(points, n) > 0.0 else 0.0
        points[n, LENGTH] = 1.0
    if shadows:
        shade(target, opacity, points, count, 1e6, rays, beyond, numbers)
    _add(points, count, matter, light[SUN:SUN + 3], light[SUN_SPECULAR:SUN_SPECULAR + 3])
    for k in range(len(lamps)):
        _shine(points, count, lamps[k])
        if lamps[k, lamp_column.CASTS] > 0.0:
            shade(target, opacity, points, count, 1.0, rays, beyond, numbers)
        _add(points, count, matter,
             lamps[k, lamp_column.DIFFUSE:lamp_column.DIFFUSE + 3],
             lamps[k, lamp_column.SPECULAR:lamp_column.SPECULAR + 3])


@compiled(counted=False)
def _slope(points: Array, n: int) -> float:
    """Return the cosine between the normal of a point and its way to a lamp."""
    slope: float = (points[n, NORMAL] * points[n, WAY] + points[n, NORMAL + 1] * points[n, WAY + 1]
                    + points[n, NORMAL + 2] * points[n, WAY + 2])
    return slope


@compiled(counted=False)
def _shine(points: Array, count: int, lamp: Array) -> None:
    """Fill in ways to a lamp, and the share of its light that would reach points."""
    for n in range(count):
        far = 0.0
        for i in range(3):
            points[n, WAY + i] = lamp[lamp_column.PLACE + i] - points[n, PLACE + i]
            far += points[n, WAY + i] ** 2
        far = math.sqrt(far)
        cone = 0.0
        for i in range(3):
            points[n, WAY + i] /= max(far, 1e-6)
            cone -= points[n, WAY + i] * lamp[lamp_column.AXIS + i]
        points[n, LENGTH] = far
        share = 0.0
        if _slope(points, n) > 0.0:
            share = 1.0 / (lamp[lamp_column.FALL] + lamp[lamp_column.FALL + 1] * far
                           + lamp[lamp_column.FALL + 2] * far * far)
            reach = lamp[lamp_column.REACH]
            if reach > 0.0:
                share *= (1.0 - min(far / reach, 1.0) ** 4) ** 2
            inner, outer = lamp[lamp_column.INNER], lamp[lamp_column.OUTER]
            share *= min(max((cone - outer) / (inner - outer), 0.0), 1.0)
        points[n, SHINES] = share


@compiled(counted=False)
def shade(target: Target, opacity: Opacity, points: Array, count: int, farthest: float,
          block: Block, beyond: Beyond, numbers: NDArray[np.int64]) -> None:
    """
    Take the light of a lamp from points in shadow.

    :param points: of which place, way, length and share of the lamp are known.
    :param farthest: end of the rays, in lengths of the way.
    """
    rays, found = block.rays, block.found
    cast = 0
    for n in range(count):
        if points[n, SHINES] > 0.0:
            length = points[n, LENGTH]
            column.set_ray(
                rays, cast, (points[n, PLACE], points[n, PLACE + 1], points[n, PLACE + 2]),
                (length * points[n, WAY], length * points[n, WAY + 1],
                 length * points[n, WAY + 2]))
            numbers[cast] = n
            cast += 1
    if cast:
        find_casters(target, opacity, block, beyond, cast, farthest, True)
    for k in range(cast):
        if found[k, column.INSTANCE] >= 0:
            points[numbers[k], SHINES] = 0.0


@compiled(counted=False)
def find_casters(target: Target, opacity: Opacity, block: Block, beyond: Beyond, count: int,
                 farthest: float, coherent: bool) -> None:
    """
    Fill in whether something throws a shadow on where the first `count` rays of a block begin.

    The instance in `block.found` is then 0 or more, else -1; parameters as of `find_opaque`.
    """
    if opacity.faces.shape[0] > 0:
        find_opaque(target, opacity, block, beyond, count, 0.0, farthest, CASTERS, SOLID,
                    coherent)
    else:
        find_any(target, block, count, 0.0, farthest, CASTERS, coherent)


@compiled(counted=False)
def _add(points: Array, count: int, matter: Array, diffuse: Array, specular: Array) -> None:
    """Add the light of a lamp that reaches points, and their highlights."""
    for n in range(count):
        share = points[n, SHINES]
        if share <= 0.0:
            continue
        slope = _slope(points, n)
        for i in range(3):
            points[n, GATHERED + i] += share * slope * diffuse[i]
        row = int(points[n, MATTER])
        if matter[row, STRENGTH] > 0.0:
            square = cosine = 0.0
            for i in range(3):
                half = points[n, WAY + i] + points[n, BACK + i]
                square += half * half
                cosine += half * points[n, NORMAL + i]
            cosine = max(cosine, 0.0) / math.sqrt(square + 1e-30)
            share *= matter[row, STRENGTH] * cosine ** matter[row, SHININESS]
            for i in range(3):
                points[n, MIRRORED + i] += share * specular[i]


@compiled(counted=False)
def seen_colour(points: Array, n: int, light: Array, i: int, most: float) -> float:
    """
    Return a colour of a point as it arrives through the air, where 1 is white.

    Attenuation and added light of the air follow H. Koschmieder, Theorie der horizontalen
    Sichtweite, 1924.
    """
    albedo = points[n, RED + i]
    seen = albedo * albedo * points[n, GATHERED + i] + points[n, MIRRORED + i]
    extinction = light[EXTINCTION]
    if extinction > 0.0:
        left = math.exp(-extinction * points[n, FAR])
        seen = left * min(seen, most) + (1.0 - left) * light[AIR + i]
    return math.sqrt(min(max(seen, 0.0), most))
