# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Quality of service of the topics, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Qos:
    """How the messages of a topic are kept and delivered."""

    depth: int  # how many of the last messages are kept
    reliable: bool = True
    latched: bool = False  # those that are kept reach late subscribers


def latched(depth: int = 1) -> Qos:
    """Return that of topics whose last `depth` messages reach late subscribers."""
    return Qos(depth, latched=True)


def sensor(reliability: str) -> Qos:
    """
    Return that of sensors.

    :param reliability: 'reliable' serves reliable and best-effort subscribers alike;
        'best_effort' keeps a slow link from holding the publisher up.
    """
    return Qos(10, reliability == 'reliable')


STATE = Qos(10)  # odometry, ground truth, collision
COMMAND = Qos(10)
TRANSFORMS = Qos(100)
CLOCK = Qos(1)  # reliable, so that every subscriber matches
