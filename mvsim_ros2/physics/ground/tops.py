# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What of the ground forces move: tops of pushed blocks and of vehicles."""

from collections.abc import Collection, Sequence
import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.physics.engine.bodies import Body
from mvsim_ros2.physics.ground.relief import Relief
from mvsim_ros2.physics.ground.surfaces import FLAT, MOVER, surfaces_of
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.physics.state.blocks import Blocks
from mvsim_ros2.physics.state.vehicles import Vehicles

STATE = 'riders', 'pressed', 'load', 'struck', 'velocity', 'change'  # of movers, between steps


def steps_of(vehicles: Vehicles) -> Array:
    """Return up to which height each vehicle reaches a top from where it stands, (V,) [m]."""
    records = vehicles.arrays.records
    if not len(records):
        return np.zeros(0)
    return np.asarray(np.maximum(records['com_height'], np.maximum.reduceat(
        vehicles.wheels['radius'], vehicles.wheel_start[:-1])))


def note_sizes(vehicles: Vehicles) -> None:
    """Write how far from its centre of mass each vehicle reaches at most, with its wheels."""
    records, wheels = vehicles.arrays.records, vehicles.wheels
    if len(records):
        records['size'] = np.maximum.reduce([
            *(np.abs(records[f'{name}_x']) + np.abs(records[f'{name}_y'])
              for name in ('hitch', 'end')),
            np.abs(records['box_x']) + records['box_half_x']
            + np.abs(records['box_y']) + records['box_half_y'],
            np.maximum.reduceat(
                np.abs(wheels['x']) + np.abs(wheels['y']) + 2.0 * wheels['radius'],
                vehicles.wheel_start[:-1])])
        records['size'] += np.abs(records['com_x']) + np.abs(records['com_y']) + np.maximum(
            records['box_high'], records['com_height'])


def with_tops(relief: Relief, blocks: Sequence[tuple[int, int, Body]], vehicles: Vehicles,
              ties: Records, level: float) -> Relief:
    """
    Return the ground with the tops of vehicles that others can reach, and with all movers.

    These tops are the rectangles around their chassis.

    :param blocks: row of the top of each pushed one, its number among those, its body.
    :param ties: joints between vehicles; what is joined does not carry each other.
    :param level: height of the highest ground that vehicles can reach [m].
    """
    records, steps = vehicles.arrays.records, steps_of(vehicles)
    records['deck'], records['group'] = 0.0, -np.arange(1.0, len(records) + 1.0)
    for tie in ties:
        records['group'][[tie['a'], tie['b']]] = tie['group']
    movers, rows = np.zeros(len(blocks), MOVER), []
    corners: list[tuple[float, float]] = []
    for mover, (row, number, body) in zip(movers, blocks, strict=True):
        mass, inertia, x, y = body.constants[:4]
        mover['vehicle'], mover['block'], mover['body'] = -1, number, body.address
        mover['surface'], mover['ease'] = row, 1.0 / mass
        mover['ease_turn'] = 1.0 / (inertia - mass * (x * x + y * y))
    if len(records) > 1:
        highest = int(np.argmax(steps))
        apart = records['group'] != records['group'][highest]
        other = np.where(apart, steps[highest], steps[apart].max(initial=-math.inf))
        low = vehicles.pose[:, 2] + records['box_high'] <= level + other
        records['deck'] = low & (records['mass'] > 0.0)
    for i in np.flatnonzero(records['deck']).tolist():
        record, top = records[i], np.zeros(1, MOVER)
        x, y, half_x, half_y = (float(record[f'box_{name}'])
                                for name in ('x', 'y', 'half_x', 'half_y'))
        ends = x - half_x, x + half_x, y - half_y, y + half_y
        rows.append({
            'kind': FLAT, 'present': 1, 'group': record['group'], 'count': 4,
            'bottom': record['box_low'] - record['box_high'],
            'first': len(relief.corners) + len(corners),
            **dict(zip(('x_min', 'x_max', 'y_min', 'y_max'), ends, strict=True))})
        corners += [(ends[k], ends[j]) for k, j in ((0, 2), (1, 2), (1, 3), (0, 3))]
        top['vehicle'], top['block'], top['body'] = i, -1, vehicles.addresses[i]
        top['surface'] = len(relief.surfaces) + len(rows) - 1
        top['ease'] = top['ease_up'] = 1.0 / record['mass']
        for axis in ('roll', 'pitch', 'turn'):
            top[f'ease_{axis}'] = 1.0 / record[f'{axis}_inertia']
        movers = np.concatenate([movers, top])
    if not len(movers):
        return relief
    surfaces = np.concatenate([relief.surfaces, surfaces_of(rows)]) if rows else relief.surfaces
    surfaces['mover'][movers['surface']] = np.arange(1, len(movers) + 1)
    return relief._replace(
        active=True, surfaces=surfaces, movers=movers,
        corners=np.concatenate([relief.corners, corners]) if corners else relief.corners)


def forget_loads(movers: Records) -> None:
    """Let movers be as before the first step."""
    for name in (*STATE, 'rests'):
        movers[name] = 0.0


def keep_loads(before: Records, movers: Records, by: Sequence[str]) -> None:
    """
    Let movers bear and expect in the next step what the same ones did before.

    :param by: names of what is equal where they are the same.
    """
    rows, olds = np.nonzero(np.all([movers[name][:, None] == before[name] for name in by], axis=0))
    for name in STATE:
        movers[name][rows] = before[name][olds]


def look_for_ground(terrain: Terrain, vehicles: Vehicles, blocks: Blocks, ties: Records,
                    tied: Collection[str], physical: bool) -> None:
    """
    Find the ground that vehicles can reach, after something came.

    :param ties: joints between vehicles; tied: names of everything with joints.
    :param physical: whether the mode is that.
    """
    steps = steps_of(vehicles) if physical else np.zeros(0)
    level = terrain.look_around(vehicles, blocks, tied, float(steps.max(initial=-1.0)))
    if physical:
        note_sizes(vehicles)
        relief = with_tops(terrain.relief, [
            (row, number, body) for number, (row, body) in enumerate(zip(
                terrain.rows_of_blocks(blocks.moving_rows.tolist()), blocks.moving, strict=True))
            if row >= 0], vehicles, ties, level)
        terrain.relief = relief._replace(near=np.zeros_like(relief.surfaces))
