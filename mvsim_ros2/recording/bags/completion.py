# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Completion of a bag whose process was killed: ends of its files and `metadata.yaml`."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
import re
import sqlite3
import struct
from typing import BinaryIO, NamedTuple

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.mcap_records import (
    CHANNEL, checksum_of, Chunk, CHUNK_CHECKSUM, chunks_of, end_of_file, MAGIC, MESSAGE, record,
    RECORD_HEAD, records_in, SCHEMA, unpacked)
from mvsim_ros2.recording.bags.sqlite_file import complete_sqlite
from mvsim_ros2.recording.bags.storage import as_text, BagFile, Definition, metadata
from mvsim_ros2.recording.serialiser import STORE

_ZSTD_MAGIC = b'\x28\xb5\x2f\xfd'


class _Part(NamedTuple):
    """A file of messages."""

    topics: list[Definition]
    contents: BagFile
    compressed: bool = False  # each message


def complete_bag(folder: Path) -> int:
    """
    Complete the files of a bag and write its metadata.

    :returns: log time of the last message [ns], 0 where there is none.
    :raises RecordingError: where messages before the end are damaged, or no file is there.
    :raises OSError, sqlite3.Error: where a file cannot be read or written.
    """
    found = {'mcap': _in_order(folder.glob('*.mcap')), 'sqlite3': _in_order(folder.glob('*.db3'))}
    kind = 'sqlite3' if found['sqlite3'] else 'mcap'
    complete = _complete_sqlite if found['sqlite3'] else _complete_mcap
    parts: list[_Part] = []
    for path in found[kind]:
        part = complete(path)
        if part.topics or not parts:
            parts.append(part)
        else:  # it had just been begun
            path.unlink()
    if not parts:
        raise RecordingError(f'{folder}: there is no file of messages')
    text = as_text(metadata(kind, parts[0].topics, [part.contents for part in parts],
                            parts[0].compressed), whole=True)
    folder.joinpath('metadata.yaml').write_text(text, encoding='utf-8')
    return max(part.contents.end_ns for part in parts)


def _in_order(paths: Iterator[Path]) -> list[Path]:
    """Return files by the number at the end of their name."""
    return sorted(paths, key=lambda path: [
        int(part) if part.isdigit() else -1 for part in re.findall(r'_(\d+)\.', path.name)])


def _complete_mcap(path: Path) -> _Part:
    """Cut a file after its last whole chunk, and write its end."""
    with path.open('r+b') as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise RecordingError(f'{path}: it is no MCAP file')
        chunks, definitions = _whole_chunks(path, file)
        size = chunks[-1].end if chunks else len(MAGIC) + _size_of_head(file)
        topics = _topics(definitions)
        counts: Counter[int] = Counter()
        for chunk in chunks:
            counts.update(chunk.counts)
        timed = [chunk for chunk in chunks if chunk.counts]
        contents = BagFile(path.name, min((chunk.begin_ns for chunk in timed), default=0),
                           max((chunk.end_ns for chunk in timed), default=0), counts)
        text = as_text(metadata('mcap', topics, [contents], False), whole=False)
        end = end_of_file(size, checksum_of(file, size), definitions, chunks, text)
        file.seek(size)
        file.truncate()
        file.write(end)
    return _Part(topics, contents)


def _size_of_head(file: BinaryIO) -> int:
    """Return the size of the first record."""
    file.seek(len(MAGIC))
    head = file.read(RECORD_HEAD)
    return RECORD_HEAD + int.from_bytes(head[1:], 'little')


def _whole_chunks(path: Path, file: BinaryIO) -> tuple[list[Chunk], list[bytes]]:
    """Return the chunks up to the end of the file or its torn end, and all definitions."""
    whole: list[Chunk] = []
    definitions: dict[bytes, None] = {}
    torn = None
    for chunk in chunks_of(file):
        if torn is not None:
            raise RecordingError(
                f'{path}: messages from {1e-9 * torn.begin_ns:.3f} s to '
                f'{1e-9 * torn.end_ns:.3f} s are damaged, and there are messages after them: '
                'this cannot be repaired')
        counts: Counter[int] = Counter()
        found: list[bytes] = []
        try:
            for opcode, content in records_in(_messages(file, chunk)):
                if opcode in (SCHEMA, CHANNEL):
                    found.append(record(opcode, content))
                elif opcode == MESSAGE:
                    counts[int.from_bytes(content[:2], 'little')] += 1
        except ValueError:
            torn = chunk
            continue
        if counts != chunk.counts:
            torn = chunk
            continue
        whole.append(chunk)
        definitions |= dict.fromkeys(found)
    return whole, list(definitions)


def _messages(file: BinaryIO, chunk: Chunk) -> bytes:
    """
    Return the records in a chunk, after a look at its checksum.

    :raises ValueError: where they are damaged.
    """
    file.seek(chunk.place)
    data = file.read(chunk.size)
    (checksum,) = struct.unpack_from('<I', data, CHUNK_CHECKSUM)
    return unpacked(data[-chunk.packed:] if chunk.packed else b'', chunk.compression,
                    chunk.unpacked, checksum)


def _topics(definitions: list[bytes]) -> list[Definition]:
    """Return the topics of schema and channel records."""
    schemas, topics = {}, []
    for each in definitions:
        words = _Words(each[RECORD_HEAD:])
        if each[0] == SCHEMA:
            number, name, _, text = words.number(), words.string(), words.string(), words.string()
            schemas[number] = name, text
        else:
            number, (name, text) = words.number(), schemas[words.number()]
            topic, _ = words.string(), words.string()
            words.place += 4  # size of what follows
            words.string()
            topics.append(Definition(number, topic, name, text, _digest(name), words.string()))
    return topics


class _Words:
    """Reads numbers and strings from bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def number(self) -> int:
        """Return a number of two bytes."""
        self.place += 2
        return int.from_bytes(self.data[self.place - 2:self.place], 'little')

    def string(self) -> str:
        """Return a string."""
        size = int.from_bytes(self.data[self.place:self.place + 4], 'little')
        self.place += 4 + size
        return self.data[self.place - size:self.place].decode()


def _digest(message_type: str) -> str:
    return STORE.hash_rihs01(message_type) if message_type in STORE.types else ''


def _complete_sqlite(path: Path) -> _Part:
    """Undo what was not flushed, and write the metadata of a file."""
    with closing(sqlite3.connect(path)) as database:
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
        contents = BagFile(path.name, first or 0, last or 0, counts)
        compressed = one is not None and bytes(one[0]).startswith(_ZSTD_MAGIC)
        complete_sqlite(database, as_text(
            metadata('sqlite3', topics, [contents], compressed), whole=False))
    return _Part(topics, contents, compressed)
