# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What a window costs: share of a core, bytes a second, memory.

The browser is a process of its own that takes all that it is sent and draws nothing, so that the
numbers are those of the simulation alone.

::

    python benchmarks/window.py                      # demo world, 20 s each
    python benchmarks/window.py --world lidar3d --points 150000
    python benchmarks/window.py --soak 3600          # simulated seconds, as fast as possible

:claim: Cost of a window
:reference: the same run without it
"""

import argparse
import asyncio
from collections.abc import Callable
import math
import multiprocessing
from multiprocessing.sharedctypes import Synchronized
import resource
import time
from typing import Any

import msgspec
import viser
from websockets.asyncio.client import connect

from mvsim_ros2 import Simulation, world_path
from mvsim_ros2.window.live_run import LiveRun
from mvsim_ros2.window.pace import Pace
from mvsim_ros2.window.page import Page

CAMERA = {
    'type': 'ViewerCameraMessage', 'wxyz': (1.0, 0.0, 0.0, 0.0), 'position': (0.0, 0.0, 5.0),
    'fov': 1.0, 'near': 0.01, 'far': 100.0, 'image_height': 480, 'image_width': 640,
    'look_at': (0.0, 0.0, 0.0), 'up_direction': (0.0, 0.0, 1.0)}


def visit(link: str, received: 'Synchronized[int]') -> None:
    """Take what a window sends until this process is ended."""
    async def talk() -> None:
        async with connect(link.replace('http', 'ws', 1), max_size=None,
                           subprotocols=[f'viser-v{viser.__version__}']) as socket:
            await socket.send(msgspec.msgpack.encode(CAMERA))
            while True:
                received.value += len(await socket.recv())

    asyncio.run(talk())


def memory() -> float:
    """Return the memory of this process that is in use [MB]."""
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def driving(world: str) -> Simulation:
    """Return a world whose vehicles drive in circles."""
    simulation = Simulation.from_file(world_path(world))
    for vehicle in simulation.vehicles.values():
        if vehicle.accepts_twist:
            vehicle.set_twist(0.3, 0.5)
    simulation.warm_up()
    for vehicle in simulation.vehicles.values():
        if vehicle.accepts_twist:
            vehicle.set_twist(0.3, 0.5)
    return simulation


def share_of_a_core(run: Callable[[], object], simulation: Simulation) -> tuple[float, float]:
    """Return the share of a core that this process takes, and the real-time factor."""
    cpu, wall, begin = time.process_time(), time.perf_counter(), simulation.time
    run()
    wall = time.perf_counter() - wall
    return (time.process_time() - cpu) / wall, (simulation.time - begin) / wall


def bare(simulation: Simulation, seconds: float) -> None:
    """Run in real time, without a window."""
    pace = Pace(simulation.dt)
    end = simulation.time + seconds
    while simulation.time < end:
        count = pace.due()
        simulation.run(count * simulation.dt, lambda observation: None)
        pace.done(count)
        time.sleep(pace.rest())


class Visitor:
    """A client in a process of its own."""

    def __init__(self, run: LiveRun) -> None:
        context = multiprocessing.get_context('spawn')
        self._received: Any = context.Value('q', 0)
        self._process = context.Process(target=visit, args=(run.link, self._received))
        self._process.start()
        while run.window.clients == 0:
            run.run(0.1)

    @property
    def received(self) -> int:
        """Return the bytes that it was sent."""
        return int(self._received.value)

    def end(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.join()


def costs(world: str, seconds: float, points: int) -> None:
    """Print the shares of a core without a window, with one, and with one that is looked at."""
    simulation = driving(world)
    bare(simulation, 2.0)
    alone, factor = share_of_a_core(lambda: bare(simulation, seconds), simulation)
    print(f'{world}: without a window {alone:.1%} of a core at {factor:.2f} x real time')
    with LiveRun(simulation, Page('', 0)) as run:
        run.window.choices.cloud_points = points
        run.run(2.0)
        unseen, factor = share_of_a_core(lambda: run.run(seconds), simulation)
        print(f'  window, no client: {unseen - alone:+.1%} of a core at {factor:.2f} x')
        visitor = Visitor(run)
        run.run(2.0)
        begin, sent = time.perf_counter(), visitor.received
        seen, factor = share_of_a_core(lambda: run.run(seconds), simulation)
        rate = (visitor.received - sent) / (time.perf_counter() - begin)
        visitor.end()
    print(f'  one client: {seen - alone:+.1%} of a core at {factor:.2f} x, '
          f'{8e-6 * rate:.1f} Mbit/s')


def soak(world: str, seconds: float) -> None:
    """Print the memory while a world runs as fast as possible before a client."""
    simulation = driving(world)
    with LiveRun(simulation, Page('', 0), speed=math.inf) as run:
        visitor = Visitor(run)
        for share in range(11):
            if share:
                run.run(0.1 * seconds)
            print(f'  {simulation.time:7.0f} s simulated: {memory():.1f} MB, '
                  f'{visitor.received / 1e6:.0f} MB sent', flush=True)
        visitor.end()


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--world', default='demo')
    parser.add_argument('--seconds', type=float, default=20.0)
    parser.add_argument('--points', type=int, default=12000, help='of clouds that are sent')
    parser.add_argument('--soak', type=float, default=0.0, metavar='S')
    options = parser.parse_args()
    if options.soak:
        soak(options.world, options.soak)
    else:
        costs(options.world, options.seconds, options.points)


if __name__ == '__main__':
    main()
