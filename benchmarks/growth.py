# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How time and memory grow with what there is in a world.

    python benchmarks/growth.py robots|blocks|segments|cells|triangles|pixels|exchange [SIZE ...]

Each size runs in a process of its own, through the public interface. Prints CPU time of loading
and building [s], of a step and of a measurement (the least of several, which other work on the
machine changes least), and the most memory that the process ever had [MB], of which some 70 are
Python. `exchange` measures what it costs two processes, each with one part of a large world, to
tell each other where SIZE robots at their common border are, and to place these as blocks.

* robots: of the class small_robot on a 3 m grid, driving circles, mode `physical`
* blocks: static, from one file, all of one class; beside one robot with a planar LiDAR
* segments: of short walls around such a robot; a scan has 360 rays of 30 m
* cells: of an occupancy grid with rooms and boxes, around such a robot
* triangles: of one mesh below a robot with a VLP-16
* pixels: of a camera for colour and depth, without shadows

:claim: Growth of time and memory with the number of objects in a world
:reference: smaller worlds
"""

from collections.abc import Callable
from dataclasses import replace
import math
import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path
import resource
import sys
import tempfile
import time

import numpy as np
from PIL import Image

from mvsim_ros2 import load_world, Pose, Simulation
from mvsim_ros2.jit.kernel import use_machine_code

SIZES = {
    'robots': (1, 10, 100, 1000, 3000, 10_000),
    'blocks': (100, 1000, 10_000, 100_000),
    'segments': (100, 1000, 10_000, 100_000),
    'cells': (250_000, 1_000_000, 4_000_000, 16_000_000, 64_000_000),
    'triangles': (1000, 10_000, 100_000, 1_000_000, 4_000_000),
    'pixels': (19_200, 76_800, 307_200, 1_228_800, 4_915_200),
    'exchange': (1, 10, 100, 1000, 10_000),
}
STEP = 0.005  # s
SCANNER = """<sensor class="laser" name="scan"><pose>0 0 0</pose><fov_degrees>360</fov_degrees>
  <nrays>360</nrays><max_range>30</max_range><height>0.3</height></sensor>"""
VLP16 = '<include file="{worlds}/sensors/vlp16.sensor.xml" sensor_name="lidar" sensor_z="2"/>'
CAMERA = """<sensor class="rgbd_camera" name="eye"><pose_3d>0 0 0.5 0 0 0</pose_3d>
    <antialiasing>false</antialiasing>
  <rgb_ncols>{w}</rgb_ncols><rgb_nrows>{h}</rgb_nrows><rgb_cx>{x}</rgb_cx><rgb_cy>{y}</rgb_cy>
  <rgb_fx>{x}</rgb_fx><rgb_fy>{x}</rgb_fy><depth_ncols>{w}</depth_ncols>
  <depth_nrows>{h}</depth_nrows><depth_cx>{x}</depth_cx><depth_cy>{y}</depth_cy>
  <depth_fx>{x}</depth_fx><depth_fy>{x}</depth_fy><{off}>false</{off}></sensor>"""
ROBOT = """<include file="{worlds}/vehicles/small_robot.vehicle.xml"/>
<vehicle name="r" class="small_robot"><init_pose>0 0 0</init_pose>{sensors}</vehicle>"""
WORLDS = Path(__file__).resolve().parents[1] / 'worlds'


def world_of(folder: Path, body: str, sensors: str = SCANNER) -> Path:
    """Write a world with one robot and return its file; without sensors also without it."""
    robot = ROBOT.format(worlds=WORLDS, sensors=sensors) if sensors else (
        f'<include file="{WORLDS}/vehicles/small_robot.vehicle.xml"/>')
    path = folder / 'growth.world.xml'
    path.write_text(f'<mvsim_world version="1.0"><simul_timestep>{STEP}</simul_timestep>'
                    f'{robot}{body}</mvsim_world>', encoding='utf-8')
    return path


def robots(folder: Path, count: int) -> tuple[Path, str]:
    """Return a world, and which sensor of it to measure with."""
    side = math.ceil(math.sqrt(count))
    body = ''.join(
        f'<vehicle name="r{i}" class="small_robot"><init_pose>{3 * (i % side)} {3 * (i // side)} '
        '0</init_pose></vehicle>' for i in range(count))
    return world_of(folder, body, ''), ''


def blocks(folder: Path, count: int) -> tuple[Path, str]:
    """See `robots`."""
    side = math.ceil(math.sqrt(count))
    body = ('<block:class name="b"><static>true</static><zmax>1</zmax><shape><pt>-0.2 -0.2</pt>'
            '<pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block:class>')
    body += ''.join(
        f'<block class="b" name="b{i}"><init_pose>{1.5 * (i % side - side / 2) + 0.75} '
        f'{1.5 * (i // side - side / 2) + 0.75} {i % 90}</init_pose></block>'
        for i in range(count))
    return world_of(folder, body), 'r/scan'


def segments(folder: Path, count: int) -> tuple[Path, str]:
    """See `robots`."""
    random = np.random.default_rng(0)
    radius, angle = np.sqrt(random.uniform(9.0, 900.0, count)), random.uniform(0, 6.28, count)
    turn = random.uniform(0, 6.28, count)
    x, y, dx, dy = radius * np.cos(angle), radius * np.sin(angle), np.cos(turn), np.sin(turn)
    points = ''.join(
        f'<pt>{a:.3f} {b:.3f}</pt><pt>{c:.3f} {d:.3f}</pt>' for a, b, c, d in zip(
            x, y, x + 0.2 * dx, y + 0.2 * dy, strict=True))
    return world_of(folder, '<walls><wallThickness>0.02</wallThickness><shape>'
                    f'{points}</shape></walls>'), 'r/scan'


def cells(folder: Path, count: int) -> tuple[Path, str]:
    """See `robots`."""
    side = round(math.sqrt(count))
    random = np.random.default_rng(0)
    picture = np.full((side, side), 255, np.uint8)
    picture[::200], picture[:, ::200] = 0, 0
    for x, y in random.integers(0, side, (count // 4000, 2)):
        picture[y:y + 12, x:x + 12] = 0
    middle = side // 2
    picture[middle - 40:middle + 40, middle - 40:middle + 40] = 255
    Image.fromarray(picture).save(folder / 'map.png')
    return world_of(folder, '<element class="occupancy_grid"><file>map.png</file><resolution>'
                    f'0.05</resolution><centerpixel_x>{middle}</centerpixel_x><centerpixel_y>'
                    f'{middle}</centerpixel_y></element>'), 'r/scan'


def triangles(folder: Path, count: int) -> tuple[Path, str]:
    """See `robots`."""
    side = round(math.sqrt(count / 2)) + 1
    across = np.linspace(-50.0, 50.0, side)
    x, y = (each.ravel() for each in np.meshgrid(across, across))
    z = 0.3 * np.sin(0.9 * x) * np.cos(0.7 * y) - 0.5
    corner = (np.arange(side - 1)[:, np.newaxis] * side + np.arange(side - 1)).ravel() + 1
    quads = np.stack([corner, corner + 1, corner + side + 1, corner + side], axis=1)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    with (folder / 'ground.obj').open('w', encoding='ascii') as file:
        np.savetxt(file, np.stack([x, y, z], axis=1), 'v %.4f %.4f %.4f')
        np.savetxt(file, faces, 'f %d %d %d')
    return world_of(
        folder, '<block name="ground"><static>true</static><intangible>true</intangible>'
        '<init_pose>0 0 0</init_pose><visual><model_uri>ground.obj</model_uri></visual></block>',
        VLP16.format(worlds=WORLDS)), 'r/lidar'


def pixels(folder: Path, count: int, off: str = 'sense_depth') -> tuple[Path, str]:
    """See `robots`."""
    h = round(math.sqrt(count * 3 / 4))
    w = round(count / h)
    boxes = ''.join(
        f'<block name="b{i}"><init_pose>{4 + i % 5} {i - 10} {9 * i}</init_pose><geometry '
        'type="box" lx="0.7" ly="0.5" lz="1.2"/></block>' for i in range(20))
    return world_of(
        folder, '<lights><enable_shadows>false</enable_shadows></lights><element class='
        f'"horizontal_plane"/>{boxes}',
        CAMERA.format(w=w, h=h, x=w / 2, y=h / 2, off=off)), 'r/eye'


def least(task: Callable[[], object], seconds: float = 0.6, most: int = 200) -> float:
    """Return the least CPU time of `task` [s]."""
    task()
    best, end = math.inf, time.perf_counter() + seconds
    for number in range(most):
        begin = time.process_time()
        task()
        best = min(best, time.process_time() - begin)
        if number > 1 and time.perf_counter() > end:
            break
    return best


def grow(what: str, size: int) -> str:
    """Return the line of one size."""
    use_machine_code()
    make = globals()[what]
    with tempfile.TemporaryDirectory() as folder:
        path, sensor = make(Path(folder), size)
        begin = time.process_time()
        world = load_world(path)
        loaded = time.process_time()
        simulation = Simulation(world)
        built = time.process_time()
        for number, vehicle in enumerate(simulation.vehicles.values()):
            vehicle.set_twist(0.4, 0.5 - number % 2)
        simulation.step(40)
        step = least(lambda: simulation.step(20)) / 20
        line = (f'{size:>10,} {loaded - begin:8.2f} {built - loaded:8.2f} {1e6 * step:10.1f} '
                f'{STEP / step:10,.1f}')
        if sensor:
            line += f' {1e3 * least(lambda: simulation.measure(sensor)):10.3f}'
        if what == 'pixels':
            depth = Simulation.from_file(pixels(Path(folder), size, 'sense_rgb')[0])
            line += f' {1e3 * least(lambda: depth.measure(sensor)):10.3f}'
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f'{line} {peak:8.0f}'


def answer(wire: Connection) -> None:
    """Send back all that comes, until it is empty."""
    while message := wire.recv_bytes():
        wire.send_bytes(message)


def exchange(count: int) -> str:
    """Return the line of one size."""
    use_machine_code()
    here, there = multiprocessing.Pipe()
    other = multiprocessing.get_context('spawn').Process(target=answer, args=(there,))
    other.start()
    poses = np.zeros((count, 9))  # pose and twist

    def tell() -> None:
        here.send_bytes(poses.tobytes())
        np.frombuffer(here.recv_bytes()).reshape(poses.shape)

    tell()
    walls = []
    for _ in range(300):
        begin = time.perf_counter()
        tell()
        walls.append(time.perf_counter() - begin)
    here.send_bytes(b'')
    other.join()
    with tempfile.TemporaryDirectory() as folder:
        world = load_world(blocks(Path(folder), 4)[0])
    ghost = replace(world.blocks[0], static=False)
    world = replace(world, blocks=tuple(
        replace(ghost, name=f'ghost{i}', init_pose=Pose(3.0 * i, 50.0))
        for i in range(min(count, 300))))
    simulation = Simulation(world, sensors=False)
    ghosts = {name: Pose(3.0 * i, 50.0) for i, name in enumerate(simulation.blocks)}

    def place() -> None:
        simulation.set_poses(ghosts)
        simulation.step()
    return (f'{count:>10,} {1e6 * float(np.median(walls)):12.1f} {1e6 * min(walls):10.1f} '
            f'{1e6 * least(place) / len(ghosts):16.2f}')


def main() -> None:
    """Print a table."""
    what, *sizes = sys.argv[1:] or ['']
    if what not in SIZES:
        sys.exit(f'give one of {", ".join(SIZES)}')
    if what == 'exchange':
        print(f'{what:>10} {"to and fro us":>12} {"least":>10} {"place one us":>16}')
    else:
        print(f'{what:>10} {"load s":>8} {"build s":>8} {"step us":>10} {"real time":>10}'
              + f' {"measure ms":>10}' * (what != 'robots') + f' {"depth ms":>10}' * (
                  what == 'pixels') + f' {"peak MB":>8}')
    for size in [int(each) for each in sizes] or SIZES[what]:
        if what == 'exchange':
            print(exchange(size), flush=True)
        else:
            with multiprocessing.get_context('spawn').Pool(1) as pool:
                print(pool.apply(grow, (what, size)), flush=True)


if __name__ == '__main__':
    main()
