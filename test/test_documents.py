# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the pages for newcomers show works as it stands there."""

import ast
from importlib import import_module
import os
from pathlib import Path
import re
import subprocess
import sys

import pytest
import yaml

from mvsim_ros2 import __version__
from mvsim_ros2 import load_world

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob('*.md')), *sorted((ROOT / 'docs').glob('*.md'))]
ENTRY = [ROOT / 'README.md', *(ROOT / 'docs' / f'{name}.md' for name in (
    'first-steps', 'learning', 'python'))]


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language in the pages for newcomers."""
    return [block for page in ENTRY
            for block in re.findall(rf'```{language}\n(.*?)```', page.read_text(), re.DOTALL)]


@pytest.mark.parametrize('page', [pytest.param(page, id=page.name) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r'\]\((?!https?:|#)([^)#]+)', page.read_text())
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_citation_names_this_version() -> None:
    cited = yaml.safe_load((ROOT / 'CITATION.cff').read_text())
    assert (cited['version'], cited['license']) == (__version__, 'BSD-3-Clause')


@pytest.mark.parametrize('code', [
    pytest.param(code, id=code.strip().splitlines()[-1][:40]) for code in blocks('python')
    if 'rclpy' not in code])
def test_python_code_runs(code: str, tmp_path: Path) -> None:
    (tmp_path / 'worlds').symlink_to(ROOT / 'worlds')
    done = subprocess.run(
        [sys.executable, '-c', code], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {'PYTHONPATH': str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {'worlds', 'out'}


@pytest.mark.parametrize('text', [
    pytest.param(text, id=f'world {number}') for number, text in enumerate(blocks('xml'))])
def test_worlds_load_strictly(text: str, tmp_path: Path) -> None:
    path = tmp_path / 'my.world.xml'
    path.write_text(text)
    world = load_world(path, strict=True)
    assert world.vehicles and not world.warnings


@pytest.mark.parametrize('page', [
    pytest.param(page, id=page.name) for page in PAGES if page.name != 'extending.md'])
def test_what_pages_import_is_there(page: Path) -> None:
    for code in re.findall(r'```python\n(.*?)```', page.read_text(), re.DOTALL):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and (node.module or '').startswith('mvsim_ros2'):
                module = import_module(node.module or '')
                assert all(hasattr(module, alias.name) for alias in node.names), node.module
