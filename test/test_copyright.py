# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every Python file starts with the licence."""

from pathlib import Path

import pytest

COPYRIGHT = '# Copyright '


def licence_header(project: Path) -> str:
    """Return LICENSE without its title and copyright line, as the comment it is in a file."""
    text = (project / 'LICENSE').read_text().split('\n\n', 2)[2]
    return ''.join(f'# {line}'.rstrip() + '\n' for line in text.splitlines())


@pytest.mark.linter
def test_python_files_start_with_the_licence(project: Path, python_sources: list[Path]) -> None:
    header = licence_header(project)
    bad = []
    for path in python_sources:
        for file in path.rglob('*.py') if path.is_dir() else [path]:
            first, _, rest = file.read_text().partition('\n')
            if not (first.startswith(COPYRIGHT) and rest.startswith('#\n' + header)):
                bad.append(str(file.relative_to(project)))
    assert not bad, f'these files do not start with the licence as setup.py does: {bad}'


@pytest.mark.linter
def test_ament_copyright_agrees(python_sources: list[Path]) -> None:
    ament = pytest.importorskip('ament_copyright.main', reason='ament_copyright is not installed')
    assert ament.main(argv=[str(path) for path in python_sources]) == 0
