# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Differences of a world here from MVSim, with reasons."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
import math
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.binding.tags import spec_classes
from mvsim_ros2.world.spec import (
    ActorSpec, CameraSpec, GnssEventSpec, ImuSpec, JointController, JointSpec, LaserSpec,
    Lidar3dSpec, OdometrySpec, PhysicsSpec, PlaneSpec, RgbdCameraSpec, Source, Spec,
    TwistIdealController, VehicleSpec, VerticalPlaneSpec, WorldSpec)
from mvsim_ros2.world.spec.fields import entries, Entry


@dataclass(frozen=True)
class Difference:
    """A rule: where what holds, it behaves otherwise."""

    spec: type
    holds: Callable[[Any], bool]
    tag: str  # that it is about, '' for the whole
    text: str  # how it is here, why, and what makes it as in the original


DIFFERENCES = (
    Difference(
        PhysicsSpec, lambda spec: spec.mode == 'physical', 'mode',
        'wheels have the loads, slips and slopes of a real vehicle, solved with the step; '
        '<physics mode="mvsim"/> or --physics mvsim selects the equations of MVSim'),
    Difference(
        OdometrySpec, lambda spec: spec.source_kind == 'wheels', 'source',
        'odometry comes from the wheels, with slip and growing errors; source="motion" uses the '
        'true motion, as MVSim does'),
    Difference(
        VehicleSpec, lambda spec: spec.init_twist != (0.0, 0.0, 0.0), 'init_vel',
        'it is in the frame of the vehicle, and the wheels roll accordingly; MVSim ignores it or '
        'uses the frame of the world'),
    Difference(
        TwistIdealController, lambda spec: True, '',
        'in mode `physical` the vehicle follows its arc exactly and stops at walls; in MVSim, and '
        'in mode `mvsim`, it drifts sideways by v w dt in each step'),
    Difference(
        JointController, lambda spec: True, '',
        'the controller manager is a separate process, with topic_based_ros2_control; the node '
        'ignores cmd_vel, and still publishes odom: set publish_odom_tf to false'),
    Difference(
        LaserSpec, lambda spec: spec.fov > 2.0 * math.pi - 1e-6 and not spec.closed_circle,
        'fov_degrees',
        'a full circle has no ray twice; closed_circle repeats the first one, as MVSim does'),
    Difference(
        LaserSpec, lambda spec: True, 'max_range',
        'a ray without a hit is +inf (REP-117), not the largest range; intensities are set'),
    Difference(
        LaserSpec, lambda spec: bool(spec.raytrace_3d), 'raytrace_3d',
        'each ray is cast exactly; MVSim samples a depth image of 500 columns'),
    Difference(
        Lidar3dSpec, lambda spec: spec.rolling, 'rolling',
        'columns fire over the period, and points have a time; rolling="false" fires all at once, '
        'as MVSim does'),
    Difference(
        Lidar3dSpec, lambda spec: spec.layout != 'mvsim', 'layout',
        'fields of points are those of the drivers; layout="mvsim" has those of MVSim'),
    Difference(
        CameraSpec, lambda spec: spec.pose == CameraSpec.pose, 'pose',
        'by default the picture is upright; in MVSim it is upside down'),
    Difference(
        RgbdCameraSpec, lambda spec: spec.sense_depth, 'sense_depth',
        'depths are in the optical frame, in whole millimetres by default; missing ones are NaN '
        'or 0'),
    Difference(
        ImuSpec, lambda spec: True, '',
        'acceleration is the specific force at the sensor, with gravity (REP-145), and '
        'covariances are those of the noise'),
    Difference(
        GnssEventSpec, lambda spec: spec.outage, 'outage',
        'the node publishes a message without a fix (status -1); MVSim publishes none'),
    Difference(
        PlaneSpec, lambda spec: isinstance(spec, VerticalPlaneSpec) and (
            spec.init_pose != Pose() or spec.animation is not None), 'init_pose',
        'it also moves the solid wall; in MVSim it moves only the drawn one'),
    Difference(
        JointSpec, lambda spec: spec.min_length > 0.0, 'min_length',
        'it acts only if equal to max_length, which makes a bar'),
    Difference(
        ActorSpec, lambda spec: bool(spec.visuals), 'visual',
        'the figure moves as a whole; animations of its mesh are not played'),
)


@dataclass(frozen=True)
class Finding:
    """Something of a world that is otherwise here."""

    source: Source
    text: str

    def __str__(self) -> str:
        return f'{self.source}: {self.text}' if self.source.file else self.text


def differences(world: WorldSpec) -> Iterator[Finding]:
    """
    Yield what of a world behaves otherwise than in MVSim, and what MVSim does not know.

    Tags without effect are warnings of the loading and not repeated.
    """
    found: set[tuple[str, str]] = set()

    def new(source: Source, text: str) -> Iterator[Finding]:
        if (source.file, text) not in found:
            found.add((source.file, text))
            yield Finding(source, text)

    for part, source in parts_of(world):
        kind = titles().get(type(part), '')
        absent = '' if part.source.file else ', by default'
        for rule in DIFFERENCES:
            if isinstance(part, rule.spec) and rule.holds(part):
                where = f'<{kind}>' + (f' {rule.tag}' if rule.tag else '')
                yield from new(source, f'{where}{absent}: {rule.text}')
        for entry in given(part):
            if not is_original(type(part), entry) and (
                    entry.tag.kind not in ('spec', 'specs') or type(part) is not WorldSpec):
                yield from new(
                    source, f'<{kind}> {entry.names[0]}: an addition, which MVSim ignores or '
                    'rejects')


@cache
def titles() -> dict[type, str]:
    """Return the titles of all spec classes, from `ORIGINAL_TAGS` for classes of MVSim."""
    found: dict[type, str] = {}
    for spec, names in spec_classes().items():
        own = getattr(spec, 'XML_CLASS', '')
        known = [f'{name} {own}'.strip() for name in names]
        title = next((each for each in known if each in ORIGINAL_TAGS), known[0])
        found[spec] = title
    return found


def is_original(spec: type, entry: Entry) -> bool:
    """Return whether MVSim knows a tag too."""
    title = titles().get(spec, '')
    if title == 'waypoint':  # those of actors and those of trajectories
        return True
    return any(name in ORIGINAL_TAGS.get(title, ()) for name in entry.names)


def parts_of(thing: Any, within: Source = Source()) -> Iterator[tuple[Any, Source]]:
    """Yield a spec and all specs in it, each with its place, or its holder's if it has no tag."""
    place = getattr(thing, 'source', within)
    place = place if place.file else within
    yield thing, place
    for item in fields(thing):
        value = getattr(thing, item.name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Spec):
                yield from parts_of(each, place)


def given(spec: Any) -> Iterator[Entry]:
    """Yield the tags of a spec that have other values than by default."""
    kind: Any = type(spec)
    for item in fields(spec):
        entry = next((each for each in entries(kind) if each.field == item.name), None)
        if entry is not None and getattr(spec, item.name) != item.default:
            yield entry


_SENSOR = ('name pose pose_3d sensor_period visual preview_win_visible publish ignore_parent_body')
_WHEEL = 'pos mass width diameter inertia color linked_yaw linked_yaw_offset_deg visual joint_name'
_LAMP = ('position color diffuse specular attenuation_constant attenuation_linear '
         'attenuation_quadratic range cast_shadows')
_TYRE = 'C_damping C_rr'
_PID = ('KP KI KD N max_torque enable_antiwindup enable_feedforward feedforward_gain '
        'enable_reference_filter reference_filter_tau reference_filter_order V W')
_PLANE = ('name init_pose init_pose3d z color enable_shadows cull_face texture normal_map '
          'texture_size_x texture_size_y animation publish')
_STEERED = ('chassis controller max_steer_ang_deg rl_wheel rr_wheel fl_wheel fr_wheel f_wheels_x '
            'f_wheels_d')

# as in the titles of the manual, the tag, or the tag and the class -> names
_TEXT = {
    'mvsim_world': (
        'version simul_timestep gravity b2d_vel_iters b2d_pos_iters collision_threshold '
        'joystick_enabled server_address save_to_rawlog rawlog_odometry_rate '
        'save_ground_truth_trajectory ground_truth_rate max_slope_to_collide '
        'min_slope_to_collide gui lights georeference'),
    'gui': (
        'win_w win_h start_maximized refresh_fps ortho show_forces force_scale '
        'show_sensor_points show_trajectories show_sensor_previews show_gui_panels fov_deg '
        'follow_vehicle headless clip_plane_min clip_plane_max cam_distance cam_azimuth '
        'cam_elevation cam_point_to'),
    'lights': (
        'enable_shadows shadow_map_size light_azimuth_deg light_elevation_deg '
        'light_clip_plane_min light_clip_plane_max light_color light_diffuse light_specular '
        'light_ambient ambient_sky_color ambient_ground_color point_light spot_light '
        'shadow_cascades sensor_shadow_cascades disable_lights_on_high_cpu_usage shadow_bias '
        'shadow_bias_cam2frag shadow_bias_normal eye_distance_to_shadow_map_extension '
        'minimum_shadow_map_extension_ratio'),
    'point_light': _LAMP,
    'spot_light': f'{_LAMP} direction inner_cutoff_deg outer_cutoff_deg',
    'light_group': 'name initially_on point_light spot_light',
    'georeference': 'latitude longitude height world_to_enu_rotation_deg world_is_utm',
    'vehicle': (
        'name class init_pose init_pose3d init_vel skip_elevation_adjust dynamics friction '
        'odometry sensor visual animation light_group publish log_path auto_start_recording'),
    'dynamics differential': 'chassis controller l_wheel r_wheel',
    'dynamics differential_3_wheels': 'chassis controller l_wheel r_wheel caster_wheel',
    'dynamics differential_4_wheels': (
        'chassis controller lr_wheel rr_wheel lf_wheel rf_wheel'),
    'dynamics ackermann': _STEERED,
    'dynamics ackermann_drivetrain': f'{_STEERED} drivetrain',
    'drivetrain': (
        'type front_rear_split front_rear_bias front_left_right_split front_left_right_bias '
        'rear_left_right_split rear_left_right_bias'),
    'chassis': 'mass zmin zmax color linear_damping angular_damping shape shape_from_visual',
    'controller raw': 'fl_torque fr_torque torque steer_ang_deg',
    'controller twist_ideal': '',
    'controller twist_pid': _PID,
    'controller twist_front_steer_pid': f'{_PID} I_MAX zero_threshold stop_threshold',
    'controller front_steer_pid': 'KP KI KD I_MAX max_torque V STEER_ANG',
    'controller trajectory': 'loop lookahead_distance max_angular_speed viz_height waypoint',
    'controller ros2_control': (
        'command_interface KP KI KD max_torque controllers_yaml robot_description'),
    'l_wheel': _WHEEL,
    'visual': (
        'model_uri geometry enabled model_scale model_offset_x model_offset_y model_offset_z '
        'model_yaw model_pitch model_roll model_color model_emissive cast_shadows light_group '
        'model_cull_faces model_split_size show_bounding_box name'),
    'geometry': 'type radius length lx ly lz vertex_count',
    'friction default': f'{_TYRE} mu',
    'friction wardiagnemma': f'{_TYRE} mu A_roll R1 R2',
    'friction ellipse': (
        f'{_TYRE} C_alpha C_s slip_angle_saturation slip_ratio_saturation C_alpha_s C_s_alpha'),
    'odometry': 'x_multiplier y_multiplier yaw_multiplier',
    'publish': (
        'enabled publish_topic publish_pose_topic publish_pose_period '
        'publish_relative_pose_objects publish_relative_pose_topic'),
    'sensor camera': (
        f'{_SENSOR} ncols nrows cx cy fx fy clip_min clip_max distortion_model k1 k2 p1 p2 k3 '
        'image_noise_std'),
    'sensor rgbd_camera': (
        f'{_SENSOR} relativePoseIntensityWRTDepth sense_depth sense_rgb depth_ncols depth_nrows '
        'depth_cx depth_cy depth_fx depth_fy rgb_ncols rgb_nrows rgb_cx rgb_cy rgb_fx rgb_fy '
        'rgb_clip_min rgb_clip_max depth_clip_min depth_clip_max depth_resolution '
        'depth_noise_sigma ros_depth_image_encoding preview_depth show_3d_pointcloud '
        'publish_ros_depth_image publish_ros_colored_pointcloud rgb_distortion_model rgb_k1 '
        'rgb_k2 rgb_p1 rgb_p2 rgb_k3 rgb_image_noise_std'),
    'sensor laser': (
        f'{_SENSOR} fov_degrees nrays height range_std_noise angle_std_noise_deg max_range '
        'bodies_visible raytrace_3d viz_visiblePoints viz_visibleLines viz_visiblePlane '
        'viz_pointSize viz_pointsColor viz_planeColor'),
    'sensor lidar3d': (
        f'{_SENSOR} range_std_noise min_range max_range vert_fov_degrees vert_nrays '
        'vertical_ray_angles horz_nrays horz_resolution_factor vert_resolution_factor '
        'max_vert_relative_depth_to_interpolate max_horz_relative_depth_to_interpolate '
        'generate_intensity viz_pointSize'),
    'sensor imu': (
        f'{_SENSOR} angular_velocity_white_noise_std_noise angular_velocity_std_noise '
        'linear_acceleration_white_noise_std_noise linear_acceleration_std_noise '
        'angular_velocity_random_walk_std_noise linear_acceleration_random_walk_std_noise '
        'measure_orientation orientation_std_noise'),
    'sensor gnss': f'{_SENSOR} horizontal_std_noise vertical_std_noise fix_type event',
    'event': 'start end outage fix_type horizontal_std_noise vertical_std_noise offset',
    'animation': 'type time_pose time_pose3d',
    'block': (
        'name class init_pose init_pose3d init_vel skip_elevation_adjust mass zmin zmax '
        'ground_friction lateral_friction restitution color static intangible linear_damping '
        'angular_damping visual_scale shape geometry shape_from_visual visual animation '
        'light_group publish'),
    'actor': (
        'name class init_pose init_pose3d skip_elevation_adjust walking_speed running_speed '
        'height collision_radius animation_idle animation_walk animation_run path visual '
        'animation publish'),
    'path': 'loop waypoint',
    'element elevation_map': (
        'name elevation_image elevation_image_min_z elevation_image_max_z elevation_data_matrix '
        'elevation_data_matrix_scale dem_xyzrgb_file dem_offset_x dem_offset_y dem_offset_z '
        'resolution corner_min_x corner_min_y texture_image normal_map_image '
        'texture_image_rotate texture_extension_x texture_extension_y mesh_color '
        'model_split_size apply_kernel'),
    'element ground_grid': (
        'name floating floating_focus color line_width x_min x_max y_min y_max interval'),
    'element horizontal_plane': f'{_PLANE} x_min x_max y_min y_max geo_corner_sw geo_corner_ne',
    'element vertical_plane': f'{_PLANE} x0 y0 x1 y1 height thickness door window',
    'element occupancy_grid': (
        'name file resolution centerpixel_x centerpixel_y show_collisions restitution '
        'lateral_friction'),
    'element pointcloud': 'name file_txt_2d file_txt_3d points_size pose_3d',
    'element property_region': (
        'name property_name value_double value_bool value_string x_min x_max y_min y_max z_min '
        'z_max'),
    'element skybox': 'name textures',
    'door': 'position width z_min z_start z_max z_end name',
    'walls': 'model_uri transformation wallThickness wallHeight color scale shape',
    'joint': (
        'type body_a body_b anchor_a anchor_b max_length min_length stiffness damping '
        'enable_limit lower_angle_deg upper_angle_deg'),
    'marker': 'type color translation points',
}
ORIGINAL_TAGS: Mapping[str, frozenset[str]] = {
    title: frozenset(names.split()) for title, names in _TEXT.items()}
