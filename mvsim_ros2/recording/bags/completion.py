# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Completion of a bag whose process was killed: ends of its files and `metadata.yaml`."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
import re
import shutil
import sqlite3
from typing import NamedTuple

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.mcap_records import fields_of, RECORD_HEAD, SCHEMA
from mvsim_ros2.recording.bags.mcap_salvage import Gap, rewrite
from mvsim_ros2.recording.bags.sqlite_file import complete_sqlite
from mvsim_ros2.recording.bags.storage import as_text, BagFile, Definition, metadata
from mvsim_ros2.recording.serialiser import STORE

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
