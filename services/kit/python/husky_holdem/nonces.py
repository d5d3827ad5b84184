"""Nonces of this user's uploads, on which the cards of their matches must depend (docs/fairness.md)."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from husky_holdem.files import write_atomically
from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.paths import config_folder

_MOST = 1000
_KEYS = ("site", "username", "submission", "bot_hash", "nonce", "head")


def draw() -> str:
    """Returns a new nonce: 32 random bytes in hex."""
    return secrets.token_hex(32)


def keep(upload: dict[str, str]) -> None:
    """Stores the nonce of an upload, for `check`, with the keys of _KEYS; `head`: number of the chain's head then. The oldest of more than 1,000 is dropped."""
    kept = [*_read(), upload]
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomically(path, (json.dumps(kept[-_MOST:], indent=1) + "\n").encode(), private=True)


def check(site: str, manifest: dict[str, Any]) -> str:
    """Returns a sentence about the nonces of own uploads in a match; empty if no bot of it was uploaded from here.

    Raises Failure if the cards of a match do not depend on the nonce of any upload of a bot from here.
    """
    try:
        facts = json.loads(manifest["commitment_input"])
        names = [player["username"] for player in manifest["players"]]
        seats = {(name, seat["botHash"]): seat.get("nonce") for name, seat in zip(names, facts["roster"])}
    except (KeyError, TypeError, ValueError):
        return ""
    own = [one for one in _read() if one["site"] == site and (one["username"], one["bot_hash"]) in seats]
    if not own or "seeds" not in facts:
        return ""
    found = [one for one in own if seats[one["username"], one["bot_hash"]] == one["nonce"]]
    if not found:
        raise Failure(
            f"the cards do not depend on the nonce of your upload {own[-1]['submission']}, although its bot played: {own[-1]['nonce']} is not in the commitment",
            EXIT_WRONG,
        )
    listed = manifest.get("seed_proof", {}).get("record", {}).get("number", 0)
    if found[-1]["head"].isdigit() and listed > int(found[-1]["head"]):
        return f"The cards depend on the nonce of your upload {found[-1]['submission']}, but the list of the seed was made after it: upload again before the next match."
    return f"The cards depend on the nonce of your upload {found[-1]['submission']}."


def _path() -> Path:
    return config_folder() / "nonces.json"


def _read() -> list[dict[str, str]]:
    path = _path()
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return [{key: str(one[key]) for key in _KEYS} for one in kept]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path} is damaged: it holds the nonces of your uploads; delete it to go on without them", EXIT_WRONG) from error
