# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Chunks of MCAP files whose bytes are damaged."""

from random import Random
from zlib import crc32

import pytest
from rosbags.rosbag2.storage_mcap import zstd

from mvsim_ros2.recording.bags.mcap_records import unpacked

lz4 = pytest.importorskip('lz4.frame')
RECORDS = bytes(range(256)) * 20
PACKED = {'': RECORDS, 'lz4': lz4.compress(RECORDS), 'zstd': zstd.compress(RECORDS)}


@pytest.mark.parametrize('compression', PACKED)
def test_any_damage_is_one_kind_of_error(compression: str) -> None:
    packed, checksum = PACKED[compression], crc32(RECORDS)
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
