# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a world with several masses and seeds in processes of their own, and draw the table of all.

    python examples/sweep.py [FOLDER [ADDRESS]]

ADDRESS is that of a Dask scheduler, such as tcp://host:8786: the same runs on a cluster. See
docs/sweeps.md.
"""

import csv
from pathlib import Path
import sys

from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel
from mvsim_ros2.studies.sweeps import read_plan, sweep, write_summary

WORLD = """<mvsim_world>
  <variable name="MASS" value="20"/>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose>
    <dynamics class="differential"> <chassis mass="${MASS}" zmin="0.05" zmax="0.4"/>
      <controller class="twist_pid"> <KP>20</KP> <KI>10</KI> <max_torque>0.4</max_torque>
      </controller> </dynamics> </vehicle>
</mvsim_world>"""
PLAN = """
worlds: [{world: loaded.world.xml, controller: 'eight,radius=2,speed=1.5'}]
parameters: {MASS: [10, 20, 30, 40, 60, 80]}
seeds: 2
duration: 20
"""


def main() -> None:
    """Run the plan, and draw how far each robot came."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else 'out')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'loaded.world.xml').write_text(WORLD)
    (folder / 'plan.yaml').write_text(PLAN)
    jobs = read_plan(folder / 'plan.yaml')
    outcomes = sweep(jobs, folder / 'sweep', 0 if len(sys.argv) < 3 else 1, *sys.argv[2:],
                     on_outcome=lambda job, outcome: print(job.name))
    with open(write_summary(folder / 'sweep', jobs, outcomes), encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    reached: dict[float, list[float]] = {}
    for row in rows:
        reached.setdefault(float(row['parameter MASS']), []).append(float(row['distance_m']))
    figure, ((axes,),) = new_figure(1, 1)
    axes.plot(list(reached), [sum(each) / len(each) for each in reached.values()],
              color=COLOURS[0], label='mean')
    for mass, each in reached.items():
        axes.plot([mass] * len(each), each, 'o', color=COLOURS[1], alpha=0.6,
                  label=None if mass > min(reached) else 'a run')
    panel(axes, 'How far heavy robots come on weak motors in 20 s', 'mass [kg]', 'distance [m]')
    legend(axes)
    save_figure(figure, folder / 'sweep.png')


if __name__ == '__main__':  # processes of the sweep import this file
    main()
