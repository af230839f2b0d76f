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
"""The occupancy maps of a world."""

from collections.abc import Iterator
from typing import Any

from mvsim_ros2.messages import qos
from mvsim_ros2.messages import states
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.solid_outlines import occupancy_maps
from mvsim_ros2.world.spec.world import WorldSpec


def map_messages(types: MessageTypes, world: WorldSpec, frame_id: str, time_ns: int,
                 as_map: bool, plan: OccupancyMap | None = None,
                 ) -> Iterator[tuple[str, str, qos.Qos, list[Any]]]:
    """
    Yield topic, type, quality of service and messages: all maps on `simul_map`, one on `map`.

    Cells on `map` are free, occupied or unknown; those on `simul_map` are as likely to be
    occupied as the world file says.

    :param types: classes of messages.
    :param frame_id: frame of the maps.
    :param time_ns: simulated time.
    :param as_map: False keeps the topic `map` free, for a map server or a SLAM.
    :param plan: map that goes to `map` in place of the first one.
    """
    maps = occupancy_maps(world)
    first = [each.decided for each in (maps[:1] if plan is None else [plan])]
    for name, published in (('map', first if as_map else []), ('simul_map', maps)):
        if published:
            keep = qos.latched(len(published))
            yield name, 'nav_msgs/OccupancyGrid', keep, [
                states.occupancy_grid(types, each, time_ns, frame_id) for each in published]
            yield f'{name}_metadata', 'nav_msgs/MapMetaData', keep, [
                states.map_metadata(types, each, time_ns) for each in published]
