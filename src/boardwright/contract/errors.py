"""What can go wrong, as two kinds of error: a mistake in a game's rules, and bad input to a good game; and a warning of
what stops nothing."""

import re

NO_MOVE = "no move at a position that is not over; let player() return bw.OVER there"
AT_POSITION = " (position "  # what comes before the position that an error names, at its end
LONGEST_WORD = 300  # characters: what somebody handed us may be a megabyte, and a message shows the ends of it


class BoardwrightError(Exception):
    """The base of every error that Boardwright raises on purpose; its text is one message for a person."""

    def __init__(self, *told: object) -> None:
        super().__init__(*(_shortened(one) if isinstance(one, str) else one for one in told))


class RuleError(BoardwrightError):
    """A game's author made a mistake: the text names the game, the method and the cure."""


class NoMove(RuleError):
    """`legal` wrote no move where a player acts. Kernels raise it with NO_MOVE; who calls them names the game."""


class InputError(BoardwrightError, ValueError):
    """A move, an option, a file or a name does not fit: the text says what was expected."""


class BoardwrightWarning(UserWarning):
    """Nothing ends, but a person should know: the text says what, and the cure. Commands show it as one line."""


def _shortened(text: str) -> str:
    return re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: f"{word[0][:60]}...{word[0][-20:]}", text)
