# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The card of the dataset that a sweep makes, and its two parts for learning."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mvsim_ros2 import __version__
from mvsim_ros2.base.files import replaced
from mvsim_ros2.errors import SweepError
from mvsim_ros2.studies.sweeps.plan import Job, TRAIN, VALIDATION
from mvsim_ros2.studies.sweeps.run import Outcome

CARD = 'README.md'
INCIDENTS = 'collided', 'tipped', 'stuck'


def write_card(root: str | Path, jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> None:
    """
    Write `README.md`, `train.txt` and `val.txt` beside the runs.

    :raises SweepError: where they cannot be written.
    """
    root = Path(root)
    good = [(job, outcome['result']) for job, outcome in zip(jobs, outcomes, strict=True)
            if 'result' in outcome]
    files = {f'{part}.txt': ''.join(f'{job.name}\n' for job, _ in good if job.part == part)
             for part in (TRAIN, VALIDATION)}
    try:
        for name, text in {**files, CARD: _card(jobs, good)}.items():
            with replaced(root / name) as new:
                new.write_text(text, encoding='utf-8')
    except OSError as error:
        raise SweepError(f'{root}: the card of the dataset cannot be written: {error}') from error


def _card(jobs: Sequence[Job], good: list[tuple[Job, Outcome]]) -> str:
    """Return the card, with the front matter that dataset hubs read."""
    counts = Counter(job.part for job, _ in good)
    seconds = sum(float(result.get('time_s', 0.0)) for _, result in good)
    lines = [
        '---', f'pretty_name: {len(good)} runs of mvsim_ros2', 'tags: [robotics, simulation]',
        'configs:', '- config_name: default', '  data_files: summary.csv', '---', '',
        f'# {len(good)} simulated runs', '',
        f'Made by mvsim_ros2 {__version__} with `mvsim_ros2 sweep`: '
        f'{seconds:g} simulated seconds. {len(jobs) - len(good)} runs failed.', '',
        '| part | runs | file |', '|---|---|---|',
        *(f'| {part} | {counts[part]} | `{part}.txt` |' for part in (TRAIN, VALIDATION)), '',
        '| world | runs | seeds | controllers | parameters |', '|---|---|---|---|---|']
    for world in dict.fromkeys(Path(job.world).name for job, _ in good):
        own = [job for job, _ in good if Path(job.world).name == world]
        seeds = sorted({job.seed for job in own})
        values: dict[str, dict[str, None]] = {}
        for job in own:
            for name, value in job.variables:
                values.setdefault(name, {})[value] = None
        lines.append(
            f'| {world} | {len(own)} | {", ".join(map(str, seeds[:20]))}'
            f'{" ..." if len(seeds) > 20 else ""} | '
            f'{", ".join(sorted({job.controller or "none" for job in own}))} | '
            + ('; '.join(name + ': ' + ', '.join(found) for name, found in values.items())
               or 'none') + ' |')
    lines += ['', 'Runs in which a vehicle', '']
    lines += [f'- {kind}: {sum(result.get(kind) is True for _, result in good)}'
              for kind in INCIDENTS]
    recorded = any(job.record for job, _ in good)
    lines += ['', 'Each folder is one run, with `run.json` and '
              + ('a ROS 2 bag with ground truth in `bag/`' if recorded
                 else 'logs of the true motion') + '; `summary.csv` has a row for each.', '']
    return '\n'.join(lines)
