# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All that reads files, as functions of a file whose content is damaged."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
import shutil
from typing import Any

from grammar import changed_world
from mutations import damaged
import numpy as np

from mvsim_ros2 import Simulation
from mvsim_ros2.cli.check import try_out
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.policies import Policy
from mvsim_ros2.recording.bags.foreign import verify_bag
from mvsim_ros2.recording.export.bag_source import open_bag
from mvsim_ros2.recording.read_log import read_vehicle_logs
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.verify import repair, verify
from mvsim_ros2.studies.sweeps.plan import read_plan
from mvsim_ros2.trajectories.controllers_by_name import make_controller
from mvsim_ros2.trajectories.replay import CommandReplay
from mvsim_ros2.window.replay.bag import read_bag
from mvsim_ros2.window.replay.foreign import read_foreign
from mvsim_ros2.world.file.load import load_world, load_world_text
from mvsim_ros2.world.file.urdf_import.description.document import text_of_file

CORPUS = Path(__file__).parent / 'corpus'
WORLD = """<mvsim_world> <vehicle name="r"> <init_pose>0 0 0</init_pose>
  <dynamics class="differential"/> {inside} </vehicle> {more} </mvsim_world>"""


@dataclass(frozen=True)
class Parser:
    """What reads files of some kind."""

    name: str
    files: str  # pattern of the files in its corpus that are damaged
    call: Callable[[Path], Any]  # of the damaged file, in a copy of its folder
    damage: Callable[[bytes, Random], bytes] = damaged
    examples: str = ''  # folder of its corpus, where that has not its name

    @property
    def corpus(self) -> Path:
        """Return the folder of its examples."""
        return CORPUS / (self.examples or self.name)


def _load(path: Path) -> Any:
    return load_world(path, offline=True)


def in_world(more: str = '', inside: str = '') -> Callable[[Path], Any]:
    """Return what loads a world in which a file is named, and builds its scene."""
    def call(path: Path) -> None:
        world = path.with_name('one.world.xml')
        world.write_text(WORLD.format(more=more, inside=inside).replace('FILE', path.name))
        Simulation(_load(world)).scene()
    return call


def _description(path: Path) -> None:
    world = path.with_name('one.world.xml')
    world.write_text(f'<mvsim_world> <vehicle name="r" urdf="{path.name}"> <init_pose>0 0 0'
                     '</init_pose> </vehicle> </mvsim_world>')
    _load(world)


def _model(path: Path) -> None:
    load_world_text(text_of_file(str(path), False), str(path), offline=True)


def _bag(path: Path) -> None:
    folder = path.parent
    with suppress(MvsimError):
        verify(folder)
    with suppress(MvsimError):
        verify_bag(folder)
    with suppress(MvsimError):
        read_foreign(str(folder))
    with suppress(MvsimError):
        with open_bag(folder) as source:
            for _ in source.messages(*source.topics('sensor_msgs/msg/Imu')):
                pass
    with suppress(MvsimError):
        read_bag(str(folder), None, {})
    (folder / 'metadata.yaml').unlink(missing_ok=True)
    repaired = folder.with_name(f'{folder.name}_repaired')
    shutil.rmtree(repaired, ignore_errors=True)
    repair(folder, repaired)


def _table(path: Path) -> None:
    if path.name.endswith('_pose.csv'):
        read_vehicle_logs(path)
    elif path.name == 'commands.csv':
        CommandReplay(path)
    else:
        make_controller(f'follow:{path}')


def measured(world: Any, folder: Path) -> None:
    """
    Run a world that `check` passes as the node does: all topics, each sensor measures.

    :raises Exception: where that is not possible, so that `check` should have said it.
    """
    simulation = Simulation(world)
    try:
        with Recorder(simulation, folder) as recorder:
            recorder.run(0.1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for sensor in simulation.sensors.values():
        assert sensor.measure() is not None, sensor.name
    for vehicle in simulation.vehicles.values():
        assert np.isfinite(vehicle.pose.matrix).all(), vehicle.name


def check_then_run(path: Path) -> None:
    """Check a world; where that passes, nothing else may fail."""
    world = _load(path)
    try_out(world)
    try:
        measured(world, path.parent / 'run')
    except MvsimError as error:
        raise AssertionError(f'check passes, but: {error}') from error


PARSERS = {each.name: each for each in (
    Parser('world', '*.xml', _load),
    Parser('check', '*.world.xml', check_then_run),
    Parser('check_rules', '*.world.xml', check_then_run, changed_world, 'check'),
    Parser('description', '*.urdf', _description),
    Parser('sdf', '*.sdf', _model),
    Parser('map', '*.yaml', in_world(
        '<element class="occupancy_grid"><file>FILE</file></element>')),
    Parser('image', '[a-z]*.[bjtp]*', in_world(
        '<element class="occupancy_grid"><file>FILE</file></element>'
        '<element class="horizontal_plane"> <texture>FILE</texture> </element>'
        '<element class="elevation_map"> <resolution>1</resolution> '
        '<elevation_image>FILE</elevation_image> </element>')),
    Parser('gridmap', '*.gridmap*', in_world(
        '<element class="occupancy_grid"><file>FILE</file></element>')),
    Parser('heights', '*.txt', in_world(
        '<element class="elevation_map"> <resolution>1</resolution> '
        '<dem_xyzrgb_file>FILE</dem_xyzrgb_file> </element>')),
    Parser('mesh', '*.[!pm]*', in_world(
        '<block name="b"> <init_pose>2 0 0</init_pose> <visual> <model_uri>FILE</model_uri> '
        '</visual> </block>')),
    Parser('walls', '*.dae', in_world('<walls> <model_uri>FILE</model_uri> </walls>')),
    Parser('bag', '*.*', _bag),
    Parser('bag_sqlite', '*.*', _bag),
    Parser('policy', '*.onnx', lambda path: Policy(path).act({'velocity': [1.0, 0.0]})),
    Parser('table', '*.*', _table),
    Parser('plan', '*.yaml', read_plan))}
