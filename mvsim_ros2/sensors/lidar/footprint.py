# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Beams of a finite width: mixed pixels, and several echoes of one beam.

A beam is sampled by rays that are spread evenly over its cross-section (Vogel, A better way to
construct the sunflower head, Mathematical Biosciences 44, 1979). What comes back of them is
sorted by range; echoes that are nearer to each other than the separation of two returns cannot be
told apart, and make one at the mean of their ranges by power: a mixed pixel (Tuley, Vandapel and
Hebert, Analysis and removal of artifacts in 3-D LADAR data, ICRA 2005). Of several echoes the
strongest is the first return.
"""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.returns import insert_echo, LABEL, RANGE, STRENGTH
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.matter import Matter, strengths
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import REFLECTIVITY, Target

Vector = tuple[float, float, float]

_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
_NEAR = 1e-6  # m, below which power grows no more


@compiled(inner=True, counted=False)
def across(dx: float, dy: float, dz: float) -> tuple[Vector, Vector]:
    """Return two unit vectors across a direction and each other."""
    if abs(dz) < 0.9:
        length = math.sqrt(dx * dx + dy * dy)
        ax, ay, az = -dy / length, dx / length, 0.0
    else:
        length = math.sqrt(dy * dy + dz * dz)
        ax, ay, az = 0.0, -dz / length, dy / length
    return (ax, ay, az), (dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax)


@compiled(inner=True, counted=False)
def turn_to_sample(rays: Array, middle: Array, count: int, sample: int, samples: int,
                   half: float) -> None:
    """
    Turn rays to a place in the cross-section of their beams.

    :param middle: directions of the beams, shape (N, 3).
    :param sample: number of the place, from 0.
    :param half: half divergence of the beams [rad].
    """
    away = half * math.sqrt((sample + 0.5) / samples)
    p, q = away * math.cos(sample * _GOLDEN), away * math.sin(sample * _GOLDEN)
    scale = 1.0 / math.sqrt(1.0 + away * away)
    for n in range(count):
        dx, dy, dz = middle[n, 0], middle[n, 1], middle[n, 2]
        (ax, ay, az), (bx, by, bz) = across(dx, dy, dz)
        rays[n, ray.DX] = scale * (dx + p * ax + q * bx)
        rays[n, ray.DY] = scale * (dy + p * ay + q * by)
        rays[n, ray.DZ] = scale * (dz + p * az + q * bz)


@compiled(inner=True, counted=False)
def keep_sample(target: Target, matter: Matter, block: Block, count: int, grazing: float,
                half: float, lit: Array, pixels: Array, kept: Array) -> None:
    """
    Fill in range [m], strength and label of what the rays of a sample met; inf for nothing.

    :param grazing: least cosine of the incidence.
    :param lit: scratch, shape (N,), as `pixels`.
    :param kept: shape (N, 3).
    """
    rays, hits, found = block.rays, block.hits, block.found
    faces, first_face, labels = target.faces, target.first_face, target.labels
    plain = matter.faces.shape[0] == 0
    if not plain:
        strengths(target, matter, block, count, half, lit, pixels)
    for n in range(count):
        instance = found[n, ray.INSTANCE]
        kept[n, RANGE], kept[n, STRENGTH], kept[n, LABEL] = math.inf, 0.0, 0.0
        if instance < 0:
            continue
        cosine = -(hits[n, ray.NX] * rays[n, ray.DX] + hits[n, ray.NY] * rays[n, ray.DY]
                   + hits[n, ray.NZ] * rays[n, ray.DZ])
        if cosine < grazing:
            continue
        row = first_face[instance] + found[n, ray.FACE]
        kept[n, RANGE], kept[n, LABEL] = hits[n, ray.DISTANCE], labels[instance]
        kept[n, STRENGTH] = cosine * faces[row, REFLECTIVITY] if plain else lit[n]


@compiled(inner=True, counted=False)
def merge_samples(kept: Array, found: int, samples: int, count: int, turns: int,
                  separation: float, made: Array) -> None:
    """
    Fill in the echoes of beams, the strongest first; inf where there is none.

    :param kept: ranges, strengths and labels of what the samples met, shape (S, N, 3); they are
        sorted.
    :param found: rows of it that count: one for each sample, or for each surface that it met.
    :param samples: rays of a beam.
    :param turns: returns of a beam.
    :param separation: of two echoes that can be told apart [m].
    :param made: range, strength and label of the returns, shape (3, N, 3).
    """
    for n in range(count):
        for turn in range(turns):
            made[turn, n, RANGE] = math.inf
            made[turn, n, STRENGTH] = made[turn, n, LABEL] = 0.0
        for s in range(1, found):  # few: sorted by insertion
            distance, strength, label = (kept[s, n, RANGE], kept[s, n, STRENGTH],
                                         kept[s, n, LABEL])
            k = s
            while k > 0 and kept[k - 1, n, RANGE] > distance:
                for i in range(3):
                    kept[k, n, i] = kept[k - 1, n, i]
                k -= 1
            kept[k, n, RANGE], kept[k, n, STRENGTH], kept[k, n, LABEL] = distance, strength, label
        s = 0
        while s < found and kept[s, n, RANGE] < math.inf:
            total = mean = best = label = 0.0
            last = kept[s, n, RANGE]
            while s < found and kept[s, n, RANGE] < math.inf and (
                    kept[s, n, RANGE] - last <= separation):
                last = kept[s, n, RANGE]
                power = kept[s, n, STRENGTH] / (last * last + 1e-12)
                total += power
                mean += power * last
                if power >= best:
                    best, label = power, kept[s, n, LABEL]
                s += 1
            if total <= 0.0:
                continue
            mean /= total
            total *= mean * mean / samples
            strongest = total / (mean * mean)
            place = turns
            while place > 0 and (made[place - 1, n, STRENGTH] / max(
                    made[place - 1, n, RANGE], 1e-6) ** 2 < strongest):
                place -= 1
            for turn in range(turns - 1, place, -1):
                for i in range(3):
                    made[turn, n, i] = made[turn - 1, n, i]
            if place < turns:
                made[place, n, RANGE], made[place, n, STRENGTH] = mean, total
                made[place, n, LABEL] = label


@compiled(inner=True, counted=False)
def two_rays(kept: Array, layers: int, count: int, turns: int, separation: float,
             made: Array) -> None:
    """
    Fill in the echoes of beams of two rays, the strongest first; inf where there is none.

    What the ray on the edge of a beam met counts where the other met nothing as far away.

    :param kept: ranges, strengths and labels of what they met, shape (2 layers, N, 3).
    :param made: range, strength and label of the returns, shape (3, N, 3).
    """
    for n in range(count):
        for turn in range(turns):
            made[turn, n, RANGE] = math.inf
            made[turn, n, STRENGTH] = made[turn, n, LABEL] = 0.0
        for row in range(2 * layers):
            if kept[row, n, RANGE] < math.inf:
                insert_echo(made, n, turns, kept[row, n, RANGE], kept[row, n, STRENGTH],
                            kept[row, n, LABEL], separation, _NEAR, row < layers)
