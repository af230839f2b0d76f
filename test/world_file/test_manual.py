# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The manual of the world format."""

from pathlib import Path

from mvsim_ros2.world.file.binding.tag_lookup import entries
from mvsim_ros2.world.file.binding.tag_places import collections
from mvsim_ros2.world.file.manual.generator import manual
from mvsim_ros2.world.spec.fields import KINDS


def test_manual_in_docs_is_fresh(project: Path) -> None:
    written = (project / 'docs' / 'world-format.md').read_text()
    assert written == manual(), (
        'stale: run `python -m mvsim_ros2.world.file.manual.generator > docs/world-format.md`')


def test_manual_names_every_tag_and_kind() -> None:
    text = manual()
    for specs, _ in collections().values():
        for spec in specs:
            for entry in entries(spec):
                assert entry.tag.content or all(name in text for name in entry.names)
    for kind in KINDS:
        assert f'| {kind} |' in text


def test_tables_have_six_columns() -> None:
    rows = [line for line in manual().splitlines() if line.startswith(('| `', '| its'))]
    tables = [row.replace('\\|', '') for row in rows]
    assert {row.count('|') for row in tables if not row.startswith('| `$')} <= {7, 3}
