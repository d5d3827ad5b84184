"""`husky about`: versions of the kit."""

from __future__ import annotations

import argparse
import platform

from husky_holdem import PROTOCOL_VERSION, __version__
from husky_holdem.node import run_node
from husky_holdem.output import Output

NAME = "about"
HELP = "Prints the versions of the kit, the rules, Python and Node."
EXAMPLES = "husky about --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds no argument."""


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the versions."""
    found = run_node("about", {})
    versions = {
        "version": __version__,
        "rules_version": found["rules_version"],
        "protocol_version": PROTOCOL_VERSION,
        "python": platform.python_version(),
        "node": found["node"],
    }
    out.table(["what", "version"], [[name.removesuffix("_version"), str(value)] for name, value in versions.items()], left=2)
    out.result(versions)
    return 0
