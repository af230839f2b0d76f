# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of files of messages, and the description of a bag."""

from collections.abc import Mapping, Sequence
import sqlite3
from typing import Any, NamedTuple

import yaml

METADATA_VERSION = 9
FAILURES = OSError, sqlite3.Error  # errors of a full disk

_IDL = '=' * 80 + '\nIDL: '
_NONE_NS = 2 ** 63 - 1  # start of a bag without messages, as rosbag2 has it


class Contents(NamedTuple):
    """Contents of a file after its truncation."""

    counts: Mapping[int, int]  # number of messages by connection
    last_ns: int  # latest log time, 0 where there is no message


class Definition(NamedTuple):
    """A topic, as a file describes it."""

    number: int  # from 1 on
    name: str
    message_type: str  # with its package and msg: sensor_msgs/msg/Imu
    definition: str  # of the type
    digest: str  # of the type, as rosbag2 has it
    qos: str  # offered, as YAML

    @property
    def is_idl(self) -> bool:
        """Return whether the definition is in IDL."""
        return self.definition.startswith(_IDL)


class BagFile(NamedTuple):
    """The content of a file of messages."""

    name: str
    begin_ns: int  # log time of the first message
    end_ns: int
    counts: Mapping[int, int]  # numbers of messages by topic

    @property
    def messages(self) -> int:
        """Return how many messages it has."""
        return sum(self.counts.values())


def metadata(storage: str, topics: Sequence[Definition], files: Sequence[BagFile],
             compressed: bool) -> dict[str, Any]:
    """
    Return the description of a bag, or of one of its files.

    :param storage: 'mcap' or 'sqlite3'.
    """
    filled = [each for each in files if each.messages]
    begin_ns = min((each.begin_ns for each in filled), default=_NONE_NS)
    end_ns = max((each.end_ns for each in filled), default=0)
    return {
        'version': METADATA_VERSION, 'storage_identifier': storage,
        'relative_file_paths': [each.name for each in files], **_span(begin_ns, end_ns),
        'message_count': sum(each.messages for each in files),
        'topics_with_message_count': [{
            'topic_metadata': {
                'name': topic.name, 'type': topic.message_type, 'serialization_format': 'cdr',
                'offered_qos_profiles': yaml.safe_load(topic.qos) or [],
                'type_description_hash': topic.digest},
            'message_count': sum(each.counts.get(topic.number, 0) for each in files)}
            for topic in topics],
        'compression_format': 'zstd' if compressed else '',
        'compression_mode': 'message' if compressed else '',
        'files': [{'path': each.name, **_span(each.begin_ns if each.messages else _NONE_NS,
                                              each.end_ns), 'message_count': each.messages}
                  for each in files],
        'custom_data': None, 'ros_distro': 'rosbags'}


def _span(begin_ns: int, end_ns: int) -> dict[str, Any]:
    return {'starting_time': {'nanoseconds_since_epoch': begin_ns},
            'duration': {'nanoseconds': max(0, end_ns - begin_ns)}}


def as_text(description: dict[str, Any], whole: bool) -> str:
    """Return a description as YAML."""
    if whole:
        description = {'rosbag2_bagfile_information': description}
    return str(yaml.safe_dump(description, sort_keys=True))
