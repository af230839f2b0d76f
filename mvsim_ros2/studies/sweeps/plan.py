# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plans of runs in YAML files, and their jobs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
import hashlib
import itertools
import json
import math
import os
from pathlib import Path
from typing import Any

from mvsim_ros2.base.files import read_bytes, read_text, TEXT_BYTES
from mvsim_ros2.base.package_files import world_path, WORLD_SUFFIX
from mvsim_ros2.base.random_streams import LARGEST_SEED
from mvsim_ros2.errors import needed_for, SweepError
from mvsim_ros2.trajectories.controller import PERIOD
from mvsim_ros2.trajectories.controllers_by_name import file_of, make_controller
from mvsim_ros2.world.file.load import load_world, unused_variable

MODES = ('mvsim', 'physical')
MOST_RUNS = 100_000
TRAIN, VALIDATION = 'train', 'val'
MOST_LETTERS = 80  # of the parameters in the name of a folder


@dataclass(frozen=True)
class Job:
    """One run: everything that determines its result, except included files of the world."""

    world: str  # absolute path
    seed: int
    variables: tuple[tuple[str, str], ...]  # of the world file
    controller: str  # as for `make_controller`; '' for no motion
    vehicle: str | None  # name, None for the first one
    physics: str | None  # mode, None for that of the world
    duration: float  # largest simulated time [s]
    rate: float  # Hz, rows of the logs
    folder: str  # of files of the controller
    files: str  # hash of the world file and of the file of the controller
    record: bool = False  # a bag of all sensors with ground truth instead of logs
    part: str = TRAIN  # of the dataset

    @property
    def name(self) -> str:
        """Return the name of its folder, a function of the job that begins with its parameters."""
        job = asdict(self)
        del job['part']  # which is no part of the run
        text = json.dumps(job, sort_keys=True)
        stem = Path(self.world).name.removesuffix(WORLD_SUFFIX).removesuffix('.xml')
        given = '_'.join(f'{name}-{value}' for name, value in self.variables)
        stem += '_' + ''.join(each if each.isalnum() or each in '-_.' else '-'
                              for each in given)[:MOST_LETTERS] if given else ''
        return f'{stem}_seed{self.seed}_{hashlib.sha256(text.encode()).hexdigest()[:10]}'


class _Plan:
    """A mapping of a plan, read key by key."""

    def __init__(self, where: str, values: Any, known: tuple[str, ...]) -> None:
        self.where = where
        if not isinstance(values, dict):
            raise SweepError(f'{where}: there should be {", ".join(known)}, each with its value')
        unknown = [str(key) for key in values if key not in known]
        if unknown:
            raise SweepError(f'{where}: {unknown[0]!r} is not a key of a plan, only '
                             f'{", ".join(known)}')
        self.values: dict[str, Any] = values

    def error(self, key: str, rule: str) -> SweepError:
        """Return an error about a value."""
        return SweepError(f'{self.where}: {key} is {self.values.get(key)!r}: it must be {rule}')

    def text(self, key: str, default: str | None) -> str | None:
        """Return a text."""
        value = self.values.get(key, default)
        if value is not None and not isinstance(value, str):
            raise self.error(key, 'a text')
        return value

    def flag(self, key: str) -> bool:
        """Return a truth value, False where it is not given."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, 'true or false')
        return value

    def number(self, key: str, default: float, most: float = math.inf) -> float:
        """Return a number above 0, `most` at most, where that is finite."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not (
                0.0 < value < math.inf and value <= most):
            raise self.error(key, 'a number above 0' + (
                f', at most {most:g}' if most < math.inf else ''))
        return float(value)


MOST_ROWS = 1.0 / PERIOD  # Hz: at most one each time that a controller is called
KEYS = ('worlds', 'seeds', 'validation', 'parameters', 'controller', 'vehicle', 'physics',
        'duration', 'rate', 'record')
WORLD_KEYS = ('world', *KEYS[3:])


def read_plan(path: str | Path, strict: bool = False) -> list[Job]:
    """
    Return the jobs of a plan in the order worlds, parameters, seeds.

    Every world and every controller is checked before anything runs.

    :param strict: warnings of the worlds are errors.
    :raises MvsimError: where the plan, a world or a controller is not valid.
    """
    with needed_for('plans', 'sweep', SweepError):
        import yaml
    path = Path(path).absolute()
    try:
        values = yaml.safe_load(read_text(path, TEXT_BYTES))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        reason = getattr(error, 'strerror', None) or error
        raise SweepError(f'{path}: the plan cannot be read: {reason}') from error
    plan = _Plan(str(path), values, KEYS)
    worlds = plan.values.get('worlds')
    if not isinstance(worlds, list) or not worlds:
        raise plan.error('worlds', 'a list of worlds')
    seeds = _seeds(plan)
    jobs: list[Job] = []
    for number, entry in enumerate(worlds, 1):
        own = {'world': entry} if isinstance(entry, str) else entry
        one = _Plan(f'{path}: world {number}', own, WORLD_KEYS)
        rest = {key: value for key, value in plan.values.items() if key in WORLD_KEYS}
        jobs += _jobs(_Plan(one.where, rest | one.values, WORLD_KEYS), seeds, path.parent,
                      strict)
        if len(jobs) > MOST_RUNS:
            raise SweepError(f'{path}: there are {len(jobs)} runs or more: give at most '
                             f'{MOST_RUNS} in one plan')
    names = [job.name for job in jobs]
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice:
        raise SweepError(f'{path}: two runs are the same: {twice}')
    return _in_parts(jobs, plan)


def _in_parts(jobs: list[Job], plan: _Plan) -> list[Job]:
    """
    Return the jobs, a share of them for validation.

    The order of the hashes of their names decides which, so that it is the same everywhere.
    """
    share = plan.values.get('validation', 0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
        raise plan.error('validation', 'a share of the runs, from 0 to less than 1')
    order = sorted(jobs, key=lambda job: hashlib.sha256(job.name.encode()).digest())
    kept = {job.name for job in order[:round(share * len(order))]}
    return [replace(job, part=VALIDATION) if job.name in kept else job for job in jobs]


def _seeds(plan: _Plan) -> list[int]:
    value = plan.values.get('seeds', [0])
    if isinstance(value, int) and not isinstance(value, bool):
        if value > MOST_RUNS:
            raise plan.error('seeds', f'at most {MOST_RUNS}')
        value = list(range(value))
    seeds = value
    if not isinstance(seeds, list) or not seeds or not all(
            isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed <= LARGEST_SEED
            for seed in seeds):
        raise plan.error('seeds', 'their number, or a list of integers, 0 or more')
    return seeds


def _jobs(plan: _Plan, seeds: list[int], folder: Path, strict: bool) -> Iterator[Job]:
    """Yield the jobs of one world."""
    name = plan.text('world', None) or ''
    local = folder / name
    world = (local if name and os.path.isfile(local) else world_path(name)).absolute()
    controller = plan.text('controller', '') or ''
    physics = plan.text('physics', None)
    if physics not in (None, *MODES):
        raise plan.error('physics', ' or '.join(MODES))
    vehicle = plan.text('vehicle', None)
    if controller:
        make_controller(controller, vehicle, folder)
    files = hashlib.sha256(read_bytes(world))
    used = file_of(controller, folder)
    files.update(read_bytes(used) if used else b'')
    for variables in _combinations(plan):
        loaded = load_world(world, dict(variables), strict, seed=seeds[0])
        unused = unused_variable(loaded, dict(variables))
        if unused:
            raise SweepError(f'{plan.where}: parameters: {unused}')
        known = [each.name for each in loaded.vehicles]
        if controller and not (vehicle in known if vehicle else known):
            raise plan.error('vehicle', f'one of {", ".join(known) or "the vehicles: none"}')
        for seed in seeds:
            yield Job(str(world), seed, variables, controller, vehicle, physics,
                      plan.number('duration', 60.0), plan.number('rate', MOST_ROWS, MOST_ROWS),
                      str(folder), files.hexdigest(), plan.flag('record'))


def _combinations(plan: _Plan) -> list[tuple[tuple[str, str], ...]]:
    """Return all combinations of the values of the parameters."""
    parameters = plan.values.get('parameters', {})
    if not isinstance(parameters, Mapping):
        raise plan.error('parameters', 'names of variables, each with a value or a list of them')
    choices = []
    for name, value in parameters.items():
        values = value if isinstance(value, list) else [value]
        if not values or not all(isinstance(each, str | int | float) for each in values):
            raise plan.error('parameters', 'names of variables, each with a value or a list')
        choices.append([(str(name), _as_text(each)) for each in values])
    count = math.prod(map(len, choices))
    if count > MOST_RUNS:
        raise SweepError(f'{plan.where}: parameters has {count} combinations: give at most '
                         f'{MOST_RUNS} runs in one plan')
    return list(itertools.product(*choices))


def _as_text(value: str | float) -> str:
    """Return a value as text for a world file."""
    return str(value).lower() if isinstance(value, bool) else str(value)
