# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Control of time, recordings and states by services, and the action `SimulateSteps`."""

from collections.abc import Callable, Mapping
from functools import partial
import importlib
from typing import Any

from rclpy.action.server import ActionServer, CancelResponse, GoalResponse
from rclpy.node import Node
from std_srvs.srv import Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.pictures.viewpoint import automatic_view
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.services.answers import FAILED, offer, OK
from mvsim_ros2.ros.simulation_loop import SimulationLoop

_FILM_SIZE = (1280, 720)  # px


def offer_control(node: Node, loop: SimulationLoop, queue: MainThreadQueue) -> None:
    """
    Offer `~/pause`, `~/resume`, `~/step` and `~/reset`, and what the window does as well.

    That is `~/start_bag`, `~/stop_bag`, `~/film`, `~/save` and `~/restore`. Each responds after
    its execution; the message is the file, the simulated time, or the reason of a failure.
    `~/step` makes as many steps as the parameter `steps_per_request` says.
    """
    recorders = loop.recorders
    saved: list[Mapping[str, Any]] = []  # at most one state

    def step() -> None:
        loop.step(node.get_parameter('steps_per_request').value)

    def start_bag() -> str:
        loop.need_world()
        return str(recorders.start_bag(loop.simulation).resolve())

    def stop_bag() -> str:
        return str(recorders.stop_bag().resolve())

    def film() -> str:
        loop.need_world()
        simulation = loop.simulation
        view = automatic_view(simulation, *_FILM_SIZE)
        seconds: float = node.get_parameter('film_seconds').value
        return str(recorders.start_film(simulation, seconds, lambda: view).resolve())

    def save() -> None:
        loop.need_world()
        saved[:] = [loop.simulation.snapshot()]

    def restore() -> None:
        if not saved:
            raise MvsimError('no state is saved: call ~/save first')
        loop.restore(saved[0])

    def act(action: Callable[[], str | None], _: Trigger.Request) -> str:
        return action() or f'simulated time {loop.simulation.time_ns * 1e-9:.9f} s'

    recorders.listeners.append(node.get_logger().info)
    for action in (loop.pause, loop.resume, step, loop.reset, start_bag, stop_bag, film, save,
                   restore):
        offer(node, Trigger, f'~/{action.__name__}', partial(act, action),
              queue.post_in_turn if action is step else queue.post)


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

        code, reason = OK, ''
        try:
            made = await queue.call_async(act)
            if made < wanted:
                code, reason = FAILED, f'ended after {made} of {wanted} steps'
        except MvsimError as error:
            code, reason = FAILED, str(error)
        result.result.result, result.result.error_message = code, reason
        if goal.is_cancel_requested:
            goal.canceled()
        elif code == OK:
            goal.succeed()
        else:
            goal.abort()
        active.clear()
        return result

    ActionServer(node, kind, 'simulate_steps', execute, goal_callback=consider,
                 cancel_callback=lambda _: CancelResponse.ACCEPT)
    return True
