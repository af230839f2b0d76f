# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How far a reader goes who follows a command to the force of a wheel.

Makes one step in plain Python, of a robot on two wheels with a PID and a block, and notes each
function of this package that is entered. Prints how many files, functions and lines that are, and
how often the walk goes from file to file and from room to room, calls and returns; then the files
in their order. With `edges`, also which pairs of files it goes between most. Run it as `python
benchmarks/walk.py [mvsim|physical] [edges]`.

:claim: a reader follows a command to the force of a wheel within 12 files
:reference: one step in plain Python
"""

from collections import Counter
import os
from pathlib import Path
import sys
from types import FrameType
from typing import Any

os.environ['NUMBA_DISABLE_JIT'] = '1'

from physics import small_robot  # noqa: E402

import mvsim_ros2  # noqa: E402
from mvsim_ros2.base.random_streams import RandomStreams  # noqa: E402
from mvsim_ros2.frames import Pose  # noqa: E402
from mvsim_ros2.physics import PhysicsWorld  # noqa: E402
from mvsim_ros2.world.spec.block import BlockSpec  # noqa: E402
from mvsim_ros2.world.spec.world import WorldSpec  # noqa: E402

PACKAGE = Path(mvsim_ros2.__file__).parent


class Walk:
    """
    Functions of the package in the order in which a run enters and leaves them.

    :ivar files: of the functions, one after the other, each time that the walk is in another one.
    :ivar functions: file and name of each.
    """

    def __init__(self) -> None:
        """Begin outside of the package."""
        self.files: list[str] = []
        self.functions: set[tuple[str, str]] = set()
        self._stack: list[str] = []

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Take an event of `sys.setprofile`."""
        name = frame.f_code.co_filename
        if not name.startswith(str(PACKAGE)) or event not in ('call', 'return'):
            return
        file = str(Path(name).relative_to(PACKAGE))
        if event == 'call':
            self._stack.append(file)
            self.functions.add((file, frame.f_code.co_qualname))
        elif self._stack:
            self._stack.pop()
        if self._stack and self.files[-1:] != self._stack[-1:]:
            self.files.append(self._stack[-1])


def walk_of_a_step(mode: str) -> Walk:
    """Return the walk of one step of a robot that has driven for a while."""
    robot = small_robot('robot', 0.0, 0.0)
    world = WorldSpec(simul_timestep=0.005, vehicles=(robot,), blocks=(
        BlockSpec(name='crate', init_pose=Pose(5.0, 5.0)),))
    physics = PhysicsWorld(world, RandomStreams(0), mode)
    physics.vehicles.set_twist(0, 0.5, 0.5)
    physics.step(100)
    physics.vehicles.set_twist(0, 0.6, 0.4)
    walk = Walk()
    sys.setprofile(walk.note)
    physics.step()
    sys.setprofile(None)
    return walk


def room(file: str) -> str:
    """Return the folder of a file."""
    return str(Path(file).parent)


def main() -> None:
    """Print the numbers of both modes, or of one."""
    for mode in [each for each in sys.argv[1:] if each != 'edges'] or ['mvsim', 'physical']:
        walk = walk_of_a_step(mode)
        files = list(dict.fromkeys(walk.files))
        rooms = [room(file) for file in walk.files]
        changes = sum(a != b for a, b in zip(rooms, rooms[1:], strict=False))
        lines = sum(len((PACKAGE / file).read_text().splitlines()) for file in files)
        print(f'{mode}: {len(files)} files, {lines} lines, {len(walk.functions)} functions, '
              f'{len(walk.files) - 1} changes of file, {changes} of room')
        for file in files:
            inside = sum(each == file for each, _ in walk.functions)
            print(f'  {file}: {inside} functions')
        if 'edges' in sys.argv:
            pairs = Counter(zip(walk.files, walk.files[1:], strict=False))
            for (a, b), count in pairs.most_common(40):
                print(f'  {count:4d} {a} -> {b}')


if __name__ == '__main__':
    main()
