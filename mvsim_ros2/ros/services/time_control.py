# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Services that control time: `~/pause`, `~/resume`, `~/step` and `~/reset`."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.simulation_loop import SimulationLoop


def offer_control(node: Node, runner: SimulationLoop, inbox: MainThreadQueue) -> None:
    """
    Offer the services.

    Each answers once it is done, with the simulated time in its message; where it cannot be
    done, with the reason. `~/step` makes as many steps as the parameter `steps_per_request`
    says.
    """
    def step() -> None:
        runner.step(node.get_parameter('steps_per_request').value)

    def offer(name: str, action: Callable[[], None]) -> None:
        def serve(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
            def act() -> int:
                action()
                return runner.stage.simulation.time_ns

            try:
                response.message = f'simulated time {inbox.ask(act) * 1e-9:.9f} s'
                response.success = True
            except MvsimError as error:
                response.success, response.message = False, str(error)
            return response

        node.create_service(Trigger, f'~/{name}', serve)

    offer('pause', runner.pause)
    offer('resume', runner.resume)
    offer('step', step)
    offer('reset', runner.reset)
