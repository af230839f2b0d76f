# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors as their data sheets wish they were: without random errors."""

from dataclasses import fields
from dataclasses import replace
from typing import Any
from typing import TypeVar

from mvsim_ros2.spec.sensors.base import SensorSpec

Spec = TypeVar('Spec', bound=SensorSpec)


def without_noise(spec: Spec) -> Spec:
    """
    Return a sensor without random errors: no noise, no walk, no spread of biases, no dropout.

    What is systematic stays: biases that are set, scale factors, quantisation.

    :returns: the same object where there is nothing to take away.
    """
    taken: dict[str, Any] = {
        each.name: None if each.name.endswith('_density') else 0.0
        for each in fields(spec) if _is_random(each.name) and getattr(spec, each.name)}
    return replace(spec, **taken) if taken else spec


def _is_random(name: str) -> bool:
    return '_noise' in name or name.endswith('_random_walk') or name == 'dropout'
