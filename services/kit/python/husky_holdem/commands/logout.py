"""`husky logout`: deletes the stored access token."""

from __future__ import annotations

import argparse

from husky_holdem.credentials import delete_login
from husky_holdem.output import Output

NAME = "logout"
HELP = "Deletes the stored access token from this machine."
EXAMPLES = "husky logout"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds no argument."""


def run(args: argparse.Namespace, out: Output) -> int:
    """Deletes the file with the token. The token itself stays valid."""
    found = delete_login()
    if found:
        out.line("Signed out. The token stays valid until it expires or you revoke it on the site's account page.")
    else:
        out.line("You were not signed in.")
    out.result({"signed_out": found})
    return 0
