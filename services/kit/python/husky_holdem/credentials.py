"""The sign-in at a site: its address and an access token, in the user's configuration folder or in HUSKY_SITE and HUSKY_TOKEN."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from husky_holdem.files import write_json
from husky_holdem.output import EXIT_SIGNED_OUT, EXIT_USAGE, Failure
from husky_holdem.paths import config_folder

_FILE = "login.json"
_OWNER_ONLY = 0o600


@dataclass(frozen=True)
class Login:
    """A site's origin, an access token for it, and the user's name; the name is empty for a token from HUSKY_TOKEN."""

    site: str
    token: str
    username: str = ""


def login_path() -> Path:
    """Returns the path of the file that holds the token."""
    return config_folder() / _FILE


def origin_of(text: str) -> str:
    """Returns the origin of a site's address, without path and trailing slash; raises Failure for anything else."""
    parts = urlsplit(text if "://" in text else f"http://{text}")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1 or parts.username is not None:
        raise Failure(f"'{text}' is no address of a site: give one such as http://localhost:8080", EXIT_USAGE)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")


def stored_login() -> Login | None:
    """Returns the stored sign-in, or None; raises Failure for a damaged file."""
    path = login_path()
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(_OWNER_ONLY)
        value = json.loads(path.read_text(encoding="utf-8"))
        return Login(origin_of(str(value["site"])), str(value["token"]), str(value["username"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise Failure(f"{path} is damaged: run `husky login` again", EXIT_SIGNED_OUT) from error


def current_login() -> Login:
    """Returns the sign-in that commands use. Raises Failure if there is none, or if the stored one is for another site."""
    site, token = os.environ.get("HUSKY_SITE", "").strip(), os.environ.get("HUSKY_TOKEN", "").strip()
    stored = stored_login() if not (site and token) else None
    origin = origin_of(site) if site else stored.site if stored else ""
    if not origin:
        raise Failure("not signed in: run `husky login --site URL`, or set HUSKY_SITE and HUSKY_TOKEN", EXIT_SIGNED_OUT)
    if token:
        return Login(origin, parse_token(token))
    if stored is None or stored.site != origin:
        raise Failure(f"not signed in at {origin}: run `husky login --site {origin}`, or set HUSKY_TOKEN", EXIT_SIGNED_OUT)
    return stored


def parse_token(text: str) -> str:
    """Returns an access token without surrounding space; raises Failure for text that is none."""
    token = text.strip()
    if not token.startswith("husky_") or not token.isascii() or not token.isprintable() or " " in token:
        raise Failure("this is no access token: tokens begin with husky_ and are made on the account page of the site", EXIT_SIGNED_OUT)
    return token


def store_login(login: Login) -> Path:
    """Stores a sign-in in a file that only its owner can read, and returns its path."""
    path = login_path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_json(path, asdict(login), private=True)
    return path


def delete_login() -> bool:
    """Deletes the stored sign-in. Returns whether there was one."""
    try:
        login_path().unlink()
    except FileNotFoundError:
        return False
    return True
