"""Runs the checks of an upload (services/submission/checker) on the files of a bot."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from husky_holdem.bots import MAX_FILE_BYTES
from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.paths import data_folder

RUNNER_PYTHON = "3.11"
RUNNER_PLATFORM = "x86_64-manylinux_2_28"
_SECONDS = 10


def check_player(player: Path, requirements: list[str]) -> list[str]:
    """Parses and compiles a player.py without running it. Returns warnings; raises Failure with the sentence that an upload shows.

    `requirements`: the lines of `read_requirements`.
    """
    packages = [name[0] for line in requirements if (name := re.match(r"[a-z0-9][a-z0-9-]*", line))]
    warnings: list[str] = _check(player, "player", RUNNER_PYTHON, *packages)["warnings"]
    return warnings


def read_requirements(file: Path | None) -> list[str]:
    """Returns the lines of a requirements.txt as the site reads it: normalised, for the runners' Python and platform. Raises Failure."""
    if file is None or file.stat().st_size == 0:
        return []
    # In isolated mode: only these libraries.
    found = [find_spec(name) for name in ("packaging", "pip_requirements_parser")]
    folders = [str(Path(one.origin).parents[1 if one.submodule_search_locations else 0]) for one in found if one and one.origin]
    lines: list[str] = _check(file, "requirements", RUNNER_PYTHON, RUNNER_PLATFORM, os.pathsep.join(folders))["lines"]
    return lines


def bot_hash(player: Path, requirements: Path | None) -> str:
    """Returns the hash by which the site knows a bot: SHA-256 over the SHA-256 of both files."""
    contents = (player.read_bytes(), requirements.read_bytes() if requirements else b"")
    return hashlib.sha256(b"".join(hashlib.sha256(data).digest() for data in contents)).hexdigest()


def _check(file: Path, kind: str, *arguments: str) -> dict[str, Any]:
    name = "player.py" if kind == "player" else "requirements.txt"
    data = file.read_bytes()
    if len(data) > MAX_FILE_BYTES:
        raise Failure(f"{name} is larger than 1 MiB.", EXIT_WRONG)
    # A separate process with limited memory and time: a hostile file must not stop this one.
    command = [sys.executable, "-I", "-S", "-W", "ignore", str(data_folder() / "checker" / "check.py"), kind, *arguments]
    complex_file = Failure(f"{name} is nested too deeply or is too complex to be checked.", EXIT_WRONG)
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise complex_file from None
    if done.returncode != 0:
        raise complex_file
    result: dict[str, Any] = json.loads(done.stdout)
    if not result["ok"]:
        raise Failure(str(result["problem"]), EXIT_WRONG)
    return result
