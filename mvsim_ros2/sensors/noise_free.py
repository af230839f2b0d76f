# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors as their data sheets wish they were: without random errors."""

from dataclasses import replace
from typing import Any, TypeVar

from mvsim_ros2.world.spec.fields import tags_of
from mvsim_ros2.world.spec.sensors.base import SensorSpec

Spec = TypeVar('Spec', bound=SensorSpec)


def without_noise(spec: Spec) -> Spec:
    """
    Return a sensor without random errors: no noise, no walk, no spread of biases, no dropout.

    What is systematic stays: biases that are set, scale factors, quantisation. Tags with
    `random` say which is which.

    :returns: the same object where there is nothing to take away.
    """
    taken: dict[str, Any] = {field.name: 0.0 for field, tag in tags_of(type(spec))
                             if tag.random and getattr(spec, field.name)}
    return replace(spec, **taken) if taken else spec
