# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Named random streams."""

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams, stream


def test_same_seed_and_name_give_the_same_numbers() -> None:
    np.testing.assert_array_equal(stream(3, 'a').random(5), stream(3, 'a').random(5))


@pytest.mark.parametrize(('seed', 'name'), [
    pytest.param(3, 'b', id='other name'), pytest.param(4, 'a', id='other seed')])
def test_streams_differ(seed: int, name: str) -> None:
    assert not np.array_equal(stream(3, 'a').random(5), stream(seed, name).random(5))


def test_a_new_consumer_changes_no_other() -> None:
    alone, crowd = RandomStreams(1), RandomStreams(1)
    crowd.get('other').random(100)
    np.testing.assert_array_equal(alone.get('a').random(5), crowd.get('a').random(5))


def test_reset_starts_anew_and_keeps_the_generators() -> None:
    streams = RandomStreams(1)
    generator = streams.get('a')
    first = generator.random(5)
    streams.reset()
    np.testing.assert_array_equal(generator.random(5), first)
    streams.reset(2)
    np.testing.assert_array_equal(generator.random(5), stream(2, 'a').random(5))


def test_restore_continues_where_the_snapshot_was_taken() -> None:
    streams = RandomStreams(1)
    streams.get('a').random(3)
    state = streams.snapshot()
    expected = streams.get('a').random(5), streams.get('late').random(5)
    streams.restore(state)
    np.testing.assert_array_equal(streams.get('a').random(5), expected[0])
    np.testing.assert_array_equal(streams.get('late').random(5), expected[1])


def test_negative_seed_is_refused() -> None:
    with pytest.raises(ValueError, match='seed is -1: it must be an integer from 0'):
        RandomStreams(-1)
