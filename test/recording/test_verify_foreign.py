# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bags that other programs wrote are checked as far as they can be, and what cannot is said."""

from collections.abc import Callable
from pathlib import Path
from random import Random
import sqlite3
from typing import Any
from zlib import crc32

from mcap.writer import CompressionType, Writer as McapWriter
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.rosbag2.storage_mcap import zstd
from rosbags.typesys import get_typestore, Stores
import yaml

from mvsim_ros2.cli import main
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.foreign import verify_bag
from mvsim_ros2.recording.bags.mcap_records import unpacked

RECORDS = bytes(range(256)) * 20
TOPICS = {'/scan': 30, '/odom': 12}
KINDS = {
    'zstd': {'compression': CompressionType.ZSTD}, 'lz4': {'compression': CompressionType.LZ4},
    'plain': {'compression': CompressionType.NONE, 'enable_data_crcs': True},
    'unchunked': {'use_chunking': False, 'enable_data_crcs': True},
    'without checksums': {'enable_crcs': False}}


def write_mcap(folder: Path, **options: Any) -> Path:
    """Write a bag with the library of MCAP, and its metadata."""
    folder.mkdir()
    with (folder / 'b_0.mcap').open('wb') as file:
        writer = McapWriter(file, chunk_size=2000, **options)
        writer.start('ros2', 'other')
        schema = writer.register_schema('std_msgs/msg/String', 'ros2msg', b'string data')
        for name, count in TOPICS.items():
            channel = writer.register_channel(name, 'cdr', schema)
            for number in range(count):
                writer.add_message(channel, 10 ** 9 + number, bytes(range(200)), 5, number)
        writer.finish()
    (folder / 'metadata.yaml').write_text(yaml.safe_dump({'rosbag2_bagfile_information': {
        'version': 9, 'storage_identifier': 'mcap', 'relative_file_paths': ['b_0.mcap'],
        'message_count': sum(TOPICS.values()), 'topics_with_message_count': [
            {'topic_metadata': {'name': name}, 'message_count': count}
            for name, count in TOPICS.items()]}}))
    return folder


def write_rosbags(folder: Path, plugin: StoragePlugin) -> Path:
    store = get_typestore(Stores.ROS2_JAZZY)
    text = store.types['std_msgs/msg/String']
    with Writer(folder, version=9, storage_plugin=plugin) as writer:
        for name, count in TOPICS.items():
            topic = writer.add_connection(name, 'std_msgs/msg/String', typestore=store)
            for number in range(count):
                writer.write(topic, 10 ** 9 + number, bytes(store.serialize_cdr(
                    text(data='x' * 300), 'std_msgs/msg/String')))
    return folder


@pytest.mark.parametrize('kind', KINDS)
def test_whole_files_of_mcap_are_whole(tmp_path: Path, kind: str) -> None:
    verdict = verify_bag(write_mcap(tmp_path / 'b', **KINDS[kind]))
    assert verdict.damages == [] and dict(verdict.counts) == TOPICS
    said = ' '.join(verdict.unjudged)
    assert ('no checksum' in said) == (kind == 'without checksums'), said
    assert 'has no hashes of them' in said


@pytest.mark.parametrize('plugin', StoragePlugin)
def test_whole_bags_of_rosbags_are_whole(tmp_path: Path, plugin: StoragePlugin,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_rosbags(tmp_path / 'b', plugin)
    assert main(['verify', str(folder)]) == 0
    said = capsys.readouterr()
    assert 'whole' in said.out and 'not judged:' in said.err
    assert ('SQLite has no checksums' in said.err) == (plugin is StoragePlugin.SQLITE3)


def flip(share: float) -> Callable[[Path], None]:
    """Return what changes one byte of the file with the messages."""
    def damage(folder: Path) -> None:
        (path,) = (each for each in folder.iterdir() if each.suffix in ('.mcap', '.db3'))
        data = bytearray(path.read_bytes())
        data[int(share * len(data))] ^= 0x40
        path.write_bytes(data)
    return damage


def cut(folder: Path) -> None:
    path = folder / 'b_0.mcap'
    path.write_bytes(path.read_bytes()[:-100])


def recount(folder: Path) -> None:
    path = folder / 'metadata.yaml'
    path.write_text(path.read_text().replace('message_count: 30', 'message_count: 31'))


def forget(folder: Path) -> None:
    (folder / 'metadata.yaml').unlink()


def compress(folder: Path) -> None:
    (folder / 'b_0.mcap').rename(folder / 'b_0.mcap.zstd')
    path = folder / 'metadata.yaml'
    path.write_text(path.read_text().replace('b_0.mcap', 'b_0.mcap.zstd'))


def lose(folder: Path) -> None:
    (folder / 'b_0.mcap').rename(folder / 'c_0.mcap')


@pytest.mark.parametrize(('kind', 'damage', 'said'), [
    pytest.param('zstd', flip(0.04), 'the chunk at byte', id='compressed chunk'),
    pytest.param('plain', flip(0.3), 'the chunk at byte', id='chunk'),
    pytest.param('unchunked', flip(0.3), 'the checksum of its data is wrong', id='data'),
    pytest.param('plain', flip(0.97), 'the checksum of its summary', id='summary'),
    pytest.param('plain', cut, 'it ends or is damaged at byte', id='cut off'),
    pytest.param('plain', recount, '/scan has 30 messages, metadata.yaml says 31', id='count'),
    pytest.param('plain', forget, 'metadata.yaml: it is missing', id='metadata'),
    pytest.param('plain', compress, 'zstd: cannot read files of this kind', id='compressed file'),
    pytest.param('plain', lose, 'b_0.mcap: it is missing', id='file')])
def test_damage_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str,
                         damage: Callable[[Path], None], said: str) -> None:
    """
    One byte of a chunk, of the data or of the summary differs, or a count, or a file is missing.

    :claim: `verify` finds damage in bags of other programs that have checksums, indices or counts
    :reference: bags written by the MCAP library
    """
    folder = write_mcap(tmp_path / 'b', **KINDS[kind])
    damage(folder)
    assert main(['verify', str(folder)]) == 1
    assert said in capsys.readouterr().out


def test_damage_of_sqlite_is_found(tmp_path: Path) -> None:
    folder = write_rosbags(tmp_path / 'b', StoragePlugin.SQLITE3)
    (path,) = folder.glob('*.db3')
    with sqlite3.connect(path) as database:
        database.execute('DELETE FROM topics WHERE name = "/odom"')
    database.close()
    assert [each.partition(': ')[2] for each in verify_bag(folder).damages] == [
        '12 messages are of no topic', '/odom has 0 messages, metadata.yaml says 12']
    flip(0.4)(folder)
    data = bytearray(path.read_bytes())
    data[4096:4196] = bytes(100)  # the head of the second page
    path.write_bytes(data)
    assert any('db3: ' in each for each in verify_bag(folder).damages)


def test_what_is_no_bag_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match='this is no bag'):
        verify_bag(tmp_path)


@pytest.mark.parametrize('compression', ['', 'lz4', 'zstd'])
def test_any_damage_is_one_kind_of_error(compression: str) -> None:
    lz4 = pytest.importorskip('lz4.frame')
    packed = {'': bytes, 'lz4': lz4.compress, 'zstd': zstd.compress}[compression](RECORDS)
    checksum = crc32(RECORDS)
    assert unpacked(packed, compression, len(RECORDS), checksum) == RECORDS
    for number in range(500):
        choice, damaged = Random(number), bytearray(packed)
        damaged[choice.randrange(min(len(packed), 40 if number % 2 else 10000))] ^= (
            1 << choice.randrange(8))
        if number % 5 == 0:
            del damaged[choice.randrange(len(damaged)):]
        try:
            assert unpacked(bytes(damaged), compression, len(RECORDS), checksum) == RECORDS
        except ValueError as error:
            assert 'a chunk is damaged: ' in str(error)


def test_an_unknown_compression_is_damage() -> None:
    with pytest.raises(ValueError, match='compression'):
        unpacked(RECORDS, 'zst', len(RECORDS), 0)
