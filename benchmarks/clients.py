# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run clients of ROS that are installed against the node, and print what each did, as a table.

    python benchmarks/clients.py [NAME ...]

Nothing is fetched: a client that is missing is a row that says so. The node runs the demo world,
and another one, with a lifecycle, waits. A client has done its work when it writes what is
expected.

:claim: Compatibility of the node with common ROS clients
:reference: the ROS programs themselves
"""

from dataclasses import dataclass
import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO
import xml.etree.ElementTree as xml

from ament_index_python.packages import get_package_share_directory, PackageNotFoundError

from mvsim_ros2.base.package_files import share_directory

PATIENCE = 90.0  # s
TWIST = '{linear: {x: 0.3}}'
CONFIG = share_directory() / 'config'
BT = 'nav2_bt_navigator'
SERVERS = {'nav2_planner': 'planner_server', 'nav2_controller': 'controller_server',
           BT: 'bt_navigator'}


def nav2(*packages: str) -> str:
    """Return a command line: some nodes of Nav2 drive to a goal, in a domain of their own."""
    names = [SERVERS[each] for each in packages]
    nodes = [f'{sys.executable} -m mvsim_ros2.ros.node --ros-args -p world:=occupancy_map '
             '-p publish_map_odom:=true']
    for package, name in zip(packages, names, strict=True):
        nodes.append(f'ros2 run {package} {name} --ros-args --params-file '
                     f'{CONFIG}/nav2_jazzy.yaml')
    if BT in packages:  # a tree without recoveries, for which further servers are needed
        nodes[-1] += (
            f' -p default_nav_to_pose_bt_xml:=$(ros2 pkg prefix --share {BT})/behavior_trees/'
            'navigate_w_replanning_time.xml -p "navigators:=[navigate_to_pose]" '
            f'-p navigate_to_pose.plugin:={BT}::NavigateToPoseNavigator')
    nodes.append('ros2 run nav2_lifecycle_manager lifecycle_manager --ros-args -p '
                 f'autostart:=true -p use_sim_time:=true -p "node_names:=[{", ".join(names)}]"')
    drive = Path(__file__).with_name('nav2_drive.py')
    return ('export ROS_DOMAIN_ID=98; ' + ' & '.join(nodes)
            + f' & {sys.executable} {drive} 3.0 2.0' + ' tree' * (BT in packages))


@dataclass(frozen=True)
class Client:
    """
    A program.

    :ivar package: its package of ROS.
    :ivar words: its command line.
    :ivar writes: pattern of what it writes when it works.
    :ivar shows: what that shows, with braces for what was written.
    """

    package: str
    words: str
    writes: str
    shows: str


CLIENTS = (
    Client('ros2topic', 'ros2 topic echo --once /scan sensor_msgs/msg/LaserScan',
           r'angle_increment: 0\.0', 'a scan'),
    Client('ros2topic', 'ros2 topic hz /odom --window 50', r'average rate: \d+\.', 'odometry'),
    Client('ros2topic', f'ros2 topic pub -t 5 /cmd_vel geometry_msgs/msg/Twist "{TWIST}"',
           r'publishing #5', 'it finds the subscriber of cmd_vel'),
    Client('ros2param', 'ros2 param set /mvsim realtime_factor 2.0', r'[Ss]et parameter', 'set'),
    Client('ros2param', 'ros2 param set /mvsim friction 99.0', r'99|range', 'refused, why'),
    Client('ros2param', 'ros2 param describe /mvsim sensors.robot.scan.rate', r'Max value: 200',
           'bounds and description'),
    Client('ros2param', 'ros2 param dump /mvsim', r'sensors:', 'all parameters'),
    Client('ros2service', 'ros2 service call /mvsim/pause std_srvs/srv/Trigger', r'success=True',
           'the answer'),
    Client('ros2service', 'ros2 service call /mvsim/resume std_srvs/srv/Trigger',
           r'success=True', 'the answer'),
    Client('ros2node', 'ros2 node info /mvsim', r'/mvsim/set_pose', 'topics and services'),
    Client('ros2interface', 'ros2 interface show sensor_msgs/msg/LaserScan', 'ranges', 'types'),
    Client('ros2lifecycle', 'ros2 lifecycle set /managed/mvsim configure', r'successful',
           'a managed node loads its world'),
    Client('ros2lifecycle', 'ros2 lifecycle set /managed/mvsim activate', r'successful',
           'and runs'),
    Client('tf2_ros', 'ros2 run tf2_ros tf2_echo odom scan', r'Translation: \[', 'transforms'),
    Client('tf2_ros_py', 'python3 -c "{TF2}"', r'x=', 'transforms, by its buffer and listener'),
    Client('ros2bag', 'ros2 bag record -s sqlite3 -o BAG /scan /tf /odom',
           r'All requested topics are subscribed', 'records them'),
    Client('ros2bag', 'ros2 bag info BAG', r'Messages: +[1-9]\d*', 'the bag has messages'),
    Client('robot_localization', 'ros2 run robot_localization ekf_node --ros-args --params-file '
           f'{CONFIG}/ekf.yaml -p publish_tf:=false & ros2 topic echo --once /odometry/filtered '
           'nav_msgs/msg/Odometry', 'child_frame_id: base_footprint', 'odometry/filtered'),
    Client('slam_toolbox', 'ros2 launch slam_toolbox online_async_launch.py slam_params_file:='
           f'{CONFIG}/slam_toolbox.yaml', 'Registering sensor', 'takes scans'),
    *(Client(packages[-1], nav2(*packages), r'(reached|missed) the goal, .*', '{}')
      for packages in (tuple(SERVERS)[:2], tuple(SERVERS))),
    *(Client('ros2launch', f'ros2 launch mvsim_ros2 {file.name} headless:=true '
             + ('world:=demo ' if file.name == 'mvsim.launch.py' else '') + 'namespace:=n',
             r'step [\d.]+ ms|not installed: (?!its)[\w, ]+|missing required argument .\w+',
             'says "{}"')
      for file in sorted((share_directory() / 'launch').glob('*.launch.py'))),
)
TF2 = ('import rclpy, tf2_ros; from rclpy.node import Node; from rclpy.time import Time; '
       "rclpy.init(); n = Node('c'); b = tf2_ros.Buffer(); l = tf2_ros.TransformListener(b, n)\n"
       "while not b.can_transform('odom', 'scan', Time()): rclpy.spin_once(n)\n"
       "print(b.lookup_transform('odom', 'scan', Time()).transform.translation, flush=True)")


def version(package: str) -> str:
    """Return the version of a ROS package, '' where it is not installed."""
    try:
        manifest = Path(get_package_share_directory(package)) / 'package.xml'
        return xml.parse(manifest).findtext('version') or '?'
    except (OSError, PackageNotFoundError):
        return ''


def text_of(file: IO[str]) -> str:
    """Return what others have written into a file."""
    file.seek(0)
    return file.read()


def does(client: Client, folder: Path) -> str:
    """Run a client until it writes what is expected; return what became of it."""
    words = client.words.replace('BAG', str(folder / 'bag')).replace('{TF2}', TF2)
    with (folder / 'output').open('w+') as output, subprocess.Popen(
            words, shell=True, stdout=output, stderr=subprocess.STDOUT, text=True,
            start_new_session=True) as process:
        start = time.monotonic()
        try:
            while True:
                ended = process.poll() is not None
                text = (folder / 'output').read_text()
                found = re.search(client.writes, text)
                if found:
                    return f'{client.shows.format(found[0])} ({time.monotonic() - start:.0f} s)'
                if ended or time.monotonic() - start > PATIENCE:
                    last = text.strip().splitlines()[-1:] or ['nothing']
                    return f'**failed**: {last[0][:80]}'
                time.sleep(0.2)
        finally:
            for how in (signal.SIGINT, signal.SIGKILL):
                if process.poll() is None:
                    os.killpg(process.pid, how)
                    try:
                        process.wait(15.0)
                    except subprocess.TimeoutExpired:
                        pass


def main() -> None:
    """Print the table."""
    node = [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '-p', 'world:=demo']
    managed = [*node, '-p', 'managed:=true', '-r', '__ns:=/managed',
               '-r', '/clock:=/managed/clock']
    print('| client | version | command | what it did |\n|---|---|---|---|')
    with tempfile.TemporaryFile('w+') as said, tempfile.TemporaryDirectory() as folder, \
            subprocess.Popen(node, stderr=said) as one, \
            subprocess.Popen(managed, stderr=said) as other:
        while text_of(said).count(' step ') < 2:  # a line of each, once it runs
            time.sleep(0.2)
        for client in CLIENTS:
            if sys.argv[1:] and client.package not in sys.argv[1:]:
                continue
            there = version(client.package)
            missing = '' if there and shutil.which('ros2') else 'not installed here'
            print(f'| {client.package} | {there} | `{client.words[:70]}` | '
                  f'{missing or does(client, Path(folder))} |', flush=True)
        one.send_signal(signal.SIGINT)
        other.send_signal(signal.SIGINT)


if __name__ == '__main__':
    main()
