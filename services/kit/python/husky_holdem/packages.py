"""Installs the packages of a bot's requirements.txt into a cache, as the platform does: wheels only, for the seats' Python."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from husky_holdem.output import Failure
from husky_holdem.paths import cache_folder, seat_python
from husky_holdem.resolution import write_requirements
from husky_holdem.static_check import read_requirements


def install_packages(file: Path | None) -> Path | None:
    """Installs the packages of a requirements.txt, unless they are cached. Returns their folder, None without packages. Raises Failure."""
    lines = read_requirements(file)
    if not lines:
        return None
    key = "\n".join([sysconfig.get_config_var("SOABI") or sys.version, *lines])
    target = cache_folder() / "packages" / hashlib.sha256(key.encode()).hexdigest()[:32]
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix="part-", dir=target.parent))
    try:
        _install(lines, part, str(file))
        # Seats may run as other users.
        for path in (part, *part.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))
        try:
            part.rename(target)
        except OSError:
            if not target.is_dir():  # Otherwise another process has installed the same packages meanwhile.
                raise
        return target
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _install(lines: list[str], target: Path, file: str) -> None:
    options = ["--quiet", "--only-binary", ":all:", "--target", str(target)]
    uv = shutil.which("uv")
    if uv is not None:
        command = [uv, "pip", "install", "--python", seat_python(), "--no-config", *options]
    elif importlib.util.find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *options]
    else:
        raise Failure(f"{file} needs packages, and neither uv nor pip was found: install uv")
    with tempfile.TemporaryDirectory(prefix="husky-") as folder:
        command += ["-r", str(write_requirements(lines, Path(folder))), *(["--pre"] if "--pre" in lines else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=dict(os.environ))
    if done.returncode != 0:
        text = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        why = next((line for line in text if "error" in line.lower()), text[-1] if text else f"code {done.returncode}")
        raise Failure(f"the packages of {file} cannot be installed: {why}")
