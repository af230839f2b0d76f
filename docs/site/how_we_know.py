# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Write docs/how-we-know.md from the tests: `python docs/site/how_we_know.py`.

The docstring of a test or of its module states the claim of the documents that it shows::

    :claim: a block on a slope slides at g (sin a - mu cos a), within 0.5 %
    :reference: Coulomb's law
    :figure: images/physics_hills.png

Without `:claim:`, the claim is the first line of the docstring. Benchmarks, which measure the
statements about speed, have the same fields.
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

Look up which test shows a statement of these pages, and its reference.
`python docs/site/how_we_know.py` collects the rows from the docstrings of the tests. Speed depends
on the machine, so its rows name benchmarks that print the numbers.
"""
COLUMNS = '| claim | compared with | test | figure |\n|---|---|---|---|'
SECTIONS = {  # by the beginning of the path; the first that fits
    'Vehicles and the ground': ('test/physics', 'test/studies/test_'),
    'Sensors': ('test/sensors', 'test/raycast', 'test/scene'),
    'World files': ('test/world_file', 'test/fuzz'),
    'ROS 2': ('test/ros', 'test/messages', 'test/launching'),
    'Recordings and SLAM': ('test/recording', 'test/studies/slam_benchmark'),
    'Learning and sweeps': ('test/gym', 'test/policies', 'test/studies/sweeps',
                            'test/simulation/test_together'),
    'Window, commands, packages': ('test',),
    'Speed': ('benchmarks',),
}
Definition = ast.Module | ast.ClassDef | ast.FunctionDef


@dataclass(frozen=True)
class Claim:
    """A claim and the test that shows it."""

    text: str
    reference: str
    figure: str  # path below docs/, or ''
    test: str  # as pytest names it


def claims() -> Iterator[Claim]:
    """Yield the claims of all tests and benchmarks, in the order of their files."""
    for path in (*sorted((ROOT / 'test').rglob('test_*.py')),
                 *sorted((ROOT / 'benchmarks').glob('*.py'))):
        tree = ast.parse(path.read_text(encoding='utf-8'))
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) or node is tree:
                found = _fields(ast.get_docstring(node) or '')
                if 'reference' in found:
                    inner = f'::{node.name}' if isinstance(node, ast.FunctionDef) else ''
                    yield Claim(found['claim'], found['reference'], found.get('figure', ''),
                                name + inner)


def _fields(text: str) -> dict[str, str]:
    """Return the fields of a docstring; its first line is the claim if it has no such field."""
    fields = {'claim': text.partition('\n')[0].rstrip('.')}
    return fields | {name: ' '.join(value.split()) for name, value in re.findall(
        r'^:(claim|reference|figure): (.*?)(?=^:|^$|\Z)', text, re.MULTILINE | re.DOTALL)}


def page() -> str:
    """Return the page."""
    rows: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for claim in claims():
        section = next(name for name, begins in SECTIONS.items() if claim.test.startswith(begins))
        text = claim.text[0].upper() + claim.text[1:]
        file, _, name = claim.test.partition('::')
        test = f'`{file}`' + (f' `::{name}`' if name else '')
        rows[section].append(
            f'| {text} | {claim.reference} | {test} | '
            + (f'[figure]({claim.figure})' if claim.figure else '') + ' |')
    return HEAD + ''.join(
        f'\n## {section}\n\n' + '\n'.join([COLUMNS, *dict.fromkeys(lines)]) + '\n'
        for section, lines in rows.items())


if __name__ == '__main__':
    PAGE.write_text(page(), encoding='utf-8')
