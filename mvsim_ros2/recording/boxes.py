# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bounding boxes of all objects: in space, and in the images of cameras.

Numbers of objects and classes are those of point clouds and label images.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.recording.trajectory_files import joined, TextFile
from mvsim_ros2.sensors.observations import LabelImage
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import BodyHandle

COLUMNS = (
    '#timestamp [ns]', 'thing', 'class', *(f'{axis} [m]' for axis in 'xyz'),
    *(f'{size} [m]' for size in ('length', 'width', 'height')),
    *(f'{angle} [rad]' for angle in ('yaw', 'pitch', 'roll')), 'name')
IMAGE_COLUMNS = ('#timestamp [ns]', 'thing', 'class',
                 *(f'{border} [px]' for border in ('u_min', 'v_min', 'u_max', 'v_max')))


@dataclass
class _Box:
    """The bounding box of one object."""

    number: int
    label: int
    name: str
    body: BodyHandle | None  # body that it moves with; None: static
    moves: bool
    centre: Pose  # on the body
    size: tuple[float, float, float]  # along the axes of the body [m]
    seen: Pose | None = None  # of the body in the last row


class BoxFile(TextFile):
    """
    Bounding boxes of all visible objects, along the axes of their body, else of the world.

    A row holds until the next one of the same object: static objects have one row.
    """

    def __init__(self, path: Path, simulation: Simulation) -> None:
        """
        Create the file.

        :raises OSError: where it cannot be created.
        :raises SceneError: where the shapes of the world are not available.
        """
        super().__init__(path, ','.join(COLUMNS) + '\n')
        self._boxes = _boxes(simulation)

    def add(self, time_ns: int) -> None:
        """Append a row for each object that has moved since its last row."""
        for box in self._boxes:
            pose = Pose() if box.body is None else box.body.pose
            if pose == box.seen:
                continue
            box.seen = pose
            centre = pose.compose(box.centre)
            self.write(f'{time_ns},{box.number},{box.label},' + joined(',', (
                centre.x, centre.y, centre.z, *box.size, centre.yaw, centre.pitch,
                centre.roll)) + f',{box.name}\n')
        self._boxes = [box for box in self._boxes if box.moves]  # the others have a row


def _boxes(simulation: Simulation) -> list[_Box]:
    """Return the boxes of all objects, with the wheels at their present angles."""
    scene = simulation.scene()
    carriers: dict[str, BodyHandle] = {
        **simulation.vehicles, **simulation.blocks, **simulation.actors}
    boxes = []
    for number in np.unique(scene.thing).tolist():
        name = scene.thing_names[number]
        body, instances = carriers.get(name), np.flatnonzero(scene.thing == number)
        to_body = np.linalg.inv(body.pose.matrix) if body else np.eye(4)
        corners = []
        for row in instances:
            matrix = to_body @ scene.transform[row]
            points = scene.meshes[scene.mesh[row]].vertices @ matrix[:3, :3].T + matrix[:3, 3]
            corners += [points.min(axis=0), points.max(axis=0)]
        low, high = np.min(corners, axis=0), np.max(corners, axis=0)
        x, y, z = (0.5 * (low + high)).tolist()
        length, width, height = (high - low).tolist()
        boxes.append(_Box(number, int(scene.label[instances[0]]), name, body,
                          body is not None and bool(scene.moving[instances].any()),
                          Pose(x, y, z), (length, width, height)))
    return boxes


def image_box_rows(labels: LabelImage) -> str:
    """Return a row for each object in an image, with the borders of its visible part."""
    return ''.join(f'{labels.stamp_ns},' + ','.join(str(box[name]) for name in (
        'thing', 'label', 'u_min', 'v_min', 'u_max', 'v_max')) + '\n' for box in labels.boxes)
