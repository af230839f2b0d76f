# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of worlds show what there is, where it is."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.cli import main
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.frames import Pose
from mvsim_ros2.pictures.canvas import LEFT, round_length, ticks, TOP
from mvsim_ros2.pictures.top_view import draw_top_view, MARGIN, save_picture, scan_view, TRUTH
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.world.spec.actor import ActorSpec
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.elements.occupancy_grid import OccupancyGridSpec
from mvsim_ros2.world.spec.elements.vertical_plane import OpeningSpec, VerticalPlaneSpec
from mvsim_ros2.world.spec.grid import HeightMap, OccupancyMap
from mvsim_ros2.world.spec.vehicle.controller import FrontSteerPidController
from mvsim_ros2.world.spec.vehicle.dynamics import AckermannSpec, ChassisSpec
from mvsim_ros2.world.spec.vehicle.parts import WheelSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
SCALE = 40.0  # px/m
ROOM = WorldSpec(
    elements=(
        VerticalPlaneSpec(x0=0, y0=0, x1=6, y1=0, thickness=0.2, color=(0.2, 0.2, 0.2, 1.0),
                          doors=(OpeningSpec(position=0.5, width=1.0),),
                          windows=(OpeningSpec(position=0.9, width=1.0),)),
        VerticalPlaneSpec(x0=0, y0=5, x1=6, y1=5, thickness=0.2),
    ),
    blocks=(BlockSpec(name='crate', init_pose=Pose(1.0, 1.0), color=(0.0, 0.5, 0.0, 1.0)),))


def colour_at(pixels: np.ndarray, x: float, y: float) -> tuple[int, ...]:
    """Return the colour at a point of `ROOM`, whose picture spans its walls and a margin."""
    row = TOP + round((5.1 + MARGIN - y) * SCALE)
    return tuple(pixels[row, LEFT + round((x + MARGIN) * SCALE)])


def picture_of_room(world: WorldSpec = ROOM, **options: Any) -> np.ndarray:
    """Return the pixels of a picture of `ROOM`."""
    return np.asarray(draw_top_view(world, pixels_per_metre=SCALE, **options))


def test_blocks_and_walls_are_where_they_are() -> None:
    pixels = picture_of_room()
    red, green, blue = colour_at(pixels, 1.0, 1.0)
    assert green > 1.5 * red and green > 1.5 * blue
    assert colour_at(pixels, 1.0, 0.0) == (51, 51, 51)  # wall
    assert min(colour_at(pixels, 3.0, 0.0)) > 200  # door
    red, _, blue = colour_at(pixels, 5.4, 0.0)
    assert blue > red + 30  # window
    assert min(colour_at(pixels, 1.0, 3.0)) > 200  # nothing there: y points up


def test_poses_move_things() -> None:
    pixels = picture_of_room(poses={'crate': Pose(1.0, 3.0)})
    assert min(colour_at(pixels, 1.0, 1.0)) > 200
    assert colour_at(pixels, 1.0, 3.0)[0] < 100


def test_a_path_is_drawn_over_everything() -> None:
    pixels = picture_of_room(path=[(0.2, 1.0), (5.5, 1.0)], odometry_path=[(0.2, 2.0), (5, 2)])
    assert colour_at(pixels, 1.0, 1.0) == TRUTH[:3]
    assert colour_at(pixels, 4.0, 1.0) == TRUTH[:3]


def test_a_robot_is_drawn_in_its_colour() -> None:
    robot = VehicleSpec(name='r', init_pose=Pose(4.0, 2.5))
    pixels = picture_of_room(replace(ROOM, vehicles=(robot,)))
    assert colour_at(pixels, 4.3, 2.85)[0] > 200 > colour_at(pixels, 4.3, 2.85)[1]


def test_solid_cells_are_dark() -> None:
    values = np.zeros((10, 10), np.int8)
    values[2, 3] = 100
    grid = OccupancyGridSpec(occupancy=OccupancyMap(values, 0.5, 0.0, 0.0))
    pixels = picture_of_room(replace(ROOM, elements=(*ROOM.elements, grid), blocks=()))
    assert max(colour_at(pixels, 1.75, 1.25)) < 100
    assert min(colour_at(pixels, 1.25, 1.75)) > 200


@pytest.mark.parametrize('world', [
    pytest.param(WorldSpec(), id='nothing'),
    pytest.param(WorldSpec(vehicles=(VehicleSpec(name='r'),)), id='a robot alone'),
])
def test_worlds_without_anything_solid(world: WorldSpec) -> None:
    assert min(draw_top_view(world).size) > 300


def scan(ranges: list[float], increment: float) -> LaserScan2D:
    """Return a scan that starts straight ahead."""
    count = len(ranges)
    return LaserScan2D('r/scan', 'scan', 1, 0.0, increment * (count - 1), increment, 0.0, 0.1,
                       0.1, 8.0, np.array(ranges, np.float32))


def test_a_scan_is_placed_in_the_world() -> None:
    view = scan_view(scan([1.0, np.inf, -np.inf, 2.0], np.pi / 2), Pose(1.0, 2.0, yaw=np.pi / 2))
    np.testing.assert_allclose(view.ends, [(1, 3), (-7, 2), (1, 2), (3, 2)], atol=1e-6)
    assert view.hit.tolist() == [True, False, False, True]
    assert view.full_circle


def test_a_scan_of_a_sector_is_no_full_circle() -> None:
    view = scan_view(scan([1.0] * 181, np.pi / 180), Pose(3.0, 2.5))
    assert not view.full_circle
    pixels = picture_of_room(scan=view)
    red, green, _ = colour_at(pixels, 3.0, 2.8)
    assert green > red + 15


@pytest.mark.parametrize('longest, expected', [(2.75, 2.0), (1.0, 1.0), (9.9, 5.0), (0.3, 0.2)])
def test_round_lengths(longest: float, expected: float) -> None:
    assert round_length(longest) == pytest.approx(expected)


def test_ticks_are_multiples_within_the_limits() -> None:
    assert ticks(-1.2, 2.0, 0.5) == [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]


def test_a_picture_is_saved_where_asked(tmp_path: Path) -> None:
    picture = draw_top_view(WorldSpec())
    save_picture(picture, tmp_path / 'new' / 'a.png')
    assert (tmp_path / 'new' / 'a.png').read_bytes().startswith(b'\x89PNG')
    with pytest.raises(RecordingError, match='cannot be written'):
        save_picture(picture, tmp_path / 'a.nonsense')


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / 'demo.png'
    assert main(['picture', str(WORLDS / 'two_robots.world.xml'), '-o', str(target)]) == 0
    assert target.stat().st_size > 10_000
    assert 'pixels' in capsys.readouterr().out


@pytest.mark.parametrize('arguments, message', [
    pytest.param(['picture', 'absent.world.xml'], 'absent.world.xml', id='no such world'),
    pytest.param(['picture', str(WORLDS / 'empty.world.xml'), '-o', 'x.nonsense'],
                 'the ending sets the format', id='unknown format'),
])
def test_the_command_fails_in_one_line(
        arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count('\n') == 1


def test_actors_are_drawn_where_they_are() -> None:
    world = replace(ROOM, actors=(ActorSpec('eve', init_pose=Pose(2.0, 3.0)),))
    begun = picture_of_room(world)
    gone = picture_of_room(world, poses={'eve': Pose(4.0, 3.0)})
    empty = picture_of_room()
    for x, picture in ((2.0, begun), (4.0, gone)):
        assert colour_at(picture, x - 0.2, 3.0) != colour_at(empty, x - 0.2, 3.0)
    assert colour_at(gone, 1.8, 3.0) == colour_at(empty, 1.8, 3.0)


def test_a_picture_has_room_for_actors() -> None:
    world = WorldSpec(actors=(ActorSpec('eve', init_pose=Pose(40.0, 0.0)),
                              ActorSpec('bob', init_pose=Pose(0.0, 0.0))))
    picture = draw_top_view(world, pixels_per_metre=10.0)
    assert picture.width > 400


@pytest.mark.parametrize('given', [True, False], ids=['given', 'of_the_controller'])
def test_wheels_are_drawn_as_they_are_steered(given: bool) -> None:
    wheel = WheelSpec((0.0, 0.6, 0.0), diameter=0.8, width=0.1)
    controller = FrontSteerPidController(STEER_ANG=0.0 if given else 0.6)
    dynamics = AckermannSpec(
        controller=controller, rl_wheel=wheel, rr_wheel=replace(wheel, pos=(0.0, -0.6, 0.0)),
        fl_wheel=wheel, fr_wheel=wheel, f_wheels_x=1.5, f_wheels_d=1.2,
        chassis=ChassisSpec(shape=((-0.3, -0.3), (1.8, -0.3), (1.8, 0.3), (-0.3, 0.3))))
    world = replace(ROOM, vehicles=(VehicleSpec(
        'car', dynamics=dynamics, init_pose=Pose(2.0, 2.5)),))
    steering = {'car': (0.0, 0.0, 0.6, 0.6)} if given else None
    pixels = picture_of_room(world, steering=steering)
    centre, reach = np.array([3.5, 3.1]), 0.33
    along = reach * np.array([np.cos(0.6), np.sin(0.6)])
    floor = colour_at(picture_of_room(), *(centre + along))
    assert max(colour_at(pixels, *(centre + along))[:3]) < 70 < min(floor[:3])
    assert max(colour_at(pixels, *(centre + [reach, 0.0]))[:3]) > 70
    assert max(colour_at(pixels, *(np.array([2.0, 3.1]) + [reach, 0.0]))[:3]) < 70


def test_bodies_of_meshes_have_their_outlines(tmp_path: Path) -> None:
    (tmp_path / 'slab.obj').write_text(
        'mtllib slab.mtl\nv -2 -0.1 0\nv 2 -0.1 0\nv 2 0.1 0\nv -2 0.1 1\n'
        'usemtl paint\nf 1 2 3\nf 1 3 4\n')
    (tmp_path / 'slab.mtl').write_text('newmtl paint\nKd 0.1 0.3 0.9\n')
    (tmp_path / 'a.world.xml').write_text("""<mvsim_world version="1.0">
        <block name="slab"> <static>true</static> <init_pose>0 0 90</init_pose>
            <shape_from_visual/> <visual><model_uri>slab.obj</model_uri></visual> </block>
        </mvsim_world>""")
    world = load_world(tmp_path / 'a.world.xml')
    pixels = np.asarray(draw_top_view(world, pixels_per_metre=SCALE))
    blue = (pixels[..., 2] > 1.5 * pixels[..., 0].astype(float)).nonzero()
    high, wide = np.ptp(blue[0]) / SCALE, np.ptp(blue[1]) / SCALE
    assert high == pytest.approx(4.0, abs=0.1) and wide == pytest.approx(0.2, abs=0.1)


def test_what_is_wider_than_its_body_is_seen_in_its_colour(tmp_path: Path) -> None:
    (tmp_path / 'tree.obj').write_text(
        'mtllib tree.mtl\nv -2 -2 3\nv 2 -2 3\nv 2 2 3\nv -2 2 3\nusemtl leaves\nf 1 2 3 4\n')
    (tmp_path / 'tree.mtl').write_text('newmtl leaves\nKd 0.1 0.6 0.2\n')
    (tmp_path / 'a.world.xml').write_text("""<mvsim_world version="1.0">
        <block name="tree"> <static>true</static> <init_pose>1 0 0</init_pose>
            <shape> <pt>-0.2 -0.2</pt> <pt>0.2 -0.2</pt> <pt>0.2 0.2</pt> <pt>-0.2 0.2</pt>
            </shape> <visual><model_uri>tree.obj</model_uri></visual> </block>
        <block name="wall"> <static>true</static> <init_pose>5 0 0</init_pose> </block>
        </mvsim_world>""")
    world = load_world(tmp_path / 'a.world.xml')
    pixels = np.asarray(draw_top_view(world, pixels_per_metre=SCALE)).astype(int)
    red, green, blue = np.moveaxis(pixels, -1, 0)
    seen = ((green > red + 20) & (green > blue + 20)).nonzero()
    assert np.ptp(seen[1]) / SCALE > 2.4  # as far as the picture goes


def test_terrain_is_shaded_by_its_slopes() -> None:
    x, y = np.meshgrid(np.arange(-6, 7), np.arange(-4, 5), indexing='ij')
    ridge = HeightMap(3.0 - 0.5 * np.abs(x), 1.0, -6.0, -4.0)
    world = WorldSpec(elements=(ElevationMapSpec(
        'hills', heights=ridge, mesh_color=(0.5, 0.5, 0.5, 1.0)),))
    pixels = np.asarray(draw_top_view(world, pixels_per_metre=SCALE)).astype(float)
    row = TOP + round((4.0 - 1.5) * SCALE)
    west, east = (pixels[row, LEFT + round((at + 6.0) * SCALE), 0] for at in (-2.5, 2.5))
    light, height = np.array([-0.5, 0.5, np.sqrt(0.5)]), np.sqrt(0.5)
    for seen, slope in ((west, 0.5), (east, -0.5)):
        normal = np.array([-slope, 0.0, 1.0]) / np.hypot(slope, 1.0)
        assert seen == pytest.approx(
            127.5 * (1.0 + 0.9 * (normal @ light / height - 1.0)), abs=2.0)
