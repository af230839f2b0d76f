# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of benchmarks: one page of HTML that needs nothing else."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.metadata import PackageNotFoundError, version
import os
from pathlib import Path
import platform

from mvsim_ros2.base.files import replaced

_STYLE = ('body{font:15px sans-serif;margin:2em auto;max-width:72em;padding:0 1em}'
          'table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #bbb;'
          'padding:.25em .6em;text-align:right}td:first-child,th{text-align:left}'
          'img,svg{max-width:100%}figure{display:inline-block;margin:.5em}'
          'figcaption{font-size:13px}')


def facts(packages: Iterable[str]) -> dict[str, str]:
    """Return versions of installed packages, and a description of this machine."""
    found = {}
    for name in ('mvsim_ros2', 'numpy', 'numba', *packages):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found | {'Python': platform.python_version(), 'system': platform.platform(),
                    'processors': str(os.cpu_count())}


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table."""
    lines = [''.join(f'<td>{escape(str(each))}</td>' for each in row) for row in rows]
    head = ''.join(f'<th>{escape(each)}</th>' for each in header)
    return f'<table><tr>{head}</tr>' + ''.join(f'<tr>{line}</tr>' for line in lines) + '</table>'


def image(png: Path, caption: str) -> str:
    """Return a picture with what it shows."""
    data = b64encode(png.read_bytes()).decode()
    return (f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f'<figcaption>{escape(caption)}</figcaption></figure>')


def plan(lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], caption: str,
         seconds: float = 0.0, moving: int = 0, radius: float = 0.25) -> str:
    """
    Return a drawing of lines from above, 240 px wide; a film where something moves.

    :param lines: colour and points of each [m].
    :param seconds: that the film takes.
    :param moving: how many of the lines, the last ones, discs go along in that time, from point
        to point in equal times.
    :param radius: of the discs [m].
    """
    points = [point for _, line in lines for point in line]
    low_x, high_x = min(x for x, _ in points) - 0.3, max(x for x, _ in points) + 0.3
    low_y, high_y = min(y for _, y in points) - 0.3, max(y for _, y in points) + 0.3
    drawn = ''.join(
        f'<polyline fill="none" stroke="{colour}" stroke-width=".08" points="'
        + ' '.join(f'{x:.2f},{-y:.2f}' for x, y in line) + '"/>' for colour, line in lines)
    drawn += ''.join(
        f'<circle r="{radius:.2f}" fill="{colour}"><animateMotion dur="{seconds:.1f}s" '
        'calcMode="linear" repeatCount="indefinite" path="M'
        + 'L'.join(f'{x:.2f} {-y:.2f}' for x, y in line) + '"/></circle>'
        for colour, line in lines[len(lines) - moving:] if len(line) > 1)
    box = f'{low_x:.2f} {-high_y:.2f} {high_x - low_x:.2f} {high_y - low_y:.2f}'
    return (f'<figure><svg width="240" viewBox="{box}" role="img">{drawn}</svg>'
            f'<figcaption>{escape(caption)}</figcaption></figure>')


def write_page(file: Path, title: str, sections: Mapping[str, str]) -> None:
    """Write a report with sections in HTML by heading."""
    body = ''.join(f'<h2>{escape(name)}</h2>{text}' for name, text in sections.items())
    with replaced(file) as new:
        new.write_text(
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
            f'</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>{body}'
            '</body></html>\n', encoding='utf-8')
