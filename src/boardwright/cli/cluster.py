"""`boardwright cluster`: what a Ray cluster does for Boardwright."""

from __future__ import annotations

from typing import Annotated

import typer

from boardwright.cli.options import AsJson

app = typer.Typer(no_args_is_help=True, help="What a Ray cluster does for Boardwright.")


@app.callback()
def cluster() -> None:
    """What a Ray cluster does for Boardwright: see docs/cluster.md."""


@app.command()
def status(
    cluster: Annotated[str, typer.Option(metavar="WHERE", help="auto, or HOST:PORT.")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Nodes, workers, portions in flight, games a second, and what was lost and replayed."""
    import json

    from rich import box
    from rich.table import Table

    from boardwright.cli.terminal import console
    from boardwright.cluster.status import HEADINGS, status_rows
    from boardwright.cluster.survey import survey

    found = survey(cluster)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return
    out = console()
    nodes = Table("node", "CPUs", "memory, GB", box=box.SIMPLE_HEAD, pad_edge=False)
    for node in found["nodes"]:
        nodes.add_row(node["name"], f"{node['cpus']:g}", f"{node['memory'] / 1e9:.1f}")
    out.print(nodes, soft_wrap=False)
    out.print(f"{found['free']:g} CPUs are free.", markup=False)
    for run in found["runs"]:
        out.print(
            f"{run['what']}: {run['in_flight']} in flight, {run['waiting']} waiting, {run['lost']} replayed, "
            f"{run['doubled']} asked for twice, {run['megabytes_a_second']:.2f} MB a second",
            markup=False,
        )
        table = Table(*HEADINGS, box=box.SIMPLE_HEAD, pad_edge=False)
        for row in status_rows(run):
            table.add_row(*row)
        out.print(table, soft_wrap=False)
    if not found["runs"]:
        out.print("nobody works here for Boardwright now; see docs/cluster.md", markup=False)
