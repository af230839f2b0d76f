# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Docstrings keep to what ament_pep257 checks, and everything public in the package has one."""

import ast
from pathlib import Path

import pytest

# Missing docstrings, which ament does not ask for; D105 and D107, special methods, stay free, and
# D102, methods, has a test of its own.
MISSING = ('D100', 'D101', 'D103', 'D104', 'D106')


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


@pytest.mark.linter
def test_methods_have_docstrings_of_their_own_or_of_what_they_override(project: Path) -> None:
    classes: dict[str, list[ast.ClassDef]] = {}
    for path in (project / 'mvsim_ros2').rglob('*.py'):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)

    def says(name: str, method: str) -> bool:
        return any(
            isinstance(part, ast.FunctionDef) and part.name == method and ast.get_docstring(part)
            or isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and says(
                ast.unparse(part).partition('[')[0].rpartition('.')[2], method)
            for node in classes.get(name, ()) for part in (*node.body, *node.bases))

    silent = {f'{name}.{part.name}' for name, nodes in classes.items() if name[0] != '_'
              for node in nodes for part in node.body
              if isinstance(part, ast.FunctionDef) and part.name[0] != '_'
              and not says(name, part.name)}
    assert silent == set()
