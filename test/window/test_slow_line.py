# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Big point clouds on a line of 20 Mbit/s: what the browser shows stays live."""

import asyncio

from live_pages import camera_message, joined, talk
from making import simulate
import pytest

from mvsim_ros2.window import window
from mvsim_ros2.window.drawing.measured import Budget
from mvsim_ros2.window.live_run import LiveRun
from mvsim_ros2.window.page import Page

LINE = 20e6 / 8  # bytes a second
CLOUD = 130_000  # points
WALLS = '\n'.join(
    f'  <block name="wall{k}"><static>true</static><init_pose>{x} {y} {90 * k}</init_pose>'
    '<geometry type="box" lx="1" ly="16" lz="9"/></block>'
    for k, (x, y) in enumerate(((7, 0), (0, 7), (-7, 0), (0, -7))))
WORLD = f"""<element class="horizontal_plane"/>
{WALLS}
  <include file="package://mvsim_ros2/worlds/vehicles/jackal.vehicle.xml"/>
  <vehicle name="r" class="jackal"><init_pose>0 0 0</init_pose>
    <sensor class="lidar3d" name="lidar"><sensor_period>0.1</sensor_period>
      <vert_nrays>128</vert_nrays><horz_nrays>1320</horz_nrays>
      <pose_3d>0 0 1.5 0 0 0</pose_3d></sensor></vehicle>"""


class Clock:
    """Time that only passes while the client of the line gets its share of the processor."""

    TICK = 0.01  # s

    def __init__(self) -> None:
        self.now = 0.0

    async def tick(self) -> None:
        """Let it pass."""
        while True:
            await asyncio.sleep(self.TICK)
            self.now += self.TICK


@pytest.mark.parametrize('points', [
    pytest.param(12_000, id='as many as are shown at first'),
    pytest.param(200_000, id='all points')])
def test_what_waits_for_the_line_is_less_than_half_a_second(
        points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The browser takes 20 Mbit/s; then the simulation halts, and what still comes is old.

    The window sends by the clock of the line, so that a busy machine slows down both.

    :claim: On a slow line, the window lags by less than half a second
    :reference: a client that receives 20 Mbit/s
    """
    simulation = simulate(WORLD)
    cloud = next(each for each in simulation.step(round(0.1 / simulation.dt) + 1)
                 if each.sensor == 'r/lidar')
    assert cloud.points.size > CLOUD
    clock = Clock()
    monkeypatch.setattr(window, 'Budget', lambda: Budget(clock=lambda: clock.now))
    with LiveRun(simulation, Page('', 0)) as run:
        run.window.choices.cloud_points = points
        received, old = talk(watch(run, clock))
    assert received > 9 * min(points, CLOUD), 'no cloud came'
    assert old < 0.5 * LINE, f'{old} bytes waited, {received} had come'


async def watch(run: LiveRun, clock: Clock) -> tuple[int, int]:
    """Return the bytes that came over the line during a run, and those that came after it."""
    bytes_of = [0, 0]
    halted = asyncio.Event()
    async with joined(run.link, max_queue=1) as socket:
        await socket.send(camera_message())

        async def take() -> None:
            free = clock.now
            while True:
                size = len(await socket.recv())
                bytes_of[halted.is_set()] += size
                free = max(free, clock.now) + size / LINE
                while clock.now < free:
                    await asyncio.sleep(clock.TICK)

        taking = asyncio.create_task(take()), asyncio.create_task(clock.tick())
        await asyncio.to_thread(run.run, 3.0)
        halted.set()
        last = -1
        while bytes_of[1] != last:  # until nothing comes for half a second
            last = bytes_of[1]
            halt = clock.now
            while clock.now < halt + 0.5:
                await asyncio.sleep(clock.TICK)
        for task in taking:
            task.cancel()
    return bytes_of[0], bytes_of[1]
