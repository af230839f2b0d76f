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
"""Services that control time: `~/pause`, `~/resume`, `~/step` and `~/reset`."""

from collections.abc import Callable

from rclpy.node import Node
from std_srvs.srv import Trigger

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.inbox import Inbox
from mvsim_ros2.ros.runner import Runner


def offer_control(node: Node, runner: Runner, inbox: Inbox) -> None:
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
