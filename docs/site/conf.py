# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings of Sphinx for the site that docs/site/make_site.py stages."""

from mvsim_ros2 import __version__

project = 'mvsim_ros2'
version = release = __version__
author = 'The mvsim_ros2 authors'
copyright = '2026, ' + author  # noqa: A001 (the name that Sphinx reads)
extensions = ['myst_parser', 'sphinx.ext.autodoc', 'sphinx_copybutton', 'sphinx_design']
root_doc = 'index'
exclude_patterns = ['examples/plugin/**/*.py']
default_role = 'literal'  # docstrings have `names` in single quotes of this kind
nitpicky = False

myst_enable_extensions = ['colon_fence', 'dollarmath']
myst_dmath_allow_digits = False
myst_heading_anchors = 4
# fragments of code in tables and lists that no lexer takes whole are shown as they are
suppress_warnings = ['misc.highlighting_failure', 'myst.header']

autodoc_member_order = 'bysource'
autodoc_typehints = 'description'
autodoc_typehints_format = 'short'
autodoc_typehints_description_target = 'documented'

html_theme = 'furo'
html_title = f'mvsim_ros2 {__version__}'
html_static_path = ['_static']
html_css_files = ['site.css']
html_theme_options = {
    'light_css_variables': {'color-brand-primary': '#2066a8', 'color-brand-content': '#2066a8'},
    'dark_css_variables': {'color-brand-primary': '#7db4e6', 'color-brand-content': '#7db4e6'},
}
