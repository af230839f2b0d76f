# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Control of time: `~/pause`, `~/resume`, `~/step`, `~/reset`, action `SimulateSteps`."""

from collections.abc import Callable
import importlib
from typing import Any

from rclpy.action.server import ActionServer, CancelResponse, GoalResponse
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.services.results import FAILED, OK
from mvsim_ros2.ros.services.trigger import offer_trigger
from mvsim_ros2.ros.simulation_loop import SimulationLoop


def offer_control(node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
    """
    Offer the services.

    Each responds after its execution, with the simulated time or the reason of its failure as
    message. `~/step` makes as many steps as the parameter `steps_per_request` says.
    """
    def step() -> None:
        loop.step(node.get_parameter('steps_per_request').value)

    def offer(name: str, action: Callable[[], None]) -> None:
        def act() -> str:
            action()
            return f'simulated time {loop.context.simulation.time_ns * 1e-9:.9f} s'

        offer_trigger(node, queue, name, act, takes_long=name == 'step')

    offer('pause', loop.pause)
    offer('resume', loop.resume)
    offer('step', step)
    offer('reset', loop.reset)


def offer_simulate_steps(node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> bool:
    """
    Offer the action; return False where the package has none.

    It gives feedback after each step, can be cancelled between two, and accepts one goal at a
    time. Other requests are served meanwhile.
    """
    try:
        kind: Any = importlib.import_module('simulation_interfaces.action').SimulateSteps
    except ImportError:
        return False
    active: list[bool] = []  # not empty while there is a goal

    def consider(_: Any) -> GoalResponse:
        if active:
            node.get_logger().warning('simulate_steps: goal rejected, another one is active')
            return GoalResponse.REJECT
        active.append(True)  # here, as the next goal may be considered before this one is executed
        return GoalResponse.ACCEPT

    async def execute(goal: Any) -> Any:
        wanted, result = goal.request.steps, kind.Result()

        def act() -> int:
            made = 0
            for made in loop.steps(wanted, at_once=1):
                goal.publish_feedback(kind.Feedback(
                    completed_steps=made, remaining_steps=wanted - made))
                if goal.is_cancel_requested:
                    break
            return made

        try:
            made = await queue.call_async(act)
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
        active.clear()
        return result

    ActionServer(node, kind, 'simulate_steps', execute, goal_callback=consider,
                 cancel_callback=lambda _: CancelResponse.ACCEPT)
    return True
