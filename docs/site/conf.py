"""Sphinx's own settings of the documentation's site; site_pages.py copies this beside the pages."""

from boardwright import __version__

project = "Boardwright"
copyright = "the Boardwright project, Apache-2.0"
version = release = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "attrs_inline"]
suppress_warnings = ["misc.highlighting_failure"]  # blocks that begin as Python and end as an ellipsis

html_theme = "furo"
html_title = "Boardwright"
html_logo = html_favicon = "boardwright.svg"
html_static_path = ["_static"]
html_css_files = ["colours.css", "site.css"]
html_copy_source = html_show_sourcelink = html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
