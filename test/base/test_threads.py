# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Threads have a share of some work each, until all is done."""

from collections.abc import Iterator
import os
from queue import SimpleQueue
import select
from threading import Barrier, Event, get_ident

import numpy as np
import pytest

from mvsim_ros2.base.threads import beside, threads, Worker
from mvsim_ros2.errors import ArgumentError
from mvsim_ros2.sensors.raycast.image.bands import band_count


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """Forget how many threads there may be, before and after a test."""
    threads.cache_clear()
    yield
    threads.cache_clear()


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


@pytest.mark.parametrize('number', range(3))
def test_a_thread_with_a_share_does_all_that_it_asks_for_itself(number: int) -> None:
    """Else helpers would wait for each other: all three have a share when one asks for more."""
    together, done = Barrier(3, timeout=60.0), []

    def work(share: int) -> None:
        together.wait()
        if share == number:
            me = get_ident()
            beside(4, lambda part: done.append((part, get_ident() == me)))
        together.wait()

    beside(3, work)
    assert done == [(part, True) for part in range(4)]
    beside(3, lambda share: together.wait())  # and shares again afterwards


def test_shares_may_wait_for_a_thread_that_shares_work_itself() -> None:
    """As worlds that learn wait for that of OpenGL."""
    other, done = Worker('other'), SimpleQueue[int]()

    def work(share: int) -> None:
        other.start(lambda: beside(2, lambda part: done.put(part)))()

    asker = Worker('asker')
    asker.start(lambda: beside(3, work))
    assert sorted(done.get(timeout=60.0) for _ in range(6)) == [0, 0, 0, 1, 1, 1]
    for each in asker, other:
        each.end()


def test_there_is_a_thread_for_each_core_of_the_process(
        monkeypatch: pytest.MonkeyPatch, asked_anew: None) -> None:
    monkeypatch.delenv('MVSIM_ROS2_THREADS', raising=False)
    cores = os.sched_getaffinity(0)
    assert threads() == len(cores)
    try:
        os.sched_setaffinity(0, {min(cores)})
        threads.cache_clear()
        assert threads() == band_count() == 1
    finally:
        os.sched_setaffinity(0, cores)


def test_a_variable_says_how_many_threads_there_are(
        monkeypatch: pytest.MonkeyPatch, asked_anew: None) -> None:
    monkeypatch.setenv('MVSIM_ROS2_THREADS', '3')
    assert threads() == band_count() == 3


@pytest.mark.parametrize('given', ['0', 'two', '-1', '', '1.5'])
def test_a_wrong_variable_is_refused(
        given: str, monkeypatch: pytest.MonkeyPatch, asked_anew: None) -> None:
    monkeypatch.setenv('MVSIM_ROS2_THREADS', given)
    with pytest.raises(ArgumentError, match=f"MVSIM_ROS2_THREADS is '{given}': it must be a "
                                            'whole number of at least 1'):
        threads()
