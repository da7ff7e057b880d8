"""`fastnav weights`."""

from typing import Annotated

import typer

from fastnav.cli import options
from fastnav.cli.console import say, shell, show, show_json, show_text, table
from fastnav.errors import UsageError

EXAMPLES = ("fastnav weights", "fastnav weights smna-r2r")


def weights(
    name: Annotated[
        str | None, typer.Argument(help="One of them, whose model card is printed.", show_default=False)
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """List the trained agents that come with fastnav, or print the model card of one.

    Their names will do wherever a run of `fastnav train` or a checkpoint is asked for.
    """
    from fastnav.agents.shipped import shipped_agents, shipped_named

    if name is not None:
        if as_json:
            raise UsageError("--json: a model card is Markdown; leave out --json, or the name")
        show_text(shipped_named(name).card.rstrip())
        return
    agents = shipped_agents().values()
    if as_json:
        show_json([{"name": a.name, "megabytes": round(a.megabytes, 1), "about": a.about} for a in agents])
        return
    made = table("Trained agents that come with fastnav", "", "MB", "what")
    made.columns[2].justify = "left"
    for agent in agents:
        made.add_row(agent.name, f"{agent.megabytes:.1f}", agent.about)
    show(made)
    say(f"next: {shell('navigate', next(iter(agents)).name, '--data', 'R2R')}")
