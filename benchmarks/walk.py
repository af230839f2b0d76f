# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How far a reader goes who follows a command through a step to the force of a wheel.

Makes steps in plain Python, of a robot on two wheels with a PID and a block, and notes each
function of this package that is entered. Prints how many files, functions and lines that are, and
how often the walk goes from file to file and from room to room, calls and returns: for the forces
of the wheels, from the command on, and for a whole step with the engine and the odometry. With
`edges`, also which pairs of files the walk goes between most. Run it as `NUMBA_DISABLE_JIT=1
python benchmarks/walk.py [edges]`.
"""

from collections import Counter
from pathlib import Path
import sys
from types import FrameType
from typing import Any

from physics import small_robot

import mvsim_ros2
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import NUMBA
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec import BlockSpec, WorldSpec

PACKAGE = Path(mvsim_ros2.__file__).parent
FORCES = {'mvsim': 'drive', 'physical': 'drive_physical'}  # functions that find those of wheels


class Walk:
    """
    The walk of a step through the files of the package.

    :ivar files: where it is, one after the other.
    :ivar functions: file and name of each that it enters.
    """

    def __init__(self, physics: PhysicsWorld, within: str = '') -> None:
        """
        Make a step.

        :param within: name of a function in which it is noted alone; none for the whole step.
        """
        self.files: list[str] = []
        self.functions: set[tuple[str, str]] = set()
        self._stack: list[tuple[str, bool]] = []  # file of each function, whether it is noted
        self._within = within
        sys.setprofile(self._note)
        physics.step()
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        """Take an event of `sys.setprofile`."""
        code = frame.f_code
        if not code.co_filename.startswith(str(PACKAGE)) or event not in ('call', 'return'):
            return
        if event == 'call':
            file = str(Path(code.co_filename).relative_to(PACKAGE))
            noted = self._stack[-1][1] if self._stack else not self._within
            noted = noted or code.co_name == self._within
            self._stack.append((file, noted))
            if noted:
                self.functions.add((file, code.co_qualname))
        elif self._stack:
            self._stack.pop()
        if self._stack and self._stack[-1][1] and self.files[-1:] != [self._stack[-1][0]]:
            self.files.append(self._stack[-1][0])

    def summary(self) -> str:
        """Return its numbers."""
        lines = sum(len((PACKAGE / file).read_text().splitlines()) for file in set(self.files))
        rooms = [str(Path(file).parent) for file in self.files]
        changes = sum(a != b for a, b in zip(rooms, rooms[1:], strict=False))
        return (f'{len(set(self.files))} files, {lines} lines, {len(self.functions)} functions, '
                f'{len(self.files) - 1} changes of file, {changes} of room')

    def edges(self) -> list[tuple[tuple[str, str], int]]:
        """Return between which files it goes, and how often, the most first."""
        return Counter(zip(self.files, self.files[1:], strict=False)).most_common()


def driving_robot(mode: str) -> PhysicsWorld:
    """Return a world with a robot that drives, and a block."""
    world = WorldSpec(simul_timestep=0.005, vehicles=(small_robot('robot', 0.0, 0.0),), blocks=(
        BlockSpec(name='crate', init_pose=Pose(5.0, 5.0)),))
    physics = PhysicsWorld(world, RandomStreams(0), mode)
    physics.vehicles.set_twist(0, 0.5, 0.5)
    physics.step(100)
    return physics


def main() -> None:
    """Print the numbers of both modes."""
    if NUMBA:
        raise SystemExit('kernels are no functions of Python: run it with NUMBA_DISABLE_JIT=1')
    for mode, function in FORCES.items():
        physics = driving_robot(mode)
        for what, within in (('forces of wheels', function), ('whole step', '')):
            walk = Walk(physics, within)
            print(f'{mode}, {what}: {walk.summary()}')
            if within:
                print('   ', ', '.join(dict.fromkeys(walk.files)))
            if 'edges' in sys.argv:
                for (a, b), count in walk.edges()[:30]:
                    print(f'  {count:4d} {a} -> {b}')


if __name__ == '__main__':
    main()
