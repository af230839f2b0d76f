# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Decompression of the chunks of MCAP files."""

from rosbags.rosbag2 import ReaderError, storage_mcap

# What decompression raises for damaged bytes: rosbags where size or checksum differ, zstd its own
# class, lz4 RuntimeError, and MemoryError where it believes a size that is damaged.
_DAMAGED = (ReaderError, RuntimeError, MemoryError,
            storage_mcap.zstd.ZstdError)  # type: ignore[attr-defined]


def unpacked(data: bytes, compression: str, size: int, checksum: int) -> bytes:
    """
    Return the records in a chunk.

    :param size: of the records [byte].
    :param checksum: their CRC-32, 0 where there is none.
    :raises ValueError: where the bytes are damaged.
    """
    try:
        records: bytes = storage_mcap.decompress(data, compression, size, checksum)
    except _DAMAGED as error:
        raise ValueError(f'a chunk is damaged: {str(error) or type(error).__name__}') from error
    return records
