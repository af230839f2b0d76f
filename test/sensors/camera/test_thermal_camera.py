# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Thermal cameras against the law of Planck."""

import math

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.sensors.camera.thermal import radiance, share_below
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import MaterialSpec
from mvsim_ros2.world.spec.sensors.special_cameras import ThermalCameraSpec
from mvsim_ros2.world.spec.world import WorldSpec


def planck(low: float, high: float, temperature: float) -> float:
    """Return the radiance in a band by adding up the spectrum [W/(m^2 sr)]."""
    h, c, k = 6.62607015e-34, 299792458.0, 1.380649e-23
    edges = np.linspace(low, high, 20001) * 1e-6
    waves = 0.5 * (edges[1:] + edges[:-1])
    spectrum = 2 * h * c ** 2 / waves ** 5 / np.expm1(h * c / (waves * k * temperature))
    return float(spectrum.sum() * (edges[1] - edges[0]))


@pytest.mark.parametrize('temperature', [220.0, 300.0, 600.0])
@pytest.mark.parametrize('band', [(8.0, 14.0), (3.0, 5.0)])
def test_radiance_is_the_integral_of_the_spectrum(
        temperature: float, band: tuple[float, float]) -> None:
    """
    Thermal cameras measure the radiance of warm bodies in their band, within a millionth.

    :reference: Planck's law, integrated
    """
    assert radiance(np.array(temperature), *band) == pytest.approx(
        planck(*band, temperature), rel=1e-6)


@pytest.mark.parametrize(('product', 'share'), [
    (1000, 0.000321), (2000, 0.066728), (2898, 0.250108), (4000, 0.480877), (8000, 0.856288)])
def test_shares_are_those_of_the_published_table(product: float, share: float) -> None:
    # F(0 to wavelength T), in um K: table of Incropera and DeWitt, chapter 12
    assert share_below(product / 300.0, np.array(300.0)) == pytest.approx(share, abs=5e-5)


def image_of(noise: float = 0.0, **matter: float) -> tuple[Simulation, np.ndarray]:
    """Return a world with a warm block, and what a camera sees of it."""
    camera = ThermalCameraSpec(name='heat', netd=noise, ncols=64, nrows=48, cx=31.5, cy=23.5,
                               fx=50.0, fy=50.0)
    block = BlockSpec(name='b', init_pose=Pose(4.0), zmax=1.0, static=True,
                      material=MaterialSpec(**matter))
    simulation = Simulation(WorldSpec(sensors=(camera,), blocks=(block,)))
    return simulation, simulation.measure('heat').temperature


def test_black_things_have_their_temperature_before_the_sky() -> None:
    _, seen = image_of(temperature=330.0, emissivity=1.0)
    assert seen[23, 31] == pytest.approx(330.0, abs=0.01) and seen[2, 2] == 250.0
    assert set(np.unique(seen.round(1)).tolist()) == {250.0, 330.0}


def test_shiny_things_show_their_surroundings() -> None:
    _, seen = image_of(temperature=400.0, emissivity=0.3)
    sent = 0.3 * planck(8, 14, 400.0) + 0.7 * planck(8, 14, 293.15)
    assert planck(8, 14, float(seen[23, 31])) == pytest.approx(sent, rel=1e-4)
    assert 293.15 < seen[23, 31] < 400.0


def test_what_says_nothing_is_as_warm_as_the_air() -> None:
    assert image_of()[1][23, 31] == pytest.approx(293.15, abs=0.01)


def test_noise_has_its_deviation_and_messages_their_unit() -> None:
    simulation, seen = image_of(noise=0.2, temperature=310.0, emissivity=1.0)
    assert seen[:8].std() == pytest.approx(0.2, rel=0.15)
    assert math.isclose(seen[:8].mean(), 250.0, abs_tol=0.05)
    spec = simulation.sensors['heat'].spec
    image = simulation.measure('heat')
    message = message_of(channels_of(spec)[0], TYPES, image, '')
    values = np.frombuffer(bytes(message.data), np.uint16).reshape(48, 64) * 0.01
    assert message.encoding == 'mono16'
    np.testing.assert_allclose(values, image.temperature, atol=0.0051)
