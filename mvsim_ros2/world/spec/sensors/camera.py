# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cameras (`<sensor class="camera">` and `"rgbd_camera"`)."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.fields import principal_point, Problems, tag
from mvsim_ros2.world.spec.sensors.base import PREVIEWS, sensor_pose, SensorSpec

MOST_PIXELS = 16384  # of a side of an image, which is what graphics cards draw
_BYTES_A_PIXEL = 40  # rays, depths, colours and the image, measured

# The original's default (yaw 90, roll 90) looks ahead too, with the picture upside down.
OPTICAL_HALF_METRE_UP = Pose(0.0, 0.0, 0.5, -1.5707963267948966, 0.0, -1.5707963267948966)
_FISHEYES = ('equidistant', 'double_sphere', 'eucm', 'equirectangular')
_PATTERNS = tuple(f'bayer_{name}' for name in ('rggb', 'bggr', 'gbrg', 'grbg'))
SHALLOW = ('rgb8', 'bgr8', 'mono8', *(f'{name}8' for name in _PATTERNS))
DEEP = ('rgb16', 'bgr16', 'mono16', *(f'{name}16' for name in _PATTERNS), '32FC1', '32FC3')
_RGB_IN_DEPTH = Pose(0.0, 0.0, 0.0, -1.5707963267948966, 0.0, -1.5707963267948966)


def coefficient(name: str) -> float:
    """Return the field of one coefficient of a lens."""
    field: float = tag('float', 0.0, doc=f'coefficient {name} of a plumb bob, instead of the list')
    return field


def all_of(values: tuple[float, ...], single: tuple[float, ...]) -> tuple[float, ...]:
    """Return the coefficients of a lens: as a list, else as single tags, none where all are 0."""
    return values or (single if any(single) else ())


@dataclass(frozen=True)
class ImagerSpec(SensorSpec):
    """What all cameras share."""

    renderer: str = tag('text', 'auto', choices=('auto', 'gl', 'cpu'),
                        doc='renderer of the images: OpenGL, rays on the processor, or automatic')
    ignore_parent_body: bool = tag('bool', False, doc='make its own vehicle invisible to the '
                                                      'sensor')
    labels: bool = tag(
        'bool', False, doc='add labels, objects and their bounding boxes to each colour image')
    normals: bool = tag('bool', False, doc='measure the face normal at each pixel')
    optical_flow: bool = tag(
        'bool', False, doc='measure the motion of each pixel since the image before')
    boxes_3d: bool = tag(
        'bool', False, doc='measure 3D bounding boxes of visible objects; with labels')
    antialiasing: bool = tag('bool', True, doc='smooth edges: a colour is the mean of four places '
                             'of a pixel; depths and labels are from its centre')
    ambient_occlusion: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='distance within which surfaces block ambient '
        'light, so that corners are darker; 0: off')
    exposure: float = tag('float', 1.0, minimum=0, doc='exposure, 1: as the scene')
    vignetting: float = tag(
        'float', 0.0, minimum=0, maximum=1, doc='share of the light that the corners lose')
    image_noise: float = tag(
        'float', 0.0, minimum=0, random=True, aliases=('image_noise_std', 'rgb_image_noise_std'),
        doc='standard deviation of a colour (0 to 255)')
    gamma: float = tag('float', 2.0, minimum=0.5, maximum=4,
                       doc='gamma: a colour is the light to the power of 1/gamma')
    gain: float = tag('float', 0.0, unit='dB', minimum=0, maximum=60,
                      doc='gain of the electronics, which also amplifies noise')
    full_well: float = tag('float', 0.0, minimum=0, random=True,
                           doc='electrons of a saturated pixel, for shot noise; 0: no shot noise')
    read_noise: float = tag('float', 0.0, minimum=0, random=True, doc='standard deviation of the '
                            'read noise in electrons; with full_well only')
    black_level: float = tag(
        'float', 0.0, minimum=0, maximum=32768, doc='value of a pixel without light, in units of '
        'the image; noise goes below it')
    auto_exposure: bool = tag(
        'bool', False, doc='set exposure, then gain from the mean light of the image before')
    auto_exposure_target: float = tag('float', 0.18, above=0, maximum=1, needs='auto_exposure',
                                      doc='target of the mean light, 1: saturated')
    auto_exposure_metering: str = tag(
        'text', 'mean', choices=('mean', 'centre', 'spot'), needs='auto_exposure', doc='weights '
        'of the mean: equal, normal with a deviation of a quarter of the image, or its middle '
        'tenth')
    auto_exposure_time: float = tag('float', 0.3, unit='s', above=0, needs='auto_exposure',
                                    doc='time constant of the adaptation')
    exposure_min: float = tag(
        'float', 0.0625, above=0, needs='auto_exposure', doc='least exposure that it sets')
    exposure_max: float = tag('float', 16.0, above=0, over='exposure_min', needs='auto_exposure',
                              doc='largest exposure that it sets')
    gain_max: float = tag('float', 24.0, unit='dB', minimum=0, maximum=60, needs='auto_exposure',
                          doc='largest gain that it sets')
    lens_drops: float = tag(
        'float', 0.0, minimum=0, maximum=100, random=True, doc='number of drops on the glass, '
        'relative to the rain on level ground of the same size; 0: none')
    lens_drop_time: float = tag(
        'float', 4.0, unit='s', above=0, needs='lens_drops', doc='mean time that a drop stays')
    lens_drop_distance: float = tag('float', 0.03, unit='m', above=0, needs='lens_drops',
                                    doc='distance of the glass from the lens')
    lens_aperture: float = tag('float', 0.002, unit='m', minimum=0, needs='lens_drops',
                               doc='width of the lens, for the blur of drops')
    compressed: str = tag(
        'text', 'none', choices=('none', 'jpeg', 'png'),
        doc='also publish and record sensor_msgs/CompressedImage, as image_transport does')
    jpeg_quality: int = tag(
        'int', 95, minimum=1, maximum=100, needs='compressed=jpeg', doc='quality of JPEG')

    @property
    def takes_light(self) -> bool:
        """Return whether light is drawn as real numbers."""
        return False

    @property
    def has_electronics(self) -> bool:
        """Return whether light is more than scaled on the way to the image."""
        return (self.auto_exposure or self.gamma != 2.0 or self.gain > 0.0 or self.full_well > 0.0
                or self.black_level > 0.0 or self.takes_light)

    def problems(self) -> Problems:
        yield from super().problems()
        if self.boxes_3d and not self.labels:
            yield 'boxes_3d are those of the objects that labels find: set labels as well'
        if self.read_noise and not self.full_well:
            yield ('read_noise is in electrons: say with full_well how many a pixel has, '
                   '10000 say')


@dataclass(frozen=True)
class CameraSpec(ImagerSpec):
    """
    Colour camera or pair of them; the pose is optical (z forward, x right, y down).

    >>> from mvsim_ros2.world.spec import CameraSpec
    >>> CameraSpec(name='camera', ncols=320, nrows=240, labels=True)  # measures Image
    CameraSpec(name='camera', labels=True, ncols=320, nrows=240)
    """

    XML_CLASS = 'camera'

    pose: Pose = sensor_pose(OPTICAL_HALF_METRE_UP)
    ncols: int = tag('int', 640, unit='px', minimum=1, maximum=MOST_PIXELS, doc='width')
    nrows: int = tag('int', 480, unit='px', minimum=1, maximum=MOST_PIXELS, doc='height')
    cx: float = tag('float', 320.0, unit='px', doc='principal point')
    cy: float = tag('float', 240.0, unit='px', doc='principal point')
    fx: float = tag('float', 500.0, unit='px', above=0, doc='focal length')
    fy: float = tag('float', 500.0, unit='px', above=0, doc='focal length')
    clip_min: float = tag('float', 0.01, unit='m', above=0, doc='nearest depth drawn')
    clip_max: float = tag(
        'float', 1e4, unit='m', above=0, over='clip_min', doc='farthest depth drawn')
    distortion_model: str = tag(
        'text', 'plumb_bob', choices=('plumb_bob', 'rational_polynomial', 'equidistant',
                                      'double_sphere', 'eucm', 'equirectangular', 'none'),
        doc='distortion model of the lens; equidistant: fisheye by Kannala and Brandt, eucm: '
            'extended unified camera model, equirectangular: panorama, none: ideal lens')
    distortion: tuple[float, ...] = tag(
        'values', (), doc='`k1 k2 p1 p2 k3` of plumb_bob, `k1 k2 p1 p2 k3 k4 k5 k6` of '
        'rational_polynomial, `k1 k2 k3 k4` of equidistant, `xi alpha` of double_sphere, '
        '`alpha beta` of eucm; missing ones at the end are 0')
    k1: float = coefficient('k1')
    k2: float = coefficient('k2')
    p1: float = coefficient('p1')
    p2: float = coefficient('p2')
    k3: float = coefficient('k3')
    encoding: str = tag(
        'text', 'rgb8', choices=(*SHALLOW, *DEEP),
        doc='encoding of the image: colours, brightness, or a Bayer filter with one colour per '
            'pixel, in 8 or 16 bits; 32FC: light without gamma and limit')
    hdr: bool = tag('bool', False, doc='draw light as real numbers, so that exposures show no '
                    'steps and bright light is not cut; always with 16 bits and 32FC')
    bit_depth: int = tag('int', 16, minimum=8, maximum=16, doc='bits of a pixel in 16-bit '
                         'encodings, the highest ones of the number')
    f_number: float = tag(
        'float', 0.0, minimum=0, doc='focal length over the width of the opening, for depth of '
        'field; 0: all is sharp')
    focal_length: float = tag(
        'float', 0.004, unit='m', above=0, needs='f_number', doc='focal length of the lens')
    focus_distance: float = tag('float', 0.0, unit='m', minimum=0, needs='f_number',
                                doc='distance that is sharp; 0: infinity')
    lens_samples: int = tag('int', 32, minimum=1, maximum=1000, needs='f_number',
                            doc='number of pictures averaged for depth of field')
    stereo_baseline: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='distance of a second camera on the right; 0: none')
    stereo_right_frame: bool = tag(
        'bool', False, needs='stereo_baseline',
        doc='true: messages of the right camera are in its own optical frame; false: in the '
        'left one, as sensor_msgs/CameraInfo requires')
    exposure_time: float = tag('float', 0.0, unit='s', minimum=0,
                               doc='exposure time of a row, for motion blur; 0: an instant')
    exposure_samples: int = tag('int', 8, minimum=1, maximum=1000, needs='exposure_time',
                                doc='number of pictures averaged for motion blur')
    readout_time: float = tag(
        'float', 0.0, unit='s', minimum=0, doc='readout time of a rolling shutter, from the first '
        'row to the end of the last; 0: all rows at once')
    readout_bands: int = tag('int', 32, minimum=1, maximum=MOST_PIXELS, needs='readout_time',
                             doc='bands of rows, each rendered at one time')

    @property
    def takes_light(self) -> bool:
        return self.hdr or self.encoding in DEEP

    @property
    def aperture_width(self) -> float:
        """Return the width of the opening of the lens [m]."""
        return self.focal_length / self.f_number if self.f_number else 0.0

    @property
    def lens(self) -> tuple[str, tuple[float, ...]]:
        """Return the model of the lens and its coefficients."""
        values = all_of(self.distortion, (self.k1, self.k2, self.p1, self.p2, self.k3))
        return ('plumb_bob', ()) if self.distortion_model == 'none' else (
            self.distortion_model, values)

    @property
    def memory(self) -> float:
        images = 2 if self.stereo_baseline else 1
        return _BYTES_A_PIXEL * images * self.ncols * self.nrows

    def problems(self) -> Problems:
        yield from super().problems()
        if self.takes_light and (self.compressed != 'none' or self.lens_drops):
            yield ('compressed images and drops on the lens have 8-bit colours: leave out hdr, or '
                   'compressed and lens_drops, and take an encoding of 8 bits')
        if self.f_number and self.distortion_model in _FISHEYES:
            yield (f'the depth of field is that of a lens with a plane of focus, not of '
                   f'{self.distortion_model}: leave out f_number')
        if self.black_level >= 255 and self.encoding in SHALLOW:
            yield f'black_level is {self.black_level:g}, of 255 in {self.encoding}: give less'
        if self.distortion and any((self.k1, self.k2, self.p1, self.p2, self.k3)):
            yield 'distortion and k1, k2, p1, p2, k3 exclude each other: give one of both'
        if self.exposure_time + self.readout_time > 0.0 and (self.normals or self.optical_flow):
            yield ('normals and optical_flow are those of an instant: leave out exposure_time and '
                   'readout_time, or give a second camera the layers')
        if self.exposure_time > self.sensor_period:
            yield (f'exposure_time is {self.exposure_time:g} s and sensor_period '
                   f'{self.sensor_period:g} s: a sensor gathers light for one image at a time, '
                   'so it must not be longer than the period')
        if self.readout_time > self.sensor_period:
            yield (f'readout_time is {self.readout_time:g} s and sensor_period '
                   f'{self.sensor_period:g} s: an image is read before the next, so it must not '
                   'be longer than the period')

    def doubts(self) -> Problems:
        yield from principal_point(self)


@dataclass(frozen=True)
class RgbdCameraSpec(ImagerSpec):
    """
    Depth and colour camera; the depth frame looks along x.

    >>> from mvsim_ros2.world.spec import RgbdCameraSpec
    >>> RgbdCameraSpec(name='rgbd', sense_rgb=False, depth_clip_max=6.0)  # measures RgbdImages
    RgbdCameraSpec(name='rgbd', sense_rgb=False, depth_clip_max=6)
    """

    XML_CLASS = 'rgbd_camera'

    relative_pose: Pose = tag(
        'pose3', _RGB_IN_DEPTH, name='relativePoseIntensityWRTDepth', unit='m, deg',
        doc='pose of the colour camera (optical) in the depth frame')
    sense_depth: bool = tag('bool', True, doc='measure depth')
    sense_rgb: bool = tag('bool', True, doc='measure colour')
    depth_ncols: int = tag('int', 640, unit='px', minimum=1, maximum=MOST_PIXELS,
                           doc='width of the depth image')
    depth_nrows: int = tag('int', 480, unit='px', minimum=1, maximum=MOST_PIXELS,
                           doc='height of the depth image')
    depth_cx: float = tag('float', 320.0, unit='px', doc='principal point, depth')
    depth_cy: float = tag('float', 240.0, unit='px', doc='principal point, depth')
    depth_fx: float = tag('float', 500.0, unit='px', above=0, doc='focal length, depth')
    depth_fy: float = tag('float', 500.0, unit='px', above=0, doc='focal length, depth')
    rgb_ncols: int = tag('int', 640, unit='px', minimum=1, maximum=MOST_PIXELS,
                         doc='width of the colour image')
    rgb_nrows: int = tag('int', 480, unit='px', minimum=1, maximum=MOST_PIXELS,
                         doc='height of the colour image')
    rgb_cx: float = tag('float', 320.0, unit='px', doc='principal point, colour')
    rgb_cy: float = tag('float', 240.0, unit='px', doc='principal point, colour')
    rgb_fx: float = tag('float', 500.0, unit='px', above=0, doc='focal length, colour')
    rgb_fy: float = tag('float', 500.0, unit='px', above=0, doc='focal length, colour')
    rgb_distortion_model: str = tag('text', 'plumb_bob', choices=('plumb_bob', 'none'),
                                    doc='distortion model of the colour lens; none: ideal lens')
    rgb_k1: float = coefficient('k1')
    rgb_k2: float = coefficient('k2')
    rgb_p1: float = coefficient('p1')
    rgb_p2: float = coefficient('p2')
    rgb_k3: float = coefficient('k3')
    rgb_clip_min: float = tag('float', 0.01, unit='m', above=0, doc='nearest depth drawn')
    rgb_clip_max: float = tag(
        'float', 1e4, unit='m', above=0, over='rgb_clip_min', doc='farthest depth drawn')
    depth_clip_min: float = tag('float', 0.1, unit='m', above=0, doc='smallest depth')
    depth_clip_max: float = tag(
        'float', 15.0, unit='m', above=0, over='depth_clip_min', doc='largest depth')
    depth_resolution: float = tag('float', 1e-3, unit='m', above=0, doc='unit of 16 bit depth')
    depth_model: str = tag('text', 'exact', choices=('exact', 'stereo', 'time_of_flight'),
                           doc='measuring principle, which adds its own errors to the noise below')
    depth_baseline: float = tag('float', 0.05, unit='m', above=0, needs='depth_model=stereo',
                                doc='distance of the second depth camera, on the right')
    disparity_noise: float = tag(
        'float', 0.08, unit='px', minimum=0, random=True, needs='depth_model=stereo',
        doc='standard deviation of a disparity')
    disparity_step: float = tag('float', 0.03125, unit='px', minimum=0, needs='depth_model=stereo',
                                doc='resolution of disparities; 0: continuous')
    depth_light_min: float = tag(
        'float', 0.0, minimum=0, maximum=1, doc='light of a surface (1: white in full light) '
        'below which there is no depth; 0: no limit')
    depth_light_max: float = tag(
        'float', 1.0, minimum=0, maximum=1,
        doc='light above which there is no depth, as in full sun; 1: no limit')
    tof_frequency: float = tag(
        'float', 20e6, unit='Hz', above=0, needs='depth_model=time_of_flight',
        doc='modulation frequency F of the light; depths repeat beyond c / (2 F), 7.5 m at 20 MHz')
    tof_mixing: float = tag(
        'float', 0.1, minimum=0, maximum=0.8, needs='depth_model=time_of_flight',
        doc='share of the light of a pixel from its four neighbours, for flying pixels at edges')
    tof_multipath: float = tag(
        'float', 0.0, minimum=0, maximum=1, needs='depth_model=time_of_flight',
        doc='reflectivity of surfaces for light that comes by way of another one, as in corners; '
        '0: none')
    depth_noise_sigma: float = tag(
        'float', 1e-3, unit='m', minimum=0, random=True, doc='noise of a depth')
    depth_noise_growth: float = tag(
        'float', 0.0, unit='1/m', minimum=0,
        random=True, doc='noise that grows with the square of the depth, added to the other')
    depth_hole_jump: float = tag('float', 0.0, minimum=0, doc='no depth next to a step larger '
                                 'than this share of the depth; 0: no such holes')
    depth_encoding: str = tag(
        'text', '16UC1', choices=('16UC1', '32FC1'), aliases=('ros_depth_image_encoding',),
        doc='encoding of the depth image: multiples of `depth_resolution`, or metres')
    preview_depth: bool = tag('bool', True, idle=PREVIEWS, doc='show depths too')
    registered: bool = tag(
        'bool', False, doc='depth image has position and pixels of the colour camera')
    show_3d_pointcloud: bool = tag('bool', False, idle='the window has a switch for clouds, and '
                                   'RViz draws the topic', doc='draw the points')
    publish_ros_depth_image: bool = tag('bool', True, doc='publish and record the depth image')
    publish_ros_colored_pointcloud: bool = tag(
        'bool', False, doc='measure coloured points as well')

    @property
    def rgb_distortion(self) -> tuple[float, ...]:
        """Return the coefficients k1 k2 p1 p2 k3 of the lens for colours, none for an ideal."""
        single = self.rgb_k1, self.rgb_k2, self.rgb_p1, self.rgb_p2, self.rgb_k3
        return () if self.rgb_distortion_model == 'none' else all_of((), single)

    @property
    def memory(self) -> float:
        return _BYTES_A_PIXEL * (self.sense_depth * self.depth_ncols * self.depth_nrows
                                 + self.sense_rgb * self.rgb_ncols * self.rgb_nrows)

    def problems(self) -> Problems:
        yield from super().problems()
        if not self.sense_rgb and (
                self.labels or self.normals or self.optical_flow or self.boxes_3d):
            yield ('labels, normals, optical_flow and boxes_3d are those of the colour image: '
                   'leave them out, or say sense_rgb')
        if self.registered and self.rgb_distortion:
            yield ('a registered depth has the pixels of the colours, whose lens must be ideal: '
                   'leave out rgb_k1 to rgb_k3, or registered')

    def doubts(self) -> Problems:
        for prefix, there in (('depth_', self.sense_depth), ('rgb_', self.sense_rgb)):
            if there:
                yield from principal_point(self, prefix)


SENSORS = CameraSpec, RgbdCameraSpec
