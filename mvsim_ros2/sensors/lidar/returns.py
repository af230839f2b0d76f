# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Returns of a LiDAR from the surfaces that its beams meet."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.air import Air
from mvsim_ros2.sensors.lidar.falling_echoes import FOCUS, see_falling
from mvsim_ros2.sensors.lidar.hash_noise import normals, uniform

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
    turns: int  # returns of a beam
    samples: int  # rays of a beam, 1: the middle only


@compiled(counted=False)
def weaken(air: Air, echoes: Returns, key: np.uint64, turn: int, beam: NDArray[np.int64],
           count: int, sight: Array, made: Array) -> None:
    """
    Let the air take its share of the echoes of a return, and lose those too weak.

    The probability that an echo is seen falls with the fourth power of its strength around one
    half.

    :param key: of the random numbers of the scan.
    :param beam: number of the beam of each ray, shape (N,).
    :param sight: filled in by the first return with how far each beam goes [m], shape (N,).
    :param made: ranges without errors [m], inf where nothing comes back, strengths and labels,
        shape (3, N, 3).
    """
    fade, farthest, clear = air.fade, air.farthest, air.fade.shape[0] == 0
    fades = (fade.shape[0] - 1) / math.sqrt(air.farthest)
    full_power, key = echoes.power, key + np.uint64(turn)
    for n in range(count):
        distance = made[turn, n, RANGE]
        if turn == 0 and not clear:
            sight[n] = min(distance, farthest)
        if distance == math.inf:
            continue
        if not clear:
            column = fades * math.sqrt(min(distance, farthest))
            k = min(int(column), fade.shape[0] - 2)
            made[turn, n, STRENGTH] *= fade[k] + (column - k) * (fade[k + 1] - fade[k])
        seen = 1.0 - echoes.lost
        if full_power > 0.0:
            power = (made[turn, n, STRENGTH] * full_power) ** 4
            seen *= power / (power + distance ** 8)
        if seen < 1.0 and uniform(key, KINDS * beam[n] + OF_LOSS) >= seen:
            made[turn, n, RANGE] = math.inf


@compiled(counted=False)
def finish(air: Air, echoes: Returns, key: np.uint64, beam: NDArray[np.int64], count: int,
           noise: Array, sight: Array, floating: Array, made: Array, rays: Array,
           when: Array) -> None:
    """
    Close the gaps that lost echoes left, let the air echo too, and give all their errors.

    See `weaken`; scratch are `noise`, shape (N,), and `floating`, shape (1, N, 3).

    :param rays: of the beams, see `ray_block`.
    :param when: times of the beams, see `see_falling`.
    """
    turns, falls, weakest = echoes.turns, air.falling.kinds.shape[0] > 0, math.exp(air.weakest)
    for n in range(count):
        left = 0
        for turn in range(turns):
            if made[turn, n, RANGE] < math.inf:
                if left < turn:
                    _move(made, n, turn, left)
                left += 1
    if air.fade.shape[0] > 0 and turns == 1:
        see_air(air, key ^ _OF_AIR, 0, beam, count, sight, made)
        if falls:
            see_falling(air.falling, weakest, echoes.half, rays, when, count, sight, made)
    elif air.fade.shape[0] > 0:
        for n in range(count):
            floating[0, n, RANGE] = math.inf
            floating[0, n, STRENGTH] = floating[0, n, LABEL] = 0.0
        see_air(air, key ^ _OF_AIR, 0, beam, count, sight, floating)
        if falls:
            see_falling(air.falling, weakest, echoes.half, rays, when, count, sight, floating)
        for n in range(count):
            if floating[0, n, RANGE] < math.inf:
                insert_echo(made, n, turns, floating[0, n, RANGE], floating[0, n, STRENGTH],
                            0.0, echoes.separation, FOCUS, True)
    for turn in range(turns):
        err(echoes, key, turn, beam, count, noise, made)


@compiled(counted=False)
def insert_echo(made: Array, n: int, turns: int, distance: float, strength: float, label: float,
                separation: float, focus: float, replaces: bool) -> None:
    """
    Insert an echo among the echoes of a beam, the strongest first; see `weaken`.

    :param separation: smallest distance of two separate echoes [m].
    :param focus: range below which power grows no more [m].
    :param replaces: whether the stronger of two merged echoes is kept; else the first.
    """
    power, last = strength / max(distance, focus) ** 2, turns
    for turn in range(turns):
        if abs(made[turn, n, RANGE] - distance) < separation:
            if not replaces or made[turn, n, STRENGTH] / max(
                    made[turn, n, RANGE], focus) ** 2 >= power:
                return
            last = min(last, turn)
    if last < turns:  # it and all others that are too near go
        left = last
        for turn in range(last, turns):
            if abs(made[turn, n, RANGE] - distance) >= separation:
                if left < turn:
                    _move(made, n, turn, left)
                left += 1
        for turn in range(left, turns):
            made[turn, n, RANGE] = math.inf
    place = turns
    while place > 0 and (made[place - 1, n, RANGE] == math.inf or made[
            place - 1, n, STRENGTH] / max(made[place - 1, n, RANGE], focus) ** 2 < power):
        place -= 1
    if place < turns:
        for turn in range(turns - 1, place, -1):
            if made[turn - 1, n, RANGE] < math.inf:
                _move(made, n, turn - 1, turn)
        made[place, n, RANGE], made[place, n, STRENGTH] = distance, strength
        made[place, n, LABEL] = label


@compiled(counted=False)
def _move(made: Array, n: int, turn: int, to: int) -> None:
    """Let an echo be that of another return, and leave none in its place."""
    for i in range(3):
        made[to, n, i] = made[turn, n, i]
    made[turn, n, RANGE] = math.inf


@compiled(counted=False)
def err(echoes: Returns, key: np.uint64, turn: int, beam: NDArray[np.int64], count: int,
        noise: Array, made: Array) -> None:
    """
    Give ranges and intensities of a return their errors, see `weaken`.

    The standard deviation of a range grows as the signal gets weaker, as 1 / sqrt(power) (Kilic et
    al., see `air`). The range is -inf where it is too near.
    """
    key = key + np.uint64(turn)
    range_noise, weak_noise, full_power = echoes.range_noise, echoes.weak_noise, echoes.power
    if range_noise > 0.0 or weak_noise > 0.0:
        normals(key, beam, KINDS, OF_RANGE, count, noise)
    for n in range(count):
        distance = made[turn, n, RANGE]
        if distance < math.inf:
            distance, strength = _shown(
                distance, made[turn, n, STRENGTH], noise[n], range_noise, weak_noise,
                full_power, echoes.with_intensity, echoes.fall, echoes.nearest)
            if distance > echoes.farthest:
                distance = math.inf
            made[turn, n, RANGE], made[turn, n, STRENGTH] = distance, strength
        if not -math.inf < distance < math.inf:
            made[turn, n, STRENGTH] = made[turn, n, LABEL] = 0.0


@compiled(counted=False)
def _shown(distance: float, strength: float, normal: float, range_noise: float,
           weak_noise: float, full_power: float, with_intensity: bool, fall: float,
           nearest: float) -> tuple[float, float]:
    """Return range and intensity of an echo with their errors; -inf where it is too near."""
    spread = range_noise
    if weak_noise > 0.0:
        spread = math.sqrt(range_noise * range_noise + weak_noise * weak_noise
                           * distance * distance / max(full_power * strength, 1e-9))
    if not with_intensity:
        strength = 1.0
    elif fall > 0.0:
        strength /= 1.0 + fall * distance * distance
    if spread > 0.0:
        distance += spread * normal
    return -math.inf if distance < nearest else distance, strength


@compiled(counted=False)
def see_air(air: Air, key: np.uint64, turn: int, beam: NDArray[np.int64], count: int,
            sight: Array, made: Array) -> None:
    """
    Put echoes of the air in the place of weaker ones, see `weaken`.

    :param key: of the random numbers of the air in the scan.
    """
    fade, between, none_above, weakest, levels, scale, farthest, _ = air
    last, highest = between.shape[1] - 2, between.shape[0]
    for n in range(count):
        column = scale * math.sqrt(sight[n])
        k = min(int(column), last)
        chance = uniform(key, 2 * beam[n])
        if chance <= none_above[k + 1, 0]:
            continue
        distance, power, low = made[turn, n, RANGE], 0.0, 0
        if distance < math.inf:
            power = made[turn, n, STRENGTH] / max(distance, FOCUS) ** 2
            low = int(min(max(levels * (math.log(power + 1e-300) - weakest), 0.0), highest))
            if chance <= none_above[k + 1, low]:
                continue
        part, low, high = column - k, max(low - 1, 0), highest
        while high - low > 1:
            middle = (low + high) // 2
            if none_above[k, middle] + part * (
                    none_above[k + 1, middle] - none_above[k, middle]) <= chance:
                low = middle
            else:
                high = middle
        below = none_above[k, low] + part * (none_above[k + 1, low] - none_above[k, low])
        if chance < below:
            continue
        above = none_above[k, high] + part * (none_above[k + 1, high] - none_above[k, high])
        share = (chance - below) / (above - below) if above > below else 0.0
        found = math.exp(weakest + (low + min(1.0, share)) / levels)
        if found <= power:
            continue
        row = between[low]
        wanted = uniform(key, 2 * beam[n] + 1) * (row[k] + part * (row[k + 1] - row[k]))
        begin, end = 0, k + 1
        while end - begin > 1:
            middle = (begin + end) // 2
            nearer = row[middle] <= wanted
            begin, end = middle if nearer else begin, end if nearer else middle
        within = row[end] - row[begin]
        at = begin + ((wanted - row[begin]) / within if within > 0.0 else 0.5)
        root = min(at, column) / (last + 1)
        met = farthest * root * root
        made[turn, n, RANGE], made[turn, n, LABEL] = met, 0.0
        made[turn, n, STRENGTH] = found * max(met, FOCUS) ** 2
