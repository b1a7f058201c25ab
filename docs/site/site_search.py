"""What the site's search looks through: every section of every page, as text; search.js ranks them.

Sphinx's own index knows only pages, and which words they have.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

from site_pages import SHORT

ARTICLE = 'id="furo-main-content"'
NO_PAGES = {"search.html", "genindex.html"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
UNREAD = {"script", "style", "svg"}
APART = {"p", "li", "td", "th", "tr", "div", "dt", "dd", "strong"}  # after which words of what follows begin
INDEX = '<script src="searchindex.js"></script>'


class Sections(HTMLParser):
    """The sections of a page's article: [anchor, heading, prose, code, names] each, in the order in which they begin.
    Code is what stands in blocks. Names are what the prose writes as code: a section that speaks of `draw` answers
    sooner than one that uses it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[str]] = []
        self._open: list[list[str]] = []
        self._inside: list[str] = []  # tags that say what text is

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "section":
            self._open.append([f"#{values.get('id', '')}", "", "", "", ""])
            self.found.append(self._open[-1])
        elif tag in HEADINGS or tag in UNREAD or tag in ("code", "pre"):
            self._inside.append(tag)
        elif tag == "a" and values.get("class") == "headerlink":
            self._inside.append("a")

    def handle_endtag(self, tag: str) -> None:
        if tag == "section" and self._open:
            self._open.pop()
        elif self._inside and self._inside[-1] == tag:
            self._inside.pop()
            if tag in ("code", "pre") and self._open:
                self._open[-1][4 if tag == "code" else 3] += " "
        elif tag in APART and self._open:
            self._open[-1][2] += " "

    def handle_data(self, data: str) -> None:
        inside = set(self._inside)
        if not self._open or inside - HEADINGS - {"code", "pre"}:
            return
        section = self._open[-1]
        section[1 if inside & HEADINGS else 3 if "pre" in inside else 2] += data
        if "code" in inside:
            section[4] += data


def sections_of(page: str) -> list[list[str]]:
    """The sections of an HTML page; the first is the page itself, and needs no anchor."""
    reader = Sections()
    reader.feed(page)
    found = [[" ".join(part.split()) for part in section] for section in reader.found]
    for section in found[:1]:
        section[0] = ""
    return found


def write_search(site: Path) -> None:
    """Write the sections of all pages beside the script that ranks them, and let the page of the search load both."""
    pages = []
    for path in sorted(site.rglob("*.html")):
        page = path.read_text(encoding="utf-8")
        if ARTICLE in page and path.name not in NO_PAGES:
            sections, place = sections_of(page), path.relative_to(site).with_suffix("").as_posix()
            pages.append([place, sections[0][1], SHORT.get(place, ""), sections])
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (site / "_static" / "sections.js").write_text(f"const SECTIONS = {text};\n", encoding="utf-8")
    search = site / "search.html"
    page = search.read_text(encoding="utf-8")
    assert INDEX in page, "the page of the search is not as Sphinx used to make it"
    ours = "".join(f'<script src="_static/{name}"></script>\n' for name in ("sections.js", "search.js"))
    search.write_text(page.replace(INDEX, ours + INDEX), encoding="utf-8")
