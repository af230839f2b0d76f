# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions without wheels as blocks of a world file: scenery, and what can be pushed."""

from collections.abc import Iterator, Mapping, Sequence, Set

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.sdf_import.includes import VARIABLES
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    element, Findings, numbers_of, pose_text, text_of, value, written)
from mvsim_ros2.world.file.urdf_import.robot import outline, Robot, Shape, together
from mvsim_ros2.world.file.urdf_import.visuals import (
    mesh_of, placed_points, points_of, visual_nodes)
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Polygon

Piece = tuple[Polygon, float, float]  # outline in plan, lower and upper side [m]

_USUAL_MASS = 1.0  # kg, of what has no <inertial>
_FLOOR = 0.03  # m above the ground; what is lower stops nothing
_COMPACT = 3.0  # m; smaller meshes are as solid as their convex hull
_GRIDS = (1e-3, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # m, to which the walls of larger ones are rounded
_MOST_WALLS = 500  # of a mesh; with more the grid is coarser
_HALF, _TOUCHING = 5e-3, 2e-3  # m; half the thickness of a wall, gap in a line of walls
_CUTS = (0.05, 0.15, 0.3, 0.5, 0.8, 1.2, 1.8)  # m above the ground: where it is cut
_SPECK = {'type': 'box', 'lx': '0.001', 'ly': '0.001', 'lz': '0.001'}


def block_node(robot: Robot, pose: Array, findings: Findings) -> Node | None:
    """
    Return the movable block that a rigid description is.

    Its frame is below the root link's, at the lowest point, and level. Its outline is the convex
    hull, in plan, of all collision shapes, or else of the visuals.

    :param pose: of the root link in the world, (4, 4).
    :returns: None where it has no area or its meshes cannot be read, which is reported.
    """
    level, tilt = _levelled(pose)
    shapes = [(name, shape) for name, link in robot.links.items() for shape in link.collisions]
    if not shapes:
        shapes = [(name, shape) for name, link in robot.links.items() for shape in link.visuals]
    points = [points_of(shape, tilt @ robot.poses[name]) for name, shape in shapes]
    hull = _hull(points, robot.source) if any(map(len, points)) else None
    if hull is None:
        findings.lost(robot.source, f'{robot.name!r} is left out, because its body has no area or '
                      'its meshes cannot be read: make it thicker, or add the folder of its '
                      f'meshes to {VARIABLES[0]}')
        return None
    polygon, low, high = hull
    level[2, 3] += low
    mass = together([link.inertial.placed(robot.poses[name])
                     for name, link in robot.links.items() if link.inertial]).mass
    if mass <= 0.0:
        findings.assumed(robot.source, f'{robot.name!r} has no <inertial>: its mass is '
                         f'{_USUAL_MASS:g} kg')
    return _block(robot.source, robot.name, level, (polygon, 0.0, high - low), [
        element('mass', robot.source, written(mass or _USUAL_MASS)),
        *visual_nodes(robot, robot.links, Pose(z=-low).matrix @ tilt)])


def scenery_nodes(robot: Robot, pose: Array, housings: Set[str],
                  findings: Findings) -> Iterator[Node]:
    """
    Yield the blocks that a description is which does not move, one for each solid part.

    All have its name.

    :param pose: of the root link in the world, (4, 4).
    """
    level, tilt = _levelled(pose)
    height = float(level[2, 3])
    for name, link in robot.links.items():
        at = tilt @ robot.poses[name]
        speck = element('visual', link.source, children=[
            element('geometry', link.source, attributes=_SPECK)])
        looks = [speck] if name in housings else list(
            visual_nodes(robot, [name], tilt)) if link.visuals else []
        pieces = [piece for shape in link.collisions
                  for piece in _pieces(shape, at, height, findings)]
        still = (element('static', link.source, 'true'),
                 element('skip_elevation_adjust', link.source))
        for k, piece in enumerate(pieces):
            own = looks[k:k + 1] if k else looks[:1] + looks[len(pieces):]
            if looks and not own:  # drawn with the others
                own = [speck]
            yield _block(link.source, robot.name, level, piece, [
                *still, element('color', link.source, '#a0a0a0'), *own])
        if looks and not pieces and name not in housings:
            seen = _hull([points_of(shape, at) for shape in link.visuals], link.source)
            yield _block(link.source, robot.name, level, seen, [
                *still, element('intangible', link.source, 'true'), *looks])


def _hull(points: list[Array], source: Source) -> Piece | None:
    """Return the outline of points and their lowest and highest one, None without an area."""
    heights = np.concatenate(points)[:, 2]
    try:
        return (outline(points, 'a part of a model', source), float(heights.min()),
                float(heights.max()))
    except WorldFileError:
        return None


def _levelled(pose: Array) -> tuple[Array, Array]:
    """Return a pose without its tilt, and what remains of it, (4, 4)."""
    place = Pose.from_matrix(pose)
    level = Pose(place.x, place.y, place.z, place.yaw).matrix
    return level, np.linalg.inv(level) @ pose


def _block(source: Source, name: str, level: Array, piece: Piece | None,
           children: list[Node]) -> Node:
    body = [] if piece is None else [
        element('shape', source, children=[
            element('pt', source, written(x, y)) for x, y in piece[0]]),
        element('zmin', source, written(piece[1])), element('zmax', source, written(piece[2]))]
    return element('block', source, attributes={'name': name}, children=[
        element('init_pose3d', source, pose_text(level)), *body, *children])


def _pieces(shape: Shape, at: Array, height: float, findings: Findings) -> Iterator[Piece]:
    """Yield the convex pieces of a shape of a link, whose pose is `at` in a frame at `height`."""
    points = points_of(shape, at)
    if not len(points):
        findings.lost(shape.source, f'the mesh {shape.uri} cannot be read, so nothing collides '
                      f'with it: add the folder that holds it to {VARIABLES[0]}')
        return
    low, high = float(points[:, 2].min()), float(points[:, 2].max())
    if high + height < _FLOOR:
        return
    if shape.kind == 'mesh':
        vertices, faces = mesh_of(shape)
        ends = _cuts(placed_points(vertices, at)[faces], [each - height for each in _CUTS])
        flat = ends.reshape(-1, 2)
        if len(flat) and np.ptp(flat, axis=0).max() > _COMPACT:
            yield from ((wall, low, high) for wall in _walls(ends, shape, findings))
            return
        if len(flat):
            points = np.column_stack([flat, np.zeros(len(flat))])
    hull = _hull([points], shape.source)
    if hull is None:
        findings.lost(shape.source, 'this shape has no area in plan, so nothing collides with it: '
                      'make it thicker')
    else:
        yield hull[0], low, high


def _walls(ends: Array, shape: Shape, findings: Findings) -> Iterator[Polygon]:
    """Yield thin walls along the cuts of a mesh, whose ends are (n, 2, 2) [m]."""
    for grid in _GRIDS:
        lines = _joined(np.unique(np.round(ends / grid) * grid, axis=0))
        if len(lines) <= _MOST_WALLS:
            break
    findings.assumed(shape.source, f'the mesh {shape.uri} may have room inside: it is solid along '
                     f'its cuts at heights of {_CUTS[0]:g} to {_CUTS[-1]:g} m, as {len(lines)} '
                     f'walls, to {grid:g} m')
    for start, end in lines:
        along = _HALF * (end - start) / np.linalg.norm(end - start)
        across = np.array((-along[1], along[0]))
        yield tuple((float(x), float(y)) for x, y in (
            start - along - across, end + along - across, end + along + across,
            start - along + across))


def _joined(ends: Array) -> Array:
    """Return lines, each the union of those on one straight line that touch, (n, 2, 2) [m]."""
    way = ends[:, 1] - ends[:, 0]
    back = (way[:, 0] < 0.0) | (way[:, 0] == 0.0) & (way[:, 1] < 0.0)
    ends = np.where(back[:, None, None], ends[:, ::-1], ends)[np.any(way != 0.0, axis=1)]
    way = ends[:, 1] - ends[:, 0]
    unit = way / np.linalg.norm(way, axis=1, keepdims=True)
    across = unit[:, 0] * ends[:, 0, 1] - unit[:, 1] * ends[:, 0, 0]
    spans = np.einsum('nij,nj->ni', ends, unit)
    lines = np.round(np.column_stack([np.arctan2(unit[:, 1], unit[:, 0]), across]), 2)
    found: list[list[int]] = []  # the first of each line, and the one that reaches farthest
    for i in np.lexsort((spans[:, 0], lines[:, 1], lines[:, 0])).tolist():
        if found and (lines[found[-1][0]] == lines[i]).all() and (
                spans[i, 0] <= spans[found[-1][1], 1] + _TOUCHING):
            found[-1][1] = max(found[-1][1], i, key=lambda k: float(spans[k, 1]))
        else:
            found.append([i, i])
    return np.array([(ends[i, 0], ends[k, 1]) for i, k in found]).reshape(-1, 2, 2)


def _cuts(triangles: Array, heights: Sequence[float]) -> Array:
    """Return the ends in plan of the cuts of triangles at heights, (n, 2, 2) [m]."""
    found = [np.zeros((0, 2, 2))]
    for height in heights:
        above = triangles[..., 2] > height
        cut = triangles[above.any(axis=1) & ~above.all(axis=1)]
        z = cut[..., 2] - height
        ends: list[Array] = []
        for i, j in ((0, 1), (1, 2), (2, 0)):
            share = np.divide(z[:, i], z[:, i] - z[:, j], out=np.full(len(z), np.nan),
                              where=(z[:, i] > 0.0) != (z[:, j] > 0.0))
            ends.append(cut[:, i, :2] + share[:, None] * (cut[:, j, :2] - cut[:, i, :2]))
        crossing = np.stack(ends, axis=1)
        found.append(crossing[~np.isnan(crossing[..., 0])].reshape(-1, 2, 2))
    return np.concatenate(found)


# materials that come with Gazebo classic: name, red, green, blue in hundredths
_SCRIPTS = {name: tuple(0.01 * int(part) for part in parts) for name, *parts in map(str.split, (
    'Grey 70 70 70', 'Gray 70 70 70', 'DarkGrey 18 18 18', 'White 100 100 100', 'Black 0 0 0',
    'FlatBlack 10 10 10', 'Red 100 0 0', 'RedBright 87 26 7', 'Green 0 100 0', 'Blue 0 0 100',
    'SkyBlue 13 44 70', 'Yellow 100 100 0', 'Orange 100 51 12', 'Purple 100 0 100',
    'Turquoise 0 100 100', 'Indigo 33 0 50', 'Gold 80 65 23', 'Wood 52 37 26',
    'WoodFloor 52 37 26', 'WoodPallet 60 45 30', 'Bricks 60 35 30', 'CeilingTiled 85 85 85',
    'Residential 70 60 50', 'Tiles 60 60 60', 'Road 30 30 30'))}


def colour_of(shape: Node) -> str:
    """Return the colour of a `<visual>` as red, green, blue and alpha, '' where it has none."""
    material = shape.child('material')
    if material is None:
        return ''
    for tag in ('diffuse', 'ambient'):
        parts = text_of(material, tag).split()
        if tag == 'ambient' and (script := text_of(material, 'script', 'name')):
            known = _SCRIPTS.get(script.removeprefix('Gazebo/'))
            parts = parts if known is None else [f'{part:g}' for part in known]
        if len(parts) in (3, 4):
            opacity = 1.0 - value(shape, 'transparency', default=0.0)
            alpha = opacity * float((*parts, '1')[3])
            return ' '.join([*parts[:3], written(alpha)])
    return ''


def solid_of(solid: Node) -> tuple[str, Mapping[str, str]] | None:
    """
    Return a solid as a tag of robot descriptions and its attributes, None for others.

    Capsules, cones and ellipsoids are those that enclose them: cylinders and boxes.
    """
    radius, length = text_of(solid, 'radius'), text_of(solid, 'length')
    if solid.tag == 'capsule':
        whole = value(solid, 'length', default=1.0) + 2.0 * value(solid, 'radius', default=0.5)
        return 'cylinder', {'radius': radius or '0.5', 'length': written(whole)}
    if solid.tag == 'ellipsoid':
        return 'box', {'size': written(*(2.0 * each for each in numbers_of(
            solid, 'radii', 3, (1.0, 1.0, 1.0))))}
    return {
        'box': ('box', {'size': text_of(solid, 'size') or '1 1 1'}),
        'cylinder': ('cylinder', {'radius': radius or '1', 'length': length or '1'}),
        'cone': ('cylinder', {'radius': radius or '0.5', 'length': length or '1'}),
        'sphere': ('sphere', {'radius': radius or '1'}),
        'mesh': ('mesh', {'filename': text_of(solid, 'uri'), 'scale': text_of(solid, 'scale')}),
    }.get(solid.tag)
