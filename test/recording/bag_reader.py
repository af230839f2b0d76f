# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags as two independent readers see them: `rosbags` and `mcap`."""

from collections import Counter
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from mcap.exceptions import McapError
from mcap.reader import make_reader
from mcap.records import Channel, Chunk
from mcap.stream_reader import breakup_chunk, StreamReader
from rosbags.rosbag2 import Reader


class Message(NamedTuple):
    """A message of a bag."""

    topic: str
    time_ns: int
    data: bytes


def by_rosbags(folder: Path) -> list[Message]:
    with Reader(folder) as reader:
        return [Message(connection.topic, time_ns, bytes(data))
                for connection, time_ns, data in reader.messages()]


def by_mcap(folder: Path) -> list[Message]:
    (path,) = folder.glob('*.mcap')
    return by_mcap_file(path)


def by_mcap_file(path: Path) -> list[Message]:
    """Return all messages of a file, as `mcap` reads them."""
    with path.open('rb') as file:
        return [Message(channel.topic, message.log_time, message.data)
                for _, channel, message in make_reader(file).iter_messages()]


def by_recovery(path: Path) -> list[Message]:
    """Return the messages of an MCAP file without its end, as `mcap recover` does."""
    topics: dict[int, str] = {}
    messages = []
    with path.open('rb') as file:
        try:
            for chunk in StreamReader(file, emit_chunks=True).records:
                for record in breakup_chunk(chunk) if isinstance(chunk, Chunk) else ():
                    if isinstance(record, Channel):
                        topics[record.id] = record.topic
                    elif hasattr(record, 'log_time'):
                        messages.append(Message(
                            topics[record.channel_id], record.log_time, record.data))
        except McapError:
            pass  # the file is cut off here
    return messages


def hashes(messages: list[Message]) -> dict[str, str]:
    """Return the hash of each topic, as `run.json` has it."""
    digests: dict[str, Any] = {}
    for message in messages:
        digest = digests.setdefault(message.topic, hashlib.sha256())
        digest.update(message.time_ns.to_bytes(8, 'little') + message.data)
    return {topic: digest.hexdigest() for topic, digest in digests.items()}


def written(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / 'run.json').read_text())
    return data


def check_whole(folder: Path) -> int:
    """Check that a bag holds what its metadata say; return how many messages that are."""
    messages = by_rosbags(folder)
    counts = Counter(message.topic for message in messages)
    with Reader(folder) as reader:
        assert reader.message_count == len(messages)
        assert counts == {
            each.topic: each.msgcount for each in reader.connections if each.msgcount}
    assert {name: topic['messages'] for name, topic in written(folder)['topics'].items()
            if topic['messages']} == counts
    return len(messages)
