"""`husky download`: downloads the file of a match."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from husky_holdem.files import atomic_file
from husky_holdem.jobs import job_id
from husky_holdem.output import EXIT_SITE, EXIT_USAGE, Failure, Output
from husky_holdem.site import Refusal, Site, connect

NAME = "download"
HELP = "Downloads a finished match of the site, for husky replay, verify, stats and debug."
EXAMPLES = """husky download 0c1c2c3c-0000-4000-8000-000000000000
husky download JOB --output match.jsonl
husky download JOB --format phh --output - | less"""

_ENDINGS = {"jsonl": "jsonl", "phh": "phhs", "csv": "csv"}
# The site's record of a match is complete a moment after the job has ended.
_SETTLE_SECONDS = 15


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the job and the file."""
    parser.add_argument("job", metavar="JOB", help="id or address of a match or test run")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: match-JOB.jsonl in this folder; -: standard output")
    parser.add_argument("--format", choices=sorted(_ENDINGS), default="jsonl", help="default: %(default)s, which the other commands read")
    parser.add_argument("--force", action="store_true", help="replace an existing file")


def run(args: argparse.Namespace, out: Output) -> int:
    """Downloads the file. Writes it completely or not at all."""
    job = job_id(args.job)
    if args.output == "-" and out.as_json:
        raise Failure("--json and --output - both write to standard output: choose one", EXIT_USAGE)
    path = Path(args.output or f"match-{job}.{_ENDINGS[args.format]}")
    if args.output != "-" and path.exists() and not args.force:
        raise Failure(f"{path} exists: --force replaces it, --output names another file", EXIT_USAGE)
    site = connect(out.note)
    chunks = _check_complete(_chunks(site, job, args.format), args.format)
    if args.output == "-":
        for data in chunks:
            sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    size = 0
    with atomic_file(path) as file:
        for data in chunks:
            size += file.write(data)
    out.line(f"{path} ({size:,} bytes)")
    out.result({"file": str(path), "bytes": size, "job_id": job, "format": args.format})
    return 0


def _chunks(site: Site, job: str, form: str) -> Iterator[bytes]:
    """Yields the bytes of the file. Waits for the file of a match that has just ended."""
    deadline = time.monotonic() + _SETTLE_SECONDS
    while True:
        try:
            yield from site.download(f"/live/job/{job}/download", {"format": form})
            return
        except Refusal as refusal:
            if refusal.reason != "match-not-finished" or time.monotonic() > deadline or not _finished(site, job):
                raise
        time.sleep(1)


def _finished(site: Site, job: str) -> bool:
    return bool(site.get(f"/sim/status/{job}")["job_status"] == "Finished")


def _check_complete(chunks: Iterator[bytes], form: str) -> Iterator[bytes]:
    """Yields the chunks; raises Failure after the last one if the file lacks its end line."""
    tail = b""
    for data in chunks:
        tail = (tail + data)[-1000:]
        yield data
    last = tail.rstrip().rsplit(b"\n", 1)[-1]
    text = last.removeprefix(b"# end ") if form != "jsonl" else last
    try:
        complete = json.loads(text).get("complete") is True
    except (ValueError, AttributeError):
        complete = False
    if not complete:
        raise Failure("the file is only a part of the match: try again", EXIT_SITE)
