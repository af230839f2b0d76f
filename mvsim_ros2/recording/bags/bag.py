# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags of ROS 2 (`rosbag2`), written without ROS."""

from contextlib import suppress
from dataclasses import dataclass, field
import hashlib
import os
from pathlib import Path
import shutil
from typing import Any

from rosbags.interfaces import (
    Qos as BagQos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime)
from rosbags.rosbag2.metadata import dump_qos_v9
import yaml

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.mcap_file import McapFile
from mvsim_ros2.recording.bags.storage import (
    as_text, BagFile, Definition, FAILURES, metadata, SqliteFile)
from mvsim_ros2.recording.serialiser import serialise, STORE, TYPES
from mvsim_ros2.ros.messages.message_types import full_name
from mvsim_ros2.ros.messages.qos import Qos

ENDINGS = {'mcap': 'mcap', 'sqlite3': 'db3'}
Storage = McapFile | SqliteFile
_STORAGES: dict[str, type[Storage]] = {'mcap': McapFile, 'sqlite3': SqliteFile}
_FOREVER = QosTime(9223372036, 854775807)  # as rmw encodes it
_METADATA_ROOM = b'#' * 2 ** 16  # bytes on the disk reserved for the last file


@dataclass
class BagTopic:
    """A topic of a bag, and its contents so far."""

    name: str
    message_type: str  # with its package: sensor_msgs/Imu
    definition: Definition
    sensor: str = ''  # name of the sensor in `Simulation.sensors`
    count: int = 0
    here: int = 0  # messages in the present file
    # over log time (8 bytes, little-endian) and bytes of each message
    digest: Any = field(default_factory=hashlib.sha256)

    @property
    def full_type(self) -> str:
        """Return the type as the graph has it."""
        return full_name(self.message_type)


@dataclass(frozen=True)
class Split:
    """When a bag begins a new file."""

    size: float = float('inf')  # of a file [byte]
    duration_ns: float = float('inf')  # in simulated time

    def __bool__(self) -> bool:
        return min(self.size, self.duration_ns) < float('inf')


class Bag:
    """
    Writer of a bag: a folder with files of messages and `metadata.yaml`.

    `close` completes it, also after a failed write. Where the process is killed, what came before
    the last two calls of `flush` is there, and `repair` completes the bag.
    """

    def __init__(self, folder: str | Path, storage: str = 'mcap', compress: bool = False,
                 split: Split | None = None) -> None:
        """Create a bag, `storage` 'mcap' or 'sqlite3'; raise `RecordingError` if it cannot be."""
        self.folder = Path(folder)
        self.topics: dict[str, BagTopic] = {}
        self.cut_back = False  # the last messages were discarded
        self.written = 0  # size of the messages [byte]
        self.closed = False
        self._kind, self._compress, self._split = storage, compress, split or Split()
        self._ended: list[BagFile] = []  # files that are complete
        self._begin_ns, self._end_ns = 2 ** 63 - 1, 0  # of the present file
        try:
            self.folder.mkdir(parents=True)
        except FileExistsError as error:
            raise RecordingError(f'{self.folder} exists already: choose another folder, '
                                 'or remove it') from error
        except FAILURES as error:
            raise self.failure(error) from error
        self._storage: Storage | None = None  # the present file
        try:
            self._storage = self._next_file()
            # replaced by `close`
            self._reserved.write_bytes(_METADATA_ROOM)
        except FAILURES as error:
            self.discard()
            raise self.failure(error) from error

    @property
    def _file(self) -> Storage:
        if self._storage is None:
            raise self.failure(OSError('the bag is closed'))
        return self._storage

    @property
    def _reserved(self) -> Path:
        return self.folder / 'metadata.yaml.tmp'

    def _next_file(self) -> Storage:
        name = self.folder.name + (f'_{len(self._ended)}' if self._split else '')
        return _STORAGES[self._kind](
            self.folder / f'{name}.{ENDINGS[self._kind]}', self._compress)

    def failure(self, error: Exception) -> RecordingError:
        """Return the error to raise for a failed write."""
        if isinstance(error, RecordingError):
            return error
        reason = getattr(error, 'strerror', None) or error
        return RecordingError(f'{self.folder}: the recording cannot be written: {reason}: free '
                              'disk space, or choose another folder')

    def add(self, name: str, message_type: str, qos: Qos) -> BagTopic:
        """Add a topic; raise `RecordingError` where its definition is not known."""
        TYPES.named(message_type)  # or say that it is not known
        full = full_name(message_type)
        text, _ = STORE.generate_msgdef(full, ros_version=2)
        definition = Definition(len(self.topics) + 1, name, full, text, STORE.hash_rihs01(full),
                                yaml.safe_dump(dump_qos_v9([_bag_qos(qos)])).strip())
        topic = BagTopic(name, message_type, definition)
        self._file.add(definition)
        self.topics[name] = topic
        return topic

    def write(self, topic: BagTopic, time_ns: int, message: Any) -> None:
        """Append a message that is published at a time [ns]."""
        if (self._file.size >= self._split.size
                or time_ns - self._begin_ns >= self._split.duration_ns):
            self._begin_file()
        data = serialise(message, topic.message_type)
        self._file.write(topic.definition.number, time_ns, data)
        self._begin_ns = min(self._begin_ns, time_ns)
        self._end_ns = max(self._end_ns, time_ns)
        topic.digest.update(time_ns.to_bytes(8, 'little'))
        topic.digest.update(data)
        topic.count += 1
        topic.here += 1
        self.written += len(data)

    def _begin_file(self) -> None:
        """Complete the present file and begin the next one."""
        self._end_file()
        self._storage = self._next_file()
        for topic in self.topics.values():
            self._storage.add(topic.definition)

    def _end_file(self) -> None:
        file = BagFile(self._file.path.name, self._begin_ns, self._end_ns, {
            topic.definition.number: topic.here for topic in self.topics.values()})
        self._file.close(as_text(self._description([file]), whole=False))
        self._storage = None
        self._ended.append(file)
        self._begin_ns, self._end_ns = 2 ** 63 - 1, 0
        for topic in self.topics.values():
            topic.here = 0

    def _description(self, files: list[BagFile]) -> dict[str, Any]:
        return metadata(self._kind, [topic.definition for topic in self.topics.values()], files,
                        self._compress and self._kind == 'sqlite3')

    def flush(self) -> None:
        """Begin to hand over all messages to the system, after those of the last call."""
        if self._storage is not None:
            self._storage.flush()

    def truncate(self) -> bool:
        """Discard the last messages to free space; return whether there were any."""
        kept = None if self._storage is None else self._storage.truncate()
        if kept is None:
            return False
        self.cut_back = True
        self._end_ns = kept.last_ns
        for topic in self.topics.values():
            here = kept.counts.get(topic.definition.number, 0)
            topic.count += here - topic.here
            topic.here = here
        return True

    def discard(self) -> None:
        """Remove the bag with its folder."""
        self._abandon_file()
        self.closed = True
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """Complete the bag; it can be read then, even where this raises `RecordingError`."""
        if self.closed:
            return
        self.closed = True
        failure = None
        if self._storage is not None and not self._storage.intact:
            self.truncate()
        while self._storage is not None:
            try:
                self._end_file()
            except FAILURES as error:
                failure = failure or error
                if not self.truncate():
                    self._abandon_file()
        try:
            self._write_metadata()
        except FAILURES as error:
            failure = failure or error
        if failure is not None:
            raise self.failure(failure) from failure

    def _abandon_file(self) -> None:
        """Remove the present file."""
        if self._storage is not None:
            with suppress(*FAILURES):  # it tries to write its buffers
                self._storage.abort()
            self._storage.path.unlink(missing_ok=True)
            self._storage = None

    def _write_metadata(self) -> None:
        """Replace the reserved file, which is longer."""
        with self._reserved.open('r+', encoding='utf-8') as file:
            file.write(as_text(self._description(self._ended), whole=True))
            file.truncate()
        os.replace(self._reserved, self.folder / 'metadata.yaml')


def _bag_qos(qos: Qos) -> BagQos:
    return BagQos(
        QosHistory.KEEP_LAST, qos.depth,
        QosReliability.RELIABLE if qos.reliable else QosReliability.BEST_EFFORT,
        QosDurability.TRANSIENT_LOCAL if qos.latched else QosDurability.VOLATILE,
        _FOREVER, _FOREVER, QosLiveliness.AUTOMATIC, _FOREVER, False)
