"""A game's picture as a part of a larger one: names of its own, no hooks, nothing that acts or comes from outside."""

from __future__ import annotations

import re
from math import sqrt
from typing import NamedTuple
from xml.etree import ElementTree

from boardwright.contract.errors import RuleError
from boardwright.contract.position import Position

REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
NUMBER = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?", re.IGNORECASE)
MOST_STRETCHED = 2.5  # a board longer than this is drawn as if it were only so long


class EmbeddedBoard(NamedTuple):
    """A board that waits for its place. `body` is all that is inside its <svg>."""

    head: str  # attributes of the <svg>, viewBox included
    body: str
    width: float
    height: float

    def at(self, x: float, y: float) -> str:
        """The board as an inner <svg> there."""
        size = f'x="{x:.1f}" y="{y:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        return f"<svg {size} {self.head}>{self.body}</svg>"


def embedded_board(position: Position, prefix: str, side: float) -> EmbeddedBoard:
    """The position's picture with an area of about side * side. `prefix` must be unique in the document: several
    boards in one would otherwise share the names of their gradients, and with them the first one's."""
    owner = f"{position.game.name}.svg"
    try:
        root = ElementTree.fromstring(position.svg())  # noqa: S314 - drawn by the game that we are running
    except ElementTree.ParseError as error:
        raise RuleError(f"{owner}: no well-formed XML ({error}); escape text with html.escape") from None
    box = _view_box(root, owner)
    shape = min(max(box[2] / box[3], 1 / MOST_STRETCHED), MOST_STRETCHED)
    names = {name: prefix + name for element in root.iter() if (name := element.get("id"))}
    _clean(root, names)
    for name in ("x", "y", "width", "height", "viewBox"):
        root.attrib.pop(name, None)
    root.set("viewBox", " ".join(f"{number:g}" for number in box))
    whole = ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)
    head, _, body = whole.removeprefix("<svg ").partition(">")
    body = body.removesuffix("</svg>") if not head.endswith("/") else ""
    return EmbeddedBoard(head.rstrip("/ "), body, side * sqrt(shape), side / sqrt(shape))


def _view_box(root: ElementTree.Element, owner: str) -> list[float]:
    numbers = [float(number) for number in NUMBER.findall(root.get("viewBox", ""))]
    if not numbers:
        numbers = [0.0, 0.0] + [float((NUMBER.findall(root.get(name, "")) or [0])[0]) for name in ("width", "height")]
    if len(numbers) != 4 or not (numbers[2] > 0 and numbers[3] > 0):
        raise RuleError(f'{owner}: the picture has no size; give its <svg> a viewBox="0 0 width height"')
    return numbers


def _clean(element: ElementTree.Element, names: dict[str, str]) -> None:
    """Rename what has or refers to a name; drop the rest of SVG that a still picture has no use for."""
    element.tag = element.tag.rpartition("}")[2]  # the outer document says once that all this is SVG
    for name, value in list(element.items()):
        short = name.rpartition("}")[2]
        foreign = short == "href" and not value.startswith("#")
        # Places to click belong to a board that can be played on.
        if foreign or short.startswith(("on", "data-")) or _from_outside(value):
            del element.attrib[name]
        elif short == "href":
            del element.attrib[name]
            element.set("href", "#" + names.get(value[1:], value[1:]))
        elif short == "id":
            element.set(name, names[value])
        elif short in ("aria-labelledby", "aria-describedby"):
            element.set(name, " ".join(names.get(one, one) for one in value.split()))
        else:
            element.set(name, _renamed(value, names))
    if element.tag == "style" and element.text:
        text = _renamed(element.text, names)
        for old, new in names.items():
            text = re.sub(rf"#{re.escape(old)}(?![\w-])", f"#{new}", text)
        element.text = "" if _from_outside(text) else text
    for child in list(element):
        invisible = child.get("fill-opacity") == "0" and "stroke" not in child.attrib
        if invisible or child.tag.rpartition("}")[2] in ("script", "foreignObject"):
            _remove(element, child)
        else:
            _clean(child, names)


def _remove(parent: ElementTree.Element, child: ElementTree.Element) -> None:
    """Take out a child but leave the text that follows it."""
    place = list(parent).index(child)
    if child.tail:
        if place:
            parent[place - 1].tail = (parent[place - 1].tail or "") + child.tail
        else:
            parent.text = (parent.text or "") + child.tail
    parent.remove(child)


def _renamed(value: str, names: dict[str, str]) -> str:
    return REFERENCE.sub(lambda found: f"url(#{names.get(found[1], found[1])})", value)


def _from_outside(css: str) -> bool:
    return "@import" in css or "url(" in REFERENCE.sub("", css)
