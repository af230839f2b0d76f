# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A bag to convert: topics, static frames, cameras and true trajectory of a vehicle."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import check_files
from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import ConversionError, needed_for
from mvsim_ros2.frames import Array, rotations
from mvsim_ros2.recording.export.trajectory import nanoseconds, Trajectory

TRUTH = 'base_pose_ground_truth'


@dataclass(frozen=True, eq=False)
class Camera:
    """One camera of a recording."""

    name: str  # of its topics, such as /camera or /stereo/left
    frame: str
    info: Any  # its first CameraInfo
    stamps: NDArray[np.int64]  # of its images, increasing [ns]

    @property
    def shift(self) -> float:
        """Return how far right of the camera of its projection it is [m], 0 for a single one."""
        return -float(self.info.p[3] / self.info.p[0]) if self.info.p[0] else 0.0


class Source:
    """One vehicle of an open bag."""

    def __init__(self, reader: Any, folder: Path, vehicle: str | None) -> None:
        """Index the bag of an open reader of `rosbags`, for a vehicle or for the only one."""
        self._reader, self.folder = reader, folder
        self._types = {each.topic: each.msgtype for each in reader.connections}
        prefixes = sorted({name.removesuffix(TRUTH) for name in self._types
                           if name.rsplit('/', 1)[-1] == TRUTH} | set(_exact(folder)))
        names = [prefix.strip('/') for prefix in prefixes]
        if not prefixes:
            raise ConversionError(f'{folder}: there is no topic {TRUTH}: record it too')
        if vehicle is None and len(names) > 1:
            raise ConversionError(f'{folder}: there are several vehicles, choose one of '
                                  f'{", ".join(names)}')
        if vehicle is not None and vehicle not in names:
            raise ConversionError(f'{folder}: there is no vehicle {vehicle!r} in this bag, only '
                                  f'{", ".join(names)}')
        self.prefix = prefixes[names.index(vehicle) if vehicle is not None else 0]
        self.base, self.trajectory = self._read_trajectory()
        self._fixed = self._fixed_frames()
        self._cameras: list[Camera] | None = None

    def topics(self, message_type: str) -> list[str]:
        """Return the topics of the vehicle that have a type, such as ``sensor_msgs/msg/Imu``."""
        return sorted(name for name, kind in self._types.items()
                      if kind == message_type and name.startswith(self.prefix))

    def choose(self, message_type: str, wanted: str | None, what: str) -> str:
        """Return the wanted topic of a type, or the first; raise `ConversionError` for none."""
        found = self.topics(message_type)
        full = None if wanted is None else '/' + wanted.lstrip('/')
        if not found:
            raise ConversionError(f'{self.folder}: there is no {what} in this bag')
        if full is not None and full not in found:
            raise ConversionError(f'{self.folder}: there is no {what} {full} in this bag, only '
                                  f'{", ".join(found)}')
        return full or found[0]

    def sensor(self, topic: str) -> tuple[list[Path], dict[str, Any]]:
        """Return what `run.json` says of the sensor of a topic, files and spec; {} for nothing."""
        run = self._run()
        if not run:
            return [], {}
        about = run['topics'].get(topic, {})
        owner, _, name = about.get('sensor', '').rpartition('/')
        world = run['world']['spec']
        specs = next((vehicle['sensors'] for vehicle in world['vehicles']
                      if vehicle['name'] == owner), world['sensors'])
        return ([self.folder / file for file in about.get('truth', ())],
                next((spec for spec in specs if spec['name'] == name), {}))

    def owner(self, topic: str) -> str:
        """Return the vehicle that has the sensor of a topic; '' where `run.json` has none."""
        sensor: str = self._run().get('topics', {}).get(topic, {}).get('sensor', '')
        return sensor.rpartition('/')[0]

    def _run(self) -> dict[str, Any]:
        """Return `run.json` of a recording, empty for another bag."""
        path = self.folder / 'run.json'
        return dict(json.loads(path.read_text())) if path.is_file() else {}

    def messages(self, *topics: str) -> Iterator[tuple[str, Any]]:
        """Yield topics and messages, in the order of the bag."""
        for each, _, message in messages_of(
                self._reader, self.folder, lambda each: each.topic in topics):
            yield each.topic, message

    def together(self, *topics: str) -> Iterator[dict[str, Any]]:
        """Yield the messages of topics that have one stamp, by the last part of their topic."""
        incomplete: dict[int, dict[str, Any]] = {}
        for topic, message in self.messages(*topics):
            time = stamp_ns(message)
            found = incomplete.setdefault(time, {})
            found[topic.rpartition('/')[2]] = message
            if len(found) == len(topics):
                yield incomplete.pop(time)

    def stamped(self, topic: str) -> Iterator[tuple[float, Any]]:
        """Yield simulated times [s], by log times, and messages of a topic without stamps."""
        pairs = np.array([(logged, stamp_ns(message)) for _, logged, message in messages_of(
            self._reader, self.folder, lambda each: each.topic == f'{self.prefix}{TRUTH}')])
        for _, logged, message in messages_of(
                self._reader, self.folder, lambda each: each.topic == f'{self.prefix}{topic}'):
            if len(pairs):
                yield 1e-9 * float(np.interp(logged, pairs[:, 0], pairs[:, 1])), message

    def _read_trajectory(self) -> tuple[str, Trajectory]:
        """Return the frame whose trajectory is known, and the trajectory."""
        frame, rows = '', []
        for _, message in self.messages(f'{self.prefix}{TRUTH}'):
            frame, pose = message.child_frame_id, message.pose.pose
            rows.append((stamp_ns(message), pose.position, pose.orientation))
        exact = _exact(self.folder).get(self.prefix)
        if exact is not None and exact.stat().st_size:  # each step of the physics
            table = np.loadtxt(exact, ndmin=2)
            times = np.array([nanoseconds(line.split()[0])
                              for line in exact.read_text().splitlines() if line.strip()])
            return frame or 'base_link', Trajectory(times, table[:, 1:4], table[:, 4:8])
        if not rows:
            raise ConversionError(f'{self.folder}: there is no message on {self.prefix}{TRUTH}')
        return frame, Trajectory(
            np.array([time for time, _, _ in rows]),
            np.array([(p.x, p.y, p.z) for _, p, _ in rows]),
            np.array([(q.x, q.y, q.z, q.w) for _, _, q in rows]))

    def _fixed_frames(self) -> dict[str, tuple[str, Array]]:
        """Return the parent of each static frame, and its pose in the parent."""
        frames = {}
        for _, message in self.messages(f'{self.prefix}tf_static', '/tf_static'):
            for each in message.transforms:
                frames[each.child_frame_id] = each.header.frame_id, matrix_of(
                    each.transform.translation, each.transform.rotation)
        return frames

    def on_base(self, frame: str) -> Array:
        """Return the matrix of a sensor on the vehicle, or raise without frames between them."""
        pose, at = np.eye(4), frame
        while at != self.base:
            if at not in self._fixed:
                raise ConversionError(f'{self.folder}: tf_static does not contain the pose of '
                                      f'{frame!r} on {self.base!r}')
            at, step = self._fixed[at]
            pose = step @ pose
        return pose

    def camera_on_base(self, camera: Camera) -> Array:
        """
        Return the pose of the optical frame of a camera on the vehicle, a homogeneous matrix.

        The messages of the right camera of a pair are in its own frame, or in the frame of the
        left one. Then its projection has the baseline (sensor_msgs/CameraInfo).
        """
        pose = self.on_base(camera.frame)
        if any(other.frame == camera.frame and not other.shift for other in self.cameras()):
            step = np.eye(4)
            step[0, 3] = camera.shift
            pose = pose @ step
        return pose

    def cameras(self) -> list[Camera]:
        """Return all cameras with colour images."""
        if self._cameras is None:
            self._cameras = self._find_cameras()
        return self._cameras

    def _find_cameras(self) -> list[Camera]:
        found = []
        for topic in self.topics('sensor_msgs/msg/Image'):
            name, _, last = topic.rpartition('/')
            info_topic = f'{name}/camera_info'
            if last != 'image_raw' or info_topic not in self._types:
                continue
            stamps, colour = [], False
            for _, image in self.messages(topic):
                colour = image.encoding in ('rgb8', 'bgr8', 'mono8')
                if not colour:
                    break
                stamps.append(stamp_ns(image))
            info = next((message for _, message in self.messages(info_topic)), None)
            if colour and info is not None:
                found.append(Camera(name, info.header.frame_id, info, np.array(stamps)))
        return found

    def chosen_cameras(self, names: list[str] | None) -> list[Camera]:
        """Return the cameras with these names in order, or all; raise where there is none."""
        known = {camera.name: camera for camera in self.cameras()}
        wanted = list(known) if names is None else ['/' + name.strip('/') for name in names]
        for name in wanted:
            if name not in known:
                raise ConversionError(f'{self.folder}: there is no camera {name!r}, only '
                                      f'{", ".join(known) or "none"}')
        return [known[name] for name in wanted]


def _exact(folder: Path) -> dict[str, Path]:
    """Return the true trajectories in the folder of a recording, by the prefix of topics."""
    root = folder / 'ground_truth'
    found = {}
    for path in root.glob('**/base_link.tum'):
        name = path.parent.relative_to(root).as_posix()
        found['/' if name == '.' else f'/{name}/'] = path
    return found


def stamp_ns(message: Any) -> int:
    """Return the stamp of a message [ns]."""
    stamp = message.header.stamp
    return int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec)


def matrix_of(place: Any, turn: Any) -> Array:
    """Return a position and an orientation of messages as a homogeneous matrix."""
    pose = np.eye(4)
    pose[:3, :3] = rotations([(turn.x, turn.y, turn.z, turn.w)])[0]
    pose[:3, 3] = place.x, place.y, place.z
    return pose


def messages_of(reader: Any, folder: str | Path, wanted: Callable[[Any], bool],
                step: int = 1) -> Iterator[tuple[Any, int, Any]]:
    """Yield connections, log times [ns] and messages, in the order of the bag."""
    try:
        found = [each for each in reader.connections if wanted(each)]
        total = sum(int(each.msgcount) for each in found)
        for number, (each, logged, raw) in enumerate(
                reader.messages(connections=found) if found else ()):
            tell(number, total, 'messages')
            if number % step == 0:
                yield each, logged, reader.deserialize(raw, each.msgtype)
    except Exception as error:  # noqa: B902 (readers raise anything where bytes are wrong)
        raise _damaged(folder, error) from error


@contextmanager
def open_bag(path: str | Path, vehicle: str | None = None) -> Iterator[Source]:
    """Open a bag, a folder with its metadata.yaml, for a vehicle, None for the only one."""
    with open_reader(path) as reader:
        yield Source(reader, Path(path), vehicle)


@contextmanager
def open_reader(path: str | Path) -> Iterator[Any]:
    """Open a bag with rosbags; raise `ConversionError` where it cannot be read."""
    with needed_for('bags', 'record', ConversionError):
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import get_typestore, Stores
    folder = Path(path)
    if not (folder / 'metadata.yaml').is_file():
        raise ConversionError(f'{folder}: this is no bag: give the folder that holds '
                              'metadata.yaml')
    reader = AnyReader([folder], default_typestore=get_typestore(Stores.ROS2_JAZZY))
    try:
        check_files(folder)
        reader.open()
    except Exception as error:  # noqa: B902 (it raises anything where a file is damaged)
        raise _damaged(folder, error) from error
    with closing(reader):
        yield reader


def _damaged(folder: str | Path, error: Exception) -> ConversionError:
    """Return the error for a bag that cannot be read."""
    reason = str(error) or type(error).__name__
    return ConversionError(f'{folder}: the bag is damaged: {reason}: "mvsim_ros2 verify {folder}" '
                           'says where')
