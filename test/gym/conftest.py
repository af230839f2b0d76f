# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""These tests need Gymnasium and PettingZoo."""

import pytest

pytest.importorskip('gymnasium', reason='Gymnasium is not installed')
pytest.importorskip('pettingzoo', reason='PettingZoo is not installed')
