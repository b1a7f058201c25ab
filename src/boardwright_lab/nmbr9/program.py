"""The program: the report's experiments in its order, and what made them work."""

from __future__ import annotations

from boardwright.games.load import load
from boardwright_lab.nmbr9.acting import show_reasons, show_sam
from boardwright_lab.nmbr9.searching import measure_players, show_policies, show_trajectories
from boardwright_lab.page import Page
from boardwright_lab.run import Run


def reproduce(run: Run, page: Page) -> None:
    """Write the page of NMBR 9."""
    game = load("nmbr9")
    page.say(
        "# NMBR 9: search by local windows, an actor-critic with demonstrations, and what they lacked\n\n"
        "The report set out to play NMBR 9 alone: draw a card, place its tile, stack for points. It built a tree "
        "search with three policies (UCB, empQ, and LALS, which values a move by how its surroundings look) and SAM, "
        "an actor-critic that is punished for illegal moves and rewarded for likeness to demonstrations. The search "
        "stayed below 20 points, the actor-critic learnt about 7 legal moves; people make 50 to 70. Both are built "
        "here as it describes them and measured on common decks, beside players that only choose among legal moves "
        "and judge the board that a move leaves behind."
    )
    common = measure_players(run, page, game)
    show_trajectories(run, page, game, common)
    show_policies(run, page, game, common)
    masked = show_sam(run, page, game, common)
    show_reasons(run, page, game, common, masked)
    page.say(
        "## Settings that the report leaves open\n\n"
        "- Its table is 24 x 24 with 4 levels in words and 25 x 25 with 5 in formulas; SAM has the second here. The "
        "tree search has the endless table of the rules, on which a first tile has one place instead of 2,000.\n"
        "- The number of different decks is 20! / 2^10, not what the text says.\n"
        "- It gives no constant C, no learning rate, no discount, no sizes of networks, batches or simulations; its "
        "figures 3 to 8 are not in the text. So its curves cannot be laid over ours: what can be compared is what it "
        "says of them.\n"
        "- SAM's learning rate was chosen by results among 3e-5, 5e-5 and 1e-4; at 1e-4 learners end far apart."
    )
