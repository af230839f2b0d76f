# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Places with names, for spawning, parking, goals."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.fields import Problems, Spec, tag


@dataclass(frozen=True)
class NamedPoseSpec(Spec):
    """
    Place with a name (`<named_pose>`), an addition to the format of MVSim.

    Clients read it by the services GetNamedPoses and GetNamedPoseBounds of simulation_interfaces.
    """

    name: str = tag('name', '', attribute=True, required=True, doc='name')
    pose: Pose = tag('pose', Pose(), required=True, unit='m, deg', doc='pose in the world')
    description: str = tag('text', '', doc='description in words')
    tags: tuple[str, ...] = tag('names', (), doc='purpose, such as `spawn` or `parking`')
    size: tuple[float, float, float] = tag('point3', (0.0, 0.0, 0.0), unit='m',
                                           doc='free box on the ground around it; zeros: unknown')

    def problems(self) -> Problems:
        """Yield a sentence for each broken rule."""
        if not self.name:
            yield 'give a named pose its name'
        if min(self.size) < 0.0 or 0.0 in self.size and any(self.size):
            yield 'size takes three lengths above 0'
