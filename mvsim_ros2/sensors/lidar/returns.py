# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a LiDAR makes of the surfaces that its beams meet."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast import ray_block as ray
from mvsim_ros2.raycast.matter import Matter
from mvsim_ros2.raycast.matter import strength_at
from mvsim_ros2.raycast.ray_block import Block
from mvsim_ros2.raycast.target import REFLECTIVITY
from mvsim_ros2.raycast.target import Target
from mvsim_ros2.sensors.lidar.air import Air
from mvsim_ros2.sensors.lidar.air import FOCUS
from mvsim_ros2.sensors.lidar.air import strongest_of_air
from mvsim_ros2.sensors.lidar.hash_noise import normals
from mvsim_ros2.sensors.lidar.hash_noise import uniform

Array = NDArray[np.float64]

RANGE, STRENGTH, LABEL = range(3)  # columns of echoes
# random numbers of a beam
OF_RANGE, OF_ANGLE, OF_LOSS, OF_ASIDE = range(4)
KINDS = 4
_OF_AIR = np.uint64(0x5851F42D4C957F2D)  # turns a key into another


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
    half: float  # rad: half divergence of the beam
    weak_noise: float  # m, standard deviation that the range of an echo just seen has more


@compiled(inner=True)
def receive(target: Target, matter: Matter, air: Air, block: Block, count: int, echoes: Returns,
            key: np.uint64, turn: int, beam: NDArray[np.int64], noise: Array, shares: Array,
            made: Array) -> None:
    """
    Fill in range [m], intensity (0 to 1) and labels of what beams met.

    The range is inf where nothing comes back and -inf where it is too near. The probability
    that an echo is seen falls with the fourth power of its strength around one half. The
    standard deviation of a range grows as the signal gets weaker, as 1 / sqrt(power) (Kilic et
    al., see `air`).

    :param matter: of the surfaces of the target.
    :param key: of the random numbers of the scan.
    :param turn: number of the return.
    :param beam: number of the beam of each ray, shape (N,).
    :param noise: scratch, shape (N,).
    :param shares: of the echo of a solid surface, shape (N,); no rows where all are solid.
    :param made: shape (2, N, 3).
    """
    rays, hits, found = block.rays, block.hits, block.found
    faces, first_face, labels = target.faces, target.first_face, target.labels
    made_of, sizes, light = matter
    extinction, hazard, weakest, step, farthest = air
    plain, clear = made_of.shape[0] == 0, hazard.shape[0] == 0
    key = key + np.uint64(turn)
    of_air = key ^ _OF_AIR
    if echoes.range_noise > 0.0 or echoes.weak_noise > 0.0:
        normals(key, beam, KINDS, OF_RANGE, count, noise)
    for n in range(count):
        made[turn, n, RANGE] = math.inf
        made[turn, n, STRENGTH] = made[turn, n, LABEL] = 0.0
        instance = found[n, ray.INSTANCE]
        distance, strength, label = math.inf, 1.0, 0
        if instance >= 0:
            distance = hits[n, ray.DISTANCE]
            cosine = -(hits[n, ray.NX] * rays[n, ray.DX] + hits[n, ray.NY] * rays[n, ray.DY]
                       + hits[n, ray.NZ] * rays[n, ray.DZ])
            label = labels[instance]
            if echoes.with_intensity or echoes.power > 0.0:
                row = first_face[instance] + found[n, ray.FACE]
                strength = cosine * faces[row, REFLECTIVITY]
                if not plain:
                    strength = strength_at(
                        made_of, sizes, light, row, hits[n, ray.WEIGHT_1],
                        hits[n, ray.WEIGHT_2], cosine, strength, echoes.half)
                if shares.shape[0] > 0:
                    strength *= shares[n]
            if not clear:
                strength *= math.exp(-2.0 * extinction * distance)
            if cosine < echoes.grazing:
                distance = math.inf
            elif echoes.power > 0.0 or echoes.lost > 0.0:
                seen = 1.0 - echoes.lost
                if echoes.power > 0.0:
                    power = (strength * echoes.power) ** 4
                    seen *= power / (power + distance ** 8)
                if uniform(key, KINDS * beam[n] + OF_LOSS) >= seen:
                    distance = math.inf
        if not clear:
            sight = distance if distance < math.inf else farthest
            power = strength / max(sight, FOCUS) ** 2 if distance < math.inf else 0.0
            met, power = strongest_of_air(
                hazard, weakest, step, farthest, power, sight, uniform(of_air, 2 * beam[n]),
                uniform(of_air, 2 * beam[n] + 1))
            if met < math.inf:
                distance, strength, label = met, power * max(met, FOCUS) ** 2, 0
        if distance == math.inf:
            continue
        spread = echoes.range_noise
        if echoes.weak_noise > 0.0:
            spread = math.sqrt(spread * spread + echoes.weak_noise * echoes.weak_noise
                               * distance * distance / max(echoes.power * strength, 1e-9))
        if not echoes.with_intensity:
            strength = 1.0
        elif echoes.fall > 0.0:
            strength /= 1.0 + echoes.fall * distance * distance
        if spread > 0.0:
            distance += spread * noise[n]
        if distance < echoes.nearest:
            made[turn, n, RANGE] = -math.inf
        elif distance <= echoes.farthest:
            made[turn, n, RANGE] = distance
            made[turn, n, STRENGTH] = strength
            made[turn, n, LABEL] = label
