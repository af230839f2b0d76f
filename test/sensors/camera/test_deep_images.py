# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of 16 bits, of light, and behind a Bayer filter; metering; depth of field."""

import math

import numpy as np
import pytest
from small_scenes import Drawer, place, scene_of, sheet, view_from

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.scene.scene import Lighting, Material
from mvsim_ros2.sensors.camera.image_noise import Electronics, metered
from mvsim_ros2.world.spec import (
    BlockSpec, CameraSpec, GeometrySpec, VisualSpec, WorldSpec)

AHEAD = Pose(yaw=-np.pi / 2, roll=-np.pi / 2)


def developed(light: np.ndarray, seed: int = 0, **values: object) -> np.ndarray:
    """Return the image of light of each pixel, the same in all colours."""
    spec = CameraSpec(name='c', **values)
    colours = np.repeat(light[..., np.newaxis], 3, axis=2).astype(np.float32)
    return Electronics(spec, None, spec.encoding, np.random.default_rng(seed)).develop(colours)


@pytest.mark.parametrize('encoding, gamma, black, bits', [
    ('rgb16', 2.0, 0.0, 16), ('mono16', 1.0, 1024.0, 16), ('bayer_rggb16', 1.0, 4096.0, 12),
    ('bgr16', 2.2, 0.0, 10), ('mono8', 1.0, 16.0, 16), ('32FC1', 2.0, 0.0, 16)])
def test_values_are_those_of_light_gamma_and_black_level(
        encoding: str, gamma: float, black: float, bits: int) -> None:
    """
    A value is black + (white - black) L^(1/gamma), in steps of the bit depth; 32FC is light.

    :reference: closed form
    """
    light = np.linspace(0.0, 1.5, 240).reshape(12, 20)
    image = developed(light, encoding=encoding, gamma=gamma, black_level=black, bit_depth=bits)
    first = image if image.ndim == 2 else image[..., 0]
    if encoding == '32FC1':
        assert image.dtype == np.float32
        np.testing.assert_allclose(first, light, rtol=1e-5, atol=1e-7)
        return
    white = 255 if encoding.endswith('8') else 65535
    step = 1 if white == 255 else 2 ** (16 - bits)
    assert image.dtype == (np.uint8 if white == 255 else np.uint16)
    expected = black + (white - black) * np.minimum(light, 1.0) ** (1.0 / gamma)
    expected = step * np.minimum(np.rint(expected / step), white // step)
    assert np.abs(first.astype(float) - expected).max() <= step
    assert (first.astype(int) % step == 0).all() and first.max() == white // step * step


def test_noise_goes_below_the_black_level() -> None:
    """
    The dark signal has the mean of the black level and the read noise as deviation (EMVA 1288).

    :reference: closed form
    """
    dark = developed(np.zeros((100, 200)), encoding='bayer_rggb16', gamma=1.0, black_level=2048.0,
                     full_well=10000.0, read_noise=20.0)
    deviation = 20.0 / 10000.0 * (65535 - 2048)
    assert dark.mean() == pytest.approx(2048.0, abs=5 * deviation / math.sqrt(dark.size))
    assert dark.std() == pytest.approx(deviation, rel=0.03)
    cut = developed(np.zeros((100, 200)), encoding='bayer_rggb16', gamma=1.0, full_well=10000.0,
                    read_noise=20.0)
    assert cut.mean() > 0.35 * 20.0 / 10000.0 * 65535, 'without a black level half of it is cut'


def test_light_above_white_is_kept(drawer: Drawer, renderer: str) -> None:
    """
    Light of a surface is albedo times light times the cosine, also above white.

    :reference: closed form
    """
    scene = scene_of([(sheet(20.0, Material((0.8, 0.5, 0.3, 1.0))), place((5, 0, 0), 1.0, 0.0,
                                                                          math.pi / 2))],
                     lighting=Lighting(towards_light=(-1.0, 0.0, 1.0), light_colour=(8.0,) * 3,
                                       ambient_colour=(0.5,) * 3, ambient_lean=(0.0,) * 3))
    colour = drawer(scene)(view_from((0, 0, 0), antialiasing=True, hdr=True), ('colour',)).colour
    assert colour.dtype == np.float32
    # colours of meshes have 8 bits in OpenGL
    expected = np.array([0.8, 0.5, 0.3]) ** 2 * (0.5 + 8.0 / math.sqrt(2.0))
    np.testing.assert_allclose(
        colour[120, 160], expected, rtol=2e-2 if renderer == 'gl' else 1e-5)


def test_lamps_are_brighter_than_white(renderer: str) -> None:
    """What glows adds the square of its colour times its strength."""
    ball = GeometrySpec(kind='sphere', radius=1.0)
    light = []
    for strength in (0.0, 1.0, 50.0):
        visual = VisualSpec(geometry=ball, model_emissive=(0.9, 0.8, 0.6, 1.0),
                            model_emissive_strength=strength)
        lamp = BlockSpec(name='b', static=True, init_pose=Pose(3.0), visuals=(visual,))
        spec = CameraSpec(name='c', pose=AHEAD, encoding='32FC3', ncols=64, nrows=48, cx=31.5,
                          cy=23.5, fx=60.0, fy=60.0, renderer=renderer)
        sim = Simulation(WorldSpec(blocks=(lamp,), sensors=(spec,)))
        light.append(sim.measure('c').pixels[24, 32])
    for strength, got in ((1.0, light[1]), (50.0, light[2])):
        np.testing.assert_allclose(got - light[0], strength * np.array([0.81, 0.64, 0.36]),
                                   rtol=1e-3)


def test_deep_images_show_what_8_bits_show(renderer: str) -> None:
    block = BlockSpec(name='b', static=True, init_pose=Pose(3.0), color=(1.0, 0.5, 0.1, 1.0))
    images = {}
    for encoding in ('rgb8', 'bgr16', '32FC3', 'mono16', 'mono8'):
        spec = CameraSpec(name='c', pose=Pose(z=0.5).compose(AHEAD), encoding=encoding, ncols=64,
                          nrows=48, cx=31.5, cy=23.5, fx=60.0, fy=60.0, renderer=renderer,
                          antialiasing=False)
        images[encoding] = Simulation(WorldSpec(blocks=(block,), sensors=(spec,))).measure('c')
        channel = channels_of(spec)[0]
        message = message_of(channel, TYPES, images[encoding], '')
        assert message.encoding == encoding
        assert message.step == 64 * images[encoding].pixels[0, 0].nbytes
    assert len(np.unique(images['rgb8'].pixels)) > 3
    for deep, plain in (('bgr16', 'rgb8'), ('32FC3', 'rgb8'), ('mono16', 'mono8')):
        off = images[deep].rgb.astype(int) - images[plain].rgb
        assert np.abs(off).max() <= 1


@pytest.mark.parametrize('metering, expected', [
    ('mean', 1.0 / 3.0), ('spot', 0.01 / 3.0),
    ('centre', 0.25 - 0.5 * math.exp(-2.0) / (
        math.sqrt(0.5 * math.pi) * math.erf(math.sqrt(2.0))))])
def test_metering_weighs_the_middle(metering: str, expected: float) -> None:
    """
    Each kind of metering weights the pixels as specified: the mean of x^2 across the image.

    :reference: closed form
    """
    x = (2.0 * np.arange(1000) + 1.0) / 1000 - 1.0
    found = metered(np.broadcast_to(x * x, (40, 1000)), metering)
    assert found == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize('depth, focus', [(1.0, 3.0), (6.0, 2.0), (2.0, 0.0), (3.0, 3.0)])
def test_an_edge_is_blurred_by_the_circle_of_confusion(
        renderer: str, depth: float, focus: float) -> None:
    """
    The light across an edge is that of a disc of the width A F |1/s - 1/z|.

    :reference: thin lens
    """
    focal, width = 200.0, 0.05
    black = BlockSpec(name='b', static=True, init_pose=Pose(depth), zmin=-3.0, zmax=3.0,
                      color=(0.0, 0.0, 0.0, 1.0),
                      shape=((0.0, -9.0), (0.01, -9.0), (0.01, 0.0), (0.0, 0.0)))
    spec = CameraSpec(name='c', pose=AHEAD, encoding='32FC1', ncols=121, nrows=9, cx=60.0, cy=4.0,
                      fx=focal, fy=focal, renderer=renderer, f_number=2.0, focal_length=2 * width,
                      focus_distance=focus, lens_samples=64)
    light = Simulation(WorldSpec(blocks=(black,), sensors=(spec,))).measure('c').pixels
    share = light / light[:, :1]  # of the sky, which is on the left
    spread = -np.diff(share, axis=1)
    at = np.arange(120) + 0.5
    middle = (spread * at).sum(axis=1) / spread.sum(axis=1)
    variance = (spread * (at - middle[:, np.newaxis]) ** 2).sum(axis=1) / spread.sum(axis=1)
    blur = width * focal * abs((1.0 / focus if focus else 0.0) - 1.0 / depth)
    assert middle == pytest.approx(60.0, abs=0.15)
    # a disc of the width b has the variance b^2 / 16 across, the step of a pixel up to 1/4
    assert variance == pytest.approx(blur ** 2 / 16.0 + 0.2, rel=0.03, abs=0.1)
