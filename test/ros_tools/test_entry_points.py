# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The commands where ROS is missing, and while they are still imported."""

import os
from pathlib import Path
from random import Random
import signal
import subprocess
import sys
from threading import Event

import pytest

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.ros.tools.demo_tour import SimulatorProcess

COUNT = int(os.environ.get('MVSIM_INTERRUPTS', '3'))  # instants for each command
PATIENCE = 120.0  # s
COMMANDS = {
    'mvsim_node': '--ros-args -p world:=demo', 'demo_tour': '--no-window --output OUT',
    'mvsim_teleop': '', 'policy_node': '--ros-args -p policy:=POLICY'}
POLICY = Path(__file__).resolve().parents[2] / 'examples' / 'learn' / 'navigate.onnx'

WITHOUT_ROS = """
import sys

class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] == 'rclpy':
            raise ModuleNotFoundError('No module named ' + repr(name), name=name)

for name in [name for name in sys.modules if name.partition('.')[0] == 'rclpy']:
    del sys.modules[name]
sys.meta_path.insert(0, NoRos())
from mvsim_ros2.ros.tools.entry_points import {command}
sys.exit({command}())
"""


@pytest.mark.parametrize('command', ['mvsim_node', 'demo_tour', 'mvsim_teleop'])
def test_without_ros_there_is_one_line_with_a_remedy(command: str) -> None:
    done = subprocess.run([sys.executable, '-c', WITHOUT_ROS.format(command=command)],
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count('\n')) == (1, '', 1), done.stderr
    assert done.stderr.startswith(f"{command}: error: No module named 'rclpy")
    assert 'scripts/setup' in done.stderr


PROGRAM = """
import os, sys
from mvsim_ros2.ros.tools.entry_points import {command}
os.write(int(sys.argv.pop()), b'x')
sys.exit({command}())
"""


@pytest.mark.parametrize('how', [
    pytest.param(signal.SIGINT, id='SIGINT'), pytest.param(signal.SIGTERM, id='SIGTERM')])
@pytest.mark.parametrize('command', COMMANDS)
def test_a_signal_while_it_is_imported_ends_it_in_silence(
        command: str, how: signal.Signals, domain: int, tmp_path: Path) -> None:
    choice, (master, terminal) = Random(command), os.openpty()
    words = COMMANDS[command].replace('OUT', str(tmp_path)).replace('POLICY', str(POLICY)).split()
    for _ in range(COUNT):
        ready, write = os.pipe()
        with subprocess.Popen(
                [sys.executable, '-c', PROGRAM.format(command=command), *words, str(write)],
                pass_fds=(write,), stdin=terminal, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True) as process:
            os.close(write)
            os.read(ready, 1)
            os.close(ready)
            Event().wait(choice.uniform(0.0, 0.15))
            process.send_signal(how)
            _, said = process.communicate(timeout=PATIENCE)
        assert (process.returncode, said) == (0, '')
    os.close(master)
    os.close(terminal)


def test_a_simulator_that_is_ended_while_it_starts_says_nothing(
        domain: int, capfd: pytest.CaptureFixture[str]) -> None:
    with SimulatorProcess(world_path('demo'), 0.0) as simulator:
        simulator.interrupt()
    assert simulator.exit_code == 0
    assert capfd.readouterr().err == ''
