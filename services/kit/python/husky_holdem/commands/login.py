"""`husky login`: stores an access token of a site."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from urllib.parse import urlsplit

from husky_holdem.credentials import Login, parse_token, origin_of, store_login, stored_login
from husky_holdem.output import EXIT_SIGNED_OUT, EXIT_USAGE, Failure, Output
from husky_holdem.site import Site

NAME = "login"
HELP = "Signs in at a site with an access token, which is made on the site's account page."
EXAMPLES = """husky login --site http://localhost:8080
husky login < token.txt
HUSKY_TOKEN=husky_… husky login --site https://poker.example.org"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option of the site."""
    parser.add_argument("--site", metavar="URL", help="address of the site (default: HUSKY_SITE, or that of the last sign-in)")


def run(args: argparse.Namespace, out: Output) -> int:
    """Reads the token from HUSKY_TOKEN, from standard input, or from the terminal without echo; checks it at the site and stores it."""
    origin = _origin(args.site)
    site = Site(Login(origin, _read_token(origin, out)), out.note)
    site.check_protocol()
    user = site.get("/auth/whoami")
    token = user.get("access_token")
    if not isinstance(token, dict):
        raise Failure(f"{origin} does not know access tokens: it is of an earlier version", EXIT_SIGNED_OUT)
    path = store_login(Login(origin, site.token, user["username"]))
    if origin.startswith("http://") and urlsplit(origin).hostname not in ("localhost", "127.0.0.1", "::1"):
        out.note("The connection is not encrypted: others in the network can read the token.")
    scopes = ", ".join(token["scopes"])
    out.line(f"Signed in at {origin} as {user['username']} (scopes: {scopes}; until {token['expires_at'][:10]}).")
    out.note(f"The token is stored in {path}.")
    out.result(
        {"site": origin, "username": user["username"], "scopes": token["scopes"], "expires_at": token["expires_at"], "file": str(path)}
    )
    return 0


def _origin(given: str | None) -> str:
    if given or os.environ.get("HUSKY_SITE"):
        return origin_of(given or os.environ["HUSKY_SITE"])
    stored = stored_login()
    if stored is None:
        raise Failure("which site? Run `husky login --site URL`", EXIT_USAGE)
    return stored.site


def _read_token(origin: str, out: Output) -> str:
    given = os.environ.get("HUSKY_TOKEN")
    if given:
        return parse_token(given)
    if not sys.stdin.isatty():
        return parse_token(sys.stdin.readline(1000))
    out.note(f"Make an access token at {origin}/account and paste it here. It is not shown.")
    try:
        return parse_token(getpass.getpass("Access token: "))
    except EOFError as error:
        raise Failure("no token was given", EXIT_SIGNED_OUT) from error
