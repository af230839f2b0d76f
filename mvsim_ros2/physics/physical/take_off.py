# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""When a vehicle on hard tyres leaves the ground."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.physical.free_body import tilted, turned
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, ROW, SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import COS, OMEGA, SIN

Array = NDArray[np.float64]
Records = NDArray[np.void]

OFF = 0.02  # of the radius; a wheel farther above the ground than that has left it


@lazy_kernel(0.0, 0.0, A_VEHICLE, SOME_WHEELS, ROW, 0.0, 0.0)
def leave(dt: float, gravity: float, vehicle: np.void, wheels: Records, pose: Array, vx: float,
          vy: float) -> tuple[float, float]:
    """
    Let wheels fly where the ground falls away faster than they do.

    Each wheel has a path of its own: the ground, or where that is below, the free fall from where
    it left it. Where one is too far above the ground the vehicle becomes a free body, which goes
    on from where it was before with the rates at which its wheels moved, and without what the
    slope below it pushed it in that step: in free fall nothing does. A lift takes wheels along,
    however suddenly it starts and stops.

    :param pose: x y z yaw pitch roll as it stands on the ground; changed where it leaves that.
    :param vx: horizontal velocity of its centre of mass [m/s], world frame; so vy.
    :returns: the same, as it goes on.
    """
    known, off = vehicle['stands'] != 0.0, False
    sink, ahead, aside = 0.0, 0.0, 0.0
    square = vx * vx + vy * vy
    for k in range(len(wheels)):
        wheel = wheels[k]
        rate = wheel['under_rate']
        sink += wheel['load_share'] * (rate + wheel['ground_rate'])
        ahead += wheel['load_along'] * rate
        aside += wheel['load_across'] * rate
        path = wheel['under'] + dt * (rate + wheel['ground_rate'] - 0.5 * gravity * dt)
        if known and wheel['ground'] < path:
            off = off or path - wheel['ground'] > OFF * wheel['radius']
            rate -= gravity * dt
            wheel['under'], wheel['under_rate'], wheel['edge'] = path, rate, 0.0
            x, y = 0.0, 0.0
            if square > 0.0:
                x, y = rate * vx / square, rate * vy / square
            vehicle['grade_x'] += wheel['load_share'] * (x - wheel['grade_x'])
            vehicle['grade_y'] += wheel['load_share'] * (y - wheel['grade_y'])
            wheel['grade_x'], wheel['grade_y'] = x, y
        else:
            wheel['under'] = wheel['ground']
    if off:
        vehicle['loose'], vehicle['calm'] = 1.0, 0.0
        vehicle['sink'] = sink - gravity * dt
        vehicle['pitch_rate'], vehicle['roll_rate'] = -ahead, aside
        com_x, com_y, com_z = vehicle['com_x'], vehicle['com_y'], vehicle['com_height']
        _, _, before = tilted(vehicle['stand_pitch'], vehicle['stand_roll'], com_x, com_y, com_z)
        pose[4], pose[5] = turned(
            vehicle['stand_pitch'], vehicle['stand_roll'], aside, -ahead, dt)
        _, _, after = tilted(pose[4], pose[5], com_x, com_y, com_z)
        pose[2] = vehicle['stand_z'] + before - after + dt * (sink - 0.5 * gravity * dt)
        vx, vy = vx - vehicle['pushed_x'], vy - vehicle['pushed_y']
        for k in range(len(wheels)):
            wheels[k]['grade_was_x'] = wheels[k]['grade_was_y'] = 0.0
    else:
        vehicle['stand_z'], vehicle['stand_pitch'], vehicle['stand_roll'] = (
            pose[2], pose[4], pose[5])
    return vx, vy


@compiled(inlined=True)
def stay(vehicle: np.void, wheels: Records, motion: Array, vx: float, vy: float) -> None:
    """
    Note how fast the paths of the wheels rise.

    On an edge, and in the air, that is what the impact of any wheel reckoned with, the motion of
    the centre of mass: neither a turn of the vehicle nor an impact must throw it up.

    :param motion: of the body of the vehicle.
    :param vx: horizontal velocity of its centre of mass [m/s], world frame; so vy.
    """
    cosine, sine, w = motion[COS], motion[SIN], motion[OMEGA]
    for k in range(len(wheels)):
        wheel = wheels[k]
        x, y = 0.0, 0.0
        if wheel['edge'] == 0.0 and wheel['under'] == wheel['ground']:
            x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        wheel['under_rate'] = (wheel['grade_x'] * (vx - w * (sine * x + cosine * y))
                               + wheel['grade_y'] * (vy + w * (cosine * x - sine * y)))
