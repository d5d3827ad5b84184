"""The root file system of the seats. It has only Python, its libraries, /dev/null and folders for the bot, its packages and its scratch."""

import os
from typing import Any, Dict, List

from husky_seat import landlock, mounts

API_DIR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "api")
BOT, PACKAGES, SCRATCH = "/bot", "/packages", "/scratch"


def build(folder: str) -> None:
    """Builds the root at `folder` in the mount table of the calling process; raises OSError."""
    root = mounts.memory_fs({"size": "1m", "mode": "0755"})
    mounts.attach(root, folder)
    shown: List[str] = []
    for path in [*landlock.system_paths(), API_DIR, "/dev/null"]:
        _show(folder, path, shown)
    # /tmp exists so that writing fails with "read-only file system". It exists already if this code is below it.
    for path in (BOT, PACKAGES, SCRATCH, "/tmp"):
        os.makedirs(folder + path, exist_ok=True)
    mounts.make_read_only(root)
    os.close(root)


def _show(folder: str, path: str, shown: List[str]) -> None:
    part = ""
    for name in path.strip("/").split("/"):
        part = f"{part}/{name}"
        if os.path.islink(part):
            if not os.path.lexists(folder + part):
                os.makedirs(os.path.dirname(folder + part), exist_ok=True)
                os.symlink(os.readlink(part), folder + part)
            target = os.path.join(os.path.dirname(part), os.readlink(part))
            _show(folder, os.path.normpath(target + path[len(part) :]), shown)
            return
    if any(path == one or path.startswith(f"{one}/") for one in shown):
        return
    if os.path.isdir(path):
        os.makedirs(folder + path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(folder + path), exist_ok=True)
        os.close(os.open(folder + path, os.O_CREAT, 0o644))
    mounts.show(path, folder + path, read_only=True)
    shown.append(path)


def enter(folder: str, spec: Dict[str, Any]) -> Dict[str, Any]:
    """Moves the calling process, which has its own mount table, into the root; returns `spec` with the paths there."""
    mounts.show(spec["bot_dir"], folder + BOT, read_only=True)
    if spec["packages_dir"]:
        mounts.show(spec["packages_dir"], folder + PACKAGES, read_only=True)
    if spec["scratch"]:
        mounts.show(spec["scratch"], folder + SCRATCH, read_only=False)
    # A process without capabilities and without a descriptor of a folder outside cannot leave.
    os.chroot(folder)
    os.chdir("/")
    packages = PACKAGES if spec["packages_dir"] else None
    return {**spec, "bot_dir": BOT, "packages_dir": packages, "scratch": SCRATCH if spec["scratch"] or spec["in_memory"] else None}
