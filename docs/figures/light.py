# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw light, edges, weather and matter, each before and after, for docs/cameras.md and lidars-3d.md.

`python docs/figures/light.py` writes them into docs/images.
"""

from pathlib import Path
import tempfile

import numpy as np
from numpy.typing import NDArray
from panels import in_rows, Scale, titled
from PIL import Image as Picture
from places import IMAGES

from mvsim_ros2 import Simulation
from mvsim_ros2.pictures.overlays import colours_of

Pixels = NDArray[np.uint8]

WORLD = """<mvsim_world version="1.0">{air}
  <lights><light_elevation_deg>45</light_elevation_deg><light_azimuth_deg>50</light_azimuth_deg>
    {lights}</lights>
  <element class="horizontal_plane"><x_min>-15</x_min><x_max>15</x_max><y_min>-15</y_min>
    <y_max>15</y_max><color>#b8b090</color>{ground}</element>
  <element class="vertical_plane"><x0>7</x0><y0>-8</y0><x1>7</x1><y1>4</y1><height>2.2</height>
    <color>#9098a8</color>{wall}</element>
  {blocks}{sensor}</mvsim_world>"""
BLOCK = """<block name="{name}"><static>true</static><init_pose>{pose}</init_pose>
  <color>{colour}</color>{matter}<geometry type="{shape}" {size}/></block>"""
THINGS = (('red', '6 -1 10', '#b04040', 'box', 'lx="0.5" ly="0.8" lz="1.2"'),
          ('brown', '3.4 1.6 20', '#a86a40', 'box', 'lx="0.9" ly="0.9" lz="0.7"'),
          ('green', '4 -0.6 25', '#409050', 'box', 'lx="0.9" ly="0.9" lz="1"'),
          ('ball', '2.6 -0.3 0', '#2060c0', 'sphere', 'radius="0.4"'))
CAMERA = """<sensor class="camera" name="s"><pose_3d>-0.6 0 1.9 -90 0 -107</pose_3d>
  <ncols>480</ncols><nrows>360</nrows><cx>239.5</cx><cy>179.5</cy><fx>420</fx><fy>420</fy>
  <renderer>{renderer}</renderer><antialiasing>{smooth}</antialiasing>
  <ambient_occlusion>{reach}</ambient_occlusion><lens_drops>{drops}</lens_drops></sensor>"""
LIDAR = """<sensor class="lidar3d" name="s"><pose_3d>0 0 1.2 0 0 0</pose_3d>
  <vert_nrays>96</vert_nrays><vert_fov_degrees>40</vert_fov_degrees><horz_nrays>1728</horz_nrays>
  <azimuth_min_degrees>-50</azimuth_min_degrees><azimuth_max_degrees>50</azimuth_max_degrees>
  <organised>true</organised><rolling>false</rolling><detection_range>30</detection_range>
  <layout>ouster</layout></sensor>"""
EVEN = """<ambient_sky_color>#a0a0a0</ambient_sky_color>
  <ambient_ground_color>#a0a0a0</ambient_ground_color>"""
LAMPS = """<light_ambient>0.04</light_ambient><light_color>#000000</light_color>
  <point_light position="2 2.5 2.2" color="#ff9040" diffuse="1.6" range="9" cast_shadows="true"/>
  <spot_light position="0 -2 2.5" direction="1 0.1 -0.3" color="#ffffff" diffuse="2.5"
    inner_cutoff_deg="14" outer_cutoff_deg="22" cast_shadows="true"/>"""
RAIN = '<weather rain="20"/>'
CLOUDS = '<light_color>#404040</light_color><light_ambient>0.8</light_ambient>'
SHINY = '<material specular="0.8" shininess="60"/>'
RANGES = Scale('1.6', '20 m, log.')
ECHOES = Scale('0', '400')
SIGN = '<material retroreflection="100"/>'


def measured(sensor: str, air: str = '', lights: str = '', matter: str = '', ground: str = '',
             wall: str = '') -> Pixels | NDArray[np.void]:
    """Return the image, or the points, of a sensor in the small world."""
    blocks = ''.join(BLOCK.format(name=name, pose=pose, colour=colour, shape=shape, size=size,
                                  matter=matter)
                     for name, pose, colour, shape, size in THINGS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'light.world.xml'
        path.write_text(WORLD.format(air=air, lights=lights, ground=ground, wall=wall,
                                     blocks=blocks, sensor=sensor), encoding='utf-8')
        seen = Simulation.from_file(path, seed=1).measure('s')
    return seen.pixels if hasattr(seen, 'pixels') else seen.points


def camera(smooth: bool, renderer: str = 'gl', reach: float = 0.0, drops: float = 0.0,
           **world: str) -> Pixels:
    """Return what the camera sees."""
    return measured(CAMERA.format(smooth=str(smooth).lower(), renderer=renderer, reach=reach,
                                  drops=drops), **world)


def ranges(**world: str) -> Pixels:
    """Return ranges of the LiDAR in colours; grey where nothing came back."""
    metres = measured(LIDAR, **world)['range'].reshape(96, -1).astype(float) / 1000.0
    metres[metres == 0.0] = np.nan
    return taller(colours_of(np.log(metres), 0.5, 3.0))


def echoes(**world: str) -> Pixels:
    """Return intensities of the LiDAR in colours."""
    power = measured(LIDAR, **world)['intensity'].reshape(96, -1)
    return taller(colours_of(np.sqrt(power), 0, 20))


def taller(rows: Pixels) -> Pixels:
    """Return rings of a LiDAR from the highest down, each two pixels high."""
    return rows[::-1].repeat(2, axis=0)


def enlarged(pixels: Pixels, left: int, top: int) -> Pixels:
    """Return 80 x 60 pixels of an image, each six times as wide."""
    return pixels[top:top + 60, left:left + 80].repeat(6, axis=0).repeat(6, axis=1)


def save(name: str, *rows: tuple[Pixels, ...]) -> None:
    """Write rows of images."""
    Picture.fromarray(in_rows(*rows)).save(IMAGES / f'sensors_{name}.png', optimize=True)


def main() -> None:
    """Draw all."""
    fog = '<weather fog_visibility="25"/>'
    before, after = camera(False, lights=EVEN), camera(True)
    save('light', (titled(before, 'Even light, no antialiasing'), titled(after, 'As it is drawn')),
         (titled(camera(True, lights=LAMPS, matter=SHINY), 'At night, by two lamps'),
          titled(camera(True, air=fog), 'In fog with 25 m of sight')))
    save('occlusion', (
        titled(camera(True, lights=CLOUDS), 'Below clouds'),
        titled(camera(True, lights=CLOUDS, reach=1.0), 'With ambient occlusion')))
    save('drops', (titled(camera(True, air=RAIN), 'Rain'),
                   titled(camera(True, air=RAIN, drops=2.0), 'Rain, drops on the glass')))
    save('edges', tuple(titled(enlarged(image, 175, 180), title) for image, title in (
        (camera(False), 'Without antialiasing'), (after, 'With it, OpenGL'),
        (camera(True, 'cpu'), 'With it, rays'))))
    save('weather', (titled(ranges(), 'Clear air; grey: no echo', RANGES),
                     titled(ranges(air=fog), 'Fog, 25 m of sight', RANGES)),
         (titled(ranges(air='<weather rain="60"/>'), 'Rain, 60 mm/h', RANGES),
          titled(ranges(air='<weather snow="20"/>'), 'Snow, 20 mm/h', RANGES)))
    save('matter', (titled(echoes(), 'Matt things', ECHOES), titled(echoes(
        matter=SIGN, ground='<reflectivity>0.1</reflectivity>',
        wall='<material mirror="0.9"/>'), 'Retroreflectors, a mirror', ECHOES)))


if __name__ == '__main__':
    main()
