# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A sky with sun disc, horizon and clouds, in both renderers."""

import math

from making import simulate
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.scene.build import build_scene

FOCAL = 1200.0  # px


def images(lights: str, yaw: float, height: float,
           encoding: str = 'rgb8') -> dict[str, NDArray[np.float64]]:
    """Return what a camera with 400 x 300 pixels sees of a sky, by both renderers."""
    simulation = simulate(f'<lights> {lights} </lights>' + ''.join(
        f'<sensor class="camera" name="{renderer}"> <renderer>{renderer}</renderer> '
        f'<pose_3d>0 0 1 {yaw - 90} 0 {height - 90}</pose_3d> <ncols>400</ncols> '
        f'<nrows>300</nrows> <cx>199.5</cx> <cy>149.5</cy> <fx>{FOCAL}</fx> <fy>{FOCAL}</fy> '
        f'<encoding>{encoding}</encoding> </sensor>'
        for renderer in ('gl', 'cpu')))
    return {each: simulation.measure(each).pixels.astype(float) for each in ('gl', 'cpu')}


def sky(azimuth: float, elevation: float, clouds: float) -> str:
    """Return the lights of a world."""
    return (f'<light_azimuth_deg>{azimuth}</light_azimuth_deg> <light_elevation_deg>{elevation}'
            f'</light_elevation_deg> <clouds>{clouds}</clouds>')


@pytest.mark.parametrize('azimuth, elevation', [(20, 30), (135, 8), (-100, 70)])
def test_the_sun_is_where_its_light_comes_from(azimuth: float, elevation: float) -> None:
    for pixels in images(sky(azimuth, elevation, 0), azimuth, elevation).values():
        blue = pixels[..., 2]
        rows, columns = np.nonzero(blue >= blue.max() - 3)
        assert columns.mean() == pytest.approx(199.5, abs=3)  # a texel of the sky has 5 pixels
        assert rows.mean() == pytest.approx(149.5, abs=3)
        across = np.sqrt(len(rows) / np.pi) / FOCAL  # 0.265 degrees, smooth over a texel
        assert 0.15 < np.degrees(across) < 0.5


def test_both_renderers_show_the_same_sky() -> None:
    for yaw, height in ((40.0, 45.0), (200.0, 3.0), (90.0, 85.0)):
        seen = images(sky(20, 40, 0.4), yaw, height)
        assert np.ptp(seen['gl'][..., 0]) > 40
        apart = abs(seen['gl'] - seen['cpu'])
        assert apart.mean() < 0.7 and apart.max() <= 12  # OpenGL filters in 8 bits


@pytest.mark.parametrize('clouds', [0.0, 0.3, 0.7, 1.0])
def test_clouds_cover_their_share(world_of, clouds: float) -> None:
    faces = build_scene(world_of(f'<lights> {sky(0, 40, clouds)} </lights>')).lighting.sky
    above = faces[3].astype(int)  # what is grey there is a cloud
    grey = np.ptp(above, axis=2) < 60
    assert grey.mean() == pytest.approx(clouds, abs=0.12)


def test_the_sky_pales_towards_the_horizon_and_reddens_at_sunset(world_of) -> None:
    noon, evening = (build_scene(world_of(
        f'<lights> {sky(0, elevation, 0)} </lights>')).lighting.sky.astype(int)
        for elevation in (60, 2))
    front, back = noon[0][:, 10], noon[1][:, 10]
    assert (np.diff(front[:192:16, 0]) >= 0).all() and front[190, 0] > front[0, 0] + 40
    assert abs(front[190] - back[190]).max() < 8
    assert evening[0][185, 192, 0] - evening[0][185, 192, 2] > (
        evening[1][185, 192, 0] - evening[1][185, 192, 2]) + 40


def test_a_sun_below_the_horizon_has_no_disc_and_rain_hides_the_sky(world_of) -> None:
    def lighting(elevation: float, more: str = ''):
        return build_scene(world_of(
            f'<lights> {sky(0, elevation, 0)} </lights> {more}')).lighting
    assert lighting(-3).sky.max() < 0.7 * lighting(3).sky.max()
    assert lighting(40, '<weather rain="5"/>').sky is None


@pytest.mark.parametrize('elevation, clouds', [(50, 0.0), (20, 0.0), (50, 0.5), (50, 1.0)])
def test_images_of_light_have_the_light_of_the_disc(
        world_of, elevation: float, clouds: float) -> None:
    """
    The light of the disc of the sun, on a white surface that faces it, is that of the sun.

    :reference: sum over pixels
    """
    lights = sky(20, elevation, clouds)
    sun = build_scene(world_of(f'<lights> {lights} </lights>')).lighting
    passes = np.array(sun.disc_colour) / sun.light_colour * math.radians(0.265) ** 2
    assert clouds or passes == pytest.approx(1.0)
    for light in images(lights, 20, elevation, '32FC3').values():
        x, y = np.meshgrid((np.arange(400) - 199.5) / FOCAL, (np.arange(300) - 149.5) / FOCAL)
        solid = FOCAL ** -2 * (1.0 + x * x + y * y) ** -1.5
        disc = np.maximum(light - 1.0, 0.0) * solid[..., np.newaxis]  # the sky ends at white
        np.testing.assert_allclose(disc.sum(axis=(0, 1)) / math.pi, passes * sun.light_colour,
                                   rtol=0.01, atol=1e-5)
        if clouds == 0.0:
            assert light.max() == pytest.approx(max(sun.disc_colour), rel=0.01)
