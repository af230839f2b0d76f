# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw a picture for each kind of sensor into docs/images, for its section of the pages of sensors.

`python docs/figures/sensors.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
import tempfile
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panels import in_rows, Scale, titled
from PIL import Image as Picture
from places import DOCS, IMAGES

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures import save_figure
from mvsim_ros2.pictures.figures import COLOURS, legend, new_figure, panel
from mvsim_ros2.pictures.overlays import colours_of
from mvsim_ros2.pictures.perspective import draw_view, with_pose
from mvsim_ros2.pictures.viewpoint import camera
from mvsim_ros2.world.spec import WorldSpec

Pixels = NDArray[np.uint8]
TIME = 'time [s]'

WORLDS = DOCS.parent / 'worlds'
BLUE, ORANGE, GREEN = COLOURS[:3]
GREY = '0.7'  # of what is true, below what is measured
WIDE = 4.4, 2.8  # inches, of one of two panels
CART = """<mvsim_world version="1.0">
  <georeference><latitude>50.1</latitude><longitude>14.4</longitude><height>250</height>
  </georeference>
  <element class="horizontal_plane"/>
  <block name="wall"><static>true</static><init_pose>4 -5 0</init_pose>
    <shape_from_visual/><geometry type="box" lx="1" ly="10" lz="2"/></block>
  <vehicle:class name="cart">
    <dynamics class="differential"><chassis mass="10" zmin="0.05" zmax="0.3"><shape>
      <pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></chassis>
      <l_wheel pos="0 0.23" mass="1" width="0.04" diameter="0.2"/>
      <r_wheel pos="0 -0.23" mass="1" width="0.04" diameter="0.2"/>
      <controller class="twist_ideal"/></dynamics>
    <friction class="default"/>
  </vehicle:class>
  <vehicle name="cart" class="cart"><init_pose>0 0 0</init_pose>{sensors}</vehicle>
</mvsim_world>"""


RADAR = """<mvsim_world version="1.0">{}
  <sensor class="radar" name="r"><pose_3d>0 0 0.9 0 0 0</pose_3d></sensor></mvsim_world>"""
RADAR_TARGETS = {
    'car': '<vehicle name="car"><init_pose>{}</init_pose><dynamics class="differential">'
           '<l_wheel pos="2 0.5" diameter="0.1"/><r_wheel pos="2 -0.5" diameter="0.1"/>'
           '<chassis mass="1000" zmin="0.25" zmax="1.75"><shape><pt>0 -0.9</pt><pt>4 -0.9</pt>'
           '<pt>4 0.9</pt><pt>0 0.9</pt></shape></chassis></dynamics></vehicle>',
    'corner reflector': '<block name="corner"><static>true</static><init_pose>{}</init_pose>'
                        '<zmin>0.8</zmin><zmax>1</zmax><material radar_section="14.4"/><shape>'
                        '<pt>0 -0.1</pt><pt>0.2 -0.1</pt><pt>0.2 0.1</pt><pt>0 0.1</pt></shape>'
                        '</block>',
    'person': '<actor name="walker"><init_pose>{}</init_pose></actor>',
    'pole of 5 cm': '<block name="pole"><init_pose>{}</init_pose><static>true</static>'
                    '<geometry type="cylinder" radius="0.025" length="2"/></block>'}


def world_of(sensors: str) -> WorldSpec:
    """Return a cart before a wall, with some sensors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'cart.world.xml'
        path.write_text(CART.format(sensors=sensors), encoding='utf-8')
        return load_world(path)


def definition(name: str, **values: object) -> str:
    """Return what includes a definition of worlds/sensors."""
    given = ' '.join(f'{key}="{value}"' for key, value in values.items())
    return f'<include file="{WORLDS}/sensors/{name}.sensor.xml" {given}/>'


def robot_in(world: str, sensors: str) -> Simulation:
    """Return a shipped world in which the first robot has these sensors, and no other has any."""
    loaded = load_world(WORLDS / f'{world}.world.xml')
    first, *others = loaded.vehicles
    mounted = world_of(sensors).vehicles[0].sensors
    return Simulation(replace(loaded, sensors=(), vehicles=(
        replace(first, sensors=mounted), *(replace(each, sensors=()) for each in others))))


def save(name: str, pixels: Pixels | Picture.Image) -> None:
    """Write an image in full colour."""
    picture = pixels if isinstance(pixels, Picture.Image) else Picture.fromarray(pixels)
    picture.convert('RGB').save(IMAGES / f'sensors_{name}.webp', quality=90, method=6)


def half(pixels: Pixels) -> Pixels:
    """Return an image of half the size."""
    picture = Picture.fromarray(np.ascontiguousarray(pixels))
    return np.array(picture.resize((picture.width // 2, picture.height // 2),
                                   Picture.Resampling.BOX))


def laser() -> None:
    """Draw what a planar scanner measures in the demo world."""
    simulation = robot_in('demo', definition('hokuyo'))
    sensor = next(iter(simulation.sensors.values()))
    pose = simulation.vehicles[sensor.vehicle].pose
    view = camera((pose.x + 1, pose.y - 4, 13.0), (pose.x + 3, pose.y + 1, 0.0), 720, 400)
    save('laser', draw_view(simulation, view, [with_pose(simulation, sensor.measure())]))


def lidar3d() -> None:
    """Draw ranges and intensities of a LiDAR of 128 rings, as the robot sees them."""
    simulation = robot_in('outdoor', definition('ouster_os1', sensor_z=1.2))
    sensor = next(iter(simulation.sensors.values()))
    points = side_by_azimuth(sensor.measure().points, sensor.spec.azimuth_offsets)
    order = points['range'].astype(float)
    order[order == 0] = np.nan
    save('lidar3d', in_rows(
        (titled(colours_of(np.log(order / 1000), 0.5, 4.5), 'Ranges; grey: no echo',
                Scale('1.6', '90 m, logarithmic')),),
        (titled(colours_of(points['intensity'].astype(float), 0, 120), 'Intensities',
                Scale('0', '120 of 255')),)))


def side_by_azimuth(points: NDArray[Any], offsets: Sequence[float]) -> NDArray[Any]:
    """Return rings from the top so shifted that those of one azimuth [rad] form a column."""
    rings, columns = points.shape
    shifts = np.rint(np.resize(offsets, rings)[::-1] * columns / (2.0 * np.pi)).astype(int)
    return np.stack([np.roll(ring, -shift) for ring, shift in zip(points, shifts, strict=True)])


def cameras() -> None:
    """Draw an image, its labels, motion blur, and what a rolling shutter makes of a turn."""
    parts = []
    for title, extra in (
            ('Colours', '<labels>true</labels>'),
            ('Blurred by a turn: exposed for 80 ms', '<exposure_time>0.08</exposure_time>'
             '<exposure_samples>24</exposure_samples>'),
            ('Bent: read out in 150 ms', '<readout_time>0.15</readout_time>'
             '<readout_bands>120</readout_bands><sensor_period>0.2</sensor_period>')):
        simulation = robot_in('outdoor', '<sensor class="camera" name="camera">'
                              f'<pose_3d>0.4 0 0.9 -90 0 -90</pose_3d>{extra}</sensor>')
        simulation.set_pose('rover', Pose(-6.0, -8.0, 4.0, 0.75, 0.0, 0.0), (1.0, 0.0, 1.2))
        image = simulation.sensors['rover/camera'].measure()
        parts.append(titled(half(image.pixels), title))
        if image.labels:
            parts.append(titled(half(colours_of(image.labels.thing.astype(float) * 7 % 23)),
                                'Labels: a colour for each thing'))
    save('camera', in_rows((parts[0], parts[1]), (parts[2], parts[3])))


def rgbd() -> None:
    """Draw colour and depth."""
    simulation = robot_in('outdoor', definition('rgbd', sensor_x=0.4, sensor_z=0.8))
    simulation.set_pose('rover', Pose(-1.5, -2.5, 4.0, 0.75, 0.0, 0.0))
    images = next(iter(simulation.sensors.values())).measure()
    save('rgbd', in_rows((
        titled(half(images.colour.pixels), 'Colours'),
        titled(half(colours_of(images.depth.depth, 0.5, 10.0)), 'Depths',
               Scale('0.5', '10 m')))))


def driven(sensors: str, drive: list[tuple[float, float, float]]) -> tuple[
        Simulation, dict[str, list[tuple[float, Any, Pose]]]]:
    """Return what sensors measured while a cart drove: time, observation and true pose."""
    simulation = Simulation(world_of(sensors), seed=3)
    seen: dict[str, list[tuple[float, Any, Pose]]] = {}
    for speed, turn, until in drive:
        simulation.vehicles['cart'].set_twist(speed, turn)
        while simulation.time < until:
            for each in simulation.step():
                seen.setdefault(each.sensor.split('/')[-1], []).append(
                    (simulation.time, each, simulation.vehicles['cart'].pose))
    return simulation, seen


def imu() -> None:
    """Draw rates and accelerations of a cart that starts and drives a circle."""
    _, seen = driven(definition('imu_mems'), [(0, 0, 1.0), (1.0, 0.8, 5.0), (0, 0, 6.0)])
    times = [time for time, *_ in seen['imu']]
    figure, ((left, right),) = new_figure(1, 2, size=WIDE)
    for row, (name, colour) in enumerate(zip('xyz', (BLUE, ORANGE, GREEN), strict=True)):
        left.plot(times, [each.angular_velocity[row] for _, each, _ in seen['imu']],
                  color=colour, lw=0.6, label=name)
        right.plot(times, [each.linear_acceleration[row] for _, each, _ in seen['imu']],
                   color=colour, lw=0.8, label=name)
    panel(left, 'Turn rate', TIME, 'turn rate [rad/s]')
    panel(right, 'Specific force', TIME, 'specific force [m/s²]')
    right.set_ylim(-3, 12)
    for axes in left, right:
        legend(axes, title='axis', loc='center right')
    save_figure(figure, IMAGES / 'sensors_imu.png')


def gnss() -> None:
    """Draw fixes of two receivers along a circle, the truth below."""
    simulation = Simulation(world_of(
        definition('gnss', sensor_period_sec=0.2, sensor_name='single')
        + '<sensor class="gnss" name="rtk"><fix>rtk</fix><sensor_period>0.1</sensor_period>'
        '<horizontal_std_noise>0.008</horizontal_std_noise>'
        '<event fix="none" start="9" end="12"/></sensor>'), seed=3)
    simulation.vehicles['cart'].set_twist(1.0, 0.4)
    figure, ((axes,),) = new_figure(1, 1, size=(6.4, 4.0))
    truth, places = [], {'single': [], 'rtk': []}
    metres = np.array([111_320 * np.cos(np.radians(50.1)), 111_240])
    while simulation.time < 14:
        for each in simulation.step():
            places[each.sensor.split('/')[-1]].append(
                (np.array([each.longitude, each.latitude]) - (14.4, 50.1)) * metres)
        pose = simulation.vehicles['cart'].pose
        truth.append((pose.x, pose.y))
    axes.plot(*np.array(truth).T, color=GREY, lw=4, label='true path')
    axes.plot(*np.array(places['single']).T, '.', color=ORANGE, ms=4, label='single, 1.5 m')
    axes.plot(*np.array(places['rtk']).T, '.', color=BLUE, ms=3, label='RTK, 8 mm, none for 3 s')
    axes.set_aspect('equal')
    legend(axes, loc='upper left', bbox_to_anchor=(1.0, 1.0))
    panel(axes, 'Fixes along a circle', 'east [m]', 'north [m]')
    save_figure(figure, IMAGES / 'sensors_gnss.png')


def radar() -> None:
    """Draw how often a radar detects things, beside what the radar equation says."""
    figure, ((axes,),) = new_figure(1, 1, size=(7.4, 3.2))
    distances = np.arange(10.0, 99.0, 8.0)
    for (name, thing), colour in zip(RADAR_TARGETS.items(), COLOURS, strict=False):
        found, expected = [], []
        for distance in distances.tolist():
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / 'radar.world.xml'
                path.write_text(RADAR.format(thing.format(f'{distance} 0.3 0')), encoding='utf-8')
                simulation = Simulation.from_file(path, seed=1)
            found.append(np.mean([len(simulation.measure('r').distance) > 0
                                  for _ in range(150)]))
            simulation.set_noise(False)
            section = simulation.measure('r').rcs[0]
            ratio = (np.log(1e-6) / np.log(0.5) - 1.0) * section / 10.0 * (80.0 / distance) ** 4
            expected.append(1e-6 ** (1.0 / (1.0 + ratio)))
        axes.plot(distances, expected, color=colour, lw=1,
                  label=f'{name}, {10.0 * np.log10(section):.0f} dBsm')
        axes.plot(distances, found, 'o', color=colour, ms=4)
    panel(axes, 'Detections of a radar: line, radar equation; dots, 150 sweeps each',
          'distance [m]', 'share detected')
    legend(axes)
    save_figure(figure, IMAGES / 'sensors_radar.png')


def wheels_and_bumper() -> None:
    """Draw encoders and a bumper of a cart that drives into the wall."""
    _, seen = driven(definition('wheel_encoders', ticks=64) + definition('bumper'),
                     [(0.6, 0.6, 1.5), (0.6, -0.6, 3.0), (0.9, 0.0, 6.0)])
    figure, ((left, right),) = new_figure(1, 2, size=WIDE)
    encoders = seen['wheel_encoders']
    for row, (name, colour) in enumerate((('left', BLUE), ('right', ORANGE))):
        left.step([time for time, *_ in encoders],
                  [each.ticks[row] for _, each, _ in encoders], color=colour, lw=0.8, label=name)
    panel(left, 'Wheel encoders of 64 ticks a turn', TIME, 'ticks')
    legend(left, title='wheel')
    right.step([time for time, *_ in seen['bumper']],
               [each.pressed for _, each, _ in seen['bumper']], color=BLUE)
    right.set_yticks([0, 1], ['free', 'pressed'])
    panel(right, 'Bumper that meets a wall', TIME, '')
    save_figure(figure, IMAGES / 'sensors_wheels.png')


def ranges() -> None:
    """Draw range finders of a cart that drives up to the wall and turns."""
    _, seen = driven(definition('sonar') + definition('infrared'),
                     [(0.7, 0.0, 4.6), (0.0, 0.6, 7.5)])
    figure, ((axes,),) = new_figure(1, 1, size=(8.8, 3.0))
    times = [time for time, *_ in seen['sonar']]
    axes.plot(times, [(3.8 - pose.x) / np.cos(pose.yaw) if pose.yaw < 1.3 else np.nan
                      for *_, pose in seen['sonar']], color=GREY, lw=4,
              label='from the sensor straight ahead to the wall')
    for name, colour in (('sonar', BLUE), ('infrared', ORANGE)):
        distance = np.array([each.distance for _, each, _ in seen[name]])
        axes.plot([time for time, *_ in seen[name]],
                  np.where(np.isfinite(distance), distance, np.nan), '.', color=colour, ms=3,
                  label=name)
    axes.set_ylim(0, 4)
    panel(axes, 'Range finders: up to a wall, then turning away', TIME, 'distance [m]')
    legend(axes)
    save_figure(figure, IMAGES / 'sensors_ranges.png')


def field_and_air() -> None:
    """Draw a magnetometer that turns once round, and a barometer at rest."""
    _, seen = driven(definition('magnetometer') + definition('barometer', drift=0.5),
                     [(0.0, 0.628, 10.0)])
    figure, ((left, right),) = new_figure(1, 2, size=WIDE)
    fields = 1e6 * np.array([each.field for _, each, _ in seen['mag']])
    left.plot(fields[:, 0], fields[:, 1], '.', color=BLUE, ms=2)
    left.set_aspect('equal')
    panel(left, 'Magnetometer, one turn', 'x of the sensor [µT]', 'y of the sensor [µT]')
    right.plot([time for time, *_ in seen['pressure']],
               [0.01 * each.pressure for _, each, _ in seen['pressure']], color=BLUE, lw=0.8)
    right.ticklabel_format(useOffset=False)
    panel(right, 'Barometer, 250 m above the sea', TIME, 'pressure [hPa]')
    save_figure(figure, IMAGES / 'sensors_field_air.png')


if __name__ == '__main__':
    for draw in (laser, lidar3d, cameras, rgbd, imu, gnss, radar,
                 wheels_and_bumper, ranges, field_and_air):
        draw()
