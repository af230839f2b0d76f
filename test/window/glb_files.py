# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What binary glTF files hold."""

import json
import struct
from typing import Any

import numpy as np


def contents(file: bytes) -> tuple[dict[str, Any], bytes]:
    """Return description and data of a binary glTF file."""
    magic, version, length = struct.unpack_from('<4sII', file)
    assert (magic, version, length) == (b'glTF', 2, len(file))
    size, kind = struct.unpack_from('<I4s', file, 12)
    assert kind == b'JSON' and size % 4 == 0
    return json.loads(file[20:20 + size]), file[28 + size:]


def values(document: dict[str, Any], data: bytes, number: int, dtype: str,
           width: int) -> np.ndarray:
    """Return the values of an accessor, `width` in a row."""
    accessor = document['accessors'][number]
    view = document['bufferViews'][accessor['bufferView']]
    count = accessor['count'] * {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3}[accessor['type']]
    return np.frombuffer(data, dtype, count, view['byteOffset']).reshape(-1, width)
