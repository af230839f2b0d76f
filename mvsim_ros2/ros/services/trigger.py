# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Services without arguments."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue


def offer_trigger(node: Node, queue: MainThreadQueue, name: str,
                  action: Callable[[], str]) -> None:
    """
    Offer a service that lets the loop of the node do something.

    :param name: below the name of the node.
    :param action: returns the message of the response; an `MvsimError` is the reason of a
        failure.
    """
    def serve(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        try:
            response.message = queue.call(action)
            response.success = True
        except MvsimError as error:
            response.success, response.message = False, str(error)
        return response

    node.create_service(Trigger, f'~/{name}', serve)
