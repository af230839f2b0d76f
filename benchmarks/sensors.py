# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time of a measurement of each sensor, and growth of memory.

    python benchmarks/sensors.py [MEASUREMENTS] [DEFINITION ...]

Definitions are those of worlds/sensors, all of them without any, on a robot that drives on a
plane with eight boxes. Prints median wall and CPU time (of all threads) of a measurement, and
the memory of the process after a twentieth of them and after all; 10 000 show what is left behind.
"""

import gc
from pathlib import Path
import statistics
import sys
import tempfile
import time

from mvsim_ros2 import Simulation
from mvsim_ros2.jit.kernel import use_machine_code

SENSORS = Path(__file__).resolve().parents[1] / 'worlds' / 'sensors'
MEASUREMENTS = 200
WORLD = """<mvsim_world version="1.0">
  <element class="horizontal_plane"><x_min>-30</x_min><x_max>30</x_max><y_min>-30</y_min>
    <y_max>30</y_max></element>
  <for var="i" from="0" to="7"><block name="box_$f{{i}}">
    <init_pose>$f{{9*cos(i)}} $f{{9*sin(i)}} $f{{20*i}}</init_pose><mass>5</mass>
    <geometry type="box" lx="1" ly="0.7" lz="2"/></block></for>
  <vehicle:class name="cart">
    <dynamics class="differential"><chassis mass="10" zmin="0.1" zmax="0.4"/>
      <l_wheel pos="0 0.4" mass="1" width="0.04" diameter="0.2"/>
      <r_wheel pos="0 -0.4" mass="1" width="0.04" diameter="0.2"/>
      <controller class="twist_ideal"/></dynamics>
    <friction class="default"/>
  </vehicle:class>
  <vehicle name="cart" class="cart"><init_pose>0 0 0</init_pose><include file="{file}"/></vehicle>
</mvsim_world>"""


def resident() -> int:
    """Return the memory of this process that is in use [kB]."""
    gc.collect()
    with open('/proc/self/status', encoding='ascii') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))


def measure(name: str, count: int) -> None:
    """Print time and growth of memory of the measurements of one definition."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'sensors.world.xml'
        path.write_text(WORLD.format(file=SENSORS / f'{name}.sensor.xml'), encoding='utf-8')
        simulation = Simulation.from_file(path)
    simulation.vehicles['cart'].set_twist(1.0, 0.5)
    sensor = next(iter(simulation.sensors.values()))
    walls, works, before = [], [], 0
    for number in range(count):
        if number == max(5, count // 20):
            before = resident()
        simulation.step()
        wall, work = time.perf_counter(), time.process_time()
        sensor.measure()
        works.append(time.process_time() - work)
        walls.append(time.perf_counter() - wall)
    after = resident()
    wall, work = 1e3 * statistics.median(walls), 1e3 * statistics.median(works)
    print(f'{name:16} {wall:8.3f} ms {work:8.3f} ms CPU   '
          f'{before} kB, then {after} kB: {after - before:+d}', flush=True)


def main() -> None:
    """Print a line for each definition."""
    use_machine_code()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else MEASUREMENTS
    every = sorted(path.name.removesuffix('.sensor.xml') for path in SENSORS.glob('*.sensor.xml'))
    for name in sys.argv[2:] or every:
        measure(name, count)


if __name__ == '__main__':
    main()
