# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
COCO folders: colour images with boxes and masks of objects.

T.-Y. Lin and others, *Microsoft COCO: common objects in context*, ECCV 2014. Masks are
uncompressed run-length codes: alternating counts of pixels without and with the object, column
by column.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import ConversionError
from mvsim_ros2.recording.export.bag_source import Source, stamp_ns
from mvsim_ros2.recording.export.message_data import pixels, save_image

# class numbers of the label images, docs/lidars-3d.md
CLASSES = ('nothing', 'ground', 'wall', 'block', 'vehicle', 'person', 'terrain', 'vegetation',
           'sensor', 'points', 'marker')
UNCOUNTED = ('nothing', 'ground', 'wall', 'terrain', 'points', 'marker')  # background, not objects


def to_coco(source: Source, folder: Path, cameras: list[str] | None = None) -> dict[str, int]:
    """Write images and `annotations.json`; raise `ConversionError` without labels."""
    labelled = source.topics('sensor_msgs/msg/Image')
    chosen = [camera for camera in source.chosen_cameras(cameras)
              if f'{camera.name}/labels' in labelled and f'{camera.name}/instances' in labelled]
    if not chosen:
        raise ConversionError(f'{source.folder}: no camera has labels: give it '
                              '<labels>true</labels>, or labels="true" where it is included, '
                              'and record again')
    (folder / 'images').mkdir(parents=True)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for camera in chosen:
        for whole in source.together(*(
                f'{camera.name}/{kind}' for kind in ('image_raw', 'labels', 'instances'))):
            image = whole['image_raw']
            time = stamp_ns(image)
            name = f'{camera.name.strip("/").replace("/", "_")}_{time}.png'
            save_image(image, folder / 'images' / name)
            images.append({'id': len(images) + 1, 'file_name': name, 'width': image.width,
                           'height': image.height, 'timestamp_ns': time})
            for each in annotations_of(pixels(whole['labels']), pixels(whole['instances'])):
                annotations.append({'id': len(annotations) + 1, 'image_id': len(images), **each})
    categories = [{'id': number, 'name': name, 'supercategory': 'thing'}
                  for number, name in enumerate(CLASSES) if name not in UNCOUNTED]
    (folder / 'annotations.json').write_text(json.dumps({
        'info': {'description': f'recording {source.folder.name}'}, 'images': images,
        'categories': categories, 'annotations': annotations}) + '\n')
    return {'images': len(images), 'annotations': len(annotations)}


def annotations_of(labels: NDArray[np.generic],
                   things: NDArray[np.generic]) -> list[dict[str, Any]]:
    """Return boxes and masks by the class and the object of each pixel, 0 for none."""
    found = []
    for thing in np.unique(things[things != 0]).tolist():
        mask = things == thing
        v, u = np.nonzero(mask)
        label = int(labels[v[0], u[0]].item())
        if not label < len(CLASSES) or CLASSES[label] in UNCOUNTED:
            continue
        left, top = int(u.min()), int(v.min())
        found.append({
            'category_id': label, 'thing': thing, 'iscrowd': 0, 'area': len(v),
            'bbox': [left, top, int(u.max()) - left + 1, int(v.max()) - top + 1],
            'segmentation': {'size': list(mask.shape), 'counts': run_lengths(mask)}})
    return found


def run_lengths(mask: NDArray[np.bool_]) -> list[int]:
    """Return alternating counts of pixels outside and inside a mask, column by column."""
    flat = mask.ravel(order='F')
    changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    lengths: list[int] = np.diff(np.concatenate([[0], changes, [flat.size]])).tolist()
    return [0, *lengths] if flat[0] else lengths
