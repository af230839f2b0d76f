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
"""Elements with what is in the files that they name: maps and pictures of the sky."""

from dataclasses import replace
from pathlib import Path

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.maps import read_map
from mvsim_ros2.world.spec.element import FindFile
from mvsim_ros2.world.spec.elements.occupancy_grid import OccupancyGridSpec
from mvsim_ros2.world.spec.elements.skybox import SkyboxSpec

_FACES = ('Front', 'Back', 'Down', 'Up', 'Left', 'Right')


def with_map(grid: OccupancyGridSpec, find: FindFile) -> OccupancyGridSpec:
    """
    Return an occupancy grid with the map of its file.

    :raises WorldFileError: where it names none.
    :raises ResourceError: where the file is no map.
    """
    if grid.file is None or grid.file.path is None:
        raise WorldFileError(f'{grid.source}: the occupancy grid has an empty <file>')
    try:
        occupancy = read_map(Path(grid.file.path), grid.resolution,
                             (grid.centerpixel_x, grid.centerpixel_y))
    except ResourceError as error:
        raise ResourceError(f'{grid.source}: {error}') from error
    return replace(grid, occupancy=occupancy)


def with_faces(sky: SkyboxSpec, find: FindFile) -> SkyboxSpec:
    """Return a sky box with the files of its six images."""
    uris = [sky.textures.replace('%s', face) for face in _FACES]
    return replace(sky, faces=tuple(
        find(uri, sky.source, '<textures>', 'a plain sky') for uri in uris))
