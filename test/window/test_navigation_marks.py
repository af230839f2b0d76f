# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Marks of satellite receivers and odometry, planned paths, the sky."""

from dataclasses import replace
import io

from glb_files import contents, values
import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import WindowError
from mvsim_ros2.pictures.perspective import with_pose
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.glb import glb
from mvsim_ros2.window.drawing.marks import Curves, Navigation
from mvsim_ros2.window.drawing.sky import sky_box
from mvsim_ros2.window.frame import capture, Closely


def test_fix_is_drawn_where_the_receiver_is(server):
    simulation = Simulation.from_file('sensors')
    simulation.set_noise(False)
    for name in simulation.sensors:
        simulation.set_enabled(name, False)
    choices = Choices(believed_paths=True)
    marks = Navigation(server, simulation.world, choices)
    (vehicle,) = simulation.vehicles.values()
    vehicle.set_twist(0.4, 0.2)
    places = []
    for _ in range(3):
        simulation.run(0.3)
        sensor = simulation.sensors['robot/gnss']
        fix = replace(sensor.measure(), covariance=np.diag([0.25, 0.25, 4.0]))
        seen = with_pose(simulation, fix)
        places.append(vehicle.pose.compose(sensor.pose).position)
        marks.draw(capture(simulation, Closely(odometry=True), (seen,), False, True, 1.0))
    dots = marks._dots['robot/gnss']
    np.testing.assert_allclose(dots.points, places, atol=0.03)  # antennas have biases
    ring = marks._rings['robot/gnss'].points.reshape(-1, 3)
    assert np.ptp(ring[:, 0]) == pytest.approx(2.0, rel=0.01)  # two standard deviations
    outline = marks._outlines['robot']
    np.testing.assert_allclose(outline.position[:2], vehicle.pose.position[:2], atol=0.1)
    choices.gnss = choices.believed_paths = False
    marks.draw(capture(simulation, Closely(), (), False, True, 1.0))
    assert not dots.visible and not outline.visible
    simulation.reset()
    marks.draw(capture(simulation, Closely(), (), False, True, 1.0))
    assert not marks._dots and not marks._fixes


def test_planned_path_is_replaced_and_taken_away(server):
    choices = Choices()
    curves = Curves(server, choices)
    curves.put('plan', [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0)])
    curves.draw(None)
    assert curves._nodes['plan'].points.shape == (2, 2, 3)
    curves.put('plan', np.zeros((20000, 3)))
    choices.planned = False
    curves.draw(None)
    node = curves._nodes['plan']
    assert len(node.points) < 20000 and not node.visible
    curves.put('plan', [])
    curves.draw(None)
    assert not curves._nodes


@pytest.mark.parametrize('points', [
    pytest.param([1.0, 2.0], id='flat'), pytest.param([[1.0, np.nan]], id='not finite'),
    pytest.param(np.zeros((3, 4)), id='four columns')])
def test_what_is_no_path_is_refused(server, points):
    with pytest.raises(WindowError, match='finite points'):
        Curves(server, Choices()).put('plan', points)


FACES = {'front': (1, 0, 0), 'back': (-1, 0, 0), 'down': (0, 0, -1), 'up': (0, 0, 1),
         'left': (0, 1, 0), 'right': (0, -1, 0)}
TOPS = {'front': (0, 0, 1), 'back': (0, 0, 1), 'left': (0, 0, 1), 'right': (0, 0, 1),
        'down': (1, 0, 0), 'up': (-1, 0, 0)}  # as `Lighting.sky` has them


def test_sky_box_has_its_pictures_where_they_are_seen():
    faces = np.zeros((6, 8, 8, 3), np.uint8)
    faces[:, :4] = 250  # the upper halves of the pictures
    faces[..., 0] = 40 * np.arange(6)[:, None, None]
    document, body = contents(glb([sky_box(faces)]))
    assert document['extensionsUsed'] == ['KHR_materials_unlit']
    for mesh, (name, towards) in zip(document['meshes'], FACES.items(), strict=True):
        (part,) = mesh['primitives']
        material = document['materials'][part['material']]
        assert 'KHR_materials_unlit' in material['extensions'] and not material['doubleSided']
        source = document['textures'][material['pbrMetallicRoughness']['baseColorTexture'][
            'index']]['source']
        view = document['bufferViews'][document['images'][source]['bufferView']]
        picture = np.array(Image.open(io.BytesIO(
            body[view['byteOffset']:view['byteOffset'] + view['byteLength']])))
        places = values(document, body, part['attributes']['POSITION'], '<f4', 3)
        uv = values(document, body, part['attributes']['TEXCOORD_0'], '<f4', 2)
        a, b, c = places[values(document, body, part['indices'], '<u4', 3)[0]]
        assert np.cross(b - a, c - a) @ towards < 0  # it looks inward
        upper = places @ np.array(TOPS[name]) > 0
        assert (uv[upper, 1] == 0).all() and (uv[~upper, 1] == 1).all()  # glTF: 0 is the top
        right = np.cross(towards, TOPS[name])
        assert (uv[places @ right > 0, 0] == 1).all()
        assert picture[0, 0, 1] > 200 > picture[-1, 0, 1]
        assert abs(int(picture[0, 0, 0]) - 40 * list(FACES).index(name)) < 12
