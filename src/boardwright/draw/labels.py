"""What is said of a node of a tree: the same in the picture and on the page."""

from __future__ import annotations

from html import escape

from boardwright.contract.game import OVER, Game
from boardwright.draw.visible_tree import Node


def who(actor: int) -> str:
    """Whose turn it is at the root."""
    return "game over" if actor == OVER else f"player {actor + 1} to move" if actor >= 0 else "chance"


def value_text(game: Game, q: float | None) -> str:
    """A value as people read it: points with one digit, results from -1 to 1 with a sign and two."""
    if q is None:
        return "-"
    if game.counts_points:
        return f"{q:,.1f}" if abs(q) < 10_000 else f"{q:,.0f}"
    rounded = round(q, 2)
    return f"{rounded:+.2f}".replace("-", "−") if rounded else "0.00"


def prior_text(node: Node) -> str:
    """P of a move as a share of 1, of a draw as a percentage; nothing where all are alike."""
    if node.prior is None:
        return ""
    if node.chooser < 0:
        return percent(node.prior)
    return f"{node.prior:.2f}" if node.prior >= 0.0995 else f"{node.prior:.3f}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %"


def sentence(node: Node) -> str:
    """All about a node, for whoever points at it."""
    said = [f"{node.visits:,} visits ({percent(node.share)})"]
    if node.q is not None:
        said.append(f"value {value_text(node.position.game, node.q)} to player {node.viewer + 1}")
    if node.proven:
        said.append(f"proven: {node.proven}")
    if node.prior is not None:
        said.append(f"liked {node.prior:.4g} before the search" if node.chooser >= 0 else f"chance {node.prior:.4g}")
    if node.more:
        said.append(f"{node.more} more below with {node.more_visits:,} visits")
    return (f"{node.text}: " if node.text else "") + ", ".join(said)


def data(node: Node) -> str:
    """The numbers of a node as attributes, for programs."""
    said: dict[str, object] = {"slot": node.slot, "visits": node.visits, "viewer": node.viewer, "actor": node.actor}
    said |= {"more": node.more, "text": node.text, "proven": node.proven}
    if node.q is not None:
        said["q"] = node.q
    if node.prior is not None:
        said["prior"] = node.prior
    return " ".join(f'data-{name}="{escape(str(value))}"' for name, value in said.items())
