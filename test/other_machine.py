# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The command line, or a run, without something that other machines lack; a process of its own.

    other_machine.py WITHOUT[,WITHOUT...] check demo
    other_machine.py WITHOUT[,WITHOUT...] hash WORLD SECONDS

WITHOUT is numba, embree, windows (modules and functions that are only on POSIX) or nothing. `hash`
prints one hash for each sensor and one for the states.
"""

import hashlib
import os
import signal
import sys
from typing import Any

MISSING = {
    'numba': ('numba', 'llvmlite'),
    'embree': ('embreex',),
    'windows': ('resource', 'fcntl', 'termios', 'tty', 'pwd', 'grp', 'pty', 'posix_ipc'),
}
POSIX = {os: ('sched_getaffinity', 'getuid', 'geteuid', 'fork', 'killpg', 'getpgid', 'mkfifo',
              'getloadavg', 'sysconf', 'setsid'),
         signal: ('pthread_sigmask', 'setitimer', 'SIGKILL', 'SIGALRM', 'SIGPROF', 'SIGXCPU')}
without = sys.argv[1].split(',')


class _Without:
    """A finder that does not find the missing modules."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Return what the finder finds."""
        if any(name.partition('.')[0] in MISSING.get(each, ()) for each in without):
            return None
        return self._finder.find_spec(name, path, target)


for _each in without:
    for _name in MISSING.get(_each, ()):
        sys.modules.pop(_name, None)
sys.meta_path[:] = [_Without(each) for each in sys.meta_path]
if 'windows' in without:
    import subprocess  # noqa: F401, I100
    import threading  # noqa: F401
    for _module, _names in POSIX.items():
        for _name in _names:
            if hasattr(_module, _name):
                delattr(_module, _name)


def hashes(world: str, seconds: float) -> None:
    """Drive all vehicles and print the hashes."""
    import numpy as np

    from mvsim_ros2 import Simulation
    simulation = Simulation.from_file(world, seed=3)
    seen: dict[str, hashlib._Hash] = {}

    def add(thing: object, into: 'hashlib._Hash') -> None:
        if isinstance(thing, np.ndarray):
            into.update(np.ascontiguousarray(thing).tobytes())
        elif hasattr(thing, '__dataclass_fields__'):
            for name in thing.__dataclass_fields__:
                add(getattr(thing, name), into)
        else:
            into.update(repr(thing).encode())

    for number, vehicle in enumerate(simulation.vehicles.values()):
        vehicle.set_twist(0.4, 0.3 - 0.1 * number)
    simulation.run(seconds, on_observation=lambda observation: add(
        observation, seen.setdefault(observation.sensor, hashlib.sha256())))
    states = hashlib.sha256()
    for body in (*simulation.vehicles.values(), *simulation.blocks.values()):
        states.update(body.pose.matrix.tobytes())
    for name, digest in {**seen, 'states': states}.items():
        print(name, digest.hexdigest()[:16])


if __name__ == '__main__':
    if sys.argv[2] == 'hash':
        hashes(sys.argv[3], float(sys.argv[4]))
    else:
        from mvsim_ros2.cli import main
        sys.exit(main(sys.argv[2:]))
