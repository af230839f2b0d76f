# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings, read back by readers that are not ours."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bag_reader import by_mcap, by_mcap_file, by_rosbags, check_whole, hashes, written
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from memory_growth import traced_leak
import numpy as np
import pytest
from rosbags.highlevel import AnyReader
from rosbags.interfaces import QosDurability, QosReliability
from rosbags.rosbag2 import Reader

from mvsim_ros2 import MvsimError, Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.bag import Split
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import hold_twist
from mvsim_ros2.recording.verify import verify
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.trajectories.controllers_by_name import make_controller

TYPES = {
    '/base_pose_ground_truth': 'nav_msgs/msg/Odometry', '/clock': 'rosgraph_msgs/msg/Clock',
    '/cmd_vel': 'geometry_msgs/msg/Twist', '/collision': 'std_msgs/msg/Bool',
    '/eye/camera_info': 'sensor_msgs/msg/CameraInfo', '/eye/image_raw': 'sensor_msgs/msg/Image',
    '/eye/instances': 'sensor_msgs/msg/Image', '/eye/labels': 'sensor_msgs/msg/Image',
    '/eye/label_info': 'vision_msgs/msg/LabelInfo',
    '/ground_truth_poses': 'geometry_msgs/msg/PoseArray', '/imu': 'sensor_msgs/msg/Imu',
    '/joint_states': 'sensor_msgs/msg/JointState', '/odom': 'nav_msgs/msg/Odometry',
    '/robot_description': 'std_msgs/msg/String', '/scan': 'sensor_msgs/msg/LaserScan',
    '/tf': 'tf2_msgs/msg/TFMessage', '/tf_static': 'tf2_msgs/msg/TFMessage',
    '/top_points': 'sensor_msgs/msg/PointCloud2'}
COUNTS = {  # in two seconds
    '/base_pose_ground_truth': 100, '/clock': 201, '/cmd_vel': 101, '/collision': 100,
    '/eye/camera_info': 4, '/eye/image_raw': 4, '/eye/instances': 4, '/eye/labels': 4,
    '/eye/label_info': 4,
    '/ground_truth_poses': 100, '/imu': 400,
    '/joint_states': 100, '/odom': 100, '/robot_description': 1, '/scan': 20, '/tf': 102,
    '/tf_static': 1, '/top_points': 20}


def test_what_is_read_back_is_what_was_written(run: Path) -> None:
    messages = by_rosbags(run)
    assert messages == by_mcap(run)
    expected = {name: topic['sha256'] for name, topic in written(run)['topics'].items()}
    assert hashes(messages) == expected


def test_both_readers_decode_the_same(run: Path) -> None:
    """
    Two independent readers read the same messages from a bag.

    :reference: `rosbags` and `mcap`
    """
    (path,) = run.glob('*.mcap')
    with path.open('rb') as file, AnyReader([run]) as reader:
        theirs = make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages()
        for (connection, _, data), (_, channel, _, other) in zip(
                reader.messages(), theirs, strict=True):
            message = reader.deserialize(data, connection.msgtype)
            assert connection.topic == channel.topic
            if hasattr(message, 'header'):
                assert message.header.stamp.nanosec == other.header.stamp.nanosec
                assert message.header.frame_id == other.header.frame_id
            if hasattr(message, 'ranges'):
                assert message.ranges.tolist() == list(other.ranges)
            if hasattr(message, 'data') and not isinstance(message.data, (bool, str)):
                assert message.data.tobytes() == bytes(other.data)


def test_topics_types_and_definitions(run: Path) -> None:
    with Reader(run) as reader:
        assert {each.topic: each.msgtype for each in reader.connections} == TYPES
        assert all(each.msgdef.data for each in reader.connections)
        qos = {each.topic: each.ext.offered_qos_profiles[0] for each in reader.connections}
    for name, each in qos.items():
        assert each.reliability is QosReliability.RELIABLE
        latched = name in ('/tf_static', '/robot_description')
        assert each.durability is (
            QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE)
    assert (qos['/tf'].depth, qos['/imu'].depth, qos['/clock'].depth) == (100, 10, 1)


def test_nothing_is_dropped(run: Path) -> None:
    assert Counter(message.topic for message in by_rosbags(run)) == COUNTS
    check_whole(run)


def test_log_time_is_simulated_time(run: Path) -> None:
    with AnyReader([run]) as reader:
        messages = [(each.topic, time_ns, reader.deserialize(data, each.msgtype))
                    for each, time_ns, data in reader.messages()]
    assert messages[0][0] == '/clock'
    assert {topic for topic, time_ns, _ in messages if time_ns == messages[0][1]} >= {
        '/clock', '/tf_static', '/robot_description', '/cmd_vel'}
    times = [time_ns for _, time_ns, _ in messages]
    assert times == sorted(times)
    assert times[0] == 5_000_000 and times[-1] == 2_000_000_000
    for topic, time_ns, message in messages:
        if topic == '/clock':
            assert message.clock.sec * 10 ** 9 + message.clock.nanosec == time_ns
        elif hasattr(message, 'header'):
            age = time_ns - message.header.stamp.sec * 10 ** 9 - message.header.stamp.nanosec
            swept = topic == '/top_points'
            assert (0 < age < 100_000_000) if swept else age == 0, topic
        elif topic == '/cmd_vel':
            assert (message.linear.x, message.angular.z) == (0.8, 0.9)


@pytest.mark.parametrize(('storage', 'compress'), [
    pytest.param('mcap', True, id='mcap, zstd'), pytest.param('sqlite3', False, id='sqlite3'),
    pytest.param('sqlite3', True, id='sqlite3, zstd')])
def test_every_format_holds_the_same(run: Path, make_run: Callable[..., Path], storage: str,
                                     compress: bool) -> None:
    other = make_run('other', storage=storage, compress=compress)
    assert by_rosbags(other) == by_rosbags(run)
    assert (storage == 'sqlite3') != bool(list(other.glob('*.mcap')))
    if storage == 'mcap':
        assert by_mcap(other) == by_rosbags(run)
        assert next(other.glob('*.mcap')).stat().st_size < (
            0.7 * next(run.glob('*.mcap')).stat().st_size)


def test_commands_can_be_replayed(run: Path, make_run: Callable[..., Path]) -> None:
    replayed = make_run('replayed', controller=make_controller(f'replay:{run}'))
    assert written(replayed)['topics'] == written(run)['topics']
    assert written(replayed)['commands']['sha256'] == written(run)['commands']['sha256']


def test_the_run_file_names_sensor_and_ground_truth_of_topics(run: Path) -> None:
    topics = written(run)['topics']
    whose = {name: (topic.get('sensor'), [file.removeprefix('ground_truth/')
                                          for file in topic.get('truth', ())])
             for name, topic in topics.items()}
    assert whose['/imu'] == ('robot/imu', ['imu_bias.csv'])
    assert whose['/top_points'] == ('robot/top', [
        'top_start.tum', 'top_start.kitti', 'top_end.tum', 'top_end.kitti'])
    assert whose['/eye/labels'] == whose['/eye/image_raw'] == ('robot/eye', [
        'eye_optical_frame.tum', 'eye_optical_frame.kitti', 'eye_optical_frame_boxes.csv'])
    assert whose['/odom'] == (None, [])


def test_another_seed_gives_other_noise(run: Path, make_run: Callable[..., Path]) -> None:
    one, other = (written(each)['topics'] for each in (run, make_run('seeded', seed=1)))
    assert one['/scan']['sha256'] != other['/scan']['sha256']
    assert one['/clock'] == other['/clock']


def test_topics_can_be_chosen(make_run: Callable[..., Path]) -> None:
    folder = make_run('chosen', topics=['/tf*', '/scan'])
    assert set(written(folder)['topics']) == {'/tf', '/tf_static', '/scan'}
    assert check_whole(folder) == 102 + 1 + 20
    assert {path.stem for path in (folder / 'ground_truth').glob('*.tum')} == {
        'base_link', 'scan_start', 'scan_end'}


def test_a_topic_that_is_not_there_is_refused(world: Path, tmp_path: Path) -> None:
    with pytest.raises(MvsimError, match="no topic is called '/scann', there are: .*/scan"):
        Recorder(Simulation.from_file(world), tmp_path / 'run', topics=['/scann'])
    assert not (tmp_path / 'run').exists()


def test_a_recording_is_not_overwritten(world: Path, run: Path) -> None:
    before = by_rosbags(run)
    with pytest.raises(RecordingError, match='exists already'):
        Recorder(Simulation.from_file(world), run)
    assert by_rosbags(run) == before


def test_a_crash_leaves_a_bag_that_can_be_read(world: Path, tmp_path: Path) -> None:
    def control(simulation: Simulation) -> None:
        if simulation.time_ns >= 1_000_000_000:
            raise MvsimError('lost')

    with pytest.raises(MvsimError, match='lost'):
        with Recorder(Simulation.from_file(world), tmp_path / 'run', control) as recorder:
            recorder.run(5.0)
    assert check_whole(tmp_path / 'run') > 500
    assert not written(tmp_path / 'run')['complete']
    assert by_rosbags(tmp_path / 'run') == by_mcap(tmp_path / 'run')


def test_steps_of_another_caller_are_recorded(world: Path, run: Path, tmp_path: Path) -> None:
    simulation = Simulation.from_file(world)
    with Recorder(simulation, tmp_path / 'run', hold_twist(0.8, 0.9)) as recorder:
        while simulation.time < 2.0:
            recorder.record(simulation.step())
        recorder.complete = True
    assert by_rosbags(tmp_path / 'run') == by_rosbags(run)
    assert written(tmp_path / 'run')['complete']


def test_settings_of_the_node_hold(make_run: Callable[..., Path]) -> None:
    folder = make_run('named', settings=Settings(
        odom_rate=10.0, force_vehicle_namespace=True, publish_map_odom=True,
        sensor_qos='best_effort'))
    topics = written(folder)['topics']
    assert topics['/robot/odom']['messages'] == 20 == topics['/robot/tf']['messages'] - 2
    with Reader(folder) as reader:
        (scan,) = [each for each in reader.connections if each.topic == '/robot/scan']
        assert scan.ext.offered_qos_profiles[0].reliability is QosReliability.BEST_EFFORT
    assert (folder / 'ground_truth/robot/base_link.tum').is_file()


def test_time_may_pass_before_a_recording(world: Path, tmp_path: Path) -> None:
    folder = tmp_path / 'run'
    assert main(['record', str(world), '-o', str(folder), '--start', '1', '--duration', '0.5',
                 '--twist', '0.5', '0', '--topics', '/scan', '/clock', '/top_points']) == 0
    run = written(folder)
    assert (run['start_ns'], run['end_ns']) == (1_000_000_000, 1_500_000_000)
    messages = by_rosbags(folder)
    assert Counter(each.topic for each in messages) == {
        '/clock': 51, '/scan': 5, '/top_points': 5}
    assert (messages[0].time_ns, messages[-1].time_ns) == (1_000_000_000, 1_500_000_000)
    first = (folder / 'ground_truth/base_link.tum').read_text().split()
    assert float(first[0]) == pytest.approx(1.0) and abs(float(first[1])) < 1e-3  # it stood


def test_a_trajectory_ends_the_recording(world: Path, tmp_path: Path) -> None:
    route = tmp_path / 'route.csv'
    route.write_text('0 0\n0.5 0\n')
    folder = tmp_path / 'run'
    assert main(['record', str(world), '-o', str(folder), '--trajectory', str(route),
                 '--topics', '/odom']) == 0
    run = written(folder)
    assert run['complete'] and run['end_ns'] < 20e9
    assert run['commands']['controller'] == f'follow:{route}'
    last = (folder / 'ground_truth/base_link.tum').read_text().splitlines()[-1].split()
    assert abs(float(last[1]) - 0.5) < 0.1 and abs(float(last[2])) < 0.2


def transforms(folder: Path) -> dict[tuple[str, str], list[int]]:
    """Return the stamps of each transform [ns]."""
    stamps: dict[tuple[str, str], list[int]] = {}
    with AnyReader([folder]) as reader:
        for each, _, data in reader.messages():
            if each.topic == '/tf':
                for one in reader.deserialize(data, each.msgtype).transforms:
                    stamp = one.header.stamp.sec * 10 ** 9 + one.header.stamp.nanosec
                    stamps.setdefault((one.header.frame_id, one.child_frame_id), []).append(stamp)
    return stamps


@pytest.mark.parametrize('duration', [0.0, 0.333])
def test_every_stamp_can_be_transformed(world: Path, run: Path, tmp_path: Path,
                                        duration: float) -> None:
    """Also those of scans that began before the recording, and those between two transforms."""
    folder = run
    if duration:
        folder, simulation = tmp_path / 'run', Simulation.from_file(world)
        simulation.run(1.0)
        with Recorder(simulation, folder) as recorder:
            recorder.run(1.0 + duration)
    moving = transforms(folder)
    assert {('map', 'odom'), ('odom', 'base_footprint')} <= set(moving)
    with AnyReader([folder]) as reader:
        for each, _, data in reader.messages():
            message = reader.deserialize(data, each.msgtype)
            if hasattr(message, 'header') and each.topic != '/tf':
                stamp = message.header.stamp.sec * 10 ** 9 + message.header.stamp.nanosec
                for stamps in moving.values():
                    assert stamps[0] <= stamp <= stamps[-1], (each.topic, stamp)
    assert all(stamps == sorted(set(stamps)) for stamps in moving.values())


def test_map_to_odom_is_exact_and_can_be_left_out(world: Path, run: Path, tmp_path: Path) -> None:
    def matrix(transform: object) -> np.ndarray:
        t, q = transform.translation, transform.rotation
        yaw = 2 * np.arctan2(q.z, q.w)
        return np.array([[np.cos(yaw), -np.sin(yaw), t.x], [np.sin(yaw), np.cos(yaw), t.y],
                         [0, 0, 1]])

    truth = {round(row[0] * 1e9): row for row in np.loadtxt(
        run / 'ground_truth/base_link.tum')}
    compared = 0
    with AnyReader([run]) as reader:
        for each, time_ns, data in reader.messages():
            if each.topic == '/tf' and time_ns > 5_000_000:
                found = {one.child_frame_id: matrix(one.transform)
                         for one in reader.deserialize(data, each.msgtype).transforms}
                pose = found['odom'] @ found['base_footprint']
                assert pose[:2, 2] == pytest.approx(truth[time_ns][1:3], abs=1e-8)
                compared += 1
    assert compared == 100
    folder = tmp_path / 'without'
    assert main(['record', str(world), '-o', str(folder), '--duration', '0.1', '--no-map-odom',
                 '--topics', '/tf']) == 0
    assert ('map', 'odom') not in transforms(folder)
    assert ('odom', 'base_footprint') in transforms(folder)


def test_a_bag_in_several_files(world: Path, run: Path, make_run: Callable[..., Path],
                                tmp_path: Path) -> None:
    """By time and by size; each file can be read by itself, and together they are the same."""
    for name, split in (('time', Split(duration_ns=500_000_000)), ('size', Split(size=8e4))):
        folder = make_run(name, split=split)
        files = sorted(folder.glob('*.mcap'), key=lambda path: int(path.stem.split('_')[1]))
        assert len(files) > 3 and files[0].name == f'{name}_0.mcap'
        assert by_rosbags(folder) == by_rosbags(run) and verify(folder) == []
        assert sum((by_mcap_file(path) for path in files), []) == by_rosbags(run)
        if name == 'time':
            begins = [by_mcap_file(path)[0].time_ns for path in files]
            assert np.diff(begins).tolist() == [500_000_000] * 3
        else:
            assert all(path.stat().st_size < 1.3e5 for path in files)
    folder = tmp_path / 'run'
    assert main(['record', str(world), '-o', str(folder), '--duration', '0.3', '--topics', '/imu',
                 '--split-duration', '0.1']) == 0
    assert {path.name for path in folder.glob('*.mcap')} == {
        'run_0.mcap', 'run_1.mcap', 'run_2.mcap'}


def test_memory_stays_flat(world: Path, tmp_path: Path) -> None:
    """Of a run with a new command each time: 20 kB in 20 s would be 1 MB in 1000 s."""
    def control(simulation: Simulation) -> None:
        simulation.vehicles['robot'].set_twist(0.2 + 1e-3 * simulation.time, 0.1)

    with Recorder(Simulation.from_file(world), tmp_path / 'run', control,
                  ['/clock', '/odom', '/tf']) as recorder:
        times = iter(range(20, 320, 20))
        assert traced_leak(lambda: recorder.run(float(next(times)))) < 20_000
