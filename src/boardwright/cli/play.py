"""`boardwright play`: a game in the terminal, people against any player."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.levels import Level
    from boardwright.cli.session import Session
    from boardwright.contract.position import Position

HELP = """\
  moves           list the legal moves
  board           show the board again
  hint [PLAYER]   ask a player what it would do (the game is then marked as assisted)
  undo            take back to your last decision (the game is then marked as assisted)
  save            the game is saved after every move; this tells where
  resign          give up; the game ends here
  quit            leave; go on later with: boardwright play --resume"""
COMMANDS = ("?", "help", "moves", "board", "hint", "undo", "save", "resign", "quit", "exit")
FEW_MOVES = 30  # as many as help lists unasked


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A built-in name, NAME:option=value, or path/to/file.py:Class."),
    ] = None,
    record: Annotated[str | None, typer.Argument(metavar="ID", help="With --resume: which record.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; may be repeated.")
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="Who sits first, who second, ...: human, a level such as Medium, a player such as greedy.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes every draw of chance.", show_default="a new one")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last unfinished game, or with record ID.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
) -> None:
    """Play in the terminal: you against any player, alone, or several people at one keyboard.

    Saved after every move. In the game, ? shows what you can type.
    """
    from boardwright.cli.terminal import console
    from boardwright.contract.errors import InputError

    out = console(plain=plain)
    if resume and (option or seed is not None):
        raise InputError("a game is resumed with its own options and seed; leave out --option and --seed")
    session = _reopen(game, record, seat or []) if resume else _open(game, record, option or [], seat or [], seed)
    Terminal(session, out).run()


def _open(name: str | None, record: str | None, option: list[str], seats: list[str], seed: int | None) -> Session:
    import secrets

    from boardwright.cli.session import Session
    from boardwright.contract.errors import InputError
    from boardwright.contract.settings import split_settings
    from boardwright.games.built_in import BUILT_IN
    from boardwright.games.load import load

    if name is None:
        raise InputError(f"name a game to play: {', '.join(BUILT_IN)}, or path/to/file.py:Class")
    if record is not None:
        raise InputError(f"what is {record!r}? A record is continued with --resume")
    game = load(name, **split_settings(name, ",".join(option)))
    return Session.new(game, seats, secrets.randbelow(2**31) if seed is None else seed)


def _reopen(name: str | None, record_id: str | None, seats: list[str]) -> Session:
    """`play --resume`, `play --resume ID`, `play GAME --resume`, `play GAME --resume ID`."""
    from boardwright.cli.session import Session
    from boardwright.contract.errors import InputError
    from boardwright.games.built_in import BUILT_IN
    from boardwright.games.load import GROUP, load, trusted_spec
    from boardwright.records import Library
    from boardwright.registry import offered

    games = {*BUILT_IN, *offered(GROUP)}
    if name is not None and record_id is None and name.partition(":")[0] not in games and ".py" not in name:
        name, record_id = None, name
    library = Library()
    if record_id is None:
        game_name = load(name).name if name is not None else None
        latest = library.find(game=game_name, status="unfinished", limit=1)
        if not latest:
            which = f"game of {game_name}" if game_name else "game"
            raise InputError(f"no unfinished {which} to resume; start one: boardwright play GAME")
        record_id = latest[0].id
    record = library.get(record_id)
    name = name or trusted_spec(record.game)
    if name is None:
        raise InputError(
            f"record {record.id[:8]} is of {record.game!r}, which is not built in; say where it is: "
            f"boardwright play path/to/file.py:Class --resume {record.id[:8]}"
        )
    return Session.resume(record, load(name, **record.options), seats)


# Each way's arrow key, and what the key does in a line of text.
ARROWS = {
    "up": ("A", "previous-history"), "down": ("B", "next-history"),
    "right": ("C", "forward-char"), "left": ("D", "backward-char"),
}  # fmt: skip


class Terminal:
    """Shows a session and asks people for their moves."""

    def __init__(self, session: Session, out: Console) -> None:
        self.session = session
        self.out = out
        self._asked = 0.0

    def run(self) -> None:
        """Until the game is over or the people leave."""
        if sys.stdin.isatty():
            import readline  # noqa: F401 - importing it gives input() line editing and history
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")  # a stray byte is a bad move, not the end of the program
        session = self.session
        self._say(f"{session.game}, seed {session.seed}: " + ", ".join(self._names()))
        for level in self._levels():
            self._say(f"{level.name}: {level.words}", style="dim")
        self._show()
        try:
            while not session.position.is_over:
                if not (self._human() if session.human_to_move else self._computer()):
                    return
        except KeyboardInterrupt:
            self._say("")
            self._tell_where_saved()
            return
        self._finish()

    def _computer(self) -> bool:
        from boardwright.cli.terminal import Ticker

        session = self.session
        position = session.position
        with Ticker() as tick:
            tick(f"{self._name(position.player)} is thinking ...")
            choice = session.let_choose()
        session.play(choice.move, choice.seconds)
        self._save()
        note = f" - {choice.note}" if choice.note else ""
        self._say(f"{self._name(position.player)} plays {position.text(choice.move)}{note}", style="bold")
        self._show()
        return True

    def _human(self) -> bool:
        """One line from the person to move. False: they leave."""
        from boardwright.contract.errors import InputError

        session = self.session
        self._asked = self._asked or time.perf_counter()
        try:
            whose = f", player {session.position.player + 1}" if session.game.players > 1 else ""
            typed = self._read(f"your move{whose} (? for help)> ").strip()
        except EOFError:
            self._say("")
            self._tell_where_saved()
            return False
        try:
            return self._obey(typed)
        except InputError as error:
            self._say(str(error), style="red")
            return True

    def _obey(self, typed: str) -> bool:
        session = self.session
        position = session.position
        words = typed.split()
        if not words:
            return True
        command = words[0].casefold()
        is_move = typed.casefold() in {position.text(move).casefold() for move in position.moves}
        if is_move or command not in COMMANDS:  # a move that is named like a command wins
            session.play(typed, time.perf_counter() - self._asked)
            self._save()
            self._asked = 0.0
            self._show()
        elif command in ("?", "help"):
            self._help()
        elif command == "moves":
            self._moves()
        elif command == "board":
            self._show()
        elif command == "hint":
            self._hint(typed[len(words[0]) :].strip())
        elif command == "undo":
            if session.take_back():
                self._say("Taken back. The game is now marked as assisted.")
                self._save()
                self._asked = 0.0
                self._show(drawn=False)
            else:
                self._say("There is nothing to take back yet.")
        elif command == "save":
            self._tell_where_saved()
        elif command == "resign":
            seat = position.player
            session.resign(seat)
            self._say(f"{self._name(seat)} resigns.", style="bold")
            self._tell_record()
            return False
        else:
            self._tell_where_saved()
            return False
        return True

    def _read(self, prompt: str) -> str:
        if sys.stdin.isatty():
            self._bind_arrows()
            return input(prompt)
        line = input(prompt)
        self._say(line)  # no terminal has echoed it
        return line

    def _bind_arrows(self) -> None:
        """Where moves are ways, the arrow keys play them; elsewhere they edit the line."""
        try:
            import readline
        except ImportError:
            return
        position = self.session.position
        slides = {position.text(move) for move in position.moves} <= set(ARROWS)
        for way, (key, edit) in ARROWS.items():
            for opening in ("\\e[", "\\eO"):  # as terminals send them, in either of their modes
                readline.parse_and_bind(f'"{opening}{key}": ' + (f'"{way}\\C-m"' if slides else edit))

    # What is shown

    def _show(self, drawn: bool = True) -> None:
        from boardwright.cli.terminal import board

        draws = self.session.draws_just_made if drawn else []
        if draws:
            self._say(f"drawn: {' '.join(draws)}", style="italic")
        self.out.print()
        self.out.print(board(self.session.position))
        self.out.print()

    def _help(self) -> None:
        game, position = self.session.game, self.session.position
        self._say(f"Type a move: {game.move_help or 'its number'}")
        if len(position.moves) <= FEW_MOVES:
            self._moves()
        self._say("or one of these:")
        self._say(HELP)

    def _moves(self) -> None:
        from rich.columns import Columns

        texts = [self.session.position.text(move) for move in self.session.position.moves]
        self.out.print(Columns(texts, padding=(0, 2)), soft_wrap=False, markup=False)

    def _hint(self, spec: str) -> None:
        from boardwright.cli.session import PACE
        from boardwright.cli.terminal import Ticker
        from boardwright.learn.strongest import best_known

        if not spec:
            spec = best_known(self.session.game, PACE, self._say)
        with Ticker() as tick:
            tick(f"{spec} is thinking ...")
            choice = self.session.advise(spec)
        note = f" - {choice.note}" if choice.note else ""
        move = self.session.position.text(choice.move)
        self._say(f"{spec} would play {move}{note} (the game is now marked as assisted)")
        self._save()

    def _finish(self) -> None:
        for line in verdict(self.session.position, self._names()):
            self._say(line, style="bold")
        self._tell_record()

    def _save(self) -> bool:
        """A disk that refuses must not end the game."""
        from boardwright.contract.errors import InputError

        try:
            return self.session.save()
        except InputError as error:
            self._say(f"The game is not saved: {error}", style="red")
            return False

    def _tell_where_saved(self) -> None:
        if self._save():
            self._say(f"Saved as record {self.session.id}. Go on with: {self._resume_command()}")
        elif not self.session.seconds:
            self._say("Nothing has been played yet, so nothing is saved.")

    def _tell_record(self) -> None:
        if self._save():
            rules = f" --game {self._source()}" if self._source() else ""
            self._say(
                f"Record {self.session.id}. Look at it again: boardwright records replay {self.session.id[:8]}{rules}"
            )

    def _resume_command(self) -> str:
        return " ".join(filter(None, ["boardwright play", self._source(), "--resume", self.session.id[:8]]))

    def _source(self) -> str:
        """The file of a game that is not built in. A record never says it: whoever opens the record does."""
        import shlex

        from boardwright.games.named import source_of

        found = source_of(self.session.game)
        return shlex.quote(found) if found else ""

    def _name(self, seat: int) -> str:
        from boardwright.cli.terminal import clean

        spec = self.session.seats[seat]
        level = next((one.name for one in self._levels() if one.spec == spec), "")
        return f"player {seat + 1} ({level or clean(spec)})"

    def _levels(self) -> list[Level]:
        """The measured levels that sit at the table."""
        from boardwright.arena.levels import levels_of

        return [one for one in levels_of(self.session.game) if one.spec in self.session.seats]

    def _names(self) -> list[str]:
        return [self._name(seat) for seat in range(self.session.game.players)]

    def _say(self, text: str, style: str = "") -> None:
        self.out.print(text, style=style, markup=False)


def verdict(position: Position, names: list[str]) -> list[str]:
    """How a finished game ended, a line each: the points where the game counts any, and who won."""
    from boardwright.cli.terminal import number
    from boardwright.contract.game import Game

    game, results = position.game, position.results
    assert results is not None
    if game.players == 1:
        return [f"The game is over: {number(results[0])} points."]
    lines = []
    if type(game).scores is not Game.scores:
        points = [f"{name} {number(score)}" for name, score in zip(names, position.scores, strict=True)]
        lines.append("Points: " + ", ".join(points))
    best = [name for name, result in zip(names, results, strict=True) if result == max(results)]
    if len(best) == len(names):
        lines.append("A draw.")
    elif len(best) > 1:
        lines.append(f"{' and '.join(best)} share the win.")
    else:
        lines.append(f"{best[0]} wins.")
    return lines
