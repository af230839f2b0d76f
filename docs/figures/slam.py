# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw trajectories and errors of SLAM packages for docs/benchmarks.md.

`python docs/figures/slam.py` records 90 s in the warehouse, runs the packages on the bag and
writes docs/pictures/slam_warehouse.png. It needs the extra `slam`, and some minutes.
"""

from pathlib import Path
import sys
from tempfile import TemporaryDirectory

from PIL import Image
from places import PICTURES

from mvsim_ros2.cli import main as mvsim_ros2

WORLD, SECONDS = 'warehouse', '90'
CLIENTS = 'kiss-icp', 'kiss-icp-no-time', 'rko-lio', 'yag-slam'


def main() -> None:
    """Run the benchmark, and keep its figure in full colour."""
    with TemporaryDirectory() as folder:
        code = mvsim_ros2(['benchmark', 'slam', WORLD, '--duration', SECONDS, '--seeds', '1',
                           '--clients', *CLIENTS, '-o', folder])
        if code:
            sys.exit(code)
        with Image.open(Path(folder) / f'{WORLD}.png') as picture:
            picture.convert('RGB').save(PICTURES / f'slam_{WORLD}.png', optimize=True)


if __name__ == '__main__':
    main()
