# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What MVSim has had since version 1.2, what it is here, and what shows it."""

# what MVSim has; what it is here; files below test/ that show it
SINCE = (
    ('`$env{NAME|default}`', 'the same', 'world_file/test_expressions.py'),
    ('`<include>` and `<if>` at any depth', 'the same', 'world_file/test_expand.py'),
    ('`<controller class="trajectory">`, waypoint files', 'the same law, for all vehicles that '
     'take a twist', 'physics/test_waypoint_path.py'),
    ('`<controller class="ros2_control">`', 'the manager is a process of its own, joined by '
     'topics in lock step', 'ros/test_joint_commands.py'),
    ('`joint_name` of wheels', 'the same, with the same defaults', 'messages/test_urdf.py'),
    ('`show_sensor_previews`, `show_trajectories`', 'the same', 'live/test_first_view.py'),
    ('`show_gui_panels`, `preview_win_visible`, `preview_depth`',
     'read, without effect: the window has switches', ''),
    ('`normal_map`, `normal_map_image`', 'the same', 'sensors/camera/test_lights.py'),
    ('`geo_corner_sw`, `geo_corner_ne`', 'the same', 'scene/test_geo_corners.py'),
    ('`model_emissive`, `cast_shadows`, `light_group` of a visual', 'the same',
     'sensors/camera/test_lights.py'),
    ('lens distortion and `image_noise_std` of cameras, `rgb_` of RGBD', 'the same',
     'sensors/camera/test_cameras.py'),
    ('`ros_depth_image_encoding`', 'the same', 'messages/test_measurements.py'),
    ('`fix_type` and `<event>` of a GNSS', 'the same', 'sensors/test_gnss.py'),
    ('point and spot lights, hemisphere of ambient light', 'the same',
     'sensors/camera/test_lights.py'),
    ('`<light_group>`, ZMQ `set_light_state`', 'the same, by `~/set_light/THING/GROUP`',
     'ros/test_light_services.py'),
    ('`shadow_cascades`, `sensor_shadow_cascades`, `disable_lights_on_high_cpu_usage`',
     'read, without effect: shadows and lamps are the same at any load', ''),
    ('`/clock`, stamps of simulated time', 'the same, from 0', 'ros/test_one_robot.py'),
    ('`disable_sim_time_clock`', 'the same', 'ros/test_wall_clock.py'),
    ('`publish_sensor_tf`', 'the same', 'ros/test_joint_commands.py'),
    ('`realtime_factor` of 0 or less', '0; a negative one is refused', 'ros/test_control.py'),
    ('`max_simul_catchup_time`', 'none: 0.1 s', ''),
    ('`/diagnostics`, `diagnostics_rate`', 'the same, with other keys', 'ros/test_wall_clock.py'),
    ('`world_frame_id`', '`map_frame`', 'ros/test_names_and_parameters.py'),
    ('`objects_ground_truth`, `objects_ground_truth_rate`', 'the same, in simulated time',
     'ros/test_wall_clock.py'),
    ('`runtime_objects`, `runtime_overlays`', 'the same; no service deletes them',
     'ros/test_shown_markers.py'),
    ('ZMQ `spawn_objects` with polygons and textures', '`Simulation.show_objects`: coloured '
     'triangles, no textures', 'scene/test_runtime_objects.py'),
    ('services of simulation_interfaces', 'all of version 2, spawning by URDF and SDF too',
     'ros/test_standard_entities.py'),
    ('`mvsim-urdf2xml`, `--check`', '`mvsim_ros2 convert-urdf`, `--check`',
     'world_file/urdf_import/test_compare.py'),
    ('`mvsim-dataset-gen`', '`mvsim_ros2 record --poses FILE`, a bag with its ground truth',
     'test_cli_runs.py'),
    ('docks of the window, light groups in the inspector', 'the window in the browser',
     'live/test_window.py'),
    ('`MVSIM_SERVER_PORT`, `MVSIM_MSAA_SAMPLES`', 'none: there is no server, and cameras have '
     '`<antialiasing>`', 'sensors/camera/test_antialiasing.py'),
    ('twist in `odom`, status of NavSatFix, covariances of IMUs', 'the same',
     'messages/test_measurements.py'),
    ('depth images in an optical frame', 'the same', 'ros/test_compatible_topics.py'),
    ('planar LiDARs ignore pitch and roll', 'in mode `mvsim`; in mode `physical` they tilt',
     'sensors/test_planar_lidar_tilted.py'),
)
