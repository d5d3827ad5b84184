"""Uploads the best bot of an author once, also when the command is killed between the upload and the note of it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from husky_holdem import nonces
from husky_holdem.botfolder import read_bot
from husky_holdem.commands.submit import upload
from husky_holdem.files import write_json
from husky_holdem.output import EXIT_SITE, Failure, Output
from husky_holdem.site import Site

_POLL_SECONDS = 1.0
_MAX_WAIT_SECONDS = 300


def upload_once(folder: Path, site: Site, out: Output, final: bool = False) -> str:
    """Uploads best/ of an author's folder unless upload.json says that it was, and returns the submission's id. Raises Failure."""
    file, files = folder / "upload.json", read_bot(str(folder / "best"))
    wanted = {"site": site.origin, "username": site.username(), "bot_hash": files.hash}
    try:
        noted: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        noted = {}
    if any(noted.get(key) != value for key, value in wanted.items()):
        # The nonce is noted before the upload, so that the site's list shows whether an upload without an id has arrived.
        noted = {**wanted, "nonce": nonces.draw(), "submission_id": None, "final": False}
        write_json(file, noted)
    elif noted["submission_id"] is None:
        noted["submission_id"] = next((one["id"] for one in site.get("/submission/list")["files"] if one["nonce"] == noted["nonce"]), None)
    if noted["submission_id"] is None:
        noted["submission_id"] = upload(files, site, noted["nonce"], out)["submission_id"]
    write_json(file, noted)
    if final and not noted["final"]:
        _wait_ready(site, noted["submission_id"])
        site.post("/submission/mark_final", {"submission_id": noted["submission_id"]})
        write_json(file, {**noted, "final": True})
    return str(noted["submission_id"])


def _wait_ready(site: Site, submission: str) -> None:
    deadline = time.monotonic() + _MAX_WAIT_SECONDS
    while True:
        found = next((one for one in site.get("/submission/list")["files"] if one["id"] == submission), None)
        if found is None or found["state"] == "refused":
            raise Failure(f"submission {submission} cannot be final: {found['reason'] if found else 'it was deleted'}", EXIT_SITE)
        if found["state"] == "ready":
            return
        if time.monotonic() > deadline:
            raise Failure(f"the packages of submission {submission} are still being prepared: run the command again later", EXIT_SITE)
        time.sleep(_POLL_SECONDS)
