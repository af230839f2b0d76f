# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What comes from texts, files and `mvsim_create`, what is said of entities, worlds that go."""

from collections.abc import Iterator
from importlib import import_module
import math
import os
from pathlib import Path
import subprocess
import sys
from typing import Any

from geometry_msgs.msg import PoseStamped, Vector3
import pytest
from ros_client import Client, LATCHED, planar_pose, WORLDS
from standard_services import (
    Ask, asking, FAILED, message, NO_WORLD, NOT_FOUND, OK, PLAYING, set_state, standing, state_of,
    STOPPED, THINGS)
from std_msgs.msg import String
from std_srvs.srv import SetBool

URDF = Path(__file__).resolve().parents[2] / 'worlds/descriptions/skid_robot.urdf'
PROGRAM = 'from mvsim_ros2.ros.tools.entry_points import mvsim_create as f; raise SystemExit(f())'
BLOCK = '<block name="{}"> <mass>2</mass> <init_pose>{} -3 90</init_pose> </block>'
WALL = ('<element class="vertical_plane" name="screen"> <x0>-4</x0> <y0>-4</y0> <x1>-4</x1> '
        '<y1>4</y1> <z>0</z> <height>2</height> </element>')
CHAIR = """<?xml version="1.0"?><sdf version="1.9"><model name="chair"><link name="seat">
  <inertial><mass>4</mass></inertial><collision name="c"><pose>0 0 0.5 0 0 0</pose>
  <geometry><box><size>0.4 0.6 1</size></box></geometry></collision></link></model></sdf>"""
LAMP = """<robot name="lamp"><link name="foot"><inertial><mass value="3"/></inertial><collision>
  <origin xyz="0 0 0.9"/><geometry><cylinder radius="0.1" length="1.8"/></geometry></collision>
  </link></robot>"""


@pytest.fixture(scope='module')
def client(domain: int, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Provide a client of a node, which keeps a robot description for late ones."""
    with standing(domain, patch) as each:
        publisher = each.node.create_publisher(String, '/robot_description', LATCHED)
        publisher.publish(String(data=URDF.read_text()))
        yield each


@pytest.fixture
def ask(client: Client) -> Iterator[Ask]:
    """Provide a function that calls a service; what was spawned goes afterwards."""
    call = asking(client)
    yield call
    assert call('ResetSimulation').result.result == OK
    assert set(call('GetEntities').entities) == THINGS


@pytest.mark.parametrize('text, names, box', [
    pytest.param(BLOCK.format('b', 2), ['b'], (0.5, 0.5, 1.0), id='world XML'),
    pytest.param(f'<mvsim_world>{BLOCK.format("b", 2)}</mvsim_world>', ['b'], (0.5, 0.5, 1.0),
                 id='with its root'),
    pytest.param(f'<for var="i" from="1" to="2">{BLOCK.format("b${i}", "${i}")}</for>',
                 ['b1', 'b2'], (0.5, 0.5, 1.0), id='loop'),
    pytest.param(WALL, ['screen'], (-4.0, 4.0, 2.0), id='element'),
    pytest.param(CHAIR, ['chair'], (0.2, 0.3, 1.0), id='SDF'),
    pytest.param(LAMP, ['lamp'], (0.1, 0.1, 1.8), id='URDF')])
def test_things_come_from_texts(ask: Ask, text: str, names: list[str], box: Any) -> None:
    answer = ask('SpawnEntity', resource_string=text)
    assert (answer.result.result, answer.entity_name) == (OK, ','.join(names)), answer
    assert set(ask('GetEntities').entities) == THINGS | set(names)
    upper = ask('GetEntityBounds', entity=names[0]).bounds.points[0]
    assert (upper.x, upper.y, upper.z) == pytest.approx(box, abs=0.02)
    for name in names:
        assert ask('DeleteEntity', entity=name).result.result == OK
    assert set(ask('GetEntities').entities) == THINGS


def test_a_file_gives_name_and_pose_unless_the_request_does(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / 'block.xml'
    file.write_text(BLOCK.format('b', 2))
    assert ask('SpawnEntity', uri=f'file://{file}').entity_name == 'b'
    pose = PoseStamped()
    pose.header.frame_id, pose.pose.position.x = 'map', -1.0
    assert ask('SpawnEntity', uri=str(file), name='other', initial_pose=pose).result.result == OK
    for name, place in (('b', (2.0, -3.0, math.pi / 2)), ('other', (-1.0, 0.0, 0.0))):
        state = ask('GetEntityState', entity=name).state
        assert planar_pose(state.pose) == pytest.approx(place, abs=1e-6)


@pytest.mark.parametrize('tag', ['block', 'vehicle'])
@pytest.mark.parametrize('x', [-1.0, 0.0])
def test_a_text_needs_no_pose_since_the_request_has_one(ask: Ask, tag: str, x: float) -> None:
    inside = '<mass>2</mass>' if tag == 'block' else '<dynamics class="differential"/>'
    pose = PoseStamped()
    pose.pose.position.x = x
    answer = ask('SpawnEntity', resource_string=f'<{tag} name="b"> {inside} </{tag}>',
                 initial_pose=pose)
    assert answer.result.result == OK, answer
    state = ask('GetEntityState', entity='b').state
    assert planar_pose(state.pose) == pytest.approx((x, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize('text, fields, code', [
    pytest.param('<vehicle name="b"/>', {}, 106, id='without dynamics'),
    pytest.param(BLOCK.format('wall', 2), {}, 101, id='name taken'),
    pytest.param(BLOCK.format('b', 1) + BLOCK.format('c', 2), {'name': 'a'}, 102, id='two'),
    pytest.param(BLOCK.format('b', 1) + BLOCK.format('wall', 2), {}, 101, id='all or nothing'),
    pytest.param('<block> <mass>heavy</mass> </block>', {}, 106, id='broken'),
    pytest.param('<actor name="a"> <init_pose>0 0 0</init_pose> </actor>', {}, 103, id='actor'),
    pytest.param('<variable name="a" value="1"/>', {}, 103, id='nothing')])
def test_texts_that_cannot_come(ask: Ask, text: str, fields: dict[str, str], code: int) -> None:
    answer = ask('SpawnEntity', resource_string=text, **fields)
    assert answer.result.result == code and answer.result.error_message
    assert set(ask('GetEntities').entities) == THINGS


@pytest.mark.parametrize('uri', [
    pytest.param('x' * 5000, id='longer than names of files are'),
    pytest.param('/' + 'x/' * 5000, id='longer than paths are'),
    pytest.param('file:///etc/\xff', id='of bytes'), pytest.param('/dev/zero', id='a device'),
    pytest.param('~nobody-of-this-name/x', id='of a user who is not there')])
def test_paths_that_no_file_can_have(ask: Ask, uri: str) -> None:
    answer = ask('SpawnEntity', uri=uri)
    assert answer.result.result == NOT_FOUND and 'no such file' in answer.result.error_message


def test_time_goes_on_while_a_long_text_is_read(client: Client, ask: Ask) -> None:
    kind: Any = import_module('simulation_interfaces.srv').SpawnEntity
    service = client.node.create_client(kind, '/spawn_entity')
    client.wait('the service', service.service_is_ready)
    long = ('<for var="i" from="1" to="10000"> <variable name="a" value="$f{'
            + '+'.join(['${i}'] * 20) + '}"/> </for>')  # takes a second or more
    client.catch_up()
    before = len(client.heard['/clock'])
    answer = service.call_async(kind.Request(resource_string=long))
    client.wait('the answer', answer.done)
    assert len(client.heard['/clock']) - before >= 4
    assert 'no vehicle, no block' in answer.result().result.error_message


def test_services_of_lamps_come_and_go_with_what_is_spawned(client: Client, ask: Ask) -> None:
    torch = BLOCK.format('torch', 2).replace(
        '</block>', '<light_group name="top"><point_light/></light_group></block>')
    service = '/mvsim/set_light/torch/top'

    def offered() -> bool:
        return any(name == service for name, _ in
                   client.node.get_service_names_and_types_by_node('mvsim', '/'))

    for _ in range(3):
        assert ask('SpawnEntity', resource_string=torch).result.result == OK
        client.wait('the service', offered)
        assert client.call(SetBool, service, SetBool.Request(data=False)).success
        assert ask('DeleteEntity', entity='torch').result.result == OK
        client.wait('its end', lambda: not offered())


def test_a_lamp_whose_name_is_too_long_for_the_graph_has_no_service(ask: Ask) -> None:
    name = 'torch' * 50
    torch = BLOCK.format(name, 2).replace(
        '</block>', '<light_group name="top"><point_light/></light_group></block>')
    assert ask('SpawnEntity', resource_string=torch).entity_name == name
    assert ask('DeleteEntity', entity=name).result.result == OK


def test_an_element_stands_where_it_is(ask: Ask) -> None:
    state = message('EntityState')
    state.header.frame_id = 'map'
    assert ask('SetEntityState', entity='occupancy_grid1', state=state).result.result == 0
    pose = PoseStamped()
    pose.pose.position.x = 1.0
    assert ask('SpawnEntity', resource_string=WALL, initial_pose=pose).result.result == 109


def test_what_is_said_of_entities_is_kept_and_filters_them(ask: Ask) -> None:
    category = message('EntityCategory', category=3)
    info = message('EntityInfo', category=category, description='grey', tags=['a', 'b'])
    assert ask('SetEntityInfo', entity='wall', info=info).result.result == OK
    assert ask('GetEntityInfo', entity='wall').info == info
    assert ask('SetEntityInfo', entity='nobody', info=info).result.result == NOT_FOUND
    for tags, mode, found in ((['a', 'c'], 0, {'wall'}), (['a', 'c'], 1, set()),
                              (['a', 'b'], 1, {'wall'})):
        filters = message('EntityFilters', tags=message('TagsFilter', tags=tags, filter_mode=mode))
        assert set(ask('GetEntities', filters=filters).entities) == found
    filters = message('EntityFilters', categories=[category])
    assert set(ask('GetEntities', filters=filters).entities) == {'wall'}


def test_a_pattern_that_backtracks_does_not_hold_the_node(ask: Ask) -> None:
    name = 'a' * 40 + '!'
    assert ask('SpawnEntity', name=name, resource_string=WALL).result.result == OK
    answer = ask('GetEntities', filters=message('EntityFilters', filter='(a+)+$'))
    assert answer.result.result != OK
    assert 'write it without repetitions of repetitions' in answer.result.error_message
    answer = ask('GetEntities', filters=message('EntityFilters', filter='^a+!$'))
    assert answer.entities == [name]
    assert ask('DeleteEntity', entity=name).result.result == OK


@pytest.mark.parametrize('points, expected', [
    pytest.param([(4.0, 2.0, 0.5), (6.0, 2.0, 0.5), (5.0, 2.5, 0.5)], {'wall'}, id='level'),
    # a slanted plane that is as high as the wall only beyond it
    pytest.param([(6.0, -9.0, 0.5), (6.0, 9.0, 0.5), (3.0, 0.0, 9.0)], set(), id='passes above'),
    pytest.param([(1.0, 2.0, -1.0), (1.1, 2.0, 9.0), (1.0, 2.1, 9.0)], {'robot 1'}, id='spike'),
])
def test_entities_within_a_convex_hull(ask: Ask, points: Any, expected: set[str]) -> None:
    filters = message('EntityFilters')
    filters.bounds.type = 2
    filters.bounds.points = [Vector3(x=x, y=y, z=z) for x, y, z in points]
    answer = ask('GetEntities', filters=filters)
    assert (answer.result.result, set(answer.entities)) == (OK, expected)


def test_named_poses(ask: Ask) -> None:
    (dock,) = ask('GetNamedPoses').poses
    assert (dock.name, dock.description) == ('dock', 'in front of the charger')
    assert list(dock.tags) == ['parking', 'charger']
    assert planar_pose(dock.pose) == pytest.approx((-2.0, 1.0, math.pi / 2))
    assert not ask('GetNamedPoses', tags=message('TagsFilter', tags=['spawn'])).poses
    bounds = ask('GetNamedPoseBounds', name='dock').bounds
    assert [(p.x, p.y, p.z) for p in bounds.points] == [(0.3, 0.2, 1.0), (-0.3, -0.2, 0.0)]
    assert ask('GetNamedPoseBounds', name='door').result.result == NOT_FOUND


def create(client: Client, domain: int, *words: str) -> tuple[int, str]:
    """Run the command; return its exit code and what it says."""
    done = subprocess.Popen(
        [sys.executable, '-c', PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})
    client.wait('its end', lambda: done.poll() is not None)
    out, errors = done.communicate()
    return done.returncode, (out or errors).strip()


@pytest.mark.parametrize('words, name', [
    pytest.param(('-topic', 'robot_description'), 'from_topic', id='topic'),
    pytest.param(('-file', str(URDF)), 'from_file', id='file'),
    pytest.param(('-string', URDF.read_text()), 'from_string', id='string')])
def test_a_robot_is_spawned_where_it_shall_be(
        client: Client, domain: int, words: tuple[str, ...], name: str) -> None:
    said = create(client, domain, *words, '-name', name, '-x', '-1.5', '-Y', '1.0')
    assert said == (0, name)
    state = asking(client)('GetEntityState', entity=name).state
    assert state.pose.position.x == pytest.approx(-1.5)
    assert state.pose.orientation.z == pytest.approx(0.4794255)
    assert asking(client)('DeleteEntity', entity=name).result.result == 1


@pytest.mark.parametrize('words, said', [
    pytest.param(('-topic', 'nobody', '-wait', '1'), 'no robot description on /nobody',
                 id='nobody publishes'),
    pytest.param(('-string', '<robot'), 'result 106', id='no XML'),
    pytest.param(('-file', 'none.urdf'), 'no such file', id='no file')])
def test_what_is_wrong_is_one_line(
        client: Client, domain: int, words: tuple[str, ...], said: str) -> None:
    code, line = create(client, domain, *words)
    assert code == 1 and said in line and '\n' not in line


def test_a_world_goes_and_comes_as_a_text(client: Client) -> None:
    ask = asking(client)
    assert ask('UnloadWorld').result.result == OK
    assert state_of(ask) == NO_WORLD
    assert not ask('GetEntities').entities
    for name in ('film', 'start_bag', 'save'):
        answer = client.trigger(name)
        assert not answer.success and answer.message == 'no world is loaded: load one first'
    assert ask('SpawnEntity', resource_string=BLOCK.format('b', 1)).result.result == 3
    assert ask('UnloadWorld').result.result == 101
    assert ask('GetCurrentWorld').result.result == FAILED
    assert set_state(ask, PLAYING) == 103
    assert ask('ResetSimulation').result.result == FAILED
    answer = ask('LoadWorld', resource_string=f'<mvsim_world>{WALL}</mvsim_world>')
    assert (answer.result.result, answer.world.name) == (OK, 'resource_string')
    assert state_of(ask) == STOPPED
    assert set(ask('GetEntities').entities) == {'screen'}
    # for those that come after this one
    assert ask('LoadWorld', uri=f'{WORLDS}/wall.world.xml').result.result == OK
