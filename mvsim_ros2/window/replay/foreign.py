# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags of other programs, without a world: odometry, frames, scans, clouds and images."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
import logging
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError, WindowError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.perspective import PosedObservation
from mvsim_ros2.recording.export.bag_source import messages_of, open_reader, stamp_ns
from mvsim_ros2.recording.export.message_data import pixels
from mvsim_ros2.recording.export.trajectory import Trajectory
from mvsim_ros2.sensors.observations import CameraInfo, Image, Observation
from mvsim_ros2.window.replay.bag import read_cloud, read_scan
from mvsim_ros2.window.replay.recorded import Measurements, Recording, Track, track_of
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec.world import WorldSpec

Row = tuple[int, tuple[float, ...]]  # time [ns], x y z qx qy qz qw

_LOG = logging.getLogger(__name__)

_TF, _ODOMETRY = 'tf2_msgs/msg/TFMessage', 'nav_msgs/msg/Odometry'
_MOST = {'scan': 5000, 'cloud': 1500, 'image': 300}  # measurements of a topic that are kept
_WIDEST = 480  # px; wider images are thinned
_MARGIN = 20.0  # m of ground around the way
_DEEPEST = 100  # frames above each other
_BASES = ('base_footprint', 'base_link')


def read_foreign(path: str) -> Recording:
    """
    Return what a bag shows by itself: each frame with an odometry, or the base, as a box.

    :raises WindowError: where it holds neither motion nor measurements that can be shown.
    :raises ConversionError: where it cannot be read.
    """
    with open_reader(path) as reader:
        bag = _Bag(reader, path)
        tracks = {_name(frame): track for frame, track in bag.tracks()}
        vehicle = next(iter(tracks), 'robot')
        seen = bag.measurements(vehicle)
    times = [time for each in seen.values() for time, _ in each]
    if not (tracks or times):
        raise WindowError(f'{path}: this bag holds neither odometry nor frames that move, nor '
                          'scans, clouds or images: there is nothing to show')
    if not tracks:
        tracks[vehicle] = Track(np.array([min(times), max(times)]), np.zeros((2, 6)))
    _LOG.warning('%s is shown without its world, and its vehicles as boxes: a bag does not '
                 'describe them; give --world if you have it', path)
    return Recording(path, _world(tracks), tracks, seen)


def _name(frame: str) -> str:
    """Return a frame as the name of a vehicle."""
    plain = re.sub('[^A-Za-z0-9_]', '_', frame.strip('/'))
    return plain if plain[:1].isalpha() else f'f{plain}'


def _world(tracks: Mapping[str, Track]) -> WorldSpec:
    """Return ground with boxes."""
    poses = np.concatenate([track.poses for track in tracks.values()])
    (x0, y0), (x1, y1) = poses[:, :2].min(axis=0) - _MARGIN, poses[:, :2].max(axis=0) + _MARGIN
    boxes = ''.join(
        f'<vehicle name="{name}"><init_pose>0 0 0</init_pose><dynamics class="differential"/>'
        '</vehicle>' for name in tracks)
    return load_world_text(
        f'<mvsim_world><element class="horizontal_plane"><x_min>{x0}</x_min><x_max>{x1}</x_max>'
        f'<y_min>{y0}</y_min><y_max>{y1}</y_max><z>{float(poses[:, 2].min())}</z></element>{boxes}'
        '</mvsim_world>', 'a bag', offline=True)


class _Bag:
    """The frames of an open bag, and what was measured in them; times are from its start on."""

    def __init__(self, reader: Any, path: str) -> None:
        self._reader, self._path = reader, path
        self._start_ns = int(reader.start_time)
        self._parents: dict[str, str] = {}
        rows: defaultdict[str, list[Row]] = defaultdict(list)
        self._bases: dict[str, None] = {}  # frames with an odometry
        odometry: list[tuple[str, str, Row]] = []
        for kind, message, time in self._messages(_TF, _ODOMETRY):
            if kind == _ODOMETRY:
                odometry.append((message.child_frame_id, message.header.frame_id, _row(
                    time, message.pose.pose.position, message.pose.pose.orientation)))
                continue
            for each in message.transforms:
                move = each.transform
                self._parents[each.child_frame_id] = each.header.frame_id
                rows[each.child_frame_id].append(_row(
                    self._time_ns(each, time), move.translation, move.rotation))
        known = set(rows)
        for child, parent, row in odometry:
            self._bases[child] = None
            if child not in known:
                self._parents[child] = parent
                rows[child].append(row)
        self._tracks = {frame: _track(each) for frame, each in rows.items()}

    def _messages(self, *kinds: str, topic: str = '', step: int = 1,
                  ) -> Iterator[tuple[str, Any, int]]:
        """Yield type, message and time [ns] of each `step`-th message of types, or of a topic."""
        for each, logged, message in messages_of(
                self._reader, self._path, lambda each: each.msgtype in kinds and topic in (
                    '', each.topic), step):
            yield each.msgtype, message, self._time_ns(message, logged - self._start_ns)

    def _time_ns(self, message: Any, usual: int) -> int:
        """Return the time of the stamp of a message, or another one where that is none."""
        time = stamp_ns(message) - self._start_ns if hasattr(message, 'header') else usual
        return time if abs(time - usual) < 60_000_000_000 else usual

    def tracks(self) -> Iterator[tuple[str, Track]]:
        """Yield where each frame with an odometry was, else the base."""
        moving = [frame for frame, track in self._tracks.items() if len(track.times) > 1]
        bases = list(self._bases) or [frame for frame in _BASES if frame in moving] or moving[:1]
        for frame in bases:
            times = next((self._tracks[each].times for each in self._above(frame)
                          if len(self._tracks[each].times) > 1), self._tracks[frame].times)
            yield frame, Track(times, np.array([_numbers(self.pose(frame, time))
                                                for time in times.tolist()]))

    def _above(self, frame: str) -> Iterator[str]:
        """Yield a frame and those above it that are known."""
        for _ in range(_DEEPEST):
            if frame not in self._tracks:
                return
            yield frame
            frame = self._parents[frame]

    def pose(self, frame: str, time: float) -> Pose:
        """Return where a frame was in the topmost one that it hangs on."""
        pose = Pose()
        for each in self._above(frame):
            pose = Pose(*self._tracks[each].at(time).poses[0].tolist()).compose(pose)
        return pose

    def measurements(self, vehicle: str) -> Measurements:
        """Return scans, clouds and images by names of their topics; the rest is named."""
        found: Measurements = {}
        for each in {each.topic: each for each in self._reader.connections}.values():
            what, read = _READERS.get(each.msgtype, ('', None))
            if read is None:
                continue
            name = f'{vehicle}/{each.topic.strip("/").replace("/", "_")}'
            step = max(1, -(-int(each.msgcount) // _MOST[what]))
            try:
                for _, message, time_ns in self._messages(
                        each.msgtype, topic=each.topic, step=step):
                    time = 1e-9 * time_ns
                    seen = PosedObservation(
                        read(name, message), self.pose(message.header.frame_id, time))
                    found.setdefault(name, []).append((time, seen))
            except (ConversionError, ValueError, TypeError, KeyError, OSError) as error:
                _LOG.warning('the topic %s is not shown: %s', each.topic, error)
        return found


def _row(time_ns: int, place: Any, turn: Any) -> Row:
    return time_ns, (place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w)


def _track(rows: list[Row]) -> Track:
    """Return poses in the order of time as a track."""
    rows = sorted(dict(rows).items())
    numbers = np.array([row for _, row in rows])
    numbers[~np.isfinite(numbers).all(axis=1)] = (0, 0, 0, 0, 0, 0, 1)
    numbers[~numbers[:, 3:].any(axis=1), 6] = 1.0
    return track_of(Trajectory(np.array([time for time, _ in rows]), numbers[:, :3],
                               numbers[:, 3:]))


def _numbers(pose: Pose) -> tuple[float, ...]:
    return pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll


def _image(sensor: str, message: Any) -> Observation:
    return _shown(sensor, message, pixels(message))


def _compressed(sensor: str, message: Any) -> Observation:
    from PIL import Image as Picture
    with Picture.open(BytesIO(bytes(message.data))) as picture:
        return _shown(sensor, message, np.asarray(picture.convert('RGB')))


def _shown(sensor: str, message: Any, image: NDArray[Any]) -> Observation:
    """Return an image as one of colours that is not too wide."""
    step = max(1, -(-image.shape[1] // _WIDEST))
    image = image[::step, ::step]
    if image.ndim == 2:
        image = np.nan_to_num(image, posinf=0.0, neginf=0.0)  # depths
        top = max(float(image.max()), 1.0) if image.dtype != np.uint8 else 255.0
        image = np.repeat((image * (255.0 / top)).astype(np.uint8)[..., None], 3, axis=2)
    frame, stamp, size = message.header.frame_id, stamp_ns(message), image.shape
    return Image(sensor, frame, stamp, np.ascontiguousarray(image), CameraInfo(
        sensor, frame, stamp, size[1], size[0], '', np.zeros(5), np.eye(3), np.eye(3),
        np.eye(3, 4), frame))


_READERS: Mapping[str, tuple[str, Callable[[str, Any], Observation]]] = {
    'sensor_msgs/msg/LaserScan': ('scan', read_scan),
    'sensor_msgs/msg/PointCloud2': ('cloud', read_cloud),
    'sensor_msgs/msg/Image': ('image', _image),
    'sensor_msgs/msg/CompressedImage': ('image', _compressed)}
