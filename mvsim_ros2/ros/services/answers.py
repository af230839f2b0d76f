# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How services are answered: by the simulation loop, with a result."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError

# numbers of simulation_interfaces/msg/Result
OK, FAILED, UNSUPPORTED, NOT_FOUND, INCORRECT_STATE = 1, 4, 0, 2, 3
INVALID_POSE = 101  # of the services that take a pose


class RequestError(MvsimError):
    """Raised when a request cannot be fulfilled; carries the number of the result."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def respond(fill: Callable[..., None], request: Any, response: Any, *given: Any) -> None:
    """Fill a response and its result, where it has one."""
    code, reason = OK, ''
    try:
        fill(request, response, *given)
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


class _Prepared(ReentrantCallbackGroup):
    """A group that changes each service before an executor takes it and its methods."""

    def __init__(self, prepare: Callable[[Any], None]) -> None:
        super().__init__()
        self._prepare = prepare

    def add_entity(self, entity: Any) -> None:
        """Change a service; its node announces it to executors after that."""
        self._prepare(entity)
        super().add_entity(entity)


def offer_service(node: Node, kind: Any, name: str, fill: Callable[..., None],
                  post: Callable[[Callable[[], None]], None],
                  read: Callable[[Any], Any] | None = None) -> Any:
    """
    Offer a service that the loop answers, while the executor serves others.

    The executor would wait in a callback, and its events executor takes no coroutines as
    callbacks of services. So the callback returns at once, and the loop sends the response.

    :param fill: fills in the response, in the loop.
    :param post: hands a call to the loop.
    :param read: returns a third argument of `fill` from the request, before the loop calls it.
    """
    def prepare(service: Any) -> None:
        service.send_response = partial(send_later, service.send_response)

    def send_later(send: Callable[[Any, Any], None], later: _Later, header: Any) -> None:
        given = (read(later.request),) if read else ()

        def answer() -> None:
            fill(later.request, later.response, *given)
            send(later.response, header)

        post(answer)

    return node.create_service(kind, name, _Later, callback_group=_Prepared(prepare))


def offer(node: Node, kind: Any, name: str, action: Callable[[Any], str],
          post: Callable[[Callable[[], None]], None]) -> Any:
    """Offer a service whose response has `success` and `message`, such as std_srvs/Trigger."""
    def fill(request: Any, response: Any) -> None:
        try:
            response.message, response.success = action(request), True
        except MvsimError as error:
            response.message, response.success = str(error), False

    return offer_service(node, kind, name, fill, post)
