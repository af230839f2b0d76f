# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Files that change while they are read.

:claim: If files change while a world loads, the world loads or the error names the file
:reference: 150 loads while files are cut, damaged, removed and restored
"""

from pathlib import Path
import random
from threading import Event, Thread

import numpy as np
from PIL import Image
import trimesh

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import MvsimError

LOADS = 150
MESHES = 'stl', 'obj', 'dae'
WORLD = """<mvsim_world version="1.0">
  <element class="occupancy_grid"><file>map.yaml</file></element>
  <element class="elevation_map"><elevation_image>map.png</elevation_image>
    <elevation_image_min_z>0</elevation_image_min_z>
    <elevation_image_max_z>1</elevation_image_max_z><resolution>1</resolution></element>
  <include file="more.xml"/>{blocks}</mvsim_world>"""
BLOCK = """<block name="{0}"><init_pose>5 5 0</init_pose>
  <visual><model_uri>ball.{0}</model_uri></visual><shape_from_visual/></block>"""


def write_world(folder: Path) -> Path:
    """Write a world that reads files of many kinds."""
    cells = (np.random.default_rng(0).random((50, 50)) < 0.1).astype(np.uint8) * 255
    Image.fromarray(cells).save(folder / 'map.png')
    (folder / 'map.yaml').write_text(
        'image: map.png\nresolution: 0.1\norigin: [0, 0, 0]\nnegate: 1\n'
        'occupied_thresh: 0.6\nfree_thresh: 0.2\n')
    for kind in MESHES:
        trimesh.creation.icosphere(subdivisions=1).export(folder / f'ball.{kind}')
    (folder / 'more.xml').write_text('<block><init_pose>1 1 0</init_pose></block>')
    world = folder / 'a.world.xml'
    world.write_text(WORLD.format(blocks=''.join(map(BLOCK.format, MESHES))))
    return world


def change(files: dict[Path, bytes], over: Event) -> None:
    """Cut, damage and remove files, and make each whole again at once, until it is over."""
    numbers = random.Random(1)
    while not over.is_set():
        file, whole = numbers.choice(list(files.items()))
        kind = numbers.randrange(3)
        if kind == 0:
            file.write_bytes(whole[:numbers.randrange(len(whole))])
        elif kind == 1:
            damaged = bytearray(whole)
            damaged[numbers.randrange(len(whole))] = numbers.randrange(256)
            file.write_bytes(damaged)
        else:
            file.unlink()
        file.write_bytes(whole)


def test_files_that_change_are_read_or_refused(tmp_path: Path) -> None:
    world, over = write_world(tmp_path), Event()
    Simulation.from_file(world)
    changing = Thread(target=change, args=(
        {file: file.read_bytes() for file in sorted(tmp_path.iterdir())}, over))
    changing.start()
    refused = 0
    try:
        for _ in range(LOADS):
            try:
                Simulation.from_file(world)
            except MvsimError:
                refused += 1
    finally:
        over.set()
        changing.join()
    assert refused > 0
    Simulation.from_file(world)
