"""`husky jobs`: lists the matches and test runs of the user's bots."""

from __future__ import annotations

import argparse

from husky_holdem.jobs import chips, delta_of, faults_of
from husky_holdem.output import Output
from husky_holdem.site import connect

NAME = "jobs"
HELP = "Lists the matches and test runs that your bots played on the site, newest first."
EXAMPLES = """husky jobs
husky jobs --kind match --limit 5
husky jobs --json | jq -r '.jobs[0].job_id'"""

_KINDS = ("test", "match", "batch")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the filters."""
    parser.add_argument("--limit", type=int, default=20, choices=range(1, 101), metavar="N", help="1 to 100 (default: %(default)s)")
    parser.add_argument("--kind", choices=_KINDS, help="only test runs, matches, or matches of batches")


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the list."""
    site = connect(out.note)
    username = site.username()
    jobs = site.get("/sim/played", {"role": "any", "page_size": args.limit, "kind": args.kind or ""})
    rows = [
        [
            job["job_id"],
            job["kind"],
            job["job_status"],
            job["created_at"][:16].replace("T", " "),
            faults_of(job, username) or job.get("error") or "",
            f"{job['hands_done']:,}/{job['num_rounds']:,}",
            chips(delta_of(job, username)),
        ]
        for job in jobs
    ]
    if rows:
        out.table(["job", "kind", "state", "created (UTC)", "faults", "hands", "chips"], rows, left=5)
    else:
        out.line("Your bots have played nothing yet: `husky test FOLDER` starts a test run.")
    out.result({"jobs": jobs})
    return 0
