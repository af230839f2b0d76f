# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of tags in the documentation, made from the specs."""

from pathlib import Path

import pytest

from mvsim_ros2.world.file.binding.tags import collections
from mvsim_ros2.world.file.manual import manual, with_tables
from mvsim_ros2.world.spec.fields import entries, KINDS


@pytest.mark.parametrize('name, asks_for', [
    ('world-format.md', ['values', 'all']), ('from-mvsim.md', ['mvsim']),
    ('sensors.md', ['sensor']), ('lidars.md', ['laser']), ('lidars-3d.md', ['lidar3d']),
    ('cameras.md', ['camera']), ('cameras-depth.md', ['rgbd_camera']),
    ('cameras-thermal.md', ['event_camera']),
    ('sensors-body.md', ['battery', 'rfid']), ('sensors-other.md', ['radar', 'uwb']),
    ('sensors-navigation.md', ['imu', 'gnss'])])
def test_tables_of_pages_are_fresh(project: Path, name: str, asks_for: list[str]) -> None:
    written = (project / 'docs' / name).read_text()
    assert written == with_tables(written), (
        f'stale: run `python -m mvsim_ros2.world.file.manual docs/{name}`')
    assert [each for each in asks_for if f'<!-- tags of {each} -->' not in written] == []


def test_manual_names_every_tag_and_kind() -> None:
    text = manual()
    for specs, _ in collections().values():
        for spec in specs:
            for entry in entries(spec):
                assert entry.tag.content or all(name in text for name in entry.names)
    values = with_tables('<!-- tags of values -->\n<!-- end -->')
    assert all(f'| {kind} |' in values for kind in KINDS)
    rows = [line.replace('\\|', '') for line in text.splitlines() if line.startswith('| ')]
    assert {row.count('|') for row in rows} == {7}
