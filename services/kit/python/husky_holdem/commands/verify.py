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
Deals and plays every hand again and compares every value of the file, and lists what nobody can compute. That the
commitment was published before the match is shown by the site's chain of commitments (docs/fairness.md).
Ends with 0 if all is as committed, with 1 at the first difference, with 2 for a file that cannot be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("file", metavar="FILE", help="a match file (JSON lines, PHH or CSV), or the zip archive of a batch")
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
    out.line("Checked: cards, stacks, blinds, positions, actions, pots and results of every hand, bots and settings.")
    out.line("Not covered:")
    for entry in found["not_covered"]:
        out.line(f"- {entry['what']}: {entry['why']}")
    out.result({"verified": True, **found})
    return 0
