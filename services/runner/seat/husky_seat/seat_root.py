"""The root file system of the seats: copies, in memory, of Python, its libraries, the bot and its packages; /dev/null and a folder for scratch.

Nothing that a seat can look up lies on a file system of the machine: the kernel remembers there which names were looked up and which pages were
read, and answers the next process faster. A tmpfs remembers no failed lookup, and all its names and pages are always in memory.
"""

import os
import sys
from typing import Any, Dict, List

from husky_seat import library, mounts

API_DIR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "api")
BOT, PACKAGES, SCRATCH = "/bot", "/packages", "/scratch"
RANDOM = ("/dev/random", "/dev/urandom")


def root_in(folder: str) -> str:
    """Returns the path of the root that `build` makes in a folder."""
    return f"{folder}/seat"


def build(folder: str) -> List[str]:
    """Builds the seats' root in the mount table of the calling process, and mounts copies of the library and the interpreter over the originals there.

    `folder` becomes a file system in memory; the root is `root_in(folder)`. Returns the paths that seats may read; raises OSError.
    """
    outer = mounts.create_tmpfs({"mode": "0755"}, executable=True)
    mounts.attach(outer, folder)
    os.close(outer)
    library.copy_file(sys.executable, f"{folder}/python")
    mounts.bind_mount(f"{folder}/python", os.path.realpath(sys.executable), read_only=True)
    folder = root_in(folder)
    os.mkdir(folder)
    root = mounts.create_tmpfs({"mode": "0755"}, executable=True)
    mounts.attach(root, folder)
    copied = library.copy(folder)
    library.copy_folder(API_DIR, folder + API_DIR)
    os.makedirs(f"{folder}/dev", exist_ok=True)
    for path in ("/dev/null", *RANDOM):
        os.close(os.open(folder + path, os.O_CREAT, 0o644))
        mounts.bind_mount(path, folder + path, read_only=True)
    library.settle(folder)
    # /tmp exists so that writing fails with "read-only file system". It exists already if this code is below it.
    for path in (BOT, PACKAGES, SCRATCH, "/tmp"):
        os.makedirs(folder + path, exist_ok=True)
    mounts.make_read_only(root)
    os.close(root)
    for path in copied:
        mounts.bind_mount(folder + path, path, read_only=True)
    return library.readable(copied, folder)


def enter(folder: str, spec: Dict[str, Any]) -> Dict[str, Any]:
    """Moves the calling process, which has its own mount table, into the root; returns `spec` with the paths there."""
    hold(spec["bot_dir"], folder + BOT)
    if spec["packages_dir"]:
        mounts.bind_mount(spec["packages_dir"], folder + PACKAGES, read_only=True)
    if spec["scratch"]:
        mounts.bind_mount(spec["scratch"], folder + SCRATCH, read_only=False)
    # A process without capabilities and without a descriptor of a folder outside cannot leave.
    os.chroot(folder)
    os.chdir("/")
    packages = PACKAGES if spec["packages_dir"] else None
    return {**spec, "bot_dir": BOT, "packages_dir": packages, "scratch": SCRATCH if spec["scratch"] or spec["in_memory"] else None}


def hold(source: str, target: str) -> None:
    """Mounts a read-only copy of a folder, in memory, at `target`; raises OSError."""
    held = mounts.create_tmpfs({"mode": "0755"}, executable=True)
    try:
        mounts.attach(held, target)
        library.copy_folder(source, target)
        mounts.make_read_only(held)
    finally:
        os.close(held)
