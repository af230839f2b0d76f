# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pause, single steps and reset, through the services of the real node."""

from collections.abc import Iterator
from functools import partial
import re
from threading import Thread

from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
import pytest
from ros_client import Client, running, stamp_ns, WALL
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
    with running(domain, WALL, 'start_paused:=true',
                 "variables:=['controller=twist_pid', 'v=0.5', 'w=20']",
                 'odom_rate:=200.0', 'realtime_factor:=0.0') as each:
        each.listen(Clock, '/clock')
        each.listen(Odometry, TRUTH)
        each.fresh('/clock')
        yield each


def test_a_pause_is_a_parameter(client: Client) -> None:
    assert client.parameters('paused') == [True]
    before = client.clock_ns()
    assert not client.put(paused=False)
    client.wait('time to go on', lambda: client.clock_ns() > before)
    client.paused_ns()  # by the service
    assert client.parameters('paused') == [True]
    assert client.trigger('resume').success and client.parameters('paused') == [False]
    assert not client.put(paused=True)
    client.paused_ns()
    assert client.clock_ns() == client.clock_ns()


def test_a_paused_clock_publishes_the_same_time(client: Client) -> None:
    assert client.clock_ns() == client.clock_ns()


@pytest.mark.parametrize('count', [1, 37], ids=['one', 'across ticks'])
def test_steps_are_counted(client: Client, count: int) -> None:
    assert not client.put(steps_per_request=count)
    before = client.paused_ns()
    answer = client.trigger('step')
    assert answer.success
    assert answer.message == f'simulated time {(before + count * STEP_NS) * 1e-9:.9f} s'
    client.wait('the time after the steps', lambda: client.clock_ns() == before + count * STEP_NS)


@pytest.mark.parametrize('what', ['reset', 'pause'])
def test_others_are_answered_during_many_steps(
        client: Client, what: str) -> None:
    assert not client.put(steps_per_request=1_000_000)
    service = client.node.create_client(Trigger, '/mvsim/step')
    client.wait('the service', service.service_is_ready)
    before = client.paused_ns()
    answer = service.call_async(Trigger.Request())
    client.wait('steps', lambda: client.clock_ns() > before)
    assert client.trigger('save').success
    assert client.trigger(what).success
    client.wait('the answer', answer.done)
    assert not answer.result().success
    assert re.fullmatch('ended after [0-9]+ of 1000000 steps', answer.result().message)
    assert not client.put(steps_per_request=1)


def test_a_pause_ends_the_steps_that_others_have_asked_for(client: Client) -> None:
    assert not client.put(steps_per_request=1_000_000)
    service = client.node.create_client(Trigger, '/mvsim/step')
    client.wait('the service', service.service_is_ready)
    before = client.paused_ns()
    answers = [service.call_async(Trigger.Request()) for _ in range(3)]
    client.wait('steps', lambda: client.clock_ns() > before)
    paused = client.trigger('pause')
    for answer in answers:
        client.wait('the answer', answer.done)
        assert not answer.result().success
    assert answers[-1].result().message == 'ended after 0 of 1000000 steps'
    assert client.trigger('pause').message == paused.message
    assert not client.put(steps_per_request=1)


def test_a_pause_repeats_the_state(domain: int) -> None:
    """So that who comes late knows where things are, and where one has been put."""
    with running(domain, WALL, 'start_paused:=true',
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


def test_a_running_simulation_makes_no_single_steps(client: Client) -> None:
    before = client.paused_ns()
    assert client.trigger('resume').success
    client.wait('time to run', lambda: client.clock_ns() > before)
    answer = client.trigger('step')
    assert not answer.success
    assert 'pause it first' in answer.message
    now = client.paused_ns()
    client.wait('time to stand', lambda: client.clock_ns() == now)
    assert client.clock_ns() == now


def test_a_run_repeats_to_the_last_bit_after_a_reset(client: Client) -> None:
    def drive() -> list[tuple[float, ...]]:
        assert client.trigger('reset').success
        heard = client.heard[TRUTH]
        client.wait('the first state', lambda: heard and stamp_ns(heard[-1].header) == STEP_NS)
        del heard[:]
        for _ in range(4):
            assert client.trigger('step').success
        client.wait('the last state', lambda: heard and stamp_ns(
            heard[-1].header) == (1 + 4 * 25) * STEP_NS)
        return list(dict.fromkeys(  # a pause repeats the state, the first one too
            (stamp_ns(m.header), m.pose.pose.position.x, m.pose.pose.position.y,
             m.pose.pose.orientation.z) for m in heard if stamp_ns(m.header) > STEP_NS))

    assert not client.put(steps_per_request=25)
    first = drive()
    assert drive() == first
    assert len(first) == 100
    assert first[-1][1] - first[0][1] > 0.1
