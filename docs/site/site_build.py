"""Build the documentation as a site: `python docs/site/site_build.py [FOLDER]`, usually into build/docs.

A warning of Sphinx ends it, and so does a link that leads nowhere or a page that would load something from elsewhere.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from site_pages import gather, linked
from site_search import write_search
from sphinx.cmd.build import main as sphinx

USUAL = Path(__file__).parents[2] / "build" / "docs"


def build(out: Path) -> list[str]:
    """Build the site into a folder; returns what is wrong with it."""
    with tempfile.TemporaryDirectory() as place:
        source, made = Path(place, "pages"), Path(place, "site")
        gather(source)
        if sphinx(["-q", "-W", "--keep-going", "-b", "html", "-d", f"{place}/trees", str(source), str(made)]):
            return ["Sphinx found something wrong, as told above"]
        shutil.rmtree(made / "_sources", ignore_errors=True)
        write_search(made)
        wrong = find_dead_links(made)
        if not wrong:
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(made, out)
        return wrong


def find_dead_links(site: Path) -> list[str]:
    """Links to what is not there, and what a page would load from elsewhere: a sentence each."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = {
        path: {html.unescape(name) for name in re.findall(r'\sid="([^"]+)"', text)} for path, text in texts.items()
    }
    wrong = []
    for path, text in sorted(texts.items()):
        where = path.relative_to(site)
        wrong += [f"{where}: loads {what}" for what in _loaded_from_elsewhere(text)]
        for _, address in linked(text):
            address = html.unescape(address)
            if re.match(r"[a-z]+:", address) or path.name in ("genindex.html", "search.html"):
                continue
            name, _, anchor = address.partition("#")
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            if not target.exists():
                wrong.append(f"{where}: {address} is not there")
            elif anchor and target in anchors and anchor not in anchors[target]:
                wrong.append(f"{where}: {address} has no such place in it")
    return wrong


def _loaded_from_elsewhere(text: str) -> list[str]:
    """Scripts, styles, pictures and frames with an address on the network."""
    tags = re.findall(r"<(?:script|link|img|iframe|source|object|embed)\b[^>]*>", text)
    return [address for tag in tags for _, address in linked(tag) if re.match(r"(?:https?:)?//", address)]


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL
    found = build(folder.resolve())
    print("\n".join(found) or f"Open {folder}/index.html", file=sys.stderr if found else sys.stdout)
    sys.exit(bool(found))
