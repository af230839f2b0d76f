# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`WorldSpec` to motion: Box2D space, wheels, tyres, controllers, odometry."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.physics.physics_world import PhysicsWorld
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['CHASSIS_DAMPING', 'MODES', 'MVSIM', 'PHYSICAL', 'PhysicsWorld']

MVSIM, PHYSICAL = 'mvsim', 'physical'  # modes: by which equations the wheels push the vehicles
MODES = (MVSIM, PHYSICAL)
CHASSIS_DAMPING = {MVSIM: 0.1, PHYSICAL: 0.0}  # 1/s; of a chassis that has none of its own
