# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Reproduce a result of the paper that founded vehicle dynamics: how a car answers its steering.

    python examples/yaw_gain.py [FOLDER]

P. Riekert, T. E. Schunck, Zur Fahrmechanik des gummibereiften Kraftfahrzeugs, Ingenieur-Archiv 11
(1940) 210: in a steady circle of the single-track model with tyres of stiffness C the yaw rate is

    r = v tan(d) / (L + K v^2),    K = m (l_r - l_f) / (L C)

for the steering angle d. With the mass in front (K > 0) it falls at high speed, with the mass in
the rear the car becomes unstable where L + K v^2 = 0. Lines are the formula, points are driven.
"""

from math import radians, tan
from pathlib import Path
import sys

import numpy as np

from mvsim_ros2 import Simulation
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel

WORLD = """<mvsim_world>
  <physics mode="physical"/> <simul_timestep>0.005</simul_timestep>
  <vehicle name="car"> <init_pose>0 0 0</init_pose>
    <init_vel>{speed} 0 0</init_vel>
    <dynamics class="single_track" max_steer_ang_deg="40">
      <f_wheel pos="{front} 0" mass="30" diameter="0.8"/>
      <r_wheel pos="-{rear} 0" mass="30" diameter="0.8"/>
      <chassis mass="440" zmin="0.3" zmax="1.2" yaw_inertia="500">
        <shape> <pt>{back} -0.6</pt> <pt>{ahead} -0.6</pt> <pt>{ahead} 0.6</pt> <pt>{back} 0.6</pt>
        </shape> </chassis>
      <controller class="twist_front_steer_pid"> <KP>1000</KP> <KI>100</KI>
        <max_torque>3000</max_torque> </controller> </dynamics>
    <friction class="linear"> <C_s>55000</C_s> <C_alpha>27500</C_alpha> <mu>0.8</mu> </friction>
  </vehicle>
</mvsim_world>"""
MASS, BASE, STIFFNESS = 500.0, 1.3, 55000.0
ANGLE = radians(1.0)
CARS = {'mass in front': (0.45, 0.85, COLOURS[0]), 'mass in the middle': (0.65, 0.65, COLOURS[1]),
        'mass in the rear': (0.80, 0.50, COLOURS[2])}
SPEEDS = [2.0, 5.0, 8.0, 11.0, 14.0]

folder = Path(*sys.argv[1:] or ['out'])
folder.mkdir(parents=True, exist_ok=True)
figure, ((axes,),) = new_figure(1, 1)
worst = 0.0
for name, (front, rear, colour) in CARS.items():
    understeer = MASS * (rear - front) / (BASE * STIFFNESS)
    shift = 30.0 * (rear - front) / 440.0  # of the chassis, so that the whole is in the origin
    gains = []
    for speed in SPEEDS:
        (folder / 'car.world.xml').write_text(WORLD.format(
            front=front, rear=rear, back=shift - 0.9, ahead=shift + 0.9, speed=speed))
        simulation = Simulation.from_file(folder / 'car.world.xml')
        car = simulation.vehicles['car']
        car.set_steering(speed, ANGLE)
        simulation.run(8.0)
        v, _, rate = car.twist_body
        gains.append(rate / tan(ANGLE))
        worst = max(worst, abs(gains[-1] / (v / (BASE + understeer * v * v)) - 1.0))
    speeds = np.linspace(0.0, 15.0, 100)
    axes.plot(speeds, speeds / (BASE + understeer * speeds ** 2), color=colour, label=name)
    axes.plot(SPEEDS, gains, 'o', color=colour)
print(f'the formula and the simulation differ by at most {100 * worst:.2f} %')
axes.plot([], [], 'o', color='0.35', label='simulated')
axes.plot([], [], color='0.35', label='formula')
panel(axes, 'Answer of a car of 500 kg to a small steering angle', 'speed [m/s]',
      'yaw rate / tan(angle) [1/s]')
legend(axes)
save_figure(figure, folder / 'yaw_gain.png')
