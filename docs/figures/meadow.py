# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Make the ground and the plants of worlds/outdoor.world.xml.

Needs Pillow: `python docs/figures/meadow.py`.
"""

from pathlib import Path

from meshes import Model, save_materials
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Array = NDArray[np.float64]

WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
SIZE, CELL = 60.0, 0.5  # m
HEIGHT = 3.0  # m, of the highest hill
HILLS = ((-14, 12, 3.0, 9), (16, 15, 2.4, 8), (18, -14, 2.8, 10), (-17, -15, 1.8, 8),
         (2, 19, 1.0, 6), (-2, -20, 1.2, 7))  # x, y, height, width [m]
LOOP = 15.0, 10.0  # m, half axes of the path


def ground(x: Array, y: Array) -> Array:
    """Return the height [m]: hills, waves of a hand's breadth, level at the border."""
    height = sum((h * np.exp(-((x - a) ** 2 + (y - b) ** 2) / w ** 2) for a, b, h, w in HILLS),
                 0.06 * np.sin(0.9 * x + 0.4 * y) * np.sin(0.7 * y - 0.2 * x) + 0.15)
    inside = np.clip((SIZE / 2 - np.maximum(abs(x), abs(y))) / 5.0, 0.0, 1.0)
    return np.asarray(height * inside * inside * (3.0 - 2.0 * inside))


def draw_ground() -> None:
    """Write heights and colours."""
    places = np.arange(-SIZE / 2, SIZE / 2 + CELL / 2, CELL)
    x, y = np.meshgrid(places, places, indexing='ij')  # rows along x
    heights = ground(x, y)
    levels = np.rint(heights / heights.max() * 255).astype(np.uint8)
    Image.fromarray(levels).save(WORLDS / 'maps' / 'meadow.png', optimize=True)
    print(f'heights from {heights.min():.2f} to {heights.max():.3f} m')
    random = np.random.default_rng(1)
    count = 512
    places = (np.arange(count) + 0.5) / count * SIZE - SIZE / 2
    x, y = np.meshgrid(places, -places)  # seen from above, x to the right
    patches = sum(
        (np.kron(random.standard_normal((count // n, count // n)), np.ones((n, n))) * share
         for n, share in ((1, 0.35), (4, 0.35), (16, 0.3))), np.zeros((count, count)))
    off = abs(np.hypot(x / LOOP[0], y / LOOP[1]) - 1.0) * min(LOOP)
    trodden = np.clip(1.3 - off / 1.1 + 0.12 * patches, 0.0, 1.0)[..., None]
    grass = np.array([88, 122, 58]) + patches[..., None] * [14, 12, 8]
    earth = np.array([150, 125, 92]) + patches[..., None] * [10, 10, 8]
    colours = np.clip(grass + trodden * (earth - grass), 0, 255).astype(np.uint8)
    Image.fromarray(colours).quantize(48, dither=Image.Dither.NONE).save(
        WORLDS / 'maps' / 'meadow_ground.png', optimize=True)


def grow_plants() -> None:
    """Write the models."""
    save_materials('plants.mtl', {
        'bark': '0.36 0.27 0.20', 'needles': '0.16 0.33 0.19', 'leaves': '0.36 0.50 0.20',
        'stone': '0.55 0.55 0.53'})
    fir = Model('plants.mtl')
    fir.revolve('bark', ((0.16, -0.3), (0.12, 1.3)), 8)
    for foot, top, radius in ((0.9, 2.6, 1.25), (1.9, 3.5, 1.0), (2.9, 4.6, 0.7)):
        fir.revolve('needles', ((0.0, foot + 0.1), (radius, foot), (0.0, top)), 12, 0.12)
    fir.save('fir_tree.obj')
    oak = Model('plants.mtl')
    oak.revolve('bark', ((0.24, -0.3), (0.17, 1.0), (0.2, 2.1)), 8)
    oak.revolve('leaves', ((0.0, 1.6), (1.1, 1.9), (1.6, 2.8), (1.5, 3.7), (0.9, 4.5),
                           (0.0, 4.8)), 12, 0.18)
    oak.save('oak_tree.obj')
    rock = Model('plants.mtl')
    rock.revolve('stone', ((0.0, -0.3), (0.55, -0.2), (0.5, 0.15), (0.3, 0.45), (0.0, 0.5)), 9,
                 0.2)
    rock.save('rock.obj')


draw_ground()
grow_plants()
