# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The intact and damaged parts of an MCAP file of this package, and completion of killed bags.

Layout: https://mcap.dev/spec. Every byte is in a section with a CRC-32: a chunk, the data before
the summary, or the summary. Behind damage the next chunk is found by its checksum.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
import mmap
from pathlib import Path
import re
import shutil
import sqlite3
import struct
from typing import NamedTuple
from zlib import crc32

from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.mcap_records import (
    CHANNEL, channel_of, CHECKSUM, CHUNK, Chunk, CHUNK_INDEX, counts_of, END, end_of, end_of_file,
    fields_of, FOOTER, HEAD, index_of, MAGIC, METADATA, placed, record, RECORD_HEAD, records_in,
    SCHEMA, times_of, unpacked)
from mvsim_ros2.recording.bags.storage import (
    as_text, BagFile, complete_sqlite, Definition, metadata)
from mvsim_ros2.recording.serialiser import STORE

_CHUNK = struct.Struct('<BQQQQII')  # opcode, size, first and last time, size, CRC, compression
_LONGEST_NAME = 8  # of a compression

Describe = Callable[[list[bytes], BagFile], str]


class WholeChunk(NamedTuple):
    """A chunk whose checksum holds, as it can be written into another file."""

    begin_ns: int
    end_ns: int
    record: bytes
    entries: dict[int, bytes]  # of the message index by channel
    definitions: list[bytes]  # records of schemas and channels


@dataclass(frozen=True)
class Gap:
    """A part of a file that cannot be read."""

    after_ns: int  # log time of the last message before it, 0 for none
    before_ns: int | None  # of the first message behind it, None for none
    topics: tuple[str, ...] = ()  # that have messages there, where the summary is whole

    def __str__(self) -> str:
        what = ', '.join(self.topics) or 'messages'
        if self.before_ns is None:
            return f'{what} after {1e-9 * self.after_ns:.3f} s are damaged or cut off'
        return (f'{what} are damaged: from {1e-9 * self.after_ns:.3f} s to '
                f'{1e-9 * self.before_ns:.3f} s')


@contextmanager
def mapped(path: Path) -> Iterator[mmap.mmap | bytes]:
    """Provide the bytes of a file, without reading it whole."""
    with path.open('rb') as file:
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # it is empty
            yield b''
            return
        with data:
            yield data


def salvaged(data: mmap.mmap | bytes) -> Iterator[WholeChunk | Gap]:
    """Yield the whole chunks of a file, and the gaps between and behind them."""
    topics, entries = _summary_of(data)
    place, last_ns = _end_of_head(data), 0
    while place < len(data):
        tell(place, len(data), 'bytes')
        begin, found = place, _chunk_at(data, place)
        if found is None:
            if data[place] == METADATA:
                return  # the end of a file, without a gap
            place, found = _next_chunk(data, place + 1)
            named = {channel for first, size, channels in entries
                     if first < place and first + size > begin for channel in channels}
            yield Gap(last_ns, None if found is None else found.begin_ns,
                      tuple(sorted(topics.get(channel, '?') for channel in named)))
            if found is None:
                return
        yield found
        last_ns = max(last_ns, found.end_ns)
        place += len(found.record) + sum(
            RECORD_HEAD + 6 + len(each) for each in found.entries.values())  # its index


def _end_of_head(data: mmap.mmap | bytes) -> int:
    """Return where the first chunk should begin."""
    head = data[len(MAGIC):len(MAGIC) + RECORD_HEAD]
    size = int.from_bytes(head[1:], 'little')
    return len(MAGIC) + (RECORD_HEAD + size if size < 1000 else 0)


def _next_chunk(data: mmap.mmap | bytes, place: int) -> tuple[int, WholeChunk | None]:
    """Return the next whole chunk from a place on, and where it is; else the end of the file."""
    while (place := data.find(bytes([CHUNK]), place)) >= 0:
        found = _chunk_at(data, place)
        if found is not None:
            return place, found
        place += 1
    return len(data), None


def _chunk_at(data: mmap.mmap | bytes, place: int) -> WholeChunk | None:
    """Return the chunk at a place, whatever its opcode; None where its checksum does not hold."""
    at = place + _CHUNK.size
    if at > len(data):
        return None
    _, size, begin_ns, end_ns, length, checksum, name = _CHUNK.unpack_from(data, place)
    end = place + RECORD_HEAD + size
    at += name
    if not checksum or name > _LONGEST_NAME or end > len(data) or at + 8 > end or (
            at + 8 + int.from_bytes(data[at:at + 8], 'little') != end):
        return None
    compression = data[at - name:at].decode('ascii', 'replace')
    try:
        records = unpacked(data[at + 8:end], compression, length, checksum)
        definitions, index = index_of(records)
    except (ValueError, struct.error):
        return None
    return WholeChunk(begin_ns, end_ns, bytes([CHUNK]) + data[place + 1:end], index, definitions)


def _summary_of(data: mmap.mmap | bytes) -> tuple[
        dict[int, str], list[tuple[int, int, list[int]]]]:
    """Return topics by channel, and place, size and channels of chunks; of a whole summary."""
    topics: dict[int, str] = {}
    chunks = []
    for opcode, body in _summary_records(data):
        if opcode == CHANNEL:
            channel, _, name = fields_of(body, 'nns')
            topics[channel] = name
        elif opcode == CHUNK_INDEX:
            _, _, start, whole, offsets = struct.unpack_from('<QQQQI', body)
            chunks.append((start, whole, [
                each for each, _ in struct.iter_unpack('<HQ', body[36:36 + offsets])]))
    return topics, chunks


def _summary_records(data: mmap.mmap | bytes) -> list[tuple[int, bytes]]:
    """Return the records of the summary, none where it is damaged."""
    if len(data) < len(MAGIC) + FOOTER:
        return []
    opcode, size, place, _, checksum = struct.unpack('<BQQQI', data[-FOOTER:-len(MAGIC)])
    if data[-len(MAGIC):] != MAGIC or (opcode, size) != (END, 20) or not (
            len(MAGIC) <= place <= len(data) - FOOTER) or not checksum or (
            crc32(data[place:-len(MAGIC) - CHECKSUM]) != checksum):
        return []
    return list(records_in(data[place:len(data) - FOOTER]))


def rewrite(source: Path, target: Path, describe: Describe) -> tuple[list[Gap], BagFile]:
    """Write all whole chunks of a file and an end; return what is lost and what there is."""
    gaps: list[Gap] = []
    chunks: list[Chunk] = []
    definitions: dict[bytes, None] = {}
    with mapped(source) as data, target.open('xb') as file:
        file.write(HEAD)
        for part in salvaged(data):
            if isinstance(part, Gap):
                gaps.append(part)
                continue
            definitions |= dict.fromkeys(part.definitions)
            chunk, content = placed(part.record, part.entries, *end_of(chunks))
            chunks.append(chunk)
            file.write(content)
        if not chunks and data[:len(MAGIC)] != MAGIC:
            raise RecordingError(f'{source}: it is no MCAP file')
        definitions |= dict.fromkeys(
            record(opcode, body) for opcode, body in _summary_records(data)
            if opcode in (SCHEMA, CHANNEL))
        counts = counts_of(chunks)
        known = {channel_of(each) for each in definitions if each[0] == CHANNEL}
        if not counts.keys() <= known:
            raise RecordingError(f'{source}: both copies of the message definitions are damaged')
        contents = BagFile(target.name, *times_of(chunks, 0), counts)
        file.write(end_of_file(list(definitions), chunks, describe(list(definitions), contents)))
    return gaps, contents


_ZSTD_MAGIC = b'\x28\xb5\x2f\xfd'


class _Part(NamedTuple):
    """A file of messages."""

    topics: list[Definition]
    contents: BagFile
    gaps: list[Gap]
    compressed: bool = False  # each message


def complete_bag(source: Path, target: Path) -> tuple[int, list[str]]:
    """
    Write what is whole of the files of a bag into another folder, with their ends and metadata.

    :returns: log time of the last message [ns], 0 where there is none, and sentences on what
        could not be read.
    """
    found = {'mcap': _in_order(source.glob('*.mcap')), 'sqlite3': _in_order(source.glob('*.db3'))}
    kind = 'sqlite3' if found['sqlite3'] else 'mcap'
    complete = _complete_sqlite if found['sqlite3'] else _complete_mcap
    parts: list[_Part] = []
    for path in found[kind]:
        part = complete(path, target / path.name)
        if part.topics or not parts:
            parts.append(part)
        else:  # it had just been begun
            (target / path.name).unlink()
    if not parts:
        raise RecordingError(f'{source}: there is no file of messages')
    text = as_text(metadata(kind, parts[0].topics, [part.contents for part in parts],
                            parts[0].compressed), whole=True)
    target.joinpath('metadata.yaml').write_text(text, encoding='utf-8')
    return (max(part.contents.end_ns for part in parts),
            [f'{part.contents.name}: {gap}' for part in parts for gap in part.gaps])


def _in_order(paths: Iterator[Path]) -> list[Path]:
    """Return files by the number at the end of their name."""
    return sorted(paths, key=lambda path: [
        int(part) if part.isdigit() else -1 for part in re.findall(r'_(\d+)\.', path.name)])


def _complete_mcap(source: Path, target: Path) -> _Part:
    """Write the whole chunks of a file into another one."""
    topics: list[Definition] = []

    def describe(definitions: list[bytes], contents: BagFile) -> str:
        topics.extend(_topics(definitions))
        return as_text(metadata('mcap', topics, [contents], False), whole=False)

    gaps, contents = rewrite(source, target, describe)
    return _Part(topics, contents, gaps)


def _topics(definitions: list[bytes]) -> list[Definition]:
    """Return the topics of schema and channel records."""
    schemas, topics = {}, []
    for each in definitions:
        body = each[RECORD_HEAD:]
        if each[0] == SCHEMA:
            number, name, _, text = fields_of(body, 'nsss')
            schemas[number] = name, text
        else:
            number, schema, topic, _, _, _, qos = fields_of(body, 'nnssmss')
            topics.append(Definition(
                number, topic, *schemas[schema], _digest(schemas[schema][0]), qos))
    return topics


def _digest(message_type: str) -> str:
    return STORE.hash_rihs01(message_type) if message_type in STORE.types else ''


def _complete_sqlite(source: Path, target: Path) -> _Part:
    """Copy a file without what was not flushed, and write its metadata."""
    for each in source.parent.glob(f'{source.name}*'):  # with its journal
        shutil.copyfile(each, target.with_name(each.name))
    with closing(sqlite3.connect(target)) as database:
        definitions = dict(database.execute(
            'SELECT topic_type, encoded_message_definition FROM message_definitions'))
        topics = [Definition(number, name, kind, definitions.get(kind, ''), digest, qos)
                  for number, name, kind, qos, digest in database.execute(
                      'SELECT id, name, type, offered_qos_profiles, type_description_hash '
                      'FROM topics ORDER BY id')]
        counts = dict(database.execute(
            'SELECT topic_id, COUNT(*) FROM messages GROUP BY topic_id'))
        ((first, last),) = database.execute(
            'SELECT MIN(timestamp), MAX(timestamp) FROM messages')
        one = database.execute('SELECT data FROM messages LIMIT 1').fetchone()
        contents = BagFile(target.name, first or 0, last or 0, counts)
        compressed = one is not None and bytes(one[0]).startswith(_ZSTD_MAGIC)
        complete_sqlite(database, as_text(
            metadata('sqlite3', topics, [contents], compressed), whole=False))
    return _Part(topics, contents, [], compressed)
