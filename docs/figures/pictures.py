# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draw the pictures of README and documents: `python docs/figures/pictures.py`."""

from pathlib import Path

from PIL import Image

from mvsim_ros2.cli import main

PICTURES = Path(__file__).resolve().parents[1] / 'pictures'
COMMANDS = {
    'outdoor': '--from -8 -12.5 3.6 --at 2.5 -7.2 0.9',
    'demo': '',
    'occupancy_map': '',
    'office': '--from -13 -19 21 --at -1.5 -0.5 0',
    'warehouse': '--from -23 -19 13 --at -4 -3 0',
    'orchard': '--from -26 -15 4.6 --at -15 -7.5 0.6',
    'forest': '--from -7 -9.5 7.5 --at 1.5 1.5 0',
    'corridor': '--from -4.5 -5.9 2.1 --at 0.5 -5.1 0.7',
}


def draw() -> None:
    """Draw every picture, in a file as small as it gets."""
    PICTURES.mkdir(exist_ok=True)
    for world, options in COMMANDS.items():
        path = PICTURES / f'{world}.png'
        main(['picture', world, '--sensors', '--size', '880x496', '-o', str(path),
              *options.split()])
        with Image.open(path) as picture:
            picture.quantize(160).save(path, optimize=True)


if __name__ == '__main__':
    draw()
