# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether the coefficients of a lens say something, and something possible."""

import logging

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.camera.lens import COEFFICIENTS, fold_of, Lens
from mvsim_ros2.world.spec.sensors.camera import CameraSpec, RgbdCameraSpec

_LOG = logging.getLogger(__name__)
_NAMES = {'plumb_bob': 'k1 k2 p1 p2 k3', 'rational_polynomial': 'k1 k2 p1 p2 k3 k4 k5 k6',
          'equidistant': 'k1 k2 k3 k4'}


def checked(lens: Lens, spec: CameraSpec | RgbdCameraSpec, name: str) -> Lens:
    """
    Return a lens; warn of coefficients without effect, and where it folds inside of the image.

    :param spec: of the camera, which says the coefficients.
    :param name: of the sensor, for messages.
    :raises SensorError: where there are more coefficients than the model has.
    """
    prefix = '' if isinstance(spec, CameraSpec) else 'rgb_'
    model = getattr(spec, f'{prefix}distortion_model')
    single = [f'{prefix}{each}' for each in _NAMES['plumb_bob'].split()]
    given = ['distortion'] if any(getattr(spec, 'distortion', ())) else [
        each for each in single if getattr(spec, each)]
    if not given:
        return lens
    place, tags = f'{spec.source}: {name}', ', '.join(f'<{each}>' for each in given)
    if model == 'none':
        _LOG.warning(
            '%s: %s without effect: <%sdistortion_model> is none, which is an ideal lens; say the '
            'model of the coefficients, plumb_bob say, or leave them out', place, tags, prefix)
        return lens
    if len(lens.coefficients) > COEFFICIENTS[model]:
        wrong = (f'{tags} has {len(lens.coefficients)} coefficients' if given == ['distortion']
                 else f'{tags} {"is" if len(given) == 1 else "are"} of the model plumb_bob')
        raise SensorError(
            f'{place}: {wrong}, but the lens is {model}, which has {COEFFICIENTS[model]}: write '
            f'<distortion>{_NAMES[model]}</distortion> with the numbers in place of the names')
    fold, corner = fold_of(lens), _corner(lens)
    if fold < corner:
        _LOG.warning(
            '%s: %s of the lens %s folds over %.0f px (of the width) from the principal point, '
            'inside of the image, whose farthest corner is %.0f px from it: pixels beyond look '
            'nowhere and are black; give coefficients of a calibration up to the corners, a '
            'smaller image, or a longer focal length', place, tags, model, lens.fx * fold,
            lens.fx * corner)
    return lens


def _corner(lens: Lens) -> float:
    """Return how far the farthest corner is from the principal point, at the depth 1."""
    u, v = np.meshgrid((0, lens.width - 1), (0, lens.height - 1))
    return float(np.hypot((u - lens.cx) / lens.fx, (v - lens.cy) / lens.fy).max())
