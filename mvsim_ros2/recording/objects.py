# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Tables of objects: their bounding boxes in space and in images, and poses of those that move.

Objects and classes have the same numbers as in point clouds and label images.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.recording.text_files import joined, TextFile
from mvsim_ros2.sensors.observations import LabelImage
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import BodyHandle

BOX_COLUMNS = (
    '#timestamp [ns]', 'thing', 'class', *(f'{axis} [m]' for axis in 'xyz'),
    *(f'{size} [m]' for size in ('length', 'width', 'height')),
    *(f'{angle} [rad]' for angle in ('yaw', 'pitch', 'roll')), 'name')
IMAGE_COLUMNS = ('#timestamp [ns]', 'thing', 'class',
                 *(f'{border} [px]' for border in ('u_min', 'v_min', 'u_max', 'v_max')))

MOVING = 'moving.csv'
PERIOD_NS = 20_000_000  # simulated time between two looks
BLOCK, FIGURE = 'block', 'figure'
MOVING_COLUMNS = ('#timestamp [ns]', 'kind', 'name', 'x [m]', 'y [m]', 'z [m]', 'yaw [rad]',
                  'pitch [rad]', 'roll [rad]')
_STEP = 1e-6  # m, rad; smaller motions are none


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
        super().__init__(path, ','.join(BOX_COLUMNS) + '\n')
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


class MovingThingsFile(TextFile):
    """
    A row for each block and figure at the start, and wherever one moves.

    Figures are actors, walls and planes that move by themselves; their names are their rows in
    `MoverStates.figures`. Between two rows of a thing its motion is linear: where it begins to
    move after a rest, its last pose is written once more.
    """

    def __init__(self, path: Path, simulation: Simulation) -> None:
        super().__init__(path, ','.join(MOVING_COLUMNS) + '\n')
        self._simulation = simulation
        self._due_ns = -1
        self._looked_ns = 0
        self._poses: Array = np.zeros((0, 6))
        self._written_ns: NDArray[np.int64] = np.zeros(0, np.int64)
        self._names: list[str] = []

    def add(self, time_ns: int) -> None:
        """Write what has moved since the last look, where it is time."""
        if time_ns < self._due_ns:
            return
        self._due_ns = (time_ns // PERIOD_NS + 1) * PERIOD_NS
        movers = self._simulation.movers()
        poses = np.concatenate([movers.blocks, movers.figures])
        if len(poses) != len(self._poses):
            self._names = [f'{BLOCK},{_quoted(name)}' for name in self._simulation.blocks] + [
                f'{FIGURE},{row}' for row in range(len(movers.figures))]
            self._written_ns = np.full(len(poses), time_ns)
            moved = np.arange(len(poses))
        else:
            moved = np.flatnonzero(np.abs(poses - self._poses).max(axis=1, initial=0.0) > _STEP)
        for row in moved.tolist():
            if self._written_ns[row] < self._looked_ns:
                self._write(self._looked_ns, row, self._poses[row])
            self._write(time_ns, row, poses[row])
        self._written_ns[moved] = time_ns
        if len(poses) == len(self._poses):
            poses = np.where(np.isin(np.arange(len(poses)), moved)[:, None], poses, self._poses)
        self._poses, self._looked_ns = poses, time_ns

    def _write(self, time_ns: int, row: int, pose: Array) -> None:
        self.write(f'{time_ns},{self._names[row]},{joined(",", tuple(pose.tolist()))}\n')


def _quoted(name: str) -> str:
    """Return a name as a field of a table."""
    plain = not set(name) & set(',"\r\n')
    return name if plain else '"' + name.replace('"', '""') + '"'


def read_moving_things(path: Path) -> dict[tuple[str, str], tuple[Array, Array]]:
    """Return times (n,) [s] and poses (n, 6) by kind and name of what such a file holds."""
    rows: dict[tuple[str, str], list[list[float]]] = {}
    with path.open(newline='', encoding='utf-8') as file:
        for fields in csv.reader(file):
            if not fields or fields[0].startswith('#'):
                continue
            time_ns, kind, name, *numbers = fields
            if len(numbers) != 6:
                raise ValueError(f'{path}: a row has {len(fields)} fields, not 9')
            rows.setdefault((kind, name), []).append(
                [1e-9 * int(time_ns), *map(float, numbers)])
    tables = {key: np.array(each) for key, each in rows.items()}
    return {key: (table[:, 0], table[:, 1:]) for key, table in tables.items()}
