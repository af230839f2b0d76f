# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What packages offer by name: there, typed, documented by examples that run, printed in short."""

import ast
import doctest
from importlib import import_module
import inspect
from pathlib import Path
from pkgutil import iter_modules, walk_packages
import re
from typing import Any
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import mvsim_ros2
from mvsim_ros2 import load_world, sensors, Simulation, world_path
from mvsim_ros2.sensors import Observation, observations
from mvsim_ros2.simulation.handles import Handles
from mvsim_ros2.world import spec
from mvsim_ros2.world.spec import (
    EventCameraSpec, RadarSpec, SensorSpec, ThermalCameraSpec, UwbSpec, WorldSpec)

ROOT = Path(__file__).resolve().parents[1]
LAZY = [path.parent for path in sorted((ROOT / 'mvsim_ros2').rglob('__init__.py'))
        if 'lazy_names(__name__)' in path.read_text()]
PACKAGES = ['.'.join(folder.relative_to(ROOT).parts) for folder in LAZY]
EXAMPLES = ['.'.join(path.relative_to(ROOT).with_suffix('').parts).removesuffix('.__init__')
            for path in sorted((ROOT / 'mvsim_ros2').rglob('*.py'))
            if re.search('^ *>>> ', path.read_text(), re.MULTILINE)]
OBSERVATIONS = [getattr(sensors, name) for name in sensors.__all__
                if issubclass(getattr(sensors, name), Observation)]
SENSOR_SPECS = [each for name in spec.__all__ if inspect.isclass(each := getattr(spec, name))
                and issubclass(each, SensorSpec) and each.XML_CLASS]


def by_name(things: list[Any]) -> list[Any]:
    """Return parameters of tests, each with the name of its class as id."""
    return [pytest.param(each, id=each.__name__) for each in things]


@pytest.fixture(scope='module')
def simulation() -> Simulation:
    """Return a world with one of most sensors."""
    return Simulation.from_file(world_path('sensors'), seed=1)


def test_version_is_that_of_the_manifest() -> None:
    assert mvsim_ros2.__version__ == xml.parse(ROOT / 'package.xml').findtext('version')


def test_all_that_sensors_measure_is_public() -> None:
    assert {*observations.__all__} <= {*sensors.__all__}


@pytest.mark.parametrize('package', PACKAGES)
def test_public_names_are_there(package: str) -> None:
    """Each is listed, and is no submodule, which would hide it once that is imported."""
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    assert not set(module.__all__) & {found.name for found in iter_modules(module.__path__)}
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        module.nothing


def test_every_name_that_is_listed_is_loaded_and_no_other() -> None:
    """What type checkers are told is what there is."""
    for folder, package in zip(LAZY, PACKAGES, strict=True):
        code = ast.parse((folder / '__init__.py').read_text())
        imported = {name.name for block in code.body if isinstance(block, ast.If)
                    for each in block.body if isinstance(each, ast.ImportFrom)
                    for name in each.names}
        assert imported == set(import_module(package).__all__) - {'__version__'}, package


def test_every_spec_is_public() -> None:
    modules = [import_module(found.name) for found in walk_packages(
        spec.__path__, f'{spec.__name__}.')]
    classes = {name for module in modules for name, each in inspect.getmembers(
        module, inspect.isclass) if each.__module__ == module.__name__ and name[0] != '_'}
    assert classes == {name for name in spec.__all__ if inspect.isclass(getattr(spec, name))}


@pytest.mark.parametrize('module', EXAMPLES)
def test_examples_run(module: str) -> None:
    failed, tried = doctest.testmod(import_module(module))
    assert tried > 0 and failed == 0


@pytest.mark.parametrize('thing', by_name(
    [*OBSERVATIONS, *SENSOR_SPECS, Simulation, Handles, load_world, world_path]))
def test_what_scripts_use_has_an_example(thing: Any) -> None:
    assert '>>> ' in (inspect.getdoc(thing) or '')


def test_every_method_of_a_simulation_and_of_its_parts_has_an_example(
        simulation: Simulation) -> None:
    parts = (simulation, simulation.vehicles['robot'], simulation.sensors['robot/imu'])
    without = [f'{type(part).__name__}.{name}' for part in parts
               for name, method in inspect.getmembers(type(part), inspect.isroutine)
               if not name.startswith('_') and '>>> ' not in (method.__doc__ or '')]
    assert without == ['Simulation.restore']  # see `snapshot`


Row = tuple[str, str, str]  # name, shape, dtype of a field


def table_of(observation: type) -> list[Row]:
    """Return the table of fields in the docstring of an observation."""
    text = inspect.getdoc(observation) or ''
    _, head, rows, _ = re.split(r'^(?:=+  )+=+\n', text + '\n', flags=re.MULTILINE)
    starts = [head.index(word) for word in ('field', 'shape', 'dtype', 'unit')]
    cells = [tuple(line[a:b].strip() for a, b in zip(starts, starts[1:]))
             for line in rows.splitlines()]
    return [(name, shape, dtype) for name, shape, dtype in cells if name]


@pytest.mark.parametrize('kind', by_name(OBSERVATIONS))
def test_tables_name_the_fields_of_observations(kind: type) -> None:
    derived = [name for name, value in vars(kind).items() if isinstance(value, property)]
    table = [name for name, _, _ in table_of(kind)]
    assert table == [*kind.__annotations__, *(name for name in derived if name in table)]


def assert_as_in_table(observation: Observation) -> set[type]:
    """Check types and shapes, and return the classes of the observation and those in it."""
    found: set[type] = {type(observation), Observation}
    for name, shape, dtype in [*table_of(Observation), *table_of(type(observation))]:
        value = getattr(observation, name)
        where = f'{type(observation).__name__}.{name}'
        if isinstance(value, np.ndarray):
            assert (value.dtype.names is not None if dtype == 'struct'
                    else value.dtype == dtype), where
            assert value.ndim == len(re.findall(r'\w+', shape)) or name == 'points', where
        elif value is not None:
            assert type(value).__name__ == dtype and not shape, where
        if isinstance(value, Observation):
            found |= assert_as_in_table(value)
    return found


def test_observations_are_as_their_tables_say(simulation: Simulation) -> None:
    measured: set[type] = set()
    others = Simulation(WorldSpec(sensors=(
        ThermalCameraSpec(name='heat'), EventCameraSpec(name='events'), UwbSpec(name='tag'),
        RadarSpec(name='radar'))))
    for sensor in (*simulation.sensors.values(), *others.sensors.values()):
        measured |= assert_as_in_table(sensor.measure())
    assert measured == set(OBSERVATIONS)


def test_what_is_printed_is_short(simulation: Simulation) -> None:
    parts = [*simulation.vehicles.values(), *simulation.blocks.values(),
             *simulation.actors.values(), *simulation.sensors.values()]
    specs = [simulation.world, *simulation.world.vehicles, *simulation.world.blocks,
             *simulation.world.elements, *(sensor.spec for sensor in simulation.sensors.values())]
    seen = [sensor.measure() for sensor in simulation.sensors.values()]
    for thing in (simulation, simulation.vehicles, simulation.sensors, *parts, *specs, *seen):
        assert 10 < len(repr(thing)) < 600, repr(thing)
    assert "LaserScan2D(sensor='robot/scan'" in repr(simulation.measure('robot/scan'))
    assert 'ranges=<float32 (360,)>' in repr(simulation.measure('robot/scan'))


def test_a_handle_of_something_that_is_gone_says_so() -> None:
    simulation = Simulation.from_file(world_path('sensors'), sensors=False)
    box = simulation.blocks['box']
    simulation.remove('box')
    assert repr(box) == "<block 'box', removed>"


@pytest.mark.parametrize('name', [
    pytest.param('speed', id='unknown'), pytest.param('pose', id='what is measured'),
    pytest.param('name', id='name')])
def test_attributes_of_handles_cannot_be_set(simulation: Simulation, name: str) -> None:
    for handles in (simulation.vehicles, simulation.blocks, simulation.actors,
                    simulation.sensors):
        for handle in (handles, *handles.values()):
            with pytest.raises(AttributeError):
                setattr(handle, name, 1.0)
    with pytest.raises(AttributeError):
        setattr(simulation, 'speed', 1.0)
