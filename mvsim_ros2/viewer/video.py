# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Video of a run as MP4."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.viewer.perspective import PosedObservation
from mvsim_ros2.viewer.perspective import with_pose

if TYPE_CHECKING:
    from PIL.Image import Image

QUALITY = '20'  # of x264: smaller is better, 18 looks like the original


def write_video(simulation: Simulation, path: str | Path, duration: float,
                draw: Callable[[list[PosedObservation]], 'Image'],
                frames_per_second: int = 25) -> int:
    """
    Run a simulation and write a video of it; return the number of frames.

    :param duration: simulated time [s].
    :param draw: returns the picture of the present state; called with the latest observation of
        each sensor.
    :raises RecordingError: where PyAV is missing or the file cannot be written.
    """
    try:
        import av
    except ImportError as error:
        raise RecordingError(
            'videos need PyAV: install it with `pip install av`') from error
    count = max(1, round(duration * frames_per_second))
    latest: dict[str, PosedObservation] = {}
    start = simulation.steps

    def collect(observation: Observation) -> None:
        latest[observation.sensor] = with_pose(simulation, observation)

    try:
        with av.open(str(path), 'w', format='mp4') as container:
            stream = container.add_stream('libx264', rate=Fraction(frames_per_second),
                                          options={'crf': QUALITY})
            stream.pix_fmt = 'yuv420p'
            for number in range(count):
                steps = round((number + 1) / frames_per_second / simulation.dt)
                simulation.run((start + steps - simulation.steps) * simulation.dt, collect)
                # the format requires even sizes
                pixels = np.asarray(draw(list(latest.values())))
                pixels = np.ascontiguousarray(
                    pixels[:pixels.shape[0] // 2 * 2, :pixels.shape[1] // 2 * 2])
                if number == 0:
                    stream.height, stream.width = pixels.shape[:2]
                container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format='rgb24')))
            container.mux(stream.encode())
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the video cannot be written: {error}') from error
    return count
