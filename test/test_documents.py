# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the pages say of other files and of the package is there."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
import re

import pytest
import yaml

from mvsim_ros2 import __version__

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob('*.md')), *sorted((ROOT / 'docs').glob('*.md'))]


@pytest.mark.parametrize('page', [pytest.param(page, id=page.name) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for link, anchor in re.findall(r'\]\((?!https?:)([^)#]*)#?([^)]*)\)', page.read_text()):
        target = page.parent / link if link else page
        assert target.exists(), link
        if anchor and target.suffix == '.md':
            headings = re.findall(r'^#+ (.*)$', target.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r'[^\w -]', '', each.lower()).replace(' ', '-')
                              for each in headings}, f'{link}#{anchor}'


@pytest.mark.parametrize('page', [
    pytest.param(page, id=page.name) for page in PAGES
    if page.name not in ('CHANGELOG.md', 'how-we-know.md', 'experiments.md')])
def test_pages_are_short(page: Path) -> None:
    text = re.sub(r'<!-- tags of.*?<!-- end -->|```.*?```', '', page.read_text(), flags=re.DOTALL)
    assert len(text.split()) <= 2500, 'split it by what readers look for'


def test_the_citation_names_this_version() -> None:
    cited = yaml.safe_load((ROOT / 'CITATION.cff').read_text())
    assert (cited['version'], cited['license']) == (__version__, 'BSD-3-Clause')


@pytest.mark.parametrize('page', [
    pytest.param(page, id=page.name) for page in PAGES if page.name != 'extending.md'])
def test_what_pages_import_is_there(page: Path) -> None:
    for code in re.findall(r'```python\n(.*?)```', page.read_text(), re.DOTALL):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and (node.module or '').startswith('mvsim_ros2'):
                if node.module == 'mvsim_ros2.gym.sb3' and not find_spec('stable_baselines3'):
                    continue
                module = import_module(node.module or '')
                assert all(hasattr(module, alias.name) or find_spec(
                    f'{node.module}.{alias.name}') for alias in node.names), node.module


MADE = {
    '.venv', '.zip', 'depth', 'ground_truth', 'mav0', 'my_sensors', 'navigate', 'out', 'rgb'}
ROOTS = '', 'mvsim_ros2', 'mvsim_ros2/physics', 'docs', 'test', 'worlds'


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_are_there(page: Path) -> None:
    text = re.sub(r'```.*?```', '', page.read_text(), flags=re.DOTALL)
    for name in re.findall(r'`([\w./-]+/(?:[\w.-]+\.(?:cpp|npz|onnx|py|sh|xml|yaml))?)`', text):
        if name.split('/')[0] not in MADE and not re.search(
                'bollard|thermometer|NAME', name):
            assert any((ROOT / root / name).exists() for root in ROOTS), name
