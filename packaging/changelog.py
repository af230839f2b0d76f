# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Write the changelog in the form that bloom reads: `python packaging/changelog.py > CHANGELOG.rst`.

CHANGELOG.md is its only source: lists of each version, without headings and addresses of links.
"""

from pathlib import Path
import re

TITLE = 'Changelog for package mvsim_ros2'
VERSION = re.compile(r'^## (?:(\d\S*) - (\d{4}-\d\d-\d\d)|Unreleased)$')


def catkin(text: str) -> str:
    """Return the changelog in reStructuredText, from one in Markdown."""
    lines, begun = ['^' * len(TITLE), TITLE, '^' * len(TITLE)], False
    for line in text.splitlines():
        version = VERSION.match(line)
        if version:
            heading = f'{version[1]} ({version[2]})' if version[1] else 'Forthcoming'
            lines += ['', heading, '-' * len(heading)]
            begun = False
        elif line.startswith(('- ', 'The ')):  # an item, or the sentence on a first version
            begun = True
            lines.append(f'* {_inline(line.removeprefix("- "))}')
        elif line and line[0] != '#' and begun:
            lines.append(f'  {_inline(line.strip())}')
    return '\n'.join(lines) + '\n'


def _inline(text: str) -> str:
    """Return a line without links, its code in double quotes."""
    text = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', text)
    parts = re.split('(`[^`]*`)', text)
    return ''.join(f'`{part}`' if part.startswith('`') else re.sub(r'([*_|\\])', r'\\\1', part)
                   for part in parts)


if __name__ == '__main__':
    print(catkin((Path(__file__).parents[1] / 'CHANGELOG.md').read_text()), end='')
