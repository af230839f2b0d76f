# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Experiments of the documents that the physics follows, with what is printed beside them."""

from mvsim_ros2.experiments import drives
from mvsim_ros2.experiments import firm_ground
from mvsim_ros2.experiments import single_track
from mvsim_ros2.experiments import soil
from mvsim_ros2.experiments import wheels
from mvsim_ros2.experiments.experiment import Experiment
from mvsim_ros2.experiments.experiment import Outcome
from mvsim_ros2.experiments.experiment import Row

__all__ = ['EXPERIMENTS', 'Experiment', 'Outcome', 'Row']

EXPERIMENTS = {each.name: each for module in (firm_ground, soil, wheels, drives, single_track)
               for each in module.EXPERIMENTS}
