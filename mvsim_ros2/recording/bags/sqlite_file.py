# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""SQLite files of messages, as rosbag2 has them."""

from pathlib import Path
import sqlite3

from rosbags.rosbag2.storage_sqlite3 import Sqlite3Writer

from mvsim_ros2.recording.bags.mcap_records import ZSTD
from mvsim_ros2.recording.bags.storage import Contents, Definition, METADATA_VERSION


class SqliteFile:
    """An SQLite file; flushed messages are kept."""

    intact = True  # statements are atomic

    def __init__(self, path: Path, compress: bool) -> None:
        """Create a file; raise `sqlite3.Error` where it cannot be created."""
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
