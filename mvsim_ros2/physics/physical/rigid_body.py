# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A vehicle as a rigid body in space: state, mass matrix, and how the state moves on.

The state is place and velocity of the centre of mass, attitude as a unit quaternion, and angular
velocity in body axes. A suspended wheel adds its travel and its rate. The pose of the reference
point follows from it.

The unknowns of a step are the generalised velocities ``u = (v, w, q')`` at its end, in world axes;
q' are those of suspended wheels against the body. A suspended wheel is a point mass that moves
along the body at the height of the ground. So horizontal forces of its own mass act on its tyre,
not on its spring (W. F. Milliken, D. L. Milliken, *Race Car Vehicle Dynamics*, ch. 18: load
transfer of unsprung masses).
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.physical.wheels import axle_of
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, ANGLE, COM_X, COM_Y, COS, OMEGA, ROW, SIN, SOME_WHEELS, VX, VY, X, Y)
from mvsim_ros2.physics.state.spatial_motion import quaternion_of

BODY = 6  # unknowns of the body: velocity, angular velocity
ROUNDING = 1e-4  # rad; of the angle that the engine has
APART = 0.02  # rad; a body of the engine whose angle is farther from the yaw is turned there


@compiled(inlined=True)
def attitude(vehicle: np.void, rotation: Array) -> None:
    """Fill in the matrix from body axes to the world, shape (3, 3)."""
    w, x, y, z = vehicle['q_w'], vehicle['q_x'], vehicle['q_y'], vehicle['q_z']
    rotation[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    rotation[0, 1] = 2.0 * (x * y - w * z)
    rotation[0, 2] = 2.0 * (x * z + w * y)
    rotation[1, 0] = 2.0 * (x * y + w * z)
    rotation[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    rotation[1, 2] = 2.0 * (y * z - w * x)
    rotation[2, 0] = 2.0 * (x * z - w * y)
    rotation[2, 1] = 2.0 * (y * z + w * x)
    rotation[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@compiled(inlined=True)
def rotated(rotation: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a vector of the body in world axes."""
    return (rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z,
            rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z,
            rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z)


@compiled(inlined=True)
def in_body(rotation: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a vector of the world in body axes."""
    return (rotation[0, 0] * x + rotation[1, 0] * y + rotation[2, 0] * z,
            rotation[0, 1] * x + rotation[1, 1] * y + rotation[2, 1] * z,
            rotation[0, 2] * x + rotation[1, 2] * y + rotation[2, 2] * z)


@compiled(inlined=True)
def velocity_at(u: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the velocity of a point of a body, (x, y, z) from its centre of mass, world axes."""
    return u[0] + u[4] * z - u[5] * y, u[1] + u[5] * x - u[3] * z, u[2] + u[3] * y - u[4] * x


@compiled(inlined=True)
def turn(vehicle: np.void, x: float, y: float, z: float) -> None:
    """Turn a body by a rotation vector in world axes [rad]."""
    angle = math.sqrt(x * x + y * y + z * z)
    part = 0.5 if angle < 1e-8 else math.sin(0.5 * angle) / angle
    a, b, c, d = math.cos(0.5 * angle), part * x, part * y, part * z
    w, i, j, k = vehicle['q_w'], vehicle['q_x'], vehicle['q_y'], vehicle['q_z']
    w, i, j, k = (a * w - b * i - c * j - d * k, a * i + b * w + c * k - d * j,
                  a * j - b * k + c * w + d * i, a * k + b * j - c * i + d * w)
    length = math.sqrt(w * w + i * i + j * j + k * k)
    vehicle['q_w'], vehicle['q_x'] = w / length, i / length
    vehicle['q_y'], vehicle['q_z'] = j / length, k / length


@lazy_kernel(A_VEHICLE, SOME_WHEELS, ROW, ROW)
def enter_space(vehicle: np.void, wheels: Records, pose: Array, motion: Array) -> None:
    """
    Let a vehicle that moved along a plane be a body in space from now on.

    The body of the engine goes to where its centre of mass is then.

    :param pose: x y z yaw pitch roll.
    :param motion: of its body in the engine.
    """
    rotation = np.empty((3, 3))
    vehicle['q_w'], vehicle['q_x'], vehicle['q_y'], vehicle['q_z'] = quaternion_of(
        pose[3], pose[4], pose[5])
    attitude(vehicle, rotation)
    x, y, up = rotated(rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    if pose[4] != 0.0 or pose[5] != 0.0:
        vehicle['moved'] = 1.0
        x, y = pose[0] + x - motion[COM_X], pose[1] + y - motion[COM_Y]
        motion[COM_X], motion[X] = motion[COM_X] + x, motion[X] + x
        motion[COM_Y], motion[Y] = motion[COM_Y] + y, motion[Y] + y
    vehicle['spatial'], vehicle['centre_z'] = 1.0, pose[2] + up
    vehicle['v_x'], vehicle['v_y'], vehicle['v_z'] = motion[VX], motion[VY], 0.0
    if abs(rotation[2, 2]) > 0.1:
        vehicle['v_z'] = -(rotation[0, 2] * motion[VX] + rotation[1, 2] * motion[VY]) / (
            rotation[2, 2])
    vehicle['w_x'], vehicle['w_y'], vehicle['w_z'] = in_body(rotation, 0.0, 0.0, motion[OMEGA])
    for k in range(BODY):
        vehicle['tyre_forces'][k] = 0.0
    vehicle['lift'] = vehicle['meets'] = 0.0
    for k in range(len(wheels)):
        wheels[k]['slope_x'] = -rotation[0, 2] / max(rotation[2, 2], 0.1)
        wheels[k]['slope_y'] = -rotation[1, 2] / max(rotation[2, 2], 0.1)


@compiled
def attitude_before(vehicle: np.void, yaw: float, angle: float) -> None:
    """Note attitude, and where the centre of mass is from the reference point, before a step."""
    rotation = np.empty((3, 3))
    attitude(vehicle, rotation)
    vehicle['arm_x'], vehicle['arm_y'], _ = rotated(
        rotation, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    vehicle['way_x'], vehicle['way_y'], vehicle['way_w'] = 0.0, 0.0, 0.0
    vehicle['yaw_before'], vehicle['angle_before'], before = yaw, angle, vehicle['q_before'][:]
    before[0], before[1], before[2], before[3] = (
        vehicle['q_w'], vehicle['q_x'], vehicle['q_y'], vehicle['q_z'])


@compiled(inlined=True)
def gyrate(dt: float, vehicle: np.void, wheels: Records, rotation: Array,
           ) -> tuple[float, float, float]:
    """
    Return the angular velocity in world axes after the gyroscopic moments of a step.

    ``I w' + w' x (I w' + L) = I w`` by one step of Newton's method in body axes (E. Catto,
    *Numerical Methods*, GDC 2015); L is the angular momentum of the spinning wheels.
    """
    x, y, z = vehicle['w_x'], vehicle['w_y'], vehicle['w_z']
    a, b, c = vehicle['roll_inertia'], vehicle['pitch_inertia'], vehicle['turn_inertia']
    spin_x, spin_y = 0.0, 0.0
    for k in range(len(wheels)):
        wheel = wheels[k]
        sine, cosine = axle_of(wheel)
        spin_x -= sine * wheel['inertia'] * wheel['omega']
        spin_y += cosine * wheel['inertia'] * wheel['omega']
    lx, ly, lz = a * x + spin_x, b * y + spin_y, c * z
    fx, fy, fz = dt * (y * lz - z * ly), dt * (z * lx - x * lz), dt * (x * ly - y * lx)
    # derivative of w x (I w + L): [w] I - [I w + L]
    j00, j01, j02 = a, dt * (lz - z * b), dt * (y * c - ly)
    j10, j11, j12 = dt * (z * a - lz), b, dt * (lx - x * c)
    j20, j21, j22 = dt * (ly - y * a), dt * (x * b - lx), c
    m0, m1, m2 = j11 * j22 - j12 * j21, j12 * j20 - j10 * j22, j10 * j21 - j11 * j20
    whole = j00 * m0 + j01 * m1 + j02 * m2
    x -= (fx * m0 + fy * (j02 * j21 - j01 * j22) + fz * (j01 * j12 - j02 * j11)) / whole
    y -= (fx * m1 + fy * (j00 * j22 - j02 * j20) + fz * (j02 * j10 - j00 * j12)) / whole
    z -= (fx * m2 + fy * (j01 * j20 - j00 * j21) + fz * (j00 * j11 - j01 * j10)) / whole
    return rotated(rotation, x, y, z)


@compiled(inlined=True)
def mass_matrix(vehicle: np.void, wheels: Records, rotation: Array, matrix: Array) -> None:
    """Fill in the mass matrix, shape (6 + n, 6 + n) with n the suspended wheels, or 0."""
    matrix[:, :] = 0.0
    mass = vehicle['mass']
    a, b, c = vehicle['roll_inertia'], vehicle['pitch_inertia'], vehicle['turn_inertia']
    for i in range(3):
        matrix[i, i] = mass
        for j in range(3):
            matrix[3 + i, 3 + j] = (a * rotation[i, 0] * rotation[j, 0]
                                    + b * rotation[i, 1] * rotation[j, 1]
                                    + c * rotation[i, 2] * rotation[j, 2])
    if vehicle['suspended'] == 0.0:
        return
    up_x, up_y, up_z = rotation[0, 2], rotation[1, 2], rotation[2, 2]
    for k in range(len(wheels)):
        wheel = wheels[k]
        for part in range(2):  # without it at its hub, with it at the height of the ground
            mass = -wheel['mass'] if part == 0 else wheel['mass']
            x, y, z = rotated(
                rotation, wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y'],
                (wheel['radius'] if part == 0 else 0.0) - vehicle['com_height'])
            square = x * x + y * y + z * z
            matrix[0, 4] += mass * z
            matrix[0, 5] -= mass * y
            matrix[1, 3] -= mass * z
            matrix[1, 5] += mass * x
            matrix[2, 3] += mass * y
            matrix[2, 4] -= mass * x
            matrix[3, 3] += mass * (square - x * x)
            matrix[4, 4] += mass * (square - y * y)
            matrix[5, 5] += mass * (square - z * z)
            matrix[3, 4] -= mass * x * y
            matrix[3, 5] -= mass * x * z
            matrix[4, 5] -= mass * y * z
        column, mass = BODY + k, wheel['mass']
        matrix[0, column], matrix[1, column] = mass * up_x, mass * up_y
        matrix[2, column], matrix[column, column] = mass * up_z, mass
        matrix[3, column] = mass * (y * up_z - z * up_y)
        matrix[4, column] = mass * (z * up_x - x * up_z)
        matrix[5, column] = mass * (x * up_y - y * up_x)
    for i in range(len(matrix)):
        for j in range(i):
            if i > 2 and not (i < BODY and j > 2):
                matrix[i, j] = matrix[j, i]
    matrix[4, 3], matrix[5, 3], matrix[5, 4] = matrix[3, 4], matrix[3, 5], matrix[4, 5]


@compiled(inlined=True)
def factorise(matrix: Array) -> None:
    """
    Write R, with ``R^T R`` a positive definite matrix, into its lower triangle.

    With the inverse of each element of the diagonal. The last unknowns are eliminated first: those
    of suspended wheels, few of which are coupled to each other. So the block of the body is that
    of a body whose wheels move freely.
    """
    for k in range(len(matrix) - 1, -1, -1):
        inverse = 1.0 / math.sqrt(matrix[k, k])
        matrix[k, k] = inverse
        for i in range(k):
            part = inverse * matrix[k, i]
            matrix[k, i] = part
            if part != 0.0:
                for j in range(i + 1):
                    matrix[i, j] -= part * matrix[k, j]


@compiled(inlined=True)
def substitute(factor: Array, right: Array) -> None:
    """Solve ``R^T R x = right`` in place, with a factor of `factorise`."""
    size = len(factor)
    for i in range(size - 1, -1, -1):
        right[i] *= factor[i, i]
        for k in range(i):
            right[k] -= factor[i, k] * right[i]
    for i in range(size):
        for k in range(i):
            right[i] -= factor[i, k] * right[k]
        right[i] *= factor[i, i]


@compiled
def share_of(stiff: float) -> float:
    """
    Return which share of the motion of a step a spring knows whose force is ``k (x + s h v')``.

    It is 0 for a slow spring, which keeps the energy of an oscillation (symplectic Euler). For a
    spring too stiff for the step it is 1 (implicit Euler).

    :param stiff: square of the step times its frequency.
    """
    fourth = stiff * stiff * stiff * stiff
    return fourth / (1.0 + fourth)


@compiled(inlined=True)
def advance_body(dt: float, vehicle: np.void, wheels: Records, rotation: Array, u: Array, x: float,
                 y: float, z: float) -> None:
    """
    Move attitude and travels of a body on by the velocities at the end of a step.

    :param x: velocity by which its place moves [m/s]; so y and z.
    """
    vehicle['v_x'], vehicle['v_y'], vehicle['v_z'] = u[0], u[1], u[2]
    vehicle['w_x'], vehicle['w_y'], vehicle['w_z'] = in_body(rotation, u[3], u[4], u[5])
    vehicle['centre_z'] += dt * z
    vehicle['way_x'] += dt * x
    vehicle['way_y'] += dt * y
    vehicle['way_w'] += dt * u[5]
    turn(vehicle, dt * u[3], dt * u[4], dt * u[5])
    if vehicle['suspended'] != 0.0:
        for k in range(len(wheels)):
            wheels[k]['travel_rate'] = u[BODY + k]
            wheels[k]['travel'] += dt * u[BODY + k]


@lazy_kernel(0.0, A_VEHICLE, ROW, ROW, ROW, ROW, ROW)
def place_in_space(
        dt: float, vehicle: np.void, motion: Array, pose: Array, twist: Array, velocity: Array,
        acceleration: Array) -> bool:
    """
    Take over what the engine made of a step, and write the pose and how it changed.

    What contacts and joints changed of the velocity in plan is an impulse on the body.

    :param motion: of its body after the step; its angle is set where it differs.
    :param pose: x y z yaw pitch roll of the reference point, written. So are twist (vx vy wz along
        the yaw), velocity (vx vy in the world, wz) and acceleration (change of the twist).
    :returns: whether the body of the engine must be put at `motion`.
    """
    now = np.empty((3, 3))
    push_x, push_y = motion[VX] - vehicle['sent_x'], motion[VY] - vehicle['sent_y']
    push_w = motion[OMEGA] - vehicle['sent_w']
    vehicle['v_x'] += push_x
    vehicle['v_y'] += push_y
    shifted = dt * push_w
    turned = motion[ANGLE] - vehicle['angle_before'] - vehicle['way_w']
    if abs(turned - shifted) > ROUNDING:  # an impact within the step
        shifted = turned
    turn(vehicle, 0.0, 0.0, shifted)
    attitude(vehicle, now)
    vehicle['w_x'] += now[2, 0] * push_w
    vehicle['w_y'] += now[2, 1] * push_w
    vehicle['w_z'] += now[2, 2] * push_w
    pitch = math.asin(min(max(-now[2, 0], -1.0), 1.0))
    yaw = math.atan2(now[1, 0], now[0, 0])
    arm_x, arm_y, arm_z = rotated(now, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    vehicle['way_x'] += dt * push_x
    vehicle['way_y'] += dt * push_y
    x_rate = (vehicle['way_x'] - (arm_x - vehicle['arm_x'])) / dt
    y_rate = (vehicle['way_y'] - (arm_y - vehicle['arm_y'])) / dt
    # the yaw as a continuous angle
    yaw += 2.0 * math.pi * math.floor((vehicle['yaw_before'] - yaw) / (2.0 * math.pi) + 0.5)
    change = yaw - vehicle['yaw_before']
    turning = change / dt if abs(change) < 1.0 else motion[OMEGA]
    pose[0], pose[1] = motion[COM_X] - arm_x, motion[COM_Y] - arm_y
    pose[2], pose[3], pose[4] = vehicle['centre_z'] - arm_z, yaw, pitch
    pose[5] = math.atan2(now[2, 1], now[2, 2])
    cosine, sine = math.cos(yaw), math.sin(yaw)
    stands = vehicle['level'] != 0.0
    if stands:  # on level ground again; the engine has it where it is then
        vehicle['spatial'], vehicle['level'] = 0.0, 0.0
        pose[2], pose[4], pose[5] = vehicle['floor'], 0.0, 0.0
        motion[COM_X] = pose[0] + cosine * vehicle['com_x'] - sine * vehicle['com_y']
        motion[COM_Y] = pose[1] + sine * vehicle['com_x'] + cosine * vehicle['com_y']
    twist[0], twist[1] = cosine * x_rate + sine * y_rate, cosine * y_rate - sine * x_rate
    twist[2] = turning
    change_x, change_y = (x_rate - velocity[0]) / dt, (y_rate - velocity[1]) / dt
    acceleration[0] = cosine * change_x + sine * change_y
    acceleration[1] = cosine * change_y - sine * change_x
    acceleration[2] = (turning - velocity[2]) / dt
    velocity[0], velocity[1], velocity[2] = x_rate, y_rate, turning
    far = abs(yaw - motion[ANGLE]) >= APART
    if not far and not stands:
        return False
    if far:
        vehicle['turned'] = 1.0
    motion[ANGLE], motion[COS], motion[SIN] = yaw, cosine, sine
    motion[X] = motion[COM_X] - (cosine * vehicle['com_x'] - sine * vehicle['com_y'])
    motion[Y] = motion[COM_Y] - (sine * vehicle['com_x'] + cosine * vehicle['com_y'])
    return True
