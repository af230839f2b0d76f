# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of cameras change their images, and what is published of these."""

from sensor_world import IMAGE, OPTICAL, world
from tag_effects import effects, messages

AUTO = '<auto_exposure>true</auto_exposure>'
DROPS = '<lens_drops>0.5</lens_drops>'
WELL = '<full_well>9000</full_well>'
IMAGER = f"""
 renderer | cpu | ! gpu
 ignore_parent_body | false | true | <pose_3d>-1.2 0 0.4 -90 0 -90</pose_3d>
 labels auto_exposure | false | true
 antialiasing | true | false
 exposure | 1 | 0.3
 vignetting | 0 | 0.9
 image_noise | 0 | 20
 gamma | 2 | 1
 gain | 0 | 9
 full_well | 0 | 9000
 read_noise | 0 | 400 | {WELL}
 auto_exposure_target | 0.18 | 0.9 | {AUTO}
 auto_exposure_time | 0.3 | 0.05 | {AUTO}
 auto_exposure_metering | mean | spot | {AUTO}
 black_level | 0 | 16
 exposure_min | 0.0625 | 0.9 | {AUTO} <auto_exposure_target>0.01</auto_exposure_target> \
 <auto_exposure_time>0.01</auto_exposure_time>
 exposure_max | 16 | 1.1 | {AUTO} <gain_max>0</gain_max> \
 <auto_exposure_target>1</auto_exposure_target> <auto_exposure_time>0.01</auto_exposure_time>
 gain_max | 24 | 0 | {AUTO} <auto_exposure_target>1</auto_exposure_target> \
 <auto_exposure_time>0.01</auto_exposure_time> <exposure_max>1.1</exposure_max>
 compressed | none | jpeg
 jpeg_quality | 95 | 20 | <compressed>jpeg</compressed>
 normals optical_flow | false | true
 boxes_3d | false | true | <labels>true</labels>
 ambient_occlusion | 0 | 0.5
"""
PINHOLE = """
 {p}ncols | 64 | 60
 {p}nrows | 48 | 40
 {p}cx | 32 | 20
 {p}cy | 24 | 20
 {p}fx {p}fy | 40 | 30
 {p}clip_min {p}clip_max | - | 2
"""
LENS = """
 {p}k1 {p}k2 | 0 | 0.2
 {p}p1 {p}p2 | 0 | 0.1
 {p}k3 | 0 | 0.3
"""
BLUR = '<exposure_time>0.05</exposure_time>'
BANDS = '<readout_time>0.05</readout_time>'
PAIR = '<stereo_baseline>0.3</stereo_baseline>'
test_camera = effects(world('camera', OPTICAL + IMAGE), f"""
sensor camera
 {IMAGER} {PINHOLE.format(p='')} {LENS.format(p='')}
 distortion_model | none | ! wide
 distortion | 0.1 0 0 0 0 | 0.3 0 0 0 0
 encoding | rgb8 | mono8
 hdr | false | true | <exposure>0.3</exposure> <gain>10</gain>
 bit_depth | 16 | 8 | <encoding>rgb16</encoding>
 f_number | 0 | 1 | <focal_length>0.1</focal_length> <lens_samples>4</lens_samples>
 focal_length | 0.05 | 0.3 | <f_number>1</f_number> <lens_samples>4</lens_samples>
 focus_distance | 0 | 2 | <f_number>1</f_number> <focal_length>0.3</focal_length> \
 <lens_samples>4</lens_samples>
 lens_samples | 2 | 5 | <f_number>1</f_number> <focal_length>0.3</focal_length>
 stereo_baseline | 0 | 0.3
 stereo_right_frame | false | true | {PAIR}
 exposure_time readout_time | 0 | 0.05
 exposure_samples | 8 | 2 | {BLUR}
 readout_bands | 32 | 4 | {BANDS}
""", messages)
STEREO = '<depth_model>stereo</depth_model>'
FLIGHT = '<depth_model>time_of_flight</depth_model>'
BOTH = ''.join(IMAGE.replace('<', f'<{prefix}').replace(f'<{prefix}/', f'</{prefix}')
               for prefix in ('depth_', 'rgb_'))
for _kind, _usual in (('camera', OPTICAL + IMAGE),
                      ('rgbd_camera', '<pose_3d>0 0 0.8 0 0 0</pose_3d>' + BOTH)):
    globals()[f'test_drops_on_{_kind}'] = effects(
        world(_kind, _usual).replace('<vehicle', '<weather rain="20"/> <vehicle'), f"""
sensor {_kind}
 lens_drops | 0 | 0.5
 lens_drop_time | 4 | 0.5 | {DROPS}
 lens_drop_distance | 0.03 | 0.2 | {DROPS}
 lens_aperture | 0.002 | 0.02 | {DROPS}
""", messages)
test_lenses = effects(world('camera', IMAGE), """
sensor camera
 distortion_model | plumb_bob | equidistant
""", messages)
test_rgbd_camera = effects(world('rgbd_camera', '<pose_3d>0 0 0.8 0 0 0</pose_3d>' + BOTH), f"""
sensor rgbd_camera
 {IMAGER.replace('<pose_3d>-1.2 0 0.4 -90 0 -90', '<pose_3d>-1.2 0 0.4 0 0 0')}
 {PINHOLE.format(p='depth_')} {PINHOLE.format(p='rgb_')} {LENS.format(p='rgb_')}
 rgb_distortion_model | none | ! wide
 relativePoseIntensityWRTDepth | 0 0 0 -90 0 -90 | 0.1 0 0 -90 0 -90
 sense_depth sense_rgb publish_ros_depth_image | true | false
 depth_resolution depth_noise_sigma depth_noise_growth depth_hole_jump | - | 0.1
 depth_model | exact | stereo
 depth_baseline | 0.05 | 0.1 | {STEREO}
 disparity_noise | 0 | 0.5 | {STEREO}
 disparity_step | 0 | 1 | {STEREO}
 tof_frequency | 20e6 | 100e6 | {FLIGHT}
 tof_mixing | 0 | 0.5 | {FLIGHT}
 tof_multipath | 0 | 1 | {FLIGHT}
 depth_light_min | 0 | 0.3
 depth_light_max | 1 | 0.05
 depth_encoding | 16UC1 | 32FC1
 registered publish_ros_colored_pointcloud | false | true
""", messages)
OTHERS = '<pose_3d>-1.2 0 0.4 -90 0 -90</pose_3d>'
for _kind, _rows in {
    'thermal_camera': """
 band_min | 8 | 9
 band_max | 14 | 10
 air_temperature | 293.15 | 270
 sky_temperature | 250 | 200
 netd | 0 | 2
 resolution | 0.01 | 0.04
""", 'event_camera': """
 renderer | cpu | ! gpu
 samples | 5 | 2
 threshold_on threshold_off | 0.2 | 0.5
 threshold_sigma | 0.03 | 0.1
 refractory_time | 0.0005 | 0.05
 cutoff | 0 | 5
 leak_rate shot_noise_rate | - | 20
"""}.items():
    globals()[f'test_{_kind}'] = effects(world(_kind, OPTICAL + IMAGE, 2.0), f"""
sensor {_kind}
 ignore_parent_body | false | true | {OTHERS}
 {PINHOLE.format(p='')} {_rows}
""", messages)
