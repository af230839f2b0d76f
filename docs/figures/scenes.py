# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw scenes before and after they were furnished: `python docs/figures/scenes.py`.

It takes the pictures before from the history of this project, and those after from docs/pictures.
"""

import io
import subprocess

from PIL import Image
from places import DOCS, IMAGES, PICTURES

WORLDS = 'outdoor', 'forest', 'orchard', 'office'
BEFORE = '5ee36dda~1'  # commit, with palettes of 256 colours
SIZE = 430, 242  # px of a picture
GAP = 4  # px


def main() -> None:
    """Put the pictures into two columns: before, after."""
    figure = Image.new('RGB', (2 * SIZE[0] + GAP, len(WORLDS) * (SIZE[1] + GAP) - GAP), 'white')
    for row, world in enumerate(WORLDS):
        before = subprocess.run(['git', 'show', f'{BEFORE}:./pictures/{world}.png'], cwd=DOCS,
                                check=True, capture_output=True).stdout
        for column, source in enumerate((io.BytesIO(before), PICTURES / f'{world}.jpg')):
            with Image.open(source) as picture:
                figure.paste(picture.convert('RGB').resize(SIZE, Image.Resampling.LANCZOS),
                             (column * (SIZE[0] + GAP), row * (SIZE[1] + GAP)))
    figure.save(IMAGES / 'scenes.webp', quality=85, method=6)


if __name__ == '__main__':
    main()
