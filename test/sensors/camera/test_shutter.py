# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Motion blur and rolling shutters, against the motion of an edge."""

from collections.abc import Callable

from making import simulate
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.observations import Image, StereoImages

# the box covers the right half of the image, and more, of a camera that looks along x
WORLD = """<lights><enable_shadows>false</enable_shadows></lights>
  <block name="box"><init_pose>4 -10 0</init_pose><mass>10</mass>
    <geometry type="box" lx="0.01" ly="10" lz="20"/><color>#ffffff</color></block>
  <vehicle name="cart"><init_pose>0 {place} 0</init_pose>{mounted}<dynamics class="differential">
    <chassis zmin="0.1" zmax="0.2"/><controller class="twist_ideal"/></dynamics></vehicle>
  {standing}"""
CAMERA = """<sensor class="camera" name="eye"><pose_3d>0 0 10 -90 0 -90</pose_3d>
  <ncols>160</ncols><nrows>120</nrows><fx>100</fx><fy>100</fy><cx>79.5</cx><cy>59.5</cy>
  <labels>true</labels><renderer>{renderer}</renderer>{content}</sensor>"""
SPEED, DEPTH = 8.0, 4.0  # m/s to the left, m
RATE = 100 * SPEED / DEPTH  # px/s of the edge, to the left
START = 80.0  # px: borders of pixels are at halves, the edge is on the axis

Take = Callable[..., Image]


@pytest.fixture
def take(renderer: str) -> Take:
    """Return a function that takes an image of the moving edge."""
    def image_of(content: str, moves: str = 'box', shadows: str = 'false') -> Image:
        camera = CAMERA.format(renderer=renderer, content=content)
        rides = moves == 'camera'
        simulation = simulate(WORLD.format(
            place=0 if rides else 30, mounted=camera if rides else '',
            standing='' if rides else camera).replace('false', shadows, 1))
        if rides:  # it slides to its right
            simulation.set_pose('cart', Pose(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0, -SPEED, 0))
        elif moves == 'box':
            simulation.set_pose('box', Pose(4.0, -10.0, 0.0, 0.0, 0.0, 0.0), (0, SPEED, 0))
        image = simulation.sensors['cart/eye' if rides else 'eye'].measure()
        assert isinstance(image, (Image, StereoImages))
        return image.left if isinstance(image, StereoImages) else image
    return image_of


def edges_of(image: Image) -> NDArray[np.int64]:
    """Return the first column of the box in each row."""
    assert image.labels is not None
    return np.argmax(image.labels.thing > 0, axis=1)


@pytest.mark.parametrize('moves', ['box', 'camera'])
@pytest.mark.parametrize('extra', [
    pytest.param('', id='one_eye'),
    pytest.param('<stereo_baseline>0.2</stereo_baseline>', id='two_eyes'),
    pytest.param('<distortion>1e-9</distortion>', id='lens')])
def test_rolling_shutters_shear_what_moves(take: Take, moves: str, extra: str) -> None:
    """
    A rolling shutter shears moving objects, within a pixel of their motion.

    :reference: motion of the edge between two rows
    :figure: images/sensors_camera.webp
    """
    readout = 0.1
    image = take(f'<readout_time>{readout}</readout_time><readout_bands>120</readout_bands>'
                 + extra, moves)
    rows = np.arange(120)
    # where it will be at the end, and how long before it each row sees
    expected = START + RATE * readout * (1 - rows / 120)
    assert np.abs(edges_of(image) - expected).max() <= 1.0
    assert np.ptp(edges_of(image)) >= 19


def test_smooth_edges_are_where_the_rows_see_them(take: Take) -> None:
    rolling = '<readout_time>0.1</readout_time><readout_bands>120</readout_bands>'
    plain, smooth = (take(rolling + more, shadows='true') for more in (
        '<antialiasing>false</antialiasing>', ''))
    edges = edges_of(plain)
    np.testing.assert_array_equal(edges, edges_of(smooth))
    away = np.abs(np.arange(160) - edges[:, np.newaxis] + 0.5) > 1.5
    np.testing.assert_array_equal(plain.pixels[away], smooth.pixels[away])
    one, other = (image.pixels[..., 0].astype(float) for image in (plain, smooth))
    sky, box = one[60, 40], one[60, 140]
    covered = (other - one).sum(axis=1) / (box - sky)  # px more of each row
    assert np.abs(covered).max() > 0.2 and abs(covered.mean()) < 0.13


def test_bands_of_rows_are_in_the_middle_of_their_time(take: Take) -> None:
    image = take('<readout_time>0.1</readout_time><readout_bands>4</readout_bands>')
    expected = START + RATE * 0.1 * (1 - np.repeat([14.5, 44.5, 74.5, 104.5], 30) / 120)
    assert np.abs(edges_of(image) - expected).max() <= 1.0


@pytest.mark.parametrize('moves', ['box', 'camera'])
def test_blur_is_as_wide_as_the_way_of_the_edge(take: Take, moves: str) -> None:
    exposure = 0.1
    image = take(f'<exposure_time>{exposure}</exposure_time>'
                 '<exposure_samples>40</exposure_samples>', moves)
    light = image.pixels[60, :, 0].astype(float) ** 2
    sky, box = light[40], light[140]
    share = (light - sky) / (box - sky)
    way = RATE * exposure  # px
    # the pixel u is covered from when the edge passes it
    expected = np.clip((np.arange(160) + 0.5 - START) / way, 0, 1)
    assert np.abs(share - expected).max() < 0.06
    assert np.count_nonzero((share > 0.01) & (share < 0.99)) == pytest.approx(way, abs=2)


@pytest.mark.parametrize('samples', [2, 3, 4, 8])
@pytest.mark.parametrize('moves', ['box', 'camera'])
def test_labels_under_blur_are_of_the_middle_of_the_exposure(
        take: Take, moves: str, samples: int) -> None:
    """
    With motion blur, labels show the middle of the exposure, for any number of samples.

    :reference: position of the edge
    """
    image = take('<exposure_time>0.1</exposure_time>'
                 f'<exposure_samples>{samples}</exposure_samples>', moves)
    assert np.abs(edges_of(image) - (START + RATE * 0.05)).max() <= 1.0


def test_what_stands_is_neither_bent_nor_blurred(take: Take) -> None:
    still = take('', moves='nothing')
    slow = take('<exposure_time>0.05</exposure_time><readout_time>0.1</readout_time>',
                moves='nothing')
    np.testing.assert_array_equal(still.pixels, slow.pixels)
    np.testing.assert_array_equal(edges_of(still), edges_of(slow))


@pytest.mark.parametrize('slow', [
    pytest.param('<exposure_time>0.05</exposure_time>', id='blurred'),
    pytest.param('<readout_time>0.05</readout_time>', id='rolling')])
@pytest.mark.parametrize('kind', ['camera', 'lidar3d'])
def test_sensors_of_the_same_instant_see_the_present(kind: str, slow: str) -> None:
    def measured(content: str) -> bytes:
        other = (f'<sensor class="{kind}" name="other"><pose_3d>0 0 10 0 0 0</pose_3d>'
                 '<renderer>cpu</renderer></sensor>')
        simulation = simulate(WORLD.format(place=30, mounted='', standing=CAMERA.format(
            renderer='cpu', content=content) + other))
        simulation.set_pose('box', Pose(4.0, -10.0, 0.0, 0.0, 0.0, 0.0), (0, SPEED, 0))
        seen = {each.sensor: each for each in simulation.step(20)}
        assert len(seen) == 2
        after = seen['other']
        return (after.pixels if isinstance(after, Image) else after.points).tobytes()

    assert measured(slow) == measured('')


def test_the_stamp_is_the_start(take: Take) -> None:
    plain = take('')
    image = take('<exposure_time>0.05</exposure_time><readout_time>0.1</readout_time>')
    assert plain.stamp_ns - image.stamp_ns == 150_000_000
