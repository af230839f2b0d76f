# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Common tags of all sensors (`<sensor class="...">`)."""

from dataclasses import dataclass
import re
from typing import NamedTuple

from mvsim_ros2.base.registry import built_in, with_plugins
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import publishes, PublishSpec, VisualSpec
from mvsim_ros2.world.spec.fields import Problems, Spec, tag

# why nothing acts on a tag, see `Tag.idle`
PREVIEWS = 'the window has a switch for images, and shows the newest ones'
BYTES_A_RAY = 200  # rays, hits, points and noise, measured
_TOPIC = re.compile(r'[A-Za-z_]\w*(/[A-Za-z_]\w*)*', re.ASCII)
_FRAME = re.compile(r'[^\s/]\S*')


class _Delays(NamedTuple):
    """What happens to measurements on their way to their topics."""

    latency: float  # from the measurement to its publishing [s]
    jitter: float  # of that, standard deviation [s]
    lost: float  # share that never arrives


# by links: their order of magnitude, not that of a device
LINKS = {'ideal': _Delays(0.0, 0.0, 0.0), 'serial': _Delays(0.010, 0.002, 0.0),
         'can': _Delays(0.002, 0.0005, 0.0), 'ethernet': _Delays(0.003, 0.0005, 0.0),
         'usb_camera': _Delays(0.050, 0.005, 0.001), 'wifi': _Delays(0.030, 0.015, 0.01)}


def sensor_pose(default: Pose) -> Pose:
    """
    Return the field `pose` of a sensor.

    :param default: where the file says nothing.
    """
    field: Pose = tag(
        'pose', default, aliases=('pose_3d',), unit='m, deg',
        doc='pose in the body frame; `pose` leaves z, pitch and roll as they are by default')
    return field


@dataclass(frozen=True)
class SensorSpec(Spec):
    """
    The common tags of all sensors.

    >>> from dataclasses import replace
    >>> from mvsim_ros2 import Pose, Simulation, world_path
    >>> from mvsim_ros2.world.spec import LaserSpec
    >>> simulation = Simulation.from_file(world_path('empty'))
    >>> robot = simulation.vehicles['robot'].spec
    >>> simulation.spawn_vehicle(
    ...     'other', replace(robot, sensors=(LaserSpec(name='front', nrays=5),)), Pose(x=2.0))
    <vehicle 'other' (differential, twist_pid) at (2.00, 0.00) m, 0.0 deg; 0.00 m/s, 0.00 rad/s>
    >>> simulation.measure('other/front').ranges.shape
    (5,)
    """

    XML_CLASS = ''
    INTEGRATES = False  # it measures on without subscribers, since it adds up what it measures

    name: str = tag('name', '', attribute=True, doc='name; default: the class and a number')
    pose: Pose = sensor_pose(Pose())
    sensor_period: float = tag(
        'float', 0.1, unit='s', minimum=1e-5, doc='time between measurements')
    sensor_phase: float | None = tag(
        'float', None, unit='s', minimum=0,
        doc='time of the first measurement; 0: in the first step; default: after one period')
    trigger: str = tag('text', 'period', doc='trigger of a measurement: `period`, `external` (a '
                       'call or a service), or the name of another sensor of the vehicle, for '
                       '`sensor_phase` after its measurements')
    link: str = tag('text', 'ideal', choices=tuple(LINKS), doc='link with typical latency, jitter '
                    'and losses; the next three tags override them')
    latency: float | None = tag(
        'float', None, unit='s', minimum=0, maximum=60, doc='time between a measurement and its '
        'publication; does not change the timestamp')
    latency_jitter: float | None = tag(
        'float', None, unit='s', minimum=0, random=True, doc='standard deviation of the latency')
    lost: float | None = tag('float', None, minimum=0, maximum=1, random=True,
                             doc='share of the measurements that are never published')
    clock_offset: float = tag(
        'float', 0.0, unit='s', minimum=-1000, maximum=1000,
        doc='time by which the clock of the timestamps is ahead at the start')
    clock_drift: float = tag('float', 0.0, unit='ppm', minimum=-1000, maximum=1000,
                             doc='microseconds per second that this clock gains')
    topic: str = tag('text', '', doc='topic, or the prefix of its topics if it has several; '
                     'default: its name, or the usual topic')
    frame_id: str = tag(
        'text', '', doc='frame of the measurements; default: the name of the sensor')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes')
    preview_win_visible: bool = tag(
        'bool', True, idle=PREVIEWS, doc='show its images in a small window')
    publish: PublishSpec | None = publishes()

    @property
    def memory(self) -> float:
        """Memory that a measurement takes, estimated [bytes]."""
        return 0.0

    @property
    def delays(self) -> _Delays:
        """Return latency, jitter and losses."""
        usual = LINKS[self.link]
        return _Delays(usual.latency if self.latency is None else self.latency,
                       usual.jitter if self.latency_jitter is None else self.latency_jitter,
                       usual.lost if self.lost is None else self.lost)

    def problems(self) -> Problems:
        if self.trigger == self.name:
            yield 'it cannot trigger itself: name another sensor, `period` or `external`'
        if self.topic and not _TOPIC.fullmatch(self.topic):
            yield (f'the topic {self.topic!r} is not possible: write words of letters, digits '
                   'and _ with / between them, none of which begins with a digit or /')
        if self.frame_id and not _FRAME.fullmatch(self.frame_id):
            yield (f'the frame {self.frame_id!r} is not possible: it must not have blanks or '
                   'begin with /')


GROUP = 'mvsim_ros2.sensors'  # entry points of plugins


def own_sensor_specs() -> tuple[type[SensorSpec], ...]:
    """Return the classes of this package: `SENSORS` of the files here."""
    return built_in(__name__.rpartition('.')[0], 'SENSORS')


def sensor_specs() -> tuple[type[SensorSpec], ...]:
    """Return all classes that a world file can name."""
    return with_plugins(own_sensor_specs(), GROUP)
