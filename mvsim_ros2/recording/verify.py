# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Check of a recording: hashes of its files, and what is damaged in its bag."""

from collections.abc import Iterable
import hashlib
import json
from pathlib import Path
from typing import Any

from rosbags.rosbag2 import Reader

from mvsim_ros2.base.files import check_files
from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.foreign import damages_of, is_bag
from mvsim_ros2.recording.hashes import altered, differences, MANIFEST, PIECES
from mvsim_ros2.trajectories.replay import RUN_FILE


def is_foreign(folder: str | Path) -> bool:
    """Return whether a folder holds a bag that is no recording of this package."""
    folder = Path(folder)
    return is_bag(folder) and not any((folder / name).exists() for name in (RUN_FILE, MANIFEST))


def verify(folder: str | Path) -> list[str]:
    """
    Return what is damaged in a recording of this package, nothing where it is whole.

    Recordings have a manifest with the hash of each file. For older versions and killed processes,
    it uses the checksums of the bag and the hashes of topics and commands.

    :param folder: of the recording, with `run.json`.
    :returns: sentences, each with the name of a file, and topics and times where they are known.
    :raises RecordingError: where this is no recording.
    """
    folder = Path(folder)
    run = run_file(folder)
    if 'manifest' not in run and not (folder / MANIFEST).exists():
        return _without_manifest(folder, run)
    found = []
    for name, what in differences(folder).items():
        path = folder / name
        damages = damages_of(path) if path.suffix == '.mcap' and path.is_file() else []
        found += [f'{path}: {damage}' for damage in damages or [what]]
    return found


def _without_manifest(folder: Path, run: dict[str, Any]) -> list[str]:
    """Return what is damaged, by other checksums."""
    found = []
    for path in sorted(folder.glob('*.mcap')):
        try:
            found += [f'{path}: {damage}' for damage in damages_of(path)]
        except OSError as error:
            found.append(f'{path}: it cannot be read: {error.strerror}')
    if (folder / PIECES).exists():
        return found + [f'{folder / name}: {what}' for name, what in altered(folder).items()]
    commands = run.get('commands', {})
    file = folder / str(commands.get('file', ''))
    if not file.is_file() or hashlib.sha256(
            file.read_bytes()).hexdigest() != commands.get('sha256'):
        found.append(f'{file}: the commands differ from the hash in {RUN_FILE}')
    return found or _differing_topics(folder, run)


def run_file(folder: Path) -> dict[str, Any]:
    """Return what `run.json` says; raise `RecordingError` where it is missing or damaged."""
    path = folder / RUN_FILE
    if not path.is_file():
        raise RecordingError(f'{folder}: this is no recording of mvsim_ros2: it has no {RUN_FILE}')
    try:
        check_files(folder)
        run = json.loads(path.read_text(encoding='utf-8'))
        if not isinstance(run, dict) or not isinstance(run.get('topics'), dict):
            raise ValueError('it describes no run')
        if not all(isinstance(topic, dict) for topic in run['topics'].values()):
            raise ValueError('it describes no topics')
        if not isinstance(run.get('commands', {}), dict):
            raise ValueError('it describes no commands')
    except (OSError, ValueError, RecursionError) as error:
        raise RecordingError(f'{path}: it is damaged: {error}') from error
    return run


def _differing_topics(folder: Path, run: dict[str, Any]) -> list[str]:
    """Return a sentence for each topic whose messages are not those of `run.json`."""
    try:
        digests, counts = digests_of(folder, run['topics'])
    except RecordingError as error:
        return [str(error)]
    unknown = [name for name in counts if name not in run['topics']]
    found = [f'{folder}: {name} is not in {RUN_FILE}' for name in unknown]
    for name, topic in run['topics'].items():
        if counts[name] != topic.get('messages'):
            found.append(f'{folder}: {name} has {counts[name]} messages, {RUN_FILE} says '
                         f'{topic.get("messages")}')
        elif topic.get('sha256') not in (None, digests[name].hexdigest()):
            found.append(f'{folder}: messages of {name} differ from those that were recorded')
    return found


def digests_of(folder: Path, topics: Iterable[str]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the SHA-256 of topics over log times and bytes of messages, and their numbers."""
    digests: dict[str, Any] = {name: hashlib.sha256() for name in topics}
    counts = dict.fromkeys(digests, 0)
    try:
        with Reader(folder) as reader:
            total = reader.message_count
            for number, (connection, time_ns, data) in enumerate(reader.messages()):
                tell(number, total, 'messages')
                digest = digests.setdefault(connection.topic, hashlib.sha256())
                digest.update(time_ns.to_bytes(8, 'little') + bytes(data))
                counts[connection.topic] = counts.get(connection.topic, 0) + 1
    except Exception as error:  # noqa: B902 (it raises anything where a file is damaged)
        reason = str(error) or type(error).__name__
        raise RecordingError(f'{folder}: the bag cannot be read: {reason}') from error
    return digests, counts
