# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compressed images as image_transport has them."""

from io import BytesIO

import numpy as np
from PIL import Image as Picture
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of
from mvsim_ros2.world.spec.sensors.camera import CameraSpec
from mvsim_ros2.world.spec.world import WorldSpec


@pytest.mark.parametrize(('kind', 'encoding', 'text'), [
    ('png', 'rgb8', 'rgb8; png compressed bgr8'), ('jpeg', 'rgb8', 'rgb8; jpeg compressed bgr8'),
    ('png', 'mono8', 'mono8; png compressed mono8'),
    ('png', 'bayer_rggb8', 'bayer_rggb8; png compressed bgr8')])
def test_images_are_compressed_beside_the_raw_ones(
        kind: str, encoding: str, text: str) -> None:
    spec = CameraSpec(name='c', ncols=64, nrows=48, renderer='cpu', compressed=kind,
                      encoding=encoding)
    simulation = Simulation(WorldSpec(sensors=(spec,)))
    image = simulation.measure('c')
    channels = {channel.ending: channel for channel in channels_of(spec)}
    channel = channels['/image_raw/compressed']
    assert channel.message_type == 'sensor_msgs/CompressedImage'
    message = message_of(channel, TYPES, image, 'pre_')
    assert message.format == text and message.header.frame_id == f'pre_{image.frame_id}'
    picture = Picture.open(BytesIO(bytes(message.data)))
    wanted = image.pixels if encoding == 'mono8' else image.rgb
    assert picture.format == kind.upper()
    assert np.abs(np.asarray(picture).astype(int) - wanted).mean() <= (0 if kind == 'png' else 2)


def test_nothing_is_compressed_unless_asked_for() -> None:
    assert all('compressed' not in channel.ending for channel in channels_of(
        CameraSpec(name='c')))
