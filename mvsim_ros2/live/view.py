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
"""`mvsim_ros2.view`: a window for a simulation, from Python."""

import math
from typing import TYPE_CHECKING
import webbrowser

from mvsim_ros2.errors import WindowError

if TYPE_CHECKING:
    from mvsim_ros2.live.live_run import LiveRun
    from mvsim_ros2.simulation import Simulation


def view(simulation: 'Simulation', port: int | None = None, host: str = '127.0.0.1',
         running: bool = True, speed: float = 1.0, dark: bool = False,
         browser: bool = False) -> 'LiveRun':
    """
    Open a window for a simulation and run it in a thread of its own.

    From then on the simulation belongs to that thread; ``do`` of what is returned lets it do
    something between two steps. In a notebook the window shows inline::

        run = mvsim_ros2.view(simulation)
        run.do(lambda simulation: simulation.vehicles['r1'].set_twist(0.5, 0.2))
        run.close()

    :param port: where the window listens, 0 for any, None for the first free one from 8080 on.
    :param host: address that it listens on; others than 127.0.0.1 let other machines in.
    :param running: False stands still until someone presses Run.
    :param speed: simulated seconds a second, inf for as fast as possible.
    :param dark: dark colours.
    :param browser: True opens the window in the browser of this machine.
    :raises WindowError: where the port is taken, or viser is missing.
    """
    live = live_run(simulation, port, host, running, speed, dark)
    live.start()
    if browser:
        webbrowser.open(live.link)
    return live


def live_run(simulation: 'Simulation', port: int | None = None, host: str = '127.0.0.1',
             running: bool = True, speed: float = 1.0, dark: bool = False) -> 'LiveRun':
    """
    Open a window for a simulation that does not run yet; see `view`.

    :raises WindowError: where the port is taken, the speed is not possible, or viser is missing.
    """
    if not speed > 0.0 or math.isnan(speed):
        raise WindowError(f'a speed of {speed} is not possible: give a positive number, or inf')
    try:
        from mvsim_ros2.live.live_run import LiveRun
    except ImportError as error:
        raise WindowError('the window needs viser: install it with `pip install viser`, or '
                          "`pip install '.[viewer]'` in this folder") from error
    return LiveRun(simulation, port, host, running, speed, dark)
