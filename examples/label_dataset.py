# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Record a camera with labels, write a dataset with boxes and masks (COCO), and draw the boxes.

    python examples/label_dataset.py [FOLDER]
"""

import json
from pathlib import Path
import sys

from PIL import Image, ImageDraw

from mvsim_ros2 import Simulation
from mvsim_ros2.recording import Recorder
from mvsim_ros2.recording.export.convert import convert

WORLD = """<mvsim_world>
  <lights> <light_azimuth_deg>-150</light_azimuth_deg> </lights>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <element class="horizontal_plane"> <color>#cfd3cf</color>
    <x_min>-9</x_min> <x_max>9</x_max> <y_min>-9</y_min> <y_max>9</y_max> </element>
  <block:class name="crate"> <color>#c98b4b</color> <zmax>0.7</zmax> <mass>9</mass>
    <shape> <pt>-0.35 -0.35</pt> <pt>0.35 -0.35</pt> <pt>0.35 0.35</pt> <pt>-0.35 0.35</pt>
    </shape>
  </block:class>
  <for var="i" from="0" to="3">
    <block class="crate" name="crate_${i}">
      <init_pose>$f{3+0.9*i} $f{1.5*sin(2.3*i)} $f{35*i}</init_pose> </block>
  </for>
  <vehicle name="other" class="small_robot"> <init_pose>3 -1.2 120</init_pose> </vehicle>
  <vehicle name="robot" class="small_robot"> <init_pose>0 0 0</init_pose>
    <include file="package://mvsim_ros2/worlds/sensors/camera.sensor.xml" sensor_hz="5"
             sensor_x="0.3" sensor_z="0.7" labels="true" ncols="480" nrows="320"
             focal_length="360"/>
  </vehicle>
</mvsim_world>"""
COLOURS = '#e2542c', '#2066a8', '#3b8a4e', '#7b4fa3'

folder = Path(*sys.argv[1:] or ['out'])
folder.mkdir(parents=True, exist_ok=True)
(folder / 'crates.world.xml').write_text(WORLD)
simulation = Simulation.from_file(folder / 'crates.world.xml', seed=1)
simulation.vehicles['robot'].set_twist(0.3, 0.1)
with Recorder(simulation, folder / 'crates') as recorder:
    recorder.run(2.0)
print(convert(folder / 'crates', 'coco', folder / 'crates_coco', vehicle='robot'))

(file,) = (folder / 'crates_coco').rglob('*.json')
dataset = json.loads(file.read_text())
first = dataset['images'][0]
picture = Image.open(next((folder / 'crates_coco').rglob(Path(first['file_name']).name)))
picture = picture.convert('RGB')
pen = ImageDraw.Draw(picture)
names = {each['id']: each['name'] for each in dataset['categories']}
for thing in (each for each in dataset['annotations'] if each['image_id'] == first['id']):
    left, top, width, height = thing['bbox']
    colour = COLOURS[thing['category_id'] % len(COLOURS)]
    pen.rectangle((left, top, left + width, top + height), outline=colour, width=2)
    pen.text((left + 3, top + 2), names[thing['category_id']], fill=colour)
picture.save(folder / 'label_dataset.png')
