# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work on images is spread over threads, each of which has a share until all is done."""

import os
import select
from threading import Barrier
from threading import Event
from threading import get_ident

import numpy as np
import pytest

from mvsim_ros2.jit.memory import fetch_add
from mvsim_ros2.raycast.image.bands import band_count
from mvsim_ros2.raycast.image.bands import beside
from mvsim_ros2.raycast.image.bands import in_bands
from mvsim_ros2.raycast.image.smooth_strips import most_pixels
from mvsim_ros2.raycast.image.smooth_strips import strip_of


@pytest.mark.parametrize('count', [1, 2, 3, 7])
def test_all_threads_work_at_the_same_time(count: int) -> None:
    together, who = Barrier(count, timeout=60.0), {}

    def work(number: int) -> None:
        together.wait()  # for all the others
        who[number] = get_ident()

    for _ in range(3):
        beside(count, work)
        assert sorted(who) == list(range(count)) and len(set(who.values())) == count
        assert who.pop(count - 1) == get_ident()
        who.clear()


def test_each_thread_begins_when_its_share_is_prepared() -> None:
    ready: list[int] = []
    begun = [Event() for _ in range(4)]

    def prepare(number: int) -> None:
        assert number == 0 or begun[number - 1].wait(60.0)  # that before has begun meanwhile
        ready.append(number)

    def work(number: int) -> None:
        assert number in ready
        begun[number].set()

    beside(4, work, prepare)
    assert ready == [0, 1, 2, 3]


def test_what_a_thread_raises_is_raised_when_all_are_done() -> None:
    done = []

    def work(number: int) -> None:
        if number == 1:
            raise ValueError('of the second')
        done.append(number)

    for _ in range(2):  # the thread goes on to help
        with pytest.raises(ValueError, match='of the second'):
            beside(4, work)
    assert sorted(done) == [0, 0, 2, 2, 3, 3]


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


def test_a_fork_has_threads_of_its_own() -> None:
    def work(number: int) -> None:
        done[number] = number + 1

    done = np.zeros(3, int)
    beside(3, work)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        done[:] = 0
        beside(3, work)
        os.write(writer, done.tobytes())
        os._exit(0)
    assert select.select([reader], [], [], 60.0)[0], 'the fork waits for ever'
    assert np.frombuffer(os.read(reader, done.nbytes), int).tolist() == [1, 2, 3]
    os.waitpid(child, 0)


def test_nobody_works_any_more_after_a_fault() -> None:
    begun, go, ended = Event(), Event(), Event()

    def work(number: int) -> None:
        if number == 1:
            begun.wait()
            go.set()
            raise ValueError('of the last')
        begun.set()
        go.wait()
        ended.set()

    with pytest.raises(ValueError, match='of the last'):
        beside(2, work)
    assert ended.is_set()
