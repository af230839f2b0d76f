# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a simulation in three dimensions, with what its sensors measure."""

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import replace
from functools import singledispatch
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.observations import DepthImage
from mvsim_ros2.sensors.observations import Image as ColourImage
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.sensors.observations import PointCloud
from mvsim_ros2.sensors.observations import RangeSample
from mvsim_ros2.sensors.observations import RgbdImages
from mvsim_ros2.sensors.observations import StereoImages
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.viewer.insets import add_insets
from mvsim_ros2.viewer.insets import colours_of
from mvsim_ros2.viewer.occluded_drawing import OccludedDrawing

if TYPE_CHECKING:
    from PIL.Image import Image

Array = NDArray[np.float64]

SUPERSAMPLING = 2  # every pixel is the mean of this many squared
SCAN, SCAN_AREA = (0, 137, 123), (0, 168, 150)
RANGE = (200, 90, 200)
_STRENGTH = 0.22  # of the tint of a single scan
SCAN_DOT = 3  # px before the mean is taken
_FEW = 60_000  # points; the dots of larger clouds are smaller
_CLOUD_HEIGHT = 2.5  # m; over which the colours of a cloud run


@dataclass(frozen=True, eq=False)
class Seen:
    """What a sensor measured, and where its vehicle was then."""

    observation: Observation
    carrier: Pose  # in the world; the origin for a sensor that stands there


def draw_view(simulation: Simulation, view: CameraView, seen: Iterable[Seen] = ()) -> 'Image':
    """
    Draw a simulation as it stands.

    :param view: from where, see `viewpoint.automatic_view`.
    :param seen: measurements, to be drawn where they were made; images come into the corner.
    :raises RecordingError: where Pillow is missing.
    :raises RenderContextError: where there is neither OpenGL nor a ray caster.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise RecordingError(
            'pictures need Pillow: install it with `pip install pillow`') from error
    fine = replace(
        view, width=SUPERSAMPLING * view.width, height=SUPERSAMPLING * view.height,
        fx=SUPERSAMPLING * view.fx, fy=SUPERSAMPLING * view.fy,
        cx=SUPERSAMPLING * (view.cx + 0.5) - 0.5, cy=SUPERSAMPLING * (view.cy + 0.5) - 0.5)
    sketch = OccludedDrawing(fine, simulation.render(fine, ('colour', 'depth')))
    images: dict[str, NDArray[np.uint8]] = {}
    every = list(seen)
    scans = sum(isinstance(each.observation, LaserScan2D) for each in every)
    sketch.strength = _STRENGTH / np.sqrt(max(1, scans))
    for each in every:
        draw(each.observation, Drawing(sketch, simulation, each.carrier, images))
    picture = Image.fromarray(sketch.pixels).resize(
        (view.width, view.height), Image.Resampling.BOX)
    add_insets(picture, images)
    return picture


def seen_now(simulation: Simulation, observation: Observation) -> Seen:
    """Return an observation that was just made with the pose of its vehicle."""
    vehicle = simulation.sensors[observation.sensor].vehicle
    return Seen(observation, simulation.vehicles[vehicle].pose if vehicle else Pose())


def measured(simulation: Simulation) -> list[Seen]:
    """Return what every sensor measures now."""
    return [seen_now(simulation, sensor.measure()) for sensor in simulation.sensors.values()]


def frame_pose(simulation: Simulation, seen: Seen) -> Pose:
    """Return the pose of the frame of an observation in the world."""
    frames = {frame.name: frame
              for frame in simulation.sensors[seen.observation.sensor].frames}
    pose, name = Pose(), seen.observation.frame_id
    while name:
        pose = frames[name].pose.compose(pose)
        name = frames[name].parent
    return seen.carrier.compose(pose)


@dataclass(frozen=True, eq=False)
class Drawing:
    """What a measurement is drawn into."""

    sketch: OccludedDrawing
    simulation: Simulation
    carrier: Pose  # of the sensor, when it measured
    images: dict[str, NDArray[np.uint8]]  # for the corner, by name

    def pose(self, observation: Observation) -> Pose:
        """Return the pose of the frame of an observation in the world."""
        return frame_pose(self.simulation, Seen(observation, self.carrier))


@singledispatch
def draw(observation: Observation, drawing: Drawing) -> None:
    """
    Draw what a sensor measured, or put it with the images by their names.

    Kinds of observations that are shapes or images register what draws them, with
    ``@draw.register``; of others, which are numbers, there is nothing to see.
    """


@draw.register
def _scan(scan: LaserScan2D, drawing: Drawing) -> None:
    pose, sketch = drawing.pose(scan), drawing.sketch
    ranges = np.asarray(scan.ranges, float)
    hit = np.isfinite(ranges)
    reach = np.where(hit, ranges, np.where(ranges > 0, scan.range_max, 0.0))
    bearing = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    rays = np.stack([np.cos(bearing), np.sin(bearing), np.zeros_like(bearing)], axis=1)
    ends = pose.transform(reach[:, None] * rays)
    if abs(scan.angle_increment) * (len(ranges) + 0.5) >= 2 * np.pi:
        ends = np.vstack([ends, ends[:1]])
        hit = np.append(hit, False)
    sketch.fan(pose.position, ends, SCAN_AREA)
    sketch.dots(ends[hit], SCAN, SCAN_DOT)


@draw.register
def _cloud(cloud: PointCloud, drawing: Drawing) -> None:
    pose = drawing.pose(cloud)
    points = np.stack([cloud.points[axis].ravel() for axis in 'xyz'], axis=1).astype(float)
    points = pose.transform(points[np.isfinite(points).all(axis=1)])
    height = (points[:, 2] - pose.z) / _CLOUD_HEIGHT + 0.5
    drawing.sketch.dots(points, colours_of(height, 0.0, 1.0), 2 if len(points) < _FEW else 1)


@draw.register
def _cone(sample: RangeSample, drawing: Drawing) -> None:
    """Draw the circle in which a range was measured, and the way there."""
    if not np.isfinite(sample.distance):
        return
    turn = np.linspace(0.0, 2 * np.pi, 60)
    half = 0.5 * sample.field_of_view
    circle = sample.distance * np.stack([
        np.full_like(turn, np.cos(half)), np.sin(half) * np.cos(turn),
        np.sin(half) * np.sin(turn)], axis=1)
    way = np.linspace(0.0, sample.distance, 40)[:, None] * [1.0, 0.0, 0.0]
    points = drawing.pose(sample).transform(np.concatenate([circle, way]))
    drawing.sketch.dots(points, RANGE, SCAN_DOT)


@draw.register
def _colour(image: ColourImage, drawing: Drawing) -> None:
    drawing.images[image.sensor] = image.pixels


@draw.register
def _depth(image: DepthImage, drawing: Drawing) -> None:
    drawing.images[f'{image.sensor} depth'] = colours_of(image.depth)


@draw.register
def _stereo(images: StereoImages, drawing: Drawing) -> None:
    drawing.images[f'{images.sensor} left'] = images.left.pixels
    drawing.images[f'{images.sensor} right'] = images.right.pixels


@draw.register
def _rgbd(images: RgbdImages, drawing: Drawing) -> None:
    for part in (images.colour, images.depth, images.cloud):
        if part is not None:
            draw(part, drawing)
