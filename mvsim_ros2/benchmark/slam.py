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
"""SLAM packages on recorded runs: record, run, compare with the truth, and make a table."""

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
import csv
from dataclasses import dataclass
import json
import math
from pathlib import Path
import shutil
from statistics import median
from typing import Any

from rosbags.highlevel import AnyReader

from mvsim_ros2.benchmark.clients import Client
from mvsim_ros2.benchmark.clients import run_client
from mvsim_ros2.benchmark.clients import Topics
from mvsim_ros2.benchmark.score import Score
from mvsim_ros2.benchmark.score import score
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.choice import make_controller
from mvsim_ros2.trajectories.replay import RUN_FILE

ODOMETRY = 'odometry'  # the row of the wheel odometry, for comparison
# Stamps of points are given from the start of their scan, and RKO-LIO takes them for absolute
# ones where both could be meant: in the first fractions of a second.
STAND_STILL = 1.0  # s before a recording begins
COLUMNS = ('world', 'client', 'seeds', 'APE [m]', 'least', 'most', 'worst point [m]',
           'drift [%]', 'time [s]')


@dataclass(frozen=True, eq=False)
class Result:
    """What a client made of a run."""

    world: str
    client: str
    seed: int
    score: Score
    lasted: float  # s, of the client


def benchmark_world(world: Path, controller: str, duration: float, seeds: Iterable[int],
                    clients: Sequence[Client], folder: Path, keep_bags: bool = False,
                    report: Callable[[str], None] = lambda text: None) -> list[Result]:
    """
    Record a world once for each seed, and run all clients on every recording.

    :param world: world file, of one vehicle with a 3D LiDAR, a 2D LiDAR, and an IMU.
    :param controller: what drives, see `trajectories.choice.make_controller`.
    :param duration: of a recording [s].
    :param folder: for bags, results and logs of the clients.
    :param keep_bags: leave the bags there; one takes several MB a second.
    :param report: is told what is going on.
    :raises BenchmarkError: where a client fails, or the world lacks what it needs.
    :raises MvsimError: where the world cannot be run or recorded.
    """
    name = world.name.split('.')[0]
    results = []
    for seed in seeds:
        place = folder / name / f'seed_{seed}'
        bag = place / 'bag'
        shutil.rmtree(bag, ignore_errors=True)
        place.mkdir(parents=True, exist_ok=True)
        report(f'{name}, seed {seed}: recording {duration:g} s')
        topics = _record(world, controller, duration, seed, bag)
        truth = bag / 'ground_truth'
        odometry = place / 'odometry.tum'
        _write_odometry(bag, odometry)
        results.append(Result(name, ODOMETRY, seed, score(truth / 'base_link.tum', odometry), 0.0))
        for client in clients:
            report(f'{name}, seed {seed}: {client.name}')
            trajectory, lasted = run_client(client, bag, topics, place / client.name)
            reference = truth / 'base_link.tum' if client.truth == 'base_link' else _scan_ends(
                bag, topics.points)
            results.append(Result(name, client.name, seed, score(reference, trajectory), lasted))
        shutil.copytree(truth, place / 'ground_truth', dirs_exist_ok=True)
        if not keep_bags:
            shutil.rmtree(bag)
    return results


def _record(world: Path, controller: str, duration: float, seed: int, bag: Path) -> Topics:
    simulation = Simulation.from_file(world, seed)
    if len(simulation.vehicles) != 1:
        raise BenchmarkError(f'{world} has {len(simulation.vehicles)} vehicles: SLAM is scored '
                             'with one; others can be actors')
    simulation.run(STAND_STILL)
    with Recorder(simulation, bag, make_controller(controller)) as recorder:
        names = {}
        for kind, what in (('sensor_msgs/PointCloud2', 'a 3D LiDAR'),
                           ('sensor_msgs/Imu', 'an IMU'),
                           ('sensor_msgs/LaserScan', 'a 2D LiDAR')):
            found = [name for name, topic in recorder.bag.topics.items()
                     if topic.message_type == kind]
            if not found:
                raise BenchmarkError(f'{world}: the vehicle has not {what}, which SLAM needs: '
                                     'include one, as in worlds/office.world.xml')
            names[kind] = found[0]
        recorder.describe(controller=controller)
        recorder.run(STAND_STILL + duration)
    return Topics(names['sensor_msgs/PointCloud2'], names['sensor_msgs/Imu'])


def _scan_ends(bag: Path, topic: str) -> Path:
    """Return the file of where a LiDAR was at the ends of its scans."""
    files: list[str] = json.loads((bag / RUN_FILE).read_text())['topics'][topic]['truth']
    return next(bag / file for file in files if file.endswith('_end.tum'))


def _write_odometry(bag: Path, file: Path) -> None:
    """Write what a vehicle believes of its way as a trajectory."""
    with AnyReader([bag]) as reader, file.open('w') as output:
        wanted = [each for each in reader.connections if each.topic == '/odom']
        for connection, _, raw in reader.messages(wanted):
            message: Any = reader.deserialize(raw, connection.msgtype)
            stamp, pose = message.header.stamp, message.pose.pose
            here, turn = pose.position, pose.orientation
            output.write(f'{stamp.sec + 1e-9 * stamp.nanosec:.9f} {here.x:.9f} {here.y:.9f} '
                         f'{here.z:.9f} {turn.x:.9f} {turn.y:.9f} {turn.z:.9f} {turn.w:.9f}\n')


def table(results: Iterable[Result]) -> list[tuple[str, ...]]:
    """Return the rows of `COLUMNS`: for each world and client the medians over its seeds."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.world, result.client), []).append(result)
    return [(world, client, str(len(group)), *(
        f'{value:.3f}' for value in (
            median(each.score.ape for each in group), min(each.score.ape for each in group),
            max(each.score.ape for each in group), median(each.score.worst for each in group))),
        _percent(median(each.score.drift for each in group)),
        f'{median(each.lasted for each in group):.1f}')
        for (world, client), group in groups.items()]


def _percent(share: float) -> str:
    return '-' if math.isnan(share) else f'{100.0 * share:.2f}'


def write_tables(results: Sequence[Result], folder: Path) -> str:
    """Write `table.csv` and `table.md` and return the latter."""
    rows = [COLUMNS, *table(results)]
    with (folder / 'table.csv').open('w', newline='') as file:
        csv.writer(file).writerows(rows)
    rows.insert(1, ('---',) * len(COLUMNS))
    text = ''.join(f'| {" | ".join(row)} |\n' for row in rows)
    (folder / 'table.md').write_text(text)
    return text
