# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The action `SimulateSteps` of `simulation_interfaces`."""

import importlib
from typing import Any

from rclpy.action.server import ActionServer
from rclpy.action.server import CancelResponse
from rclpy.action.server import GoalResponse
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.services.request_error import FAILED
from mvsim_ros2.ros.services.request_error import OK
from mvsim_ros2.ros.simulation_loop import SimulationLoop


def offer_simulate_steps(node: Node, runner: SimulationLoop, inbox: MainThreadQueue) -> bool:
    """
    Offer the action; return False where the package has none.

    It tells its progress after each step, can be cancelled between two, and takes one goal at
    a time. Other requests are answered meanwhile.
    """
    try:
        kind: Any = importlib.import_module('simulation_interfaces.action').SimulateSteps
    except ImportError:
        return False
    at_work: list[bool] = []  # True while there is a goal

    def consider(_: Any) -> GoalResponse:
        if at_work:
            node.get_logger().warning('simulate_steps: refused, another goal is not reached yet')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    async def execute(goal: Any) -> Any:
        wanted, result = goal.request.steps, kind.Result()
        at_work.append(True)

        def act() -> int:
            made = 0
            for made in runner.steps(wanted, at_once=1):
                goal.publish_feedback(kind.Feedback(
                    completed_steps=made, remaining_steps=wanted - made))
                if goal.is_cancel_requested:
                    break
            return made

        try:
            made = await inbox.ask_aside(act)
        except MvsimError as error:
            result.result.result, result.result.error_message = FAILED, str(error)
            goal.abort()
        else:
            result.result.result = OK
            if made < wanted:
                result.result.result = FAILED
                result.result.error_message = f'ended after {made} of {wanted} steps'
            if goal.is_cancel_requested:
                goal.canceled()
            elif made < wanted:
                goal.abort()
            else:
                goal.succeed()
        at_work.clear()
        return result

    ActionServer(node, kind, 'simulate_steps', execute, goal_callback=consider,
                 cancel_callback=lambda _: CancelResponse.ACCEPT)
    return True
