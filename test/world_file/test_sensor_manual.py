# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of parameters in the page on sensors."""

from pathlib import Path

from mvsim_ros2.world.file.manual.sensor_manual import with_tables
from mvsim_ros2.world.spec.sensors.sensor_classes import sensor_specs


def test_tables_in_docs_are_fresh(project: Path) -> None:
    written = (project / 'docs' / 'sensors.md').read_text()
    assert written == with_tables(written), (
        'stale: run `python -m mvsim_ros2.world.file.manual.sensor_manual docs/sensors.md`')


def test_every_sensor_has_its_table(project: Path) -> None:
    written = (project / 'docs' / 'sensors.md').read_text()
    for spec in sensor_specs():
        assert f'<!-- tags of {spec.XML_CLASS} -->' in written
