# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""SLAM packages on recorded runs: record, run, compare with the truth, table and figure."""

from collections.abc import Callable, Iterable, Sequence
import csv
from dataclasses import dataclass
import json
import math
from pathlib import Path
import shutil
from statistics import median
from typing import Any

import numpy as np

from mvsim_ros2.base.files import replaced
from mvsim_ros2.base.progress import tell
from mvsim_ros2.errors import BenchmarkError
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel
from mvsim_ros2.pictures.html_report import facts, image, table as html_table, write_page
from mvsim_ros2.pictures.plan_symbols import solid_polygons
from mvsim_ros2.recording.export.bag_source import messages_of, open_reader, stamp_ns
from mvsim_ros2.recording.export.trajectory import seconds
from mvsim_ros2.recording.incidents import in_words, Incident
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.studies.slam_benchmark.clients import (
    Client, known_clients, run_client, Score, score, Topics)
from mvsim_ros2.trajectories.controllers_by_name import make_controller
from mvsim_ros2.trajectories.replay import RUN_FILE
from mvsim_ros2.world.spec.world import WorldSpec

ODOMETRY = 'odometry'  # row of the wheel odometry, for comparison
# Times of points are relative to the start of their scan, and RKO-LIO takes them for absolute
# ones where both are possible: in the first fractions of a second.
STAND_STILL = 1.0  # s before a recording starts
COLUMNS = ('world', 'client', 'version', 'seeds', 'APE [m]', 'least', 'most', 'worst point [m]',
           'drift [%]', 'time [s]', 'incidents')


@dataclass(frozen=True, eq=False)
class Result:
    """Result of a client on a run."""

    world: str
    client: str
    seed: int
    score: Score
    lasted: float  # s, of the client
    incidents: tuple[Incident, ...] = ()  # of the run


def benchmark_world(world: Path, controller: str, duration: float, seeds: Iterable[int],
                    clients: Sequence[Client], folder: Path, keep_bags: bool = False,
                    report: Callable[[str], None] = lambda text: None) -> list[Result]:
    """
    Record a world once for each seed, and run all clients on every recording.

    :param world: world file, of one vehicle with a 3D LiDAR, a 2D LiDAR, and an IMU.
    :param controller: see `trajectories.controllers_by_name.make_controller`.
    :param duration: of a recording [s].
    :param folder: for bags, results and logs of the clients.
    :param keep_bags: do not delete the bags, several MB per second each.
    :param report: called with lines of progress.
    :raises BenchmarkError: where a client fails, or the world lacks a sensor.
    :raises MvsimError: where the world cannot be run or recorded.
    """
    name = world.name.split('.')[0]
    results: list[Result] = []
    seeds = list(seeds)
    runs = len(seeds) * (1 + len(clients))
    for seed in seeds:
        tell(len(results), runs, 'runs')
        folder_of_seed = folder / name / f'seed_{seed}'
        bag = folder_of_seed / 'bag'
        shutil.rmtree(bag, ignore_errors=True)
        folder_of_seed.mkdir(parents=True, exist_ok=True)
        report(f'{name}, seed {seed}: recording {duration:g} s')
        topics, incidents = _record(world, controller, duration, seed, bag)
        if incidents:
            report(f'{name}, seed {seed}: warning: {in_words(incidents)}')
        truth = bag / 'ground_truth'
        odometry = folder_of_seed / 'odometry.tum'
        _write_odometry(bag, odometry)
        results.append(Result(name, ODOMETRY, seed, score(truth / 'base_link.tum', odometry), 0.0,
                              incidents))
        for client in clients:
            report(f'{name}, seed {seed}: {client.name}')
            tell(len(results), runs, 'runs')
            trajectory, lasted = run_client(client, bag, topics, folder_of_seed / client.name)
            reference = truth / 'base_link.tum' if client.truth == 'base_link' else _scan_ends(
                bag, topics.points)
            results.append(Result(name, client.name, seed, score(reference, trajectory), lasted,
                                  incidents))
        shutil.copytree(truth, folder_of_seed / 'ground_truth', dirs_exist_ok=True)
        if not keep_bags:
            shutil.rmtree(bag)
    return results


def _record(world: Path, controller: str, duration: float, seed: int,
            bag: Path) -> tuple[Topics, tuple[Incident, ...]]:
    simulation = Simulation.from_file(world, seed)
    if len(simulation.vehicles) != 1:
        raise BenchmarkError(f'{world} has {len(simulation.vehicles)} vehicles: SLAM is scored '
                             'with one; others can be actors')
    simulation.run(STAND_STILL)
    with Recorder(simulation, bag, make_controller(controller)) as recorder:
        names = {}
        for kind, what in (('sensor_msgs/PointCloud2', '3D LiDAR'),
                           ('sensor_msgs/Imu', 'IMU'),
                           ('sensor_msgs/LaserScan', '2D LiDAR')):
            found = [name for name, topic in recorder.bag.topics.items()
                     if topic.message_type == kind]
            if not found:
                raise BenchmarkError(f'{world}: the vehicle has no {what}, which SLAM needs: '
                                     'include one, as in worlds/office.world.xml')
            names[kind] = found[0]
        recorder.describe(controller=controller)
        recorder.run(STAND_STILL + duration)
    return (Topics(names['sensor_msgs/PointCloud2'], names['sensor_msgs/Imu']),
            tuple(recorder.incidents.found))


def _scan_ends(bag: Path, topic: str) -> Path:
    """Return the file of the poses of a LiDAR at the ends of its scans."""
    files: list[str] = json.loads((bag / RUN_FILE).read_text())['topics'][topic]['truth']
    return next(bag / file for file in files if file.endswith('_end.tum'))


def _write_odometry(bag: Path, file: Path) -> None:
    """Write the odometry of a vehicle as a trajectory."""
    with open_reader(bag) as reader, file.open('w') as output:
        for _, _, message in messages_of(reader, bag, lambda each: each.topic == '/odom'):
            here, turn = message.pose.pose.position, message.pose.pose.orientation
            output.write(f'{seconds(stamp_ns(message))} {here.x:.9f} {here.y:.9f} {here.z:.9f} '
                         f'{turn.x:.9f} {turn.y:.9f} {turn.z:.9f} {turn.w:.9f}\n')


def table(results: Iterable[Result]) -> list[tuple[str, ...]]:
    """Return the rows of `COLUMNS`: for each world and client the medians over the seeds."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.world, result.client), []).append(result)
    known = known_clients()
    return [(world, client, known[client].version if client in known else '-',
             ', '.join(str(each.seed) for each in group), *(
        f'{value:.3f}' for value in (
            median(each.score.ape for each in group), min(each.score.ape for each in group),
            max(each.score.ape for each in group), median(each.score.worst for each in group))),
        _percent(median(each.score.drift for each in group)),
        f'{median(each.lasted for each in group):.1f}', _incidents(group))
        for (world, client), group in groups.items()]


def _incidents(group: Sequence[Result]) -> str:
    """Return what happened in the runs of a group, and in how many."""
    runs = {each.seed: {one.kind for one in each.incidents} for each in group}
    kinds = sorted(set().union(*runs.values()))
    return ', '.join(f'{kind} {sum(kind in each for each in runs.values())}/{len(runs)}'
                     for kind in kinds) or '-'


def _percent(share: float) -> str:
    return '-' if math.isnan(share) else f'{100.0 * share:.2f}'


def write_tables(results: Sequence[Result], folder: Path) -> str:
    """Write `table.csv` and `table.md` and return the text of the latter."""
    rows = [COLUMNS, *table(results)]
    with replaced(folder / 'table.csv') as new, new.open('w', newline='') as file:
        csv.writer(file).writerows(rows)
    rows.insert(1, ('---',) * len(COLUMNS))
    text = ''.join(f'| {" | ".join(row)} |\n' for row in rows)
    with replaced(folder / 'table.md') as new:
        new.write_text(text)
    return text


def write_report(results: Sequence[Result], folder: Path) -> None:
    """Write `report.html`: the table, the figures of the worlds, versions and machine."""
    worlds = dict.fromkeys(each.world for each in results)
    known = known_clients()
    packages = [known[each].package for each in dict.fromkeys(
        result.client for result in results) if each in known]
    write_page(folder / 'report.html', 'Benchmark of SLAM', {
        'Results': html_table(COLUMNS, table(results)),
        'Figures': ''.join(image(folder / f'{world}.png', world) for world in worlds),
        'Run': html_table(('', ''), facts(packages).items())})


def slam_figure(world: WorldSpec, results: Sequence[Result]) -> Any:
    """Return a figure: the trajectories over the map, and the errors over time."""
    figure, panels = new_figure(
        1, 2, f'SLAM in world {results[0].world}, seed {results[0].seed}', (5.6, 4.2))
    plan, errors = panels[0]
    panel(plan, 'Trajectories, aligned to the true one', 'x [m]', 'y [m]')
    panel(errors, 'Absolute error', 'time [s]', 'error [m]')
    poses = {block.name: block.init_pose for block in world.blocks}
    for polygon in solid_polygons(world, poses):
        plan.fill(*np.array(polygon).T, color='0.8', linewidth=0)
    for k, result in enumerate(results):
        colour = COLOURS[k % len(COLOURS)]
        plan.plot(*result.score.aligned[:, :2].T, color=colour, linewidth=1.4)
        errors.plot(result.score.times, result.score.errors, color=colour, linewidth=1.0,
                    label=f'{result.client}: {result.score.ape:.3f} m RMSE')
    plan.set_aspect('equal')
    errors.set_yscale('log')
    legend(figure, handles=errors.lines, loc='outside lower center', ncols=3)
    return figure
