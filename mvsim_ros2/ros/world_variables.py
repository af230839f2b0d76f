# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the parameter `variables` means."""

from mvsim_ros2.messages.settings import ParameterError


def variables(assignments: tuple[str, ...]) -> dict[str, str]:
    """
    Return values by name.

    :param assignments: each NAME=VALUE; empty ones are passed over.
    :raises ParameterError: where one is of another form.
    """
    values: dict[str, str] = {}
    for assignment in filter(None, assignments):
        name, equals, value = assignment.partition('=')
        if not name or not equals:
            raise ParameterError(f'parameter variables: {assignment!r} should be NAME=VALUE')
        values[name] = value
    return values
