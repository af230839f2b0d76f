# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Regions of the ground with their own friction or rolling resistance."""

import logging

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.world.spec.element import PropertyRegionSpec
from mvsim_ros2.world.spec.world import WorldSpec

Array = NDArray[np.float64]

_log = logging.getLogger(__name__)

MU, C_RR = 0.0, 1.0  # first column: which property
_PROPERTIES = {'friction_mu': MU, 'friction_C_rr': C_RR}
REGION = 8  # columns: property, value, smallest and largest x, y, z


def friction_regions(world: WorldSpec) -> Array:
    """
    Return the regions that act on wheels in the order of the file, shape (n, REGION).

    :raises PhysicsError: where a value is negative.
    """
    rows = []
    for region in world.elements:
        if (not isinstance(region, PropertyRegionSpec)
                or region.property_name not in _PROPERTIES):
            continue
        value = region.value_double
        if value is None:
            _log.warning('%s: the region of %s has no value_double and no effect',
                         region.source, region.property_name)
            continue
        if not value >= 0.0:
            raise PhysicsError(f'{region.source}: {region.property_name} is {value} in this '
                               'region: give a number that is not negative')
        rows.append((
            _PROPERTIES[region.property_name], value, region.x_min, region.x_max, region.y_min,
            region.y_max, region.z_min, region.z_max))
    return np.array(rows, float).reshape(-1, REGION)


@compiled
def surface(regions: Array, x: float, y: float, z: float, mu: float, rolling: float,
            ) -> tuple[float, float]:
    """
    Return friction and rolling resistance coefficient at a point of the ground.

    Of several regions that hold the point, border included, the first in the file counts.

    :param regions: shape (n, REGION).
    :param x: place in the world [m]; so y, z.
    :param mu: of the tyre, where no region says otherwise.
    :param rolling: the same.
    """
    for k in range(len(regions) - 1, -1, -1):
        region = regions[k]
        if (region[2] <= x <= region[3] and region[4] <= y <= region[5]
                and region[6] <= z <= region[7]):
            if region[0] == MU:
                mu = region[1]
            else:
                rolling = region[1]
    return mu, rolling
