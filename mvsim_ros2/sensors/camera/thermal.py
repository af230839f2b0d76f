# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Thermal cameras: the heat radiation of surfaces in a band of wavelengths, as a temperature.

A surface of temperature T and emissivity e sends e B(T) + (1 - e) B(T_air), where B is the law of
Planck over the band. Its integral is the series of S. L. Chang and K. T. Rhee, Blackbody
radiation functions, Int. Comm. Heat Mass Transfer 11, 1984. No material is clear to this
radiation, glass included, and the air takes none of it away.
"""

from dataclasses import replace
import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.camera_view import COLOUR
from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene
from mvsim_ros2.sensors import BodyState, Mount, SensorModel, ThermalImage
from mvsim_ros2.sensors.camera.camera_sensor import PinholeSensor
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.views.image_view import RayImageView
from mvsim_ros2.sensors.views.ray_view import RayView
from mvsim_ros2.world.spec import MaterialSpec, ThermalCameraSpec

_SECOND = 14387.768775  # um K; second radiation constant
_STEFAN_BOLTZMANN = 5.670374419e-8  # W/(m^2 K^4)
_TERMS = 60  # of the series
_COLDEST, _HOTTEST = 30.0, 12_000.0  # K
_DARK = (0.0, 0.0, 0.0)


def share_below(wavelength: float, temperature: Array) -> Array:
    """
    Return the share of the radiation of a black body below a wavelength.

    :param wavelength: um.
    :param temperature: K.
    """
    x = _SECOND / (wavelength * np.asarray(temperature, float))
    n = np.arange(1, _TERMS + 1).reshape(-1, *[1] * x.ndim)
    terms = np.exp(-n * x) / n * (x ** 3 + 3 * x ** 2 / n + 6 * x / n ** 2 + 6 / n ** 3)
    return np.asarray(15 / math.pi ** 4 * terms.sum(axis=0))


def radiance(temperature: Array, low: float, high: float) -> Array:
    """
    Return the radiance of black bodies in a band [W/(m^2 sr)].

    :param temperature: K.
    :param low: shortest wavelength [um], as `high` the longest.
    """
    temperature = np.asarray(temperature, float)
    share = share_below(high, temperature) - share_below(low, temperature)
    return np.asarray(_STEFAN_BOLTZMANN / math.pi * temperature ** 4 * share)


class HeatView(RayImageView):
    """The materials of the scene, each as a number that rays find."""

    materials: list[MaterialSpec]  # from number 1; 0 is the sky

    def rebuild(self) -> None:
        rays = self.views.use(RayView).now()
        scene = rays.scene
        numbers: dict[MaterialSpec, int] = {}
        for mesh in scene.meshes:
            for material in mesh.materials:
                numbers.setdefault(material.matter, len(numbers) + 1)
        self.materials = list(numbers)
        numbered = Scene(
            tuple(_numbered(mesh, numbers) for mesh in scene.meshes), scene.mesh,
            scene.transform, np.ones((len(scene.mesh), 4), np.float32), scene.label,
            scene.thing, scene.thing_names, scene.owner, scene.sensor, scene.moving,
            Lighting(sky_colour=_DARK, light_colour=_DARK, light_specular=_DARK,
                     ambient_colour=_DARK, shadows=False))
        self.renderer = RayRenderer(rays, numbered)


def _numbered(mesh: Mesh, numbers: dict[MaterialSpec, int]) -> Mesh:
    """Return a mesh whose materials give off their numbers, red first."""
    def plain(material: Material) -> Material:
        high, low = divmod(numbers[material.matter], 256)
        return replace(material, colour=(0.0, 0.0, 0.0, 1.0), matter=MaterialSpec(
            emissive=(high / 255, low / 255, 0.0, 1.0)))
    return replace(mesh, materials=tuple(map(plain, mesh.materials)))


class ThermalCamera(PinholeSensor):
    """Measures temperatures by their radiation."""

    def __init__(self, mount: Mount) -> None:
        super().__init__(mount)
        spec: ThermalCameraSpec = mount.spec
        self._thermal = spec
        self._temperatures = np.geomspace(_COLDEST, _HOTTEST, 20_001)
        self._radiances = radiance(self._temperatures, spec.band_min, spec.band_max)

    def measure(self, stamp_ns: int, state: BodyState) -> ThermalImage:
        spec, heat = self._thermal, self._views.use(HeatView)
        colour = heat.renderer.render(self.view(state), COLOUR).colour
        assert colour is not None
        number = colour[..., 0].astype(np.intp) * 256 + colour[..., 1]
        temperature = self._apparent(heat.materials)[number]
        if spec.netd > 0.0:
            temperature = temperature + spec.netd * self.random.standard_normal(
                temperature.shape)
        return ThermalImage(self.name, self.frame_id, stamp_ns, temperature.astype(np.float32),
                            self.info(self.lens, self.frame_id, stamp_ns), spec.resolution)

    def _apparent(self, materials: list[MaterialSpec]) -> Array:
        """Return the temperatures that the sky and materials look like [K]."""
        spec, air = self._thermal, self._thermal.air_temperature
        true = np.array([air if material.temperature is None else material.temperature
                         for material in materials])
        emissivity = np.array([material.emissivity for material in materials])
        own, around = (radiance(np.maximum(values, _COLDEST), spec.band_min, spec.band_max)
                       for values in (true, np.array([air])))
        seen = np.interp(emissivity * own + (1.0 - emissivity) * around, self._radiances,
                         self._temperatures)
        return np.concatenate([[spec.sky_temperature], seen])


MODELS = (SensorModel(spec=ThermalCameraSpec, make=ThermalCamera),)
