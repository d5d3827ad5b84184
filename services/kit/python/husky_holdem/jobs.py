"""Jobs of a site: their ids, their states, and sentences about their outcomes."""

from __future__ import annotations

import re
from typing import Any

from husky_holdem.output import EXIT_USAGE, Failure

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def job_id(text: str) -> str:
    """Returns the id in a text, such as the address of a job's page; raises Failure without one."""
    found = _ID.search(text)
    if found is None:
        raise Failure(f"'{text}' is no job: give an id that `husky jobs` prints, or the address of the match", EXIT_USAGE)
    return found.group().lower()


def has_ended(job: dict[str, Any]) -> bool:
    """Returns whether a job is finished or failed."""
    return job["job_status"] in ("Finished", "Failed")


def faults_of(job: dict[str, Any], username: str) -> str:
    """Returns a summary of the faults of a user's bot that continues a sentence after the bot's name; empty without faults."""
    by_name = {name.lower(): faults for name, faults in (job.get("faults") or {}).items()}
    return str((by_name.get(username.lower()) or {}).get("summary", ""))


def delta_of(job: dict[str, Any], username: str) -> int | None:
    """Returns a user's result in chips, or None while there is none."""
    if job.get("no_contest"):
        return None
    by_name = {name.lower(): delta for name, delta in (job.get("result_data") or {}).items()}
    return by_name.get(username.lower())


def chips(delta: int | None) -> str:
    """Returns a result as text: '+1,200'."""
    return "" if delta is None else f"{delta:+,}"


def outcome(job: dict[str, Any], username: str) -> tuple[str, bool]:
    """Returns an ended job's outcome as a sentence, and whether the bot played without a fault."""
    if job["job_status"] == "Failed":
        return f"The run failed: {job.get('error') or 'the site gives no reason'}", False
    summary = faults_of(job, username)
    if summary:
        return f"Your bot {summary}", False
    hands = job.get("hands_played") or job.get("hands_done") or 0
    if job.get("no_contest"):
        return "No contest: fewer than two bots started.", False
    return f"Your bot played {hands:,} hands without a fault: {chips(delta_of(job, username))} chips.", True
