"""Build the documentation as a site: `python docs/site/site_build.py [FOLDER]`, usually into build/docs, or with
`--check` nowhere: half of the time goes into the look, and what is wrong with the pages is found without.

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


def build(out: Path | None) -> list[str]:
    """Build the site into a folder, or nowhere and in Sphinx's plainest look; returns what is wrong with it."""
    with tempfile.TemporaryDirectory() as place:
        source, made = Path(place, "pages"), Path(place, "site")
        gather(source)
        plain = ["-D", "html_theme=basic"] if out is None else []
        if sphinx(["-q", "-W", "--keep-going", "-b", "html", "-d", f"{place}/trees", *plain, str(source), str(made)]):
            return ["Sphinx found something wrong, as told above"]
        if out is not None:
            shutil.rmtree(made / "_sources", ignore_errors=True)
            write_search(made)
        wrong = find_dead_links(made)
        if out is not None and not wrong:
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
    where = sys.argv[1] if len(sys.argv) > 1 else str(USUAL)
    folder = None if where == "--check" else Path(where).resolve()
    found = build(folder)
    done = f"Open {folder}/index.html" if folder else "Nothing is wrong with it."
    print("\n".join(found) or done, file=sys.stderr if found else sys.stdout)
    sys.exit(bool(found))
