# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Make the models of worlds/things.xml: `python docs/figures/things.py`."""

from meshes import Model, save_materials
import numpy as np

MATERIALS = {
    'orange': '0.90 0.36 0.10', 'white': '0.88 0.88 0.86', 'black': '0.09 0.09 0.10',
    'pine': '0.70 0.55 0.36', 'plank': '0.50 0.34 0.23', 'roof': '0.36 0.24 0.20',
    'paint': '0.20 0.33 0.52', 'glass': '0.15 0.19 0.22', 'rim': '0.62 0.63 0.65',
    'lamp': '0.95 0.93 0.80', 'rear': '0.62 0.08 0.08', 'steel': '0.45 0.47 0.50',
    'frame': '0.82 0.80 0.74', 'door': '0.55 0.38 0.24', 'carton': '0.66 0.50 0.33'}


def hull(model: Model, material: str, sections: list[tuple[float, ...]]) -> None:
    """Add a body along x from sections: x, half the width, bottom and top [m]."""
    rings = [np.array([(x, -y, low), (x, y, low), (x, 0.9 * y, high), (x, -0.9 * y, high)])
             for x, y, low, high in sections]
    faces = []
    for one, other in zip(rings, rings[1:]):
        for k in range(4):
            a, b, c, d = one[k], other[k], other[(k + 1) % 4], one[(k + 1) % 4]
            faces += [(a, c, b), (a, d, c)]
    for ring, turn in ((rings[0], 1), (rings[-1], -1)):
        a, b, c, d = ring[::-turn]
        faces += [(a, b, c), (a, c, d)]
    model.triangles(material, np.array(faces))


def make_car() -> None:
    """Write a car of 4.2 m."""
    car = Model('things.mtl')
    hull(car, 'paint', [(-2.1, 0.78, 0.35, 0.8), (-1.95, 0.86, 0.25, 0.92),
                        (-0.9, 0.88, 0.22, 0.95),
                        (0.9, 0.88, 0.22, 0.93), (1.8, 0.85, 0.25, 0.82), (2.1, 0.74, 0.35, 0.68)])
    hull(car, 'glass', [(-1.7, 0.72, 0.9, 0.98), (-1.05, 0.7, 0.9, 1.4), (0.2, 0.7, 0.9, 1.42),
                        (1.0, 0.72, 0.88, 0.96)])
    hull(car, 'paint', [(-1.1, 0.66, 1.39, 1.45), (0.2, 0.66, 1.41, 1.47)])
    for x in (-1.3, 1.3):
        for side in (-1, 1):
            angle = 2 * np.pi * np.arange(17) / 16
            rim = np.stack([x + 0.32 * np.cos(angle), np.full(17, 0.9 * side),
                            0.32 + 0.32 * np.sin(angle)], 1)
            inner = rim * (1, 0.76, 1)
            hub = np.array([x, 0.9 * side, 0.32])
            car.triangles('black', np.concatenate([
                np.stack([rim[:-1], rim[1:], inner[1:]], 1),
                np.stack([rim[:-1], inner[1:], inner[:-1]], 1),
                np.stack([np.tile(hub, (16, 1)), rim[:-1], rim[1:]], 1)]))
            small = hub + 0.6 * (rim - hub) + (0, 0.004 * side, 0)
            car.triangles('rim', np.stack(
                [np.tile(hub + (0, 0.004 * side, 0), (16, 1)), small[:-1], small[1:]], 1))
    for y in (-0.66, 0.46):
        car.box('lamp', (2.0, 2.1), (y, y + 0.2), (0.55, 0.67))
        car.box('rear', (-2.12, -2.0), (y, y + 0.2), (0.62, 0.78))
    car.save('car.obj')


def make_small_things() -> None:
    """Write a cone, a pallet with boxes, a bench and a lamp post."""
    cone = Model('things.mtl')
    cone.box('black', (-0.19, 0.19), (-0.19, 0.19), (0.0, 0.03))
    for material, low, high in (('orange', 0.03, 0.2), ('white', 0.2, 0.34),
                                ('orange', 0.34, 0.46),
                                ('white', 0.46, 0.54), ('orange', 0.54, 0.7)):
        radius = [0.14 - 0.165 * z for z in (low, high)]
        cone.revolve(material, ((radius[0], low), (radius[1], high)), 16)
    cone.save('cone.obj')
    pallet = Model('things.mtl')
    for k in range(5):
        pallet.box('pine', (-0.6, 0.6), (-0.4 + 0.175 * k, -0.3 + 0.175 * k), (0.122, 0.144))
    for x in (-0.6, -0.07, 0.46):
        pallet.box('pine', (x, x + 0.14), (-0.4, 0.4), (0.1, 0.122))
        pallet.box('pine', (x, x + 0.14), (-0.4, 0.4), (0.0, 0.022))
        for y in (-0.4, -0.07, 0.26):
            pallet.box('pine', (x, x + 0.14), (y, y + 0.14), (0.022, 0.1))
    pallet.save('pallet.obj')
    for x, y, z in ((-0.58, -0.38, 0.0), (0.0, -0.38, 0.0), (-0.58, 0.02, 0.0),
                    (-0.3, -0.2, 0.35)):
        pallet.box('carton', (x, x + 0.55), (y, y + 0.38), (0.144 + z, 0.49 + z))
    pallet.save('pallet_of_goods.obj')
    bench = Model('things.mtl')
    for k in range(3):
        bench.box('plank', (-0.8, 0.8), (-0.2 + 0.14 * k, -0.08 + 0.14 * k), (0.42, 0.45))
        bench.box('plank', (-0.8, 0.8), (0.22, 0.25), (0.52 + 0.13 * k, 0.62 + 0.13 * k))
    for x in (-0.7, 0.64):
        bench.box('steel', (x, x + 0.06), (-0.2, 0.22), (0.36, 0.42))
        bench.box('steel', (x, x + 0.06), (-0.2, -0.14), (0.0, 0.36))
        bench.box('steel', (x, x + 0.06), (0.2, 0.26), (0.0, 0.9))
    bench.save('bench.obj')
    post = Model('things.mtl')
    post.revolve('steel', ((0.09, 0.0), (0.09, 0.6), (0.05, 0.62), (0.035, 3.6)), 10)
    post.box('steel', (-0.03, 0.75), (-0.03, 0.03), (3.55, 3.6))
    post.box('steel', (0.4, 0.85), (-0.12, 0.12), (3.6, 3.68))
    post.box('lamp', (0.44, 0.81), (-0.09, 0.09), (3.58, 3.6))
    post.save('street_lamp.obj')


def make_shed() -> None:
    """Write a wooden shed of 4 m by 3 m with a door in its frame, a window and a roof."""
    shed = Model('things.mtl')
    for k in range(20):
        x = -2.0 + 0.2 * k
        for y in (-1.5, 1.46 + 0.012 * (k % 2)):
            shed.box('plank', (x, x + 0.19), (y - 0.012 * (k % 2), y + 0.03), (-0.5, 2.0))
    for k in range(15):
        y = -1.5 + 0.2 * k
        for x in (-2.0, 1.96):
            shed.box('plank', (x, x + 0.035 + 0.008 * (k % 2)), (y, y + 0.19), (-0.5, 2.0))
    shed.box('frame', (-1.3, -0.2), (-1.56, -1.5), (0.0, 1.95))
    shed.box('door', (-1.22, -0.28), (-1.58, -1.5), (0.02, 1.87))
    shed.box('steel', (-0.42, -0.36), (-1.63, -1.58), (0.95, 1.05))
    shed.box('frame', (0.4, 1.4), (-1.56, -1.5), (0.9, 1.7))
    for x in (0.47, 0.94):
        shed.box('glass', (x, x + 0.4), (-1.57, -1.55), (0.97, 1.63))
    for side in (-1, 1):
        eaves, ridge = np.array([0.0, 1.75 * side, 1.85]), np.array([0.0, 0.0, 2.75])
        thick = np.array([0.0, 0.0, 0.08])
        corners = [point + np.array([x, 0, 0]) for point in (eaves, ridge) for x in (-2.25, 2.25)]
        a, b, c, d = corners
        up = [corner + thick for corner in corners]
        shed.triangles('roof', np.array([
            (a, b, d), (a, d, c), (up[0], up[1], up[3]), (up[0], up[3], up[2]),
            (a, b, up[1]), (a, up[1], up[0])]))
    for x in (-1.99, 1.99):
        shed.triangles('plank', np.array([[(x, -1.5, 2.0), (x, 1.5, 2.0), (x, 0.0, 2.72)]]))
    shed.save('shed.obj')


def make_fittings() -> None:
    """Write door frames, a door, pictures and a lamp for walls and ceilings."""
    for name, width, leaf in (('door_frame', 1.18, False), ('door', 0.95, True)):
        door, half = Model('things.mtl'), 0.5 * width
        deep = 0.09 if not leaf else 0.012  # both sides of a wall of 15 cm, or on it
        wide = 0.07 if leaf else 0.08  # 1 cm of it in an opening of 1.2 m, whose sides it covers
        for x in (-half - wide, half):
            door.box('frame', (x, x + wide), (-deep, deep), (0.0, 2.17))
        door.box('frame', (-half, half), (-deep, deep), (2.17 - wide, 2.17))
        if leaf:
            door.box('door', (-half, half), (-0.006, 0.006), (0.01, 2.1))
            for low, high in ((0.2, 0.95), (1.15, 1.95)):
                door.box('plank', (-half + 0.13, half - 0.13), (-0.009, 0.009), (low, high))
            door.box('steel', (half - 0.1, half - 0.07), (-0.03, 0.03), (1.0, 1.12))
        door.save(f'{name}.obj')
    colours = np.array(['orange', 'paint', 'lamp', 'rear', 'carton', 'plank', 'white', 'black'])
    for number in range(3):
        random, picture = np.random.default_rng(70 + number), Model('things.mtl')
        picture.box('black', (-0.62, 0.62), (0.0, 0.004), (-0.47, 0.47))
        picture.box('white', (-0.59, 0.59), (-0.002, 0.004), (-0.44, 0.44))
        for k in range(26):
            x, z = random.uniform(-0.5, 0.3), random.uniform(-0.4, 0.2)
            wide, high = random.uniform(0.05, 0.25, 2)
            picture.box(str(random.choice(colours)), (x, x + wide), (-0.003 - 0.0004 * k, 0.0),
                        (z, z + high))
        picture.save(f'wall_picture_{number}.obj')
    lamp = Model('things.mtl')
    lamp.box('steel', (-0.62, 0.62), (-0.17, 0.17), (-0.05, 0.0))
    lamp.save('ceiling_lamp.obj')


save_materials('things.mtl', MATERIALS)
make_car()
make_small_things()
make_shed()
make_fittings()
