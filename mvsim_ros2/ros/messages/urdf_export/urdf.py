# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Export of a vehicle spec as URDF.

Links: the footprint, if there is one, the base, a steering and a rolling link per wheel, and one
per sensor frame. Visuals are the meshes of the vehicle; collision shapes, and visuals without a
mesh, are primitives: the bounding box of the chassis, cylinders. `<ros2_control>` declares driven
and steered joints, Gazebo tags declare sensors. A tag of this package has the class of dynamics
and the outline of the chassis, which URDF cannot express.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, indent, SubElement, tostring

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.sensor_channels import SENSOR_MESSAGES, Tags
from mvsim_ros2.world.file.urdf_import.dynamics import OWN_TAG
from mvsim_ros2.world.file.urdf_import.visuals import collada_axes
from mvsim_ros2.world.spec.common import GeometrySpec, Resource, VisualSpec
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.outlines import shape_of
from mvsim_ros2.world.spec.sensors.base import SensorSpec
from mvsim_ros2.world.spec.sensors.camera import ImagerSpec
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.vehicle.parts import WheelSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Numbers = tuple[float, ...]
Axes = tuple[float, float, float]
Drawn = tuple[Pose, str, dict[str, str]]  # place in the frame of a visual, tag, attributes


def steering_frames(prefix: str, dynamics: DynamicsSpec) -> list[str]:
    """Return the frames that turn with the steering of the wheels."""
    return [f'{prefix}{name}_steering' for name in dynamics.wheel_names]


def wheel_mount(wheel: WheelSpec) -> Pose:
    """Return the pose of the centre of a wheel that is not steered, in the body frame."""
    x, y, toe = wheel.pos
    return Pose(x, y, wheel.radius, toe)


def robot_urdf(vehicle: VehicleSpec, frames: FrameNames,
               sensors: Iterable[tuple[str, str, Pose]]) -> str:
    """Return the URDF of a vehicle."""
    robot = Element('robot', name=vehicle.name)
    if frames.footprint:
        SubElement(robot, 'link', name=frames.footprint)
        _joint(robot, 'base_joint', 'fixed', frames.footprint, frames.base, Pose())
    base = SubElement(robot, 'link', name=frames.base)
    linked = {wheel.linked_yaw for wheel in vehicle.dynamics.wheels if wheel.linked_yaw}
    is_shown = add_visuals(base, [each for each in vehicle.visuals if each.name not in linked])
    _chassis(base, vehicle.dynamics, is_shown)
    for number, (wheel, steering_joint, steered, wheel_joint, name) in enumerate(zip(
            vehicle.dynamics.wheels, vehicle.dynamics.steering_joints,
            steering_frames(frames.prefix, vehicle.dynamics), vehicle.dynamics.wheel_joints,
            vehicle.dynamics.wheel_names, strict=True)):
        rolling = frames.prefix + name
        fork = SubElement(robot, 'link', name=steered)
        add_steered_visuals(fork, vehicle.visuals, wheel, wheel_mount(wheel))
        turns = number in vehicle.dynamics.turning_wheels
        _joint(robot, steering_joint, 'continuous' if turns else 'fixed',
               frames.base, steered, wheel_mount(wheel), (0, 0, 1) if turns else ())
        _wheel(SubElement(robot, 'link', name=rolling), wheel)
        _joint(robot, wheel_joint, 'continuous', steered, rolling, Pose(), (0, 1, 0))
    links: dict[str, tuple[Element, str, Pose]] = {}
    for frame, parent, pose in sensors:
        links[frame] = SubElement(robot, 'link', name=frame), parent, pose
        _joint(robot, f'{frame}_joint', 'fixed', parent, frame, pose)
    for sensor in vehicle.sensors:
        looks_along_x = isinstance(sensor, ImagerSpec) or not sensor.frame_id
        link = frames.prefix + (sensor.name if looks_along_x else sensor.frame_id)
        if link in links:
            add_gazebo_tags(robot, sensor, link)
            element, parent, pose = links[link]
            if parent == frames.base:
                add_visuals(element, sensor.visuals, pose.inverse().compose(sensor.pose))
    _commands(robot, vehicle.dynamics)
    indent(robot)
    return tostring(robot, 'unicode', xml_declaration=True) + '\n'


def _joint(robot: Element, name: str, kind: str, parent: str, child: str, pose: Pose,
           axis: Numbers = ()) -> None:
    joint = SubElement(robot, 'joint', name=name, type=kind)
    SubElement(joint, 'parent', link=parent)
    SubElement(joint, 'child', link=child)
    add_origin(joint, pose)
    if axis:
        SubElement(joint, 'axis', xyz=text(axis))


def _body(link: Element, pose: Pose, shape: str, sizes: dict[str, str], colour: Numbers,
          mass: float, inertia: Numbers, is_shown: bool, centre: Pose | None = None) -> None:
    """Add collision shape and inertia at a centre, and a visual where a link has none yet."""
    for purpose in ('collision',) if is_shown else ('visual', 'collision'):
        part = SubElement(link, purpose)
        add_origin(part, pose)
        SubElement(SubElement(part, 'geometry'), shape, sizes)
        if purpose == 'visual':
            add_colour(part, f'{link.get("name")}_colour', colour)
    inertial = SubElement(link, 'inertial')
    add_origin(inertial, pose if centre is None else centre)
    SubElement(inertial, 'mass', value=text([mass]))
    ixx, iyy, izz = (text([moment]) for moment in inertia)
    SubElement(inertial, 'inertia', ixx=ixx, iyy=iyy, izz=izz, ixy='0', ixz='0', iyz='0')


def _commands(robot: Element, dynamics: DynamicsSpec) -> None:
    """Declare the commanded joints, and the tag of this package."""
    control = SubElement(robot, 'ros2_control', name=f'{robot.get("name")}_wheels', type='system')
    for index in dynamics.driven_wheels:
        joint = SubElement(control, 'joint', name=dynamics.wheel_joints[index])
        SubElement(joint, 'command_interface', name='velocity')
    for index in dynamics.steered_wheels:
        joint = SubElement(control, 'joint', name=dynamics.steering_joints[index])
        SubElement(joint, 'command_interface', name='position')
    own = SubElement(robot, OWN_TAG, dynamics=dynamics.XML_CLASS)
    shape = SubElement(own, 'shape')
    for point in dynamics.chassis.shape:
        SubElement(shape, 'pt').text = text(point)


def _chassis(link: Element, dynamics: DynamicsSpec, is_shown: bool) -> None:
    chassis = dynamics.chassis
    x, y = zip(*chassis.shape, strict=True)
    size = max(x) - min(x), max(y) - min(y), chassis.zmax - chassis.zmin
    middle = Pose(0.5 * (max(x) + min(x)), 0.5 * (max(y) + min(y)),
                  0.5 * (chassis.zmax + chassis.zmin))
    centre = middle if chassis.centre_of_mass is None else Pose(*chassis.centre_of_mass)
    a, b, c = (length ** 2 * chassis.mass / 12 for length in size)
    _body(link, middle, 'box', {'size': text(size)}, chassis.color, chassis.mass,
          (b + c, a + c, _turning(dynamics, centre) or a + b), is_shown, centre)


def _turning(dynamics: DynamicsSpec, centre: Pose) -> float | None:
    """Return the yaw inertia of the chassis alone about its centre, None if not given."""
    chassis, wheels = dynamics.chassis, dynamics.wheels
    if chassis.yaw_inertia is None:
        return None
    parts = [(chassis.mass, centre.x, centre.y)] + [
        (wheel.mass, wheel.pos[0], wheel.pos[1]) for wheel in wheels]
    mass = sum(part[0] for part in parts)
    x = sum(part[0] * part[1] for part in parts) / mass
    y = sum(part[0] * part[2] for part in parts) / mass
    others = sum(part[0] * ((part[1] - x) ** 2 + (part[2] - y) ** 2) for part in parts)
    others += sum(_across(wheel) for wheel in wheels)
    return max(chassis.yaw_inertia - others, 1e-3 * chassis.yaw_inertia)


def _across(wheel: WheelSpec) -> float:
    """Return the inertia of a wheel about a diameter [kg m^2]."""
    return wheel.mass * (3 * wheel.radius ** 2 + wheel.width ** 2) / 12


def _wheel(link: Element, wheel: WheelSpec) -> None:
    across = _across(wheel)
    is_shown = add_visuals(link, wheel.visuals)
    on_its_side = Pose(roll=1.5707963267948966)  # the axis of a cylinder is z in URDF
    _body(link, on_its_side, 'cylinder',
          {'radius': text([wheel.radius]), 'length': text([wheel.width])}, wheel.color,
          wheel.mass, (across, across, wheel.spin_inertia), is_shown)


def add_gazebo_tags(robot: Element, sensor: SensorSpec, link: str) -> None:
    """Add the Gazebo tag of a sensor, where Gazebo has one of its kind."""
    write = SENSOR_MESSAGES[type(sensor)].gazebo
    if write is None:
        return
    kind, tags = write(sensor)
    node = SubElement(SubElement(robot, 'gazebo', reference=link), 'sensor', name=sensor.name,
                      type=kind)
    common = {'always_on': 'true', 'update_rate': 1.0 / sensor.sensor_period}
    _fill(node, common | ({'topic': sensor.topic} if sensor.topic else {}) | dict(tags))


def _fill(parent: Element, tags: Tags) -> None:
    for tag, content in tags.items():
        child = SubElement(parent, tag)
        if isinstance(content, Mapping):
            _fill(child, content)
        else:
            child.text = content if isinstance(content, str) else f'{content:.9g}'


def text(numbers: Iterable[float]) -> str:
    """Return numbers as the words of an attribute."""
    return ' '.join(f'{number:.9g}' for number in numbers)


def add_origin(parent: Element, pose: Pose) -> None:
    """Add an `<origin>`."""
    SubElement(parent, 'origin', xyz=text((pose.x, pose.y, pose.z)),
               rpy=text((pose.roll, pose.pitch, pose.yaw)))


def add_colour(visual: Element, name: str, colour: Iterable[float]) -> None:
    """Add the material of a `<visual>`."""
    material = SubElement(visual, 'material', name=name)
    SubElement(material, 'color', rgba=text(colour))


def add_visuals(link: Element, visuals: Iterable[VisualSpec], frame: Pose | None = None) -> bool:
    """
    Add meshes and solids to a link; return whether any was added.

    Unavailable meshes, and solids that URDF does not have, are left out. Meshes of a package
    keep their `package://` URI, for displays on another machine.
    """
    shown = False
    for number, visual in enumerate(visuals, start=1):
        if not visual.enabled:
            continue
        pose = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z,
                    visual.model_yaw, visual.model_pitch, visual.model_roll)
        if visual.geometry is not None:
            found = _solid(visual.geometry, per_axis(visual.model_scale))
        else:
            found = _mesh(visual.model_uri, per_axis(visual.model_scale))
        if found is None:
            continue
        place, kind, attributes = found
        part = SubElement(link, 'visual')
        placed = pose.compose(place)
        add_origin(part, placed if frame is None else frame.compose(placed))
        SubElement(SubElement(part, 'geometry'), kind, attributes)
        if visual.model_color is not None:
            add_colour(part, f'{link.get("name")}_colour_{number}', visual.model_color)
        shown = True
    return shown


def add_steered_visuals(link: Element, visuals: Iterable[VisualSpec], wheel: WheelSpec,
                        mount: Pose) -> None:
    """Add to a link the visuals of a vehicle that steer with a wheel (`linked_yaw`)."""
    for visual in visuals:
        if wheel.linked_yaw and visual.name == wheel.linked_yaw:
            place = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z,
                         wheel.linked_yaw_offset)
            centred = replace(visual, model_offset_x=0.0, model_offset_y=0.0, model_offset_z=0.0,
                              model_yaw=0.0)
            add_visuals(link, [centred], mount.inverse().compose(place))


def _mesh(uri: Resource | None, scale: Axes) -> Drawn | None:
    """Return pose of a mesh in the frame of its visual, tag and attributes; None if missing."""
    if uri is None or uri.path is None:
        return None
    place = Pose()
    if Path(uri.path).suffix.lower() == '.dae':  # URDF does not convert the axes of the file
        axes = collada_axes(uri.path)
        place, scale = Pose.from_matrix(axes).inverse(), (abs(axes[:3, :3]) @ scale).tolist()
    is_shared = uri.uri.startswith('package://')
    name = uri.uri if is_shared else Path(uri.path).absolute().as_uri()
    return place, 'mesh', {'filename': name, 'scale': text(scale)}


def _solid(solid: GeometrySpec, scale: Axes) -> Drawn | None:
    """Return the same of a solid, whose origin is then in its middle; None if URDF has none."""
    shape_of(solid)
    x, y, z = map(abs, scale)
    sides = solid.lx, solid.ly, solid.lz
    middle = [0.5 * factor * side for factor, side in zip(scale, sides, strict=True)]
    return {
        'box': (Pose(*middle), 'box', {
            'size': text([2.0 * abs(half) for half in middle])}),
        'cylinder': (Pose(z=0.5 * scale[2] * solid.length), 'cylinder', {
            'radius': text([x * solid.radius]), 'length': text([z * solid.length])})
        if x == y else None,
        'sphere': (Pose(), 'sphere', {'radius': text([x * solid.radius])})
        if x == y == z else None,
        'ramp': None,
        'semi_cylinder_bump': None,
    }[solid.kind]
