# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Check of any bag of rosbag2: checksums and indices of MCAP, integrity of SQLite, counts.

A bag of another program has no hashes of its messages, so only its own consistency can be checked.
"""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
import mmap
from pathlib import Path
import sqlite3
import struct
from typing import Any
from urllib.parse import quote
from zlib import crc32

import yaml

from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.mcap_records import (
    CHANNEL, CHECKSUM, checksum_of, CHUNK, CHUNK_INDEX, DATA_END, END, fields_of, FOOTER, index_of,
    MAGIC, MESSAGE, MESSAGE_INDEX, RECORD_HEAD, STATISTICS, unpacked)
from mvsim_ros2.recording.bags.salvage import Gap, mapped, salvaged

METADATA = 'metadata.yaml'
STORAGE = '.mcap', '.db3'
_CHUNK = struct.Struct('<QQQII')  # first and last time, size, checksum, length of compression
_STATISTICS = struct.Struct('<QHIIIIQQI')
_SHOWN = 5  # damages of one file

Index = dict[int, set[tuple[int, int]]]  # times and places of the messages of a chunk, by channel


@dataclass
class Verdict:
    """Faults of a bag, unread parts, and parts that cannot be judged; a sentence each."""

    damages: list[str] = field(default_factory=list)
    unjudged: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)  # of messages by topic


def is_bag(folder: Path) -> bool:
    """Return whether a folder holds a bag."""
    return folder.is_dir() and ((folder / METADATA).is_file() or any(
        each.suffix in STORAGE for each in folder.iterdir()))


def verify_bag(folder: Path) -> Verdict:
    """Check a bag; raise `RecordingError` where this is none."""
    if not is_bag(folder):
        raise RecordingError(f'{folder}: this is no bag: it has neither {METADATA} nor files '
                             f'*{STORAGE[0]} or *{STORAGE[1]}')
    verdict = Verdict()
    about = _metadata(folder, verdict)
    names = about.get('relative_file_paths') or sorted(
        each.name for each in folder.iterdir() if each.suffix in STORAGE)
    foreign = False  # whether there are files that cannot be read
    for name in map(str, names):
        path = folder / name
        if not path.is_file():
            verdict.damages.append(f'{path}: it is missing')
        elif path.suffix == '.mcap':
            _verify_mcap(path, verdict)
        elif path.suffix == '.db3':
            _verify_sqlite(path, verdict)
        else:
            verdict.damages.append(f'{path}: cannot read files of this kind: decompress it first')
            foreign = True
    if about and not foreign:
        _compare_counts(folder, about, verdict)
    verdict.unjudged.append(f'{folder}: whether the messages are those that were recorded: a bag '
                            'without run.json has no hashes of them')
    return verdict


def _metadata(folder: Path, verdict: Verdict) -> dict[str, Any]:
    """Return what `metadata.yaml` says, nothing where it cannot be read, which is reported."""
    path = folder / METADATA
    try:
        about = yaml.safe_load(path.read_bytes())['rosbag2_bagfile_information']
        if not isinstance(about, dict) or not isinstance(
                about.get('relative_file_paths') or [], list):
            raise ValueError('it describes no bag')
    except FileNotFoundError:
        verdict.damages.append(f'{path}: it is missing: create it with "ros2 bag reindex"')
    except (OSError, ValueError, TypeError, KeyError, RecursionError, yaml.YAMLError) as error:
        verdict.damages.append(f'{path}: it is damaged: {" ".join(str(error).split())[:200]}')
    else:
        return about
    return {}


def _compare_counts(folder: Path, about: dict[str, Any], verdict: Verdict) -> None:
    """Compare the numbers of messages with those that `metadata.yaml` says."""
    try:
        said = {str(each['topic_metadata']['name']): int(each['message_count'])
                for each in about.get('topics_with_message_count') or ()}
        total = int(about.get('message_count', sum(said.values())))
    except (TypeError, KeyError, ValueError) as error:
        verdict.damages.append(f'{folder / METADATA}: its numbers of messages are damaged: '
                               f'{error}')
        return
    found = verdict.counts
    verdict.damages += [
        f'{folder}: {name} has {found[name]} messages, {METADATA} says {said.get(name, 0)}'
        for name in sorted(found.keys() | said.keys()) if found[name] != said.get(name, 0)]
    if total != sum(said.values()):
        verdict.damages.append(f'{folder / METADATA}: its message_count is {total}, its topics '
                               f'have {sum(said.values())}')


def _verify_sqlite(path: Path, verdict: Verdict) -> None:
    try:
        with closing(sqlite3.connect(f'file:{quote(str(path))}?mode=ro', uri=True)) as database:
            said = [row[0] for row in database.execute('PRAGMA integrity_check')]
            verdict.damages += [f'{path}: {line}' for line in said[:_SHOWN] if line != 'ok']
            names = dict(database.execute('SELECT id, name FROM topics'))
            for topic, count in database.execute(
                    'SELECT topic_id, COUNT(*) FROM messages GROUP BY topic_id'):
                if topic in names:
                    verdict.counts[names[topic]] += count
                else:
                    verdict.damages.append(f'{path}: {count} messages are of no topic')
    except (sqlite3.Error, UnicodeError) as error:
        verdict.damages.append(f'{path}: it cannot be read: {error}')
    verdict.unjudged.append(f'{path}: whether bytes within its messages have changed: SQLite has '
                            'no checksums')


def damages_of(path: Path) -> list[str]:
    """Return what is damaged in an MCAP file of this package, nothing where it is whole."""
    with mapped(path) as data:
        gaps = [str(part) for part in salvaged(data) if isinstance(part, Gap)]
    return gaps or _checked(path).damages


def _checked(path: Path) -> '_Mcap':
    with mapped(path) as data:
        check = _Mcap(data)
        try:
            check.walk()
        except (ValueError, struct.error) as error:
            check.wrong(f'it ends or is damaged at byte {check.place}: {error}')
        data_end = check.data_end
    if data_end is not None and data_end[1]:
        with path.open('rb') as file:
            if checksum_of(file, data_end[0]) != data_end[1] and not check.damages:
                check.wrong('the checksum of its data is wrong')
    return check


def _verify_mcap(path: Path, verdict: Verdict) -> None:
    check = _checked(path)
    more = f' (and {len(check.damages) - _SHOWN} more)' if len(check.damages) > _SHOWN else ''
    verdict.damages += [f'{path}: {each}{more if number == _SHOWN - 1 else ""}'
                        for number, each in enumerate(check.damages[:_SHOWN])]
    verdict.unjudged += [f'{path}: {each}' for each in check.unjudged()]
    for channel, count in check.counts.items():
        verdict.counts[check.topics.get(channel, f'channel {channel}')] += count


class _Mcap:
    """Looks at the records of an MCAP file (https://mcap.dev/spec), one after the other."""

    def __init__(self, data: mmap.mmap | bytes) -> None:
        self._data = data
        self.place = 0
        self.damages: list[str] = []
        self.topics: dict[int, str] = {}
        self.counts: Counter[int] = Counter()
        self.data_end: tuple[int, int] | None = None  # its place, and the checksum before it
        self._chunks: dict[int, tuple[int, int]] = {}  # places and times: size, first time
        self._unchecked = 0  # chunks without a checksum
        self._index: Index = {}  # of the last chunk, what is not named in its index yet
        self._lacking = self._indexed = 0
        self._summary_checked = False

    def wrong(self, text: str) -> None:
        """Add a damage."""
        self.damages.append(text)

    def walk(self) -> None:
        """Look at all records; raises ValueError where one is cut off."""
        data, self.place = self._data, len(MAGIC)
        if data[:self.place] != MAGIC:
            raise ValueError('this is no MCAP file')
        while True:
            tell(self.place, len(data), 'bytes')
            opcode, size = struct.unpack_from('<BQ', data, self.place)
            begin = self.place + RECORD_HEAD
            if begin + size > len(data):
                raise ValueError('a record is cut off')
            if opcode == END:
                self._finish(begin)
                return
            if opcode in self._KINDS:
                self._KINDS[opcode](self, data[begin:begin + size])
            if opcode not in (MESSAGE_INDEX, CHUNK) and self._index:
                self._end_index()
            self.place = begin + size

    def _channel(self, body: bytes) -> None:
        channel, _, name = fields_of(body, 'nns')
        self.topics[channel] = name

    def _message(self, body: bytes) -> None:
        self.counts[int.from_bytes(body[:2], 'little')] += 1

    def _chunk(self, body: bytes) -> None:
        self._end_index()
        begin_ns, end_ns, length, checksum, name = _CHUNK.unpack_from(body)
        self._chunks[self.place] = len(body) + RECORD_HEAD, begin_ns
        at = _CHUNK.size + name
        self._unchecked += not checksum
        try:
            compression = body[_CHUNK.size:at].decode('ascii')
            definitions, entries = index_of(unpacked(body[at + 8:], compression, length, checksum))
        except (ValueError, struct.error) as error:
            self.wrong(f'the chunk at byte {self.place}, from {1e-9 * begin_ns:.3f} s to '
                       f'{1e-9 * end_ns:.3f} s: {error}')
            return
        for each in definitions:
            if each[0] == CHANNEL:
                self._channel(each[RECORD_HEAD:])
        self._index = {channel: set(struct.iter_unpack('<QQ', each))
                       for channel, each in entries.items()}
        self.counts.update({channel: len(each) // 16 for channel, each in entries.items()})
        times = [time for found in self._index.values() for time, _ in found]
        if times and not begin_ns <= min(times) <= max(times) <= end_ns:
            self.wrong(f'the chunk at byte {self.place} holds messages outside of its times')

    def _message_index(self, body: bytes) -> None:
        channel, length = struct.unpack_from('<HI', body)
        found = set(struct.iter_unpack('<QQ', body[6:6 + length]))
        self._indexed += 1
        if found != self._index.pop(channel, set()):
            self.wrong(f'the index at byte {self.place} does not name the messages of '
                       f'{self.topics.get(channel, channel)}')

    def _end_index(self) -> None:
        """Count the channels of a chunk that its index lacks."""
        self._lacking += len(self._index)
        self._index = {}

    def _chunk_index(self, body: bytes) -> None:
        begin_ns, _, start, size = struct.unpack_from('<QQQQ', body)
        if self._chunks.get(start) != (size, begin_ns):
            self.wrong(f'the summary names a chunk at byte {start}, where there is none like it')

    def _statistics(self, body: bytes) -> None:
        messages, _, _, _, _, chunks, *_ = _STATISTICS.unpack_from(body)
        if messages != self.counts.total() or chunks != len(self._chunks):
            self.wrong(f'the summary says {messages} messages in {chunks} chunks, there are '
                       f'{self.counts.total()} in {len(self._chunks)}')

    def _data_end(self, body: bytes) -> None:
        self.data_end = self.place, int.from_bytes(body[:CHECKSUM], 'little')

    def _finish(self, begin: int) -> None:
        """Check the end of the file."""
        data = self._data
        start, _, checksum = struct.unpack_from('<QQI', data, begin)
        if data[begin + 20:] != MAGIC or len(data) - begin != FOOTER - RECORD_HEAD:
            self.wrong('there is data after its end')
        if start and checksum:
            self._summary_checked = True
            if crc32(data[start:begin + 16]) != checksum:
                self.wrong('the checksum of its summary is wrong')
        if self._indexed and self._lacking:
            self.wrong(f'the indices of its chunks lack {self._lacking} of their topics')

    def unjudged(self) -> list[str]:
        """Return what the file has no means to check."""
        found = []
        if self._unchecked:
            found.append(f'{self._unchecked} of {len(self._chunks)} chunks have no checksum')
        if not self._chunks and self.counts and not (self.data_end and self.data_end[1]):
            found.append('its messages have no checksum')
        if not self._summary_checked:
            found.append('its summary has no checksum')
        return found

    _KINDS = {CHANNEL: _channel, MESSAGE: _message, CHUNK: _chunk, MESSAGE_INDEX: _message_index,
              CHUNK_INDEX: _chunk_index, STATISTICS: _statistics, DATA_END: _data_end}
