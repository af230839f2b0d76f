# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`WorldSpec` to motion: Box2D space, wheels, tyres, controllers, odometry."""

from mvsim_ros2.physics.physics_world import PhysicsWorld

__all__ = ['PhysicsWorld']
