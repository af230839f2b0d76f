# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What all files of messages have in common."""

from collections.abc import Mapping
from pathlib import Path
import sqlite3
from typing import NamedTuple, Protocol

METADATA_VERSION = 9
FAILURES = OSError, sqlite3.Error  # errors of a full disk

_IDL = '=' * 80 + '\nIDL: '


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


class Storage(Protocol):
    """A file of messages that can be truncated to its last consistent state."""

    path: Path

    @property
    def intact(self) -> bool:
        """Return whether no write has failed."""

    @property
    def size(self) -> int:
        """Return about how many bytes it will have."""

    def add(self, topic: Definition) -> None:
        """Add a topic."""

    def write(self, topic: int, time_ns: int, data: bytes | memoryview) -> None:
        """Append a message."""

    def flush(self) -> None:
        """Start to hand all messages to the operating system; wait for those of the last call."""

    def truncate(self) -> Contents | None:
        """Discard the last messages; return the contents left, None where none was discarded."""

    def close(self, metadata: str) -> None:
        """Complete the file."""

    def abort(self) -> None:
        """Close the file as it is."""
