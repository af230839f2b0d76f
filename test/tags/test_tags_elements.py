# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tags of planes, walls, terrain, maps, clouds and skies change what is met and what is seen."""

from tag_effects import drive, drive_and_draw, effects, LIDAR, ROBOT


def world(element: str, more: str = '') -> str:
    """Return a world with one element before the robot."""
    return f'<mvsim_world> {more} {element} {ROBOT} {LIDAR} </mvsim_world>'


CARPET = '<texture>${FILES}/stripes.png</texture>'
PLANE = """
 name | - | plane
 color | #a0a0a0 | #ff0000
 reflectivity | 0.5 | 0.1
 transmittance | 0 | 1 | <color>#a0a0a010</color>
 material | - | <emissive>#00ff00</emissive>
 texture | - | ${FILES}/stripes.png
 normal_map | - | ${FILES}/bumps.png | %s
 texture_size_x texture_size_y | 1 | 0.7 | %s
""" % (CARPET, CARPET)
BEHIND = """<block name="behind"> <init_pose>3 0 0</init_pose> <static>true</static>
 <shape><pt>0 -3</pt><pt>0.1 -3</pt><pt>0.1 3</pt><pt>0 3</pt></shape> <zmax>2</zmax>
 <reflectivity>1</reflectivity> <color>#ffffff</color> </block>
 <element class="horizontal_plane"> <z>-0.5</z> <reflectivity>1</reflectivity> </element>"""
test_floors = effects(world("""
 <element class="horizontal_plane" {@element horizontal_plane}> {element horizontal_plane}
 </element>""", BEHIND + """<georeference> <latitude>40</latitude> <longitude>-3</longitude>
 </georeference>"""), f"""
element horizontal_plane
 {PLANE}
 init_pose | 0 0 0 | 3 0 30
 z | 0 | 0.1
 detail_image | - | ${{FILES}}/stripes.png
 detail_size | 2 | 0.7 | <detail_image>${{FILES}}/stripes.png</detail_image>
 cull_face | NONE | FRONT
 animation | - | <time_pose3d>0 0 0 0 0 0 0</time_pose3d> <time_pose3d>1 0 0 -0.1 0 0 \
 0</time_pose3d>
 x_min x_max y_min y_max | - | 0.2
 geo_corner_sw | 39.9999 -3.0001 | 39.99999 -3.0001 | <geo_corner_ne>40.0001 \
 -2.9999</geo_corner_ne>
 geo_corner_ne | 40.0001 -2.9999 | 40.0001 -2.99999 | <geo_corner_sw>39.9999 \
 -3.0001</geo_corner_sw>
""", drive_and_draw)
test_walls_with_openings = effects(world("""
 <element class="vertical_plane" {@element vertical_plane}> {element vertical_plane:
  <x0>1.2</x0> <x1>1.2</x1> <y0>-1.5</y0> <y1>1.5</y1>} </element>""", BEHIND), f"""
element vertical_plane
 {PLANE}
 init_pose | 0 0 0 | 0.5 0 10
 z height | - | 0.8
 cull_face | NONE | BACK
 animation | - | <time_pose>0 0 0 0</time_pose> <time_pose>1 1 0 0</time_pose>
 x0 x1 | 1.2 | 0.9
 y0 | -1.5 | -0.5
 y1 | 1.5 | 0.5
 thickness | 0.02 | 0.4
 door | - | position="0.5" width="1.4";
 window | - | position="0.5" width="1.4" z_min="0.5" z_max="1.5";
""", drive_and_draw)
for _kind in ('door', 'window'):
    globals()[f'test_{_kind}s'] = effects(world(f"""
 <element class="vertical_plane"> <x0>1.2</x0> <x1>1.2</x1> <y0>-1.5</y0> <y1>1.5</y1>
  <{_kind}> {{{_kind}}} </{_kind}> </element>"""), f"""
{_kind}
 position z_min | - | 0.8
 width | 1 | 0.4
 z_max | 2.1 | 0.9
""", drive_and_draw)
MATRIX = '<elevation_data_matrix>[0 0 0; 0 0.2 0.1; 0 0.5 0.2]</elevation_data_matrix>'
GRASS = '<texture_image>${FILES}/stripes.png</texture_image>'
test_terrain = effects(world("""
 <element class="elevation_map" {@element elevation_map}> {element elevation_map:
  <elevation_data_matrix>[0 0 0; 0 0.2 0.1; 0 0.5 0.2]</elevation_data_matrix>
  <resolution>2</resolution>} </element>"""), f"""
element elevation_map
 name | - | hill
 elevation_data_matrix | [0 0 0; 0 0 0; 0 0 0] | [0 0 0; 0 0.2 0; 0 0.5 0]
 elevation_data_matrix_scale | 1 | 0.5
 resolution | 2 | 1.5
 corner_min_x corner_min_y | - | -1
 texture_image detail_image | - | ${{FILES}}/stripes.png
 normal_map_image | - | ${{FILES}}/bumps.png | {GRASS}
 detail_size | 2 | 0.7 | <detail_image>${{FILES}}/stripes.png</detail_image>
 texture_image_rotate | 0 | 90 | {GRASS}
 texture_extension_x texture_extension_y | 0 | 1.1 | {GRASS}
 mesh_color | #a0e0a0 | #ff0000
 reflectivity | 0.5 | 0.1
 material | - | <emissive>#00ff00</emissive>
 apply_kernel | - | [0 0.25 0; 0.25 0 0.25; 0 0.25 0]
""", drive_and_draw)
test_terrain_of_images = effects(world("""
 <element class="elevation_map"> {element elevation_map:
  <elevation_image>${FILES}/slope.png</elevation_image> <resolution>0.5</resolution>
  <elevation_image_max_z>1</elevation_image_max_z>} </element>"""), """
element elevation_map
 elevation_image | ${FILES}/slope.png | ${FILES}/hill.png
 elevation_image_min_z | 0 | -1
 elevation_image_max_z | 1 | 2
""", drive)
test_terrain_of_points = effects(world("""
 <element class="elevation_map"> {element elevation_map:
  <dem_xyzrgb_file>${FILES}/hill.xyz</dem_xyzrgb_file>} </element>"""), """
element elevation_map
 dem_xyzrgb_file | ${FILES}/hill.xyz | ${FILES}/flat.xyz
 dem_offset_x dem_offset_z | 0 | 0.5
 dem_offset_y | 0 | 1
""", drive_and_draw)
BALL = """<block name="b"> <init_pose>{} 0 0</init_pose> <init_vel>3 2 0</init_vel>
 <ground_friction>0</ground_friction> <lateral_friction>1</lateral_friction> </block>"""
test_occupancy_grids = effects(world("""
 <element class="occupancy_grid" {@element occupancy_grid}> {element occupancy_grid:
  <file>${FILES}/map.png</file> <resolution>0.1</resolution>} </element>""",
                                     BALL.format(1.3)), """
element occupancy_grid
 name | - | map
 file | ${FILES}/map.png | ${FILES}/other_map.png
 resolution | 0.1 | 0.12
 centerpixel_x | 22 | 18
 centerpixel_y | 16 | 10
 restitution lateral_friction | 0 | 1
""", drive_and_draw)
test_point_clouds = effects(world("""
 <element class="pointcloud" {@element pointcloud}> {element pointcloud:
  <file_txt_3d>${FILES}/points.xyz</file_txt_3d>} </element>"""), """
element pointcloud
 name | - | cloud
 points_size | 3 | 9
 pose_3d | 0 0 0 0 0 0 | 0.5 0 0 0 0 0
""", drive_and_draw)
test_point_files = effects(world(
    '<element class="pointcloud"> {element pointcloud} </element>'), """
element pointcloud
 file_txt_2d | ${FILES}/points.xy | ${FILES}/more.xy
 file_txt_3d | ${FILES}/points.xyz | ${FILES}/more.xyz
""", drive_and_draw)
ICE = '<property_name>friction_mu</property_name> <value_double>0.02</value_double>'
test_regions = effects(world("""
 <element class="property_region" {@element property_region}> {element property_region:
  <property_name>friction_mu</property_name> <value_double>0.02</value_double>} </element>
 <sensor class="gnss" name="gnss"> <horizontal_std_noise>0</horizontal_std_noise> </sensor>
 <georeference> <latitude>40</latitude> <longitude>-3</longitude> </georeference>"""), """
element property_region
 name | - | ice
 property_name | friction_mu | friction_C_rr
 value_double | 0.02 | 0.5
 value_bool | false | true | <property_name>gps_no_coverage</property_name>
 value_string | wet | ice | <property_name>surface_type</property_name>
 x_min | -1 | 0.2
 x_max | 1 | -0.2
 y_min | -1 | 0.1
 y_max | 1 | -0.1
 z_min | -1000 | 2
 z_max | 1000 | -2
""", drive)
test_skies = effects(world(
    '<element class="skybox" {@element skybox}> {element skybox: '
    '<textures>${FILES}/day_%s.png</textures>} </element>'), """
element skybox
 name | - | sky
 textures | ${FILES}/day_%s.png | ${FILES}/night_%s.png
""", drive_and_draw)
LINES = '<pt>1.2 -1</pt> <pt>1.2 1</pt>'
test_walls = effects(world("""
 <walls> {walls: <shape> <pt>1.2 -1</pt> <pt>1.2 1</pt> </shape>} </walls>""", BEHIND), f"""
walls
 shape | {LINES} | <pt>1 -1</pt> <pt>1.2 1</pt>
 transformation | - | [1 0 0 -0.2; 0 1 0 0; 0 0 1 0; 0 0 0 1]
 wallThickness | 0.1 | 0.5
 wallHeight | 2 | 0.7
 color | #323232 | #ff0000
 reflectivity | 0.5 | 0.1
 transmittance | 0 | 1 | <color>#32323210</color>
 material | - | <emissive>#00ff00</emissive>
""", drive_and_draw)
test_walls_of_meshes = effects(world('<walls> {walls} </walls>'), """
walls
 model_uri | ${FILES}/wall.dae | ${FILES}/other_wall.dae
""", drive_and_draw)
test_textured_matter = effects(world("""
 <element class="horizontal_plane"> <texture>${FILES}/stripes.png</texture>
  <material> {material} </material> </element>"""), """
material
 textured | false | true
""", drive_and_draw)
