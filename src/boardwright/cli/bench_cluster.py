"""`boardwright bench cluster`: what a Ray cluster gives, and where it ends."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from boardwright.cli.options import AsJson

NODES, CPUS = (1, 10, 100, 1000), 8
BEGIN, END = "<!-- measured -->", "<!-- end of what is measured -->"


def cluster(
    workers: Annotated[str, typer.Option(metavar="1,2,...", help="Numbers of workers on this machine.")] = "1,2,4,8",
    seconds: Annotated[float, typer.Option(min=1.0, help="How long to measure each.")] = 20.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the tables into this file, such as docs/cluster.md.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Self-play and a match by several workers, local processes beside Ray, and a simulation of many nodes.

    Takes about three minutes for each number of workers beside --seconds, most of it Ray's start.
    """
    from boardwright.arena.report import check_writable
    from boardwright.bench.cluster import cluster_page, measure_cluster, simulate_nodes
    from boardwright.cli.terminal import Ticker
    from boardwright.contract.errors import InputError
    from boardwright.contract.whole_file import whole_file

    try:
        counts = tuple(int(part) for part in workers.split(","))
    except ValueError:
        counts = ()
    if not counts or not all(1 <= count <= 64 for count in counts):
        raise InputError(f"--workers {workers}: say numbers of 1 to 64 with commas, such as 1,2,4")
    if out is not None:
        check_writable(out)
        text = out.read_text("utf-8") if out.exists() else f"{BEGIN}\n{END}\n"
        if BEGIN not in text or END not in text:
            raise InputError(f"{out} has no place for the tables: lines {BEGIN} and {END}")
    with Ticker() as tick:
        rates, costs = measure_cluster(counts, seconds, tick)
    simulated = [
        simulate_nodes(costs, nodes, CPUS, portions) for nodes in NODES for portions in sorted({16, 2 * nodes * CPUS})
    ]
    if as_json:
        found = {
            "rates": [one.to_dict() for one in rates], "costs": costs.to_dict(),
            "simulated": [vars(one) for one in simulated],
        }  # fmt: skip
        typer.echo(json.dumps(found, indent=2))
        return
    page = cluster_page(rates, costs, simulated, shlex.join(["boardwright", *sys.argv[1:]]))
    typer.echo(page)
    if out is not None:
        begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        with whole_file(out) as file:
            file.write(f"{text[:begin]}\n{page}{text[end:]}".encode())
        typer.echo(f"Wrote {out}.", err=True)
