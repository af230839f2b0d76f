# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Compile ahead of use what worlds need: `python -m mvsim_ros2.ros.kernels demo outdoor`.

`colcon build` and `scripts/setup` do, so that the first start of the node does not wait. It needs
no ROS.
"""

from collections.abc import Sequence
import sys
import time

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.state_messages import UNKNOWN
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Fleet


def main(worlds: Sequence[str]) -> int:
    """Compile for worlds (names, paths), print how long each took, and return 1 for errors."""
    for name in worlds:
        start = time.perf_counter()
        try:
            simulation = Simulation.from_file(world_path(name))
            simulation.warm_up()
        except MvsimError as error:
            print(f'kernels: error: {name}: {error}', file=sys.stderr)
            return 1
        Fleet(simulation, UNKNOWN).look()
        print(f'kernels of {name}: {time.perf_counter() - start:.0f} s', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
