# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The world as a whole: collections, classes, names, references."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image
import pytest

from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.world.spec import OccupancyGridSpec, SkyboxSpec, WorldSpec

Load = Callable[..., WorldSpec]
VEHICLE = """<vehicle name="{}"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"/></vehicle>"""
BLOCK = '<block name="{}"><init_pose>0 0 0</init_pose></block>'


def messages(world: WorldSpec) -> list[str]:
    """Return the warnings without their places."""
    return [warning.message for warning in world.warnings]


def test_scalars_and_groups(load: Load) -> None:
    world = load("""
        <simul_timestep>0.002</simul_timestep> <gravity>1.62</gravity>
        <gui><ortho>true</ortho></gui>
        <lights><light_azimuth_deg>0</light_azimuth_deg></lights>
        <georeference><latitude>36.9</latitude><longitude>-2.4</longitude></georeference>""",
                 seed=7, variables={})
    assert (world.timestep, world.gravity, world.gui.ortho) == (0.002, 1.62, True)
    assert world.lights.light_azimuth == 0
    assert world.georeference is not None
    assert world.georeference.longitude == -2.4
    assert world.seed == 7
    assert world.path.endswith('test.world.xml')


def test_classes_are_templates_and_the_instance_wins(load: Load) -> None:
    world = load("""
        <block:class name="crate"><mass>5</mass><zmax>2</zmax><visual name="a"/></block:class>
        <vehicle:class name="robot"><dynamics class="differential"/></vehicle:class>
        <block class="crate"><init_pose>9 0 0</init_pose><mass>6</mass><visual name="b"/></block>
        <vehicle class="robot"><init_pose>0 0 0</init_pose></vehicle>""")
    block = world.blocks[0]
    assert (block.name, block.class_name, block.mass, block.zmax) == ('block001', 'crate', 6, 2)
    assert [visual.name for visual in block.visuals] == ['b', 'a']
    template = world.block_classes['crate']
    assert (template.name, template.class_name, template.mass) == ('', 'crate', 5)
    assert world.vehicle_classes['robot'].dynamics.XML_CLASS == 'differential'
    assert world.vehicles[0].name == 'veh1'
    assert world.warnings == ()


def test_class_without_dynamics_is_no_template(load: Load) -> None:
    world = load("""
        <vehicle:class name="painted"><visual/></vehicle:class>
        <vehicle class="painted"><init_pose>0 0 0</init_pose><dynamics class="differential"/>
        </vehicle>""")
    assert not world.vehicle_classes
    assert len(world.vehicles[0].visuals) == 1


def test_warning_of_a_class_is_given_once(load: Load) -> None:
    world = load('<block:class name="c"><colour>1</colour></block:class>'
                 + 2 * '<block class="c"><init_pose>0 0 0</init_pose></block>')
    assert messages(world) == ['<colour> is not known in <block:class name="c"> and is '
                               "ignored; did you mean 'color'?"]


def test_duplicate_vehicle_names_both_places(load: Load) -> None:
    with pytest.raises(WorldFileError, match=r"xml:4: the name 'r' is taken at .*xml:2: "):
        load(VEHICLE.format('r') + '\n' + VEHICLE.format('r'))


def test_duplicate_block_is_renamed_with_a_warning(load: Load) -> None:
    world = load(VEHICLE.format('r') + 2 * BLOCK.format('b') + BLOCK.format('r'))
    assert [block.name for block in world.blocks] == ['b', 'b_1', 'r_1']
    called = [each for each in messages(world) if 'this one is renamed to' in each]
    assert len(called) == 2 and "'b_1'" in called[0]


def test_duplicate_sensor_is_renamed_within_its_vehicle(load: Load) -> None:
    sensors = 2 * '<sensor class="imu" name="i"/>' + 2 * '<sensor class="imu"/>'
    vehicle = VEHICLE.format('{}').replace('</vehicle>', f'{sensors}</vehicle>')
    world = load(vehicle.format('a') + vehicle.format('b'))
    names = [[sensor.name for sensor in vehicle.sensors] for vehicle in world.vehicles]
    assert names == [['i', 'i_1', 'imu1', 'imu2']] * 2
    assert sum("this one is renamed to 'i_1'" in each for each in messages(world)) == 2


def test_elements_are_numbered_by_class(load: Load) -> None:
    world = load(2 * '<element class="ground_grid"/>' + '<element class="horizontal_plane"/>')
    assert [element.name for element in world.elements] == [
        'ground_grid1', 'ground_grid2', 'horizontal_plane1']


@pytest.mark.parametrize('name', [
    pytest.param('my robot', id='blank'),
    pytest.param('1st', id='leading digit'),
    pytest.param('r-1', id='dash'),
])
def test_name_that_is_no_topic_is_warned_of(load: Load, name: str) -> None:
    assert 'can be part of a topic' in messages(load(VEHICLE.format(name)))[0]


def test_a_sensor_with_a_slash_is_refused(load: Load) -> None:
    sensor = '<sensor class="imu" name="front/imu"/></vehicle>'
    with pytest.raises(WorldFileError, match="world.xml:3: .* 'front/imu'.* write 'front_imu'"):
        load(VEHICLE.format('r').replace('</vehicle>', sensor))


def test_joint_must_name_bodies(load: Load) -> None:
    joint = '<joint type="pin" body_a="r" body_b="box" anchor_a="0 0" anchor_b="0 0"/>'
    assert load(VEHICLE.format('r') + BLOCK.format('box') + joint).joints[0].body_b == 'box'
    with pytest.raises(WorldFileError, match="names 'box', .*did you mean 'box1'"):
        load(VEHICLE.format('r') + BLOCK.format('box1') + joint)


def test_unknown_references_are_warned_of(load: Load) -> None:
    world = load('<element class="ground_grid"><floating_focus>r2</floating_focus></element>'
                 + VEHICLE.format('r1').replace(
                     '<dynamics class="differential"/>',
                     '<dynamics class="differential"><l_wheel linked_yaw="fork"/></dynamics>'))
    assert "<floating_focus> names 'r2'" in messages(world)[0]
    assert "linked_yaw names 'fork'" in messages(world)[1]


def test_step_longer_than_a_period_is_warned_of(load: Load) -> None:
    sensor = '<sensor class="imu" name="i" sensor_period="0.01"/></vehicle>'
    content = VEHICLE.format('r').replace('</vehicle>', sensor)
    assert load(content).timestep == 0.005
    assert 'shorter than a physics step' in messages(
        load('<simul_timestep>0.02</simul_timestep>' + content))[0]


def test_map_is_read_relative_to_the_file(load: Load, tmp_path: Path) -> None:
    Image.new('L', (3, 2), 255).save(tmp_path / 'map.png')
    world = load("""<element class="occupancy_grid"><file>map.png</file>
        <resolution>0.5</resolution></element>""")
    grid = world.elements[0]
    assert isinstance(grid, OccupancyGridSpec)
    assert grid.occupancy is not None
    assert grid.occupancy.values.shape == (2, 3)
    assert (grid.occupancy.x_min, grid.occupancy.resolution) == (0.5, 0.5)


def test_missing_map_is_an_error(load: Load) -> None:
    with pytest.raises(ResourceError, match=r'xml:2: <file> .nope\.png. is not available'):
        load('<element class="occupancy_grid"><file>nope.png</file></element>')


def test_bad_map_is_an_error_that_names_both_files(load: Load, tmp_path: Path) -> None:
    (tmp_path / 'map.png').write_text('no image')
    with pytest.raises(ResourceError, match=r'xml:2: .*map\.png: this image cannot be read'):
        load('<element class="occupancy_grid"><file>map.png</file></element>')


def test_missing_mesh_and_texture_are_warned_of_once(load: Load) -> None:
    visual = '<visual><model_uri>https://host.invalid/a.zip/b.dae</model_uri></visual></block>'
    block = BLOCK.format('').replace('</block>', visual).replace(' name=""', '')
    world = load(3 * block + """<element class="horizontal_plane"><texture>t.png</texture>
        </element>""")
    assert len(world.warnings) == 2
    assert "'https://host.invalid/a.zip/b.dae' is not available" in messages(world)[0]
    assert messages(world)[0].endswith('a box is used instead')
    assert messages(world)[1].endswith('the plain colour is used instead')
    mesh = world.blocks[2].visuals[0].model_uri
    assert mesh is not None
    assert mesh.path is None
    assert mesh.reason


def test_skybox_has_six_faces(load: Load, tmp_path: Path) -> None:
    for face in ('Front', 'Back', 'Down', 'Up', 'Left', 'Right'):
        (tmp_path / f'sky_{face}.png').write_bytes(b'x')
    sky = load('<element class="skybox"><textures>sky_%s.png</textures></element>').elements[0]
    assert isinstance(sky, SkyboxSpec)
    assert [Path(face.path or '').name for face in sky.faces] == [
        f'sky_{face}.png' for face in ('Front', 'Back', 'Down', 'Up', 'Left', 'Right')]


@pytest.mark.parametrize('tag, meant', [
    ('vehicel', 'vehicle'), ('blok', 'block'), ('elment', 'element'), ('wals', 'walls'),
    ('Actor', 'actor'), ('sensr', 'sensor'), ('jiont', 'joint'), ('markers', 'marker'),
    ('vehicle_class', 'vehicle:class'), ('block-class', 'block:class'), ('inclde', 'include'),
    ('varible', 'variable'), ('fr', 'for')])
def test_a_misspelt_main_tag_is_named(load: Load, tag: str, meant: str) -> None:
    (warning,) = load(f'<{tag} name="a"><init_pose>0 0 0</init_pose></{tag}>').warnings
    assert warning.message == (f'<{tag}> is not known in <mvsim_world> and is ignored; '
                               f"did you mean '{meant}'?")
