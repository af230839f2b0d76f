# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the tests of scenes."""

import pytest

from mvsim_ros2.world.file.load import load_world_text


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    """Take no file from the cache of the user."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'cache'))


@pytest.fixture
def world_of(tmp_path):
    """Return the function that loads a world of some XML."""
    return lambda text: load_world_text(text, str(tmp_path / 'test.world.xml'), offline=True)
