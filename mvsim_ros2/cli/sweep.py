# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run worlds x seeds x parameters in many processes.

Run the worlds x parameters x seeds of a plan (YAML). Write each run to its own folder and all
results to one table. Finished runs are not repeated. The exit code is 1 if a run failed.
"""

import argparse
from datetime import timedelta
import os
from pathlib import Path
import sys
from time import monotonic
from typing import TYPE_CHECKING

from mvsim_ros2.base.progress import tell
from mvsim_ros2.cli.options import whole
from mvsim_ros2.cli.terminal import clear_line, working

if TYPE_CHECKING:
    from mvsim_ros2.studies.sweeps.plan import Job
    from mvsim_ros2.studies.sweeps.run import Outcome


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument('plan', metavar='PLAN', help='YAML file, see docs/sweeps.md')
    command.add_argument(
        '-o', '--output', metavar='FOLDER', default='sweep',
        help='folder for the runs, created if missing (default: sweep)')
    command.add_argument(
        '--workers', type=whole(0, 10_000), metavar='N', default=os.cpu_count() or 1,
        help='processes on this machine (default: one per core); 0 runs one by one, without Dask')
    command.add_argument(
        '--scheduler', metavar='ADDRESS',
        help='run on a Dask cluster instead, such as tcp://host:8786')
    command.add_argument(
        '--shard', type=_shard, metavar='K/N', default=(1, 1),
        help='do only every N-th run, starting with the K-th, for N jobs of a cluster that share '
        'FOLDER. Then sweep once without this option to write the table')
    command.add_argument(
        '--list', dest='only_list', action='store_true', help='list the runs without running them')
    command.add_argument(
        '--strict', action='store_true', help='treat warnings about the world files as errors')


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition('/')
    if not (number.isascii() and number.isdecimal() and count.isascii() and count.isdecimal()
            and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f'{text!r} is not K/N with K from 1 to N, such as 3/8')
    return int(number), int(count)


def run(options: argparse.Namespace) -> int:
    """Run the plan and write the table."""
    from mvsim_ros2.studies.sweeps.engine import jobs_of, sweep
    from mvsim_ros2.studies.sweeps.plan import read_plan
    from mvsim_ros2.studies.sweeps.run import write_card, write_summary

    plan = read_plan(options.plan, options.strict)
    jobs = jobs_of(plan, options.shard)
    if options.only_list:
        for job in jobs:
            print(job.name)
        return 0
    done, began = 0, monotonic()
    before = sum((Path(options.output) / job.name).is_dir() for job in jobs)

    def report(job: 'Job', outcome: 'Outcome') -> None:
        nonlocal done
        done += 1
        state = f'failed: {outcome["error"]}' if 'error' in outcome else (
            f'done in {outcome["wall_s"]:.1f} s')
        left = len(jobs) - before - done
        about = timedelta(seconds=round((monotonic() - began) / done * left))
        tell(before + done, len(jobs), 'runs')
        clear_line(sys.stderr)
        print(f'[{before + done}/{len(jobs)}] {job.name}: {state}'
              + (f', about {about} left' if left else ''), file=sys.stderr, flush=True)

    print(f'{len(jobs)} runs into {options.output}', file=sys.stderr, flush=True)
    with working('sweeping'):
        outcomes = sweep(plan, options.output, options.workers, options.scheduler,
                         on_outcome=report, shard=options.shard)
    failed = sum('error' in outcome for outcome in outcomes)
    if options.shard[1] == 1:
        write_card(options.output, jobs, outcomes)
        print(write_summary(options.output, jobs, outcomes))
    print(f'{len(jobs) - failed} of {len(jobs)} runs done, {len(jobs) - done} of them before',
          file=sys.stderr)
    return 1 if failed else 0
