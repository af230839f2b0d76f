# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Record a run with ground truth, run a SLAM package on it, and score it with evo.

    python examples/score_slam.py [FOLDER]

It needs `pip install 'mvsim_ros2[record,slam]'`. `mvsim_ros2 benchmark slam` does this for several
worlds, packages and seeds.
"""

from pathlib import Path
import sys

from mvsim_ros2 import load_world, world_path
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.studies.slam_benchmark.clients import known_clients
from mvsim_ros2.studies.slam_benchmark.slam import benchmark_world, slam_figure, table

folder = Path(*sys.argv[1:] or ['out'])
office = world_path('office')
route = office.parent / 'paths' / 'office.csv'
results = benchmark_world(
    office, f'follow:{route},speed=1', 36.0, [1], [known_clients()['kiss-icp']], folder / 'slam',
    report=print)
for row in table(results):
    print(*row, sep='\t')
save_figure(slam_figure(load_world(office), results), folder / 'score_slam.png')
