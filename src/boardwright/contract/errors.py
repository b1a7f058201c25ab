"""What can go wrong, as two kinds of error: a mistake in a game's rules, and bad input to a good game."""


class BoardwrightError(Exception):
    """The base of every error that Boardwright raises on purpose; its text is one message for a person."""


class RuleError(BoardwrightError):
    """A game's author made a mistake: the text names the game, the method and the cure."""


class InputError(BoardwrightError, ValueError):
    """A move, an option, a file or a name does not fit: the text says what was expected."""
