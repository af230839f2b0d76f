# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What materials and weather cost a LiDAR in three dimensions, as ratios to a plain world.

120 boxes around an OS1-64 at rest, with noise and intensity, organised clouds. Scans of all worlds
alternate in one run; CPU time of all threads, the least of each, so that a busy machine matters
little.

    python benchmarks/lidar_matter.py [--repeat N]
"""

import argparse
from pathlib import Path
import tempfile
import time

import numpy as np
from PIL import Image

from mvsim_ros2 import Simulation
from mvsim_ros2.jit.kernel import use_machine_code

LIDAR = """<sensor class="lidar3d" name="s"> <pose_3d>0 0 1.2 0 0 0</pose_3d>
  <vert_nrays>64</vert_nrays> <horz_nrays>1024</horz_nrays> <vert_fov_degrees>45</vert_fov_degrees>
  <max_range>90</max_range> <detection_range>60</detection_range> <layout>ouster</layout>
  <organised>true</organised>
  </sensor>"""
GROUND = """<element class="horizontal_plane"> <x_min>-60</x_min> <x_max>60</x_max>
  <y_min>-60</y_min> <y_max>60</y_max> GROUND </element>"""
# name: matter of the boxes, of the ground, weather
WORLDS = {
    'plain': ('', '', ''),
    'reflectivities': ('<reflectivity>0.3</reflectivity>', '<reflectivity>0.1</reflectivity>', ''),
    'textured ground, signs': (
        '<material retroreflection="100"/>',
        '<material textured="true"/> <texture>road.png</texture>', ''),
    'rain 20 mm/h': ('', '', '<weather rain="20"/>'),
    'snow 2 mm/h': ('', '', '<weather snow="2"/>'),
    'fog 100 m': ('', '', '<weather fog_visibility="100"/>'),
    'dust 50 m': ('', '', '<weather dust_visibility="50"/>'),
}


def simulation(folder: Path, boxes: str, ground: str, weather: str) -> Simulation:
    """Return a world of 120 boxes."""
    random = np.random.default_rng(1)
    blocks = []
    for _ in range(120):
        turn, away = random.uniform(0.0, 2.0 * np.pi), random.uniform(4.0, 50.0)
        x, y = away * np.cos(turn), away * np.sin(turn)
        blocks.append(f'<block> <init_pose>{x} {y} {np.degrees(turn)}</init_pose> {boxes}'
                      f'<static>true</static> <zmax>{random.uniform(1.0, 5.0)}</zmax> </block>')
    file = folder / 'a.world.xml'
    file.write_text(f'<mvsim_world version="1.0">{weather}{GROUND.replace("GROUND", ground)}'
                    f'{"".join(blocks)}{LIDAR}</mvsim_world>')
    return Simulation.from_file(file, seed=1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.strip().partition('\n')[0])
    parser.add_argument('--repeat', type=int, default=60, help='scans of each world')
    repeat = parser.parse_args().repeat
    use_machine_code()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        Image.fromarray(np.random.default_rng(2).integers(
            0, 255, (512, 512, 3), dtype=np.uint8)).save(folder / 'road.png')
        worlds = {name: simulation(folder, *parts) for name, parts in WORLDS.items()}
        least = dict.fromkeys(worlds, np.inf)
        for turn in range(repeat + 5):
            for world, sim in worlds.items():
                begin = time.process_time()
                sim.measure('s')
                if turn >= 5:  # then all is compiled
                    least[world] = min(least[world], time.process_time() - begin)
    for world, seconds in least.items():
        print(f'{world:24} {1e3 * seconds:6.2f} ms CPU   {seconds / least["plain"]:5.2f}')


if __name__ == '__main__':
    main()
