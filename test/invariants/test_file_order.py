# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where things stand and how they move does not depend on their order in the file."""

from collections.abc import Sequence
from pathlib import Path
import random

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
from lxml import etree
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.base.progress import warnings_collected
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.world.file.load import load_world_text

PROJECT = Path(__file__).resolve().parents[2]
WORLDS = sorted([*(PROJECT / 'worlds').rglob('*.world.xml'),
                 *(PROJECT.parent / 'shared' / 'worlds').rglob('*.world.xml')])
MODES = 'mvsim', 'physical'
# what is placed in a world; other tags define what comes after them
THINGS = 'actor', 'block', 'element', 'joint', 'vehicle', 'walls'


def permuted(path: Path, seed: int | None) -> str:
    """
    Return the text of a world with its things at each other's places.

    Property regions stay where they are, since the first one that holds a wheel counts.

    :param seed: None turns the order round.
    """
    root = etree.parse(str(path), etree.XMLParser(recover=True)).getroot()
    things = [each for each in root
              if each.tag in THINGS and each.get('class') != 'property_region']
    places = [root.index(each) for each in things]
    order = things[::-1] if seed is None else random.Random(seed).sample(things, len(things))
    for each in things:
        root.remove(each)
    for place, each in zip(places, order, strict=True):
        root.insert(place, each)
    return etree.tostring(root, encoding='unicode')


def states(simulation: Simulation) -> tuple[list[tuple[str, ...]], np.ndarray]:
    """
    Return names and states of all things, in the order of kind and place.

    Those without a name in the file are numbered in its order.
    """
    rows = [(group, '' if name[-3:].isdigit() else name,
             (*vars(thing.pose).values(), *thing.twist_in_space))
            for group in ('vehicles', 'blocks', 'actors')
            for name, thing in getattr(simulation, group).items()]
    rows.sort()
    return [row[:2] for row in rows], np.array([row[2] for row in rows])


def opened(text: str, path: Path | str, mode: str) -> Simulation:
    """Return the simulation of a world, with numbers in place of those drawn by its file."""
    world = load_world_text(text.replace('rand()', '0.5'), str(path), allow_xacro=True)
    return Simulation(world, physics=mode)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('path', WORLDS, ids=[path.name.split('.')[0] for path in WORLDS])
def test_the_order_of_a_shipped_world_does_not_count(path: Path, mode: str) -> None:
    """
    To the bit at the start, within 1e-6 after 0.2 s of driving.

    :claim: The order of objects in a world file changes neither their start nor their motion
    :reference: the same world, permuted
    """
    try:
        with warnings_collected() as warnings:
            simulations = [opened(path.read_text(), path, mode)]
    except PhysicsError as refused:
        assert mode == 'mvsim'
        assert "use mode 'physical'" in str(refused)
        return
    if mode == 'mvsim' and any('pushed apart in the first steps' in each for each in warnings):
        return  # it stands on a block: the engine chooses to which side it goes
    simulations += [opened(permuted(path, seed), path, mode) for seed in (None, 1)]
    names, expected = states(simulations[0])
    for other in simulations[1:]:
        assert states(other)[0] == names
        assert np.array_equal(states(other)[1], expected)
    for simulation in simulations:
        for vehicle in simulation.vehicles.values():
            if vehicle.accepts_twist:
                vehicle.set_twist(0.3, 0.2)
        simulation.step(round(0.2 / simulation.dt))
    for other in simulations[1:]:
        assert states(other)[1] == pytest.approx(states(simulations[0])[1], abs=1e-6)


def outline(half: float) -> str:
    """Return the shape of a square."""
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return f'<shape>{"".join(f"<pt>{x} {y}</pt>" for x, y in corners)}</shape>'


PLACES = st.tuples(*[st.sampled_from([-1.0, 0.0, 0.5, 1.1])] * 2)
BASES, TOPS = (st.sampled_from(values) for values in (
    (0.0, 0.3, 0.8, 1.2), (0.1, 0.3, 0.8, 1.2)))
HALVES = st.sampled_from([1.0, 2.0, 4.0])
KINDS = st.sampled_from(['static', 'intangible', 'movable', 'kept', 'moving'])
EXTRAS = {
    'static': '<static>true</static>', 'intangible': '<intangible>true</intangible>',
    'movable': '', 'kept': '<static>true</static><skip_elevation_adjust/>',
    'moving': '<intangible>true</intangible><animation type="keyframes">'
              '<time_pose3d>0 0 0 0.5 0 0 0</time_pose3d>'
              '<time_pose3d>9 0 0 1 0 0 0</time_pose3d></animation>'}
SHAPES = {
    'box': '{square}<zmax>{top}</zmax>',
    'ramp': '<geometry type="ramp" lx="{half}" ly="{half}" lz="{top}"/>'
            '<shape_from_visual/>',
    'bump': '<geometry type="semi_cylinder_bump" lx="{half}" ly="{half}" lz="{top}"/>'
            '<shape_from_visual/>'}


@st.composite
def ground(draw: st.DrawFn) -> str:
    """Draw something that may be stood on."""
    (x, y), z, top, half = draw(PLACES), draw(BASES), draw(TOPS), draw(HALVES)
    shape = draw(st.sampled_from(['plane', *SHAPES]))
    if shape == 'plane':
        return (f'<element class="horizontal_plane" name="NAME"><x_min>{-half}</x_min><x_max>'
                f'{half}</x_max><y_min>{-half}</y_min><y_max>{half}</y_max><z>{top}</z></element>')
    return (f'<block name="NAME"><init_pose3d>{x} {y} {z} {draw(st.sampled_from([0, 30, 90]))} '
            f'0 0</init_pose3d>{SHAPES[shape].format(square=outline(half), half=half, top=top)}'
            f'{EXTRAS[draw(KINDS)]}</block>')


@st.composite
def robot(draw: st.DrawFn) -> str:
    """Draw a robot with four wheels, hard, on springy tyres or on suspensions."""
    (x, y), z = draw(PLACES), draw(st.sampled_from([0.0, 0.05, 0.3, 0.75, 0.8, 0.9, 1.5]))
    return (f'<vehicle name="NAME"><init_pose3d>{x} {y} {z} {draw(st.sampled_from([0, 30]))} '
            '0 0</init_pose3d><dynamics class="differential_4_wheels"/></vehicle>')


@settings(max_examples=examples(40))
@given(grounds=st.lists(ground(), min_size=1, max_size=5),
       robots=st.lists(robot(), min_size=1, max_size=2), mode=st.sampled_from(MODES),
       data=st.data())
def test_the_order_does_not_decide_what_stands_on_what(
        grounds: Sequence[str], robots: Sequence[str], mode: str, data: st.DataObject) -> None:
    """Blocks, ramps, bumps, planes and lifts in heaps, of equal heights too."""
    things = [text.replace('NAME', f't{number}') for number, text in
              enumerate([*grounds, *robots])]
    expected = states(opened(''.join(things), 'a string', mode))
    found = states(opened(''.join(data.draw(st.permutations(things))), 'a string', mode))
    assert found[0] == expected[0]
    assert np.array_equal(found[1], expected[1])
