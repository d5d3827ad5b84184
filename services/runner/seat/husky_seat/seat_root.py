"""The root file system of the seats. It has only Python, its libraries, /dev/null and folders for the bot, its packages and its scratch."""

import os
from typing import Any, Dict, List

from husky_seat import landlock, mounts

API_DIR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "api")
BOT, PACKAGES, SCRATCH = "/bot", "/packages", "/scratch"


def build(folder: str) -> None:
    """Builds the root at `folder` in the mount table of the calling process; raises OSError."""
    root = mounts.create_tmpfs({"size": "1m", "mode": "0755"})
    mounts.attach(root, folder)
    mounted: List[str] = []
    for path in [*landlock.system_paths(), API_DIR, "/dev/null"]:
        _add(folder, path, mounted)
    # /tmp exists so that writing fails with "read-only file system". It exists already if this code is below it.
    for path in (BOT, PACKAGES, SCRATCH, "/tmp"):
        os.makedirs(folder + path, exist_ok=True)
    mounts.make_read_only(root)
    os.close(root)


def _add(folder: str, path: str, mounted: List[str]) -> None:
    """Mounts `path` read-only below `folder`; copies symbolic links on the way and mounts what they lead to."""
    part = ""
    for name in path.strip("/").split("/"):
        part = f"{part}/{name}"
        if os.path.islink(part):
            if not os.path.lexists(folder + part):
                os.makedirs(os.path.dirname(folder + part), exist_ok=True)
                os.symlink(os.readlink(part), folder + part)
            target = os.path.join(os.path.dirname(part), os.readlink(part))
            _add(folder, os.path.normpath(target + path[len(part) :]), mounted)
            return
    if any(path == one or path.startswith(f"{one}/") for one in mounted):
        return
    if os.path.isdir(path):
        os.makedirs(folder + path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(folder + path), exist_ok=True)
        os.close(os.open(folder + path, os.O_CREAT, 0o644))
    mounts.bind_mount(path, folder + path, read_only=True)
    mounted.append(path)


def enter(folder: str, spec: Dict[str, Any]) -> Dict[str, Any]:
    """Moves the calling process, which has its own mount table, into the root; returns `spec` with the paths there."""
    mounts.bind_mount(spec["bot_dir"], folder + BOT, read_only=True)
    if spec["packages_dir"]:
        mounts.bind_mount(spec["packages_dir"], folder + PACKAGES, read_only=True)
    if spec["scratch"]:
        mounts.bind_mount(spec["scratch"], folder + SCRATCH, read_only=False)
    # A process without capabilities and without a descriptor of a folder outside cannot leave.
    os.chroot(folder)
    os.chdir("/")
    packages = PACKAGES if spec["packages_dir"] else None
    return {**spec, "bot_dir": BOT, "packages_dir": packages, "scratch": SCRATCH if spec["scratch"] or spec["in_memory"] else None}
