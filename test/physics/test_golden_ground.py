# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Hills and a trailer: runs of 10 s against the C++ original, MVSim 1.2.0."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.world.load import load_world


def commands(folder: Path) -> list[tuple[float, float, float]]:
    """Return time, velocity and yaw rate of every command of a recorded run."""
    lines = (folder / 'profile.txt').read_text().splitlines()
    return [(float(t), float(v), float(w)) for t, _, v, w, *_ in (
        line.split() for line in lines if not line.startswith('#'))]


def drive(folder: Path, times: np.ndarray) -> np.ndarray:
    """Return the poses of all vehicles at these times; the first one gets the commands."""
    physics = PhysicsWorld(load_world(folder / 'world_dt5ms.xml'), RandomStreams(0), 'mvsim')
    period = round(times[1] / physics.dt)
    told, poses = commands(folder), []
    for _ in times:
        poses.append(physics.vehicles.pose.copy())
        for _ in range(period):
            now = physics.steps * physics.dt + 1e-9
            v, w = [(v, w) for t, v, w in told if t <= now][-1]
            physics.vehicles.set_twist(0, v, w)
            physics.step()
    return np.array(poses)


@pytest.mark.parametrize('case', ['elev_diff4_default_pid', 'elev_diff4_slope_hold'])
def test_goes_over_hills_as_the_original(shared: Path, case: str) -> None:
    """Place, height and attitude along the whole run."""
    folder = shared / 'golden/mvsim' / case
    table = np.genfromtxt(folder / 'dt5ms/r1.csv', delimiter=',', names=True)
    pose = drive(folder, table['t'])[:, 0]
    for column, name in enumerate(('x', 'y', 'z', 'yaw', 'pitch', 'roll')):
        assert np.abs(pose[:, column] - table[name]).max() < 1e-4, name


def test_pulls_a_trailer_as_the_original(shared: Path) -> None:
    """Tractor and trailer on a pin; the tolerance of the case is 5 cm."""
    folder = shared / 'golden/mvsim/trailer_revolute_ack'
    tables = [np.genfromtxt(folder / f'dt5ms/{name}.csv', delimiter=',', names=True)
              for name in ('tractor', 'trailer')]
    poses = drive(folder, tables[0]['t'])
    for row, table in enumerate(tables):
        away = np.hypot(poses[:, row, 0] - table['x'], poses[:, row, 1] - table['y'])
        turned = (poses[:, row, 3] - table['yaw'] + np.pi) % (2 * np.pi) - np.pi
        assert away.max() < 2e-3 and np.abs(turned).max() < 5e-4
