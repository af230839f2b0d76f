# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Records of MCAP files (https://mcap.dev/spec), and what a file holds without its end.

All numbers are little-endian. A record is an opcode, the length of its content, and its content.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
import struct
from typing import Any, BinaryIO
from zlib import crc32

from rosbags.rosbag2 import ReaderError, storage_mcap

ZSTD = vars(storage_mcap)['zstd']  # the one that rosbags has chosen
MAGIC = b'\x89MCAP\x30\r\n'
RECORD_HEAD = 9  # bytes: what it is, its length
CHECKSUM = 4  # bytes
LARGEST_CHUNK = 2 ** 30  # bytes of its records; ours have one large message at most
FOOTER = RECORD_HEAD + 20 + len(MAGIC)  # bytes at the end
(HEADER, END, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX) = range(1, 9)
STATISTICS, METADATA, METADATA_INDEX, SUMMARY_OFFSET, DATA_END = 0x0B, 0x0C, 0x0D, 0x0E, 0x0F
_BLOCK = 2 ** 24
_PLACE = struct.Struct('<QQI')  # of a chunk: place and size; size of the places of its indices
_INDEX = struct.Struct('<HQ')  # channel, place of its index
_HEAD = struct.Struct('<BQ')
_CHUNK = struct.Struct('<QQQII')  # first and last time, size, checksum, length of compression
_NONE_NS = 2 ** 63 - 1  # start of a file without messages, as rosbag2 has it
_METADATA_NAME = 'rosbag2'
# What decompression raises for damaged bytes: rosbags where size or checksum differ, zstd its own
# class, lz4 RuntimeError, and MemoryError where it believes a size that is damaged.
_DAMAGED = ReaderError, RuntimeError, MemoryError, ZSTD.ZstdError


def record(opcode: int, content: bytes) -> bytes:
    """Return a record."""
    return _HEAD.pack(opcode, len(content)) + content


def string(text: str) -> bytes:
    """Return a string with its length."""
    data = text.encode()
    return len(data).to_bytes(4, 'little') + data


def fields_of(body: bytes, form: str) -> list[Any]:
    """Return first fields: n number of two bytes, s string, m length of what follows."""
    found: list[Any] = []
    place = 0
    for letter in form:
        size = 2 if letter == 'n' else 4
        number = int.from_bytes(body[place:place + size], 'little')
        place += size
        if letter == 's':
            found.append(body[place:place + number].decode())
            place += number
        else:
            found.append(number)
    return found


HEAD = MAGIC + record(HEADER, string('ros2') + string('mvsim_ros2'))  # of a file of this package


def records_in(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield opcode and content of each record."""
    place = 0
    while place < len(data):
        if place + RECORD_HEAD > len(data):
            raise ValueError('a record is cut off')
        opcode, size = _HEAD.unpack_from(data, place)
        place += RECORD_HEAD + size
        if place > len(data):
            raise ValueError('a record is cut off')
        yield opcode, data[place - size:place]


class Chunk(bytes):
    """A chunk of a file: its small record in the summary, and the CRC-32 of all so far."""

    __slots__ = ()

    @property
    def entry(self) -> bytes:
        """Return the record of the summary."""
        return self[:-CHECKSUM]

    @property
    def checksum(self) -> int:
        """Return the CRC-32 of the file up to its end."""
        return int.from_bytes(self[-CHECKSUM:], 'little')

    @property
    def begin_ns(self) -> int:
        """Return the log time of the first message."""
        return int.from_bytes(self[RECORD_HEAD:RECORD_HEAD + 8], 'little')

    @property
    def end_ns(self) -> int:
        """Return the log time of the last message."""
        return int.from_bytes(self[RECORD_HEAD + 8:RECORD_HEAD + 16], 'little')

    @property
    def end(self) -> int:
        """Return the place behind its index [byte]."""
        place, size, places = _PLACE.unpack_from(self, RECORD_HEAD + 16)
        after = RECORD_HEAD + 16 + _PLACE.size + places
        return int(place + size + int.from_bytes(self[after:after + 8], 'little'))

    @property
    def counts(self) -> dict[int, int]:
        """Return how many messages it has, by channel: from the places of their indices."""
        begin = RECORD_HEAD + 16 + _PLACE.size
        places = self[begin:begin + _PLACE.unpack_from(self, RECORD_HEAD + 16)[2]]
        return {channel: (after - at - RECORD_HEAD - 6) // 16 for (channel, at), (_, after)
                in pairwise((*_INDEX.iter_unpack(places), (0, self.end)))}


def placed(chunk: bytes, index: Mapping[int, bytes | bytearray], place: int, before: int,
           ) -> tuple[Chunk, bytes]:
    """Return a chunk at a place behind bytes of a CRC-32, its record and index as bytes."""
    parts, places, at = [chunk], b'', place + len(chunk)
    for channel, entries in index.items():
        places += _INDEX.pack(channel, at)
        parts.append(record(MESSAGE_INDEX, struct.pack('<HI', channel, len(entries)) + entries))
        at += len(parts[-1])
    content = b''.join(parts)
    begin_ns, end_ns, size, _, name = _CHUNK.unpack_from(chunk, RECORD_HEAD)
    start = RECORD_HEAD + _CHUNK.size
    entry = record(CHUNK_INDEX, struct.pack(
        '<QQQQI', begin_ns, end_ns, place, len(chunk), len(places)) + places
        + (at - place - len(chunk)).to_bytes(8, 'little') + name.to_bytes(4, 'little')
        + chunk[start:start + name]
        + struct.pack('<QQ', len(chunk) - start - name - 8, size))
    checksum = crc32(content, before).to_bytes(CHECKSUM, 'little')
    return Chunk(entry + checksum), content


def index_of(records: bytes) -> tuple[list[bytes], dict[int, bytes]]:
    """Return the definitions in a chunk, and the entries of its message index by channel."""
    definitions: list[bytes] = []
    index: defaultdict[int, bytearray] = defaultdict(bytearray)
    place = 0
    for opcode, content in records_in(records):
        if opcode in (SCHEMA, CHANNEL):
            definitions.append(record(opcode, content))
        elif opcode == MESSAGE:
            channel, _, time_ns = struct.unpack_from('<HIQ', content)
            index[channel] += struct.pack('<QQ', time_ns, place)
        place += RECORD_HEAD + len(content)
    return definitions, {channel: bytes(entries) for channel, entries in index.items()}


def chunk_record(messages: bytes, begin_ns: int, end_ns: int, compression: str,
                 packed: bytes) -> bytes:
    """Return a chunk of records of messages, with their CRC-32 and `packed` form."""
    return record(CHUNK, _CHUNK.pack(
        begin_ns, end_ns, len(messages), crc32(messages), len(compression))
        + compression.encode() + len(packed).to_bytes(8, 'little') + packed)


def end_of(chunks: Sequence[Chunk]) -> tuple[int, int]:
    """Return where the chunks of a file end [byte], and the CRC-32 of the file up to there."""
    return (chunks[-1].end, chunks[-1].checksum) if chunks else (len(HEAD), crc32(HEAD))


def counts_of(chunks: Iterable[Chunk]) -> Counter[int]:
    """Return how many messages chunks have, by channel."""
    counts: Counter[int] = Counter()
    for chunk in chunks:
        counts.update(chunk.counts)
    return counts


def times_of(chunks: Iterable[Chunk], none: int) -> tuple[int, int]:
    """Return the first log time of messages [ns], `none` where there are none, and the last."""
    timed = [chunk for chunk in chunks if chunk.counts]
    return (min((chunk.begin_ns for chunk in timed), default=none),
            max((chunk.end_ns for chunk in timed), default=0))


def end_of_file(definitions: list[bytes], chunks: Sequence[Chunk], metadata: str) -> bytes:
    """Return what follows the chunks of a file: metadata, summary, footer, with all checksums."""
    place, before = end_of(chunks)
    pair = string('serialized_metadata') + string(metadata)
    first = record(METADATA, string(_METADATA_NAME) + len(pair).to_bytes(4, 'little') + pair)
    first += record(DATA_END, crc32(first, before).to_bytes(CHECKSUM, 'little'))
    counts = {channel_of(each): 0 for each in definitions if each[0] == CHANNEL}
    counts |= counts_of(chunks)
    schemas = [each for each in definitions if each[0] == SCHEMA]
    numbers = b''.join(struct.pack('<HQ', *each) for each in sorted(counts.items()))
    groups = {
        SCHEMA: b''.join(schemas),
        CHANNEL: b''.join(each for each in definitions if each[0] == CHANNEL),
        CHUNK_INDEX: b''.join(chunk.entry for chunk in chunks),
        METADATA_INDEX: record(METADATA_INDEX, struct.pack(
            '<QQ', place, len(first) - RECORD_HEAD - CHECKSUM) + string(_METADATA_NAME)),
        STATISTICS: record(STATISTICS, struct.pack(
            '<QHIIIIQQI', sum(counts.values()), len(schemas), len(definitions) - len(schemas),
            0, 1, len(chunks), *times_of(chunks, _NONE_NS), len(numbers)) + numbers)}
    at = start = place + len(first)
    offsets = b''
    for opcode, group in groups.items():
        if group:
            offsets += record(SUMMARY_OFFSET, struct.pack('<BQQ', opcode, at, len(group)))
        at += len(group)
    summary = b''.join(groups.values()) + offsets + _HEAD.pack(END, 20) + struct.pack(
        '<QQ', start, at)
    return first + summary + crc32(summary).to_bytes(CHECKSUM, 'little') + MAGIC


def channel_of(channel_record: bytes) -> int:
    """Return the number of the channel that a record defines."""
    return int.from_bytes(channel_record[RECORD_HEAD:RECORD_HEAD + 2], 'little')


def checksum_of(file: BinaryIO, length: int) -> int:
    """Return the CRC-32 of the beginning of a file."""
    file.seek(0)
    checksum = 0
    while length > 0 and (block := file.read(min(length, _BLOCK))):
        checksum, length = crc32(block, checksum), length - len(block)
    return checksum


def unpacked(data: bytes, compression: str, size: int, checksum: int) -> bytes:
    """Return records by their size [byte] and CRC-32, 0: none; raise `ValueError` for others."""
    try:
        if size > LARGEST_CHUNK:
            raise ReaderError(f'it would have {1e-9 * size:.1f} GB, at most '
                              f'{1e-9 * LARGEST_CHUNK:.1f} are read')
        if compression == 'zstd':  # no more than it says, whatever is in it
            data = ZSTD.ZstdDecompressor().decompress(data, size + 1)
            compression = ''
        records: bytes = storage_mcap.decompress(data, compression, size, checksum)
    except _DAMAGED as error:
        raise ValueError(f'a chunk is damaged: {str(error) or type(error).__name__}') from error
    return records
