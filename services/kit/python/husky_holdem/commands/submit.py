"""`husky submit`: uploads a bot to the site."""

from __future__ import annotations

import argparse
from typing import Any

from husky_holdem import nonces
from husky_holdem.botfolder import BotFiles, read_bot
from husky_holdem.chain import remember
from husky_holdem.output import Failure, Output
from husky_holdem.site import Site, connect

NAME = "submit"
HELP = "Uploads a bot as a submission, and with --final enters it in the tournament."
EXAMPLES = """husky submit mybot
husky submit mybot --final --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the bot and the option of the final mark."""
    parser.add_argument("bot", metavar="FOLDER", help="folder with player.py and requirements.txt")
    parser.add_argument("--final", action="store_true", help="mark the submission as final: it plays in the tournament")


def run(args: argparse.Namespace, out: Output) -> int:
    """Uploads the files, and with --final marks the submission as final."""
    files = read_bot(args.bot)
    site = connect(out.note)
    uploaded = upload(files, site, nonces.draw(), out)
    submission = uploaded["submission_id"]
    warning = None
    if args.final:
        try:
            warning = site.post("/submission/mark_final", {"submission_id": submission}).get("warning")
        except Failure as failure:
            raise Failure(f"submission {submission} was uploaded but is not final: {failure}", failure.code) from failure
    out.line(f"Submission {submission} was uploaded{' and is final' if args.final else ''}.")
    if uploaded.get("state") == "preparing":
        out.note("Its packages are still being prepared: the submissions page shows when they are ready.")
    if warning:
        out.note(f"Warning: {warning}")
    out.result({"submission_id": submission, "final": args.final, "warning": warning, "upload_warnings": uploaded.get("warnings", [])})
    return 0


def upload(files: BotFiles, site: Site, nonce: str, out: Output) -> dict[str, Any]:
    """Uploads a bot, keeps its nonce and the signed head, and returns the site's response. Raises Failure."""
    username = site.username()
    uploaded: dict[str, Any] = site.upload(f"/submission/upload?nonce={nonce}", files.form("playerFile", "requirementsFile"))
    remember(site, uploaded, out)
    head = (uploaded.get("signed_head") or "").split("\n")[1:2]
    known = {"site": site.origin, "username": username, "submission": uploaded["submission_id"], "bot_hash": files.hash, "nonce": nonce}
    nonces.keep({**known, "head": "".join(head)})
    for text in uploaded.get("warnings", []):
        out.note(f"Warning: {text}")
    return uploaded
