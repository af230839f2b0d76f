# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The occupancy maps of a world."""

from collections.abc import Iterator
from typing import Any

from mvsim_ros2.messages import qos
from mvsim_ros2.messages import state_messages
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.spec.grid import OccupancyMap
from mvsim_ros2.spec.shapes.solid_outlines import occupancy_maps
from mvsim_ros2.spec.world import WorldSpec


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
                state_messages.occupancy_grid(types, each, time_ns, frame_id) for each in published]
            yield f'{name}_metadata', 'nav_msgs/MapMetaData', keep, [
                state_messages.map_metadata(types, each, time_ns) for each in published]
