# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every Python file names its owners and the licence, as SPDX identifier."""

from importlib.metadata import entry_points
from pathlib import Path
import re

import pytest

HEADER = re.compile(
    r'(#![^\n]*\n)?# Copyright \d{4} The mvsim_ros2 authors\n'
    r'# SPDX-License-Identifier: BSD-3-Clause\n(?!#)')


@pytest.mark.linter
def test_python_files_start_with_the_licence(project: Path, python_sources: list[Path]) -> None:
    assert (project / 'LICENSE').read_text().startswith('BSD 3-Clause License\n')
    bad = [str(file.relative_to(project)) for path in python_sources
           for file in (path.rglob('*.py') if path.is_dir() else [path])
           if not HEADER.match(file.read_text())]
    assert not bad, f'these files do not start with the two lines that setup.py starts with: {bad}'


@pytest.mark.linter
def test_ament_copyright_agrees(python_sources: list[Path]) -> None:
    ament = pytest.importorskip('ament_copyright.main', reason='ament_copyright is not installed')
    if not entry_points(group='ament_copyright.license', name='bsd3_spdx'):
        pytest.skip('mvsim_ros2 is not installed: ament_copyright finds its licence when it is')
    assert ament.main(argv=[str(path) for path in python_sources]) == 0
