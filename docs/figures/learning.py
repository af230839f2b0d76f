# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw the learning curve of docs/learning.md from the results in examples/learn/navigate.json.

`python docs/figures/learning.py` writes it into docs/images.
"""

import json

from matplotlib.figure import Figure
from places import DOCS
from places import IMAGES


def main() -> None:
    """Draw success and the farthest goals against the steps."""
    results = json.loads((DOCS.parent / 'examples' / 'learn' / 'navigate.json').read_text())
    curve = results['curve']
    steps = [1e-6 * each['steps'] for each in curve]
    figure = Figure(figsize=(7.0, 3.2), dpi=100, layout='constrained')
    axes = figure.add_subplot()
    axes.plot(steps, [100.0 * each['success'] for each in curve], color='#1d5fd1',
              label='goals reached in training')
    axes.axhline(100.0 * results['unseen']['success'], color='#1d5fd1', linestyle=':',
                 label=f"in {results['unseen']['episodes']} unseen rooms, at the end")
    axes.set(xlabel='steps [million]', ylabel='goals reached [%]', ylim=(0.0, 100.0))
    far = axes.twinx()
    far.plot(steps, [each['farthest'] for each in curve], color='#d6336c',
             label='farthest goals')
    far.set(ylabel='farthest goals [m]', ylim=(0.0, 12.0))
    axes.legend(handles=[*axes.lines, *far.lines], loc='lower right')
    figure.savefig(IMAGES / 'learning_curve.png')


if __name__ == '__main__':
    main()
