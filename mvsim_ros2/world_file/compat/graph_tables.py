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
    ('`/diagnostics`', '`/diagnostics`'),
    ('`objects_ground_truth` (TFMessage)',
     '`ground_truth_poses` of vehicles, `moving_markers` of blocks and people, GetEntitiesStates'),
    ('`runtime_objects`, `runtime_overlays` (MarkerArray)',
     'none: RViz shows a MarkerArray itself; solid things are spawned by SpawnEntity and seen by '
     'all sensors'),
)
PARAMETERS = (
    ('`world_file`', '`world`'),
    ('`simul_rate`', 'none: each step is computed exactly once, whatever the load'),
    ('`realtime_factor`', '`realtime_factor`, 0 as fast as possible'),
    ('`max_simul_catchup_time`', 'none: at most 0.1 s are caught up'),
    ('`headless`, `gui_refresh_period`', '`viewer`: a window in the browser where asked'),
    ('`period_ms_publish_tf`', '`odom_rate`, in simulated time'),
    ('`do_fake_localization`', '`publish_map_odom`, which is exact'),
    ('`publish_tf_odom2baselink`', '`publish_odom_tf`'),
    ('`publish_sensor_tf`', '`publish_sensor_tf`'),
    ('`publisher_history_len`', '`qos_overrides.<topic>.publisher.depth`'),
    ('`force_publish_vehicle_namespace`', '`force_vehicle_namespace`'),
    ('`publish_log_topics`', 'none: `mvsim_ros2 log`'),
    ('`base_watchdog_timeout`', '`cmd_vel_timeout`, in simulated time'),
    ('`disable_sim_time_clock`',
     'none: stamps are always simulated time, run other nodes with `use_sim_time`; remap `/clock` '
     'away where another one publishes it'),
    ('`world_frame_id`', '`map_frame`'),
    ('`diagnostics_rate`', 'none: once a second'),
    ('`objects_ground_truth_rate`', 'none: see that topic'),
)
SERVICES = (
    ('ROS: simulation_interfaces', 'the same, whole: see the [ROS interface](ros-interface.md)'),
    ('ZMQ `set_pose`, `get_pose`', '`~/set_pose`, SetEntityState, GetEntityState'),
    ('ZMQ `set_controller_twist`', '`cmd_vel`; `set_twist` of a script'),
    ('ZMQ `shutdown`', 'SIGINT, or SetSimulationState'),
    ('ZMQ `insert_entities`, `remove_entities`', 'SpawnEntity, DeleteEntity; `spawn_vehicle` ...'),
    ('ZMQ `spawn_objects`, `remove_objects`', 'SpawnEntity of blocks'),
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
