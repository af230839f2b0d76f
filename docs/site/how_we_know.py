# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Write docs/how-we-know.md from the tests: `python docs/site/how_we_know.py`.

A test that shows what the documents claim says so in its docstring, or in that of its module::

    :claim: a block on a slope slides at g (sin a - mu cos a), within 0.5 %
    :reference: Coulomb's law
    :figure: images/physics_hills.png
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
import re

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs/how-we-know.md'
HEAD = """\
# How we know

Each row is a claim of these pages, the test that fails where it no longer holds, what it is
compared with, and a figure where there is one. The rows stand in the tests themselves:
`python docs/site/how_we_know.py` collects them, and a test compares them with this page.

| claim | compared with | test | figure |
|---|---|---|---|
"""
Definition = ast.Module | ast.ClassDef | ast.FunctionDef


@dataclass(frozen=True)
class Claim:
    """A claim and what shows it."""

    text: str
    reference: str
    figure: str  # path below docs/, or ''
    test: str  # as pytest names it


def claims() -> Iterator[Claim]:
    """Yield the claims of all tests, in the order of their files."""
    for path in sorted((ROOT / 'test').rglob('test_*.py')):
        tree = ast.parse(path.read_text(encoding='utf-8'))
        name = path.relative_to(ROOT).as_posix()
        for node in [tree, *ast.walk(tree)]:
            if isinstance(node, ast.FunctionDef) or node is tree:
                found = _fields(ast.get_docstring(node) or '')
                if 'claim' in found:
                    inner = f'::{node.name}' if isinstance(node, ast.FunctionDef) else ''
                    yield Claim(found['claim'], found.get('reference', ''),
                                found.get('figure', ''), name + inner)


def _fields(text: str) -> dict[str, str]:
    """Return the fields of a docstring."""
    return {name: ' '.join(value.split()) for name, value in re.findall(
        r'^:(claim|reference|figure): (.*?)(?=^:|^$|\Z)', text, re.MULTILINE | re.DOTALL)}


def page() -> str:
    """Return the page."""
    rows = dict.fromkeys(
        f'| {claim.text} | {claim.reference} | `{claim.test}` | '
        + (f'[figure]({claim.figure})' if claim.figure else '') + ' |' for claim in claims())
    return HEAD + '\n'.join(rows) + '\n'


if __name__ == '__main__':
    PAGE.write_text(page(), encoding='utf-8')
