# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Drops of rain before a lens: how many, how large, and what is seen through them."""

import math

from making import simulate
import numpy as np
import pytest

from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.sensors.camera.lens_drops import drop_flux, LensDrops
from mvsim_ros2.world.spec.sensors.camera import CameraSpec
from mvsim_ros2.world.spec.weather import WeatherSpec
from mvsim_ros2.world.spec.world import WorldSpec

FAR, WATER, ANGLE = 0.03, 1.333, math.radians(45.0)
LENS = Lens(201, 151, 200.0, 200.0, 100.0, 75.0)
WORLD = """<weather rain="{rain}"/>
  <element class="horizontal_plane"><color>#808080</color></element>
  <block name="b"><static>true</static><init_pose>3 0.5 20</init_pose>
    <color>#c03020</color></block>
  <sensor class="{kind}" name="c"><pose_3d>0 0 1 {turn}</pose_3d><renderer>{renderer}</renderer>
    <sensor_period>0.1</sensor_period>{more}</sensor>"""


def glass(rain: float = 10.0, seed: int = 1, **tags: float) -> LensDrops:
    """Return the glass of a camera, with drops where it rains."""
    class Views:
        world = WorldSpec(weather=WeatherSpec(rain=rain))

    spec = CameraSpec(name='c', lens_drops=1.0, **tags)
    return LensDrops(spec, LENS, Views, np.random.default_rng(seed))  # type: ignore[arg-type]


def bent(across: float, radius: float) -> float:
    """
    Return the angle of a ray behind a drop in the middle, within a plane, by angles alone.

    :param across: tangent of its angle before it.
    """
    into = math.asin(math.sin(math.atan(across)) / WATER)
    ball = radius / math.sin(ANGLE)
    # the ray x = FAR across + s sin, z = ball cos(ANGLE) + s cos meets x^2 + z^2 = ball^2
    x, z = FAR * across, ball * math.cos(ANGLE)
    way = max(np.roots([1.0, 2.0 * (x * math.sin(into) + z * math.cos(into)),
                        x * x + z * z - ball * ball]).real)
    normal = math.atan2(x + way * math.sin(into), z + way * math.cos(into))
    return normal + math.asin(WATER * math.sin(into - normal))


def test_rays_are_bent_as_angles_say() -> None:
    plate = glass(lens_aperture=0.0)
    plate.drops = np.array([[0.0, 0.0, 0.004]])
    pixels, counts, ways, passed = plate.through()
    rows, columns = np.divmod(pixels[counts], 201)
    assert 0.9 < passed.max() <= (1.0 - (0.333 / 2.333) ** 2) ** 2 + 1e-12
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1.0, atol=1e-9)
    tested = 0
    for row, column, way in zip(rows, columns, ways):
        if row == 75 and column != 100:
            expected = bent((column - 100) / 200.0, 0.004)
            assert math.atan2(way[0], way[2]) == pytest.approx(expected, abs=1e-9)
            assert way[1] == pytest.approx(0.0, abs=1e-12)
            tested += 1
    edge = (column_of := columns[rows == 75]).max(), column_of.min()
    # a disc of 4 mm at 30 mm is 26.7 pixels wide on each side
    assert edge == (126, 74) and tested > 40 * 16
    # what is on the right is seen on the left
    assert (ways[(columns > 105) & (rows == 75)][:, 0] < 0.0).all()


def test_a_wide_aperture_blurs_the_border() -> None:
    plate = glass(lens_aperture=0.002)
    plate.drops = np.array([[0.0, 0.0, 0.003]])
    pixels, counts, _, _ = plate.through()
    share = np.zeros(201 * 151)
    share[pixels] = np.bincount(counts, minlength=len(pixels)) / 16
    row = share.reshape(151, 201)[75]
    # a disc of 1 mm on the glass is 6.7 pixels wide on each side of the border at 20
    assert row[100] == 1.0 and row[112] == 1.0 and row[128] == 0.0
    assert 0.3 < row[118:122].mean() < 0.7
    assert share.sum() == pytest.approx(math.pi * 20.0 ** 2, rel=0.02)


@pytest.mark.parametrize('rain', [1.0, 20.0])
def test_as_many_fall_as_the_spectrum_says(rain: float) -> None:
    slope = 4.1 * rain ** -0.21

    def beyond(size: float) -> float:
        return 8000.0 * (9.65 * math.exp(-slope * size) / slope
                         - 10.3 * math.exp(-(slope + 0.6) * size) / (slope + 0.6))

    assert drop_flux(rain)[-1] == pytest.approx(beyond(0.2) - beyond(6.0), rel=1e-3)
    plate = glass(rain, lens_drop_time=2.0)
    numbers, radii = [], []
    for step in range(3000):
        plate.go_on(step * 500_000_000)
        numbers.append(len(plate.drops))
        radii += plate.drops[:, 2].tolist()
    # the pixels look through 3 cm by 2.25 cm; drops touch it from 1 mm and their radius away
    flat = (2.0 + math.cos(ANGLE)) * (1.0 - math.cos(ANGLE)) ** 2 / math.sin(ANGLE) ** 3
    margin = 2.0 * (1e-3 + 6e-3 * (2.0 * flat) ** (-1.0 / 3.0))
    area = (0.03 + margin) * (0.0225 + margin)
    assert plate.mean_number == pytest.approx(2.0 * area * drop_flux(rain)[-1], rel=1e-6)
    # of 3000 numbers some 370 are independent
    assert np.mean(numbers) == pytest.approx(
        plate.mean_number, abs=4.0 * math.sqrt(plate.mean_number / 370.0))
    # neighbours share exp(-1/4) of their drops
    centred = np.array(numbers) - np.mean(numbers)
    assert (centred[1:] * centred[:-1]).mean() / centred.var() == pytest.approx(
        math.exp(-0.25), abs=0.06)
    # a cap has the volume of its drop: the smallest are those of 0.2 mm
    height = min(radii) / math.sin(ANGLE) * (1.0 - math.cos(ANGLE))
    volume = math.pi * height / 6.0 * (3.0 * min(radii) ** 2 + height ** 2)
    assert volume == pytest.approx(math.pi / 6.0 * 0.2e-3 ** 3, rel=0.05)


def images(kind: str, renderer: str, more: str, rain: float = 30.0) -> list[np.ndarray]:
    """Return three images of a camera, the last two from a snapshot on."""
    simulation = simulate(WORLD.format(
        rain=rain, renderer=renderer, more=more, kind=kind,
        turn='-90 0 -90' if kind == 'camera' else '0 0 0'), seed=3)

    def look() -> np.ndarray:
        seen = simulation.measure('c')
        return (seen if kind == 'camera' else seen.colour).pixels.astype(int)

    first, kept = look(), simulation.snapshot()
    simulation.step(200)
    then = look()
    simulation.restore(kept)
    simulation.step(200)
    return [first, then, look()]


@pytest.mark.parametrize('kind', ['camera', 'rgbd_camera'])
def test_both_renderers_show_them_and_snapshots_keep_them(kind: str, gl: None) -> None:
    drops = '<lens_drops>2</lens_drops>'
    dry = images(kind, 'gl', '')
    by_gl, by_rays = (images(kind, renderer, drops) for renderer in ('gl', 'cpu'))
    for one, other in zip(by_gl, by_rays):
        apart = np.abs(one - other).max(axis=2)
        assert (apart > 6).mean() < 0.01
    wet = np.abs(by_gl[0] - dry[0]).max(axis=2) > 5
    assert 0.01 < wet.mean() < 0.9
    assert (by_gl[1] == by_gl[2]).all() and (by_gl[1] != by_gl[0]).any()
    assert (images(kind, 'gl', drops, rain=0.0)[0] == images(kind, 'gl', '', rain=0.0)[0]).all()
