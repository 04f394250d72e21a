"""The documents as a site: `make docs` builds it into out/docs. contribute/docs.md explains it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "workshop" / "docs"), str(ROOT / "workshop")]

project = "CellStats"
author = "the CellStats authors"
project_copyright = "the CellStats authors; MIT or Apache-2.0"

extensions = ["myst_parser", "sphinx.ext.autodoc", "generated_pages", "plain_docstrings"]
extensions += ["notebook_pages", "accessible_pages"]
exclude_patterns = ["_static"]
nitpicky = True

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
highlight_language = "none"

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = "CellStats"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
if tags.has("site"):  # type: ignore[name-defined]  # noqa: F821 (Sphinx defines it)
    # Links to what `make site` puts beside the documents.
    templates_path = ["../workshop/docs"]
    theme_sidebars = ["scroll-start", "navigation", "scroll-end"]
    html_sidebars = {
        "**": [f"sidebar/{each}.html" for each in ("brand", "search")]
        + ["of_site.html"]
        + [f"sidebar/{each}.html" for each in theme_sidebars]
    }
