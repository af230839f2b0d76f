# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What numba calls eight numbers, eight conditions and eight records side by side: see `lanes`.

It is imported with numba only. Machine code on disk knows the classes by their names.
"""

import hashlib
from pathlib import Path
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models, register_default

LANES = 8
# of the code that is made for them: part of their names, by which machine code is found on disk
VERSION = hashlib.sha256(b''.join(
    Path(__file__).with_name(name).read_bytes()
    for name in ('lanes.py', 'lane_memory.py', 'lane_kinds.py'))).hexdigest()[:16]


class EightNumbers(types.Type):  # type: ignore[misc]
    """Eight float64."""

    def __init__(self) -> None:
        super().__init__(f'EightNumbers.{VERSION}')


class EightConditions(types.Type):  # type: ignore[misc]
    """Eight bool."""

    def __init__(self) -> None:
        super().__init__(f'EightConditions.{VERSION}')


class EightRecords(types.Type):  # type: ignore[misc]
    """Eight records of a kind, or eight rows; the value is the address of the first number."""

    def __init__(self, record: Any) -> None:
        """Take the kind of the records, None for rows of float64."""
        self.record = record
        # a short name, since those of all kernels that take some contain it
        number = hashlib.sha256(str(record).encode()).hexdigest()[:16]
        super().__init__(f'EightRecords.{number}.{VERSION}')


def _register(kind: Any, content: Any) -> None:
    register_default(kind)(lambda dmm, fe_type: models.PrimitiveModel(dmm, fe_type, content))


_register(EightNumbers, ir.VectorType(ir.DoubleType(), LANES))
_register(EightConditions, ir.VectorType(ir.IntType(1), LANES))
_register(EightRecords, ir.IntType(64))
NUMBERS, CONDITIONS = EightNumbers(), EightConditions()
