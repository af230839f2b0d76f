# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Make the models, textures and grounds of the worlds to benchmark in, and the ways through them.

They are worlds/office, warehouse, orchard, forest and corridor. Needs Pillow:
`python docs/figures/benchmark_worlds.py`.
"""

import math
from pathlib import Path

from meshes import grow, Model, save_materials
import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

Array = NDArray[np.float64]
Corner = tuple[float, float]

WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
ORCHARD, FOREST = (56.0, 40.0), (76.0, 48.0)  # m, size of the grounds
CELL = 0.5  # m
CIRCLE = 15.0  # m, radius of the two round trails of the forest


# ------------------------------------------ models ------------------------------------------
def furnish() -> None:
    """Write what stands in the office."""
    save_materials('furniture.mtl', {
        'wood': '0.72 0.56 0.38', 'white': '0.85 0.85 0.83', 'steel': '0.42 0.44 0.47',
        'screen': '0.08 0.09 0.10', 'fabric': '0.22 0.34 0.46', 'red': '0.62 0.20 0.16',
        'green': '0.25 0.42 0.28', 'ochre': '0.76 0.58 0.22', 'cream': '0.88 0.84 0.74'})
    desk = Model('furniture.mtl')
    desk.box('wood', (-0.8, 0.8), (-0.4, 0.4), (0.71, 0.74))
    for x in (-0.78, 0.72):
        for y in (-0.38, 0.32):
            desk.box('steel', (x, x + 0.06), (y, y + 0.06), (0.0, 0.71))
    desk.box('white', (0.3, 0.7), (-0.3, 0.3), (0.08, 0.6))
    desk.box('screen', (-0.3, 0.3), (0.15, 0.19), (0.86, 1.22))
    desk.box('screen', (-0.05, 0.05), (0.17, 0.21), (0.74, 0.9))
    desk.save('desk.obj')
    chair = Model('furniture.mtl')
    chair.box('fabric', (-0.23, 0.23), (-0.23, 0.23), (0.44, 0.5))
    chair.box('fabric', (-0.21, 0.21), (-0.25, -0.21), (0.55, 0.98))
    chair.box('steel', (-0.03, 0.03), (-0.03, 0.03), (0.06, 0.44))
    chair.box('steel', (-0.27, 0.27), (-0.03, 0.03), (0.02, 0.07))
    chair.box('steel', (-0.03, 0.03), (-0.27, 0.27), (0.02, 0.07))
    chair.save('office_chair.obj')
    shelf = Model('furniture.mtl')
    random = np.random.default_rng(5)
    for x in (-0.5, 0.47):
        shelf.box('white', (x, x + 0.03), (-0.17, 0.17), (0.0, 2.0))
    shelf.box('white', (-0.5, 0.5), (0.15, 0.17), (0.0, 2.0))
    for level in range(6):
        z = 0.04 + 0.38 * level
        shelf.box('white', (-0.5, 0.5), (-0.17, 0.17), (z, z + 0.03))
        x = -0.46
        while level < 5 and x < 0.4:
            width = random.uniform(0.06, 0.16)
            colour = random.choice(['red', 'green', 'ochre', 'cream', 'fabric'])
            height, depth = random.uniform(0.2, 0.32), random.uniform(-0.15, -0.08)
            shelf.box(str(colour), (x, min(x + width, 0.46)), (depth, 0.15),
                      (z + 0.03, z + 0.03 + height))
            x += width + random.choice([0.004, 0.004, 0.09])
    shelf.save('bookshelf.obj')


def stack_racks() -> None:
    """Write racks of the warehouse, full of boxes."""
    save_materials('racks.mtl', {
        'upright': '0.13 0.25 0.52', 'beam': '0.85 0.42 0.10', 'pallet': '0.62 0.47 0.30',
        'brown': '0.66 0.50 0.33', 'light': '0.78 0.66 0.48', 'grey': '0.60 0.62 0.63',
        'blue': '0.24 0.40 0.55'})
    for number in range(3):
        random = np.random.default_rng(10 + number)
        rack = Model('racks.mtl')
        for x in (-1.4, 1.3):
            for y in (-0.5, 0.42):
                rack.box('upright', (x, x + 0.1), (y, y + 0.08), (0.0, 4.6))
            for z in (0.6, 2.0, 3.4):
                rack.box('upright', (x + 0.03, x + 0.07), (-0.42, 0.42), (z, z + 0.05))
        for level in range(3):
            z = 0.02 + 1.5 * level
            if level:
                for y in (-0.5, 0.44):
                    rack.box('beam', (-1.3, 1.3), (y, y + 0.06), (z - 0.13, z))
            for place in (-0.86, 0.0, 0.86):
                if random.uniform() < 0.12:
                    continue
                wide, deep = random.uniform(0.3, 0.4), random.uniform(0.34, 0.46)
                rack.box('pallet', (place - 0.4, place + 0.4), (-0.48, 0.48), (z, z + 0.12))
                top = z + 0.12 + random.uniform(0.4, 1.1)
                middle = z + 0.12 + 0.5 * (top - z)
                colours = random.choice(['brown', 'brown', 'light', 'grey', 'blue'], 2)
                rack.box(str(colours[0]), (place - wide, place + wide), (-deep, deep),
                         (z + 0.12, middle))
                rack.box(str(colours[1]), (place - 0.9 * wide, place + 0.8 * wide),
                         (-0.8 * deep, 0.9 * deep), (middle, top))
        rack.save(f'rack_{number}.obj')


def grow_fruit_trees() -> None:
    """Write trees of the orchard."""
    save_materials('fruit.mtl', {
        'stem': '0.44 0.36 0.29', 'foliage': '0.42 0.56 0.25', 'sunny': '0.53 0.66 0.31',
        'fruit': '0.72 0.24 0.16', 'inside': '0.32 0.45 0.19'})
    for number in range(3):
        random = np.random.default_rng(20 + number)
        tree = Model('fruit.mtl')
        leaves = ('inside', 'foliage', 'sunny', 'foliage') + ('fruit',) * (number == 1)
        grow(tree, random, 'stem', leaves, (0.7, 1.9, 0.07), (0.85, 1.6, 0.75), 9, 280, 0.16)
        tree.save(f'fruit_tree_{number}.obj')


# ------------------------------------- textures and grounds -------------------------------------
def patches(shape: tuple[int, int], seed: int, sizes: tuple[int, ...]) -> Array:
    """Return patchy noise of about -1 to 1 that repeats at its borders where sizes divide it."""
    random = np.random.default_rng(seed)
    rows, columns = shape
    layers = [np.kron(random.standard_normal((-(-rows // n), -(-columns // n))),
                      np.ones((n, n)))[:rows, :columns] for n in sizes]
    return np.asarray(sum(layers) / len(sizes))


def save_colours(name: str, colours: Array, count: int = 24) -> None:
    """Write a picture with few colours."""
    Image.fromarray(np.clip(colours, 0, 255).astype(np.uint8)).quantize(
        count, dither=Image.Dither.NONE).save(WORLDS / 'maps' / name, optimize=True)


def tinted(base: tuple[float, float, float], light: Array, amount: float) -> Array:
    """Return a colour, lighter and darker."""
    return np.asarray(base) + amount * light[..., None]


def random_dots(size: int) -> NDArray[np.bool_]:
    """Return the pixels of the holes of acoustic tiles, shape (size, size)."""
    dots = np.zeros((size, size), bool)
    dots[tuple(np.random.default_rng(6).integers(1, size, (2, 420)))] = True
    return dots


def paint() -> None:
    """Write the textures of floors and walls."""
    size = 128
    y, x = np.mgrid[0:size, 0:size] / size
    noise = patches((size, size), 1, (1, 2))
    save_colours('carpet.png', tinted((118, 122, 128), noise, 9.0) - 10.0 * (
        (x * 2 % 1 < 0.02) | (y * 2 % 1 < 0.02))[..., None])
    save_colours('concrete.png', tinted((168, 167, 162), patches(
        (size, size), 2, (1, 4, 16)), 9.0) - 22.0 * ((x < 0.012) | (y < 0.012))[..., None])
    plaster = tinted((224, 222, 214), patches((size, size), 3, (2, 8)), 2.5)
    plaster[y > 0.96] = 96, 92, 88  # skirting
    save_colours('plaster.png', plaster)
    tile = 128 + 14 * patches((size, size), 5, (2, 4))  # multiplied with the colour of a ceiling
    tile[random_dots(size)] = 84
    tile[(x * 2 % 1 < 0.03) | (y * 2 % 1 < 0.03)] = 60
    Image.fromarray(tile.clip(0, 255).astype(np.uint8)).quantize(16).save(
        WORLDS / 'maps' / 'ceiling_detail.png', optimize=True)
    sheet = tinted((150, 158, 164), np.sin(2 * np.pi * 8 * x) + 0.1 * noise, 16.0)
    sheet[y > 0.9] = 110, 112, 114
    save_colours('sheet_metal.png', sheet)


def save_ground(name: str, size: tuple[float, float], heights: Array) -> None:
    """Write heights above the lowest [m], rows along x, as grey levels."""
    heights = heights - heights.min()
    levels = np.rint(heights / heights.max() * 255).astype(np.uint8)
    Image.fromarray(levels).save(WORLDS / 'maps' / name, optimize=True)
    print(f'{name}: {size[0]} m x {size[1]} m, heights to {heights.max():.3f} m')


def grid(size: tuple[float, float]) -> tuple[Array, Array]:
    """Return x and y of the nodes of a ground, rows along x."""
    x, y = (np.arange(-s / 2, s / 2 + CELL / 2, CELL) for s in size)
    return tuple(np.meshgrid(x, y, indexing='ij'))  # type: ignore[return-value]


def seen(size: tuple[float, float], scale: int) -> tuple[Array, Array]:
    """Return x and y of the pixels of a ground seen from above, x to the right."""
    count = int(size[0] * scale), int(size[1] * scale)
    x, y = ((np.arange(n) + 0.5) / n * s - s / 2 for n, s in zip(count, size, strict=True))
    return tuple(np.meshgrid(x, -y))  # type: ignore[return-value]


def trail_distance(x: Array, y: Array) -> Array:
    """Return how far it is to the trails of the forest [m]."""
    circles = np.minimum(abs(np.hypot(x - CIRCLE, y) - CIRCLE),
                         abs(np.hypot(x + CIRCLE, y) - CIRCLE))
    return np.minimum(circles, np.hypot(np.maximum(abs(x) - 2 * CIRCLE, 0.0), y))


def lay_grounds() -> None:
    """Write heights and colours of orchard and forest."""
    x, y = grid(ORCHARD)
    save_ground('orchard.png', ORCHARD, 0.7 + 0.35 * np.sin(0.11 * x) + 0.3 * np.cos(
        0.13 * y + 0.05 * x) + 0.012 * (x + 28.0))
    x, y = seen(ORCHARD, 9)
    noise = patches(x.shape, 4, (1, 4, 12))
    ruts = np.exp(-((abs((y + 2.0) % 4.0 - 2.0) - 1.66) / 0.16) ** 2) * (abs(x) < 21)
    strips = np.clip(1.6 - abs((y + 2.0) % 4.0 - 2.0) * 2.0, 0, 1) * (
        (abs(x) < 19) & (abs(y) < 13.5))
    colour = tinted((106, 138, 72), noise, 19.0)
    colour += np.clip(strips + 0.5 * ruts, 0, 1)[..., None] * ([148, 124, 96] - colour)
    save_colours('orchard_ground.png', colour)
    x, y = grid(FOREST)
    hills = ((-20, 14, 2.6, 11), (22, -12, 3.2, 12), (0, 19, 1.8, 9), (-26, -16, 2.2, 9),
             (30, 16, 2.0, 9))
    heights = sum((h * np.exp(-((x - a) ** 2 + (y - b) ** 2) / w ** 2) for a, b, h, w in hills),
                  0.2 + 0.07 * np.sin(0.8 * x + 0.3 * y) * np.sin(0.7 * y - 0.2 * x))
    save_ground('forest.png', FOREST, heights)
    x, y = seen(FOREST, 8)
    noise = patches(x.shape, 6, (1, 4, 16))
    trodden = np.clip(1.5 - trail_distance(x, y) / 0.9 + 0.15 * noise, 0, 1)[..., None]
    colour = tinted((130, 138, 86), noise, 19.0)
    save_colours('forest_ground.png', colour + trodden * ([170, 146, 116] - colour))


# ------------------------------------------- ways -------------------------------------------
def rounded(corners: ArrayLike, radius: float) -> list[Corner]:
    """Return a line through corners that turns into each in an arc."""
    points = np.asarray(corners, float)
    way = [tuple(points[0])]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        back, ahead = before - corner, after - corner
        room = min(radius, 0.5 * np.hypot(*back), 0.5 * np.hypot(*ahead))
        first = corner + room * back / np.hypot(*back)
        last = corner + room * ahead / np.hypot(*ahead)
        for t in np.linspace(0.0, 1.0, 7):  # close to an arc
            way.append(tuple((1 - t) ** 2 * first + 2 * t * (1 - t) * corner + t * t * last))
    return [*way, tuple(points[-1])]


def office_way() -> list[Corner]:
    """Return a lap of the corridors, rooms on both sides, then the laps of each half."""
    east, west, north, south = 9.8, -9.8, 3.8, -3.8
    lap = [(west, north), (east, north), (east, south), (west, south), (west, 3.0)]
    rooms = [(-10.0, 4.2), (-10.0, 7.3), (-6.0, 7.3), (-6.0, north), (0.0, north), (0.0, 0.0),
             (east, 0.0), (east, 3.0), (10.0, 4.2), (10.0, 7.3), (6.0, 7.3), (6.0, north),
             (0.0, north), (0.0, -7.3), (-6.0, -7.3), (-6.0, south), (west, south),
             (west, north)]
    halves = [(0.0, north), (0.0, south), (east, south), (east, north), (0.0, north),
              (0.0, south), (west, south), (west, north), (-7.0, north)]
    return rounded([*lap, *rooms, *halves], 0.8)


def warehouse_way() -> list[Corner]:
    """Return all aisles one after another, then the middle aisle and half of them again."""
    e, w = 15.4, -15.4
    return rounded([
        (w, -11.2), (e, -11.2), (e, -5.6), (w, -5.6), (w, 0.0), (e, 0.0), (e, 5.6), (w, 5.6),
        (w, 11.2), (e, 11.2), (e, 5.6), (0.0, 5.6), (0.0, -5.6), (e, -5.6), (e, -11.2),
        (0.0, -11.2), (0.0, -5.6), (w, -5.6), (w, -11.2), (w + 2.0, -11.2)], 1.4)


def orchard_way() -> list[Corner]:
    """Return all alleys one after another, then once around the trees."""
    e, w = 21.5, -21.5
    lanes = [(end, y) for k, y in enumerate((-10.0, -6.0, -2.0, 2.0, 6.0, 10.0))
             for end in ((w, e) if k % 2 == 0 else (e, w))]
    around = [(w, 14.5), (e, 14.5), (e, -14.5), (w, -14.5), (w, -10.0), (w + 2.0, -10.0)]
    return rounded([*lanes, *around], 1.8)


def forest_way() -> list[Corner]:
    """Return both circles, then around the left one, straight through, and around the right."""
    def arc(side: float, first: float, last: float) -> list[Corner]:
        angles = np.linspace(first, last, 2 + int(abs(last - first) / 0.07))
        return [(side * CIRCLE + CIRCLE * math.cos(a), CIRCLE * math.sin(a)) for a in angles]

    pi = math.pi
    left, right = arc(-1.0, 0.0, 2 * pi), arc(1.0, pi, -pi)
    across = rounded([arc(-1.0, 0.0, pi * 0.95)[-1], (-2 * CIRCLE, 0.0), (2 * CIRCLE, 0.0),
                      arc(1.0, -pi * 0.05, -pi)[0]], 2.0)
    return [*left, *right[1:], *arc(-1.0, 0.0, pi * 0.95)[1:-1], *across,
            *arc(1.0, -pi * 0.05, -pi)[1:]]


def corridor_way() -> list[Corner]:
    """Return two laps."""
    lap = [(30.0, -5.0), (30.0, 5.0), (-30.0, 5.0), (-30.0, -5.0)]
    return rounded([(0.0, -5.0), *lap, *lap, (0.0, -5.0)], 0.8)


def mark_ways() -> None:
    """Write the ways."""
    (WORLDS / 'paths').mkdir(exist_ok=True)
    for name, way, speed in (
            ('office', office_way(), 0.65), ('warehouse', warehouse_way(), 0.85),
            ('orchard', orchard_way(), 1.0), ('forest', forest_way(), 0.9),
            ('corridor', corridor_way(), 0.85)):
        length = float(np.hypot(*np.diff(np.array(way), axis=0).T).sum())
        lines = [f'# {length:.0f} m through worlds/{name}.world.xml: x y [m], speed [m/s]',
                 'x,y,speed', *(f'{x:.3f},{y:.3f},{speed:g}' for x, y in way)]
        (WORLDS / 'paths' / f'{name}.csv').write_text('\n'.join(lines) + '\n')
        print(f'{name}.csv: {length:.0f} m, at least {length / speed:.0f} s')


if __name__ == '__main__':
    furnish()
    stack_racks()
    grow_fruit_trees()
    paint()
    lay_grounds()
    mark_ways()
