# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure how fast a run is recorded, and where the time goes.

    python benchmarks/record.py [--rounds N] [--seconds S] [--compress]

The robot of the demo world drives in a circle with a VLP-16 at 10 Hz (288 000 points a second),
a planar LiDAR at 10 Hz, an IMU at 200 Hz and odometry at 50 Hz; then with a colour camera of
640 x 480 pixels at 10 Hz as well. Prints medians: factor of real time, CPU time for a simulated
second, which other work on the machine changes less, megabytes of messages a second of the wall
clock, and the share of the parts in the time.

:claim: Real-time factor of recording a run with LiDARs and cameras
:reference: the parts of the time, in one run
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
import statistics
import tempfile
import time
from typing import Any

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import hold_twist
from mvsim_ros2.world.spec import WorldSpec

SENSORS = 'package://mvsim_ros2/worlds/sensors'
RIG = f"""<mvsim_world>
  <vehicle name="robot"> <init_pose>0 0 0</init_pose> <dynamics class="differential"/>
    <include file="{SENSORS}/vlp16.sensor.xml"/>
    <include file="{SENSORS}/lidar2d.sensor.xml"/>
    <include file="{SENSORS}/imu.sensor.xml" sensor_period_sec="0.005"/>
    <include file="{SENSORS}/camera.sensor.xml" sensor_hz="10"/>
  </vehicle>
</mvsim_world>"""
PARTS = 'physics and sensors', 'messages and bag', 'ground truth', 'rest'


def world(camera: bool) -> WorldSpec:
    """Return the demo world, its robot with other sensors; the camera is the last."""
    with tempfile.NamedTemporaryFile('w', suffix='.world.xml') as file:
        file.write(RIG)
        file.flush()
        sensors = load_world(file.name).vehicles[0].sensors
    demo = load_world(world_path('demo'))
    return replace(demo, vehicles=(replace(
        demo.vehicles[0], sensors=sensors if camera else sensors[:-1]),))


def timed(function: Callable[..., Any], times: dict[str, float],
          part: str) -> Callable[..., Any]:
    """Return `function`, the time [s] in it added to a part."""
    def call(*arguments: Any) -> Any:
        begin = time.perf_counter()
        try:
            return function(*arguments)
        finally:
            times[part] += time.perf_counter() - begin

    return call


@contextmanager
def recorder(spec: WorldSpec, folder: Path, compress: bool) -> Iterator[Recorder]:
    """Provide a recorder of a simulation that is warm."""
    simulation = Simulation(spec)
    simulation.warm_up()
    with Recorder(simulation, folder, hold_twist(0.5, 0.5), compress=compress) as made:
        yield made


def measure(spec: WorldSpec, seconds: float,
            compress: bool) -> tuple[float, float, float, dict[str, float]]:
    """Return real-time factor, CPU share, MB a second, and shares of the parts."""
    times = dict.fromkeys(PARTS, 0.0)
    with tempfile.TemporaryDirectory() as folder:
        with recorder(spec, Path(folder) / 'bag', compress) as made:
            simulation: Any = made._simulation
            parts: Any = made
            simulation.step = timed(simulation.step, times, PARTS[0])
            for name in ('write_clock', 'write_states', 'write_observation', 'write_commands'):
                setattr(parts._topics, name, timed(
                    getattr(parts._topics, name), times, PARTS[1]))
            parts._truth.write = timed(parts._truth.write, times, PARTS[2])
            begin, cpu = time.perf_counter(), time.process_time()
            made.run(seconds)
        wall, cpu = time.perf_counter() - begin, time.process_time() - cpu  # files are ended
        size = 1e-6 * made.bag.written
    times[PARTS[-1]] = wall - sum(times.values())
    shares = {part: spent / wall for part, spent in times.items()}
    return seconds / wall, cpu / seconds, size / wall, shares


def main() -> None:
    """Record both cases and print a table."""
    parser = argparse.ArgumentParser(description='Speed of recording.')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=float, default=20.0, help='simulated time of a round')
    parser.add_argument('--compress', action='store_true', help='with zstd')
    options = parser.parse_args()
    print(f'{"":14s} {"x real time":>11s} {"CPU s/s":>8s} {"MB/s":>7s}  '
          + '  '.join(f'{part:>19s}' for part in PARTS))
    for case, camera in (('LiDARs, IMU', False), ('and camera', True)):
        spec = world(camera)
        rounds = [measure(spec, options.seconds, options.compress)
                  for _ in range(options.rounds)]
        shares = (statistics.median(each[3][part] for each in rounds) for part in PARTS)
        print(f'{case:14s} {statistics.median(each[0] for each in rounds):11.1f} '
              f'{statistics.median(each[1] for each in rounds):8.3f} '
              f'{statistics.median(each[2] for each in rounds):7.1f}  '
              + '  '.join(f'{share:19.0%}' for share in shares))


if __name__ == '__main__':
    main()
