# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Docstrings keep to what ament_pep257 checks, and everything public in the package has one."""

from pathlib import Path

import pytest

# Missing docstrings, which ament does not ask for; D105 and D107, special methods, stay free.
MISSING = ('D100', 'D101', 'D102', 'D103', 'D104', 'D106')


@pytest.mark.linter
def test_docstrings(python_sources: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    ament = pytest.importorskip('ament_pep257.main', reason='ament_pep257 is not installed')
    code = ament.main(argv=[str(path) for path in python_sources])
    assert code == 0, capsys.readouterr().err


@pytest.mark.linter
def test_docstrings_are_complete(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ament = pytest.importorskip('ament_pep257.main', reason='ament_pep257 is not installed')
    code = ament.main(argv=[str(project / 'mvsim_ros2'), '--select', *MISSING])
    assert code == 0, capsys.readouterr().err
