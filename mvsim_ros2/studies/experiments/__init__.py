# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Experiments from the documents that the physics follows, with the printed values."""

from mvsim_ros2.studies.experiments import (
    drives, firm_ground, rigid_body, single_track, soil, wheels)
from mvsim_ros2.studies.experiments.experiment import Experiment, Outcome, Row

__all__ = ['EXPERIMENTS', 'Experiment', 'Outcome', 'Row']

EXPERIMENTS = {each.name: each for module in (
    firm_ground, soil, wheels, drives, single_track, rigid_body)
               for each in module.EXPERIMENTS}
