# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What all controllers share (`<controller class="...">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import Spec


@dataclass(frozen=True)
class ControllerSpec(Spec):
    """What all controllers share."""

    XML_CLASS = ''

    @property
    def initial_steering(self) -> float:
        """Return the steering angle of the initial command, left positive [rad]."""
        return 0.0
