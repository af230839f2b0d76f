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

from mvsim_ros2.sweeps import read_plan
from mvsim_ros2.sweeps import sweep
from mvsim_ros2.sweeps import write_summary
from mvsim_ros2.viewer import save_figure
from mvsim_ros2.viewer.figures import new_figure
from mvsim_ros2.viewer.figures import panel

WORLD = """<mvsim_world>
  <variable name="MASS" value="20"/>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose>
    <dynamics class="differential"> <chassis mass="${MASS}" zmin="0.05" zmax="0.4"/>
      <controller class="twist_pid"> <KP>20</KP> <KI>10</KI> <max_torque>0.4</max_torque>
      </controller> </dynamics> </vehicle>
</mvsim_world>"""
PLAN = """
worlds: [{world: loaded.world.xml, controller: 'eight,radius=2,speed=1.5'}]
parameters: {MASS: [10, 20, 40, 80]}
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
    figure, ((axes,),) = new_figure(1, 1, 'A figure of eight for 20 s, two seeds')
    axes.plot([float(row['parameter MASS']) for row in rows],
              [float(row['distance_m']) for row in rows], 'o', color='#2066a8')
    panel(axes, 'A heavy robot on weak motors', 'mass [kg]', 'distance [m]')
    save_figure(figure, folder / 'sweep.png')


if __name__ == '__main__':  # processes of the sweep import this file
    main()
