# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The functions of `box2d_bridge.cpp`, which says what each of them does.

Worlds, bodies, fixtures and joints are integers here; so are arrays, by `array.ctypes.data`.
"""

import ctypes

from mvsim_ros2.jit.native_function import library, NativeFunction as _bridge

_error = library().box2d_error
_error.restype = ctypes.c_char_p


def last_error() -> str:
    """Return why the function before returned 0."""
    message: bytes = _error()
    return message.decode()


_PAIR = int, int, int, float, float, float, float  # world, bodies and anchors of a joint
_BOX = float, float, float, float, float  # half sizes, centre and angle
_MATERIAL = float, float, float  # density, friction, restitution

world_new = _bridge('world_new', int)
world_delete = _bridge('world_delete', None, int)
world_step = _bridge('world_step', None, int, float, int, int, int)
world_look_ahead = _bridge('world_look_ahead', None, int)
world_heights = _bridge('world_heights', None, int, int)

body_new = _bridge('body_new', int, int, int, float, float, float, float, float)
body_delete = _bridge('body_delete', None, int, int)
body_constants = _bridge('body_constants', None, int, int)
body_set_mass = _bridge('body_set_mass', int, int, float, float, float, float)
body_is_awake = _bridge('body_is_awake', int, int)
body_wake = _bridge('body_wake', None, int)
body_place = _bridge('body_place', None, int, float, float, float)
body_move = _bridge('body_move', None, int, float, float, float)
body_set_velocity = _bridge('body_set_velocity', None, int, float, float, float)
body_push = _bridge('body_push', None, int, float, float, float)
body_is_free = _bridge('body_is_free', int, int)
body_contacts = _bridge('body_contacts', int, int, int, int, int)

bodies_motion = _bridge('bodies_motion', None, int, int, int)
bodies_awake = _bridge('bodies_awake', None, int, int, int, int)
bodies_dynamics = _bridge('bodies_dynamics', None, int, int, int)
bodies_farthest = _bridge('bodies_farthest', float, int, int, int, float)
bodies_stay_awake = _bridge('bodies_stay_awake', None, int, int, float, int)
bodies_push = _bridge('bodies_push', None, int, int, int)
bodies_widen = _bridge('bodies_widen', None, int, int, int, int, float, float, int)
bodies_collided = _bridge('bodies_collided', None, int, int, int, float, int)
bodies_save = _bridge('bodies_save', None, int, int, int)
bodies_load = _bridge('bodies_load', None, int, int, int)
bodies_refresh = _bridge('bodies_refresh', None, int, int, int)

polygon_new = _bridge('polygon_new', int, int, int, int, float, float, float, float, *_MATERIAL)
box_new = _bridge('box_new', int, int, *_BOX, *_MATERIAL)
box_change = _bridge('box_change', None, int, *_BOX)
fixture_delete = _bridge('fixture_delete', None, int)
fixture_set_skin = _bridge('fixture_set_skin', None, int, float)
fixture_set_row = _bridge('fixture_set_row', None, int, int)
fixture_corners = _bridge('fixture_corners', int, int, int)

revolute_joint_new = _bridge('revolute_joint_new', int, *_PAIR, float, int, float, float)
distance_joint_new = _bridge('distance_joint_new', int, *_PAIR, float, float, float)
rope_joint_new = _bridge('rope_joint_new', int, *_PAIR, float)
friction_joint_new = _bridge('friction_joint_new', int, int, int, int, float, float, float, float)
friction_joint_limit = _bridge('friction_joint_limit', None, int, float, float)
friction_joints_impulses = _bridge('friction_joints_impulses', None, int, int, int)
friction_joints_set_impulses = _bridge('friction_joints_set_impulses', None, int, int, int)
