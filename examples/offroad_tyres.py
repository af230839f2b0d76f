# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drive a rover up slopes of asphalt, clay and sand, and draw which it climbs.

    python examples/offroad_tyres.py [FOLDER]
"""

import math
from pathlib import Path
import sys

from mvsim_ros2 import Simulation
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel

WORLD = """<mvsim_world>
  <physics mode="physical"/>
  <element class="elevation_map"> <elevation_data_matrix>{heights}</elevation_data_matrix>
    <resolution>60</resolution> </element>
  <vehicle name="rover"> <init_pose3d>-20 0 40 0 0 0</init_pose3d>
    <dynamics class="differential_4_wheels">
      <lf_wheel pos=" 0.4  0.35" mass="5" width="0.20" diameter="0.5"/>
      <rf_wheel pos=" 0.4 -0.35" mass="5" width="0.20" diameter="0.5"/>
      <lr_wheel pos="-0.4  0.35" mass="5" width="0.20" diameter="0.5"/>
      <rr_wheel pos="-0.4 -0.35" mass="5" width="0.20" diameter="0.5"/>
      <chassis mass="80" zmin="0.2" zmax="0.6"/>
      <controller class="twist_pid"> <KP>200</KP> <KI>200</KI> <max_torque>120</max_torque>
      </controller> </dynamics>
    {tyre} </vehicle>
</mvsim_world>"""
TYRES = {
    'asphalt (Magic Formula)': '<friction class="magic_formula"><surface>dry</surface></friction>',
    'clay, 10 psi': '<friction class="clay"><cone_index>0.69e5</cone_index>'
                    '<section_height>0.12</section_height></friction>',
    'sand, 30 psi': '<friction class="sand"><cone_index>2.07e5</cone_index>'
                    '<section_height>0.12</section_height></friction>'}
SLOPES = range(0, 31, 5)  # degrees
SPEED = 1.0  # m/s, commanded

folder = Path(*sys.argv[1:] or ['out'])
folder.mkdir(parents=True, exist_ok=True)
figure, ((axes,),) = new_figure(1, 1)
for (name, tyre), colour in zip(TYRES.items(), COLOURS, strict=False):
    speeds = []
    for degrees in SLOPES:
        rise = 60.0 * math.tan(math.radians(degrees))
        heights = f'[0 0; {rise:.3f} {rise:.3f}]'  # rows run along x
        (folder / 'slope.world.xml').write_text(WORLD.format(heights=heights, tyre=tyre))
        simulation = Simulation.from_file(folder / 'slope.world.xml')
        rover = simulation.vehicles['rover']
        rover.set_twist(SPEED, 0.0)
        simulation.run(4.0)
        speeds.append(float(rover.twist_body[0]))
    axes.plot(list(SLOPES), speeds, 'o-', color=colour, label=name)
    print(f'{name}: {", ".join(f"{speed:.2f}" for speed in speeds)} m/s')
panel(axes, 'A rover of 100 kg, told to drive 1 m/s up a slope', 'slope [degrees]', 'speed [m/s]')
legend(axes)
save_figure(figure, folder / 'offroad_tyres.png')
