# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run as a page that plays by itself: one file, no server, no network."""

from collections.abc import Iterator
from pathlib import Path

import viser

from mvsim_ros2.base.files import replaced
from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import WindowError
from mvsim_ros2.pictures.perspective import frame_pose, PosedObservation, with_pose
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.window.cameras import first_view, set_first_view, View
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.layers import Layers
from mvsim_ros2.window.drawing.measured import Budget, PoseOf
from mvsim_ros2.window.drawing.sky import add_sky
from mvsim_ros2.window.frame import capture, Closely, Frame
from mvsim_ros2.window.replay.playback import Playback
from mvsim_ros2.window.replay.recorded import seen_where
from mvsim_ros2.window.server import close_server, free_port, LOCAL, open_server
from mvsim_ros2.world.spec.world import WorldSpec

RATE = 15.0  # frames a second; the browser shows each until the next
_BYTES_A_SECOND = 150_000  # of what sensors measured


def export_simulation(simulation: Simulation, path: str | Path, duration: float,
                      dark: bool = False) -> int:
    """
    Run a simulation and write a page that shows that run; return the frames.

    :param duration: simulated time [s].
    :raises WindowError: where the file cannot be written.
    """
    latest: dict[str, PosedObservation] = {}

    def see(observation: Observation) -> None:
        latest[observation.sensor] = with_pose(simulation, observation)

    def frames() -> Iterator[Frame]:
        start = simulation.steps
        for number in range(round(duration * RATE) + 1):
            steps = round(number / RATE / simulation.dt) - (simulation.steps - start)
            simulation.run(steps * simulation.dt, see)
            yield capture(simulation, Closely(), tuple(latest.values()), number == 0, True, 1.0)
            latest.clear()

    return _export(path, simulation.world, frames(), round(duration * RATE) + 1,
                   lambda seen: frame_pose(simulation, seen), first_view(simulation), dark)


def export_recordings(playback: Playback, path: str | Path, dark: bool = False) -> int:
    """
    Write a page that shows recordings; return the frames.

    :raises WindowError: where the file cannot be written.
    """
    count = round((playback.end - playback.start) * RATE) + 1
    return _export(path, playback.world,
                   (playback.frame(playback.start + k / RATE, k == 0) for k in range(count)),
                   count, seen_where, first_view(playback.at_start()), dark)


def _export(path: str | Path, world: WorldSpec, frames: Iterator[Frame], total: int,
            pose_of: PoseOf, view: View, dark: bool) -> int:
    """Draw frames on a server without visitors, and write what it would have sent."""
    server = open_server(LOCAL, free_port(LOCAL, 0), 0)
    try:
        set_first_view(server, view)
        add_sky(server, dark)
        now = [0.0]
        layers = Layers(server, world, Choices(), pose_of,
                        Budget(_BYTES_A_SECOND, lambda: now[0]))
        layers.draw(next(frames))
        recorder = server.get_scene_serializer()
        count = 1
        for frame in frames:
            tell(count, total, 'frames')
            now[0] += 1.0 / RATE
            recorder.insert_sleep(1.0 / RATE)
            layers.draw(frame)
            count += 1
        recorder.insert_sleep(1.0 / RATE)
        with replaced(path) as new:
            new.write_text(_titled(recorder, world, dark), encoding='utf-8')
    except OSError as error:
        raise WindowError(f'{path}: the page cannot be written: {error.strerror}') from error
    finally:
        close_server(server)
    return count


def _titled(recorder: 'viser.infra.StateSerializer', world: WorldSpec, dark: bool) -> str:
    """Return the page with a title of its own."""
    page: str = recorder.as_html(dark_mode=dark)
    return page.replace('<title>Viser</title>', f'<title>{Path(world.path).name}</title>', 1)
