"""The interface of a command."""

from __future__ import annotations

import argparse
from typing import Protocol

from husky_holdem.output import Output


class Command(Protocol):
    """A module of husky_holdem.commands. HELP is one sentence, EXAMPLES has one command per line."""

    NAME: str
    HELP: str
    EXAMPLES: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command's own arguments."""

    def run(self, args: argparse.Namespace, out: Output) -> int:
        """Runs the command and returns the exit code; raises Failure."""
