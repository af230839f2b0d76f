# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of messages: their common parts, files of SQLite, and the description of a bag."""

from collections.abc import Mapping, Sequence
from pathlib import Path
import sqlite3
from typing import Any, NamedTuple

from rosbags.rosbag2.storage_sqlite3 import Sqlite3Writer
import yaml

from mvsim_ros2.recording.bags.mcap_records import ZSTD

METADATA_VERSION = 9
FAILURES = OSError, sqlite3.Error  # errors of a full disk

_IDL = '=' * 80 + '\nIDL: '
_NONE_NS = 2 ** 63 - 1  # start of a bag without messages, as rosbag2 has it


class Contents(NamedTuple):
    """Contents of a file after its truncation."""

    counts: Mapping[int, int]  # number of messages by connection
    last_ns: int  # latest log time, 0 where there is no message


class Definition(NamedTuple):
    """A topic, as a file describes it."""

    number: int  # from 1 on
    name: str
    message_type: str  # with its package and msg: sensor_msgs/msg/Imu
    definition: str  # of the type
    digest: str  # of the type, as rosbag2 has it
    qos: str  # offered, as YAML

    @property
    def is_idl(self) -> bool:
        """Return whether the definition is in IDL."""
        return self.definition.startswith(_IDL)


class BagFile(NamedTuple):
    """The content of a file of messages."""

    name: str
    begin_ns: int  # log time of the first message
    end_ns: int
    counts: Mapping[int, int]  # numbers of messages by topic

    @property
    def messages(self) -> int:
        """Return how many messages it has."""
        return sum(self.counts.values())


def metadata(storage: str, topics: Sequence[Definition], files: Sequence[BagFile],
             compressed: bool) -> dict[str, Any]:
    """Return the description of a bag, or of one of its files, in 'mcap' or 'sqlite3'."""
    filled = [each for each in files if each.messages]
    begin_ns = min((each.begin_ns for each in filled), default=_NONE_NS)
    end_ns = max((each.end_ns for each in filled), default=0)
    return {
        'version': METADATA_VERSION, 'storage_identifier': storage,
        'relative_file_paths': [each.name for each in files], **_span(begin_ns, end_ns),
        'message_count': sum(each.messages for each in files),
        'topics_with_message_count': [{
            'topic_metadata': {
                'name': topic.name, 'type': topic.message_type, 'serialization_format': 'cdr',
                'offered_qos_profiles': yaml.safe_load(topic.qos) or [],
                'type_description_hash': topic.digest},
            'message_count': sum(each.counts.get(topic.number, 0) for each in files)}
            for topic in topics],
        'compression_format': 'zstd' if compressed else '',
        'compression_mode': 'message' if compressed else '',
        'files': [{'path': each.name, **_span(each.begin_ns if each.messages else _NONE_NS,
                                              each.end_ns), 'message_count': each.messages}
                  for each in files],
        'custom_data': None, 'ros_distro': 'rosbags'}


def _span(begin_ns: int, end_ns: int) -> dict[str, Any]:
    return {'starting_time': {'nanoseconds_since_epoch': begin_ns},
            'duration': {'nanoseconds': max(0, end_ns - begin_ns)}}


def as_text(description: dict[str, Any], whole: bool) -> str:
    """Return a description as YAML."""
    if whole:
        description = {'rosbag2_bagfile_information': description}
    return str(yaml.safe_dump(description, sort_keys=True))


class SqliteFile:
    """An SQLite file; flushed messages are kept."""

    intact = True  # statements are atomic

    def __init__(self, path: Path, compress: bool) -> None:
        self.path = path
        self._compress = compress
        self._types: set[str] = set()
        self._pending = 0  # bytes since the last flush
        self._flushed = 0  # bytes before
        self._database = sqlite3.connect(path)
        self._database.executescript(Sqlite3Writer.SQLITE_SCHEMA)
        self._database.execute('PRAGMA synchronous = OFF')  # survives all but a power failure

    @property
    def size(self) -> int:
        """Return about how many bytes it will have."""
        return self._flushed + self._pending

    def add(self, topic: Definition) -> None:
        """Add a topic and commit."""
        if topic.message_type not in self._types:
            self._types.add(topic.message_type)
            kind = 'ros2idl' if topic.is_idl else 'ros2msg'
            self._database.execute(
                'INSERT INTO message_definitions (topic_type, encoding, '
                'encoded_message_definition, type_description_hash) VALUES(?, ?, ?, ?)',
                (topic.message_type, kind, topic.definition, topic.digest))
        self._database.execute(
            'INSERT INTO topics VALUES(?, ?, ?, ?, ?, ?)',
            (topic.number, topic.name, topic.message_type, 'cdr', topic.qos, topic.digest))
        self._database.commit()

    def write(self, topic: int, time_ns: int, data: bytes | memoryview) -> None:
        """Append a message."""
        if self._compress:
            data = ZSTD.compress(data)
        self._pending += len(data)
        self._database.execute(
            'INSERT INTO messages (topic_id, timestamp, data) VALUES(?, ?, ?)',
            (topic, time_ns, data))

    def flush(self) -> None:
        """Commit."""
        self._database.commit()
        self._flushed += self._pending
        self._pending = 0

    def truncate(self) -> Contents | None:
        """Return to the last flush."""
        if not self._pending:
            return None
        self._database.rollback()
        self._pending = 0
        rows = self._database.execute(
            'SELECT topic_id, COUNT(*), MAX(timestamp) FROM messages GROUP BY topic_id').fetchall()
        return Contents({topic: count for topic, count, _ in rows},
                        max((last for _, _, last in rows), default=0))

    def close(self, metadata: str) -> None:
        """Complete the file; raise `sqlite3.Error` where that fails; `truncate` frees space."""
        complete_sqlite(self._database, metadata)
        self._database.close()

    def abort(self) -> None:
        """Close the file without the messages since the last flush."""
        try:
            self._database.rollback()
        finally:
            self._database.close()


def complete_sqlite(database: sqlite3.Connection, metadata: str) -> None:
    """Write the metadata of a file; raise `sqlite3.Error` where that fails."""
    database.execute('DELETE FROM metadata')
    database.execute('INSERT INTO metadata(metadata_version, metadata) VALUES(?, ?)',
                     (METADATA_VERSION, metadata))
    database.commit()
    database.execute('PRAGMA optimize')
