# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Make the ground and the plants of worlds/outdoor.world.xml.

Needs Pillow: `python docs/figures/meadow.py`.
"""

from pathlib import Path

from meshes import grow, Model, MODELS, save_materials
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Array = NDArray[np.float64]

WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
SIZE, CELL = 60.0, 0.5  # m
HEIGHT = 3.0  # m, of the highest hill
HILLS = ((-14, 12, 3.0, 9), (16, 15, 2.4, 8), (18, -14, 2.8, 10), (-17, -15, 1.8, 8),
         (2, 19, 1.0, 6), (-2, -20, 1.2, 7))  # x, y, height, width [m]
LOOP = 15.0, 10.0  # m, half axes of the path
CONTRAST = 84  # grey levels, standard deviation of the detail
GRASS, STONES = 210, 60  # meshes on a terrain


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
    grass = np.array([102, 136, 72]) + patches[..., None] * [21, 19, 12]
    earth = np.array([162, 138, 106]) + patches[..., None] * [17, 16, 12]
    colours = np.clip(grass + trodden * (earth - grass), 0, 255).astype(np.uint8)
    Image.fromarray(colours).quantize(40, dither=Image.Dither.NONE).save(
        WORLDS / 'maps' / 'meadow_ground.png', optimize=True)


def draw_detail() -> None:
    """Write a tile of 2 m of blades of grass and crumbs of earth, as `<detail_image>`."""
    random, count, fine = np.random.default_rng(3), 512, 3
    picture = Image.new('L', (3 * count * fine,) * 2, 92)
    draw = ImageDraw.Draw(picture)
    for _ in range(9000):
        x, y = random.uniform(0, count * fine, 2)
        angle, length = random.uniform(0, 2 * np.pi), fine * random.uniform(6, 22)
        level, width = int(np.clip(random.normal(120, 55), 5, 250)), int(random.integers(2, 7))
        for a in range(3):
            for b in range(3):  # so that the tile repeats
                place = x + a * count * fine, y + b * count * fine
                draw.line((*place, place[0] + length * np.cos(angle),
                           place[1] + length * np.sin(angle)), fill=level, width=width)
    for _ in range(600):  # crumbs and gaps
        x, y = random.uniform(0, count * fine, 2)
        radius, level = fine * random.uniform(1.0, 2.4), int(random.choice([255, 0]))
        for a in range(3):
            for b in range(3):
                draw.circle((x + a * count * fine, y + b * count * fine), radius, fill=level)
    small = np.asarray(picture.resize((3 * count,) * 2, Image.Resampling.BOX), float)
    levels = small[count:2 * count, count:2 * count]
    wave = np.fft.fftfreq(count) * count
    length = np.hypot(*np.meshgrid(wave, wave))
    for low, high, share in ((2, 14, 0.5), (14, 40, 0.5)):  # clumps of hands' and fingers' breadth
        band = (length >= low) & (length < high)
        clumps = np.fft.ifft2(np.fft.fft2(random.standard_normal((count, count))) * band).real
        levels = levels + share * levels.std() * clumps / clumps.std()
    levels = np.clip(128 + CONTRAST * (levels - levels.mean()) / levels.std(), 0, 255)
    Image.fromarray((np.rint(levels / 16) * 16).clip(0, 255).astype(np.uint8)).save(
        WORLDS / 'maps' / 'grass_detail.png', optimize=True)


def grow_plants() -> None:
    """Write the models."""
    save_materials('plants.mtl', {
        'bark': '0.44 0.35 0.27', 'needles': '0.20 0.37 0.22', 'young': '0.29 0.47 0.26',
        'leaves': '0.42 0.56 0.25', 'sunny': '0.53 0.66 0.31', 'dark': '0.32 0.45 0.19',
        'stone': '0.55 0.55 0.53', 'lichen': '0.48 0.50 0.42', 'grass': '0.42 0.58 0.22',
        'straw': '0.80 0.76 0.46', 'petal': '0.93 0.93 0.90', 'bloom': '0.93 0.78 0.16',
        'far': '0.35 0.48 0.28', 'hills': '0.30 0.42 0.30'})
    for number in range(3):
        grow_tuft(number)
        random = np.random.default_rng(30 + number)
        oak = Model('plants.mtl')
        grow(oak, random, 'bark', ('dark', 'leaves', 'sunny', 'leaves'), (1.7, 3.6, 0.17),
             (1.75, 3.3, 1.6), 13, 460, 0.27)
        oak.save(f'oak_tree_{number}.obj')
        fir_tree(number).save(f'fir_tree_{number}.obj')
        rock = Model('plants.mtl')
        rock.revolve('stone' if number else 'lichen', (
            (0.0, -0.3), (0.55, -0.2), (0.52, 0.1), (0.42, 0.32), (0.2, 0.47), (0.0, 0.5)), 11,
            0.16 + 0.05 * number)
        rock.save(f'rock_{number}.obj')


def fir_tree(number: int) -> Model:
    """Return a fir: whorls of branches with twigs on both sides."""
    random, fir = np.random.default_rng(40 + number), Model('plants.mtl')
    top = 4.6 - 0.3 * number
    fir.revolve('bark', ((0.18, -0.3), (0.12, 1.0), (0.02, top)), 7)
    for low, high, radius in ((0.75, 2.4, 0.55), (1.6, 3.3, 0.42), (2.6, top, 0.3)):
        fir.revolve('needles', ((0.0, low + 0.15), (radius, low), (0.0, high)), 10, 0.15)
    for z in np.linspace(0.8, top - 0.25, 11):
        share = (top - z) / top
        count = 7 + int(4 * share)
        for k in range(count):
            angle = 2 * np.pi * (k + random.uniform(-0.2, 0.2)) / count + 0.7 * z
            length = 1.4 * share * random.uniform(0.85, 1.05)
            ahead = np.array([np.cos(angle), np.sin(angle), -0.35])
            aside = np.array([-np.sin(angle), np.cos(angle), -0.12])
            twigs = []
            for step in range(4):
                at = np.array([0.0, 0.0, z]) + ahead * length * step / 4
                reach = 0.26 * length * (1.1 - step / 4)
                for sign in (1.0, -1.0):
                    mirror = np.array([-np.sin(angle) * sign, np.cos(angle) * sign, aside[2]])
                    twigs.append([at, at + ahead * length * 0.3,
                                  at + ahead * length * 0.22 + mirror * reach])
            fir.triangles(str(random.choice(['needles', 'needles', 'young'])), np.array(twigs))
    return fir


def grow_grassland(name: str, terrain: str, highest: float) -> None:
    """
    Write the land around a terrain, fields and hills up to 900 m away, and grass on it.

    :param name: of the world.
    :param terrain: its grey levels, in maps/.
    :param highest: height of white [m].
    """
    heights = np.asarray(Image.open(WORLDS / 'maps' / terrain), float) / 255 * highest
    size = CELL * (np.array(heights.shape) - 1)
    padded = np.pad(heights, 1)  # as worlds smooth them, which lowers borders
    heights = sum(weight / 16 * padded[i:i + len(heights), j:j + heights.shape[1]]
                  for (i, j), weight in np.ndenumerate(np.outer([1, 2, 1], [1, 2, 1])))
    random, sectors = np.random.default_rng(9), 72
    angle = 2 * np.pi * np.arange(sectors) / sectors
    unit = np.stack([np.cos(angle), np.sin(angle)], 1)
    rim = unit / np.maximum(abs(unit[:, :1]) * 2 / size[0], abs(unit[:, 1:]) * 2 / size[1])
    for quarter in range(4):  # the corners themselves
        corner = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)][quarter]) * np.array(size) / 2
        rim[np.argmin(np.hypot(*(rim - corner).T))] = corner
    ridge = sum((np.sin(k * angle + random.uniform(0, 6)) / k for k in (2, 3, 5, 9, 13)),
                np.zeros(sectors))
    row, column = np.rint((rim + size / 2) / CELL).astype(int).T
    rings = [np.column_stack([0.99 * rim, heights[row, column] - 1.0]),
             np.column_stack([rim, heights[row, column] - 0.02])]
    level = heights[row, column].mean()
    for way, height in ((12, -0.3), (60, 0.0), (160, 3.0), (330, 14.0), (520, 34.0), (900, 62.0)):
        z = level + height * (1.0 + 0.45 * ridge + random.normal(0.0, 0.08, sectors))
        rings.append(np.column_stack([rim + way * unit, z]))
    land = Model('plants.mtl')
    for number, (low, high) in enumerate(zip(rings, rings[1:])):
        a, b = np.roll(low, -1, 0), np.roll(high, -1, 0)
        land.triangles('far' if number < 4 else 'hills', np.concatenate([
            np.stack([low, high, b], 1), np.stack([low, b, a], 1)]))
    land.save(f'terrain_around_{name}.obj')
    scatter_grass(name, heights, random)


def scatter_grass(name: str, heights: Array, random: np.random.Generator) -> None:
    """Write where tufts of grass and stones are on a terrain, as a block of many meshes."""
    size = CELL * (np.array(heights.shape) - 1)
    slopes = np.gradient(heights, CELL)
    lines = []
    for number in range(GRASS + STONES):
        x, y = random.uniform(-0.48, 0.48, 2) * size
        row, column = np.rint((np.array([x, y]) + size / 2) / CELL).astype(int)
        z, yaw = heights[row, column], random.uniform(0, 360)
        ahead = np.array([np.cos(np.radians(yaw)), np.sin(np.radians(yaw))])
        slope = np.array([slopes[0][row, column], slopes[1][row, column]])
        pitch = -np.degrees(np.arctan(slope @ ahead))
        roll = np.degrees(np.arctan(slope @ (-ahead[1], ahead[0])))
        kind, scale = 'grass', random.uniform(0.7, 1.25)
        if number >= GRASS:
            kind, scale = 'stone', random.uniform(0.1, 0.3)
            z -= 0.15 * scale
        lines.append(f'    <include file="{kind}.visual.xml" n="{number % 3}" x="{x:.2f}" '
                     f'y="{y:.2f}" z="{z:.2f}" yaw="{yaw:.0f}" pitch="{pitch:.0f}" '
                     f'roll="{roll:.0f}" scale="{scale:.2f}"/>')
    (MODELS / f'grass_{name}.xml').write_text('\n'.join([
        f'<!-- Tufts of grass and stones of {name}.world.xml, by docs/figures/meadow.py. -->',
        '<block name="grass">',
        '    <init_pose>0 0 0</init_pose> <static>true</static> <intangible>true</intangible>',
        '    <skip_elevation_adjust/> <zmin>-0.2</zmin> <zmax>-0.1</zmax>',
        '    <shape> <pt>0 0</pt> <pt>0.1 0</pt> <pt>0.1 0.1</pt> </shape>', *lines,
        '</block>', '']))


def grow_tuft(number: int) -> None:
    """Write a tuft of bent blades, with some flowers."""
    random, tuft = np.random.default_rng(60 + number), Model('plants.mtl')
    count = 36
    feet = np.column_stack([random.normal(0.0, 0.16, (count, 2)), np.full(count, -0.05)])
    length = random.uniform(0.14, 0.42, count)
    tips = feet + np.column_stack([
        random.normal(0.0, 0.09, (count, 2)) + 0.35 * feet[:, :2], length])
    side = np.column_stack([random.normal(0.0, 0.013, (count, 2)), np.zeros(count)])
    blades = np.stack([feet - side, feet + side, tips], 1)
    for part, material in enumerate(('grass', 'straw', 'sunny')):
        tuft.triangles(material, blades[part::3])
    if number:
        angle = np.pi / 3 * np.arange(7)
        ring = 0.015 * np.stack([np.cos(angle), np.sin(angle), np.full(7, 0.4)], 1)
        heads = tips[length > 0.33][:6, None]
        tuft.triangles(('petal', 'bloom')[number - 1], np.stack([
            np.broadcast_to(heads, (len(heads), 6, 3)), heads + ring[:-1], heads + ring[1:]],
            2).reshape(-1, 3, 3))
    tuft.save(f'grass_{number}.obj')


draw_ground()
draw_detail()
grow_plants()
for world, image, top in (('outdoor', 'meadow', 3.2), ('forest', 'forest', 3.262),
                          ('orchard', 'orchard', 1.677)):
    grow_grassland(world, f'{image}.png', top)
