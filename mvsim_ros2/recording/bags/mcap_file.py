# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""MCAP files that can be completed after a failed write, and after the end of their process."""

from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from io import BufferedWriter, BytesIO
import os
from pathlib import Path
import struct

from mvsim_ros2.recording.bags.mcap_records import (
    CHANNEL, Chunk, chunk_record, counts_of, end_of, end_of_file, HEAD, MESSAGE, placed, record,
    SCHEMA, string, ZSTD)
from mvsim_ros2.recording.bags.storage import Contents, Definition

CHUNK_SIZE = 2 ** 20  # bytes of messages
_MESSAGE = struct.Struct('<BQHIQQ')


class _Pending:
    """Messages of the chunk that is being filled."""

    def __init__(self) -> None:
        self.data = BytesIO()
        self.begin_ns, self.end_ns = 2 ** 63 - 1, 0
        self.index: defaultdict[int, bytearray] = defaultdict(bytearray)


class McapFile:
    """
    An MCAP file; a thread writes its self-contained chunks.

    It has the CRC-32 of each chunk, of all records before the summary, and of the summary, as the
    specification of MCAP defines them. In memory it keeps what the summary says of each chunk.
    """

    def __init__(self, path: Path, compress: bool) -> None:
        self.path = path
        self._compression = 'zstd' if compress else ''
        self._definitions: list[bytes] = []
        self._types: dict[str, int] = {}  # numbers of schemas
        self._pending = _Pending()
        self._thread = ThreadPoolExecutor(1, 'mcap')
        self._being_written: Future[Chunk] | None = None
        self._submitted = 0  # bytes of its messages
        self._broken = False
        self._discarded = 1  # chunks that the next truncation discards
        self._chunks: list[Chunk] = []  # that stand in the file
        self._file: BufferedWriter = path.open('xb')
        self._file.write(HEAD)
        self._file.flush()

    @property
    def size(self) -> int:
        """Return about how many bytes it will have."""
        return end_of(self._chunks)[0] + self._submitted + self._pending.data.tell()

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
        self._submitted = 0
        self._chunks.append(chunk.result())
        self._broken = False

    def add(self, topic: Definition) -> None:
        """Add a topic."""
        if topic.message_type not in self._types:
            number = self._types[topic.message_type] = len(self._types) + 1
            kind = 'ros2idl' if topic.is_idl else 'ros2msg'
            self._define(record(SCHEMA, number.to_bytes(2, 'little') + string(
                topic.message_type) + string(kind) + string(topic.definition)))
        qos = string('offered_qos_profiles') + string(topic.qos)
        self._define(record(CHANNEL, struct.pack(
            '<HH', topic.number, self._types[topic.message_type]) + string(topic.name)
            + string('cdr') + len(qos).to_bytes(4, 'little') + qos))

    def _define(self, definition: bytes) -> None:
        self._definitions.append(definition)
        self._pending.data.write(definition)

    def write(self, topic: int, time_ns: int, data: bytes | memoryview) -> None:
        """Append a message; raise `OSError` where an earlier one could not be written."""
        pending = self._pending
        pending.begin_ns = min(pending.begin_ns, time_ns)
        pending.end_ns = max(pending.end_ns, time_ns)
        pending.index[topic] += struct.pack('<QQ', time_ns, pending.data.tell())
        pending.data.write(_MESSAGE.pack(
            MESSAGE, _MESSAGE.size - 9 + len(data), topic, 0, time_ns, time_ns))
        pending.data.write(data)
        if pending.data.tell() > CHUNK_SIZE:
            self.flush()

    def flush(self) -> None:
        """Start to write the buffered messages, after the previous chunk is written."""
        self._wait()
        if self._pending.data.tell():
            pending, self._pending = self._pending, _Pending()
            self._submitted = pending.data.tell()
            self._being_written = self._thread.submit(
                self._write_chunk, pending, *end_of(self._chunks))

    def _write_chunk(self, pending: _Pending, place: int, before: int) -> Chunk:
        messages = pending.data.getvalue()
        packed = ZSTD.compress(messages) if self._compression else messages
        begin_ns = pending.begin_ns if pending.index else 0
        chunk, content = placed(
            chunk_record(messages, begin_ns, pending.end_ns, self._compression, packed),
            pending.index, place, before)
        self._file.write(content)
        self._file.flush()
        return chunk

    def truncate(self) -> Contents | None:
        """
        Discard the buffered messages and the last chunks.

        The first call discards the chunk that could not be written, else the last one; each
        further call discards twice as many.
        """
        with suppress(OSError):
            self._wait()
        buffered, self._pending = bool(self._pending.index), _Pending()
        with suppress(OSError):  # it tries to write its buffers
            self._file.close()
        none = not self._chunks and not self._broken and not buffered
        if not self._broken:
            del self._chunks[-self._discarded:]
            self._discarded *= 2
        os.truncate(self.path, end_of(self._chunks)[0])
        self._file = self.path.open('ab')
        self._broken = False
        return None if none else Contents(
            counts_of(self._chunks), max((chunk.end_ns for chunk in self._chunks), default=0))

    def close(self, metadata: str) -> None:
        """Write the buffered messages and the end of the file."""
        self.flush()
        self._wait()
        self._file.write(end_of_file(self._definitions, self._chunks, metadata))
        self._file.close()
        self._thread.shutdown()

    def abort(self) -> None:
        """Close the file as it is."""
        with suppress(OSError):
            self._wait()
        self._thread.shutdown()
        self._file.close()
