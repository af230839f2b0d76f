# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Heights of elevation maps from images, matrices and lists of points."""

from contextlib import suppress
from pathlib import Path
import resource

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.file.maps.elevation import resampled, rgb_colours, smoothed
from mvsim_ros2.world.spec import ElevationMapSpec, HeightMap


def load(folder: Path, tags: str) -> HeightMap:
    """Return the heights of the map that `tags` describe."""
    file = folder / 'w.world.xml'
    file.write_text('<mvsim_world version="1.0"><element class="elevation_map">'
                    f'{tags}</element></mvsim_world>')
    element = load_world(file).elements[0]
    assert isinstance(element, ElevationMapSpec) and element.heights is not None
    return element.heights


def test_the_grey_of_an_image_is_stretched(tmp_path: Path) -> None:
    """Darkest and brightest pixel are the limits; rows run along x, the top one first."""
    Image.fromarray(np.array([[50, 100, 150], [50, 60, 250]], np.uint8)).save(tmp_path / 'e.png')
    heights = load(tmp_path, '<elevation_image>e.png</elevation_image><resolution>2</resolution>'
                   '<elevation_image_min_z>-1</elevation_image_min_z>'
                   '<elevation_image_max_z>3</elevation_image_max_z>')
    assert heights.values == pytest.approx(np.array([[-1, 0, 1], [-1, -0.8, 3]]))
    assert (heights.x_min, heights.y_min, heights.resolution) == (-1.0, -2.0, 2.0)


def test_an_image_of_one_grey_is_low(tmp_path: Path) -> None:
    """Where the original divides by zero the ground is level."""
    Image.new('L', (3, 3), 77).save(tmp_path / 'e.png')
    heights = load(tmp_path, '<elevation_image>e.png</elevation_image>'
                   '<elevation_image_min_z>2</elevation_image_min_z>')
    assert (heights.values == 2.0).all()


def test_a_chunk_larger_than_its_file_takes_no_memory(tmp_path: Path) -> None:
    Image.fromarray(np.arange(12, dtype=np.uint8).reshape(3, 4)).save(tmp_path / 'e.png')
    data = bytearray((tmp_path / 'e.png').read_bytes())
    at = data.index(b'IDAT') - 4
    data[at:at + 4] = (2 ** 31 - 1).to_bytes(4, 'big')
    (tmp_path / 'e.png').write_bytes(data)
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    used = int(Path('/proc/self/statm').read_text().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + 2 ** 29, limits[1]))
    try:
        with suppress(MvsimError):
            load(tmp_path, '<elevation_image>e.png</elevation_image>')
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limits)


def test_a_matrix_is_scaled(tmp_path: Path) -> None:
    """Rows of the matrix run along x, from the corner that is given."""
    heights = load(tmp_path, '<elevation_data_matrix>[1 2 3; 4 5 6]</elevation_data_matrix>'
                   '<elevation_data_matrix_scale>0.5</elevation_data_matrix_scale>'
                   '<corner_min_x>10</corner_min_x>')
    assert heights.values.tolist() == [[0.5, 1.0, 1.5], [2.0, 2.5, 3.0]]
    assert (heights.x_min, heights.y_min) == (10.0, -1.0)


def test_a_list_of_points_is_resampled(tmp_path: Path) -> None:
    """The grid begins at the smallest x and y, after the offset."""
    (tmp_path / 'dem.txt').write_text(
        '1000 500 7 255 0 0\n1002 500 8 0 255 0\n1000 501 9 0 0 255\n1002 501 10 0 0 0\n')
    heights = load(tmp_path, '<dem_xyzrgb_file>dem.txt</dem_xyzrgb_file>'
                   '<dem_offset_x>-1000</dem_offset_x><dem_offset_y>-500</dem_offset_y>'
                   '<dem_offset_z>-7</dem_offset_z><corner_min_x>99</corner_min_x>')
    assert heights.values[[0, 2]].tolist() == [[0.0, 2.0], [1.0, 3.0]]
    assert (heights.x_min, heights.y_min) == (0.0, 0.0)
    assert heights.colours is not None
    assert heights.colours[[0, 2]].tolist() == [[[255, 0, 0], [0, 0, 255]],
                                                [[0, 255, 0], [0, 0, 0]]]


def test_the_nearest_point_counts() -> None:
    """The search by rings of cells finds the same points as one over all."""
    random = np.random.default_rng(3)
    points = random.uniform(0, 9, (60, 2))
    nearest, corner = resampled(points, 0.7)
    at = np.stack(np.meshgrid(*(np.arange(n) for n in nearest.shape), indexing='ij'), axis=-1)
    distance = np.linalg.norm((corner + 0.7 * at)[:, :, None] - points, axis=-1)
    assert np.array_equal(nearest, distance.argmin(axis=-1))


@pytest.mark.parametrize(('columns', 'expected'), [
    pytest.param([[0.0, 0.5, 1.0]], [[0, 128, 255]], id='shares'),
    pytest.param([[0.0, 128.0, 300.0]], [[0, 128, 255]], id='bytes'),
    pytest.param([[-1.0, 0.0, 0.2]], [[0, 0, 51]], id='below 0')])
def test_colours_of_points(columns: list[list[float]], expected: list[list[int]]) -> None:
    assert rgb_colours(np.array(columns)).tolist() == expected


def test_a_filter_lets_borders_sink() -> None:
    """Beyond the border there are zeros."""
    kernel = np.full((3, 3), 1 / 9)
    assert smoothed(np.ones((3, 4)), kernel) == pytest.approx(
        np.array([[4, 6, 6, 4], [6, 9, 9, 6], [4, 6, 6, 4]]) / 9)


@pytest.mark.parametrize(('tags', 'words'), [
    ('<elevation_data_matrix>[1 2 3]</elevation_data_matrix>', 'two rows'),
    ('<dem_xyzrgb_file>points.txt</dem_xyzrgb_file>', 'x y z r g b'),
    ('<dem_xyzrgb_file>w.world.xml</dem_xyzrgb_file>', 'cannot be read'),
    ('<elevation_image>points.txt</elevation_image>', 'cannot be read'),
    ('<dem_xyzrgb_file>far.txt</dem_xyzrgb_file>', 'larger <resolution>'),
    ('<dem_xyzrgb_file>one.txt</dem_xyzrgb_file>', 'at least 2 x 2')],
    ids=['flat matrix', 'three columns', 'no table', 'no image', 'too large', 'one point'])
def test_faults_name_their_line(tmp_path: Path, tags: str, words: str) -> None:
    """What cannot be a map is an error with file and line."""
    (tmp_path / 'points.txt').write_text('1 2 3\n')
    (tmp_path / 'far.txt').write_text('0 0 1 0 0 0\n1e6 1e6 1 0 0 0\n')
    (tmp_path / 'one.txt').write_text('0 0 1 0 0 0\n')
    with pytest.raises(MvsimError, match=rf'w\.world\.xml:1.*{words}'):
        load(tmp_path, tags)
