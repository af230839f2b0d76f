# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Repair of a recording whose process was killed."""

import hashlib
import json
from pathlib import Path
import sqlite3
from typing import Any

import yaml

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.completion import complete_bag
from mvsim_ros2.recording.export.trajectory import nanoseconds
from mvsim_ros2.recording.verify import digests_of, run_file, verify
from mvsim_ros2.trajectories.replay import RUN_FILE


def repair(folder: str | Path) -> list[str]:
    """
    Make a recording whole again whose process was killed, without other tools.

    The bag gets the ends of its files and its metadata; ground truth and commands are cut to their
    last whole row, and to the end of the bag; `run.json` says what is left.

    :param folder: of the recording, with `run.json`.
    :returns: sentences that say what was done; nothing where it was whole.
    :raises RecordingError: where this is no recording, or one that is damaged in another way.
    """
    folder = Path(folder)
    run = run_file(folder)
    if folder.joinpath('metadata.yaml').is_file() and not verify(folder):
        return []
    try:
        end_ns = complete_bag(folder)
        done = [f'{folder}: the bag ends after {1e-9 * end_ns:.3f} s']
        done += _cut_truth(folder / 'ground_truth', end_ns)
        commands = folder / str(run.get('commands', {}).get('file', ''))
        if commands.is_file():
            _cut(commands, end_ns)
            run['commands']['sha256'] = hashlib.sha256(commands.read_bytes()).hexdigest()
        _describe(folder, run, end_ns)
    except (KeyError, OSError, ValueError, sqlite3.Error, yaml.YAMLError) as error:
        raise RecordingError(f'{folder}: it cannot be repaired: {error}') from error
    for path in folder.glob('*.tmp'):
        path.unlink()
    return done


def _describe(folder: Path, run: dict[str, Any], end_ns: int) -> None:
    """Write `run.json` anew."""
    digests, counts = digests_of(folder, run['topics'])
    for name, topic in run['topics'].items():
        topic.update(messages=counts[name], sha256=digests[name].hexdigest())
    run.update(end_ns=max(end_ns, int(run.get('start_ns', 0))), complete=False, repaired=True)
    new = folder / f'{RUN_FILE}.tmp'
    new.write_text(json.dumps(run, indent=1) + '\n', encoding='utf-8')
    new.replace(folder / RUN_FILE)


def _cut_truth(folder: Path, end_ns: int) -> list[str]:
    """Cut the files of ground truth to the end of the bag."""
    rows = {path: _cut(path, end_ns) for path in sorted(folder.glob('**/*'))
            if path.suffix in ('.tum', '.csv')}
    for path in [each for each in rows if each.name.endswith('_start.tum')]:
        end = path.with_name(path.name.removesuffix('_start.tum') + '_end.tum')
        if end in rows:  # a scan that began before the end of the bag and ended after it
            rows[path] = _cut(path, end_ns, rows[end])
    for path in sorted(folder.glob('**/*.kitti')):
        _cut(path, None, rows.get(path.with_suffix('.tum')))
    return [f'{folder}: {len(rows)} files end there'] if rows else []


def _cut(path: Path, end_ns: int | None, rows: int | None = None) -> int:
    """
    Cut a file after its last whole row that is not later than a time; return the rows left.

    :param end_ns: None: rows have no times.
    :param rows: that are left at most; None: all.
    """
    size = count = 0
    with path.open('rb') as file:
        for line in file:
            header = line.startswith((b'#', b'time'))
            if not line.endswith(b'\n') or (not header and (
                    count == rows or end_ns is not None and _time_of(line) > end_ns)):
                break
            size, count = size + len(line), count + (not header)
    with path.open('r+b') as file:
        file.truncate(size)
    return count


def _time_of(line: bytes) -> int:
    """Return the time at the start of a row [ns]."""
    text = line.decode()
    return int(text.partition(',')[0]) if ',' in text else nanoseconds(text.partition(' ')[0])
