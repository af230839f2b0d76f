# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""The action `SimulateSteps` of `simulation_interfaces`."""

import importlib
from typing import Any

from rclpy.action.server import ActionServer
from rclpy.action.server import CancelResponse
from rclpy.action.server import GoalResponse
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.inbox import Inbox
from mvsim_ros2.ros.request_error import FAILED
from mvsim_ros2.ros.request_error import OK
from mvsim_ros2.ros.runner import Runner


def offer_simulate_steps(node: Node, runner: Runner, inbox: Inbox) -> bool:
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
