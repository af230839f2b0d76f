# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every shared world and definition expands, with what its authors meant in it."""

from collections import Counter
from pathlib import Path

import pytest

from mvsim_ros2.world.file.document.expand import expand_text, expand_world
from mvsim_ros2.world.file.document.tree import ExpandedWorld, Node
from mvsim_ros2.world.spec import Source

# what each world holds, counted by hand in its file
_COUNTS = {
    'demo_1robot': {'vehicle': 1, 'element': 2},
    'demo_2robots': {'vehicle': 2, 'block': 3, 'sensor': 1},
    'demo_depth_camera': {'vehicle': 1, 'block': 2},
    'demo_friction_zones': {'vehicle': 1, 'element': 6, 'block': 4},
    'demo_greenhouse': {'vehicle': 1, 'block': 2 * 21 + 2 * 10 + 2 * 5 * 9 + 2 * 5 * 11},
    'demo_jackal': {'vehicle': 1, 'block': 4},
    'demo_multistorey': {'vehicle': 1, 'element': 3},
    'demo_turtlebot_world': {'vehicle': 1, 'block': 5 + 9, 'walls': 1},
    'demo_walls': {'vehicle': 1, 'element': 6},
    'demo_warehouse': {'vehicle': 1, 'actor': 1, 'element': 6},
    'mvsim_slam': {'vehicle': 1, 'element': 2},
}


def _world(shared: Path, name: str, **variables: str) -> ExpandedWorld:
    path = shared / 'worlds' / 'mvsim' / 'mvsim_tutorial' / f'{name}.world.xml'
    if not path.is_file():
        pytest.skip(f'{path} is absent')
    warnings: list[Source] = []
    world = expand_world(path, variables=variables,
                         warn=lambda source, message: warnings.append(source))
    assert all(source.file.endswith('agricobiot2.vehicle.xml') for source in warnings)
    return world


def _vehicle(world: ExpandedWorld) -> tuple[Node, ...]:
    return next(item.layers for item in world.items if item.tag == 'vehicle')


def _sensors(world: ExpandedWorld) -> list[str]:
    return [child.attributes['name'] for layer in _vehicle(world) for child in layer.children
            if child.tag == 'sensor']


def _all_texts(node: Node) -> list[str]:
    return [node.text, *node.attributes.values(),
            *(text for child in node.children for text in _all_texts(child))]


@pytest.mark.parametrize('name', list(_COUNTS))
def test_world(name: str, shared: Path) -> None:
    world = _world(shared, name)
    counts = Counter(item.tag for item in world.items)
    assert {tag: counts[tag] for tag in _COUNTS[name]} == _COUNTS[name]
    texts = [text for item in world.items for layer in item.layers for text in _all_texts(layer)]
    assert not [text for text in texts if '$' in text]
    assert world.root.attributes == {'version': '1.0'}


def test_every_tutorial_world_is_tested(shared: Path) -> None:
    folder = shared / 'worlds' / 'mvsim' / 'mvsim_tutorial'
    assert {path.name for path in folder.glob('*.xml')} <= {
        f'{name}.world.xml' for name in _COUNTS}


def test_every_definition_expands(shared: Path) -> None:
    for path in sorted((shared / 'worlds' / 'mvsim' / 'definitions').glob('*.xml')):
        include = f'<include file="{path.name}"/>'
        if '.sensor.' in path.name:
            include = f'<vehicle>{include}</vehicle>'
        world = expand_text(f'<mvsim_world>{include}</mvsim_world>', str(path.parent / 'w.xml'),
                            warn=lambda source, message: None)
        assert world.items
        assert world.items[0].layers[-1].source.file == str(path)


def test_sensors_of_a_class(shared: Path) -> None:
    assert _sensors(_world(shared, 'demo_warehouse')) == ['scanner1', 'lidar1', 'cam1']
    assert _sensors(_world(shared, 'demo_jackal')) == ['laser1', 'laser2', 'camera1']


def test_parameters_of_an_include(shared: Path) -> None:
    layer = _vehicle(_world(shared, 'demo_greenhouse'))[1]
    pose = layer.children[0].child('pose_3d')
    assert pose and pose.text.split() == ['-0.34', '0.01', '1.53', '180', '0.0', '0.0']


def test_variable_of_the_caller(shared: Path) -> None:
    for controller in ('twist_pid', 'twist_ideal'):
        dynamics = _vehicle(_world(shared, 'demo_walls', controller=controller))[-1].children[0]
        node = dynamics.child('controller')
        assert node and node.attributes['class'] == controller


def test_one_seed_one_world(shared: Path) -> None:
    assert _world(shared, 'demo_greenhouse') == _world(shared, 'demo_greenhouse')
