# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags of ROS 2 (`rosbag2`), written without ROS."""

from contextlib import suppress
from dataclasses import dataclass
from dataclasses import field
import hashlib
from pathlib import Path
import shutil
from typing import Any
from typing import cast

from rosbags.interfaces import Connection
from rosbags.interfaces import Qos as BagQos
from rosbags.interfaces import QosDurability
from rosbags.interfaces import QosHistory
from rosbags.interfaces import QosLiveliness
from rosbags.interfaces import QosReliability
from rosbags.interfaces import QosTime
from rosbags.rosbag2 import CompressionFormat
from rosbags.rosbag2 import CompressionMode
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer
from rosbags.rosbag2 import WriterError

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.messages.message_types import full_name
from mvsim_ros2.messages.qos import Qos
from mvsim_ros2.recording.bag_storage import FAILURES
from mvsim_ros2.recording.bag_storage import McapFile
from mvsim_ros2.recording.bag_storage import SqliteFile
from mvsim_ros2.recording.bag_storage import Storage
from mvsim_ros2.recording.serialiser import serialise
from mvsim_ros2.recording.serialiser import STORE
from mvsim_ros2.recording.serialiser import TYPES

FORMATS = {'mcap': StoragePlugin.MCAP, 'sqlite3': StoragePlugin.SQLITE3}
_FOREVER = QosTime(9223372036, 854775807)  # as rmw encodes it
_METADATA_ROOM = b'#' * 2 ** 16  # bytes on the disk reserved for the last file


class _Writer(Writer):
    STORAGE_PLUGINS = {StoragePlugin.MCAP: McapFile, StoragePlugin.SQLITE3: SqliteFile}


@dataclass
class BagTopic:
    """A topic of a bag, and its contents so far."""

    name: str
    message_type: str  # with its package: sensor_msgs/Imu
    connection: Connection
    sensor: str = ''  # name of the sensor in `Simulation.sensors`
    count: int = 0
    # over log time (8 bytes, little-endian) and bytes of each message
    digest: Any = field(default_factory=hashlib.sha256)

    @property
    def full_type(self) -> str:
        """Return the type as the graph has it."""
        return full_name(self.message_type)


class Bag:
    """
    Writer of a bag: a folder with a file of messages and `metadata.yaml`.

    `close` completes it, also after a failed write. Where the process is killed, the file of
    messages lacks at most the last two megabytes or the last second: `ros2 bag reindex` repairs
    SQLite files, and MCAP files after `mcap recover`.
    """

    def __init__(self, folder: str | Path, storage: str = 'mcap', compress: bool = False) -> None:
        """
        Create a bag.

        :param folder: must not exist yet.
        :param storage: 'mcap' or 'sqlite3'.
        :param compress: with zstd: chunks of MCAP, messages of SQLite.
        :raises RecordingError: where it cannot be written.
        """
        self.folder = Path(folder)
        self.topics: dict[str, BagTopic] = {}
        self.cut_back = False  # the last messages were discarded
        self.written = 0  # size of the messages [byte]
        try:
            self._writer = _Writer(
                self.folder, version=Writer.VERSION_LATEST, storage_plugin=FORMATS[storage])
            self._open(storage, compress)
        except WriterError as error:
            raise RecordingError(f'{self.folder} exists already: choose another folder, '
                                 'or remove it') from error
        except FAILURES as error:
            raise self.failure(error) from error

    def _open(self, storage: str, compress: bool) -> None:
        """Make the folder and its files."""
        if compress:
            self._writer.set_compression(
                CompressionMode.STORAGE if storage == 'mcap' else CompressionMode.MESSAGE,
                CompressionFormat.ZSTD)
        try:
            self._writer.open()
            # replaced by `close`
            self.folder.joinpath('metadata.yaml.tmp').write_bytes(_METADATA_ROOM)
        except FAILURES:
            self.discard()
            raise

    def failure(self, error: Exception) -> RecordingError:
        """Return the error to raise for a failed write."""
        if isinstance(error, RecordingError):
            return error
        reason = getattr(error, 'strerror', None) or error
        return RecordingError(f'{self.folder}: the recording cannot be written: {reason}: make '
                              'room, or choose another folder')

    @property
    def closed(self) -> bool:
        """Return whether the bag is closed."""
        return self._writer.storage is None

    @property
    def _storage(self) -> Storage:
        return cast('Storage', self._writer.storage)

    def add(self, name: str, message_type: str, qos: Qos) -> BagTopic:
        """
        Add a topic.

        :param name: full name, with a slash at the start.
        :param message_type: with its package, as ``'sensor_msgs/Imu'``.
        :raises RecordingError: where its definition is not known.
        """
        TYPES.named(message_type)  # or say that it is not known
        topic = BagTopic(name, message_type, self._writer.add_connection(
            name, full_name(message_type), typestore=STORE,
            offered_qos_profiles=[_bag_qos(qos)]))
        self.topics[name] = topic
        return topic

    def write(self, topic: BagTopic, time_ns: int, message: Any) -> None:
        """
        Append a message.

        :param time_ns: time of publication [ns].
        :raises OSError, sqlite3.Error: where it cannot be written; `truncate` frees space.
        """
        data = serialise(message, topic.message_type)
        self._writer.write(topic.connection, time_ns, data)
        topic.digest.update(time_ns.to_bytes(8, 'little'))
        topic.digest.update(data)
        topic.count += 1
        self.written += len(data)

    def flush(self) -> None:
        """
        Hand all messages to the operating system.

        :raises OSError, sqlite3.Error: where it cannot be written; `truncate` frees space.
        """
        self._storage.flush()

    def truncate(self) -> bool:
        """Discard the last messages to free space; return whether there were any."""
        kept = self._storage.truncate()
        if kept is None:
            return False
        self.cut_back = True
        self._writer.max_timestamp = kept.last_ns
        for topic in self.topics.values():
            topic.count = self._writer.counts[topic.connection.id] = kept.counts.get(
                topic.connection.id, 0)
        return True

    def discard(self) -> None:
        """Remove the bag with its folder."""
        with suppress(*FAILURES):  # it tries to write its buffers
            self._writer.abort()
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """
        Complete the bag; it can be read then, even where this raises `RecordingError`.

        :raises RecordingError: where messages had to be discarded.
        """
        failure = None
        if not self.closed and not self._storage.intact:
            self.truncate()
        while not self.closed:
            try:
                self._writer.close()
            except FAILURES as error:
                failure = failure or error
                if self.closed or not self.truncate():
                    break
        if failure is not None:
            self._writer.abort()
            raise self.failure(failure) from failure


def _bag_qos(qos: Qos) -> BagQos:
    return BagQos(
        QosHistory.KEEP_LAST, qos.depth,
        QosReliability.RELIABLE if qos.reliable else QosReliability.BEST_EFFORT,
        QosDurability.TRANSIENT_LOCAL if qos.latched else QosDurability.VOLATILE,
        _FOREVER, _FOREVER, QosLiveliness.AUTOMATIC, _FOREVER, False)
