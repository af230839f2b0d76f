# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Services without arguments."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.services.answered_later import offer_answered_later


def offer_trigger(node: Node, queue: MainThreadQueue, name: str,
                  action: Callable[[], str], takes_long: bool = False) -> None:
    """
    Offer a service that lets the loop of the node do something.

    :param name: below the name of the node.
    :param action: returns the message of the response; an `MvsimError` is the reason of a
        failure.
    :param takes_long: whether other requests are to be answered meanwhile.
    """
    def fill(act: Callable[[], str], response: Trigger.Response) -> None:
        try:
            response.message = act()
            response.success = True
        except MvsimError as error:
            response.success, response.message = False, str(error)

    def serve(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        fill(lambda: queue.call(action), response)
        return response

    if takes_long:
        offer_answered_later(
            node, queue, Trigger, f'~/{name}', lambda _, response: fill(action, response))
    else:
        node.create_service(Trigger, f'~/{name}', serve)
