# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The worlds of `original.py`, in tags that MVSim and this package both read.

`write_worlds` writes NAME.world.xml, and the commands of its vehicles as NAME.world.xml.twists:
lines of a name, m/s and rad/s.
"""

from collections.abc import Sequence
from itertools import product
import math
from pathlib import Path
import random

import numpy as np
from PIL import Image

SPACING = 4.0  # m between robots
SMALL_ROBOT = """<vehicle:class name="small_robot"><dynamics class="differential">
<l_wheel pos="0 0.5" mass="4" width="0.2" diameter="0.4"/>
<r_wheel pos="0 -0.5" mass="4" width="0.2" diameter="0.4"/>
<chassis mass="15" zmin="0.05" zmax="0.6"/>
<controller class="twist_pid"><KP>4.1543</KP><KI>1.9118</KI><KD>0</KD>
<max_torque>14.44</max_torque><V>0</V><W>0</W></controller>
</dynamics>
<friction class="default"><mu>0.7</mu><C_damping>0.1</C_damping><C_rr>0.01</C_rr></friction>
</vehicle:class>
"""
LASER = """<sensor class="laser" name="scan"><pose_3d>0 0 0.4 0 0 0</pose_3d>
<fov_degrees>360</fov_degrees><sensor_period>0.1</sensor_period><nrays>360</nrays>
<max_range>30</max_range><range_std_noise>0.01</range_std_noise>
<angle_std_noise_deg>0</angle_std_noise_deg><raytrace_3d>false</raytrace_3d></sensor>"""
COLOUR = """<sensor class="camera" name="camera"><pose_3d>0.3 0 1.2 -90 0 -90</pose_3d>
    <antialiasing>false</antialiasing>
<sensor_period>0.1</sensor_period><ncols>640</ncols><nrows>480</nrows><cx>320</cx><cy>240</cy>
<fx>400</fx><fy>400</fy><clip_min>0.01</clip_min><clip_max>1000</clip_max></sensor>"""
LIDARS = {'vlp16': (16, 1800, 30, 100), 'os1_64': (64, 1024, 45, 90),
          'os1_128': (128, 2048, 45, 90)}  # rings, columns, degrees, m


def vehicle(name: str, x: float, y: float, yaw: float = 0.0, sensor: str = '') -> str:
    """Return a robot; `yaw` in radians."""
    return (f'<vehicle name="{name}" class="small_robot"><init_pose>{x:.4f} {y:.4f} '
            f'{math.degrees(yaw):.3f}</init_pose>{sensor}</vehicle>\n')


def block(name: str, place: tuple[float, float, float], size: tuple[float, float, float],
          static: bool = True) -> str:
    """Return a box at x, y [m] and yaw [rad], of such a length, width and height [m]."""
    (x, y, yaw), (length, width, height) = place, size
    corners = ''.join(f'<pt>{a * length / 2:.3f} {b * width / 2:.3f}</pt>'
                      for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1)))
    return (f'<block name="{name}"><static>{str(static).lower()}</static><mass>3</mass>'
            f'<zmin>0</zmin><zmax>{height:.3f}</zmax><ground_friction>0.5</ground_friction>'
            f'<shape>{corners}</shape><init_pose>{x:.4f} {y:.4f} {math.degrees(yaw):.3f}'
            '</init_pose></block>\n')


def lidar(rings: int, columns: int, fov: float, reach: float, rolling: bool) -> str:
    """Return a LiDAR in space; MVSim does not know `rolling`, and takes snapshots."""
    return (f'<sensor class="lidar3d" name="lidar"><pose_3d>0 0 1.2 0 0 0</pose_3d>'
            f'<vert_fov_degrees>{fov}</vert_fov_degrees><vert_nrays>{rings}</vert_nrays>'
            f'<horz_nrays>{columns}</horz_nrays><sensor_period>0.1</sensor_period>'
            '<horz_resolution_factor>1</horz_resolution_factor>'
            '<vert_resolution_factor>1</vert_resolution_factor>'
            f'<min_range>0.3</min_range><max_range>{reach}</max_range>'
            '<range_std_noise>0.005</range_std_noise><generate_intensity>false'
            f'</generate_intensity><rolling>{str(rolling).lower()}</rolling></sensor>')


def depth_camera(colour: bool) -> str:
    """Return a camera for depth, or for colour and depth."""
    return ('<sensor class="rgbd_camera" name="camera"><pose_3d>0.3 0 1.2 0 0 0</pose_3d>'
            '<antialiasing>false</antialiasing>'
            '<relativePoseIntensityWRTDepth>0 0 0 -90 0 -90</relativePoseIntensityWRTDepth>'
            '<sensor_period>0.1</sensor_period><sense_depth>true</sense_depth>'
            f'<sense_rgb>{str(colour).lower()}</sense_rgb>'
            '<show_3d_pointcloud>false</show_3d_pointcloud>'
            '<publish_ros_colored_pointcloud>false</publish_ros_colored_pointcloud>'
            '<depth_ncols>640</depth_ncols><depth_nrows>480</depth_nrows>'
            '<depth_cx>320</depth_cx><depth_cy>240</depth_cy><depth_fx>400</depth_fx>'
            '<depth_fy>400</depth_fy><depth_resolution>1e-3</depth_resolution>'
            '<depth_clip_min>0.1</depth_clip_min><depth_clip_max>30</depth_clip_max>'
            '<depth_noise_sigma>1e-3</depth_noise_sigma><rgb_ncols>640</rgb_ncols>'
            '<rgb_nrows>480</rgb_nrows><rgb_cx>320</rgb_cx><rgb_cy>240</rgb_cy>'
            '<rgb_fx>400</rgb_fx><rgb_fy>400</rgb_fy></sensor>')


def grid_map(file: str, cells: int) -> str:
    """Return an occupancy grid around the origin, with cells of 10 cm."""
    return (f'<element class="occupancy_grid"><file>{file}</file><resolution>0.1</resolution>'
            f'<centerpixel_x>{cells // 2}</centerpixel_x><centerpixel_y>{cells // 2}'
            '</centerpixel_y></element>\n')


def robots(count: int, origin: float = 0.0, side: int = 0, sensor: str = '') -> str:
    """Return robots on a square grid, or one with `side` columns."""
    side = side or math.ceil(math.sqrt(count))
    return ''.join(vehicle(f'r{i}', origin + SPACING * (i % side), origin + SPACING * (i // side),
                           sensor=sensor) for i in range(count))


def crowd() -> str:
    """Return 50 robots side by side and behind each other."""
    return ''.join(vehicle(f'r{i}', 0.95 * (i // 5), 1.22 * (i % 5)) for i in range(50))


def arena() -> str:
    """Return 50 robots, and between them 40 boxes that they can push."""
    chance = random.Random(3)
    walls = ((0, 18, 36, .2), (0, -18, 36, .2), (18, 0, .2, 36), (-18, 0, .2, 36))
    return robots(50, -14.0) + ''.join(
        block(f'wall{i}', (x, y, 0), (length, width, 1))
        for i, (x, y, length, width) in enumerate(walls)) + ''.join(
        block(f'b{i}', (-12.0 + 4.0 * (i % 7) + chance.uniform(-.4, .4),
                        -12.0 + 4.0 * (i // 7) + chance.uniform(-.4, .4), chance.uniform(0, 6)),
              (0.6, 0.6, 0.5), static=False) for i in range(40))


def hall(count: int, sensor: str) -> str:
    """Return robots in the hall of `lidar2d.py`, whose walls are blocks here."""
    low, high = -SPACING, SPACING * math.ceil(math.sqrt(count))
    middle, length = (low + high) / 2, high - low
    door = (length - 1) / 2
    inside = low + SPACING / 2
    walls = ((middle, low, length, .1), (middle, high, length, .1), (low, middle, .1, length),
             (high, middle, .1, length), (inside, low + door / 2, .1, door),
             (inside, high - door / 2, .1, door))
    between = np.arange(inside, high - 1e-9, 2 * SPACING)
    return ''.join(block(f'wall{i}', (x, y, 0), (a, b, 2))
                   for i, (x, y, a, b) in enumerate(walls)) + ''.join(
        block(f'box{i}', (x, y, 0.3 * i), (1, 1, 1))
        for i, (x, y) in enumerate(product(between, between))) + robots(count, sensor=sensor)


def boxes(sensor: str) -> str:
    """Return 100 boxes in a hall of 40 m, 20 robots among them, and one that has a sensor."""
    chance = random.Random(1)
    body = ('<element class="horizontal_plane"><x_min>-22</x_min><y_min>-22</y_min><x_max>22'
            '</x_max><y_max>22</y_max><z>0</z></element>\n')
    walls = ((0, 20, 44, .5), (0, -20, 44, .5), (20, 0, .5, 44), (-20, 0, .5, 44))
    body += ''.join(block(f'wall{i}', (x, y, 0), (a, b, 6))
                    for i, (x, y, a, b) in enumerate(walls))
    places: list[tuple[float, float]] = []
    while len(places) < 120:
        place = chance.uniform(-18, 18), chance.uniform(-18, 18)
        if math.hypot(*place) > 2.5 and all(math.dist(place, other) > 2.0 for other in places):
            places.append(place)
    for i, place in enumerate(places[:100]):
        body += block(f'b{i}', (*place, chance.uniform(0, 6)), (
            chance.uniform(.5, 1.5), chance.uniform(.5, 1.5), chance.uniform(.5, 2)))
    for i, place in enumerate(places[100:]):
        body += vehicle(f'v{i}', *place, chance.uniform(0, 6))
    return body + vehicle('eye', 0, 0, sensor=sensor)


def write(folder: Path, name: str, body: str,
          twists: Sequence[tuple[str, float, float]] = ()) -> None:
    """Write a world; `<lights>` are the same for all, but for shadows."""
    shadows = str(name == 'boxes_colour_shadows').lower()
    path = folder / f'{name}.world.xml'
    path.write_text(
        '<mvsim_world version="1.0">\n<simul_timestep>0.005</simul_timestep>\n'
        f'<lights><enable_shadows>{shadows}</enable_shadows></lights>\n{SMALL_ROBOT}{body}'
        '</mvsim_world>\n', encoding='utf-8')
    Path(f'{path}.twists').write_text(
        ''.join(f'{name} {v} {w}\n' for name, v, w in twists), encoding='utf-8')


def all_of(count: int, v: float, w: float, letter: str = 'r') -> list[tuple[str, float, float]]:
    """Return one command for all robots."""
    return [(f'{letter}{i}', v, w) for i in range(count)]


def write_worlds(folder: Path) -> None:
    """Write all worlds into a folder."""
    for count in (1, 10, 50, 100, 200, 1000):
        write(folder, f'robots_{count}', robots(count), all_of(count, 0.5, 0.5))
    write(folder, 'crowd', crowd(), [
        (f'r{i}', 0.3 if i // 5 % 2 == 0 else -0.3, 0.0) for i in range(50)])
    write(folder, 'arena', arena(), all_of(50, 0.6, 0.3))
    rooms = np.full((400, 400), 255, np.uint8)
    rooms[::40], rooms[:, ::40] = 0, 0
    Image.fromarray(rooms).save(folder / 'rooms.png')
    write(folder, 'map_50', grid_map('rooms.png', 400) + robots(50, -18.0, 10),
          all_of(50, 0.3, 0.6))
    write(folder, 'map_wall', grid_map('rooms.png', 400) + vehicle('r0', -2, -2),
          all_of(1, 0.5, 0.1))
    for count in (1, 100):
        for name, sensor in (('bare', ''), ('laser', LASER)):
            write(folder, f'hall_{count}_{name}', hall(count, sensor), all_of(count, 0.1, 0.1))
    eyes = {'bare': '', 'colour': COLOUR, 'colour_shadows': COLOUR, 'depth': depth_camera(False),
            'rgbd': depth_camera(True)}
    for name, numbers in LIDARS.items():
        eyes[name] = lidar(*numbers, False)
        eyes[f'{name}_rolling'] = lidar(*numbers, True)
    for name, sensor in eyes.items():
        write(folder, f'boxes_{name}', boxes(sensor), all_of(20, 0.2, 0.4, 'v'))
    write(folder, 'blocks_10000', ''.join(
        block(f'b{i}', (3.0 * (i % 100), 3.0 * (i // 100), 0), (1, 1, 1)) for i in range(10_000))
        + vehicle('r0', -5, -5))
    frame = np.zeros((4000, 4000), np.uint8)
    frame[1:-1, 1:-1] = 255
    Image.fromarray(frame).save(folder / 'frame.png')
    write(folder, 'map_4000', grid_map('frame.png', 4000) + vehicle('r0', 0, 0))
