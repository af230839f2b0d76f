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
"""Where a picture in three dimensions is taken from."""

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.sensors.camera_view import CameraView
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.viewer.things import solid_polygons
from mvsim_ros2.viewer.things import vehicle_outline
from mvsim_ros2.world.spec.solid_outlines import occupancy_maps

Array = NDArray[np.float64]
Place = tuple[float, float, float]

FIELD_OF_VIEW = np.radians(50.0)  # from the left to the right border
_AZIMUTH, _ELEVATION = np.radians(-62.0), np.radians(50.0)  # of the eye, seen from what it sees
_TOWARDS = np.array([np.cos(_ELEVATION) * np.cos(_AZIMUTH),
                     np.cos(_ELEVATION) * np.sin(_AZIMUTH), np.sin(_ELEVATION)])
_NEARBY = 12.0  # m around the vehicles, where a world is larger than can be seen in detail
_DETAIL = 45.0  # m; larger worlds are
_HEIGHT = 2.0  # m above the ground that is to be seen
_ROOM = 0.6  # m around what is to be seen


def camera(eye: Place, at: Place, width: int, height: int) -> CameraView:
    """
    Return a camera at `eye` that looks at `at`, upright.

    :raises RecordingError: where the two are the same place.
    """
    position, target = np.asarray(eye, float), np.asarray(at, float)
    away = target - position
    distance = float(np.linalg.norm(away))
    if not 1e-6 < distance < 1e7:
        raise RecordingError(f'a camera at {eye} cannot look at {at}: give two different places')
    forward = away / distance
    right = np.cross(forward, (0.0, 0.0, 1.0))
    if np.linalg.norm(right) < 1e-6:  # straight down or up: the top of the picture is +y
        right = np.array([1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2] = right, np.cross(forward, right), forward
    pose[:3, 3] = position
    focal = 0.5 * width / np.tan(0.5 * FIELD_OF_VIEW)
    return CameraView(pose, width, height, focal, focal, 0.5 * (width - 1), 0.5 * (height - 1),
                      near=0.02 * min(distance, 5.0))


def projected(view: CameraView, points: ArrayLike) -> tuple[Array, Array]:
    """
    Return where points of the world are in a picture.

    :param points: shape (n, 3) [m].
    :returns: column and row, shape (n, 2) [px], and depth, shape (n,) [m]; what is behind the
        camera has a depth of 0 or less and no valid place.
    """
    local = (np.asarray(points, float) - view.pose[:3, 3]) @ view.pose[:3, :3]
    depth = local[:, 2]
    safe = np.where(depth > 0, depth, 1.0)
    return np.stack([view.fx * local[:, 0] / safe + view.cx,
                     view.fy * local[:, 1] / safe + view.cy], axis=1), depth


def automatic_view(simulation: Simulation, width: int, height: int,
                   eye: Place | None = None, at: Place | None = None) -> CameraView:
    """
    Return a camera that sees the world, or the surroundings of the robots in a large one.

    :param eye: where it is, None to choose.
    :param at: where it looks at, None to choose.
    """
    low, high = _extent(simulation)
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                        for z in (low[2], high[2])])
    middle = 0.5 * (low + high)
    if eye is not None or at is not None:
        target = np.asarray(at or middle, float)
        distance = float(np.linalg.norm(corners - target, axis=1).max()) / np.tan(
            0.5 * FIELD_OF_VIEW)
        return camera(eye or _place(target + distance * _TOWARDS), _place(target), width, height)
    distance = 1.0
    while True:  # back off by a twentieth, until all corners are in the picture
        view = camera(_place(middle + distance * _TOWARDS), _place(middle), width, height)
        pose = view.pose
        for _ in range(3):  # aim at the middle of what is seen
            pixels, depth = projected(view, corners)
            aside = 0.5 * (pixels.min(axis=0) + pixels.max(axis=0)) - (view.cx, view.cy)
            pose[:3, 3] += distance * pose[:3, :2] @ (aside / view.fx)
        pixels, depth = projected(view, corners)
        if (depth > 0).all() and (pixels > 0).all() and (pixels < (width, height)).all():
            return view
        distance *= 1.05


def _place(point: Array) -> Place:
    x, y, z = point.tolist()
    return x, y, z


def _extent(simulation: Simulation) -> tuple[Array, Array]:
    """Return the corners of the box that is to be seen [m]."""
    world = simulation.world
    vehicles = [(simulation.vehicles[name].spec, simulation.vehicles[name].pose)
                for name in simulation.vehicles]
    blocks = {name: handle.pose for name, handle in simulation.blocks.items()}
    near = [np.asarray(vehicle_outline(*each)) for each in vehicles]
    every = near + [np.asarray(polygon) for polygon in solid_polygons(world, blocks)]
    for grid in occupancy_maps(world):
        rows, columns = grid.values.shape
        corner = np.array([grid.x_min, grid.y_min])
        every.append(np.stack([corner, corner + grid.resolution * np.array([columns, rows])]))
    points = np.concatenate(every or [np.array([[-5.0, -5.0], [5.0, 5.0]])])
    low, high = points.min(axis=0) - _ROOM, points.max(axis=0) + _ROOM
    if near and (high - low).max() > _DETAIL:
        robots = np.concatenate(near)
        low = np.maximum(low, robots.min(axis=0) - _NEARBY)
        high = np.minimum(high, robots.max(axis=0) + _NEARBY)
    ground = float(np.median([pose.z for _, pose in vehicles] or [0.0]))
    return np.append(low, ground), np.append(high, ground + _HEIGHT)
