# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""One table of all runs."""

from collections.abc import Sequence
import csv
import os
from pathlib import Path
import tempfile

from mvsim_ros2.errors import SweepError
from mvsim_ros2.sweeps.plan import Job
from mvsim_ros2.sweeps.run import Outcome

SUMMARY = 'summary.csv'


def summary_rows(jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> list[dict[str, str]]:
    """Return a row for each job: what it was, then what came of it."""
    rows = []
    for job, outcome in zip(jobs, outcomes, strict=True):
        row = {'run': job.name, 'world': Path(job.world).name, 'seed': str(job.seed),
               'controller': job.controller, 'physics': job.physics or ''}
        row |= {f'parameter {name}': value for name, value in job.variables}
        row |= {key: _as_text(value) for key, value in outcome.get('result', {}).items()}
        row |= {key: _as_text(outcome[key]) for key in ('wall_s', 'error') if key in outcome}
        rows.append(row)
    return rows


def _as_text(value: object) -> str:
    return f'{value:.9g}' if isinstance(value, float) else str(value)


def write_summary(root: str | Path, jobs: Sequence[Job], outcomes: Sequence[Outcome]) -> Path:
    """
    Write the table of all runs over the one that was there, in one step.

    :returns: its path.
    :raises SweepError: where it cannot be written.
    """
    rows = summary_rows(jobs, outcomes)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns.sort(key=lambda name: (name in ('wall_s', 'error')))  # the rest keeps its order
    path = Path(root) / SUMMARY
    try:
        with tempfile.NamedTemporaryFile(
                'w', dir=root, suffix='.csv', newline='', delete=False) as file:
            writer = csv.DictWriter(file, columns, restval='', lineterminator='\n')
            writer.writeheader()
            writer.writerows(rows)
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        raise SweepError(f'{path}: the summary cannot be written: {error}') from error
    return path
