# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of cameras."""

from functools import partial
from io import BytesIO
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose, ypr_from_matrix
from mvsim_ros2.ros.messages.detections import class_names, detections
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages, Tags
from mvsim_ros2.ros.messages.sensors.lidar import point_cloud
from mvsim_ros2.ros.messages.state_messages import bytes_of, fill_stamp, packed
from mvsim_ros2.ros.messages.urdf_export.urdf_sensors import gaussian
from mvsim_ros2.sensors.observations import CameraInfo, DepthImage, Image, LabelImage, Observation
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, ImagerSpec, RgbdCameraSpec


def colour_image(types: MessageTypes, image: Image, frame_id: str) -> Any:
    """Return a colour image in its encoding."""
    return _image(types, image, image.pixels, image.encoding, frame_id)


def compressed_image(kind: str, quality: int, types: MessageTypes, image: Image,
                     frame_id: str) -> Any:
    """
    Return a colour image as JPEG or PNG, with the text of its format as image_transport has it.

    :param kind: 'jpeg' or 'png'.
    :param quality: of JPEG, 1 to 100.
    """
    from PIL import Image as Picture
    grey = image.encoding == 'mono8'
    buffer = BytesIO()
    picture = Picture.fromarray(image.pixels if grey else image.rgb)
    if kind == 'jpeg':
        picture.save(buffer, 'JPEG', quality=quality)
    else:
        picture.save(buffer, 'PNG', compress_level=1)
    message = types.sensor_msgs.CompressedImage(
        format=f'{image.encoding}; {kind} compressed {"mono8" if grey else "bgr8"}',
        data=bytes_of(types, np.frombuffer(buffer.getbuffer(), np.uint8)))
    fill_stamp(message.header, image.stamp_ns, frame_id)
    return message


def depth_image(types: MessageTypes, image: DepthImage, frame_id: str) -> Any:
    """
    Return depths as 32FC1 in metres, NaN where there is none (REP-118).

    As 16UC1 in whole units where the image has a unit: there 0 is none.
    """
    if not image.unit:
        return _image(types, image, image.depth, '32FC1', frame_id)
    units = np.rint(image.depth / image.unit)
    with np.errstate(invalid='ignore'):
        return _image(types, image, np.where(units <= 65535, units, 0).astype(np.uint16),
                      '16UC1', frame_id)


def label_image(types: MessageTypes, image: LabelImage, frame_id: str) -> Any:
    """Return the classes of an image as mono16."""
    return _image(types, image, image.label, 'mono16', frame_id)


def instance_image(types: MessageTypes, image: LabelImage, frame_id: str) -> Any:
    """Return the objects of an image as mono16."""
    return _image(types, image, image.thing, 'mono16', frame_id)


def normal_image(types: MessageTypes, image: Image, frame_id: str) -> Any:
    """Return the normals of faces as 32FC3, None where there are none."""
    return None if image.normals is None else _image(
        types, image, image.normals, '32FC3', frame_id)


def flow_image(types: MessageTypes, image: Image, frame_id: str) -> Any:
    """Return the optical flow as 32FC2 [px], None where there is none."""
    return None if image.flow is None else _image(types, image, image.flow, '32FC2', frame_id)


def box_markers(types: MessageTypes, labels: LabelImage, frame_id: str) -> Any:
    """
    Return the boxes around the objects in sight as a MarkerArray.

    The first marker deletes those of the image before; `id` is the object, `text` its name.
    """
    kind, first = types.visualization_msgs, types.visualization_msgs.Marker(action=3)
    fill_stamp(first.header, labels.stamp_ns, frame_id)
    markers = [first]
    for box in labels.boxes_3d if labels.boxes_3d is not None else ():
        marker = kind.Marker(ns='boxes', id=int(box['thing']), type=1,
                             text=labels.thing_names[box['thing']])
        fill_stamp(marker.header, labels.stamp_ns, frame_id)
        place, turn = marker.pose.position, marker.pose.orientation
        place.x, place.y, place.z = box['pose'][:3, 3].tolist()
        turn.x, turn.y, turn.z, turn.w = Pose(0.0, 0.0, 0.0, *map(
            float, ypr_from_matrix(box['pose'][:3, :3]))).quaternion
        marker.scale.x, marker.scale.y, marker.scale.z = box['size'].tolist()
        marker.color.g, marker.color.a = 1.0, 0.4
        markers.append(marker)
    return kind.MarkerArray(markers=markers)


def _image(types: MessageTypes, image: Observation, pixels: NDArray[Any],
           encoding: str, frame_id: str) -> Any:
    height, width = pixels.shape[:2]
    message = types.sensor_msgs.Image(
        height=height, width=width, encoding=encoding, is_bigendian=0,
        step=pixels.nbytes // height, data=bytes_of(types, pixels))
    fill_stamp(message.header, image.stamp_ns, frame_id)
    return message


def camera_info(types: MessageTypes, info: CameraInfo, frame_id: str) -> Any:
    """Return the calibration of a camera."""
    message = types.sensor_msgs.CameraInfo(
        height=info.height, width=info.width, distortion_model=info.distortion_model,
        d=packed(types, info.distortion, np.float64), k=info.K.ravel(), r=info.R.ravel(),
        p=info.P.ravel())
    fill_stamp(message.header, info.stamp_ns, frame_id)
    return message


def _colour(name: str, part: tuple[str, ...], spec: ImagerSpec) -> tuple[Channel, ...]:
    """Return the channels of a colour image, one part of an observation."""
    channels: tuple[Channel, ...] = (
        Channel(f'{name}/image_raw', 'sensor_msgs/Image', colour_image, part),
        Channel(f'{name}/camera_info', 'sensor_msgs/CameraInfo', camera_info, (*part, 'info')))
    if spec.compressed != 'none':
        channels += (Channel(
            f'{name}/image_raw/compressed', 'sensor_msgs/CompressedImage',
            partial(compressed_image, spec.compressed, spec.jpeg_quality), part),)
    if spec.labels:
        part = (*part, 'labels')
        channels += (
            Channel(f'{name}/labels', 'sensor_msgs/Image', label_image, part),
            Channel(f'{name}/instances', 'sensor_msgs/Image', instance_image, part),
            Channel(f'{name}/label_info', 'vision_msgs/LabelInfo', class_names, part,
                    optional=True))
    return channels


def _camera(spec: CameraSpec) -> tuple[Channel, ...]:
    if not spec.stereo_baseline:
        return (*_colour('', (), spec), *_layers('', (), spec))
    return tuple(channel for side in ('left', 'right') for channel in (
        *_colour(f'/{side}', (side,), spec), *_layers(f'/{side}', (side,), spec)))


def _layers(name: str, part: tuple[str, ...], spec: ImagerSpec) -> tuple[Channel, ...]:
    """Return the channels of what a camera measures beside colours and labels."""
    channels: tuple[Channel, ...] = ()
    if spec.normals:
        channels += (Channel(f'{name}/normals', 'sensor_msgs/Image', normal_image, part),)
    if spec.optical_flow:
        channels += (Channel(f'{name}/optical_flow', 'sensor_msgs/Image', flow_image, part),)
    if spec.boxes_3d:
        channels += (Channel(f'{name}/boxes', 'visualization_msgs/MarkerArray', box_markers,
                             (*part, 'labels')),
                     Channel(f'{name}/detections', 'vision_msgs/Detection3DArray', detections,
                             (*part, 'labels'), optional=True))
    return channels


def _rgbd(spec: RgbdCameraSpec) -> tuple[Channel, ...]:
    channels: tuple[Channel, ...] = ()
    if spec.sense_rgb:
        channels += (*_colour('_rgb', ('colour',), spec),
                     *_layers('_rgb', ('colour',), spec))
    if spec.sense_depth and spec.publish_ros_depth_image:
        channels += (
            Channel('_depth/image_raw', 'sensor_msgs/Image', depth_image, ('depth',)),
            Channel('_depth/camera_info', 'sensor_msgs/CameraInfo', camera_info,
                    ('depth', 'info')))
    if spec.sense_depth and spec.publish_ros_colored_pointcloud:
        channels += (Channel('_points', 'sensor_msgs/PointCloud2', point_cloud, ('cloud',)),)
    return channels


def _picture(width: int, height: int, focal: float, near: float, far: float) -> Tags:
    return {'horizontal_fov': 2.0 * math.atan(0.5 * width / focal),
            'image': {'width': width, 'height': height}, 'clip': {'near': near, 'far': far}}


def _gazebo_camera(sensor: CameraSpec) -> tuple[str, Tags]:
    names = ('k1', 'k2', 'p1', 'p2', 'k3')
    model, values = sensor.lens  # the only model of SDF is that of Brown
    bent = {'distortion': dict(zip(names, values, strict=False))}
    return 'camera', {'camera': {
        **_picture(sensor.ncols, sensor.nrows, sensor.fx, sensor.clip_min, sensor.clip_max),
        **gaussian(sensor.image_noise / 255.0),
        **(bent if model == 'plumb_bob' and any(values) else {})}}


def _gazebo_rgbd(sensor: RgbdCameraSpec) -> tuple[str, Tags]:
    return 'rgbd_camera' if sensor.sense_rgb else 'depth_camera', {'camera': {
        **_picture(sensor.depth_ncols, sensor.depth_nrows, sensor.depth_fx,
                   sensor.depth_clip_min, sensor.depth_clip_max),
        **gaussian(sensor.depth_noise_sigma)}}


MESSAGES = (
    SensorMessages(spec=CameraSpec, channels=_camera, gazebo=_gazebo_camera, sees_things=True),
    SensorMessages(spec=RgbdCameraSpec, channels=_rgbd, gazebo=_gazebo_rgbd, sees_things=True))
