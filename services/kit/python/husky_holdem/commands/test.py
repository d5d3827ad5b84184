"""`husky test`: starts a test run on the site and waits for its result."""

from __future__ import annotations

import argparse
import time
from typing import Any
from urllib.parse import urlencode

from husky_holdem.botfolder import read_bot
from husky_holdem.bots import example_bots
from husky_holdem.chain import remember
from husky_holdem.jobs import delta_of, faults_of, has_ended, outcome
from husky_holdem.output import EXIT_INTERRUPTED, EXIT_SITE, EXIT_WRONG, Failure, Output
from husky_holdem.site import Site, connect

NAME = "test"
HELP = "Plays a test run on the site, by default ten hands against its house bot, waits and prints how the bot did."
EXAMPLES = """husky test mybot
husky test mybot --against mix --hands 100
husky test mybot --no-wait --json"""

_MIN_POLL_SECONDS = 0.5
_MAX_POLL_SECONDS = 3.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the bot and the options of waiting."""
    parser.add_argument("bot", metavar="FOLDER", help="folder with player.py and requirements.txt")
    styles = [*example_bots(), "mix"]
    parser.add_argument("--against", choices=styles, default="house", metavar="STYLE", help=f"opponents: {', '.join(styles)} (default: %(default)s)")
    parser.add_argument("--hands", type=int, default=10, metavar="N", help="10 to 200 hands (default: %(default)s)")
    parser.add_argument("--no-wait", action="store_true", help="print the job and end")
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS", help="how long to wait (default: %(default)s)")


def run(args: argparse.Namespace, out: Output) -> int:
    """Uploads the files for a test run and waits for its end. Returns 1 if the bot failed."""
    files = read_bot(args.bot)
    site = connect(out.note)
    username = site.username()
    query = urlencode({"against": args.against, "num_rounds": args.hands})
    created = site.upload(f"/sim/async_run?{query}", files.form("python_file", "packages_file"))
    remember(site, created, out)
    for text in created.get("warnings", []):
        out.note(f"Warning: {text}")
    job = str(created["job_id"])
    page = f"{site.origin}/games/{job}"
    if args.no_wait:
        out.line(f"Test run {job} was started: {page}")
        out.result({"job_id": job, "page": page})
        return 0
    try:
        status = _wait(site, job, args.timeout, out)
    except KeyboardInterrupt:
        raise Failure(f"stopped waiting; test run {job} goes on: {page}", EXIT_INTERRUPTED) from None
    sentence, fine = outcome(status, username)
    out.line(sentence, style="green" if fine else "red")
    out.line(f"{page}/bots/{username}")
    out.result(
        {
            "job_id": job,
            "page": page,
            "job_status": status["job_status"],
            "ok": fine,
            "outcome": sentence,
            "faults": faults_of(status, username),
            "delta": delta_of(status, username),
        }
    )
    return 0 if fine else EXIT_WRONG


def _wait(site: Site, job: str, seconds: float, out: Output) -> dict[str, Any]:
    """Polls a job until its end and shows its progress."""
    deadline = time.monotonic() + seconds
    pause = _MIN_POLL_SECONDS
    status: dict[str, Any] = site.get(f"/sim/status/{job}")
    with out.progress("Test run", int(status["num_rounds"])) as bar:
        while not has_ended(status):
            if time.monotonic() > deadline:
                raise Failure(f"test run {job} has not ended after {seconds:g} s; it goes on: {site.origin}/games/{job}", EXIT_SITE)
            time.sleep(pause)
            pause = min(_MAX_POLL_SECONDS, pause * 1.3)
            status = site.get(f"/sim/status/{job}")
            bar.update(int(status["hands_done"]))
    return status
