# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the tests of world files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.world import WorldSpec


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., WorldSpec]:
    """Return a function that loads a world whose content is given, offline, with no cache."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'cache'))

    def load_content(content: str, **options: Any) -> WorldSpec:
        file = tmp_path / 'test.world.xml'
        file.write_text(f'<mvsim_world>\n{content}\n</mvsim_world>')
        return load_world(file, offline=True, **options)

    return load_content
