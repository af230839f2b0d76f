# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The true trajectory of a vehicle in a recording, interpolated in time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.frames import Array, rotations

EUROC_COLUMNS = (
    '#timestamp [ns]',
    *(f'p_RS_R_{axis} [m]' for axis in 'xyz'), *(f'q_RS_{axis} []' for axis in 'wxyz'),
    *(f'v_RS_R_{axis} [m s^-1]' for axis in 'xyz'),
    *(f'b_w_RS_S_{axis} [rad s^-1]' for axis in 'xyz'),
    *(f'b_a_RS_S_{axis} [m s^-2]' for axis in 'xyz'))


def seconds(stamp_ns: int) -> str:
    """Return a time as seconds, exactly."""
    whole, rest = divmod(stamp_ns, 1_000_000_000)
    return f'{whole}.{rest:09d}'


def nanoseconds(text: str) -> int:
    """Return a time in seconds as nanoseconds, the inverse of `seconds`."""
    whole, _, rest = text.partition('.')
    return int(whole) * 1_000_000_000 + int(f'{rest:0<9}'[:9])


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Poses of a frame in the world at increasing times; constant before and after."""

    times_ns: NDArray[np.int64]  # (n,)
    positions: Array  # (n, 3) [m]
    quaternions: Array  # (n, 4): x y z w

    def at(self, times_ns: ArrayLike) -> Array:
        """Return the homogeneous matrices at some times, shape (m, 4, 4); linear interpolation."""
        wanted = np.clip(np.asarray(times_ns, np.int64), self.times_ns[0], self.times_ns[-1])
        after = np.clip(np.searchsorted(self.times_ns, wanted), 1, max(1, len(self.times_ns) - 1))
        after = np.minimum(after, len(self.times_ns) - 1)
        before = np.maximum(after - 1, 0)
        span = np.maximum(self.times_ns[after] - self.times_ns[before], 1)
        fraction = ((wanted - self.times_ns[before]) / span)[:, None]
        one, other = self.quaternions[before], self.quaternions[after]
        other = other * np.where((one * other).sum(axis=1) < 0, -1.0, 1.0)[:, None]
        mixed = (1 - fraction) * one + fraction * other  # for small angles between samples
        matrices = np.zeros((len(wanted), 4, 4))
        matrices[:, :3, :3] = rotations(mixed / np.linalg.norm(mixed, axis=1)[:, None])
        matrices[:, :3, 3] = ((1 - fraction) * self.positions[before]
                              + fraction * self.positions[after])
        matrices[:, 3, 3] = 1.0
        return matrices
