# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of the benchmark of navigation, and the comparison of two runs."""

from collections.abc import Iterable, Mapping, Sequence
import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from mvsim_ros2.base.files import replaced
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.gym.benchmark import Episode, Failure
from mvsim_ros2.pictures.html_report import facts, plan, table, write_page

EPISODES, RUN, PAGE = 'episodes.csv', 'run.json', 'report.html'
_FIRST = 'contestant', 'suite', 'case', 'seed', 'success', 'collided', 'reason'
_SHOWN = {  # measures of the table: heading and decimals
    'seconds': ('time [s]', 1), 'path': ('path [m]', 2), 'walls': ('clearance [m]', 2),
    'jerk': ('jerk [m/s³]', 2), 'clearance': ('to people [m]', 2),
    'compliance': ('compliance', 2), 'time_to_collision': ('time to collision [s]', 1)}
HASTE = 5.0  # of films
NORMAL = 1.96  # standard deviations of an interval of 95 %


def wilson(hits: int, count: int) -> tuple[float, float]:
    """
    Return the interval of 95 % of a share.

    E. B. Wilson, Journal of the American Statistical Association 22, 209 (1927).
    """
    square = NORMAL * NORMAL
    middle = (hits + 0.5 * square) / (count + square)
    half = NORMAL / (count + square) * math.sqrt(hits * (count - hits) / count + 0.25 * square)
    return max(0.0, middle - half), min(1.0, middle + half)


def rows_of(episodes: Sequence[Episode]) -> list[list[str]]:
    """Return a row of the table for each contestant and case: of reached goals the means."""
    groups: dict[tuple[str, str, str], list[Episode]] = {}
    for each in episodes:
        groups.setdefault((each.contestant, each.suite, each.case), []).append(each)
    rows = []
    for key, group in groups.items():
        hits = [each for each in group if each.success]
        low, high = wilson(len(hits), len(group))
        rows.append([*key, str(len(group)),
                     f'{100 * len(hits) / len(group):.1f} ({100 * low:.0f} to {100 * high:.0f})',
                     f'{100 * np.mean([each.collided for each in group]):.1f}', *(
                         _mean([each.measures[name] for each in hits or group
                                if name in each.measures], digits)
                         for name, (_, digits) in _SHOWN.items())])
    return rows


def _mean(values: Sequence[float], digits: int) -> str:
    """Return a mean and half of its interval of 95 %, '-' for no numbers."""
    known = np.array([each for each in values if math.isfinite(each)])
    if not len(known):
        return '-'
    half = NORMAL * float(known.std(ddof=1)) / math.sqrt(len(known)) if len(known) > 1 else 0.0
    return f'{known.mean():.{digits}f} ± {half:.{digits}f}'


HEADER = ('contestant', 'suite', 'case', 'episodes', 'success [%] (95 %)', 'collided [%]',
          *(heading for heading, _ in _SHOWN.values()))


def write(folder: Path, episodes: Sequence[Episode], failures: Iterable[Failure],
          factors: Mapping[str, float], options: Mapping[str, Any]) -> None:
    """Write episodes, facts of the run, and the page; factors are those of CPU time."""
    names = sorted(set().union(*(each.measures for each in episodes)))
    with replaced(folder / EPISODES) as new, new.open('w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow((*_FIRST, *names))
        for each in episodes:
            writer.writerow((each.contestant, each.suite, each.case, each.seed,
                             int(each.success), int(each.collided), each.reason,
                             *(each.measures.get(name, '') for name in names)))
    known = {'options': dict(options), 'facts': facts(('gymnasium', 'onnxruntime')),
             'real_time_factors': dict(factors)}
    with replaced(folder / RUN) as new:
        new.write_text(json.dumps(known, indent=1) + '\n')
    write_page(folder / PAGE, 'Benchmark of navigation', {
        'Results': table(HEADER, rows_of(episodes))
        + '<p>Intervals are those of 95 %: of shares by Wilson, of means of the goals reached '
        'by 1.96 standard errors.</p>',
        'Failures': ''.join(plan(each.lines, each.title, each.seconds / HASTE, each.moving)
                            for each in failures)
        + f'<p>Films are {HASTE:g} times as fast as the episodes.</p>',
        'Run': table(('', ''), [*known['facts'].items(), *(
            (f'real-time factor of {name}', f'{factor:.0f}') for name, factor in factors.items()),
            *((name, value) for name, value in options.items())])})


def read(folder: Path) -> list[Episode]:
    """Return the episodes of a run; raise `BenchmarkError` where the folder has none."""
    file = folder / EPISODES
    if not file.is_file():
        raise BenchmarkError(f'{folder} has no {EPISODES}: give a folder that `mvsim_ros2 '
                             'benchmark nav` wrote')
    with file.open(newline='') as opened:
        return [Episode(row['contestant'], row['suite'], row['case'], int(row['seed']),
                        row['success'] == '1', row['collided'] == '1',
                        {name: float(value) for name, value in row.items()
                         if name not in _FIRST and value}, row.get('reason', ''))
                for row in csv.DictReader(opened)]


COMPARED = ('suite', 'case', 'pairs', 'success, first [%]', 'second [%]', 'p (McNemar)',
            'time, second - first [s]')


def compared(one: Sequence[Episode], other: Sequence[Episode]) -> list[list[str]]:
    """Return rows of `COMPARED`, cases of equal seeds; raise `BenchmarkError` for none."""
    for run in (one, other):
        if len({each.contestant for each in run}) > 1:
            raise BenchmarkError('a run with several contestants cannot be compared: run each '
                                 'with --contestants of one into a folder of its own')
    known = {(each.suite, each.case, each.seed): each for each in one}
    pairs: dict[tuple[str, str], list[tuple[Episode, Episode]]] = {}
    for each in other:
        first = known.get((each.suite, each.case, each.seed))
        if first is not None:
            pairs.setdefault((each.suite, each.case), []).append((first, each))
    if not pairs:
        raise BenchmarkError('the runs have no episode in common: give them the same suites and '
                             'seeds')
    rows = []
    for key, group in pairs.items():
        lost = sum(a.success and not b.success for a, b in group)
        won = sum(b.success and not a.success for a, b in group)
        both = [b.measures['seconds'] - a.measures['seconds'] for a, b in group
                if a.success and b.success]
        shares = [f'{100 * np.mean([pair[k].success for pair in group]):.1f}' for k in (0, 1)]
        rows.append([*key, str(len(group)), *shares, f'{mcnemar(lost, won):.3f}', _mean(both, 2)])
    return rows


def mcnemar(lost: int, won: int) -> float:
    """
    Return how probable it is by chance alone that pairs differ so unevenly, exactly.

    Q. McNemar, Psychometrika 12, 153 (1947), by the binomial distribution, on both sides.
    """
    count = lost + won
    tail = sum(math.comb(count, k) for k in range(min(lost, won) + 1)) * 0.5 ** count
    return min(1.0, 2.0 * tail)
