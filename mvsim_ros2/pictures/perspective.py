# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a simulation in three dimensions, with the measurements of its sensors."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.pictures.canvas import check_pillow
from mvsim_ros2.pictures.overlays import add_insets, colours_of, OccludedDrawing
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.observations import (
    DepthImage, Image as ColourImage, LaserScan2D, Observation, PointCloud, RangeSample,
    RgbdImages, StereoImages)
from mvsim_ros2.simulation import Simulation

if TYPE_CHECKING:
    from PIL.Image import Image

SUPERSAMPLING = 2
_CORNERS = 1.0  # m, how far corners are darker
SCAN, SCAN_AREA = (0, 137, 123), (0, 168, 150)
RANGE = (200, 90, 200)
_STRENGTH = 0.22  # opacity of the tint of a single scan
SCAN_DOT = 3  # px of the supersampled picture
_FEW = 60_000  # points; larger clouds have smaller dots
_CLOUD_HEIGHT = 2.5  # m, range of the colours of a cloud


@dataclass(frozen=True, eq=False)
class PosedObservation:
    """An observation, and the pose of its vehicle at that time."""

    observation: Observation
    carrier: Pose  # of the vehicle in the world; the origin for a sensor fixed in the world


def draw_view(simulation: Simulation, view: CameraView,
              observations: Iterable[PosedObservation] = (),
              supersampling: int = SUPERSAMPLING) -> 'Image':
    """
    Draw the present state of a simulation.

    :param view: camera, see `viewpoint.automatic_view`.
    :param observations: drawn at their poses; images are insets at the right border.
    :param supersampling: pixels per pixel of the picture, along each axis; 1 takes a quarter of
        the time of 2.
    :raises RecordingError: where Pillow is missing.
    :raises RenderContextError: where neither OpenGL nor a ray caster is available.
    """
    check_pillow()
    from PIL import Image
    fine = replace(
        view, occlusion_reach=_CORNERS,
        antialiasing=True,  # its shadows are finer, with soft borders
        width=supersampling * view.width, height=supersampling * view.height,
        fx=supersampling * view.fx, fy=supersampling * view.fy,
        cx=supersampling * (view.cx + 0.5) - 0.5, cy=supersampling * (view.cy + 0.5) - 0.5)
    drawing = OccludedDrawing(fine, simulation.render(fine, ('colour', 'depth')))
    drawing.dot_scale = supersampling / SUPERSAMPLING
    images: dict[str, NDArray[np.uint8]] = {}
    every = list(observations)
    scans = sum(isinstance(each.observation, LaserScan2D) for each in every)
    drawing.strength = _STRENGTH / np.sqrt(max(1, scans))
    for each in every:
        draw(each.observation, Drawing(drawing, simulation, each.carrier, images))
    picture = Image.fromarray(drawing.pixels).resize(
        (view.width, view.height), Image.Resampling.BOX)
    add_insets(picture, images)
    return picture


def with_pose(simulation: Simulation, observation: Observation) -> PosedObservation:
    """Return a present observation with the pose of its vehicle."""
    vehicle = simulation.sensors[observation.sensor].vehicle
    return PosedObservation(observation, simulation.vehicles[vehicle].pose if vehicle else Pose())


def measure_all(simulation: Simulation) -> list[PosedObservation]:
    """Return the present observations of all sensors."""
    return [with_pose(simulation, sensor.measure()) for sensor in simulation.sensors.values()]


def frame_pose(simulation: Simulation, posed: PosedObservation) -> Pose:
    """Return the pose of the frame of an observation in the world."""
    frames = {frame.name: frame
              for frame in simulation.sensors[posed.observation.sensor].frames}
    pose, name = Pose(), posed.observation.frame_id
    while name:
        pose = frames[name].pose.compose(pose)
        name = frames[name].parent
    return posed.carrier.compose(pose)


@dataclass(frozen=True, eq=False)
class Drawing:
    """The image in which a measurement is drawn."""

    picture: OccludedDrawing
    simulation: Simulation
    carrier: Pose  # of the sensor, when it measured
    images: dict[str, NDArray[np.uint8]]  # for the corner, by name

    def pose(self, observation: Observation) -> Pose:
        """Return the pose of the frame of an observation in the world."""
        return frame_pose(self.simulation, PosedObservation(observation, self.carrier))


def scan_ends(scan: LaserScan2D) -> tuple[Array, NDArray[np.bool_]]:
    """
    Return the ends of the rays of a scan in its frame, and which of them met something.

    Rays that met nothing end at the largest range, those that met something too close at the
    sensor; shapes (n, 3) and (n,).
    """
    ranges = np.asarray(scan.ranges, float)
    hit = np.isfinite(ranges)
    reach = np.where(hit, ranges, np.where(ranges > 0, scan.range_max, 0.0))
    bearing = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    return reach[:, None] * np.stack(
        [np.cos(bearing), np.sin(bearing), np.zeros_like(bearing)], axis=1), hit


@singledispatch
def draw(observation: Observation, drawing: Drawing) -> None:
    """
    Draw what a sensor measured, or put it with the images by their names.

    Kinds of observations that are shapes or images register what draws them, with
    ``@draw.register``; of others, which are numbers, there is nothing to see.
    """


@draw.register
def _scan(scan: LaserScan2D, drawing: Drawing) -> None:
    pose, picture = drawing.pose(scan), drawing.picture
    ends, hit = scan_ends(scan)
    ends = pose.transform(ends)
    if abs(scan.angle_increment) * (len(hit) + 0.5) >= 2 * np.pi:
        ends = np.vstack([ends, ends[:1]])
        hit = np.append(hit, False)
    picture.fan(pose.position, ends, SCAN_AREA)
    picture.dots(ends[hit], SCAN, SCAN_DOT)


@draw.register
def _cloud(cloud: PointCloud, drawing: Drawing) -> None:
    pose = drawing.pose(cloud)
    points = np.stack([cloud.points[axis].ravel() for axis in 'xyz'], axis=1).astype(float)
    points = pose.transform(points[np.isfinite(points).all(axis=1)])
    height = (points[:, 2] - pose.z) / _CLOUD_HEIGHT + 0.5
    drawing.picture.dots(points, colours_of(height, 0.0, 1.0), 2 if len(points) < _FEW else 1)


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
    drawing.picture.dots(points, RANGE, SCAN_DOT)


@draw.register
def _colour(image: ColourImage, drawing: Drawing) -> None:
    drawing.images[image.sensor] = image.rgb


@draw.register
def _depth(image: DepthImage, drawing: Drawing) -> None:
    drawing.images[f'{image.sensor} depth'] = colours_of(image.depth)


@draw.register
def _stereo(images: StereoImages, drawing: Drawing) -> None:
    drawing.images[f'{images.sensor} left'] = images.left.rgb
    drawing.images[f'{images.sensor} right'] = images.right.rgb


@draw.register
def _rgbd(images: RgbdImages, drawing: Drawing) -> None:
    for part in (images.colour, images.depth, images.cloud):
        if part is not None:
            draw(part, drawing)
