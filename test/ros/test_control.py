# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pause, single steps and reset, through the services of the real node."""

from collections.abc import Callable, Iterator
from functools import partial
import re
from threading import Thread

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
import pytest
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.parameter import Parameter
from ros_client import Client, running, Simulator, stamp_ns, WORLDS
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue

STEP_NS = 5_000_000
TRUTH = '/base_pose_ground_truth'


def test_calls_run_in_the_loop_and_return_results() -> None:
    queue = MainThreadQueue()
    answers: list[int | str] = []

    def fail() -> int:
        raise MvsimError('it is broken')

    def ask() -> None:
        answers.append(queue.call(lambda: 7))
        try:
            queue.call(fail)
        except MvsimError as error:
            answers.append(str(error))

    thread = Thread(target=ask)
    thread.start()
    while thread.is_alive():
        queue.run_pending(0.1)
    assert answers == [7, 'it is broken']


def test_calls_raise_after_the_loop_has_ended() -> None:
    queue = MainThreadQueue()
    queue.close()
    with pytest.raises(MvsimError, match='ended'):
        queue.call(lambda: 7)


def test_calls_in_turn_do_not_run_within_one_another() -> None:
    queue = MainThreadQueue()
    seen: list[str] = []

    def long(name: str) -> None:
        seen.append(f'{name} begins')
        queue.run_pending()
        seen.append(f'{name} ends')

    for name in 'abc':
        queue.post_in_turn(partial(long, name))
    queue.post(partial(seen.append, 'short'))
    queue.run_pending()
    assert seen == ['a begins', 'short', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']


@pytest.fixture(scope='module')
def client(domain: int) -> Iterator[Client]:
    """Provide a client of a node that starts paused."""
    with Simulator(domain, f'world:={WORLDS}/wall.world.xml', 'start_paused:=true',
                   "variables:=['controller=twist_pid', 'v=0.5', 'w=20']",
                   'odom_rate:=200.0', 'realtime_factor:=0.0') as simulator:
        each = Client(domain)
        each.simulator = simulator
        try:
            each.listen(Clock, '/clock')
            each.listen(Odometry, TRUTH)
            each.fresh('/clock')
            yield each
        finally:
            each.close()


@pytest.fixture
def call(client: Client) -> Callable[[str], Trigger.Response]:
    """Provide a function that calls a service of the node."""
    def trigger(name: str) -> Trigger.Response:
        return client.call(Trigger, f'/mvsim/{name}', Trigger.Request())
    return trigger


def set_steps(client: Client, steps: int) -> None:
    request = SetParameters.Request(
        parameters=[Parameter('steps_per_request', value=steps).to_parameter_msg()])
    (result,) = client.call(SetParameters, '/mvsim/set_parameters', request).results
    assert result.successful


def clock_ns(client: Client) -> int:
    clock = client.fresh('/clock').clock
    return int(clock.sec) * 10 ** 9 + int(clock.nanosec)


def test_a_pause_is_a_parameter(client: Client) -> None:
    def paused() -> bool:
        return bool(client.call(GetParameters, '/mvsim/get_parameters', GetParameters.Request(
            names=['paused'])).values[0].bool_value)

    def pause(value: bool) -> None:
        (result,) = client.call(SetParameters, '/mvsim/set_parameters', SetParameters.Request(
            parameters=[Parameter('paused', value=value).to_parameter_msg()])).results
        assert result.successful

    assert paused()
    before = clock_ns(client)
    pause(False)
    client.wait('time to go on', lambda: clock_ns(client) > before)
    client.paused_ns()  # by the service
    assert paused()
    assert client.call(Trigger, '/mvsim/resume', Trigger.Request()).success and not paused()
    pause(True)
    client.paused_ns()
    assert clock_ns(client) == clock_ns(client)


def test_a_paused_clock_publishes_the_same_time(client: Client) -> None:
    assert clock_ns(client) == clock_ns(client)


@pytest.mark.parametrize('count', [1, 37], ids=['one', 'across ticks'])
def test_steps_are_counted(client: Client, call: Callable[[str], Trigger.Response],
                           count: int) -> None:
    set_steps(client, count)
    before = client.paused_ns()
    answer = call('step')
    assert answer.success
    assert answer.message == f'simulated time {(before + count * STEP_NS) * 1e-9:.9f} s'
    client.wait('the time after the steps',
                lambda: clock_ns(client) == before + count * STEP_NS)


@pytest.mark.parametrize('what', ['reset', 'pause'])
def test_others_are_answered_during_many_steps(
        client: Client, call: Callable[[str], Trigger.Response], what: str) -> None:
    set_steps(client, 1_000_000)
    service = client.node.create_client(Trigger, '/mvsim/step')
    client.wait('the service', service.service_is_ready)
    before = client.paused_ns()
    answer = service.call_async(Trigger.Request())
    client.wait('steps', lambda: clock_ns(client) > before)
    assert call('save').success
    assert call(what).success
    client.wait('the answer', answer.done)
    assert not answer.result().success
    assert re.fullmatch('ended after [0-9]+ of 1000000 steps', answer.result().message)
    set_steps(client, 1)


def test_a_pause_ends_the_steps_that_others_have_asked_for(
        client: Client, call: Callable[[str], Trigger.Response]) -> None:
    set_steps(client, 1_000_000)
    service = client.node.create_client(Trigger, '/mvsim/step')
    client.wait('the service', service.service_is_ready)
    before = client.paused_ns()
    answers = [service.call_async(Trigger.Request()) for _ in range(3)]
    client.wait('steps', lambda: clock_ns(client) > before)
    paused = call('pause')
    for answer in answers:
        client.wait('the answer', answer.done)
        assert not answer.result().success
    assert answers[-1].result().message == 'ended after 0 of 1000000 steps'
    assert call('pause').message == paused.message
    set_steps(client, 1)


def test_a_pause_repeats_the_state(domain: int) -> None:
    """So that who comes late knows where things are, and where one has been put."""
    with running(domain, f'world:={WORLDS}/wall.world.xml', 'start_paused:=true',
                 'publish_map_odom:=true', 'objects_ground_truth_rate:=1.0', ros_args=(
                     '-r', '__ns:=/late', '-r', '/clock:=/late/clock')) as client:
        client.listen(Clock, '/late/clock')
        client.fresh('/late/clock', 4)
        truth, objects = '/late/base_pose_ground_truth', '/late/objects_ground_truth'
        topics = {'/late/odom': Odometry, truth: Odometry, '/late/tf': TFMessage,
                  '/late/joint_states': JointState, '/late/moving_markers': MarkerArray,
                  objects: TFMessage}
        for topic, kind in topics.items():
            client.listen(kind, topic)
        for topic in topics:
            client.fresh(topic, 2)
        message = TransformStamped(child_frame_id='robot 1')
        message.header.frame_id = 'map'
        message.transform.translation.x = -5.0
        client.publisher(TransformStamped, '/late/mvsim/set_pose').publish(message)
        state = client.wait('the new place', lambda: (
            last := client.heard[truth][-1]).pose.pose.position.x == -5.0 and last)
        assert stamp_ns(state.header) == STEP_NS
        places = client.fresh(objects, 2).transforms
        assert -5.0 in [each.transform.translation.x for each in places]


def test_a_running_simulation_makes_no_single_steps(
        client: Client, call: Callable[[str], Trigger.Response]) -> None:
    before = client.paused_ns()
    assert call('resume').success
    client.wait('time to run', lambda: clock_ns(client) > before)
    answer = call('step')
    assert not answer.success
    assert 'pause it first' in answer.message
    now = client.paused_ns()
    client.wait('time to stand', lambda: clock_ns(client) == now)
    assert clock_ns(client) == now


def test_a_run_repeats_to_the_last_bit_after_a_reset(
        client: Client, call: Callable[[str], Trigger.Response]) -> None:
    def drive() -> list[tuple[float, ...]]:
        assert call('reset').success
        heard = client.heard[TRUTH]
        client.wait('the first state', lambda: heard and stamp_ns(heard[-1].header) == STEP_NS)
        del heard[:]
        for _ in range(4):
            assert call('step').success
        client.wait('the last state', lambda: heard and stamp_ns(
            heard[-1].header) == (1 + 4 * 25) * STEP_NS)
        return list(dict.fromkeys(  # a pause repeats the state, the first one too
            (stamp_ns(m.header), m.pose.pose.position.x, m.pose.pose.position.y,
             m.pose.pose.orientation.z) for m in heard if stamp_ns(m.header) > STEP_NS))

    set_steps(client, 25)
    first = drive()
    assert drive() == first
    assert len(first) == 100
    assert first[-1][1] - first[0][1] > 0.1
