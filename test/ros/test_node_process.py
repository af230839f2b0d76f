# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How the node starts and ends: bad input, signals, parameters."""

from dataclasses import fields
import os
from pathlib import Path
import re
import signal
import subprocess
import sys
import time

import pytest
from ros_client import Client, running, Simulator, TIMEOUT, WALL, WORLDS
from rosgraph_msgs.msg import Clock

from mvsim_ros2.ros.interrupts import ENDING
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.rclpy_runtime import SHARED_MEMORY
from mvsim_ros2.ros.simulation_loop import FILM_PATIENCE
from mvsim_ros2.window.recorders import LAST_FRAME

LINGER = 50.0  # s
INTERRUPTED = """
import signal
from threading import Event
from mvsim_ros2.ros import interrupts as module
module.GRACE = 0.1
interrupts = module.Interrupts()
{0}
signal.raise_signal(signal.SIGINT)
Event().wait({1})
print('whole', flush=True)
"""
ANSWER = 'interrupts.act(lambda number: interrupts.answer())'


def shared_memory(pid: int) -> set[str]:
    """Return the segments of shared memory that a process uses, without common ports."""
    maps = Path(f'/proc/{pid}/maps').read_text()
    return set(re.findall(r'/dev/shm/fast(?:rtps|dds)_[0-9a-f]{16}', maps))


@pytest.mark.parametrize('parameters, said', [
    pytest.param((), 'world is not set', id='no world'),
    pytest.param(('world:=nowhere',), "no world 'nowhere'.*demo", id='unknown world'),
    pytest.param((f'world:={WORLDS}/broken.world.xml',), r'broken.world.xml:\d+', id='bad world'),
    pytest.param((WALL, 'realtime_factor:=-1.0'), 'realtime_factor.*between 0', id='range'),
    pytest.param(('world:=',), "ROS does not start.*'-p world:='", id='no value'),
    pytest.param((WALL, "odom_frame:=''"), 'odom_frame.*empty', id='frame without a name'),
    pytest.param((WALL, 'base_frame:=odom'), 'both are .odom', id='equal frames'),
    pytest.param((WALL, 'seed:=much'), 'seed.*integer', id='type'),
    pytest.param((WALL, 'sensor_qos:=fine'), 'sensor_qos.*best_effort', id='choice'),
    pytest.param((WALL, "variables:=['yaw']"), 'NAME=VALUE', id='variable'),
    pytest.param((WALL, 'variables:=[1, 2]'), 'variables.*1, 2.*string_array.*quotes', id='list'),
    pytest.param((WALL, 'qos_overrides./odom.publisher.reliability:=high'),
                 'odom.*reliability', id='qos')])
def test_bad_input_ends_in_one_line(domain: int, parameters: tuple[str, ...], said: str) -> None:
    with Simulator(domain, *parameters) as simulator:
        assert simulator.process.wait(TIMEOUT) == 1
        # what is logged before, such as that kernels are compiled, is no part of the message
        lines = [line for line in simulator.errors.splitlines()
                 if not line.startswith('[')]
        assert len(lines) == 1
        assert re.search(said, lines[0])


@pytest.mark.parametrize('words', [
    pytest.param(['demo'], id='no option'),
    pytest.param(['--world', 'demo', '--ros-args', '-p', 'world:=demo'], id='before the others')])
def test_words_that_are_not_for_ros_are_refused(words: list[str], domain: int) -> None:
    done = subprocess.run([sys.executable, '-m', 'mvsim_ros2.ros.node', *words],
                          capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 1 and done.stderr.count('\n') == 1
    assert f"mvsim_node: error: unknown argument '{words[0]}'" in done.stderr
    assert '--ros-args -p world:=demo' in done.stderr


@pytest.mark.parametrize('how', [
    pytest.param(signal.SIGINT, id='SIGINT'), pytest.param(signal.SIGTERM, id='SIGTERM')])
@pytest.mark.parametrize('loaded', [
    pytest.param('python3', id='the interpreter'), pytest.param('lxml', id='the reader of worlds'),
    pytest.param('_rclpy_pybind11', id='rclpy'), pytest.param('rmw_fastrtps', id='the middleware'),
    pytest.param('fast(rtps|dds)_port', id='the node'),
    pytest.param('llvmlite', id='the compiler')])
def test_ends_at_any_instant(domain: int, how: signal.Signals, loaded: str) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [how])  # as launch files start it
    with Simulator(domain, WALL) as simulator:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [how])
        maps, begin = Path(f'/proc/{simulator.process.pid}/maps'), time.monotonic()
        while not re.search(loaded, maps.read_text()):
            assert time.monotonic() - begin < TIMEOUT
        assert simulator.end(how) == 0
        assert 'Traceback' not in simulator.errors


PARENT = """
import os, subprocess, sys
subprocess.Popen([sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '-p', sys.argv[1]],
                 env={**os.environ, 'MVSIM_PARENT': str(os.getpid())}).wait()
"""


def test_ends_with_the_process_that_a_launch_file_names(domain: int, project: Path) -> None:
    client = Client(domain)
    with subprocess.Popen(
            [sys.executable, '-c', PARENT, WALL], stdout=subprocess.PIPE, cwd=project,
            env={**os.environ, 'ROS_DOMAIN_ID': str(domain)}) as parent:
        client.listen(Clock, '/clock')
        client.fresh('/clock')
        parent.kill()
        parent.communicate(timeout=TIMEOUT)  # the node has this pipe too, until it ends
    client.close()


def test_a_port_of_a_process_that_was_killed_is_no_obstacle(domain: int) -> None:
    """Those of the first participant of a domain begin with 7400 + 250 domain + 10."""
    ports = [SHARED_MEMORY / f'fast{name}_port{7400 + 250 * domain + k}'
             for name in ('rtps', 'dds') for k in (10, 11)]
    for port in ports:
        port.unlink(missing_ok=True)
        port.touch()
        os.utime(port, (0.0, 0.0))
    with Simulator(domain, WALL) as simulator:
        client = Client(domain)
        client.simulator = simulator
        client.wait_for_words('vehicles')
        client.close()
        assert simulator.end() == 0


@pytest.mark.parametrize('action, seconds, said', [
    pytest.param(ANSWER, 0.5, 'whole\n', id='it has begun to end'),
    pytest.param('interrupts.act(bool)', 600.0, '', id='no answer'),
    pytest.param(f'module.ENDING = 0.1; {ANSWER}', 600.0, '', id='it does not come to its end')])
def test_an_end_in_order_has_its_time(action: str, seconds: float, said: str) -> None:
    done = subprocess.run([sys.executable, '-c', INTERRUPTED.format(action, seconds)], text=True,
                          capture_output=True, timeout=TIMEOUT)
    assert (done.returncode, done.stdout, done.stderr) == (0, said, '')


def test_films_are_told_before_the_process_is_ended() -> None:
    assert FILM_PATIENCE + LAST_FRAME < ENDING


def test_the_clock_goes_on_for_clients_that_need_it_to_end(domain: int) -> None:
    client = Client(domain)
    client.listen(Clock, '/clock')
    clock = client.heard['/clock']
    with Simulator(domain, WALL, f'clock_linger:={LINGER}') as client.simulator:
        client.wait('the clock', lambda: clock)
        client.wait_for_words('vehicles')
        client.simulator.process.send_signal(signal.SIGINT)
        now = clock[-1].clock.sec
        client.wait('a second after the signal', lambda: clock[-1].clock.sec > now + 1)
        client.close()
        begin = time.monotonic()
        assert client.simulator.process.wait(TIMEOUT) == 0
        assert time.monotonic() - begin < 0.8 * LINGER


@pytest.mark.parametrize('how', [
    pytest.param(signal.SIGINT, id='SIGINT'), pytest.param(signal.SIGTERM, id='SIGTERM')])
@pytest.mark.parametrize('factor', [
    pytest.param('0', id='as fast as possible'), pytest.param('0.01', id='very slow')])
def test_ends_when_asked(domain: int, how: signal.Signals, factor: str) -> None:
    client = Client(domain)
    client.listen(Clock, '/clock')
    before = shared_memory(os.getpid())
    with Simulator(domain, WALL, f'realtime_factor:={factor}') as client.simulator:
        client.wait('the clock', lambda: client.heard['/clock'])
        client.wait_for_words('vehicles')
        used = shared_memory(client.simulator.process.pid) - before
        assert client.simulator.end(how) == 0
        assert used and not any(map(os.path.exists, used))
        assert 'Traceback' not in client.simulator.errors
    client.close()


def test_ends_when_asked_while_kernels_are_compiled(
        domain: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path))
    client = Client(domain)
    before = shared_memory(os.getpid())
    with Simulator(domain, WALL) as client.simulator:
        client.wait_for_words('compiling')
        client.wait('the first kernel', lambda: any(
            not path.name.startswith('numba_runtime') for path in tmp_path.rglob('*.nbc')))
        used = shared_memory(client.simulator.process.pid) - before
        assert client.simulator.end() == 0
        assert [line for line in client.simulator.errors.splitlines()
                if not line.startswith('[')] == []
        assert used and not any(map(os.path.exists, used))
    client.close()


def test_warns_of_what_it_ignores(domain: int) -> None:
    with running(domain, WALL, 'odom_raet:=10.0', 'use_sim_time:=true',
                 'qos_overrides./odom.publisher.relaibility:=best_effort',
                 'qos_overrides./tf.publisher.depth:=7') as client:
        client.wait_for_words('did you mean odom_rate?')
        client.wait_for_words('did you mean qos_overrides./odom.publisher.reliability?')
        client.wait_for_words('use_sim_time')
        assert '/tf.publisher.depth' not in client.simulator.errors


def test_warns_of_periods_that_the_step_does_not_allow(domain: int) -> None:
    with running(domain, WALL, 'odom_rate:=1000', 'lockstep:=0.007', 'variables:=[]',
                 ) as client:
        client.wait_for_words('odom_rate is 1000 Hz, and steps of 5 ms allow 200 Hz at most')
        client.wait_for_words('lockstep is 0.007 s, which is no multiple of the step, 5 ms')
        for period in (0.01, 0.012):
            assert not client.put(lockstep=period)
        client.wait_for_words('lockstep is 0.012 s')
        assert 'lockstep is 0.01 s' not in client.simulator.errors


def test_parameters_that_change_and_those_that_do_not(domain: int) -> None:
    client = Client(domain)
    client.listen(Clock, '/clock')
    with Simulator(domain, WALL, 'realtime_factor:=0.001') as client.simulator:
        assert len(client.put(realtime_factor=20, odom_rate=10.0, use_sim_time=True)) == 2
        client.wait('five seconds to pass', lambda: client.heard['/clock']
                    and client.heard['/clock'][-1].clock.sec >= 5)
    client.close()


def test_refusal_of_a_controller_is_reported(domain: int) -> None:
    with running(domain, WALL, "variables:=['controller=raw']") as client:
        client.command('/cmd_vel', 1.0)
        client.wait('a warning', lambda: re.search(
            r'/cmd_vel: .*raw', client.simulator.errors))


def test_help_names_all_parameters() -> None:
    done = subprocess.run([sys.executable, '-m', 'mvsim_ros2.ros.node', '--help'], text=True,
                          capture_output=True, check=True)
    for item in fields(Settings):
        assert f'\n  {item.name} (' in done.stdout
