"""Resolves the packages of a bot as the platform does: wheels only, for the platform's Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from husky_holdem.node import run_node
from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.static_check import RUNNER_PLATFORM, RUNNER_PYTHON

_TARGET = f"Python {RUNNER_PYTHON} on {RUNNER_PLATFORM.split('-')[0]}"
_SECONDS = 90


@dataclass(frozen=True)
class Resolution:
    """The packages of a bot as name==version, or why they could not be checked."""

    packages: tuple[str, ...] = ()
    unchecked: str | None = None


def resolve(requirements: list[str]) -> Resolution:
    """Resolves requirements without installing anything.

    Raises Failure for packages that cannot be used, with the sentence that an upload shows.
    """
    tool = _tool()
    if tool is None:
        return Resolution(unchecked="neither uv nor pip was found")
    unreachable = Resolution(unchecked="the package index cannot be reached")
    with tempfile.TemporaryDirectory(prefix="husky-") as folder:
        file = write_requirements(requirements, Path(folder))
        lock = file.with_name("pylock.toml")
        # uv locks without a look at hashes; the lock names those of the wheels.
        checks_hashes = tool[-2:] != ["-m", "pip"] and any(" --hash=" in line for line in requirements)
        options = [*(["--pre"] if "--pre" in requirements else []), *(["--format", "pylock.toml", "-o", str(lock)] if checks_hashes else [])]
        try:
            done = subprocess.run([*_command(tool, file), *options], capture_output=True, text=True, timeout=_SECONDS, check=False, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return unreachable
        if done.returncode == 0 and checks_hashes:
            return Resolution(tuple(run_node("read-lock", {"requirements": requirements, "lock": lock.read_text(encoding="utf-8")})["packages"]))
    if done.returncode == 0:
        return Resolution(_resolved(done.stdout))
    found = run_node("explain-resolver", {"output": _reasons(done.stderr or done.stdout), "target": _TARGET})
    if found["unreachable"]:
        return unreachable
    raise Failure(str(found["message"]), EXIT_WRONG)


def write_requirements(lines: list[str], folder: Path) -> Path:
    """Writes the packages among the lines of `read_requirements` to a file. The options among them are for the command line."""
    file = folder / "requirements.txt"
    file.write_text("".join(f"{line}\n" for line in lines if not line.startswith("--")), encoding="utf-8")
    return file


def _tool() -> list[str] | None:
    """Returns the command of uv, beside this Python or in PATH, otherwise that of this Python's pip; None without both."""
    beside = Path(sys.executable).parent / "uv"
    uv = str(beside) if beside.is_file() else shutil.which("uv")
    if uv is not None:
        return [uv, "pip"]
    return [sys.executable, "-m", "pip"] if find_spec("pip") is not None else None


def _command(tool: list[str], file: Path) -> list[str]:
    options = ["--only-binary", ":all:", "--python-version", RUNNER_PYTHON]
    if tool[-2:] != ["-m", "pip"]:
        quiet = ["--no-header", "--no-annotate", "--no-progress", "--color", "never", "--no-config"]
        return [*tool, "compile", str(file), *options, "--python-platform", RUNNER_PLATFORM, *quiet]
    # pip's dry run requires a target, to which it writes nothing.
    architecture, system = RUNNER_PLATFORM.split("-")
    quiet = ["--dry-run", "--disable-pip-version-check", "--no-input", "--retries", "1", "--report", "-", "--quiet"]
    return [*tool, "install", *quiet, *options, "--platform", f"{system}_{architecture}", "--target", str(file.parent / "target"), "-r", str(file)]


def _resolved(output: str) -> tuple[str, ...]:
    """Returns the packages in uv's lines name==version, or in pip's report."""
    if not output.lstrip().startswith("{"):
        return tuple(line.strip() for line in output.splitlines() if "==" in line and not line.startswith(("#", " ")))
    found = [entry["metadata"] for entry in json.loads(output)["install"]]
    return tuple(sorted(f"{one['name']}=={one['version']}" for one in found))


def _reasons(output: str) -> str:
    """Returns a resolver's output. Translates pip's errors to those of uv, because the platform's texts are made for uv."""
    if "NewConnectionError" in output or "ConnectTimeout" in output or "ProxyError" in output:
        return "failed to fetch"
    for line in output.splitlines():
        if "No matching distribution found for " in line:
            name = line.rsplit("No matching distribution found for ", 1)[1].split()[0]
            return f"there are no versions of {name} and you require {name}"
    return output
