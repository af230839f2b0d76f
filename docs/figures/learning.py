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

INK = COLOURS[5]


def main() -> None:
    """Draw success and the farthest goals against the steps."""
    runs = json.loads((DOCS.parent / 'examples' / 'learn' / 'navigate.json').read_text())
    figure, ((axes,),) = new_figure(1, 1, size=(8.0, 3.6))
    panel(axes, 'Learning to reach goals', 'steps [million]', 'goals reached [%]')
    far = second_axis(axes, 'farthest goals [m]', INK)
    for run, colour in zip(runs, COLOURS):
        steps = [1e-6 * each['steps'] for each in run['curve']]
        unseen = run['unseen']
        axes.plot(steps, [100.0 * each['success'] for each in run['curve']], color=colour,
                  label=f"seed {run['seed']}; in {unseen['episodes']} unseen rooms "
                        f"{100.0 * unseen['success']:.1f} %")
        far.plot(steps, [each['farthest'] for each in run['curve']], color=colour, linestyle=':')
    far.plot([], [], color=INK, linestyle=':', label='farthest goals (right axis)')
    axes.set_ylim(0.0, 100.0)
    far.set_ylim(0.0, 12.0)
    legend(axes, handles=[*axes.lines, far.lines[-1]], loc='lower right')
    save_figure(figure, IMAGES / 'learning_curve.png')


if __name__ == '__main__':
    main()
