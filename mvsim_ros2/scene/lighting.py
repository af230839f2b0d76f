# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sky, sun and air of a world.

Lights of a world are for a sun at 30 degrees or higher in clear air. Lower down exp(-tau m)
weakens and reddens its beam, with the air mass m (Kasten and Young, Revised optical air mass
tables, 1989). tau are the optical depths of air (Hansen and Travis, Light scattering in planetary
atmospheres, 1974) and of haze (Angstrom, 0.05 lambda^-1.3 at a wavelength in um). The light of
clear and overcast skies follows IES RP-21 (Recommended practice for the calculation of daylight
availability, 1984). After sunset it falls to 3.4 lx at the end of civil twilight, at -6 degrees.
Clouds that it rains or snows from leave nothing of the beam, a layer of fog or dust of 100 m what
extinction says.

A painted sky has a sun disc, a horizon and clouds, where a noise of the spectrum f^-2 on a level
layer exceeds its quantile.
"""

from functools import lru_cache
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.shapes.models import texture_of
from mvsim_ros2.world.spec import LightsSpec, SkyboxSpec, WeatherSpec, WorldSpec
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.weather import dust_extinction, fog_extinction

_SIZE = 384  # px, of a face
RADIUS = math.radians(0.265)  # of the sun
_ZENITH, _HORIZON = (0.28, 0.50, 0.87), (0.68, 0.80, 0.91)  # sRGB
_SUN, _EVENING = (1.0, 0.98, 0.92), (1.0, 0.63, 0.38)
_LIGHT_CLOUD, _DARK_CLOUD = (0.93, 0.94, 0.95), (0.76, 0.78, 0.82)
_LOW = math.sin(math.radians(15.0))  # height of a sun from which the horizon reddens
_CELLS, _POWER, _LARGEST = 256, 2.0, 7.0  # of the noise; waves in a tile
_TILE = 7.0  # side of a tile, in heights of the layer
_SOFT = 0.25  # width of the edge of clouds, in shares of the sky


@lru_cache(maxsize=8)
def painted_sky(towards_sun: tuple[float, float, float], clouds: float) -> NDArray[np.uint8]:
    """
    Return the faces of a sky box, see `Lighting.sky`, with clouds over a share of the sky.

    A sun below the horizon has no disc.
    """
    look = _directions()
    height = np.maximum(look[..., 2], 0.0)
    sky = _mixed(np.broadcast_to(_ZENITH, look.shape), _HORIZON, (1.0 - height) ** 4)
    level = math.hypot(*towards_sun[:2])
    low = min(max(1.0 - towards_sun[2] / _LOW, 0.0), 1.0)
    if low > 0.0:
        facing = (look[..., :2] @ np.array(towards_sun[:2])) / level
        sky = _mixed(sky, _EVENING, low * (1.0 - height) ** 6 * (0.5 + 0.5 * facing) ** 2)
    above = look[..., 2] > -RADIUS
    sky[above] = _above(sky[above], look[above], np.array(towards_sun), clouds)
    return np.rint(255 * sky).astype(np.uint8)


def sun_share(towards_sun: tuple[float, float, float], clouds: float) -> float:
    """Return the share of the light of the disc of the sun that clouds let pass."""
    return float(1.0 - np.minimum(1.6 * _clouds(np.array(towards_sun), clouds), 1.0))


def _above(sky: Array, look: Array, towards_sun: Array, cover: float) -> Array:
    """Return the colours of a sky with sun and clouds, shape (N, 3)."""
    thick = _clouds(look, cover)
    cloud = _mixed(np.broadcast_to(_LIGHT_CLOUD, look.shape), _DARK_CLOUD, thick ** 2)
    opaque = np.minimum(1.6 * thick, 1.0)
    if towards_sun[2] < -RADIUS:
        return _mixed(sky, cloud, opaque)
    angle = np.arccos(np.clip(look @ towards_sun, -1.0, 1.0))
    sky = _mixed(_mixed(sky, _SUN, 0.6 * np.exp(-angle / 0.09)), cloud, 0.95 * opaque)
    texel = 0.5 * math.pi / _SIZE
    return _mixed(sky, _SUN, np.clip((RADIUS - angle) / texel + 0.5, 0.0, 1.0) * (1.0 - opaque))


def _directions() -> Array:
    """Return the directions of all texels, shape (6, n, n, 3)."""
    steps = (np.arange(_SIZE) + 0.5) / _SIZE * 2.0 - 1.0
    right, down = np.meshgrid(steps, steps)
    one = np.ones_like(right)
    faces = np.stack([np.stack(face, -1) for face in (
        (one, -right, -down), (-one, right, -down), (-down, -right, -one),
        (down, -right, one), (right, one, -down), (-right, -one, -down))])
    unit: Array = faces / np.linalg.norm(faces, axis=-1, keepdims=True)
    return unit


def _clouds(look: Array, cover: float) -> Array:
    """Return how thick clouds are in some directions, 0 to 1."""
    height = look[..., 2]
    places = look[..., :2] / (np.maximum(height, 0.0) + 0.12)[..., None] / _TILE * _CELLS
    first = np.floor(places).astype(int)
    part, rank = places - first, _ranks()
    thick = np.zeros(height.shape)
    for i in range(2):
        for j in range(2):
            share = abs(1 - i - part[..., 0]) * abs(1 - j - part[..., 1])
            thick += share * rank[(first[..., 0] + i) % _CELLS, (first[..., 1] + j) % _CELLS]
    soft = _SOFT * 4.0 * cover * (1.0 - cover) + 1e-6  # the edge is where the cover ends
    beyond = np.clip((thick - 1.0 + cover) / soft + 0.5, 0.0, 1.0)
    clouds: Array = beyond * np.clip(height / 0.12, 0.0, 1.0)
    return clouds


@lru_cache(maxsize=1)
def _ranks() -> Array:
    """Return a tile of noise as ranks, 0 to 1."""
    wave = np.fft.fftfreq(_CELLS) * _CELLS
    length = np.maximum(np.hypot(*np.meshgrid(wave, wave)), _LARGEST)
    noise = np.random.default_rng(5).standard_normal((_CELLS, _CELLS))
    smooth = np.fft.ifft2(np.fft.fft2(noise) * length ** -_POWER).real
    ranks: Array = np.argsort(np.argsort(smooth, axis=None)).reshape(smooth.shape) / smooth.size
    return ranks


def _mixed(one: Array, other: tuple[float, float, float] | Array, share: Array) -> Array:
    """Return colours, with a share of others."""
    mixed: Array = one + share[..., None] * (np.asarray(other) - one)
    return mixed


_DIRECT = (0.9375, 0.9375, 0.9)  # linear, of a sun of strength 1, relative to white light of 1
_GAMMA = 2.2
_LEAN = 0.4  # of the ambient light towards the sun, whose side of the sky is brighter
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of linear red, green, blue (ITU-R BT.709)
_HIGH = math.radians(30.0)  # of the sun: from here on lights are as a world says
_DEPTHS = np.array([0.158, 0.207, 0.328])  # optical, of air and haze at 612, 549 and 465 nm
_DISC = math.radians(0.53)  # of the sun
_TWILIGHT = math.radians(6.0) / math.log(800.0 / 3.4)  # in which the light of the sky falls to 1/e
_LAYER = 100.0  # m, of fog or dust
_DUST = (0.76, 0.66, 0.50)  # sRGB, of light that dust has scattered
Triple = tuple[float, float, float]


def _sky(world: WorldSpec) -> tuple[NDArray[np.uint8] | None, float]:
    """Return the first complete sky box or painted sky, and the seen share of the sun's disc."""
    for element in world.elements:
        if not isinstance(element, SkyboxSpec):
            continue
        textures = [texture_of(face) for face in element.faces]
        faces = [texture.pixels[..., :3] for texture in textures if texture]
        if len(faces) < 6:
            continue  # loading the world warns of missing files
        size = max(max(face.shape[:2]) for face in faces)
        steps = np.arange(size)
        return np.stack([face[steps[:, np.newaxis] * face.shape[0] // size,
                              steps * face.shape[1] // size] for face in faces]), 0.0
    if world.lights.clouds is None:
        return None, 0.0
    painted = towards_sun(world.lights), world.lights.clouds
    return painted_sky(*painted), sun_share(*painted)


def towards_sun(lights: LightsSpec) -> Triple:
    """Return the unit vector from the scene towards the sun, world frame."""
    level = np.cos(lights.light_elevation)
    return (float(level * np.cos(lights.light_azimuth)),
            float(level * np.sin(lights.light_azimuth)), float(np.sin(lights.light_elevation)))


def lighting_of(world: WorldSpec) -> Lighting:
    """
    Return sky, sun, ambient light and air of a world.

    The ambient light blends the colours of ground and sky along an axis that leans from the
    vertical towards the sun.
    """
    lights, weather = world.lights, world.weather
    east, north = np.cos(lights.light_azimuth), np.sin(lights.light_azimuth)
    above = _linear(lights.ambient_sky_color)
    below = _linear(lights.ambient_ground_color)
    axis = np.array([_LEAN * east, _LEAN * north, 1.0])
    cover = _cover(lights.light_elevation, weather)
    beam = (1.0 - cover) * _beam(lights.light_elevation)
    diffuse = _diffuse(lights.light_elevation, cover)
    bright = diffuse * min(1.0, float(lights.light_ambient * _LUMINANCE @ above / _DAYLIGHT))
    sky, disc = _sky(world)
    plain = np.array(Lighting().sky_colour)
    if sky is not None:
        plain = sky.mean(axis=(0, 1, 2)) / 255
        if bright != 1.0:
            sky = np.rint(255 * _dimmed(sky / 255, bright)).astype(np.uint8)
    extinction = weather.extinction()
    dusty = dust_extinction(weather.dust_visibility) / extinction if extinction else 0.0
    if cover:  # drops and flakes scatter light of all colours alike
        grey = float(_LUMINANCE @ plain ** _GAMMA)
        plain = ((1.0 - cover) * plain ** _GAMMA + cover * grey) ** (1.0 / _GAMMA)
    air = plain + dusty * (np.array(_DUST) - plain)
    if bright != 1.0:
        plain, air = _dimmed(plain, bright), _dimmed(air, bright)
    if extinction:
        sky, plain = None, air
    sun = _linear(lights.light_color) * beam
    light = lights.light_diffuse * np.array(_DIRECT) * sun
    return Lighting(
        _triple(plain), sky, towards_sun(lights), light_colour=_triple(light),
        disc_colour=_triple((0.0 if sky is None else disc) / RADIUS ** 2 * light),
        light_specular=_triple(lights.light_specular * sun),
        ambient_colour=_triple(0.5 * lights.light_ambient * diffuse * (above + below)),
        ambient_lean=_triple(0.5 * lights.light_ambient * diffuse * (above - below)),
        ambient_axis=_triple(axis / math.hypot(*axis)),
        shadows=lights.enable_shadows and bool(beam.any()), air_colour=_triple(air),
        extinction=extinction)


def _cover(height: float, weather: WeatherSpec) -> float:
    """Return the share of the beam of the sun that clouds, fog and dust take, 0 to 1."""
    if weather.rain or weather.snow:
        return 1.0
    depth = _LAYER * (fog_extinction(weather.fog_visibility)
                      + dust_extinction(weather.dust_visibility))
    return 1.0 - math.exp(-depth / max(math.sin(height), 1e-3))


def _beam(height: float) -> NDArray[np.float64]:
    """Return red, green and blue of the beam of a sun at a height [rad], 1 from `_HIGH` on."""
    risen = min(max(0.5 + height / _DISC, 0.0), 1.0)
    beam: NDArray[np.float64] = risen * np.exp(-_DEPTHS * (
        _air_mass(min(max(height, 0.0), _HIGH)) - _air_mass(_HIGH)))
    return beam


def _air_mass(height: float) -> float:
    """Return how much air the beam of a sun at a height [rad] passes; from the zenith it is 1."""
    mass: float = 1.0 / (math.sin(height) + 0.50572 * (math.degrees(height) + 6.07995) ** -1.6364)
    return mass


def _diffuse(height: float, cover: float) -> float:
    """Return the light of the sky at a height of the sun [rad], 1 from `_HIGH` on if clear."""
    sine = math.sin(min(max(height, 0.0), 0.5 * math.pi))
    clear, overcast = 0.8 + 15.5 * math.sqrt(sine), 0.3 + 21.0 * sine  # klx
    high = 0.8 + 15.5 * math.sqrt(math.sin(_HIGH))
    share: float = (min(clear / high, 1.0) * math.exp(min(height, 0.0) / _TWILIGHT)
                    * (1.0 + cover * (overcast / clear - 1.0)))
    return share


def _dimmed(colour: NDArray[np.float64], bright: float) -> NDArray[np.float64]:
    """Return an sRGB colour with `bright` times its light."""
    dimmed: NDArray[np.float64] = np.minimum(colour * bright ** (1.0 / _GAMMA), 1.0)
    return dimmed


def _linear(colour: Colour) -> NDArray[np.float64]:
    return np.array(colour[:3]) ** _GAMMA


_DAYLIGHT = float(LightsSpec().light_ambient * _LUMINANCE @ _linear(
    LightsSpec().ambient_sky_color))


def _triple(values: NDArray[np.float64]) -> Triple:
    red, green, blue = values.tolist()
    return red, green, blue
