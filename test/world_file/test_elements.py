# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of elements, and what becomes of kinds that have none or an incomplete one."""

from collections.abc import Callable
from dataclasses import dataclass
import math
from typing import Any
from xml.etree.ElementTree import Element as Link

import pytest

from mvsim_ros2.base.registry import named
from mvsim_ros2.errors import PhysicsError, PluginError, SceneError, WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.ground.terrain import Terrain
from mvsim_ros2.pictures.plan_symbols import solid_polygons
from mvsim_ros2.ros.messages.urdf_export.urdf import add_visuals
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.planar import StaticGeometry
from mvsim_ros2.scene.scene_builder import Parts
from mvsim_ros2.scene.shapes.geometry_meshes import solid_of
from mvsim_ros2.scene.shapes.walls import add_extruded
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.binding.bind import problems
from mvsim_ros2.world.spec import (
    AnimationSpec, BlockSpec, Element, ElementSpec, GeometrySpec, Keyframe, PlaneSpec, Source,
    StaticOutline, VisualSpec, WorldSpec)
from mvsim_ros2.world.spec.element import not_solid, UNSEEN
from mvsim_ros2.world.spec.elements import ELEMENTS
from mvsim_ros2.world.spec.fields import entry_of
from mvsim_ros2.world.spec.outlines import placed, rectangle, SHAPES
from mvsim_ros2.world.spec.solids import block_footprint

HERE = Source('w.xml', 4)


@dataclass(frozen=True)
class GhostSpec(ElementSpec):
    XML_CLASS = 'ghost'


GHOST = GhostSpec('it', source=HERE)


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[Element], None]:
    """Return a function that adds a record for the time of a test."""
    def add(record: Element) -> None:
        monkeypatch.setitem(ELEMENTS._by_spec, record.spec, record)
    return add


@pytest.mark.parametrize('use', [
    pytest.param(lambda world: problems(world.elements[0]).__next__(), id='rules'),
    pytest.param(Simulation, id='bodies'),
    pytest.param(StaticGeometry.from_world, id='planar scanners'),
    pytest.param(build_scene, id='scene'),
    pytest.param(lambda world: solid_polygons(world, {}), id='pictures')])
def test_an_element_without_a_record_is_an_error_everywhere(use: Any) -> None:
    with pytest.raises(PluginError, match='element of class .*GhostSpec does.*mvsim_ros2.elem'):
        use(WorldSpec(elements=(GHOST,)))


def test_a_record_says_whether_it_is_solid_or_seen() -> None:
    with pytest.raises(PluginError, match="'ghost' says neither that it is solid nor how"):
        Element(GhostSpec, not_solid)
    assert not Element(GhostSpec, not_solid, looks=UNSEEN).is_solid


@pytest.mark.parametrize('record', [
    pytest.param(record, id=record.spec.XML_CLASS) for record in ELEMENTS])
def test_functions_that_records_name_are_there(record: Element) -> None:
    assert all(callable(named(name)) for name in (record.looks, record.read) if name)


def test_an_outline_without_heights_cannot_be_extruded(
        register: Callable[[Element], None]) -> None:
    endless = StaticOutline('it', rectangle(0, 0, 1, 1), 0.0, float('inf'), HERE)
    register(Element(GhostSpec, lambda ghost: (endless,)))
    with pytest.raises(SceneError, match='w.xml:4.*from 0.0 to inf m'):
        add_extruded(Parts(), GHOST, -1)


def test_ground_that_physics_does_not_know_is_an_error(
        register: Callable[[Element], None]) -> None:
    register(Element(GhostSpec, not_solid, looks=UNSEEN, is_ground=True))
    with pytest.raises(PhysicsError, match="w.xml:4.*stand on an element of class 'ghost'"):
        Terrain((GHOST,), ())


def test_pieces_of_an_element_are_one_thing_with_their_own_looks(
        register: Callable[[Element], None]) -> None:
    left = StaticOutline('it', rectangle(0, 1, 1, 2), 0.0, 1.0, reflectivity=0.9)
    right = StaticOutline('it', rectangle(0, -2, 1, -1), 0.5, 1.0, colour=(1.0, 0.0, 0.0, 1.0))
    register(Element(GhostSpec, lambda ghost: (left, right)))
    scene = build_scene(WorldSpec(elements=(GHOST,)))
    assert scene.thing_names == ('', 'element it') and scene.thing.tolist() == [1, 1]
    assert [mesh.materials[0].reflectivity for mesh in scene.meshes] == [0.9, 0.5]
    assert scene.colour[1].tolist() == [1.0, 0.0, 0.0, 1.0]
    assert scene.transform[:, :3, 3].tolist() == [[0.0, 1.0, 0.0], [0.0, -2.0, 0.0]]


@dataclass(frozen=True)
class GateSpec(PlaneSpec):
    XML_CLASS = 'gate'


def gate_outlines(gate: GateSpec) -> tuple[StaticOutline, ...]:
    low = gate.init_pose.z + gate.z
    return (StaticOutline(gate.name, placed(rectangle(0, 0, 2, 1), gate.init_pose), low, low + 3),)


@pytest.mark.parametrize('animation', [
    pytest.param(None, id='standing'),
    pytest.param(AnimationSpec(keys=(Keyframe(0.0, Pose()), Keyframe(9.0, Pose(5.0)))),
                 id='moving')])
def test_an_extruded_element_is_seen_where_it_starts(
        register: Callable[[Element], None], animation: AnimationSpec | None) -> None:
    register(Element(GateSpec, gate_outlines))
    gate = GateSpec('it', init_pose=Pose(4.0, 1.0, 0.5, math.pi / 2), z=0.25, animation=animation)
    world = WorldSpec(elements=(gate,))
    scene = build_scene(world)
    corners = scene.meshes[0].vertices @ scene.transform[0, :3, :3].T + scene.transform[0, :3, 3]
    assert [*corners.min(axis=0), *corners.max(axis=0)] == pytest.approx([3, 1, 0.75, 4, 3, 3.75])
    assert scene.moving.tolist() == [animation is not None]
    assert Simulation(world).cast_rays((0.0, 2.0), [0.0], 9.0) == pytest.approx([3.0])


def test_a_registered_rule_is_kept(register: Callable[[Element], None]) -> None:
    register(Element(GhostSpec, not_solid, lambda ghost: iter(['it must not be']), looks=UNSEEN))
    assert list(problems(GHOST)) == ['it must not be']


CONE = GeometrySpec('cone', radius=1.0, length=1.0, source=HERE)


@pytest.mark.parametrize('use', [
    pytest.param(lambda: block_footprint(BlockSpec('b', geometry=CONE, shape_from_visual=True)),
                 id='outline'),
    pytest.param(lambda: solid_of(CONE), id='mesh'),
    pytest.param(lambda: add_visuals(Link('link'), [VisualSpec(geometry=CONE)]), id='URDF')])
def test_a_solid_of_a_type_that_is_not_known_is_an_error(use: Callable[[], Any]) -> None:
    with pytest.raises(WorldFileError, match="w.xml:4.*no solid of type 'cone': use cylinder"):
        use()


def test_the_world_format_has_all_types_of_solids() -> None:
    assert set(entry_of(GeometrySpec, 'kind').tag.choices) == set(SHAPES)


@pytest.mark.parametrize('kind', [pytest.param(kind, id=kind) for kind in SHAPES])
def test_every_type_of_solid_is_known_everywhere(kind: str) -> None:
    solid = GeometrySpec(kind, radius=0.5, length=1.0, lx=1.0, ly=1.0, lz=1.0)
    block = BlockSpec('b', static=True, geometry=solid, shape_from_visual=True)
    Simulation(WorldSpec(blocks=(block,)))  # its top, and its slices, as ground
    in_urdf = add_visuals(Link('link'), [VisualSpec(geometry=solid)])
    assert in_urdf == (kind in ('box', 'cylinder', 'sphere'))
