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
"""Occupancy maps from files: images, ROS map-server maps, MRPT grid maps."""

from pathlib import Path

from mvsim_ros2.world.maps.gridmap import read_gridmap
from mvsim_ros2.world.maps.image import read_image
from mvsim_ros2.world.maps.map_server import read_map_server
from mvsim_ros2.world.spec.grid import OccupancyMap

__all__ = ['read_gridmap', 'read_image', 'read_map', 'read_map_server']


def read_map(path: Path, resolution: float, centre: tuple[float, float]) -> OccupancyMap:
    """
    Return the map in a file; its name says of which kind it is.

    :param resolution: size of a pixel [m], for images only.
    :param centre: pixel of the world origin, column from the left and row from the bottom,
        for images only.
    :raises ResourceError: where the file is no such map.
    """
    name = path.name.lower()
    if name.endswith(('.yaml', '.yml')):
        return read_map_server(path)
    if name.endswith(('.gridmap', '.gridmap.gz')):
        return read_gridmap(path)
    return read_image(path, resolution, centre)
