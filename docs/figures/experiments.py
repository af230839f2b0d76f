# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run all experiments and write docs/experiments.md with its figures.

Needs matplotlib: `python docs/figures/experiments.py`.
"""

from pathlib import Path

from mvsim_ros2.pictures import save_figure
from mvsim_ros2.studies.experiments import EXPERIMENTS
from mvsim_ros2.studies.experiments.experiment import cells, COLUMNS, experiment_figure

DOCS = Path(__file__).resolve().parents[1]
PICTURES = DOCS / 'pictures/experiments'
HEAD = """# Published experiments

Repeat published experiments with one command each, and compare the results. They come
from MVSim's page on physics, its manual and paper, from the MAVS page on vehicles and terrain,
and from a dynamic single-track model. Each experiment has a world with variables,
`worlds/experiments/NAME.world.xml`:

```bash
mvsim_ros2 experiment                        # lists them
mvsim_ros2 experiment stops -o out           # out/stops.csv and out/stops.png
mvsim_ros2 experiment all -o out
mvsim_ros2 log experiments/stops --set road=ice -o logs        # the world by itself
```

The columns of the tables are:

* *printed*: the literal value of the document
* *expected*: the value with misprints corrected; each section names them after *Misprints*
* *ours*: the result of the run
* *difference*: the difference of *ours* from *expected*, with the bound after *Within*

The documents contain formulas with coefficients, and few numbers. So the values come from the
formulas, evaluated in `mvsim_ros2/studies/experiments/` independently of the physics. In the
figures, lines are expected values and points are results. If a figure shows the start of a bend,
the steering of the run takes 0.1 s. [Tyres](tyres.md) explains the tyre laws, and
[vehicles](vehicles.md) has comparisons with other simulators.

`test/studies/test_experiments.py` runs all experiments, and compares the results with their bounds
and with this page. `python docs/figures/experiments.py` writes the page.
"""


def main() -> None:
    """Run, draw, write."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    text = [HEAD]
    for name, experiment in EXPERIMENTS.items():
        outcome = experiment.run()
        save_figure(experiment_figure(experiment, outcome), PICTURES / f'{name}.png')
        text += [f'## {experiment.title}', '',
                 f'`mvsim_ros2 experiment {name}`. Source: {experiment.document}. Within '
                 f'{100.0 * experiment.bound:g} %.', '']
        if experiment.errors:
            text += [f'Misprints: {experiment.errors}.', '']
        text += [f'![{experiment.title}](pictures/experiments/{name}.png)', '',
                 f'| {" | ".join(COLUMNS)} |', '|---|---|---|---|---|---|',
                 *(f'| {" | ".join(cells(row))} |' for row in outcome.rows), '']
    (DOCS / 'experiments.md').write_text('\n'.join(text).rstrip() + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
