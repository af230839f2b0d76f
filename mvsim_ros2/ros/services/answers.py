# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How services are answered: by the simulation loop, at once or later, with a result."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue

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


@dataclass(frozen=True)
class _Later:
    """What a callback returns in place of a response that is not there yet."""

    request: Any
    response: Any


def offer_answered_later(node: Node, queue: MainThreadQueue, kind: Any, name: str,
                         fill: Callable[[Any, Any], None]) -> Any:
    """
    Offer a service whose requests take long; one after the other is fulfilled.

    The executor of the node would wait in a callback, and its events executor takes no
    coroutines as callbacks of services. So the callback returns at once, and what the executor
    would send is sent by the loop when it is there.

    :param kind: class of the service.
    :param fill: fills in the response, in the loop.
    """
    service: Any = node.create_service(kind, name, _Later)
    send = service.send_response

    def send_later(later: _Later, header: Any) -> None:
        def answer() -> None:
            fill(later.request, later.response)
            send(later.response, header)

        queue.post_in_turn(answer)

    service.send_response = send_later
    return service


def offer(node: Node, queue: MainThreadQueue, kind: Any, name: str,
          action: Callable[[Any], str], takes_long: bool = False) -> Any:
    """
    Offer a service whose response has `success` and `message`, such as std_srvs/Trigger.

    :param action: run by the loop with the request; returns the message. An `MvsimError` is the
        reason of a failure.
    :param takes_long: whether other requests are to be answered meanwhile.
    """
    def fill(act: Callable[[], str], response: Any) -> Any:
        try:
            response.message, response.success = act(), True
        except MvsimError as error:
            response.message, response.success = str(error), False
        return response

    if takes_long:
        return offer_answered_later(node, queue, kind, name, lambda request, response: fill(
            partial(action, request), response))
    return node.create_service(kind, name, lambda request, response: fill(
        lambda: queue.call(partial(action, request)), response))
