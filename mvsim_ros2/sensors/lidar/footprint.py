# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Beams of a finite width: mixed pixels, and several echoes of one beam.

A beam is sampled by rays that are spread evenly over its cross-section (Vogel, A better way to
construct the sunflower head, Mathematical Biosciences 44, 1979). Their echoes are sorted by range.
Echoes closer than the separation of two returns merge into a mixed pixel at their mean range,
weighted by power (Tuley, Vandapel and Hebert, Analysis and removal of artifacts in 3-D LADAR data,
ICRA 2005). Of several echoes the strongest is the first return.

Beams pass holes and translucent surfaces, and go on from mirrors. A surface of opacity a transmits
the share t on both ways. It returns the share a of a solid surface's echo, at most 1 - t. What
lies behind n of them is met by t1 ... tn of the light, and the same share of its echo returns. The
strongest of all echoes counts, by share * strength / range^2 (`raycast.matter`); of beams with
several returns all do.

A mirror reflects its share on both ways. So objects appear behind it, at the distance that the
light has travelled. The beam follows the larger of its transmitted and mirrored parts. With glass
that faces it, the other part is weaker by (1/20)^2.
"""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.returns import insert_echo, LABEL, RANGE, STRENGTH
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.matter import Matter, mirrored, strength_at, strengths
from mvsim_ros2.sensors.raycast.opacity import FULL, go_on, LAYERS, Opacity, opacity_at
from mvsim_ros2.sensors.raycast.query import find
from mvsim_ros2.sensors.raycast.ray_block import Beyond, Block
from mvsim_ros2.sensors.raycast.target import REFLECTIVITY, Target

Vector = tuple[float, float, float]

_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))
_NEAR = 1e-6  # m, below which power grows no more


@compiled(counted=False)
def across(dx: float, dy: float, dz: float) -> tuple[Vector, Vector]:
    """Return two unit vectors across a direction and each other."""
    if abs(dz) < 0.9:
        length = math.sqrt(dx * dx + dy * dy)
        ax, ay, az = -dy / length, dx / length, 0.0
    else:
        length = math.sqrt(dy * dy + dz * dz)
        ax, ay, az = 0.0, -dz / length, dy / length
    return (ax, ay, az), (dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax)


@compiled(counted=False)
def turn_to_sample(rays: Array, middle: Array, count: int, sample: int, samples: int,
                   half: float) -> None:
    """
    Turn rays to a place in the cross-section of their beams, of this half divergence [rad].

    :param middle: directions of the beams, shape (N, 3).
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


@compiled(counted=False)
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


@compiled(counted=False)
def merge_samples(kept: Array, found: int, samples: int, count: int, turns: int,
                  separation: float, made: Array) -> None:
    """
    Fill in the echoes of beams, the strongest first; inf where there is none.

    :param kept: ranges, strengths and labels of what the samples met, shape (S, N, 3); they are
        sorted.
    :param found: rows of it that count: one for each sample, or for each surface that it met.
    :param samples: rays of a beam.
    :param turns: returns of a beam.
    :param separation: smallest distance of two separate echoes [m].
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


@compiled(counted=False)
def two_rays(kept: Array, layers: int, count: int, turns: int, separation: float,
             made: Array) -> None:
    """
    Fill in the echoes of beams of two rays, see `merge_samples`.

    What the ray on the edge of a beam met counts where the other met nothing as far away.
    """
    for n in range(count):
        for turn in range(turns):
            made[turn, n, RANGE] = math.inf
            made[turn, n, STRENGTH] = made[turn, n, LABEL] = 0.0
        for row in range(2 * layers):
            if kept[row, n, RANGE] < math.inf:
                insert_echo(made, n, turns, kept[row, n, RANGE], kept[row, n, STRENGTH],
                            kept[row, n, LABEL], separation, _NEAR, row < layers)


_BEFORE = 1e-6  # by which a ray begins before a mirror, of the distance and of 1 m
_NEAR = 1e-6  # m, below which power grows no more
_LEAST = 1e-4  # share of the light below which a beam is given up


@compiled(counted=False)
def strongest_echoes(target: Target, opacity: Opacity, matter: Matter, block: Block,
                     beyond: Beyond, count: int, farthest: float, mask: int, grazing: float,
                     half: float, separation: float, kept: Array) -> None:
    """
    Fill in ranges, strengths and labels of the strongest echoes of beams, those first.

    :param block: with the closest hits of beams, see `raycast.query.find`.
    :param farthest: reach of the beams [m].
    :param grazing: least cosine of the incidence of an echo.
    :param half: half divergence of the beams [rad].
    :param separation: of two echoes [m]; of nearer ones the stronger counts.
    :param kept: shape (T, N, 3); inf where there is none.
    """
    rays, hits, found, on = block.rays, block.hits, block.found, beyond.block.rays
    number, travelled, passed = beyond.number, beyond.travelled, beyond.passed
    alphas, instances, sizes, alpha = opacity
    made_of, images, light = matter
    plain = made_of.shape[0] == 0
    first_face, faces, labels = target.first_face, target.faces, target.labels
    for n in range(count):
        number[n], travelled[n], passed[n] = n, 0.0, 1.0
        for turn in range(kept.shape[0]):
            kept[turn, n, RANGE] = math.inf
            kept[turn, n, STRENGTH] = kept[turn, n, LABEL] = 0.0
    left = count
    for layer in range(1 + LAYERS):
        if left == 0:
            break
        if layer > 0:
            find(target, beyond.block, left, 0.0, farthest, mask, False)
            rays, hits, found = on, beyond.block.hits, beyond.block.found
        going, left = left, 0
        for k in range(going):
            instance, n = found[k, ray.INSTANCE], number[k]
            if instance < 0:
                continue
            row = first_face[instance] + found[k, ray.FACE]
            step = hits[k, ray.DISTANCE]
            distance = travelled[k] + step
            share, through = opacity_at(alphas, instances, sizes, alpha, instance, row,
                                        hits[k, ray.WEIGHT_1], hits[k, ray.WEIGHT_2])
            cosine = -(hits[k, ray.NX] * rays[k, ray.DX] + hits[k, ray.NY] * rays[k, ray.DY]
                       + hits[k, ray.NZ] * rays[k, ray.DZ])
            thrown = 0.0 if plain or share == 0.0 else mirrored(made_of, row, cosine)
            share = passed[k] * (1.0 if share >= FULL and through == thrown == 0.0
                                 else min(share, 1.0 - through))
            if share > 0.0 and cosine >= grazing and distance <= farthest:
                strength = cosine * faces[row, REFLECTIVITY]
                if not plain:
                    strength = strength_at(made_of, images, light, row, hits[k, ray.WEIGHT_1],
                                           hits[k, ray.WEIGHT_2], cosine, strength, half)
                # a perfect mirror is not seen itself
                if strength > 0.0 or layer == 0 and thrown == 0.0:
                    insert_echo(kept, n, kept.shape[0], distance, strength * share,
                                labels[instance], separation, _NEAR, True)
            going_on = max(through, thrown)
            rest = passed[k] * going_on * going_on
            if rest > _LEAST:
                gone = travelled[k]
                if thrown > through:
                    gone += _turn_back(rays, hits, k, k, cosine, on, left)
                else:
                    gone += go_on(rays, k, step, on, left)
                travelled[left], passed[left], number[left] = gone, rest, n
                left += 1


@compiled(counted=False)
def _turn_back(rays: Array, hits: Array, n: int, k: int, cosine: float, to: Array,
               left: int) -> float:
    """
    Fill in the row `left` of `to`: the ray `n` after the mirror of hit `k`.

    :returns: the way that it has gone before.
    """
    gone: float = hits[k, ray.DISTANCE]
    gone -= _BEFORE * (1.0 + gone)
    time = rays[n, ray.TIME]
    for i in range(3):
        along, normal = rays[n, ray.DX + i], hits[k, ray.NX + i]
        to[left, ray.OX + i] = rays[n, ray.OX + i] + gone * along
        to[left, ray.DX + i] = along + 2.0 * cosine * normal
    to[left, ray.TIME] = time
    return gone
