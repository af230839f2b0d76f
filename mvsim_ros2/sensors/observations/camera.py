# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cameras; images have row 0 at the top."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.observations.base import entry, Observation
from mvsim_ros2.sensors.observations.lidar import PointCloud

# colour of the pixels of even rows and of odd rows, from the left
MOSAICS = {f'bayer_{name}{bits}': parts for bits in (8, 16) for name, parts in (
    ('rggb', (0, 1, 1, 2)), ('bggr', (2, 1, 1, 0)), ('gbrg', (1, 2, 0, 1)),
    ('grbg', (1, 0, 2, 1)))}
# neighbours of a pixel
_CROSS = (0, 1), (1, 0), (0, -1), (-1, 0)
_CORNERS = (1, 1), (1, -1), (-1, 1), (-1, -1)


def colours_of(pixels: NDArray[Any], encoding: str) -> NDArray[np.uint8]:
    """
    Return an image in any encoding as red, green and blue, shape (rows, columns, 3).

    Behind colour filters those of the nearest pixels of each colour, their mean where there are
    several. Numbers of 16 bits are divided by 257; light becomes its root, up to white.
    """
    if pixels.dtype == np.uint16:
        pixels = ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
    elif pixels.dtype == np.float32:
        pixels = np.rint(255.0 * np.sqrt(np.clip(pixels, 0.0, 1.0))).astype(np.uint8)
    if encoding in ('rgb8', 'rgb16', '32FC3'):
        return pixels
    if encoding in ('bgr8', 'bgr16'):
        return np.ascontiguousarray(pixels[..., ::-1])
    if encoding in ('mono8', 'mono16', '32FC1'):
        return np.repeat(pixels[..., np.newaxis], 3, axis=2)
    image = np.empty((*pixels.shape, 3), np.uint8)
    for part in range(3):
        has = np.zeros(pixels.shape)
        for number, other in enumerate(MOSAICS[encoding]):
            row, column = divmod(number, 2)
            has[row::2, column::2] = other == part
        values = has * pixels
        nearest = values
        known = has > 0
        for steps in (_CROSS, _CORNERS):
            count = _around(has, steps)
            mean = _around(values, steps) / np.maximum(count, 1.0)
            nearest = np.where(known, nearest, mean)
            known = known | (count > 0)
        image[..., part] = np.rint(nearest)
    return image


def _around(values: NDArray[np.float64],
            steps: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
    """Return the sums of some neighbours of pixels, shape (rows, columns)."""
    rows, columns = values.shape
    padded = np.pad(values, 1)
    sums = np.zeros(values.shape)
    for down, right in steps:
        sums += padded[1 + down:rows + 1 + down, 1 + right:columns + 1 + right]
    return sums


@dataclass(frozen=True, eq=False)
class CameraInfo(Observation):
    """
    Calibration of a camera, as sensor_msgs/CameraInfo has it.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> info = simulation.measure('robot/camera').info
    >>> info.width, info.K[0, 0].item()
    (160, 130.0)
    """

    width: int = entry('of the image', unit='px')
    height: int = entry('of the image', unit='px')
    distortion_model: str = entry(
        "``'plumb_bob'``, ``'rational_polynomial'``, ``'equidistant'``, or of `wide_lenses`")
    distortion: NDArray[np.float64] = entry('coefficients of that model', '(n,)')
    K: NDArray[np.float64] = entry('camera matrix', '(3, 3)', 'px', 'optical')
    R: NDArray[np.float64] = entry('rectification', '(3, 3)', frame='optical')
    P: NDArray[np.float64] = entry(
        'projection; in the right camera of a pair P[0, 3] is minus focal length times baseline '
        '[px m]', '(3, 4)', 'px', 'optical')
    camera_frame: str = entry(
        'optical frame of this camera; `frame_id` is that of the left camera in both cameras of '
        'a pair, unless the world file asks otherwise')


@dataclass(frozen=True, eq=False)
class LabelImage(Observation):
    """
    The object in each pixel; 0 for none, such as the sky.

    `boxes` has an entry for each object in sight, borders included.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> labels = simulation.measure('robot/camera').labels
    >>> [labels.thing_names[box['thing']] for box in labels.boxes][-2:]
    ['box', 'walker']
    """

    label: NDArray[np.uint16] = entry(
        'class, a number of `scene.Scene.LABELS`', '(height, width)', frame='optical')
    thing: NDArray[np.uint16] = entry(
        'object, a number of `thing_names`', '(height, width)', frame='optical')
    thing_names: tuple[str, ...] = entry("entry 0 is ''")
    boxes: NDArray[np.void] = entry(
        'fields thing, label, u_min, v_min, u_max, v_max', '(n,)', 'px', 'optical')
    info: CameraInfo = entry('calibration')
    boxes_3d: NDArray[np.void] | None = entry(
        'fields thing, label, pose (4, 4) of the middle, size (3,) [m]; or None', '(n,)',
        frame='optical', default=None)


@dataclass(frozen=True, eq=False)
class Image(Observation):
    """
    Colour image, or what a camera with one number a pixel makes of it.

    `rgb` has red, green and blue in any encoding.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> image = simulation.measure('robot/camera')
    >>> image.pixels.shape, image.pixels.dtype
    ((120, 160, 3), dtype('uint8'))
    """

    pixels: NDArray[Any] = entry(
        'red, green, blue; sRGB. In encodings of one number a pixel (height, width); of 16 bits '
        'uint16, of light float32', '(height, width, 3)', frame='optical', dtype='uint8')
    info: CameraInfo = entry('calibration')
    labels: LabelImage | None = entry('None where `<labels>` is not true', default=None)
    encoding: str = entry("``'rgb8'``, or what `<encoding>` says", default='rgb8')
    normals: NDArray[np.float32] | None = entry(
        'of faces, 0 where nothing is seen; or None', '(height, width, 3)', frame='optical',
        default=None)
    flow: NDArray[np.float32] | None = entry(
        'u and v minus those of the same place in the image before, NaN where it has none; or '
        'None', '(height, width, 2)', 'px', 'optical', default=None)

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """Return red, green and blue; behind a Bayer filter from the nearest pixels."""
        return colours_of(self.pixels, self.encoding)


@dataclass(frozen=True, eq=False)
class DepthImage(Observation):
    """
    Depth along the optical axis.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> image = simulation.measure('robot/rgbd').depth
    >>> image.depth.shape, round(float(image.depth[60, 80]), 1)  # the box
    ((120, 160), 3.1)
    """

    depth: NDArray[np.float32] = entry(
        'NaN where there is none', '(height, width)', 'm', 'optical')
    info: CameraInfo = entry('calibration')
    unit: float = entry(
        'where it is not 0, depths are to be handed on as whole numbers of it', unit='m',
        default=0.0)


@dataclass(frozen=True, eq=False)
class RgbdImages(Observation):
    """
    Colour, depth and coloured points of one camera, as far as it gives them.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> images = simulation.measure('robot/rgbd')
    >>> images.colour.pixels.shape, images.depth.depth.shape, images.cloud.points.shape
    ((120, 160, 3), (120, 160), (120, 160))
    """

    colour: Image | None = entry('None where `<sense_rgb>` is false', default=None)
    depth: DepthImage | None = entry('None where `<sense_depth>` is false', default=None)
    cloud: PointCloud | None = entry(
        'fields x, y, z [m], rgb; shape (height, width); None where '
        '`<publish_ros_colored_pointcloud>` is not true', default=None)


@dataclass(frozen=True, eq=False)
class StereoImages(Observation):
    """
    Images of two cameras side by side at the same time.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('sensors'), seed=1)
    >>> pair = simulation.measure('robot/stereo')
    >>> pair.left.pixels.shape, pair.right.frame_id, pair.right.info.camera_frame
    ((90, 160, 3), 'stereo_optical_frame', 'stereo_right_optical_frame')
    """

    left: Image = entry('of the camera that the pose of the sensor is of')
    right: Image = entry('in the frame of the left one; the baseline is in its `info.P`')


EVENT = np.dtype([('x', np.uint16), ('y', np.uint16), ('t', np.uint32), ('polarity', np.uint8)])


@dataclass(frozen=True, eq=False)
class ThermalImage(Observation):
    """
    Temperatures that black bodies of the same radiation would have.

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import ThermalCameraSpec, WorldSpec
    >>> camera = ThermalCameraSpec(name='heat', netd=0.0)
    >>> image = Simulation(WorldSpec(sensors=(camera,))).measure('heat')
    >>> image.temperature.shape, round(float(image.temperature[0, 0]), 2)  # the sky
    ((240, 320), 250.0)
    """

    temperature: NDArray[np.float32] = entry('', '(height, width)', 'K', 'optical')
    info: CameraInfo = entry('calibration')
    unit: float = entry('of the whole numbers in messages', unit='K')


@dataclass(frozen=True, eq=False)
class Events(Observation):
    """
    Changes of the light since the measurement before, in the order of time.

    >>> from mvsim_ros2 import Simulation
    >>> from mvsim_ros2.world.spec import EventCameraSpec, WorldSpec
    >>> camera = EventCameraSpec(name='dvs', leak_rate=0.0)
    >>> events = Simulation(WorldSpec(sensors=(camera,))).measure('dvs').events
    >>> len(events), events.dtype.names  # nothing moves
    (0, ('x', 'y', 't', 'polarity'))
    """

    events: NDArray[np.void] = entry(
        'fields x, y (column and row); t, nanoseconds after the stamp; polarity, 1 brighter, 0 '
        'darker', '(n,)', 'px', 'optical')
    info: CameraInfo = entry('calibration')
