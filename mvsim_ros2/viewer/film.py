# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run of a simulation as an MP4 film."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.viewer.perspective import Seen
from mvsim_ros2.viewer.perspective import seen_now

if TYPE_CHECKING:
    from PIL.Image import Image

QUALITY = '20'  # of x264: smaller is better, 18 looks like the original


def write_film(simulation: Simulation, path: str | Path, duration: float,
               draw: Callable[[list[Seen]], 'Image'],
               frames_per_second: int = 25) -> int:
    """
    Run a simulation and write what is drawn of it; return the number of frames.

    :param duration: simulated time of the film [s].
    :param draw: returns the picture of the present state; is handed the last measurement of
        each sensor so far.
    :raises RecordingError: where PyAV is missing or the file cannot be written.
    """
    try:
        import av
    except ImportError as error:
        raise RecordingError(
            'films need PyAV: install it with `pip install av`') from error
    count = max(1, round(duration * frames_per_second))
    latest: dict[str, Seen] = {}
    start = simulation.steps

    def see(observation: Observation) -> None:
        latest[observation.sensor] = seen_now(simulation, observation)

    try:
        with av.open(str(path), 'w', format='mp4') as film:
            stream = film.add_stream('libx264', rate=Fraction(frames_per_second),
                                     options={'crf': QUALITY})
            stream.pix_fmt = 'yuv420p'
            for number in range(count):
                steps = round((number + 1) / frames_per_second / simulation.dt)
                simulation.run((start + steps - simulation.steps) * simulation.dt, see)
                # the format wants even sizes
                pixels = np.asarray(draw(list(latest.values())))
                pixels = np.ascontiguousarray(
                    pixels[:pixels.shape[0] // 2 * 2, :pixels.shape[1] // 2 * 2])
                if number == 0:
                    stream.height, stream.width = pixels.shape[:2]
                film.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format='rgb24')))
            film.mux(stream.encode())
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the film cannot be written: {error}') from error
    return count
