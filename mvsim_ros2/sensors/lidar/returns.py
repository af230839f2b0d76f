# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a LiDAR makes of the surfaces that its beams meet."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast import ray_block as ray
from mvsim_ros2.raycast.ray_block import Block
from mvsim_ros2.raycast.target import REFLECTIVITY
from mvsim_ros2.raycast.target import Target
from mvsim_ros2.sensors.lidar.hash_noise import normals
from mvsim_ros2.sensors.lidar.hash_noise import uniform

Array = NDArray[np.float64]

RANGE, STRENGTH, LABEL = range(3)  # columns of echoes
# random numbers of a beam
OF_RANGE, OF_ANGLE, OF_LOSS, OF_ASIDE = range(4)
KINDS = 4


class Returns(NamedTuple):
    """How beams are sent and what comes back of them."""

    nearest: float  # m
    farthest: float
    range_noise: float  # m, standard deviation
    angle_noise: float  # rad
    with_intensity: bool
    scale: float  # of the intensity in the layout
    fall: float  # 1/m^2: the intensity falls by 1 / (1 + fall * range^2); 0: it does not
    power: float  # m^2: half of the echoes with reflectivity * cosine * power = range^2 are seen
    grazing: float  # least cosine of the incidence
    lost: float  # share that is lost by chance
    spread: float  # rad: half divergence of the beam for two returns, 0 for one
    separation: float  # m between two returns
    sweep: float  # s: from the first to the last column, 0 for all at once
    span: float  # s: of the motion of the target, 0 where it rests


@compiled(inner=True)
def receive(target: Target, block: Block, count: int, echoes: Returns, key: np.uint64,
            turn: int, beam: NDArray[np.int64], noise: Array, shares: Array, made: Array) -> None:
    """
    Fill in range [m], intensity (0 to 1) and labels of what beams met.

    The range is inf where nothing comes back and -inf where it is too near. The probability
    that an echo is seen falls with the fourth power of its strength around one half.

    :param key: of the random numbers of the scan.
    :param turn: number of the return.
    :param beam: number of the beam of each ray, shape (N,).
    :param noise: scratch, shape (N,).
    :param shares: of the echo of a solid surface, shape (N,); no rows where all are solid.
    :param made: shape (2, N, 3).
    """
    rays, hits, found = block.rays, block.hits, block.found
    faces, first_face, labels = target.faces, target.first_face, target.labels
    key = key + np.uint64(turn)
    if echoes.range_noise > 0.0:
        normals(key, beam, KINDS, OF_RANGE, count, noise)
    for n in range(count):
        made[turn, n, RANGE] = math.inf
        made[turn, n, STRENGTH] = made[turn, n, LABEL] = 0.0
        instance = found[n, ray.INSTANCE]
        if instance < 0:
            continue
        distance = hits[n, ray.DISTANCE]
        cosine = -(hits[n, ray.NX] * rays[n, ray.DX] + hits[n, ray.NY] * rays[n, ray.DY]
                   + hits[n, ray.NZ] * rays[n, ray.DZ])
        if cosine < echoes.grazing:
            continue
        strength = 1.0
        if echoes.with_intensity or echoes.power > 0.0:
            row = first_face[instance] + found[n, ray.FACE]
            strength = cosine * faces[row, REFLECTIVITY]
            if shares.shape[0] > 0:
                strength *= shares[n]
        if echoes.power > 0.0 or echoes.lost > 0.0:
            seen = 1.0 - echoes.lost
            if echoes.power > 0.0:
                power = (strength * echoes.power) ** 4
                seen *= power / (power + distance ** 8)
            if uniform(key, KINDS * beam[n] + OF_LOSS) >= seen:
                continue
        if not echoes.with_intensity:
            strength = 1.0
        elif echoes.fall > 0.0:
            strength /= 1.0 + echoes.fall * distance * distance
        if echoes.range_noise > 0.0:
            distance += echoes.range_noise * noise[n]
        if distance < echoes.nearest:
            made[turn, n, RANGE] = -math.inf
        elif distance <= echoes.farthest:
            made[turn, n, RANGE] = distance
            made[turn, n, STRENGTH] = strength
            made[turn, n, LABEL] = labels[instance]
