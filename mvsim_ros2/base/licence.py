# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The two-line licence header, for ament_copyright; only that imports this module.

It finds `SPDX` by the entry point `ament_copyright.license` of setup.py.
"""

from ament_copyright.licenses import LicenseEntryPoint

__all__ = ['SPDX']

SPDX = LicenseEntryPoint(
    name='BSD 3-Clause License, by its SPDX identifier', spdx='BSD-3-Clause',
    file_headers=['{copyright}\n\nSPDX-License-Identifier: BSD-3-Clause\n'],
    license_files=[], contributing_files=[])
