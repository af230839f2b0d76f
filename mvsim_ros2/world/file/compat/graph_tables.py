# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Topics, parameters, services and tools of MVSim, and what they are here."""

# name in MVSim, what it is here
TOPICS = (
    ('`cmd_vel` (Twist)', '`cmd_vel`, Twist and TwistStamped'),
    ('`odom`', '`odom`, with twist and covariances'),
    ('`base_pose_ground_truth` in `odom`',
     '`base_pose_ground_truth` in `map`; in `odom` with `compat:=mvsim`'),
    ('`collision`', '`collision`; `contacts` says where'),
    ('`tf`: sensors with each sample', '`tf`, and `tf_static` for all that does not move'),
    ('`chassis_markers`', '`robot_description` and `joint_states`: RobotModel in RViz'),
    ('joints `l_wheel_joint`, `lf_wheel_joint` ..., or `joint_name`',
     'the same, in `joint_states`, `robot_description` and wheel encoders; links `l_wheel` ...'),
    ('`chassis_polygon`', 'the same with `compat:=mvsim`'),
    ('`amcl_pose`, `particlecloud`', 'the same with `compat:=mvsim` and `publish_map_odom`'),
    ('`log/...`', '`mvsim_ros2 log` writes CSV files'),
    ('`simul_map`, `simul_map_metadata`', 'the same, and `map`'),
    ('laser, IMU: name of the sensor',
     '`scan`, `imu` where there is one; the name with `compat:=mvsim`, or `<topic>`'),
    ('`NAME/image_raw`, `NAME_rgb/...`, `NAME_depth/...`, `NAME_points`', 'the same'),
    ('GNSS `NAME`', 'the same, with status; `NAME/velocity`'),
    ('`/clock` (1.4)', '`/clock`, from 0; MVSim counts on from the time of the start'),
    ('`/diagnostics`, status `performance`', 'the same keys without '
     '`sensors_wait_time_percent` and `time_percent` of sensors, which are computed within the '
     'step; and a status `simulation`'),
    ('`objects_ground_truth` (TFMessage)',
     'the same; `ground_truth_poses` of vehicles, GetEntitiesStates'),
    ('`runtime_objects`, `runtime_overlays` (MarkerArray)',
     'the same; lines are as thick as `scale.x` says. RViz shows these topics itself'),
)
PARAMETERS = (
    ('`world_file`', '`world`'),
    ('`simul_rate`', 'none: each step is computed exactly once, whatever the load'),
    ('`realtime_factor`', '`realtime_factor`, 0 as fast as possible'),
    ('`max_simul_catchup_time`', 'the same; 0 in place of 0 or less: all is caught up'),
    ('`headless`, `gui_refresh_period`', '`viewer`: a window in the browser where asked'),
    ('`period_ms_publish_tf`', '`odom_rate`, in simulated time'),
    ('`do_fake_localization`', '`publish_map_odom`, which is exact'),
    ('`publish_tf_odom2baselink`', '`publish_odom_tf`'),
    ('`publish_sensor_tf`', '`publish_sensor_tf`'),
    ('`publisher_history_len`', '`qos_overrides.<topic>.publisher.depth`'),
    ('`force_publish_vehicle_namespace`', '`force_vehicle_namespace`'),
    ('`publish_log_topics`', 'none: `mvsim_ros2 log`'),
    ('`base_watchdog_timeout`', '`cmd_vel_timeout`, in simulated time'),
    ('`disable_sim_time_clock`', 'the same'),
    ('`world_frame_id`', '`map_frame`'),
    ('`diagnostics_rate`', 'the same'),
    ('`objects_ground_truth_rate`', 'the same, in simulated time'),
)
SERVICES = (
    ('ROS: simulation_interfaces', 'the same, whole: see the [ROS interface](ros-interface.md)'),
    ('ZMQ `set_pose`, `get_pose`', '`~/set_pose`, SetEntityState, GetEntityState'),
    ('ZMQ `set_controller_twist`', '`cmd_vel`; `set_twist` of a script'),
    ('ZMQ `shutdown`', 'SIGINT, or SetSimulationState'),
    ('ZMQ `insert_entities`, `remove_entities`', 'SpawnEntity, DeleteEntity; `spawn_vehicle` ...'),
    ('ZMQ `spawn_objects`, `remove_objects`',
     '`runtime_objects`; `Simulation.show_objects` of a script'),
    ('ZMQ `get_all_poses`', 'GetEntitiesStates'),
    ('Python `mvsim.Client`', '`Simulation` in the same process: see [Python](python.md)'),
)
TOOLS = (
    ('`mvsim launch WORLD`', '`mvsim_ros2 view WORLD`'),
    ('`mvsim launch --headless`', '`mvsim_ros2 record`, `log`, or a script'),
    ('`mvsim node`, `topic`, `server`', '`ros2 node`, `ros2 topic`'),
    ('`mvsim-pid-tuner`', '`mvsim_ros2 tune`'),
    ('`mvsim-urdf2xml`', '`mvsim_ros2 convert-urdf`, or `<vehicle urdf="...">`'),
    ('`mvsim-urdf2xml --check XML`', '`mvsim_ros2 convert-urdf --check XML`'),
    ('`mvsim-dataset-gen --trajectory F`', '`mvsim_ros2 record --poses F`'),
    ('`launch_world.launch.py`', '`mvsim.launch.py`'),
    ('editor of the window', 'gizmo and panels of the [window](viewer.md)'),
)
