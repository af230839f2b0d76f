# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Many runs: worlds x seeds x parameters, in processes on one machine or on a cluster.

`read_plan` reads the jobs of a file, `sweep` runs them, each in its own folder, and
`write_summary` writes one table. A job whose folder exists is not run again.
"""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.studies.sweeps.engine import sweep
    from mvsim_ros2.studies.sweeps.plan import Job, read_plan
    from mvsim_ros2.studies.sweeps.run import write_summary
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['Job', 'read_plan', 'sweep', 'write_summary']
