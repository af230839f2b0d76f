# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Check of the checksums of an MCAP file, with what is damaged: topics and times.

Layout: https://mcap.dev/spec. Every byte is in a section with a CRC-32: a chunk, the data before
the summary, or the summary.
"""

from collections.abc import Iterator
from dataclasses import dataclass
import io
from pathlib import Path
import struct
from zlib import crc32

from mvsim_ros2.base.progress import tell
from mvsim_ros2.recording.bags.mcap_records import (
    CHANNEL, CHECKSUM, checksum_of, CHUNK, CHUNK_INDEX, FOOTER, MAGIC, RECORD_HEAD, unpacked)


@dataclass(frozen=True)
class Damage:
    """A part of a file whose checksum is wrong."""

    what: str
    topics: tuple[str, ...] = ()  # that have messages there
    begin_ns: int = 0
    end_ns: int = 0

    def __str__(self) -> str:
        """Return one line."""
        if not self.topics:
            return self.what
        return (f'{self.what}: {", ".join(self.topics)} from {1e-9 * self.begin_ns:.3f} s to '
                f'{1e-9 * self.end_ns:.3f} s')


@dataclass(frozen=True)
class _Chunk:
    begin_ns: int
    end_ns: int
    place: int
    size: int
    channels: tuple[int, ...]


def damages_of(path: Path) -> list[Damage]:
    """
    Return what is damaged in an MCAP file of this package, nothing where it is whole.

    :raises OSError: where it cannot be read.
    """
    with path.open('rb') as file:
        length = file.seek(0, io.SEEK_END)
        if length < len(MAGIC) + FOOTER:
            return [Damage('the file is cut off')]
        file.seek(length - FOOTER)
        footer = file.read()
        head = struct.unpack('<BQQQI', footer[:-len(MAGIC)])
        opcode, size, summary_place, _, summary_sum = head
        if footer[-len(MAGIC):] != MAGIC or (opcode, size) != (2, 20) or not (
                len(MAGIC) <= summary_place <= length - FOOTER):
            return [Damage('the end of the file is damaged or missing')]
        file.seek(summary_place)
        summary = file.read(length - CHECKSUM - len(MAGIC) - summary_place)
        if not summary_sum:
            return [Damage('there are no checksums: another program wrote this file')]
        if crc32(summary) != summary_sum:
            return [Damage('the summary at the end of the file is damaged')]
        return list(_damages_of_data(file, summary, summary_place))


def _damages_of_data(file: io.BufferedReader, summary: bytes,
                     summary_place: int) -> Iterator[Damage]:
    topics, chunks = _read_summary(summary)
    found = False
    for number, chunk in enumerate(chunks):
        tell(number, len(chunks), 'chunks')
        file.seek(chunk.place)
        if not _is_whole(file.read(chunk.size)):
            found = True
            yield Damage('messages are damaged',
                         tuple(topics.get(each, '?') for each in chunk.channels), chunk.begin_ns,
                         chunk.end_ns)
    end = summary_place - CHECKSUM
    if not found and checksum_of(file, end - RECORD_HEAD) != _number(file, end):
        yield Damage('an index of the messages is damaged, the messages themselves are whole')


def _number(file: io.BufferedReader, place: int) -> int:
    file.seek(place)
    return int.from_bytes(file.read(CHECKSUM), 'little')


def _read_summary(summary: bytes) -> tuple[dict[int, str], list[_Chunk]]:
    """Return the topics by channel, and the chunks."""
    topics: dict[int, str] = {}
    chunks: list[_Chunk] = []
    place = 0
    while place + RECORD_HEAD < len(summary):
        opcode, size = struct.unpack_from('<BQ', summary, place)
        body = summary[place + RECORD_HEAD:place + RECORD_HEAD + size]
        if opcode == CHANNEL:
            channel, _, length = struct.unpack_from('<HHI', body)
            topics[channel] = body[8:8 + length].decode()
        elif opcode == CHUNK_INDEX:
            begin, end, start, whole, offsets = struct.unpack_from('<QQQQI', body)
            channels = tuple(each for each, _ in struct.iter_unpack('<HQ', body[36:36 + offsets]))
            chunks.append(_Chunk(begin, end, start, whole, channels))
        place += RECORD_HEAD + size
    return topics, chunks


def _is_whole(record: bytes) -> bool:
    """Return whether a chunk is what its checksum says."""
    try:
        opcode, size, _, _, length, checksum, name = struct.unpack_from('<BQQQQII', record)
        if opcode != CHUNK or size != len(record) - RECORD_HEAD or not checksum:
            return False
        at = RECORD_HEAD + 32 + name
        (packed,) = struct.unpack_from('<Q', record, at)
        if at + 8 + packed != len(record):
            return False
        unpacked(record[at + 8:], record[at - name:at].decode(), length, checksum)
    except (ValueError, struct.error):  # the second where the record is cut off
        return False
    return True
