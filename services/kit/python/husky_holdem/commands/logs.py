"""`husky logs`: prints the log of the user's bot in a match on the site."""

from __future__ import annotations

import argparse

from husky_holdem.jobs import job_id
from husky_holdem.output import Output
from husky_holdem.site import connect

NAME = "logs"
HELP = "Prints what your bot wrote in a match on the site, and its faults, times and memory."
EXAMPLES = """husky logs 0c1c2c3c-0000-4000-8000-000000000000
husky logs http://localhost:8080/games/0c1c2c3c-0000-4000-8000-000000000000 > bot.log"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the job."""
    parser.add_argument("job", metavar="JOB", help="id or address of a match or test run")


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the log to standard output and the summary to standard error."""
    job = job_id(args.job)
    site = connect(out.note)
    report = site.get(f"/live/job/{job}/bots/{site.username()}")
    # Before the output, which may look like notes.
    for note in report.get("notes", []):
        out.note(f"platform: {note}")
    for line in report["log"].splitlines():
        out.line(line)
    for group in report["faults"]:
        out.note(f"{group['kind']}, {group['count']} times, first in hand {group['first_hand']}: {group['text']}")
    times = report["times"]
    shown = f", decisions within {times['p50_ms']:g} ms (half), {times['p95_ms']:g} ms (95 %), {times['max_ms']:g} ms (all)" if times else ""
    out.note(f"{report['hands']:,} hands, {report['decisions']:,} decisions{shown}, peak memory {report['peak_memory_kib'] // 1024} MiB")
    out.result(report)
    return 0
