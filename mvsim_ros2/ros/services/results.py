# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Results of the services of `simulation_interfaces`: numbers, errors, responses."""

from collections.abc import Callable
from typing import Any

from mvsim_ros2.errors import MvsimError

# numbers of simulation_interfaces/msg/Result
OK, FAILED, UNSUPPORTED, NOT_FOUND, INCORRECT_STATE = 1, 4, 0, 2, 3
INVALID_POSE = 101  # of the services that take a pose


class RequestError(MvsimError):
    """Raised when a request cannot be fulfilled; carries the number of the result."""

    def __init__(self, code: int, message: str) -> None:
        """Store reason and number."""
        super().__init__(message)
        self.code = code


def respond(fill: Callable[[Any, Any], None], request: Any, response: Any) -> None:
    """Fill a response and its result, where it has one."""
    code, reason = OK, ''
    try:
        fill(request, response)
    except RequestError as error:
        code, reason = error.code, str(error)
    except MvsimError as error:
        code, reason = FAILED, str(error)
    if hasattr(response, 'result'):
        response.result.result = code
        response.result.error_message = reason or response.result.error_message


def resource(message: Any) -> Any:
    """Return the part with `uri` and `resource_string`: nested in version 2 of the package."""
    for part in ('entity_resource', 'world_resource'):
        if hasattr(message, part):
            return getattr(message, part)
    return message
