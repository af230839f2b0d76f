# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors that are mounted without a vehicle or a running simulation."""

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.sensors import Mount
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec import SensorSpec, WorldSpec

EMPTY = WorldSpec()


def mounted(spec: SensorSpec, owner: str = 'r1', seed: int = 0,
            world: WorldSpec = EMPTY) -> Mount:
    """Return what a sensor is made from, with the random stream of its name."""
    streams = RandomStreams(seed)
    views = SceneViews(world, PhysicsWorld(world, streams), {})
    return Mount(spec, owner, streams.get(f'sensor/{owner}/{spec.name}'), views, world, streams)
