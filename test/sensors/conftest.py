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
"""Scenes made of polygons."""

from collections.abc import Callable
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
import pytest

from mvsim_ros2.scene.planar import PlanarScene
from mvsim_ros2.scene.planar import polygon_segments
from mvsim_ros2.scene.planar import StaticGeometry

MakeScene = Callable[..., PlanarScene]


@pytest.fixture(scope='session')
def make_scene() -> MakeScene:
    """Return a function that makes a scene of static polygons, grids and movers."""
    def make(static: Sequence[ArrayLike] = (), grids: Sequence[ArrayLike] = (),
             movers: Sequence[ArrayLike] = ()) -> PlanarScene:
        bodies, cells, outlines = (
            [polygon_segments(polygon) for polygon in polygons]
            for polygons in (static, grids, movers))
        segments = np.concatenate([np.empty((0, 4)), *bodies, *cells])
        geometry = StaticGeometry(
            segments, np.arange(len(segments)) >= sum(map(len, bodies)))
        return PlanarScene(
            geometry, tuple(f'mover{i}' for i in range(len(outlines))),
            np.concatenate([np.empty((0, 4)), *outlines]),
            np.cumsum([0, *map(len, outlines)]))
    return make


@pytest.fixture(scope='session')
def square() -> Callable[..., list[tuple[float, float]]]:
    """Return a function that makes a square of a given half size around a point."""
    def make(half: float, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float]]:
        return [(x - half, y - half), (x + half, y - half), (x + half, y + half),
                (x - half, y + half)]
    return make
