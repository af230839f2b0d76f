# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Peaks of what comes back to a radar, over range, azimuth and Doppler velocity."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array

_PARTS = 4  # of a cell each way, in which echoes are gathered first
_REACH = 0.75  # cells from a peak to what belongs to it
_REST = 4.0  # times that a peak is larger than what is left of its thing


class Echoes(NamedTuple):
    """Echoes of N rays, or N peaks."""

    distance: Array  # (N,): half the length of the way [m]
    angles: Array  # (N, 2): azimuth and elevation [rad]
    velocity: Array  # (N,): at which ways get longer, of one direction [m/s]
    section: Array  # (N,): radar cross-section [m^2]
    ghost: Array  # (N,): 1 over a wall, else 0

    def taken(self, rows: NDArray[np.bool_]) -> 'Echoes':
        """Return some of them."""
        return Echoes(*(each[rows] for each in self))

    @classmethod
    def joined(cls, parts: 'Sequence[Echoes]') -> 'Echoes':
        """Return all of several."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def merged(echoes: Echoes, group: NDArray[np.int64]) -> Echoes:
    """Return one echo for each group: the sum of cross-sections, and means by power."""
    count = int(group.max(initial=-1)) + 1
    power = echoes.section / np.maximum(echoes.distance, 1e-6) ** 4
    total = np.maximum(np.bincount(group, power, count), 1e-300)

    def mean(values: Array) -> Array:
        return np.asarray(np.bincount(group, power * values, count) / total)

    return Echoes(mean(echoes.distance),
                  np.stack([mean(echoes.angles[:, 0]), mean(echoes.angles[:, 1])], axis=1),
                  mean(echoes.velocity),
                  np.asarray(np.bincount(group, echoes.section, count), np.float64),
                  np.rint(mean(echoes.ghost)))


def _groups(cells: Array, ghost: Array) -> NDArray[np.int64]:
    """Return the same number for what is in the same cell, shape (n,)."""
    key = ghost.astype(np.int64)
    for column in cells.T.astype(np.int64):
        key = (key << 20) + column + (1 << 19)
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def peaks_of(echoes: Echoes, cells: Array) -> Echoes:
    """
    Return the peaks of the cross-section, the highest first, each with what lies around it.

    The cross-section is spread over the eight nearest cells, linearly. Everything within three
    quarters of a cell belongs to a peak. So does the rest of an object within twice that distance,
    if it is less than a quarter of it.

    :param cells: sizes in range [m], azimuth [rad] and Doppler velocity [m/s].
    """
    def places(of: Echoes) -> Array:
        return np.column_stack([of.distance, of.angles[:, 0], of.velocity]) / cells

    echoes = merged(echoes, _groups(np.floor(_PARTS * places(echoes)), echoes.ghost))
    at = places(echoes)
    first = np.floor(at - 0.5)
    share = at - 0.5 - first
    corners = np.array(list(product((0, 1), repeat=3)))
    weight = np.where(corners, share[:, np.newaxis], 1.0 - share[:, np.newaxis]).prod(axis=2)
    cell = _groups((first[:, np.newaxis] + corners).reshape(-1, 3),
                   np.repeat(echoes.ghost, 8)).reshape(-1, 8)
    level = np.bincount(cell.ravel(), (weight * echoes.section[:, np.newaxis]).ravel())
    height = (weight * level[cell]).sum(axis=1) if len(at) else np.zeros(0)
    group = np.full(len(at), -1)
    peaks: list[Array] = []  # place, ghost, cross-section
    for peak in np.argsort(-height, kind='stable').tolist():
        if group[peak] >= 0:
            continue
        away = np.abs(at - at[peak]).max(axis=1)
        near = (away <= _REACH) & (echoes.ghost == echoes.ghost[peak]) & (group < 0)
        size = echoes.section[near].sum()
        number = len(peaks)
        if peaks:
            known = np.array(peaks)
            adjacent = np.abs(known[:, np.newaxis, :3] - at[near]).max(axis=(1, 2)) <= 2.0 * _REACH
            adjacent &= (known[:, 3] == echoes.ghost[peak]) & (known[:, 4] > _REST * size)
            number = int(np.argmax(adjacent)) if adjacent.any() else number
        if number == len(peaks):
            peaks.append(np.array([*at[peak], echoes.ghost[peak], size]))
        group[near] = number
    return merged(echoes, group)
