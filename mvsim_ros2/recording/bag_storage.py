# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The files that hold the messages of a bag, which can end early.

They are those of `rosbags`, and can besides be cut back to what is whole, after a write failed
because the disk is full: that makes the room that it takes to end the file.
"""

from collections import Counter
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait
from contextlib import suppress
from io import BytesIO
import os
from pathlib import Path
import sqlite3
from types import SimpleNamespace
from typing import cast
from typing import NamedTuple
from typing import Protocol

from rosbags.interfaces import Connection
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter
from rosbags.rosbag2.storage_mcap import PendingChunk
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Writer

FAILURES = OSError, sqlite3.Error  # what a full disk shows itself as


class Kept(NamedTuple):
    """What a file holds after it was cut back."""

    counts: Mapping[int, int]  # messages by the number of their connection
    last_ns: int  # latest log time, 0 where there is no message


class Storage(Protocol):
    """A file that can end early."""

    @property
    def whole(self) -> bool:
        """Return whether no write was broken off."""

    def flush(self) -> None:
        """Make what was written outlast the process."""

    def cut(self) -> Kept | None:
        """Give up the messages that came last; return what is left, None for nothing at all."""


class _Mark(NamedTuple):
    """The file before a chunk was written."""

    place: int  # byte
    counts: Mapping[int, int]
    last_ns: int


class McapFile(McapWriter):
    """An MCAP file; each chunk of a megabyte is whole on its own, and written by a thread."""

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        """Begin a file in the folder `path`."""
        super().__init__(path, compression)
        self._marks: list[_Mark] = []
        self._written: Counter[int] = Counter()  # messages in chunks
        self._last_ns = 0
        self._thread = ThreadPoolExecutor(1, 'mcap')
        self._being_written: Future[None] | None = None
        self._broken = False

    @property
    def whole(self) -> bool:
        """Return whether no write was broken off, once the last one has ended."""
        with suppress(OSError):
            self._wait()
        return not self._broken

    def _wait(self) -> None:
        """Wait for the chunk that is being written; raise what happened to it."""
        if self._being_written is None:
            return
        wait((self._being_written,))
        chunk, self._being_written = self._being_written, None
        self._broken = True
        chunk.result()
        self._broken = False

    def close_chunk(self) -> None:
        """Begin to write the messages that wait, once those before them are written."""
        self._wait()
        self._marks.append(_Mark(self.bio.tell(), dict(self._written), self._last_ns))
        self._written.update({key: len(each) for key, each in self.chunk.msgs.items()})
        self._last_ns = max(self._last_ns, self.chunk.message_end_time)
        part = SimpleNamespace(
            chunk=self.chunk, chunks=self.chunks, bio=self.bio, compressor=self.compressor,
            compression=self.compression)
        self.chunk = _empty()
        self._being_written = self._thread.submit(_write, part)

    def flush(self) -> None:
        """Wait for the chunk that is being written; what waits for the next one can be lost."""
        self._wait()

    def cut(self) -> Kept | None:
        """Go back to before the last chunk, written or not, and forget the messages that wait."""
        with suppress(OSError):
            self._wait()
        if not self._marks:
            return None
        mark = self._marks.pop()
        with suppress(OSError):  # it tries to write what is to be cut off
            self.bio.close()
        os.truncate(self.path, mark.place)
        self.bio = self.path.open('ab')
        del self.chunks[len(self._marks):]
        self.chunk = _empty()
        self.channel_stats = {key: mark.counts.get(key, 0) for key in self.channel_stats}
        self.message_end_time = self._last_ns = mark.last_ns
        self._written = Counter(mark.counts)
        self._broken = False
        return Kept(mark.counts, mark.last_ns)

    def close(self, version: int, metadata: str) -> None:
        """Write the messages that wait, and the end of the file."""
        if self.chunk.bio.tell():
            self.close_chunk()
        self._wait()
        super().close(version, metadata)
        self._thread.shutdown()

    def abort(self) -> None:
        """Leave the file as it is."""
        with suppress(OSError):
            self._wait()
        super().abort()
        self._thread.shutdown()


def _empty() -> PendingChunk:
    return PendingChunk(2 ** 63 - 1, 0, BytesIO(), defaultdict(list))


def _write(part: SimpleNamespace) -> None:
    """Write a chunk; `part` has what the writer of `rosbags` looks at for that."""
    McapWriter.close_chunk(cast('McapWriter', part))
    part.bio.flush()


class SqliteFile(Sqlite3Writer):
    """An SQLite file; what was flushed stays."""

    whole = True  # a statement is, or it is not

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        """Begin a file in the folder `path`."""
        super().__init__(path, compression)
        self.conn.execute('PRAGMA synchronous = OFF')  # outlast the process, not the power
        self._pending = False  # there is something to flush

    def add_connection(self, connection: Connection, offered_qos_profiles: str) -> None:
        """Add a connection, for good."""
        super().add_connection(connection, offered_qos_profiles)
        self.conn.commit()

    def write(self, connection: Connection, timestamp: int, data: bytes | memoryview) -> None:
        """Append a message."""
        self._pending = True
        super().write(connection, timestamp, data)

    def flush(self) -> None:
        """Commit."""
        self.conn.commit()
        self._pending = False

    def cut(self) -> Kept | None:
        """Go back to what was flushed last."""
        if not self._pending:
            return None
        self.conn.rollback()
        self._pending = False
        rows = self.conn.execute(
            'SELECT topic_id, COUNT(*), MAX(timestamp) FROM messages GROUP BY topic_id').fetchall()
        return Kept({topic: count for topic, count, _ in rows},
                    max((last for _, _, last in rows), default=0))
