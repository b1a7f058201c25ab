"""Who has which order: whatever happens to workers, every order is answered, and counted once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from boardwright.cluster.ledger import AHEAD, LEAST_PATIENCE, Ledger

WORKERS = ["a", "b", "c"]


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.sampled_from(["ask", "answer", "lose", "join"]), st.integers(0, 2), st.integers(0, 20))),
)
def test_every_order_is_answered_and_counts_once(orders: int, happenings: list[tuple[str, int, int]]) -> None:
    ledger, now, counted = Ledger(), 0.0, []
    ledger.add(range(orders))
    for what, which, seconds in happenings:
        worker, now = WORKERS[which], now + seconds
        if what == "join":
            ledger.join(worker)
        elif worker not in ledger.held:
            continue
        elif what == "ask":
            ledger.next_for(worker, now)
            assert len(ledger.held[worker]) <= AHEAD
        elif what == "lose":
            ledger.leave(worker)
        elif ledger.held[worker]:
            order = ledger.held[worker][0]
            if ledger.answered(worker, order, now):
                counted.append(order)
        out = set(ledger.holders)
        assert not out & set(ledger.waiting) and not out & set(counted)
        assert len(out) + len(ledger.waiting) + len(counted) == orders, "no order is forgotten"
        assert all(1 <= len(holders) <= 2 for holders in ledger.holders.values())
    ledger.join("last")
    for worker in [one for one in ledger.held if one != "last"]:
        ledger.leave(worker)
    for _ in range(orders):
        if ledger.next_for("last", now) is None and not ledger.held["last"]:
            break
        order = ledger.held["last"][0]
        assert ledger.answered("last", order, now)
        counted.append(order)
    assert sorted(counted) == list(range(orders))


def test_a_straggler_is_helped_once_and_its_late_answer_does_not_count() -> None:
    ledger = Ledger()
    for worker in WORKERS:
        ledger.join(worker)
    ledger.add(range(3))
    assert [ledger.next_for(worker, 0.0) for worker in WORKERS] == [0, 1, 2]
    assert ledger.answered("a", 0, 1.0) and ledger.answered("b", 1, 1.0)
    assert ledger.next_for("a", 2.0) is None, "nobody is late yet"
    assert ledger.next_for("a", 1.0 + LEAST_PATIENCE) == 2 and ledger.next_for("b", 100.0) is None
    assert ledger.answered("a", 2, 8.0) and ledger.next_for("b", 200.0) is None, "the late one is still at it"
    assert not ledger.answered("c", 2, 9.0)
    assert (ledger.doubled, ledger.lost, ledger.in_flight) == (1, 0, 0)


def test_orders_wait_at_a_worker_only_while_there_are_plenty() -> None:
    ledger = Ledger()
    for worker in WORKERS:
        ledger.join(worker)
    ledger.add(range(7))
    for worker in WORKERS:
        assert ledger.next_for(worker, 0.0) is not None
    assert ledger.next_for("a", 0.0) is not None and ledger.next_for("b", 0.0) is not None
    assert ledger.next_for("c", 0.0) is None, "two are left for three: whoever is done first shall have them"


def test_what_a_lost_worker_had_comes_first() -> None:
    ledger = Ledger()
    ledger.join("a")
    ledger.add(range(5))
    assert ledger.next_for("a", 0.0) == 0 and ledger.next_for("a", 0.0) == 1
    assert ledger.leave("a") == 2
    ledger.join("b")
    assert [ledger.next_for("b", 0.0), ledger.next_for("b", 0.0)] == [0, 1] and ledger.lost == 2
