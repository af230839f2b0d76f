# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images are cut into bands and strips for the threads that draw them."""

import numpy as np
import pytest

from mvsim_ros2.jit.native_function import fetch_add
from mvsim_ros2.sensors.raycast.image.bands import band_count, in_bands
from mvsim_ros2.sensors.raycast.image.smooth_strips import most_pixels, strip_of


@pytest.mark.parametrize('total, least, most', [(20, 1, 20), (20, 21, 1), (20, 10, 2), (0, 5, 1)])
def test_bands_are_not_smaller_than_pays(total: int, least: int, most: int) -> None:
    bands: list[tuple[int, int, int]] = []
    in_bands(total, lambda number, first, last: bands.append((number, first, last)), least)
    bands.sort()
    assert [number for number, _, _ in bands] == list(range(min(most, band_count())))
    assert len(bands) == 1 or min(last - first for _, first, last in bands) >= least
    assert [row for _, first, last in bands for row in range(first, last)] == list(range(total))


@pytest.mark.parametrize('threads', [1, 2, 5])
def test_strips_have_all_pixels_once(threads: int) -> None:
    width, height = 40, 300
    pixels = np.flatnonzero(np.random.default_rng(3).random(width * height) < 0.3).astype(np.int32)
    rows, sizes, last = pixels // width, [], 0
    for number in range(2 * threads if threads > 1 else 1):
        first, end, above, begin, stop = strip_of(number, threads, pixels, width, height)
        assert first == last < end
        np.testing.assert_array_equal(
            np.arange(begin, stop), np.flatnonzero((rows >= first) & (rows < end)))
        np.testing.assert_array_equal(
            np.arange(above, stop), np.flatnonzero((rows >= first - 1) & (rows < end)))
        assert stop - above <= most_pixels(len(pixels), threads, width)
        last = end
        sizes.append((stop - begin) / len(pixels))
    assert last == height
    assert strip_of(len(sizes), threads, pixels, width, height)[0] == height
    if threads > 1:  # the latter are half as large
        np.testing.assert_allclose(
            sizes, np.repeat([2 / 3, 1 / 3], threads) / threads, atol=2 * width / len(pixels))


def test_words_are_added_to_in_plain_python_too() -> None:
    word = np.array([5], np.int64)
    assert [fetch_add(word.ctypes.data, 2), fetch_add(word.ctypes.data, 2)] == [5, 7]
    assert word[0] == 9
