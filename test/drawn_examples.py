# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What Hypothesis draws: the same on every run, unless MVSIM_FUZZ_EXAMPLES asks for others.

`MVSIM_FUZZ_EXAMPLES=20000 pytest FILE` draws so many for each test of a file, others each time;
with `--hypothesis-seed=1` too they are the same again.
"""

from contextlib import suppress
import os

from hypothesis import HealthCheck, settings

ASKED = os.environ.get('MVSIM_FUZZ_EXAMPLES')


def examples(usual: int) -> int:
    """Return how many examples a test draws that usually draws so many."""
    return int(ASKED or usual)


def load_profile() -> None:
    """Have tests draw what depends on nothing but their own text and the version of Hypothesis."""
    # How long an example takes depends on the machine, and on whether a kernel is compiled first.
    settings.register_profile(
        'same', max_examples=examples(100), deadline=None, derandomize=not ASKED, database=None,
        suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile('same')
    if ASKED:
        return
    with suppress(ImportError):  # older versions do not draw constants of the code that is loaded,
        from hypothesis.internal.conjecture import providers  # which is what ran before
        from hypothesis.internal.constants_ast import Constants
        providers.HypothesisProvider._local_constants = Constants()
