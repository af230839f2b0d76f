# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Specs as plain data without paths of the machine, and hashes of them."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from mvsim_ros2.world.spec import Resource, Source, WorldSpec

# fields of a world with paths, and the seed: numbers that were drawn with it are in the others
_PLACES = {'path', 'warnings', 'seed'}


def effective_world(world: WorldSpec) -> dict[str, Any]:
    """Return a loaded world as data for JSON."""
    return {item.name: plain(getattr(world, item.name)) for item in fields(world)
            if item.name not in _PLACES and not isinstance(getattr(world, item.name), Source)}


def plain(value: Any) -> Any:
    """
    Return a part of a spec as data for JSON.

    Arrays and referenced files are replaced by hashes; source lines are left out.
    """
    if isinstance(value, Resource):
        content = None if value.path is None else _hash(Path(value.path).read_bytes())
        return {'uri': value.uri, 'sha256': content}
    if isinstance(value, np.ndarray):
        return {'dtype': value.dtype.str, 'shape': list(value.shape),
                'sha256': _hash(np.ascontiguousarray(value).tobytes())}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such numbers
    if is_dataclass(value):
        parts = {item.name: plain(getattr(value, item.name)) for item in fields(value)
                 if not isinstance(getattr(value, item.name), Source)}
        return {'class': getattr(value, 'XML_CLASS', type(value).__name__), **parts}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    return value


def fingerprint(data: Any) -> str:
    """Return the SHA-256 of a result of `plain` or `effective_world`."""
    return _hash(json.dumps(data, sort_keys=True).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
