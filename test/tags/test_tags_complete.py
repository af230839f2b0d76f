# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Every tag of the manual has a row in a table of this folder, or does nothing and says so.

:claim: every tag changes what a run shows, or a warning says why not
:reference: runs with two values of each tag
"""

from collections.abc import Iterator
import importlib
import logging
from pathlib import Path

import pytest
from tag_effects import Row, titled
from test_every_tag import bound_in, CASES, samples
from test_tags_outside import ELSEWHERE

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.world.file.binding.tags import entries, Entry, spec_classes
from mvsim_ros2.world.file.report import Report

ALL = [(spec, entry) for spec in spec_classes() for entry in entries(spec)]


def has_no_effect(spec: type, entry: Entry) -> str:
    """Return why nothing acts on a tag, '' where something does."""
    return entry.tag.idle or getattr(spec, 'IDLE', '')


def rows() -> Iterator[Row]:
    """Yield the rows of all tables of this folder."""
    for path in Path(__file__).parent.glob('test_tags_*.py'):
        if path.name != Path(__file__).name:
            module = importlib.import_module(path.stem)
            for name in dir(module):
                yield from getattr(getattr(module, name), 'rows', ())
                if name.isupper() and isinstance(getattr(module, name), tuple):
                    yield from (each for each in getattr(module, name) if isinstance(each, Row))


def test_every_tag_has_a_row() -> None:
    shown = {(spec, row.tag) for row in rows() for spec in titled()[row.title]}
    shown |= {(spec, tag) for title, tags in ELSEWHERE.items()
              for spec in titled()[title] for tag in tags}
    missing = [f'{title}: {entry.names[0]}' for title, specs in titled().items()
               for spec in specs for entry in entries(spec)
               if not has_no_effect(spec, entry)
               and not any((spec, name) in shown for name in entry.names)]
    assert not missing, f'{len(missing)} tags without a row: {missing}'


@pytest.mark.parametrize('spec, entry', [
    pytest.param(spec, entry, id=f'{spec.__name__}-{entry.names[0]}')
    for spec, entry in ALL if has_no_effect(spec, entry)])
def test_tags_without_effect_say_why(
        spec: type, entry: Entry, caplog: pytest.LogCaptureFixture) -> None:
    for text in samples(entry, getattr(spec, entry.field, None)):
        report = Report()
        try:
            with caplog.at_level(logging.WARNING), report:
                bound_in(report, spec, entry, text)
        except MvsimError:
            continue
        if entry.names[0] in caplog.text or 'without effect' in caplog.text:
            break
    assert has_no_effect(spec, entry) in caplog.text


def test_cases_are_all_tags() -> None:
    assert len(CASES) == len(ALL) > 1000
