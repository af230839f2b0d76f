# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Memory of what is made at once and left again is given back."""

import gc
from pathlib import Path
import weakref

import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.base.bulk import without_collection
from mvsim_ros2.errors import MvsimError

WRONG = '<mvsim_world version="1.0"><block name="b"><mass>x</mass></block></mvsim_world>'


class Node:
    """Part of a cycle, which only the collector of Python frees."""

    other: 'Node'


def test_a_cycle_that_was_made_is_freed_by_the_next_look_at_young_objects() -> None:
    with without_collection():
        one, two = Node(), Node()
        one.other, two.other = two, one
        left = weakref.ref(one)
    del one, two
    gc.collect(1)
    assert left() is None


@pytest.mark.parametrize('on', [True, False])
def test_collection_is_as_before(on: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        with without_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == on
    finally:
        (gc.enable if was else gc.disable)()


def test_worlds_that_are_refused_are_looked_through(tmp_path: Path) -> None:
    """Their errors hold what was read, in cycles."""
    path = tmp_path / 'wrong.world.xml'
    path.write_text(WRONG)
    before = [each['collections'] for each in gc.get_stats()]
    for _ in range(200):
        with pytest.raises(MvsimError):
            load_world(path)
    assert [each['collections'] for each in gc.get_stats()][0] > before[0]
