"""Games to look at: of those between equal strong players the most typical, the closest, the wildest and the most
lopsided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boardwright.playtesting.curves import Curve
from boardwright.playtesting.tension import decided, lead_changes, lowest
from boardwright.playtesting.trace import Trace
from boardwright.records import Record

SHOWN = ("typical", "closest", "wildest", "most lopsided")


@dataclass(frozen=True)
class Look:
    """One of them."""

    name: str
    why: str
    game: Trace
    record: Record | None = None  # once it is made


def to_look_at(games: Sequence[Trace], lines: Sequence[Curve]) -> list[Look]:
    """At most four, each once. Games for one player are chosen by their results."""
    if not lines:
        return _alone(games)
    features = np.array([_features(one) for one in lines])
    spread = features.std(axis=0)
    spread[spread == 0] = 1.0
    far = (np.abs(features - np.median(features, axis=0)) / spread).sum(axis=1)
    uncertain = [float((one.chances.max(axis=1) * -1).mean()) for one in lines]
    found: list[Look] = []

    def pick(name: str, scores: Sequence[float], why: str) -> None:
        taken = {look.game.id for look in found}
        for number in np.argsort(-np.asarray(scores), kind="stable"):
            one = lines[int(number)]
            if one.game.id not in taken:
                found.append(Look(name, f"{why}; {_told(one)}", one.game))
                return

    # The most particular first: a game is shown once.
    pick(
        "wildest", [lead_changes(one) - (lowest(one) if one.winner >= 0 else 0.0) for one in lines], "most lead changes"
    )
    pick(
        "most lopsided",
        [float(one.chances[:, one.winner].mean()) if one.winner >= 0 else 0.0 for one in lines],
        "the winner was surest of it, over the game",
    )
    pick("closest", uncertain, "the leader's chance stayed lowest over the game")
    pick("typical", [-float(x) for x in far], "nearest to the middle of all in length, leads and when it was decided")
    return sorted(found, key=lambda look: SHOWN.index(look.name))


def _features(one: Curve) -> list[float]:
    won = one.winner >= 0
    return [one.game.moves, lead_changes(one), decided(one) if won else 1.0, lowest(one) if won else 0.5]


def _told(one: Curve) -> str:
    how = f"seat {one.winner + 1} won" if one.winner >= 0 else "drawn"
    changes = int(lead_changes(one))
    return f"{how} after {one.game.moves} moves, {changes} lead change{'' if changes == 1 else 's'}"


def _alone(games: Sequence[Trace]) -> list[Look]:
    ranked = sorted((one for one in games if one.results), key=lambda one: (one.results[0], one.id))
    if not ranked:
        return []
    places = {"typical": (len(ranked) - 1) // 2, "best": len(ranked) - 1, "worst": 0}
    return [
        Look(name, f"{ranked[at].results[0]:g} after {ranked[at].moves} moves", ranked[at])
        for name, at in places.items()
    ]
