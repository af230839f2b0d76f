# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`WorldSpec` to motion: Box2D space, wheels, tyres, controllers, odometry."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.physics.physics_world import PhysicsWorld
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['PhysicsWorld']
