# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw the learning curve of docs/learning.md from the results in examples/learn/navigate.json.

`python docs/figures/learning.py` writes it into docs/images.
"""

import json

from places import DOCS
from places import IMAGES

from mvsim_ros2.viewer import save_figure
from mvsim_ros2.viewer.figures import COLOURS
from mvsim_ros2.viewer.figures import legend
from mvsim_ros2.viewer.figures import new_figure
from mvsim_ros2.viewer.figures import panel
from mvsim_ros2.viewer.figures import second_axis


def main() -> None:
    """Draw success and the farthest goals against the steps."""
    results = json.loads((DOCS.parent / 'examples' / 'learn' / 'navigate.json').read_text())
    curve = results['curve']
    steps = [1e-6 * each['steps'] for each in curve]
    figure, ((axes,),) = new_figure(1, 1, size=(8.0, 3.6))
    axes.plot(steps, [100.0 * each['success'] for each in curve], color=COLOURS[0],
              label='goals reached in training')
    axes.axhline(100.0 * results['unseen']['success'], color=COLOURS[0], linestyle=':',
                 label=f"in {results['unseen']['episodes']} unseen rooms, at the end")
    panel(axes, 'Learning to reach goals', 'steps [million]', 'goals reached [%]')
    axes.set_ylim(0.0, 100.0)
    far = second_axis(axes, 'farthest goals [m]', COLOURS[1])
    far.plot(steps, [each['farthest'] for each in curve], color=COLOURS[1],
             label='farthest goals (right axis)')
    far.set_ylim(0.0, 12.0)
    legend(axes, handles=[*axes.lines, *far.lines], loc='lower right')
    save_figure(figure, IMAGES / 'learning_curve.png')


if __name__ == '__main__':
    main()
