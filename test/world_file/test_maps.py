# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps from files."""

import gzip
from pathlib import Path
import struct
import sys
import tracemalloc

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.world.file.maps.occupancy import read_map, read_map_server

GREYS = np.array([[0, 254, 205], [100, 127, 128]], np.uint8)  # the upper row first
YAML = {'image': 'map.pgm', 'resolution': 0.05, 'origin': [-1.0, -2.0, 0.0], 'negate': 0,
        'occupied_thresh': 0.65, 'free_thresh': 0.196}


def grid_bytes(cells: bytes, columns: int, rows: int, bits: int = 8) -> bytes:
    """Return an MRPT grid map of 0.5 m cells whose corner is at 1, 2."""
    header = struct.pack('<bBII5f', 3, bits, columns, rows, 1, 1 + columns / 2, 2,
                         2 + rows / 2, 0.5)
    return b'\x93COccupancyGridMap2D' + header + cells


def map_server(folder: Path, **changes: object) -> Path:
    """Write a map-server map and return the path of its yaml file."""
    Image.fromarray(GREYS).save(folder / 'map.pgm')
    path = folder / 'map.yaml'
    keys = {**YAML, **changes}
    path.write_text('\n'.join(
        f'{key}: {value}' for key, value in keys.items() if value is not None))
    return path


def test_image_is_flipped_and_solid_below_one_half(tmp_path: Path) -> None:
    Image.fromarray(GREYS).save(tmp_path / 'map.png')
    grid = read_map(tmp_path / 'map.png', 0.5, (1, 2))
    assert (grid.resolution, grid.x_min, grid.y_min) == (0.5, -0.5, -1.0)
    assert grid.values.dtype == np.int8
    assert grid.solid.tolist() == [[True, True, False], [True, False, False]]
    assert grid.values[1, 0] == 99
    assert grid.values[1, 1] == 1


@pytest.mark.parametrize('mode', [
    pytest.param('1', id='black and white'),
    pytest.param('P', id='palette'),
    pytest.param('RGBA', id='colour with alpha'),
    pytest.param('I;16', id='16 bit'),
])
def test_image_of_any_mode(tmp_path: Path, mode: str) -> None:
    black_and_white = Image.fromarray(np.array([[0, 255]], np.uint8))
    if mode == 'I;16':
        image = Image.fromarray(np.array([[0, 65535]], np.uint16))
    else:
        image = black_and_white.convert(mode)
    image.save(tmp_path / 'map.png')
    assert read_map(tmp_path / 'map.png', 1, (0, 0)).values.tolist() == [[99, 1]]


@pytest.mark.parametrize(('changes', 'values'), [
    pytest.param({}, [[-1, -1, -1], [100, 0, -1]], id='trinary'),
    pytest.param({'free_thresh': 0.25, 'mode': None}, [[-1, -1, -1], [100, 0, 0]], id='default'),
    pytest.param({'negate': 1}, [[-1, -1, -1], [0, 100, 100]], id='negate'),
    pytest.param({'mode': 'scale', 'free_thresh': 0.1, 'occupied_thresh': 0.9},
                 [[63, 50, 50], [100, 0, 12]], id='scale'),
    pytest.param({'mode': 'raw'}, [[100, -1, -1], [0, -1, -1]], id='raw'),
    pytest.param({'mode': 'Trinary', 'negate': 'true'}, [[-1, -1, -1], [0, 100, 100]],
                 id='upper case'),
    pytest.param({'free_thresh': 0.5, 'occupied_thresh': 0.5}, [[100, 100, 0], [100, 0, 0]],
                 id='equal thresholds'),
    pytest.param({'free_thresh': 0.7, 'occupied_thresh': 0.4}, [[0, 0, 0], [100, 0, 0]],
                 id='free counts where both hold'),
    pytest.param({'resolution': '5e-2'}, [[-1, -1, -1], [100, 0, -1]], id='no number of YAML'),
])
def test_map_server_modes(tmp_path: Path, changes: dict[str, object],
                          values: list[list[int]]) -> None:
    grid = read_map(map_server(tmp_path, **changes), 1, (0, 0))
    assert (grid.resolution, grid.x_min, grid.y_min) == (0.05, -1, -2)
    assert grid.values.tolist() == values


@pytest.mark.parametrize(('changes', 'rule'), [
    pytest.param({'image': None}, 'image', id='no image'),
    pytest.param({'image': 'nope.pgm'}, r'nope\.pgm', id='missing image'),
    pytest.param({'resolution': None}, 'resolution', id='no resolution'),
    pytest.param({'resolution': 0}, 'above 0', id='resolution 0'),
    pytest.param({'resolution': '.nan'}, 'number', id='resolution nan'),
    pytest.param({'origin': '[0, 0]'}, 'origin', id='short origin'),
    pytest.param({'mode': 'binary'}, 'trinary, scale, raw', id='mode'),
    pytest.param({'image': '[1, 2'}, 'yaml', id='no yaml'),
])
def test_bad_map_server_file_names_the_rule(tmp_path: Path, changes: dict[str, object],
                                            rule: str) -> None:
    with pytest.raises(ResourceError, match=rule):
        read_map_server(map_server(tmp_path, **changes))


def save(image: Image.Image, folder: Path) -> dict[str, object]:
    image.save(folder / 'map.png')
    return {'image': 'map.png'}


@pytest.mark.parametrize(('mode', 'values'), [
    pytest.param('trinary', [-1, 0, -1, 100], id='trinary'),
    pytest.param('scale', [-1, 0, -1, 100], id='scale'),
    pytest.param('raw', [-1, -1, 0, 0], id='raw')])
def test_pixels_that_are_seen_through_are_unknown(tmp_path: Path, mode: str,
                                                  values: list[int]) -> None:
    pixels = np.array([[(255, 255, 255, 0), (255, 255, 255, 255), (0, 0, 0, 254),
                        (0, 0, 0, 255)]], np.uint8)
    saved = Image.fromarray(pixels, 'RGBA')
    grid = read_map_server(map_server(tmp_path, mode=mode, **save(saved, tmp_path)))
    assert grid.values.tolist() == [values]


@pytest.mark.parametrize('kind', ['P', 'P with a transparent colour', 'I;16', 'RGB'])
def test_images_of_maps_of_any_kind(tmp_path: Path, kind: str) -> None:
    colours = np.array([[(255, 255, 255), (0, 0, 0), (0, 0, 255), (0, 255, 0)]], np.uint8)
    image = Image.fromarray(colours)
    expected = [0, 100, 100, -1]  # brightness by Rec. 709: blue 0.07, green 0.72
    if kind.startswith('P'):
        image = image.quantize(4)
    if 'transparent' in kind:
        image.info['transparency'] = image.getpixel((0, 0))
        expected[0] = -1
    if kind == 'I;16':
        image = Image.fromarray(np.array([[65535, 0, 257 * 18, 257 * 182]], np.uint16))
    path = map_server(tmp_path, **save(image, tmp_path))
    assert read_map_server(path).values.tolist() == [expected]


@pytest.mark.parametrize('text', [b'P2 # a comment\n2 1\n# 100 is white\n100\n0 100\n',
                                  b'P5\n# a comment\n2 1\n255\n\x00\xff'])
def test_portable_grey_maps(tmp_path: Path, text: bytes) -> None:
    (tmp_path / 'grey.pgm').write_bytes(text)
    path = map_server(tmp_path, image='grey.pgm')
    assert read_map_server(path).values.tolist() == [[100, 0]]


@pytest.mark.parametrize(('yaw', 'corner', 'values'), [
    pytest.param(np.pi / 2, (-1.1, -2.0), [[100, -1], [0, -1], [-1, -1]], id='to the left'),
    pytest.param(-np.pi / 2, (-1.0, -2.15), [[-1, -1], [-1, 0], [-1, 100]], id='to the right'),
    pytest.param(np.pi, (-1.15, -2.1), [[-1, 0, 100], [-1, -1, -1]], id='back')])
def test_quarter_turns_of_the_origin_keep_the_cells(
        tmp_path: Path, yaw: float, corner: tuple[float, float],
        values: list[list[int]]) -> None:
    grid = read_map_server(map_server(tmp_path, origin=f'[-1.0, -2.0, {yaw}]'))
    assert (grid.x_min, grid.y_min) == pytest.approx(corner)
    assert grid.values.tolist() == values


def test_a_turned_map_has_its_cells_where_they_are(tmp_path: Path) -> None:
    levels = np.full((40, 60), 255, np.uint8)
    levels[10, 50] = 0  # row 29 from below
    saved = save(Image.fromarray(levels), tmp_path)
    path = map_server(tmp_path, origin='[1.0, 2.0, 0.5]', **saved)
    grid = read_map_server(path)
    row, column = np.argwhere(grid.solid).mean(axis=0) + 0.5
    x, y = 50.5 * 0.05, 29.5 * 0.05
    assert (grid.x_min + column * grid.resolution, grid.y_min + row * grid.resolution) == (
        pytest.approx((1.0 + x * np.cos(0.5) - y * np.sin(0.5),
                       2.0 + x * np.sin(0.5) + y * np.cos(0.5)), abs=0.02))


@pytest.mark.parametrize('kind', [np.uint8, np.uint16])
@pytest.mark.parametrize('rows', [1, 63, 64, 65, 200])
def test_rows_that_are_read_some_at_a_time_are_in_their_places(
        tmp_path: Path, kind: type[np.unsignedinteger], rows: int) -> None:
    most = np.iinfo(kind).max
    levels = np.random.default_rng(0).integers(0, most + 1, (rows, 7)).astype(kind)
    Image.fromarray(levels).save(tmp_path / 'map.png')
    solid = read_map(tmp_path / 'map.png', 0.1, (0.0, 0.0)).solid
    assert solid.tolist() == (levels[::-1] / most < 0.5).tolist()


def test_a_large_image_takes_no_more_memory_than_its_cells(tmp_path: Path) -> None:
    """And those of Pillow, which are not counted here."""
    side = 2000
    Image.fromarray(np.full((side, side), 255, np.uint8)).save(tmp_path / 'map.png')
    read_map(tmp_path / 'map.png', 0.1, (0.0, 0.0))  # all is imported
    tracemalloc.start()
    try:
        read_map(tmp_path / 'map.png', 0.1, (0.0, 0.0))
        assert side ** 2 <= tracemalloc.get_traced_memory()[1] < 1.3 * side ** 2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize('packed', [
    pytest.param(False, id='plain'), pytest.param(True, id='gz')])
def test_grid_map(tmp_path: Path, packed: bool) -> None:
    content = grid_bytes(bytes([127, 0, 1, 128, 254, 255]), 3, 2) + b'options'
    path = tmp_path / ('map.gridmap.gz' if packed else 'map.gridmap')
    path.write_bytes(gzip.compress(content) if packed else content)
    grid = read_map(path, 9, (9, 9))
    assert (grid.resolution, grid.x_min, grid.y_min) == (0.5, 1, 2)
    assert grid.values.tolist() == [[0, -1, -1], [100, 53, -1]]


@pytest.mark.parametrize(('content', 'rule'), [
    pytest.param(b'', 'no MRPT', id='empty'),
    pytest.param(grid_bytes(b'', 3, 2)[:25], 'header', id='half a header'),
    pytest.param(grid_bytes(b'\0\0', 3, 2), 'breaks off after 2', id='half the cells'),
    pytest.param(grid_bytes(b'', 0, 2), 'cells', id='no cells'),
    pytest.param(grid_bytes(b'', 2 ** 31, 2 ** 31), 'cells', id='too many cells'),
    pytest.param(grid_bytes(bytes(12), 3, 2, 16), '16 bits', id='16 bits'),
])
def test_bad_grid_map_names_the_rule(tmp_path: Path, content: bytes, rule: str) -> None:
    (tmp_path / 'map.gridmap').write_bytes(content)
    with pytest.raises(ResourceError, match=rule):
        read_map(tmp_path / 'map.gridmap', 1, (0, 0))
    (tmp_path / 'map.gridmap.gz').write_bytes(content + b'x')
    with pytest.raises(ResourceError, match='cannot be read'):
        read_map(tmp_path / 'map.gridmap.gz', 1, (0, 0))


@pytest.mark.parametrize('package, advice', [
    ('yaml', 'pip install pyyaml'), ('PIL', 'pip install pillow')], ids=str)
def test_missing_package_has_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                      package: str, advice: str) -> None:
    path = map_server(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ResourceError, match=advice):
        read_map_server(path)


def test_campus_map_of_the_original(shared: Path) -> None:
    grid = read_map(shared / 'worlds/mvsim/mvsim_tutorial/uma_campus.gridmap.gz', 1, (0, 0))
    assert grid.values.shape == (2738, 1888)
    assert (grid.resolution, grid.x_min, grid.y_min) == (0.08, -10, -127.04)
    assert np.count_nonzero(grid.solid) == 27656
