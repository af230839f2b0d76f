# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of cameras: for light, depth, heat and events."""

from functools import partial
from io import BytesIO
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, gaussian, SensorMessages, Tags
from mvsim_ros2.ros.messages.sensors.ranging import cloud_message, point_cloud
from mvsim_ros2.ros.messages.state_messages import bytes_of, fill_pose, packed, stamped
from mvsim_ros2.sensors.observations import (
    CameraInfo, DepthImage, Events, Image, LabelImage, Observation, ThermalImage)
from mvsim_ros2.world.spec.common import LABELS
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, ImagerSpec, RgbdCameraSpec
from mvsim_ros2.world.spec.sensors.special_cameras import EventCameraSpec, ThermalCameraSpec


def colour_image(types: MessageTypes, image: Image, frame_id: str) -> Any:
    """Return a colour image in its encoding."""
    return _image(types, image, image.pixels, image.encoding, frame_id)


def compressed_image(kind: str, quality: int, types: MessageTypes, image: Image,
                     frame_id: str) -> Any:
    """Return a colour image as 'jpeg' or 'png', with the text of image_transport for it."""
    from PIL import Image as Picture
    grey = image.encoding == 'mono8'
    buffer = BytesIO()
    options = {'quality': quality} if kind == 'jpeg' else {'compress_level': 1}
    Picture.fromarray(image.pixels if grey else image.rgb).save(buffer, kind, **options)
    return stamped(types.sensor_msgs.CompressedImage(
        format=f'{image.encoding}; {kind} compressed {"mono8" if grey else "bgr8"}',
        data=bytes_of(types, np.frombuffer(buffer.getbuffer(), np.uint8))),
        image.stamp_ns, frame_id)


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


def thermal_image(types: MessageTypes, image: ThermalImage, frame_id: str) -> Any:
    """Return temperatures as mono16, in whole units."""
    pixels = np.clip(np.rint(image.temperature / image.unit), 0, 65535).astype(np.uint16)
    return _image(types, image, pixels, 'mono16', frame_id)


def _layer(attribute: str, encoding: str, types: MessageTypes, image: Observation,
           frame_id: str) -> Any:
    """Return one array of an image as a message, None where the image lacks it."""
    pixels = getattr(image, attribute)
    return None if pixels is None else _image(types, image, pixels, encoding, frame_id)


def _image(types: MessageTypes, image: Observation, pixels: NDArray[Any],
           encoding: str, frame_id: str) -> Any:
    height, width = pixels.shape[:2]
    return stamped(types.sensor_msgs.Image(
        height=height, width=width, encoding=encoding, is_bigendian=0,
        step=pixels.nbytes // height, data=bytes_of(types, pixels)), image.stamp_ns, frame_id)


def box_markers(types: MessageTypes, labels: LabelImage, frame_id: str) -> Any:
    """
    Return the boxes around the objects in sight as a MarkerArray.

    The first marker deletes those of the image before; `id` is the object, `text` its name.
    """
    kind = types.visualization_msgs
    markers = [kind.Marker(action=3)]
    for box in labels.boxes_3d if labels.boxes_3d is not None else ():
        marker = kind.Marker(ns='boxes', id=int(box['thing']), type=1,
                             text=labels.thing_names[box['thing']])
        _fill_box(marker.pose, marker.scale, box)
        marker.color.g, marker.color.a = 1.0, 0.4
        markers.append(marker)
    return kind.MarkerArray(markers=[
        stamped(each, labels.stamp_ns, frame_id) for each in markers])


def detections(types: MessageTypes, labels: LabelImage, frame_id: str) -> Any:
    """
    Return the boxes around the objects in sight as a Detection3DArray (vision_msgs 4.1).

    `id` is the object, a number of the image of instances; `class_id` the class, a number of
    `class_names`. The size is along the axes of the body.
    """
    kind = types.vision_msgs
    found = []
    for box in labels.boxes_3d if labels.boxes_3d is not None else ():
        result = kind.ObjectHypothesisWithPose()
        result.hypothesis.class_id, result.hypothesis.score = str(int(box['label'])), 1.0
        each = kind.Detection3D(results=[result], id=str(int(box['thing'])))
        _fill_box(each.bbox.center, each.bbox.size, box)
        result.pose.pose = each.bbox.center
        found.append(stamped(each, labels.stamp_ns, frame_id))
    return stamped(kind.Detection3DArray(detections=found), labels.stamp_ns, frame_id)


def _fill_box(pose: Any, size: Any, box: NDArray[np.void]) -> None:
    fill_pose(pose, Pose.from_matrix(box['pose']))
    size.x, size.y, size.z = box['size'].tolist()


def class_names(types: MessageTypes, labels: LabelImage, frame_id: str) -> Any:
    """Return the names of the classes as a LabelInfo."""
    kind = types.vision_msgs
    return stamped(kind.LabelInfo(class_map=[
        kind.VisionClass(class_id=number, class_name=name)
        for number, name in enumerate(LABELS)]), labels.stamp_ns, frame_id)


def event_cloud(types: MessageTypes, events: Events, frame_id: str) -> Any:
    """Return events as points in one row: x, y, t [ns after the stamp], polarity."""
    return cloud_message(types, events, events.events, frame_id)


def camera_info(types: MessageTypes, info: CameraInfo, frame_id: str) -> Any:
    """Return the calibration of a camera."""
    return stamped(types.sensor_msgs.CameraInfo(
        height=info.height, width=info.width, distortion_model=info.distortion_model,
        d=packed(types, info.distortion, np.float64), k=info.K.ravel(), r=info.R.ravel(),
        p=info.P.ravel()), info.stamp_ns, frame_id)


def _view(name: str, part: tuple[str, ...], spec: ImagerSpec) -> tuple[Channel, ...]:
    """Return the channels of a colour image and of what is measured with it."""
    labels = (*part, 'labels')
    channels = [
        Channel(f'{name}/image_raw', 'sensor_msgs/Image', colour_image, part),
        Channel(f'{name}/camera_info', 'sensor_msgs/CameraInfo', camera_info, (*part, 'info'))]
    if spec.compressed != 'none':
        channels.append(Channel(
            f'{name}/image_raw/compressed', 'sensor_msgs/CompressedImage',
            partial(compressed_image, spec.compressed, spec.jpeg_quality), part))
    if spec.labels:
        channels += [
            _layer_channel(f'{name}/labels', labels, 'label', 'mono16'),
            _layer_channel(f'{name}/instances', labels, 'thing', 'mono16'),
            Channel(f'{name}/label_info', 'vision_msgs/LabelInfo', class_names, labels,
                    optional=True)]
    if spec.normals:
        channels.append(_layer_channel(f'{name}/normals', part, 'normals', '32FC3'))
    if spec.optical_flow:  # [px]
        channels.append(_layer_channel(f'{name}/optical_flow', part, 'flow', '32FC2'))
    if spec.boxes_3d:
        channels += [
            Channel(f'{name}/boxes', 'visualization_msgs/MarkerArray', box_markers, labels),
            Channel(f'{name}/detections', 'vision_msgs/Detection3DArray', detections, labels,
                    optional=True)]
    return tuple(channels)


def _layer_channel(topic: str, part: tuple[str, ...], attribute: str, encoding: str) -> Channel:
    return Channel(topic, 'sensor_msgs/Image', partial(_layer, attribute, encoding), part)


def _camera(spec: CameraSpec) -> tuple[Channel, ...]:
    if not spec.stereo_baseline:
        return _view('', (), spec)
    return (*_view('/left', ('left',), spec), *_view('/right', ('right',), spec))


def _rgbd(spec: RgbdCameraSpec) -> tuple[Channel, ...]:
    channels = _view('_rgb', ('colour',), spec) if spec.sense_rgb else ()
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


_INFO = Channel('/camera_info', 'sensor_msgs/CameraInfo', camera_info, ('info',))
MESSAGES = (
    SensorMessages(spec=CameraSpec, channels=_camera, gazebo=_gazebo_camera, sees_things=True),
    SensorMessages(spec=RgbdCameraSpec, channels=_rgbd, gazebo=_gazebo_rgbd, sees_things=True),
    SensorMessages(spec=ThermalCameraSpec, gazebo=None, channels=(
        Channel('/image_raw', 'sensor_msgs/Image', thermal_image), _INFO)),
    SensorMessages(spec=EventCameraSpec, gazebo=None, channels=(
        Channel('/events', 'sensor_msgs/PointCloud2', event_cloud), _INFO)))
