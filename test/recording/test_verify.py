# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Damage of a recording is found wherever it is, and named by topic and time."""

from collections.abc import Callable
import json
from pathlib import Path
import random
import shutil
import subprocess
from zlib import crc32

from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
import pytest

from mvsim_ros2.cli import main
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.verify import verify

CASES, DAMAGE = 100, 4096  # bytes


@pytest.fixture(scope='module', params=[False, True], ids=['plain', 'compressed'])
def recording(request: pytest.FixtureRequest, make_run: Callable[..., Path]) -> Path:
    return make_run(f'verified_{request.param}', compress=request.param)


@pytest.fixture
def copy(recording: Path, tmp_path: Path) -> Path:
    shutil.copytree(recording, tmp_path / recording.name)
    return tmp_path / recording.name


def bag_of(folder: Path) -> Path:
    (path,) = folder.glob('*.mcap')
    return path


def test_a_recording_is_whole(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(recording) == []
    assert main(['verify', str(recording)]) == 0
    assert capsys.readouterr().out == f'{recording}: whole\n'


def test_the_checksums_are_those_of_the_format(recording: Path) -> None:
    content = bag_of(recording).read_bytes()
    with bag_of(recording).open('rb') as file:
        records = list(StreamReader(file, emit_chunks=True, validate_crcs=True).records)
    kinds = [type(record).__name__ for record in records]
    assert all(getattr(record, 'uncompressed_crc', True) for record in records)
    data_end = records[kinds.index('DataEnd')]
    footer = records[-1]
    assert data_end.data_section_crc == crc32(content[:footer.summary_start - 13])
    assert footer.summary_crc == crc32(content[footer.summary_start:-12])
    with bag_of(recording).open('rb') as file:
        assert make_reader(file, validate_crcs=True).get_summary().statistics.message_count > 100


def test_damage_is_found_in_every_case(copy: Path) -> None:
    """
    `verify` finds four kilobytes that are overwritten anywhere in a bag.

    :reference: 100 random places
    """
    path = bag_of(copy)
    whole = path.read_bytes()
    choice = random.Random(0)
    named = 0
    for _ in range(CASES):
        at = choice.randrange(len(whole) - DAMAGE)
        path.write_bytes(whole[:at] + choice.randbytes(DAMAGE) + whole[at + DAMAGE:])
        (first, *_) = verify(copy)
        assert first.startswith(f'{path}: ')
        named += ' from ' in first and ' s to ' in first and '/' in first.partition(': ')[2]
    assert named > CASES // 2


@pytest.mark.parametrize('size', [0, 7, 100, -1, -20, 0.5, 0.99])
def test_a_file_that_is_cut_off(copy: Path, size: float) -> None:
    path = bag_of(copy)
    content = path.read_bytes()
    path.write_bytes(content[:int(size * len(content)) if isinstance(size, float) else size])
    assert verify(copy)[0].startswith(f'{path}: ')


def test_one_flipped_bit(copy: Path) -> None:
    path = bag_of(copy)
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    assert verify(copy)


def test_every_file_is_checked(copy: Path) -> None:
    """Each altered by a byte, cut, deleted; and one that was added."""
    files = [path for path in sorted(copy.rglob('*')) if path.is_file()]
    assert {'run.json', 'metadata.yaml', 'commands.csv', 'boxes.csv'} < {
        path.name for path in files} and len(files) > 20
    for path in files:
        whole = path.read_bytes()
        for damage in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[:-1], whole + whole[-1:], None):
            path.unlink()
            if damage is not None:
                path.write_bytes(damage)
            try:
                assert verify(copy)
            except RecordingError as error:  # of what is no run any more
                assert path.name == 'run.json' and str(path.parent) in str(error)
            path.write_bytes(whole)
    added = copy / 'ground_truth' / 'other.tum'
    added.write_text('')
    assert verify(copy) == [f'{added}: it was added']
    added.unlink()
    assert verify(copy) == []


@pytest.mark.parametrize(('name', 'before', 'after'), [
    ('run.json', '"seed": 0', '"seed": 1'), ('run.json', '"manifest": ', '"manifests": '),
    ('metadata.yaml', 'message_count: 20', 'message_count: 21'),
    ('commands.csv', '0.8', '0.9'), ('ground_truth/base_link.tum', '0.', '1.')])
def test_what_was_altered_is_named(copy: Path, capsys: pytest.CaptureFixture[str], name: str,
                                   before: str, after: str) -> None:
    text = (copy / name).read_text()
    assert before in text
    (copy / name).write_text(text.replace(before, after, 1))
    assert main(['verify', str(copy)]) == 1
    assert capsys.readouterr().out == f'{copy / name}: its content has changed\n'


def test_the_manifest_is_one_of_sha256sum(recording: Path) -> None:
    """
    An independent program checks all files of a recording.

    :reference: `sha256sum` of the coreutils
    """
    done = subprocess.run(['sha256sum', '-c', '--strict', 'manifest.sha256'], cwd=recording,
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count(': OK\n') == len(
        [path for path in recording.rglob('*') if path.is_file()]) - 1


def test_recordings_without_a_manifest_are_checked_by_their_own_hashes(copy: Path) -> None:
    """As those of older versions, and those whose process was killed."""
    (copy / 'manifest.sha256').unlink()
    run = json.loads((copy / 'run.json').read_text())
    del run['manifest']
    (copy / 'run.json').write_text(json.dumps(run))
    assert verify(copy) == []
    run['topics']['/scan']['sha256'] = 64 * '0'
    (copy / 'run.json').write_text(json.dumps(run))
    assert verify(copy) == [f'{copy}: messages of /scan differ from those that were recorded']
    with (copy / 'commands.csv').open('a') as file:
        file.write('9,9,9\n')
    assert 'commands.csv: the commands differ' in verify(copy)[0]


def test_sqlite_is_checked_by_its_hashes(make_run: Callable[..., Path], tmp_path: Path) -> None:
    folder = make_run('verified_sqlite', storage='sqlite3')
    assert verify(folder) == []
    (path,) = folder.glob('*.db3')
    path.write_bytes(path.read_bytes()[:5000])
    assert verify(folder)


@pytest.mark.parametrize('text', ['', '{', '[]', '{"topics": 3}', '{"topics": {"/a": 1}}'])
def test_what_is_no_recording(tmp_path: Path, text: str) -> None:
    with pytest.raises(RecordingError, match='this is no recording'):
        verify(tmp_path)
    (tmp_path / 'run.json').write_text(text)
    with pytest.raises(RecordingError, match='damaged'):
        verify(tmp_path)


def test_a_damaged_bag_is_not_converted(copy: Path, tmp_path: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    path = bag_of(copy)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + bytes(DAMAGE) + whole[middle + DAMAGE:])
    assert main(['convert', str(copy), '--to', 'kitti', '-o', str(tmp_path / 'kitti')]) == 1
    assert f'{copy}: the bag is damaged: ' in capsys.readouterr().err
    assert not (tmp_path / 'kitti').exists()
