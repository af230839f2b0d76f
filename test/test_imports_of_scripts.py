# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What benchmarks, examples and shell scripts import of the package is there."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = [pytest.param(path, id=str(path.relative_to(ROOT)))
           for folder in ('benchmarks', 'docs', 'examples')
           for path in sorted((ROOT / folder).rglob('*.py'))]
# An import in Python that a shell script or a recipe carries, up to the end of its statement.
CARRIED_IMPORT = re.compile(r'\bfrom mvsim_ros2\S* import [\w, ]+')
CARRIERS = [pytest.param(path, id=str(path.relative_to(ROOT)))
            for folder in ('scripts', 'packaging', '.ci', '.github', '.devcontainer')
            for path in sorted((ROOT / folder).rglob('*'))
            if path.is_file() and CARRIED_IMPORT.search(path.read_text(errors='replace'))]
MISSING_EXTRAS = ('gymnasium', 'numba', 'onnx', 'pettingzoo', 'rclpy', 'stable_baselines3',
                  'torch', 'viser')


@pytest.mark.parametrize('path', SCRIPTS)
def test_what_a_script_imports_is_there(path: Path) -> None:
    check_imports(path.read_text())


@pytest.mark.parametrize('path', CARRIERS)
def test_what_a_shell_script_imports_is_there(path: Path) -> None:
    check_imports('\n'.join(CARRIED_IMPORT.findall(path.read_text())))


def check_imports(source: str) -> None:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition('.')[0] == (
                'mvsim_ros2'):
            try:
                module = import_module(str(node.module))
            except ModuleNotFoundError as error:
                if str(error.name).partition('.')[0] in MISSING_EXTRAS:
                    pytest.skip(str(error))
                raise
            for alias in node.names:
                assert hasattr(module, alias.name) or find_spec(
                    f'{node.module}.{alias.name}'), f'line {node.lineno}: {alias.name}'
