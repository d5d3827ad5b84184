"""`husky verify`: re-deals the hands of match files from their seeds and compares them."""

from __future__ import annotations

import argparse
from husky_holdem.node import run_node
from husky_holdem.output import Output

NAME = "verify"
HELP = "Deals a match again from its seed and compares every hand."
EXAMPLES = """
husky verify match.jsonl             # from husky play, husky download or the site
husky verify batch-12.zip            # every match of a batch
husky verify match.jsonl --json
"""
EPILOG = """\
Compares the seed with the commitment, and every card, stack, blind, action, pot and result with the seed and
the rules. Not covered: times of actions, and the texts of faults. That the commitment was published before the
match is shown by the site's chain of commitments (docs/fairness.md).
Ends with 0 if all is as committed, with 1 at the first difference, with 2 for a file that cannot be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("file", metavar="FILE", help="a match file, or the zip archive of a batch (JSON lines)")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Verifies a file. Raises Failure at the first difference."""
    found = run_node("verify-batch" if args.file.endswith(".zip") else "verify", {"path": args.file})
    if "matches" in found:
        out.line(f"Verified: {found['matches']:,} matches, {found['hands']:,} hands and {found['actions']:,} actions follow from the committed seeds.")
        if found.get("unpublished"):
            out.line(f"The seeds of {found['unpublished']:,} matches are not published yet; these were not verified.")
    else:
        out.line(f"Verified: all {found['hands']:,} hands and {found['actions']:,} actions follow from the committed seed.")
        record = found["record"]
        chain = "no record in a chain (a local match)" if record is None else f"record {record:,} of the site's chain"
        out.line(f"Commitment {found['commitment']}, {chain}.")
    out.result({"verified": True, **found})
    return 0
