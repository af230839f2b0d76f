# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Specs as plain data without any path of the machine, and a hash of them."""

from collections.abc import Mapping
from dataclasses import fields
from dataclasses import is_dataclass
from enum import Enum
import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.world import WorldSpec

_PLACES = {'path', 'warnings'}  # of a world: they say where it was read


def effective_world(world: WorldSpec) -> dict[str, Any]:
    """Return what a world file came to, as data that JSON can hold."""
    return {item.name: plain(getattr(world, item.name)) for item in fields(world)
            if item.name not in _PLACES and not isinstance(getattr(world, item.name), Source)}


def plain(value: Any) -> Any:
    """
    Return a part of a spec as data that JSON can hold.

    Arrays and files that the world refers to are there as hashes; lines of files are left out.
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
    """Return the SHA-256 of what `plain` or `effective_world` returned."""
    return _hash(json.dumps(data, sort_keys=True).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
