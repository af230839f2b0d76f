# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The services of simulation_interfaces, on the real node.

:claim: Services of simulation_interfaces step, pause, reset, spawn, move, describe and delete;
    invalid requests return the defined codes
:reference: definitions of simulation_interfaces
"""

from collections.abc import Iterator
from contextlib import contextmanager
import importlib
import math
from typing import Any

from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PoseStamped, Vector3
from nav_msgs.msg import Odometry
import pytest
from rclpy.action import ActionClient
from ros_client import Client, planar_pose, WORLDS
from sensor_msgs.msg import LaserScan
from standard_services import (
    Ask, asking, FAILED, message, NOT_FOUND, OK, PAUSED, PLAYING, set_state, standing, state_of,
    STOPPED, THINGS, UNSUPPORTED)
from tf2_msgs.msg import TFMessage

STEP_NS = 5_000_000


@pytest.fixture(scope='module')
def client(domain: int, patch: pytest.MonkeyPatch) -> Iterator[Client]:
    with standing(domain, patch) as each:
        yield each


@pytest.fixture
def ask(client: Client) -> Ask:
    return asking(client)


def test_features_are_those_that_there_are(ask: Ask) -> None:
    features = set(ask('GetSimulatorFeatures').features.features)
    assert features == {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 23, 24, 25, 26, 31, 32, 33, 40, 41,
        43, 44, 45, 50}
    assert list(ask('GetSimulatorFeatures').features.spawn_formats) == ['mvsim_xml', 'urdf', 'sdf']


def test_pause_play_stop(client: Client, ask: Ask) -> None:
    set_state(ask, PAUSED)
    assert state_of(ask) == PAUSED
    assert set_state(ask, PLAYING) == OK
    assert set_state(ask, PLAYING) == 101  # already there
    assert state_of(ask) == PLAYING
    client.fresh('/clock', 2)
    assert set_state(ask, STOPPED) == OK
    assert state_of(ask) == STOPPED
    client.wait('the start', lambda: client.clock_ns() == STEP_NS)
    assert client.clock_ns() == STEP_NS
    assert set_state(ask, 5) == 103  # no way leads to loading
    assert set_state(ask, PAUSED) == OK


def test_what_ran_by_another_service_is_not_stopped_any_more(client: Client, ask: Ask) -> None:
    assert set_state(ask, STOPPED) == OK
    for name in ('resume', 'pause'):
        client.trigger(name)
        client.fresh('/clock', 2)
    assert state_of(ask) == PAUSED


@pytest.mark.parametrize('steps', [1, 200], ids=['one', 'many'])
def test_steps(client: Client, ask: Ask, steps: int) -> None:
    assert ask('ResetSimulation', scope=255).result.result == OK
    assert ask('StepSimulation', steps=steps).result.result == OK
    client.wait('the time after the steps', lambda: client.clock_ns() == (1 + steps) * STEP_NS)


def test_others_are_answered_during_many_steps(client: Client, ask: Ask) -> None:
    kind: Any = importlib.import_module('simulation_interfaces.srv').StepSimulation
    service = client.node.create_client(kind, '/step_simulation')
    client.wait('the service', service.service_is_ready)
    before = client.paused_ns()
    first = service.call_async(kind.Request(steps=10 ** 12))
    client.wait('steps', lambda: client.clock_ns() > before)
    second = service.call_async(kind.Request(steps=10))
    assert state_of(ask) == PAUSED
    assert not first.done() and not second.done()
    assert ask('ResetSimulation').result.result == OK
    client.wait('the first answer', first.done)
    assert first.result().result.result == FAILED
    assert f'of {10 ** 12} steps' in first.result().result.error_message
    client.wait('the second answer', second.done)
    assert second.result().result.result == OK
    client.wait('the time after the steps', lambda: client.clock_ns() == 11 * STEP_NS)


def test_a_pause_ends_many_steps(client: Client, ask: Ask) -> None:
    kind: Any = importlib.import_module('simulation_interfaces.srv').StepSimulation
    service = client.node.create_client(kind, '/step_simulation')
    client.wait('the service', service.service_is_ready)
    before = client.paused_ns()
    answer = service.call_async(kind.Request(steps=10 ** 12))
    client.wait('steps', lambda: client.clock_ns() > before)
    assert set_state(ask, PAUSED) == OK
    client.wait('the answer', answer.done)
    assert f'of {10 ** 12} steps' in answer.result().result.error_message
    assert set_state(ask, PAUSED) == 101  # which it is in, with nothing to end


def test_no_single_steps_while_playing(ask: Ask) -> None:
    assert set_state(ask, PLAYING) == OK
    answer = ask('StepSimulation', steps=1)
    assert answer.result.result == FAILED
    assert 'pause' in answer.result.error_message
    assert set_state(ask, PAUSED) == OK


def test_a_partial_reset_is_refused(ask: Ask) -> None:
    assert ask('ResetSimulation', scope=2).result.result == UNSUPPORTED


@pytest.mark.parametrize('pattern, categories, expected', [
    pytest.param('', [], THINGS, id='all'), pytest.param('^w', [], {'wall'}, id='pattern'),
    pytest.param('^[[:lower:]]+ [[:digit:]]$', [], {'robot 1'}, id='POSIX classes'),
    pytest.param('', [1], {'robot 1'}, id='robots'),
    pytest.param('al', [5, 2], {'wall'}, id='both'), pytest.param('nobody', [], set(), id='none')])
def test_entities(ask: Ask, pattern: str, categories: list[int], expected: set[str]) -> None:
    filters = message('EntityFilters', filter=pattern, categories=[
        message('EntityCategory', category=each) for each in categories])
    answer = ask('GetEntities', filters=filters)
    assert answer.result.result == OK
    assert set(answer.entities) == expected
    both = ask('GetEntitiesStates', filters=filters)
    assert list(both.entities) == list(answer.entities)
    assert len(both.states) == len(expected)


@pytest.mark.parametrize('kind, first, second, expected', [
    pytest.param(1, (5.0, 5.0, 1.0), (4.0, 1.0, 0.0), {'wall'}, id='box'),
    pytest.param(1, (-9.0, -9.0, 0.0), (9.0, 9.0, 0.1), THINGS, id='all'),
    pytest.param(1, (9.0, 9.0, 2.0), (-9.0, -9.0, 1.1), {'occupancy_grid1'},
                 id='box above all but the map'),
    pytest.param(3, (1.0, 4.0, 0.5), (2.0, 0.0, 0.0), {'robot 1', 'crate'}, id='sphere'),
    pytest.param(3, (1.0, 4.0, 0.5), (1.7, 0.0, 0.0), set(), id='too small a sphere')])
def test_entities_within_bounds(ask: Ask, kind: int, first: Any, second: Any,
                                expected: set[str]) -> None:
    assert ask('ResetSimulation').result.result == OK
    request = message('EntityFilters')
    request.bounds.type = kind
    request.bounds.points = [Vector3(x=x, y=y, z=z) for x, y, z in (first, second)]
    answer = ask('GetEntities', filters=request)
    assert (answer.result.result, set(answer.entities)) == (OK, expected)


@pytest.mark.parametrize('filters, code', [
    pytest.param({'filter': '(('}, FAILED, id='no pattern'),
    pytest.param({'filter': '[[:red:]]'}, FAILED, id='no class'),
    pytest.param({'bounds': 2}, FAILED, id='convex hull of nothing'),
    pytest.param({'bounds': 4}, FAILED, id='no kind of bounds'),
    pytest.param({'bounds': 3}, FAILED, id='sphere without a centre')])
def test_filters_that_cannot_be(ask: Ask, filters: dict[str, Any], code: int) -> None:
    request = message('EntityFilters', filter=filters.get('filter', ''))
    request.bounds.type = filters.get('bounds', 0)
    answer = ask('GetEntities', filters=request)
    assert answer.result.result == code
    assert answer.result.error_message


def test_what_an_entity_is(ask: Ask) -> None:
    assert ask('GetEntityInfo', entity='robot 1').info.category.category == 1
    assert ask('GetEntityInfo', entity='wall').info.category.category == 5
    assert ask('GetEntityInfo', entity='ghost').result.result == NOT_FOUND
    assert ask('GetEntityState', entity='ghost').result.result == NOT_FOUND


def moved(**changes: Any) -> Any:
    """Return a state 2 m east and 3 m north, heading north, with changes."""
    state = message('EntityState')
    state.header.frame_id = changes.get('frame', 'map')
    state.pose.position.x, state.pose.position.y = changes.get('x', 2.0), 3.0
    state.pose.orientation.z = changes.get('qz', math.sqrt(0.5))
    state.pose.orientation.w = math.sqrt(0.5)
    state.twist.linear.y = changes.get('vy', 0.0)
    return state


def test_a_robot_is_put_elsewhere(ask: Ask) -> None:
    assert ask('ResetSimulation').result.result == OK
    assert ask('SetEntityState', entity='robot 1', state=moved(vy=0.5)).result.result == OK
    answer = ask('GetEntityState', entity='robot 1')
    assert answer.result.result == OK
    assert answer.state.header.frame_id == 'map'
    assert planar_pose(answer.state.pose) == pytest.approx((2.0, 3.0, math.pi / 2), abs=1e-6)
    assert answer.state.twist.linear.y == pytest.approx(0.5, abs=1e-6)
    assert answer.state.twist.linear.x == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize('name, changes, code', [
    pytest.param('ghost', {}, NOT_FOUND, id='unknown'),
    pytest.param('robot 1', {'frame': 'odom'}, 101, id='other frame'),
    pytest.param('robot 1', {'qz': 3.0}, 101, id='no rotation'),
    pytest.param('robot 1', {'x': math.nan}, 101, id='NaN'),
    pytest.param('wall', {'vy': 1.0}, FAILED, id='static block with a velocity')])
def test_states_that_cannot_be(ask: Ask, name: str, changes: dict[str, Any], code: int) -> None:
    before = ask('GetEntityState', entity='robot 1').state.pose
    answer = ask('SetEntityState', entity=name, state=moved(**changes))
    assert answer.result.result == code
    assert answer.result.error_message
    assert ask('GetEntityState', entity='robot 1').state.pose == before


def test_a_static_block_can_be_moved(ask: Ask) -> None:
    assert ask('SetEntityState', entity='wall', state=moved()).result.result == OK
    pose = ask('GetEntityState', entity='wall').state.pose
    assert planar_pose(pose) == pytest.approx((2.0, 3.0, math.pi / 2), abs=1e-6)


def initial_pose(x: float = 0.0, frame: str = 'map') -> Any:
    pose = PoseStamped()
    pose.header.frame_id = frame
    pose.pose.position.x, pose.pose.position.y = x, -2.0
    return pose


def test_a_spawned_robot_drives_and_is_deleted(client: Client, ask: Ask) -> None:
    assert ask('ResetSimulation').result.result == OK
    assert [each.uri for each in ask('GetSpawnables').spawnables] == ['cart', 'box']
    answer = ask('SpawnEntity', name='r2', uri='cart', initial_pose=initial_pose())
    assert (answer.result.result, answer.entity_name) == (OK, 'r2')
    client.listen(Odometry, '/r2/odom')
    client.listen(LaserScan, '/r2/scan')
    client.listen(TFMessage, '/r2/tf_static')
    assert set_state(ask, PLAYING) == OK
    client.fresh('/r2/odom')
    client.fresh('/r2/scan')
    client.wait('frames', lambda: {each.child_frame_id for message in client.heard['/r2/tf_static']
                                   for each in message.transforms} >= {'base_link', 'eye'})
    client.wait('it to drive', lambda: client.fresh('/r2/odom').pose.pose.position.x > 0.2,
                lambda: client.command('/r2/cmd_vel', 0.5))
    assert ask('DeleteEntity', entity='r2').result.result == OK
    assert 'r2' not in ask('GetEntities').entities
    client.wait('its topics to go', lambda: not client.node.get_publishers_info_by_topic(
        '/r2/odom') + client.node.get_subscriptions_info_by_topic('/r2/cmd_vel'))
    assert set_state(ask, PAUSED) == OK


def test_a_reset_takes_away_what_was_spawned(ask: Ask) -> None:
    answer = ask('SpawnEntity', allow_renaming=True, uri='box', initial_pose=initial_pose(3.0))
    assert (answer.result.result, answer.entity_name) == (OK, 'box_1')
    again = ask('SpawnEntity', name='box_1', allow_renaming=True, uri='box',
                initial_pose=initial_pose(4.0))
    assert again.entity_name == 'box_1_1'
    assert {'box_1', 'box_1_1'} <= set(ask('GetEntities').entities)
    assert ask('ResetSimulation').result.result == OK
    assert set(ask('GetEntities').entities) == THINGS


@pytest.mark.parametrize('fields, code', [
    pytest.param({'name': 'wall', 'uri': 'box'}, 101, id='name taken'),
    pytest.param({'uri': 'box'}, 102, id='no name'),
    pytest.param({'name': 'a', 'resource_string': '<robot/>'}, 106, id='broken'),
    pytest.param({'name': 'a', 'resource_string': '<joint type="pin" body_a="wall" '
                  'body_b="crate" anchor_a="0 0" anchor_b="0 0"/>'}, 106, id='joint'),
    pytest.param({'name': 'a'}, 104, id='no resource'),
    pytest.param({'name': 'a', 'uri': 'cart', 'entity_namespace': 'b'}, 105, id='namespace'),
    pytest.param({'name': 'a', 'uri': 'nothing'}, NOT_FOUND, id='unknown class'),
    pytest.param({'name': 'a', 'uri': 'box', 'frame': 'odom'}, 109, id='other frame'),
    pytest.param({'name': 'a', 'uri': 'box', 'x': math.inf}, 109, id='infinite'),
    pytest.param({'name': 'robot_1', 'uri': 'cart'}, FAILED, id='namespace taken'),
    pytest.param({'name': 'a' * 101, 'uri': 'cart'}, FAILED, id='name too long for topics')])
def test_what_cannot_be_spawned(ask: Ask, fields: dict[str, Any], code: int) -> None:
    pose = initial_pose(fields.pop('x', 0.0), fields.pop('frame', 'map'))
    answer = ask('SpawnEntity', initial_pose=pose, **fields)
    assert answer.result.result == code
    assert answer.result.error_message
    assert set(ask('GetEntities').entities) == THINGS


def test_deleting_an_unknown_entity_is_refused(ask: Ask) -> None:
    assert ask('DeleteEntity', entity='ghost').result.result == NOT_FOUND


def test_a_reset_can_remove_spawned_entities_only(ask: Ask) -> None:
    assert ask('ResetSimulation').result.result == OK
    assert ask('SetEntityState', entity='robot 1', state=moved()).result.result == OK
    assert ask('SpawnEntity', name='new', uri='box',
               initial_pose=initial_pose(3.0)).result.result == OK
    assert ask('ResetSimulation', scope=4).result.result == OK
    assert set(ask('GetEntities').entities) == THINGS
    assert ask('GetEntityState', entity='robot 1').state.pose.position.x == pytest.approx(2.0)


def wanted(name: str, uri: str, x: float) -> Any:
    return message('SpawnEntity', name=name, initial_pose=initial_pose(x),
                   entity_resource=message('Resource', uri=uri))


def test_several_things_come_at_once(ask: Ask) -> None:
    assert ask('ResetSimulation').result.result == OK
    answer = ask('SpawnEntities', spawn_requests=[wanted('a', 'box', 3.0),
                                                  wanted('b', 'cart', -3.0)])
    assert answer.result.result == OK
    assert [each.entity_name for each in answer.results] == ['a', 'b']
    answer = ask('SpawnEntities', spawn_requests=[
        wanted('a', 'box', 6.0), wanted('c', 'box', 9.0), wanted('d', 'nothing', 9.0)])
    assert answer.result.result == 150 and '2 of 3' in answer.result.error_message
    assert [each.result.result for each in answer.results] == [101, OK, NOT_FOUND]
    assert set(ask('GetEntities').entities) == THINGS | {'a', 'b', 'c'}
    assert ask('ResetSimulation').result.result == OK


@pytest.mark.parametrize('entity, upper, lower', [
    pytest.param('robot 1', (0.2, 0.2, 0.6), (-0.2, -0.2, 0.05), id='robot'),
    pytest.param('wall', (0.05, 4.0, 1.0), (-0.05, -4.0, 0.0), id='block')])
def test_bounds(ask: Ask, entity: str, upper: Any, lower: Any) -> None:
    answer = ask('GetEntityBounds', entity=entity)
    assert (answer.result.result, answer.bounds.type) == (OK, 1)
    assert [(p.x, p.y, p.z) for p in answer.bounds.points] == [
        pytest.approx(upper), pytest.approx(lower)]
    assert ask('GetEntityBounds', entity='nobody').result.result == NOT_FOUND


@contextmanager
def simulate_steps(client: Client) -> Iterator[ActionClient]:
    """Give a client of the action, and take it down."""
    kind = importlib.import_module('simulation_interfaces.action').SimulateSteps
    action = ActionClient(client.node, kind, '/simulate_steps')
    try:
        client.wait('the action', action.server_is_ready)
        yield action
    finally:
        action.destroy()


def result_of(client: Client, action: ActionClient, steps: int,
              ) -> tuple[Any, list[tuple[int, int]]]:
    """Return the result of a goal, and the feedback that has come by then."""
    kind = importlib.import_module('simulation_interfaces.action').SimulateSteps
    feedback: list[tuple[int, int]] = []

    def take(message: Any) -> None:
        feedback.append((message.feedback.completed_steps, message.feedback.remaining_steps))

    sent = action.send_goal_async(kind.Goal(steps=steps), feedback_callback=take)
    client.wait('a goal handle', sent.done)
    assert sent.result().accepted
    done = sent.result().get_result_async()
    client.wait('a result', done.done)
    return done.result().result.result, feedback


def simulate(client: Client, steps: int) -> tuple[Any, list[tuple[int, int]]]:
    """Return the result of the action, and its feedback."""
    with simulate_steps(client) as action:
        return result_of(client, action, steps)


def test_the_action_steps_with_feedback(client: Client, ask: Ask) -> None:
    seen: list[tuple[int, int]] = []

    def steps_are_told() -> bool:
        assert ask('ResetSimulation').result.result == OK
        result, feedback = result_of(client, action, 30)
        assert result.result == OK
        seen.extend(feedback)
        return bool(feedback)

    with simulate_steps(client) as action:
        # nothing is sent to a reader that the node has not found yet
        client.wait('feedback', steps_are_told)
    assert set(seen) <= {(k, 30 - k) for k in range(1, 31)}
    client.wait('the time after the steps', lambda: client.clock_ns() == 31 * STEP_NS)


def test_the_action_is_for_a_paused_simulation(client: Client, ask: Ask) -> None:
    assert set_state(ask, PLAYING) == OK
    result, feedback = simulate(client, 30)
    assert (result.result, feedback) == (FAILED, [])
    assert 'pause' in result.error_message
    assert set_state(ask, PAUSED) == OK


def test_the_action_can_be_cancelled_and_does_not_block_services(client: Client, ask: Ask) -> None:
    assert ask('ResetSimulation').result.result == OK
    kind = importlib.import_module('simulation_interfaces.action').SimulateSteps
    with simulate_steps(client) as action:
        sent = action.send_goal_async(kind.Goal(steps=10 ** 12))
        client.wait('a goal handle', sent.done)
        assert state_of(ask) == PAUSED  # answered while it steps
        second = action.send_goal_async(kind.Goal(steps=1))
        client.wait('an answer', second.done)
        assert not second.result().accepted
        cancelled = sent.result().cancel_goal_async()
        client.wait('an answer to the cancel', cancelled.done)
        assert cancelled.result().goals_canceling
        done = sent.result().get_result_async()
        client.wait('a result', done.done)
        assert done.result().status == GoalStatus.STATUS_CANCELED
        assert done.result().result.result.result == FAILED
        assert f'of {10 ** 12} steps' in done.result().result.result.error_message
    now = client.paused_ns()
    client.wait('time to stand', lambda: client.clock_ns() == now)
    assert client.clock_ns() == now
    result, _ = simulate(client, 3)
    assert result.result == OK


def test_of_two_goals_at_once_one_is_accepted(client: Client) -> None:
    kind = importlib.import_module('simulation_interfaces.action').SimulateSteps
    with simulate_steps(client) as action:
        sent = [action.send_goal_async(kind.Goal(steps=10 ** 12)) for _ in range(2)]
        for each in sent:
            client.wait('an answer', each.done)
        (goal,) = [each.result() for each in sent if each.result().accepted]
        client.wait('an answer to the cancel', goal.cancel_goal_async().done)
        client.wait('a result', goal.get_result_async().done)
    result, _ = simulate(client, 3)
    assert result.result == OK


def test_worlds_are_listed(ask: Ask) -> None:
    answer = ask('GetAvailableWorlds')
    assert answer.result.result == OK
    assert {'demo', 'two_robots'} <= {world.name for world in answer.worlds}
    more = ask('GetAvailableWorlds', additional_sources=[f'file://{WORLDS}', '/nowhere'],
               continue_on_error=True)
    assert {world.name for world in more.worlds} >= {'demo', 'pair', 'wall'}
    assert ask('GetAvailableWorlds', additional_sources=['/nowhere']).result.result == FAILED
    tags = message('TagsFilter', tags=['indoor'])
    assert ask('GetAvailableWorlds', filter=tags).result.result == UNSUPPORTED


@pytest.mark.parametrize('fields, code', [
    pytest.param({}, 102, id='nothing'),
    pytest.param({'resource_string': '<mvsim_world><block/></mvsim_world>'}, 103, id='a string'),
    pytest.param({'uri': 'http://example.org/a.world.xml'}, 101, id='elsewhere'),
    pytest.param({'uri': 'http://[/'}, 101, id='no URI'),
    pytest.param({'uri': '/nowhere.world.xml'}, NOT_FOUND, id='not there'),
    pytest.param({'uri': 'a' * 5000}, NOT_FOUND, id='too long a name'),
    pytest.param({'uri': f'{WORLDS}/broken.world.xml'}, 103, id='broken')])
def test_worlds_that_cannot_be_loaded(ask: Ask, fields: dict[str, str], code: int) -> None:
    answer = ask('LoadWorld', **fields)
    assert answer.result.result == code
    assert answer.result.error_message
    assert ask('GetCurrentWorld').world.name == 'wall'
    assert set(ask('GetEntities').entities) == THINGS


def test_another_world_takes_the_place_of_this_one(client: Client, ask: Ask) -> None:
    client.listen(Odometry, '/r1/odom')
    client.listen(LaserScan, '/gate')
    answer = ask('LoadWorld', uri=f'file://{WORLDS}/pair.world.xml')
    assert (answer.result.result, answer.world.name) == (OK, 'pair')
    assert state_of(ask) == STOPPED
    assert set(ask('GetEntities').entities) == {'r1', 'r2'}
    client.wait('the old topics to go',
                lambda: not client.node.get_publishers_info_by_topic('/odom'))
    assert set_state(ask, PLAYING) == OK
    client.fresh('/gate')
    client.wait('it to drive', lambda: client.fresh('/r1/odom').pose.pose.position.x > 0.2,
                lambda: client.command('/r1/cmd_vel', 0.5))
    answer = ask('LoadWorld', uri=f'{WORLDS}/wall.world.xml')
    assert (answer.result.result, answer.world.name) == (OK, 'wall')
    assert ask('GetEntityState', entity='robot 1').state.pose.position.x == pytest.approx(1.0)
    client.wait('its topics', lambda: client.node.get_publishers_info_by_topic('/odom'))
