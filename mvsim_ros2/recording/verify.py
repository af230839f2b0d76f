# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Check of a recording by hashes and checksums, and repair of a damaged or interrupted one."""

from collections import defaultdict
from collections.abc import Iterable
import hashlib
from itertools import takewhile
import json
from pathlib import Path
import shutil
import sqlite3
import struct
from typing import Any
import uuid

from rosbags.rosbag2 import Reader
import yaml

from mvsim_ros2.base.files import check_files
from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.foreign import damages_of, is_bag
from mvsim_ros2.recording.bags.salvage import complete_bag
from mvsim_ros2.recording.export.trajectory import nanoseconds
from mvsim_ros2.recording.hashes import altered, differences, MANIFEST, PIECES, write_manifest
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


TRUTH = 'ground_truth'
_IN_BAG = ('.mcap', '.db3')
_NUMBERS = {'.tum': 8, '.kitti': 12}  # in a row


def repair(folder: str | Path, target: str | Path | None = None,
           in_place: bool = False) -> list[str]:
    """
    Write what can be read of a damaged recording into another folder, as a whole recording.

    It is damaged, or its process was killed. All of its bag that is whole before and behind
    damage is kept, with new ends of the files. Ground truth and commands keep their rows, but for
    those that cannot be read; where the process was killed they end with the bag. `run.json` says
    what is left and what was lost.

    :param folder: of the recording, with `run.json`.
    :param target: the new folder, None for `folder` with `_repaired` behind its name.
    :param in_place: True replaces the recording.
    :returns: sentences on what was done and lost; nothing where it was whole.
    :raises RecordingError: where this is no recording, or nothing can be read of its bag.
    """
    folder = Path(folder)
    target = folder if in_place else Path(target or f'{folder}_repaired')
    run = run_file(folder)
    if folder.joinpath('metadata.yaml').is_file() and not verify(folder):
        return []
    if not in_place and target.exists():
        raise RecordingError(f'{target} exists already: choose another folder')
    work = target.with_name(f'.{target.name}-{uuid.uuid4().hex[:8]}')
    try:
        said = _write(folder, work, run)
        before = work.with_name(f'{work.name}-before')
        if in_place:
            folder.rename(before)
        work.rename(target)
        shutil.rmtree(before, ignore_errors=True)
    except (KeyError, OSError, TypeError, ValueError, sqlite3.Error, struct.error,
            yaml.YAMLError) as error:
        raise RecordingError(f'{folder}: it cannot be repaired: {error}') from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return [f'{target}: {each}' for each in said]


def _write(folder: Path, work: Path, run: dict[str, Any]) -> list[str]:
    """Write the new folder; return what was done and lost."""
    closed = 'manifest' in run or bool(run.get('complete'))
    changed = differences(folder) if 'manifest' in run else altered(folder)
    shutil.copytree(folder, work, ignore=lambda _, names: [
        name for name in names if name.endswith(('.tmp', *_IN_BAG)) or '.db3-' in name
        or name in (MANIFEST, PIECES)])
    end_ns, gaps = complete_bag(folder, work)
    said = [f'the bag ends after {1e-9 * end_ns:.3f} s', *(f'lost: {gap}' for gap in gaps)]
    commands = work / str(run.get('commands', {}).get('file', ''))
    tables = [*_groups(work / TRUTH), *([[commands]] if commands.is_file() else [])]
    for group in tables:
        said += _clean(work, group, None if closed else end_ns, changed)
    if commands.is_file():
        run['commands']['sha256'] = hashlib.sha256(commands.read_bytes()).hexdigest()
    said += [f'lost: {name}' for name, what in changed.items()
             if 'missing' in what and not name.endswith(_IN_BAG)]
    said += _describe(work, run, end_ns, closed)
    write_manifest(work, work / f'{MANIFEST}.tmp')
    return said


def _describe(work: Path, run: dict[str, Any], end_ns: int, closed: bool) -> list[str]:
    """Write `run.json` anew; return which messages were lost, where that is known."""
    digests, counts = digests_of(work, run['topics'])
    lost = {name: topic['messages'] - counts[name] for name, topic in run['topics'].items()
            if closed and topic['messages'] > counts[name]}
    said = [f'lost: {number} of {run["topics"][name]["messages"]} messages of {name}'
            for name, number in lost.items()]
    for name, topic in run['topics'].items():
        topic.update(messages=counts[name], sha256=digests[name].hexdigest())
    if not closed:
        run['end_ns'] = max(end_ns, int(run.get('start_ns', 0)))
    run.update(complete=bool(run.get('complete')) and not lost, repaired=True, lost=lost,
               manifest=MANIFEST)
    (work / RUN_FILE).write_text(json.dumps(run, indent=1) + '\n', encoding='utf-8')
    return said


def _groups(folder: Path) -> list[list[Path]]:
    """Return the files of ground truth; those with a row for each row of another together."""
    groups: defaultdict[Path, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob('**/*')):
        if path.suffix in _NUMBERS:
            name = path.stem.removesuffix('_start').removesuffix('_end')
            groups[path.with_name(name)].append(path)
        elif path.suffix == '.csv':
            groups[path].append(path)
    return list(groups.values())


def _clean(work: Path, group: list[Path], end_ns: int | None,
           changed: dict[str, str]) -> list[str]:
    """
    Leave out the rows of files that cannot be read; return what was lost.

    Of files whose rows belong together the rows before the first such row, and behind the last
    one, are kept in all of them.

    :param end_ns: rows after it are left out too; None: all are kept.
    """
    tables = [_rows_of(path, end_ns) for path in group]
    front = min(_leading(rows) for _, rows in tables)
    shortest = min(len(rows) for _, rows in tables)
    back = min(shortest - front, *(_leading(rows[::-1]) for _, rows in tables))
    said = []
    for path, (header, rows) in zip(group, tables, strict=True):
        kept = [row for row in rows[:front] + rows[len(rows) - back:] if row is not None]
        path.write_bytes(header + b''.join(kept))
        name = path.relative_to(work).as_posix()
        if len(kept) < len(rows) and end_ns is None:
            said.append(f'lost: {len(rows) - len(kept)} rows of {name}')
        elif name in changed:
            said.append(f'{name} was altered: its rows can be read, but may be wrong')
    return said


def _leading(rows: list[bytes | None]) -> int:
    """Return how many rows there are before the first that cannot be read."""
    return sum(1 for _ in takewhile(lambda row: row is not None, rows))


def _rows_of(path: Path, end_ns: int | None) -> tuple[bytes, list[bytes | None]]:
    """Return the header of a file and its rows, None for those that cannot be read."""
    header, columns = b'', _NUMBERS.get(path.suffix, 0)
    rows: list[bytes | None] = []
    for line in path.read_bytes().splitlines(keepends=True):
        if not header and not rows and line.startswith((b'#', b'time')):
            header, columns = line, line.count(b',') + 1
            continue
        try:
            time_ns = _time_of(line, columns, path.suffix)
        except ValueError:
            rows.append(None)
            continue
        if end_ns is not None and time_ns is not None and time_ns > end_ns:
            break
        rows.append(line)
    if end_ns is not None and rows and rows[-1] is None:
        del rows[-1]  # it was being written
    return header, rows


def _time_of(line: bytes, columns: int, suffix: str) -> int | None:
    """Return the time of a row [ns], None where rows have none; ValueError for no row."""
    text = line.decode()
    words = text.split() if suffix in _NUMBERS else text.rstrip('\n').split(',')
    if not text.endswith('\n') or len(words) < columns:
        raise ValueError('the row is cut off')
    if suffix not in _NUMBERS:
        return int(words[0])
    if len(words) != columns:
        raise ValueError('the row has other columns')
    for word in words:
        float(word)
    return nanoseconds(words[0]) if suffix == '.tum' else None
