# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw the figures of docs/learning.md from the results in examples/learn/*.json.

`python docs/figures/learning.py` writes them into docs/images.
"""

import json
from typing import Any

import numpy as np
from places import DOCS, IMAGES

from mvsim_ros2.gym import maps
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel, second_axis

INK = COLOURS[5]
WIDEST = 8.0  # m/s, full colour


def result(name: str) -> Any:
    """Return what a training wrote."""
    return json.loads((DOCS.parent / 'examples' / 'learn' / name).read_text())


def draw_navigate() -> None:
    """Draw success and the farthest goals against the steps."""
    runs = result('navigate.json')
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


def draw_race() -> None:
    """Draw the fastest lap of each driver, coloured by speed, between the walls."""
    raced = result('race.json')
    route = maps.track(raced['track'], raced['length'], raced['width'])[1]
    ahead = np.gradient(route.points, axis=0)
    aside = (0.5 * raced['width'] * ahead[:, ::-1] * [-1.0, 1.0]
             / np.linalg.norm(ahead, axis=1, keepdims=True))
    figure, (panels,) = new_figure(1, 2, size=(5.0, 4.0))
    for axes, driver, name in zip(panels, ('pursuit', 'policy'), ('Pure pursuit', 'Policy')):
        lap = raced[driver]
        panel(axes, f"{name}: {lap['flying']:.2f} s a flying lap", 'x [m]', 'y [m]')
        for side in (-1.0, 1.0):
            axes.plot(*(route.points + side * aside).T, color=INK, linewidth=1.0)
        x, y, speed = lap['line']
        drawn = axes.scatter(x, y, c=speed, s=9.0, cmap='viridis', vmin=0.0, vmax=WIDEST)
        axes.set_aspect('equal')
    figure.colorbar(drawn, ax=list(panels), label='speed [m/s]', shrink=0.8)
    save_figure(figure, IMAGES / 'learning_race.png')


def main() -> None:
    """Draw both."""
    draw_navigate()
    draw_race()


if __name__ == '__main__':
    main()
