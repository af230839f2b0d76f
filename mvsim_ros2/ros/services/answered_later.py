# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Services that are answered by the simulation loop, while others are served."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node

from mvsim_ros2.ros.main_thread_queue import MainThreadQueue


@dataclass(frozen=True)
class _Later:
    """What a callback returns in place of a response that is not there yet."""

    request: Any
    response: Any


def offer_answered_later(node: Node, queue: MainThreadQueue, kind: Any, name: str,
                         fill: Callable[[Any, Any], None]) -> None:
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
