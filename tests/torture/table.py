"""The table at the end: tried, failed, and for each failure the command line that repeats it."""

from __future__ import annotations

import platform

from tests.torture.runner import Outcome


def text(outcomes: list[Outcome], seed: int) -> str:
    """The whole table, with a line for every cause of failure below it."""
    widths = max(len(one.trial.name) for one in outcomes) if outcomes else 0
    lines = [
        f"Torture with seed {seed}, Python {platform.python_version()}",
        "",
        f"{'trial':{widths}}  {'tried':>14} {'':10} {'attempts':>8} {'failed':>7} {'seconds':>8}  what",
    ]
    for one in outcomes:
        said = (
            f"not run: {one.lacking}"
            if one.lacking
            else (one.figures or one.trial.about) + (" (stopped)" if one.stopped else "")
        )
        lines.append(
            f"{one.trial.name:{widths}}  {one.tried:>14,} {one.trial.unit:10} {one.attempts:>8,} {one.failed:>7,} "
            f"{one.seconds:>8.0f}  {said}"
        )
    failed = [one for one in outcomes if one.faults]
    for one in failed:
        for fault in one.faults.values():
            shown = fault.text if len(fault.text) <= 600 else fault.text[:597] + "..."
            lines += ["", f"{one.trial.name}{f', {fault.times} times' if fault.times > 1 else ''}: {shown}"]
            lines.append(f"  again: {repeat(one, fault.seed)}")
    lines += ["", f"{sum(one.failed for one in failed):,} failed" if failed else "nothing failed"]
    return "\n".join(lines)


def repeat(outcome: Outcome, seed: int) -> str:
    """The command line of one attempt."""
    minutes = f" --minutes {max(outcome.share / 60, 0.1):.1f}" if outcome.trial.scales else ""
    return f"python -m tests.torture --only {outcome.trial.name} --seed {seed} --once{minutes}"
