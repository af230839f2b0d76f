# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Arrays that hold the state and the parameters of all vehicles.

There is one record per vehicle and one per wheel, those of a vehicle in a row. They are plain
numbers, so compiled kernels and Python read the same memory.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.world.spec.elements.property_region import SURFACES
from mvsim_ros2.world.spec.vehicle.parts import CURVE_POINTS, GEARS

FROM_WHEELS, FROM_MOTION = 0, 1  # values of `odometry`
NONE, LEFT, RIGHT, OWN = -1, 0, 1, 2  # values of `side`; OWN: the torque `command`
OPEN, LIMITED, LOCKED = 0.0, 1.0, 2.0  # how a differential holds its sides together
NO_DRIVETRAIN, FRONT_WHEELS, REAR_WHEELS, ALL_WHEELS = 0, 1, 2, 3  # values of `drivetrain`
TYRE_VALUES = 12  # numbers of a tyre law
OWN_VALUES = 16  # numbers of a controller besides those of the PIDs
PIDS = 4  # PIDs of a vehicle, at most
FOLLOWS, HITCHED, CARRIED, LEANS = 0, 1, 2, 3  # values of `ground`: see `attitude`

# columns of `contacts`: number of the law; friction as its kernels take it, that over mu or -1
# where mu does not act, its factor on the surface; place of the cone index in the numbers, or -1;
# 0 for a brush, 1 for a curve; its numbers
NUMBER, FRICTION, PER_MU, SCALE, CONE, CURVE, FIRST = range(7)
CONTACT = FIRST + TYRE_VALUES

# SI units, body frame x forward, y left; torques drive forward where positive
WHEEL = np.dtype([(name, np.float64) for name in (
    # parameters of each step, next to each other in memory
    'x', 'y',  # place of the centre in the body frame
    'toe',  # turn of the wheel at zero steering
    'free', 'roller',  # 1: pushes along one direction only; angle of that to the rolling one
    'swivels',  # mode physical: 1 for a caster
    'side', 'drive',  # which torque drives it, and its share of that
    'inertia',
    'radius',  # lever of the force on the spin: with rollers times the cosine of their angle
    'tyres',  # mode physical: how many one wheel stands for
    'damping', 'rolling',  # of the tyre
    'resists',  # mode physical: 1 where its law has a rolling resistance of its own
    # mode physical: load a unit of weight, and of moment along and across
    'load_share', 'load_along', 'load_across',
    'relaxation', 'side_relaxation',  # mode physical: relaxation lengths along and across [m]
    'standing_root',  # mode physical: see `transient_slip.standing_damping`
    # state, in the same block
    'brake',  # largest torque of the brakes, as they are pressed and set
    'steer',  # steering angle
    'torque',  # of the motor
    'omega',  # spin [rad/s]
    'angle',  # turned angle [rad]
    'slip_x', 'slip_y',  # mode physical: transient slip, wheel frame
    # mode physical: by how much these three changed in the last step
    'omega_change', 'slip_x_change', 'slip_y_change',
    # mode physical: its direction in the body frame, and sine and cosine of that, once it is not 0
    'directed', 'sine', 'cosine',
    'normal_load',  # force on the ground, the weight of the wheel included
    'force_long', 'force_lat',  # ground on wheel, wheel frame
    'force_x', 'force_y',  # the same, body frame
    'taken',  # torque that the ground, the bearing and the brake took in the last step
    'velocity_x', 'velocity_y',  # of the wheel centre, body frame
    # other parameters
    'mass',
    'tell_x', 'tell_y', 'tell_turn',  # on rollers: motion of the body for the speed of its rim
    'width',  # mode physical, of a tyre
    'carried',  # mass on the ground below this wheel: its own and its share of the chassis
    'mu',  # of the tyre
    'steers',  # 1 where it takes the course of its place: see `steering.course`
    'tyre_stiffness', 'tyre_damping',  # mode physical, of a tyre that is a spring
    # of its suspension: see `suspension`; load that it carries at rest; the other wheel of its
    # anti-roll bar, by its number in the vehicle, -1 for none
    'suspension_stiffness', 'suspension_damping', 'suspension_travel', 'anti_roll_stiffness',
    'preload', 'partner',
    # other state
    'ground',  # height of what it stands on, in the world
    'bottom',  # height of its lowest point
    'passes',  # height up to which it collides with nothing that it can stand on
    'hangs',  # 1 in space, where it is over an edge that it could not climb
    'beside',  # height of an edge that may push its side, in space: see `block_edges`
    'command',  # torque, or speed of the rim, of a wheel that has its own
    # mode physical, of a body in space: how far it is up from where it rests, how fast;
    # 1 where it touches the ground, is on an edge; slope of its contact, world frame
    'travel', 'travel_rate', 'touches', 'on_edge', 'slope_x', 'slope_y',
    'rest_share',  # share of the weight that it carries at rest
)] + [('contacts', np.float64, (1 + len(SURFACES), CONTACT))])  # as built, and on surfaces

VEHICLE = np.dtype([
    ('odometry', np.int64), ('ground', np.int64),
    # mode physical: torques of the controller for their residual, once `derived`, and by how much
    # torques changed in the last step: see `controller_solve`
    ('torque_inverse', np.float64, (PIDS, PIDS)), ('torque_change', np.float64, (PIDS,)),
    # of a body in space: force and torque of its tyres in the last step, world frame
    ('tyre_forces', np.float64, (6,)), ('q_before', np.float64, (4,))] + [
    (name, np.float64) for name in (
        # numbers of the kernels of its controller, and of its wheels for their motion: see `kinds`
        'controller', 'motion',
        'is_ideal',  # 1 where the body gets the velocity of the command
        'has_pid',  # 1 where PIDs follow the command
        'by_speed',  # 1 where these act at any commanded velocity: see `Controller`
        'own_torques',  # 1 where the controller writes one torque for each wheel
        # 1 where it has the part: wheels that are steered, or tied by their sides; several gears,
        # a drivetrain, motors with a limit; mode physical: springs, a suspension, air, an
        # implement, hitches, any joint, differentials that hold their sides together
        'steered', 'tied', 'gears', 'drivetrain', 'motor_torque',
        'sprung', 'suspended', 'airy', 'ploughs', 'tows', 'joined', 'couples',
        # parameters and state of each step, next to each other in memory; of mode physical:
        # mass and inertia with the wheels, centre of mass in the body frame, with its height
        'mass', 'turn_inertia', 'com_x', 'com_y', 'com_height',
        'load_keep',  # mode physical: share of the lagged forces that a step leaves
        # mode physical: what hitches load it with, over mass, with the moments along and across
        'tow_down', 'tow_along', 'tow_across',
        'track',  # distance of wheels 0 and 1
        # how it moved in the last step in height, and turned in body axes; by how much that
        # changed, a second; its height, pitch and roll before; 1 where these change; steps since
        # it was put there: see `spatial_motion`
        'climb', 'rate_x', 'rate_y', 'rate_z', 'climb_change', 'rate_x_change', 'rate_y_change',
        'rate_z_change', 'z_before', 'pitch_before', 'roll_before', 'tilts', 'steps',
        'turn_gain',  # factor of the difference of both sides for a yaw rate
        'command_v', 'command_w',  # commanded twist
        'filter_keep', 'filter_order',  # reference filter: share kept a step, 0 is no filter
        'zero_command', 'stopped',  # speeds: a smaller command means stop; no torque below
        'kp', 'ki', 'kd', 'derivative_filter', 'max_torque', 'antiwindup',
        'most_integral',  # mode physical: largest torque of the integral, 0 for no limit
        'slope_torque',  # feed-forward torque for sin(pitch) = 1
        'derived',  # 1 once `torque_inverse` is known
        'pull_along', 'pull_across',  # mode physical: force of the ground over mass, lagged
        'spatial',  # mode physical: 1 while it is a body in space, see `rigid_body`
        # mode physical, see `outside_forces`: 1 where others pushed it in the last steps; its
        # velocity after the last one, world frame
        'shoved', 'was_vx', 'was_vy', 'was_turning',
        'pivot_x',  # place of the point that never moves sideways as the wheels roll
        # odometry: see `displacement`; factors and random walks
        'turn_part', 'x_factor', 'y_factor', 'yaw_factor', 'walk_distance', 'walk_turn',
        'walk_drift',
        # what others changed its velocity by in the last step; their forces along and across and
        # their torque: what stays of them, and what they were in the last step
        'jolt_x', 'jolt_y', 'jolt_turn',
        'shove_x', 'shove_y', 'shove_turn', 'shoved_x', 'shoved_y', 'shoved_turn',
        'hitch_x', 'hitch_y',  # place of its joint in the body frame, or one end of its chassis
        'end_x', 'end_y',  # of a vehicle that LEANS: the other end
        'down_x', 'down_y',  # horizontal part of the unit vector down, body frame
        'rolls',  # 1 in mode physical, where wheels roll over edges: see `wheel_path`
        # a body in space, see `rigid_body`: attitude as a unit quaternion, velocity of the centre
        # of mass, world frame, and angular velocity, body axes, at the end of the step; height of
        # the centre of mass
        'q_w', 'q_x', 'q_y', 'q_z', 'v_x', 'v_y', 'v_z', 'w_x', 'w_y', 'w_z', 'centre_z',
        # way and turn in plan in the step, and the velocities that the engine got; place of the
        # centre of mass from the reference point before it
        'way_x', 'way_y', 'way_w', 'sent_x', 'sent_y', 'sent_w', 'arm_x', 'arm_y',
        # yaw before the step, and that of the engine; how fast the ground below it climbed
        'yaw_before', 'angle_before', 'lift',
        # 1 where a rim meets an edge; it stands on level ground again, at this height; it has
        # tipped over; its body of the engine was moved
        'meets', 'level', 'floor', 'tipped', 'moved',
        'lies',  # on which points of its chassis, as bits of a whole number
        # share of the weight that a hitch, or ends of its chassis carry at rest
        'hitch_share', 'end_share',
        'turned',  # 1 where its body in the engine was turned to its yaw in the last step
        # inertia about its axes; box of its chassis, in the body frame
        'roll_inertia', 'pitch_inertia',
        'box_x', 'box_y', 'box_half_x', 'box_half_y', 'box_low', 'box_high',
        'walled',  # 1 where steep ground stopped it in this step: see `terrain_walls`
        'by_course',  # 1 where steered wheels take the course of their places
        'first_steered',  # else number of the steered wheel on the left; the next is on the right
        # distance of the steered wheels times the share of the Ackermann geometry, 0 in line
        'front_track',
        'wheelbase', 'max_steer', 'max_rear_steer', 'rear_ratio',
        'rear_x',  # place of a rear axle that may be steered
        # actuator of the steering, where it takes time: angle per step (0: no limit), share of
        # the deviation that stays in a step; present angles in front and behind
        'steer_takes_time', 'steer_change', 'steer_keep', 'steer_front', 'steer_rear',
        # mode physical: speeds of the front wheels for that of the vehicle, and the angles for
        # which they are known: see `front_steer.front_commands`
        'gain_left', 'gain_right', 'gain_front', 'gain_angle_left', 'gain_angle_right',
        'motor_speed', 'motor_power',  # limits of the motors besides their torque, 0 for none
        # of an engine: points of its curve, torque against motion
        'curve_points', 'engine_braking',
        # mode physical, of the air: half its density times areas; place of the force, from the
        # centre of mass; wind, world frame
        'air_along', 'air_across', 'air_lift', 'air_x', 'air_z', 'wind_x', 'wind_y',
        # mode physical, of an implement, see `solve`: its coefficients, where it works, from the
        # centre of mass, part of the load transfer as in `HITCH`; its last force
        'soil_constant', 'soil_linear', 'soil_square', 'soil_arm', 'soil_lever',
        'soil_x', 'soil_y',
        # of hitches, see `outside_forces`: their forces in the last step and torque about the
        # centre of mass; the same times the lever
        'tow_x', 'tow_y', 'tow_turn', 'tow_pull_x', 'tow_pull_y',
        'steps_a_second',
        'pressed', 'parked',  # how far the service brake is, and whether the other one is set
        # how one torque is shared among the wheels: see `drivetrain`
        'centre_torsen', 'front_torsen', 'rear_torsen', 'torsen_tbr',
        'front_rear_split', 'front_rear_bias',
        'front_split', 'front_bias', 'rear_split', 'rear_bias',
        # mode physical: how differentials hold their sides together, see `locked_axles`
        'centre_holds', 'front_holds', 'rear_holds', 'locking', 'preload',
        # command: the rest of the twist, or torques of the two sides; angles in front and behind;
        # and angles of the steered wheels: left and right, or front and rear; and the velocity to
        # the left that an ideal controller gives the reference point
        'command_vy', 'ideal_vy', 'torque_left', 'torque_right',
        'command_front', 'command_rear', 'steer_left', 'steer_right',
        # mode physical: 1 where others can stand on it, and where they do; number of the group of
        # vehicles that it is joined to; how far from its centre of mass it reaches at most [m]
        'deck', 'carries', 'group', 'size')
] + [
    ('load', np.float64, (6,)),  # force and torque of what stands on it, world frame
    # of an engine: from wheels to engine and back, by gear; speeds and torques of its curve
    ('ratios', np.float64, (GEARS,)), ('gains', np.float64, (GEARS,)),
    ('curve_speeds', np.float64, (CURVE_POINTS,)), ('curve_torques', np.float64, (CURVE_POINTS,)),
    ('own', np.float64, (OWN_VALUES,))])  # parameters of a controller: its `columns`

# a joint with a height between two vehicles: see `hitch_records`
HITCH = np.dtype([(name, np.int64) for name in (
    'a', 'b',  # numbers of the vehicles
    'rests',  # 1: the second one rests on the first, -1: the first one on the second; 0: neither
)] + [(name, np.float64) for name in (
    'a_x', 'a_y', 'b_x', 'b_y',  # anchors from the centres of mass, body frames
    # part of the load transfer that a force at the hitch has more than one at the height of the
    # centre of mass: 1 - height / height of that
    'a_lever', 'b_lever',
    'axle',  # place of the axle of the vehicle that rests, from its centre of mass
    'a_damping', 'b_damping', 'a_turn_damping', 'b_turn_damping',  # of the bodies [1/s]
)])

PIN, ROPE, BAR = 0, 1, 2  # values of `kind` of a joint
TIE = np.dtype([(name, np.int64) for name in (
    'a', 'b',  # numbers of the vehicles
    'group',  # of vehicles that are joined, from 1 on
    'kind',
)] + [(name, np.float64) for name in (
    'a_x', 'a_y', 'b_x', 'b_y',  # anchors from the centres of mass, body frames
    'a_ease', 'b_ease', 'a_turn', 'b_turn',  # 1 / mass, 1 / inertia about the centre of mass
    'length',  # of a rope or bar
    'limited', 'lower', 'upper',  # angle from the first to the second body
    'reference',  # that angle at load, from which limits count
)])

# columns of the motion of a body, as Box2D holds it (world frame)
X, Y, SIN, COS, COM_X, COM_Y, ANGLE, VX, VY, OMEGA = range(10)
MOTION = 10

# the state of a PID; `measured` is the speed that it saw [m/s], `torque` what it requested in mode
# physical [N m]
PID = np.dtype([(name, np.float64) for name in (
    'integral', 'derivative', 'last_error', 'running', 'filter_1', 'filter_2', 'measured',
    'torque')])

# the state of an odometer: pose, twist, and the upper triangle of the covariance
ODOMETER = np.dtype([(name, np.float64) for name in (
    'x', 'y', 'yaw', 'vx', 'vy', 'wz', 'xx', 'xy', 'xw', 'yy', 'yw', 'ww')])

# columns of the place of a body far from the origin, see `far_places`: 1 where it is kept; the
# centre of mass as the engine has it; and as it is; of what is joined the angle [rad] and the
# group, 0 for none
KEPT, HELD_X, HELD_Y, TRUE_X, TRUE_Y, HELD_ANGLE, GROUP = range(7)
PLACE = 7

# steps for which the noise of an odometer is drawn at once: rounds of 1, 2, 4, 5, 8, 10, 20, 25,
# 40, 50 or 100 steps end where it does, so that worlds go on together
NOISE_STEPS = 200

# what a step of mode `physical` works with besides the state, of wheels and of a vehicle
WHEEL_WORK = np.dtype([(name, np.float64) for name in (
    # of a wheel, what stays in a step: direction in the body frame, arms from the centre of mass
    'cosine', 'sine', 'arm_along', 'arm_across',
    'law', 'curve', 'friction', 'rolling',  # of its tyre on the ground: see `contacts`
    'limit', 'limit_across',  # largest forces [N]
    'soil',  # drag of the hub [N]
    'curve_share',  # of the curve of the tyre in its stiffness; the rest is the standing brush
    'damping',  # of the standing tyre [N s/m]
    # the slip after a step is `keep` times that before and `gain` times the sliding velocity
    'slip_keep', 'slip_gain', 'side_slip_keep', 'side_slip_gain',
    'spin_before', 'speed',  # rad/s; of its centre or its rim, whichever is larger [m/s]
    # of a pass: largest force in the direction of the slip, forces over the slips [N]
    'reach', 'stiff', 'side_stiff',
    # of a pass: force = push - grip velocity, along and across; drag of soil over velocity
    'push', 'grip', 'side_push', 'side_grip', 'soil_drag',
    # spin at its end = free_spin - spin_per_force force + spin_per_speed velocity
    'free_spin', 'spin_per_force', 'spin_per_speed',
    'spin_per_torque', 'push_per_torque',  # what more torque adds to `free_spin` and `push`
    'torque_before', 'torque_added',  # N m
    'braking',  # see `braked`
    # of a body in space: place in the plane of the contacts, motion other than of that plane
    'place_x', 'place_y', 'drift_x', 'drift_y', 'drift_along', 'drift_across',
    # as found in the last pass
    'spin', 'slip_x', 'slip_y', 'sliding_x', 'sliding_y', 'force_long', 'force_lat',
)] + [('values', np.float64, (TYRE_VALUES,)),  # of the law of its tyre
      ('spin_response', np.float64, (PIDS,))])  # change of spin for each torque of the controller

DIFFERENTIALS = 3  # that a drivetrain can have: rear, front, centre
VEHICLE_WORK = np.dtype([(name, np.float64) for name in (
    'xx', 'xy', 'xw', 'yx', 'yy', 'yw', 'wx', 'wy', 'ww',  # of a vehicle, its `mobility`
    'momentum_x', 'momentum_y', 'momentum_w', 'velocity_x', 'velocity_y', 'yaw_rate',
    'last_residual',  # largest of the round before [N m]
    'stopped',  # speed below which the PIDs hold, kept while they are solved [m/s]
)] + [(name, np.float64, (PIDS,)) for name in (
    'torques', 'requested', 'residual', 'trial_torques', 'lower', 'upper')] + [
    ('system', np.float64, (PIDS, PIDS)),
    ('plane_mass', np.float64, (3, 3)),  # see `mobility`
    # scratch of its step: see `step_in_space` and `tyre_plane`
    ('rotation', np.float64, (3, 3)), ('plane', np.float64, (3, 3)),
    ('middle', np.float64, (3, 3)), ('moves', np.float64, (6, 4)), ('eased', np.float64, (6, 4)),
    ('centre', np.float64, (3,)),
    ('passed_torques', np.float64, (DIFFERENTIALS,)),  # by differentials, from side to side
    ('pid_before', PID, (PIDS,)), ('pid_trial', PID, (PIDS,))])


def write(record: np.void, **values: float) -> None:
    """Write numbers into fields of a record."""
    for name, value in values.items():
        record[name] = value


@dataclass
class VehicleArrays:
    """State of all vehicles, one row each."""

    records: Any  # parameters and commands, structured `VEHICLE`
    pids: Any  # (V, PIDS), structured `PID`
    pose: Array  # (V, 6) x y z yaw pitch roll of the reference point, world frame
    twist_body: Array  # (V, 3) vx vy wz of the reference point, body frame
    acceleration_body: Array  # (V, 3) of the reference point over the last step, body axes
    velocity: Array  # (V, 3) vx vy of the reference point in the world frame, wz
    odometers: Any  # (V,), structured `ODOMETER`
    before: Array  # (V, 3) x y yaw when the odometers last moved
    noise: Array  # (V, 2, NOISE_STEPS)
    motion: Array  # (V, MOTION) of the bodies
    places: Array  # (V, PLACE) of those far from the origin
    wrench: Array  # (V, 3) on the bodies
    collided: NDArray[np.bool_]  # (V,) since last taken


def empty(count: int = 0) -> VehicleArrays:
    """Return arrays of 0 for a number of vehicles."""
    return VehicleArrays(
        np.zeros(count, VEHICLE), np.zeros((count, PIDS), PID), np.zeros((count, 6)),
        np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)),
        np.zeros(count, ODOMETER), np.zeros((count, 3)), np.zeros((count, 2, NOISE_STEPS)),
        np.zeros((count, MOTION)), np.zeros((count, PLACE)),
        np.zeros((count, 3)), np.zeros(count, bool))


# examples of what kernels take that are compiled separately: only types and dimensions count
SOME_VEHICLES, SOME_WHEELS, STARTS = np.zeros(1, VEHICLE), np.zeros(1, WHEEL), np.zeros(1, int)
A_VEHICLE = SOME_VEHICLES[0]
SOME_PIDS, SOME_ODOMETERS = np.zeros((1, PIDS), PID), np.zeros(1, ODOMETER)
SOME_HITCHES, SOME_TIES = np.zeros(1, HITCH), np.zeros(1, TIE)
SOME_WHEEL_WORK, SOME_VEHICLE_WORK = np.zeros(1, WHEEL_WORK), np.zeros(1, VEHICLE_WORK)
A_VEHICLE_WORK = SOME_VEHICLE_WORK[0]
ROW, TABLE, TABLES = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
# of the torque kernels of controllers
TORQUES_LIKE = (A_VEHICLE, SOME_WHEELS, 0.0, SOME_PIDS[0], 0.0)
MOTION_LIKE = (A_VEHICLE, SOME_WHEELS)  # of the kernels by which wheels tell their motion
