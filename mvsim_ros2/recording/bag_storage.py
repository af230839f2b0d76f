# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Storage files of a bag that can be completed after a failed write.

They extend those of `rosbags`: after a write has failed because the disk is full, they can be
truncated to their last consistent state, which frees the space to complete the file.
"""

from collections import Counter
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait
from contextlib import suppress
from io import BufferedWriter
from io import BytesIO
import os
from pathlib import Path
import sqlite3
from types import SimpleNamespace
from typing import cast
from typing import NamedTuple
from typing import Protocol

from zlib import crc32

from rosbags.interfaces import Connection
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter
from rosbags.rosbag2.storage_mcap import PendingChunk
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Writer

MAGIC = b'\x89MCAP\x30\r\n'
RECORD_HEAD = 9  # bytes: what it is, its length
CHECKSUM = 4  # bytes
CHUNK_CHECKSUM = RECORD_HEAD + 24  # its place in a chunk

FAILURES = OSError, sqlite3.Error  # errors of a full disk


class Contents(NamedTuple):
    """Contents of a file after its truncation."""

    counts: Mapping[int, int]  # number of messages by connection
    last_ns: int  # latest log time, 0 where there is no message


class Storage(Protocol):
    """A file that can be truncated to its last consistent state."""

    @property
    def intact(self) -> bool:
        """Return whether no write has failed."""

    def flush(self) -> None:
        """Hand all messages to the operating system."""

    def truncate(self) -> Contents | None:
        """Discard the last messages; return the contents left, None where none was discarded."""


class _Mark(NamedTuple):
    """State of the file before a chunk."""

    place: int  # byte
    counts: Mapping[int, int]
    last_ns: int
    checksum: int  # CRC-32 of all bytes before


class _Section(BytesIO):
    """Bytes that are still to be written at a place of a file."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self._place = place

    def tell(self) -> int:
        """Return the place in the file."""
        return self._place + super().tell()

    def close(self) -> None:
        """Stay open: `McapFile` writes the bytes."""


class McapFile(McapWriter):
    """
    An MCAP file; a thread writes its self-contained chunks of a megabyte.

    It has the CRC-32 of each chunk, of all records before the summary, and of the summary, as the
    specification of MCAP defines them.
    """

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        """Create a file in the folder `path`."""
        super().__init__(path, compression)
        self._marks: list[_Mark] = []
        self._written: Counter[int] = Counter()  # messages in chunks
        self._last_ns = 0
        self._thread = ThreadPoolExecutor(1, 'mcap')
        self._being_written: Future[None] | None = None
        self._broken = False
        self.bio.flush()
        self._checksum = crc32(self.path.read_bytes())

    @property
    def intact(self) -> bool:
        """Return whether no write has failed, after the last one has ended."""
        with suppress(OSError):
            self._wait()
        return not self._broken

    def _wait(self) -> None:
        """Wait for the chunk being written; raise its error."""
        if self._being_written is None:
            return
        wait((self._being_written,))
        chunk, self._being_written = self._being_written, None
        self._broken = True
        chunk.result()
        self._broken = False

    def close_chunk(self) -> None:
        """Start to write the buffered messages, after the previous chunk is written."""
        self._wait()
        self._marks.append(_Mark(self.bio.tell(), dict(self._written), self._last_ns,
                                 self._checksum))
        self._written.update({key: len(each) for key, each in self.chunk.msgs.items()})
        self._last_ns = max(self._last_ns, self.chunk.message_end_time)
        part = SimpleNamespace(
            chunk=self.chunk, chunks=self.chunks, bio=_Section(self.bio.tell()),
            compressor=self.compressor, compression=self.compression)
        self.chunk = _empty()
        self._being_written = self._thread.submit(self._write_chunk, part)

    def _write_chunk(self, part: SimpleNamespace) -> None:
        """Write a chunk; `part` has the attributes that the writer of `rosbags` reads."""
        raw = part.chunk.bio.getvalue()
        McapWriter.close_chunk(cast('McapWriter', part))
        content = part.bio.getbuffer()
        content[CHUNK_CHECKSUM:CHUNK_CHECKSUM + CHECKSUM] = crc32(raw).to_bytes(
            CHECKSUM, 'little')
        self.bio.write(content)
        self.bio.flush()
        self._checksum = crc32(content, self._checksum)

    def flush(self) -> None:
        """Wait for the chunk being written; buffered messages can still be lost."""
        self._wait()

    def truncate(self) -> Contents | None:
        """Remove the last chunk, complete or not, and the buffered messages."""
        with suppress(OSError):
            self._wait()
        if not self._marks:
            return None
        mark = self._marks.pop()
        with suppress(OSError):  # it tries to write its buffers
            self.bio.close()
        os.truncate(self.path, mark.place)
        self.bio = self.path.open('ab')
        del self.chunks[len(self._marks):]
        self.chunk = _empty()
        self.channel_stats = {key: mark.counts.get(key, 0) for key in self.channel_stats}
        self.message_end_time = self._last_ns = mark.last_ns
        self._written = Counter(mark.counts)
        self._checksum = mark.checksum
        self._broken = False
        return Contents(mark.counts, mark.last_ns)

    def close(self, version: int, metadata: str) -> None:
        """Write the buffered messages and the end of the file."""
        if self.chunk.bio.tell():
            self.close_chunk()
        self._wait()
        file, section = self.bio, _Section(self.bio.tell())
        self.bio = cast('BufferedWriter', section)
        try:
            super().close(version, metadata)
        finally:
            self.bio = file
        file.write(with_checksums(section.getvalue(), self._checksum))
        file.close()
        self._thread.shutdown()

    def abort(self) -> None:
        """Close the file as it is."""
        with suppress(OSError):
            self._wait()
        super().abort()
        self._thread.shutdown()


def _empty() -> PendingChunk:
    return PendingChunk(2 ** 63 - 1, 0, BytesIO(), defaultdict(list))


def with_checksums(end: bytes, before: int) -> bytes:
    """
    Return the end of a file with the checksums of its data and of its summary.

    :param end: from the record with metadata on, which is followed by the end of the data.
    :param before: CRC-32 of all that is before it in the file.
    """
    data_end = RECORD_HEAD + int.from_bytes(end[1:RECORD_HEAD], 'little')
    summary = data_end + RECORD_HEAD + CHECKSUM
    footer = len(end) - len(MAGIC) - CHECKSUM  # place of the checksum in it
    data = (end[:data_end + RECORD_HEAD]
            + crc32(end[:data_end], before).to_bytes(CHECKSUM, 'little'))
    rest = end[summary:footer]
    return data + rest + crc32(rest).to_bytes(CHECKSUM, 'little') + MAGIC


class SqliteFile(Sqlite3Writer):
    """An SQLite file; flushed messages are kept."""

    intact = True  # statements are atomic

    def __init__(self, path: Path, compression: CompressionMode) -> None:
        """Create a file in the folder `path`."""
        super().__init__(path, compression)
        self.conn.execute('PRAGMA synchronous = OFF')  # survives the process, not a power failure
        self._pending = False  # messages since the last flush

    def add_connection(self, connection: Connection, offered_qos_profiles: str) -> None:
        """Add a connection and commit."""
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

    def truncate(self) -> Contents | None:
        """Return to the last flush."""
        if not self._pending:
            return None
        self.conn.rollback()
        self._pending = False
        rows = self.conn.execute(
            'SELECT topic_id, COUNT(*), MAX(timestamp) FROM messages GROUP BY topic_id').fetchall()
        return Contents({topic: count for topic, count, _ in rows},
                        max((last for _, _, last in rows), default=0))
