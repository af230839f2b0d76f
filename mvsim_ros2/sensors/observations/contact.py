# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What bumpers and wheel encoders measure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import Observation


@dataclass(frozen=True, eq=False)
class EncoderSample(Observation):
    """
    What the encoders of the wheels of a vehicle count.

    =====  =========  =======  =====  =====  =============================================
    field  shape      dtype    unit   frame  meaning
    =====  =========  =======  =====  =====  =============================================
    names             tuple                  of the joints, in the order of the wheels
    ticks  (wheels,)  int64                  since the start
    angle  (wheels,)  float64  rad           the same as an angle, positive forward
    rate   (wheels,)  float64  rad/s         mean since the last measurement, by the ticks
    =====  =========  =======  =====  =====  =============================================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> simulation.vehicles['robot'].set_twist(0.5, 0.0)
    >>> simulation.run(1.0)
    >>> sample = simulation.measure('robot/wheels')
    >>> sample.ticks.tolist(), sample.angle.round(1).tolist()
    ([1338, 1338], [2.1, 2.1])
    """

    names: tuple[str, ...]
    ticks: NDArray[np.int64]
    angle: NDArray[np.float64]
    rate: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactSample(Observation):
    """
    Whether something touches a bumper, and where.

    =======  ======  =======  ====  =======  ========================
    field    shape   dtype    unit  frame    meaning
    =======  ======  =======  ====  =======  ========================
    pressed          bool                    whether there is a point
    points   (n, 2)  float64  m     vehicle  x, y of each contact
    =======  ======  =======  ====  =======  ========================

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> sample = simulation.measure('robot/bumper')
    >>> sample.pressed, sample.points.shape
    (False, (0, 2))
    """

    pressed: bool
    points: NDArray[np.float64]
