# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where pictures go: into the documents, or below the folder in the variable PICTURES_INTO."""

import os
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
INTO = Path(os.environ.get('PICTURES_INTO', DOCS))
IMAGES, PICTURES = INTO / 'images', INTO / 'pictures'
for _folder in IMAGES, PICTURES:
    _folder.mkdir(parents=True, exist_ok=True)
