# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Every code block of README and documents does what the page says it does.

Commands of this package run, in a folder with the files that pages speak of; of those of ROS, the
files and arguments that they name are there. Runs are cut to seconds. Blocks of docs/extending.md
have tests of their own: recipes of tyres, controllers, elements and sensors.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
import os
from pathlib import Path
import re
import shlex
import shutil
import signal
import subprocess
import sys

from lxml import etree
import pytest
import yaml

from mvsim_ros2 import load_world
from mvsim_ros2.cli import main
from mvsim_ros2.cli.run_command import make_parser
from mvsim_ros2.ros.messages.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
PAGES = [path for path in (*sorted(ROOT.glob('*.md')), *sorted((ROOT / 'docs').glob('*.md')),
                           *sorted((ROOT / 'docs/site').glob('start-*.md')))
         if path.name != 'extending.md']
BLOCK = re.compile(r'^```(\w*)\n(.*?)^```', re.DOTALL | re.MULTILINE)
SECONDS = 1.0  # of runs
TIMEOUT = 600  # s of the wall clock
LOG_AND_RECORD = {'log', 'record'}
OTHERS = {  # commands that are not run: why
    'cd': 'of a workspace', 'colcon': 'of ROS', 'source': 'of a workspace',
    'git': 'needs the network', 'pip': 'installs', 'rosdep': 'installs',
    'rviz2': 'of ROS', 'ros2': 'of ROS', 'kiss_icp_pipeline': 'of a SLAM package',
    'evo_ape': 'of evo', 'scripts/demo': 'installs', 'scripts/test': 'runs all tests',
    'python3': 'makes an environment', '.': 'enters it', 'scripts/setup': 'installs',
    'scripts/supply': 'installs',
    '.venv/bin/mvsim_teleop': 'needs a keyboard',
    'python': 'a training of minutes: test/gym/test_training.py runs a short one'}
BEFORE = """import shutil
from mvsim_ros2 import Simulation
from mvsim_ros2.recording import CsvLog
simulation = Simulation.from_file('worlds/demo.world.xml')
shutil.rmtree('logs')
"""  # code that is a part of a program
FRAGMENT = """<mvsim_world version="1.0">
  <include file="package://mvsim_ros2/worlds/vehicles/{vehicle}.vehicle.xml"/> {before}
  <vehicle name="one" class="{vehicle}"> <init_pose>0 -40 0</init_pose> {inside} </vehicle>
  {beside}
</mvsim_world>"""


SENSORS = '<{0}ncols>16</{0}ncols> <{0}nrows>12</{0}nrows> <sensor_period>0.1</sensor_period>'
SHELF = """
<sdf version="1.9"> <world name="w"> <model name="shelf"> <static>true</static>
  <link name="l"> <collision name="c"> <geometry> <box> <size>1 2 1</size> </box> </geometry>
  </collision> </link> </model> </world> </sdf>
"""
RIG = f"""<mvsim_world version="1.0">
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose>
    <sensor class="camera" name="stereo"> <pose_3d>0.1 0 0.5 -90 0 -90</pose_3d>
      <stereo_baseline>0.1</stereo_baseline> {SENSORS.format('')} <renderer>cpu</renderer>
      <labels>true</labels> <boxes_3d>true</boxes_3d> </sensor>
    <sensor class="rgbd_camera" name="eye"> <pose_3d>0.1 0 0.6 0 0 0</pose_3d>
      {SENSORS.format('rgb_')} {SENSORS.format('depth_')} <renderer>cpu</renderer> </sensor>
    <sensor class="lidar3d" name="top"> <pose_3d>0 0 0.6 0 0 0</pose_3d> <vert_nrays>4</vert_nrays>
      <horz_nrays>90</horz_nrays> <sensor_period>0.1</sensor_period> </sensor>
    <sensor class="imu" name="imu"/>
  </vehicle>
  <block name="box"> <init_pose>2 0 0</init_pose> <static>true</static> </block>
</mvsim_world>"""


def blocks(*languages: str) -> list[object]:
    """Return the code blocks of some languages, each with page and line as id."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in BLOCK.finditer(text):
            if match[1] in languages:
                line = text[:match.start()].count('\n') + 1
                found.append(pytest.param(match[2], id=f'{page.name}:{line}'))
    return found


def block_of(page: str, language: str) -> str:
    """Return the first block of a language on a page."""
    return next(match[2] for match in BLOCK.finditer((ROOT / page).read_text())
                if match[1] == language)


@pytest.fixture(scope='module')
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a folder with the files that pages speak of."""
    folder = tmp_path_factory.mktemp('pages')
    (folder / 'my.world.xml').write_text(block_of('docs/first-steps.md', 'xml'))
    plan = yaml.safe_load(block_of('docs/sweeps.md', 'yaml'))
    plan |= {'worlds': plan['worlds'][:1], 'seeds': 1, 'duration': SECONDS}
    (folder / 'plan.yaml').write_text(yaml.safe_dump(plan))
    shutil.copy(ROOT / 'worlds/descriptions/round_robot.urdf.xacro', folder / 'robot.urdf.xacro')
    (folder / 'rig.world.xml').write_text(RIG)
    for name in 'turtlebot3_world.world', 'warehouse.sdf':
        (folder / name).write_text(SHELF)
    assert main(['record', str(folder / 'rig.world.xml'), '--duration', '0.5', '-o',
                 str(folder / 'run1')]) == 0
    for name in 'logs', 'other_logs':
        assert main(['log', 'demo', '--duration', '0.5', '-o', str(folder / name)]) == 0
    for name in 'examples', 'worlds', 'test':
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture
def files(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a copy of these files as the present folder."""
    folder = tmp_path / 'here'
    shutil.copytree(recorded, folder, symlinks=True)
    monkeypatch.chdir(folder)
    return folder


def lines_of(code: str) -> Iterator[list[str]]:
    """Yield the words of each command of a block of shell code."""
    for line in code.replace('\\\n', ' ').splitlines():
        for command in line.partition(' #')[0].split('&&'):
            words = shlex.split(command, comments=True)
            while words and re.fullmatch(r'\w+=.*', words[0]):  # a variable for this command
                del words[0]
            if words:
                yield words


def short(words: list[str]) -> list[str]:
    """Return a command whose run takes a moment."""
    words = list(words)
    if '--duration' in words:
        words[words.index('--duration') + 1] = f'{SECONDS}'
    elif words[0] in LOG_AND_RECORD or '--video' in words:
        words += ['--duration', f'{SECONDS}']
    if '.xacro' in ' '.join(words) and words[0] != 'convert-urdf':
        words.append('--allow-xacro')
    return words


def interrupt(words: list[str], sign: str, code: int, python: str = sys.executable) -> None:
    """Start a program, wait until it says something, and end it with Ctrl-C."""
    with subprocess.Popen(
            [python, '-m', *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=os.environ | {'PYTHONPATH': str(ROOT)}) as process:
        said = ''
        assert process.stdout is not None
        for line in process.stdout:
            said += line
            if re.search(sign, line):
                break
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(TIMEOUT)
        process.kill()
    assert process.returncode == code, said


def check_ros(words: list[str]) -> None:
    """Raise where a command of ROS names a launch file, program or argument there is not."""
    if words[:2] == ['ros2', 'run'] and words[2] == 'mvsim_ros2':
        assert f"f'{words[3]} = " in (ROOT / 'setup.py').read_text()
    if words[:2] != ['ros2', 'launch'] or words[2] != 'mvsim_ros2':
        return
    text = (ROOT / 'launch' / words[3]).read_text() + ''.join(
        path.read_text() for path in sorted((ROOT / 'mvsim_ros2/ros/launching').glob('*.py')))
    for name in [word.split(':=')[0] for word in words[4:]]:
        assert f"'{name}'" in text or name in {each.name for each in fields(Settings)}, name


@pytest.mark.parametrize('code', blocks('bash', 'sh', 'console'))
def test_commands_run(code: str, files: Path, capfd: pytest.CaptureFixture[str],
                      request: pytest.FixtureRequest) -> None:
    """
    Every command of mvsim_ros2 on these pages runs.

    :reference: the commands, cut to seconds; installations, ROS commands and `benchmark` are
        excluded
    """
    for words in lines_of(code):
        program = words[0].rpartition('/')[2] if words[0].startswith('.venv') else words[0]
        if program == 'mvsim_node':
            pytest.importorskip('rclpy')
            os.environ['ROS_DOMAIN_ID'] = str(request.getfixturevalue('domain'))
            interrupt(['mvsim_ros2.ros.node', *words[1:]], 'vehicles, ', 0)
        elif program != 'mvsim_ros2':
            assert words[0] in OTHERS, f'{words}: run it, or say why not'
            check_ros(words)
        elif words[1] == 'view' and '--export' not in words:
            interrupt(['mvsim_ros2', *words[1:], '--no-browser'], 'open http', 130)
        elif words[1] == 'benchmark' or words[1:3] == ['experiment', 'all']:
            # needs SLAM packages; test/studies/test_experiments.py runs all
            make_parser().parse_args(words[1:])
        else:
            for output in re.findall(r'-o (\S+)', ' '.join(words)):
                if (files / output).is_dir() and words[1] != 'sweep':
                    shutil.rmtree(files / output)
            code_of_it = main(short(words[1:]))
            said = capfd.readouterr()
            assert code_of_it == 0, f'{words}: {said.out} {said.err}'


def has_card() -> bool:
    """Return whether environments can use a card."""
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def shortened(code: str) -> str:
    """Return Python code whose run takes a moment."""
    code = re.sub(r'\.run\([\d.]+', f'.run({SECONDS}', code)
    code = re.sub(r'(make_controller\([^)]*\), )(math\.inf|[\d.]+)', rf'\g<1>{SECONDS}', code)
    return code if re.search('^(import|from) ', code, re.MULTILINE) else BEFORE + code


@pytest.mark.parametrize('code', blocks('python'))
def test_python_code_runs(code: str, files: Path, request: pytest.FixtureRequest) -> None:
    (files / 'code.py').write_text(shortened(code))
    environment = os.environ | {'PYTHONPATH': str(ROOT)}
    if 'gym.episodes' in code:
        pytest.importorskip('pyarrow', reason='no pyarrow, of the extra episodes')
    if 'gym.sb3' in code:
        pytest.importorskip('stable_baselines3', reason='no stable-baselines3, of train')
    if "device='cuda'" in code and not has_card():
        pytest.skip('no graphics card with CUDA, or no torch')
    if 'rclpy.spin' not in code:
        done = subprocess.run([sys.executable, 'code.py'], capture_output=True, text=True,
                              input='\n', env=environment, timeout=TIMEOUT, check=False)
        assert done.returncode == 0, done.stderr
        return
    pytest.importorskip('rclpy')
    from ros_client import Simulator
    domain = request.getfixturevalue('domain')
    with Simulator(domain, 'world:=demo', 'realtime_factor:=1.0'), subprocess.Popen(
            [sys.executable, '-u', 'code.py'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env=environment | {'ROS_DOMAIN_ID': str(domain)}) as process:
        assert process.stdout is not None
        assert 0.0 < float(process.stdout.readline()) < 100.0
        process.kill()


def as_world(text: str) -> str:
    """Return a world that holds what a page shows a part of."""
    kind = (re.search(r'<([\w:]+)', text) or [''])[1]
    text = text.replace('...', '')
    vehicle = 'rover' if 'class="rover"' in text else 'small_robot'
    if kind == 'mvsim_world':
        return text
    if kind == 'vehicle':
        return FRAGMENT.format(vehicle=vehicle, before='', inside='', beside=text)
    if kind == 'vehicle:class':
        return FRAGMENT.format(vehicle=vehicle, before=text, inside='', beside=(
            '<vehicle name="two" class="loaded"> <init_pose>3 0 0</init_pose> </vehicle>'))
    if kind == 'block':
        text = text.replace('<block class="sign">', '<block name="sign"> <init_pose>5 0 0'
                            '</init_pose>').replace('<element class="vertical_plane">', (
                                '<element class="vertical_plane"> <x0>1</x0> <y0>9</y0> '
                                '<x1>2</x1> <y1>9</y1>'))
        return FRAGMENT.format(vehicle=vehicle, before='', inside='', beside=text)
    text = text.replace('file="sensors/', 'file="package://mvsim_ros2/worlds/sensors/')
    if kind == 'friction':  # of vehicles, one after another
        return FRAGMENT.format(vehicle=vehicle, before='', inside='', beside=''.join(
            f'<vehicle name="v{number}" class="{vehicle}"> <init_pose>{number} 5 0</init_pose> '
            f'{each} </vehicle>' for number, each in enumerate(text.strip().splitlines())))
    origin = '<georeference> <latitude>50</latitude> <longitude>14</longitude> </georeference>'
    return FRAGMENT.format(vehicle=vehicle, before=origin, inside=re.sub(
        r'<include.*?/>', '', text) if 'or in place' in text else text, beside='')


@pytest.mark.parametrize('text', blocks('xml'))
def test_worlds_and_their_parts_load(text: str, tmp_path: Path) -> None:
    if text.startswith('<ros2_control'):  # of a robot description
        assert etree.fromstring(text).tag == 'ros2_control'
        return
    path = tmp_path / 'my.world.xml'
    path.write_text(as_world(text))
    world = load_world(path, strict=True, allow_xacro=True)
    assert world.vehicles and not world.warnings


def test_every_block_has_a_test() -> None:
    """Blocks without a language are drawings: what begins like a command says that it is one."""
    kinds = {match[1] for page in PAGES for match in BLOCK.finditer(page.read_text())}
    assert kinds <= {'', 'bash', 'python', 'text', 'xml', 'yaml'}  # text: for a cluster
    for page in PAGES:
        for match in BLOCK.finditer(page.read_text()):
            if not match[1]:
                word = (match[2].split() or [''])[0]
                assert word not in OTHERS and 'mvsim_ros2' not in word, (page.name, match[2])
