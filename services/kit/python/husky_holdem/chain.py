"""What the kit keeps of each site: its keys and the signed heads of its chain, in a file of the user's state folder."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from husky_holdem.credentials import Login, current_login
from husky_holdem.files import write_atomically
from husky_holdem.node import run_node
from husky_holdem.output import Failure, Output
from husky_holdem.site import Site


def _folder() -> Path:
    return user_state_path("husky-holdem", appauthor=False) / "chains"


def _file_name(origin: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", origin)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        memory = json.loads(path.read_text(encoding="utf-8"))
        if all(isinstance(memory[key], list) for key in ("keys", "heads")) and "position" in memory:
            return dict(memory)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise Failure(f"{path} is damaged: without it the kit trusts the site's key anew")


def known_keys() -> list[str]:
    """Returns the keys of all sites that the kit trusts."""
    memories = [_read(path) for path in sorted(_folder().glob("*.json"))]
    return [str(key) for memory in memories if memory for key in memory["keys"]]


def site_of(origin: str, out: Output) -> Site | None:
    """Returns the site with this origin if the kit is signed in there or keeps a head of it, otherwise None."""
    try:
        login = current_login()
        if login.site == origin:
            return Site(login, out.note)
    except Failure:
        pass
    return Site(Login(origin, ""), out.note) if (_folder() / f"{_file_name(origin)}.json").exists() else None


def _ask(site: Site, request: dict[str, Any]) -> dict[str, Any]:
    """Runs a comparison and stores what it leaves. An alarm's proof is written to a file, whose path is added to the alarm."""
    path = _folder() / f"{_file_name(site.origin)}.json"
    found = run_node("compare-chain", {**request, "memory": _read(path)}, lambda event: json.dumps(site.get(event["path"])) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    alarm = found["alarm"]
    if alarm is None:
        write_atomically(path, json.dumps(found["memory"], indent=1).encode())
    else:
        data = json.dumps({**alarm["proof"], "site": site.origin}, indent=1).encode()
        # Not below chains/, whose files are read.
        proof = _folder().parent / f"proof-{_file_name(site.origin)}-{hashlib.sha256(data).hexdigest()[:8]}.json"
        write_atomically(proof, data)
        alarm["file"] = str(proof)
    return found


def alarm_text(alarm: dict[str, Any]) -> str:
    """Returns an alarm as sentences."""
    return f"{alarm['sentence']} The signed statements of the site are in {alarm['file']}: keep that file, and show it to others (`husky verify` checks it)."


def remember(site: Site, response: dict[str, Any], out: Output) -> None:
    """Stores the signed head in the response to an upload. The upload has succeeded: a problem is only shown."""
    note = response.get("signed_head")
    if not isinstance(note, str):
        return
    try:
        alarm = _ask(site, {"note": note})["alarm"]
    except (Failure, OSError) as error:
        out.note(f"Warning: the signed head of the site's chain was not stored: {error}")
        return
    if alarm:
        out.note(f"Warning: {alarm_text(alarm)}")


def compare(site: Site, record: dict[str, Any] | None) -> dict[str, Any]:
    """Compares the chain of a site with what is kept of it, and with a record of a match file. Raises Failure if the site cannot be read."""
    head = record and {"number": record.get("number"), "hash": record.get("hash")}
    return _ask(site, {"record": head})
