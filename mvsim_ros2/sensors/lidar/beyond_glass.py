# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Beams that pass holes and translucent surfaces, or go on from mirrors.

A surface of opacity a lets a share t pass, on the way there and on the way back, and sends back
the share a of what a solid one would, but no more than 1 - t. What lies behind n of them is met
by t1 ... tn of the light, and the same share of its echo returns. The strongest of all echoes
counts, by share * strength / range^2 (`raycast.matter`); of beams with several returns all do.

A mirror throws on its share in the mirrored direction, there and back: what stands there is seen
behind it, as far as the light has gone. Of what a surface lets pass and what it throws on the beam
follows the larger part; with glass that faces it the rest would be weaker by (1/20)^2.
"""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.returns import insert_echo, LABEL, RANGE, STRENGTH
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.matter import Matter, mirrored, strength_at
from mvsim_ros2.sensors.raycast.opacity import go_on, LAYERS, Opacity, opacity_at
from mvsim_ros2.sensors.raycast.query import find
from mvsim_ros2.sensors.raycast.ray_block import Beyond, Block
from mvsim_ros2.sensors.raycast.target import REFLECTIVITY, Target

_BEFORE = 1e-6  # by which a ray begins before a mirror, of the distance and of 1 m
_NEAR = 1e-6  # m, below which power grows no more
_LEAST = 1e-4  # share of the light below which a beam is given up


@compiled(inner=True, counted=False)
def strongest_echoes(target: Target, opacity: Opacity, matter: Matter, block: Block,
                     beyond: Beyond, count: int, farthest: float, mask: int, grazing: float,
                     half: float, separation: float, kept: Array) -> None:
    """
    Fill in ranges, strengths and labels of the strongest echoes of beams, those first.

    :param block: with the closest hits of beams, see `raycast.query.find`.
    :param farthest: reach of the beams [m].
    :param matter: of the surfaces of the target.
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
            share = min(share, 1.0 - through) * passed[k]
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


@compiled(inner=True, counted=False)
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
