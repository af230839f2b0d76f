# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Making of many objects at once."""

from collections.abc import Iterator
import gc

import pytest

from mvsim_ros2.spec.bulk import without_collection


@pytest.fixture
def passes() -> Iterator[list[int]]:
    """Return the generations that Python looks through during a test."""
    seen: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == 'start':
            seen.append(info['generation'])

    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)


def test_many_objects_are_not_looked_through_when_they_are_made(passes: list[int]) -> None:
    with without_collection():
        kept = [[number] for number in range(100_000)]
    assert not passes
    assert gc.isenabled()
    assert any(one is kept for one in gc.get_objects(generation=2))


def test_what_a_program_has_frozen_stays_so() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with without_collection():
            kept = [[number] for number in range(1000)]
        assert gc.get_freeze_count() == pytest.approx(frozen, abs=100)
        assert len(kept) == 1000
    finally:
        gc.unfreeze()
