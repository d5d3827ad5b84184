"""`husky new`: makes a folder with a bot, its test and a README."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from importlib import resources
from pathlib import Path

from husky_holdem.output import Failure, Output

NAME = "new"
HELP = "Makes a folder with a starting bot, its test and a README."
EXAMPLES = """
husky new my-bot
husky new bots/bluffer && cd bots/bluffer && python -m unittest
"""
FILES = ("player.py", "requirements.txt", "test_player.py", "README.md")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("folder", metavar="NAME", help="the folder to make; it must not exist")


def run(args: argparse.Namespace, out: Output) -> int:
    """Makes the folder atomically: writes the files to a temporary folder beside it, and renames that one."""
    folder = Path(args.folder)
    if folder.exists() or folder.is_symlink():
        raise Failure(f"{args.folder} exists already. Choose another name.")
    parent = folder.absolute().parent
    if not parent.is_dir():
        raise Failure(f"There is no folder {parent}.")
    temporary = None
    try:
        temporary = Path(tempfile.mkdtemp(prefix=".husky-new-", dir=parent))
        temporary.chmod(0o755)
        for name in FILES:
            text = resources.files("husky_holdem").joinpath("data", "new", name).read_text(encoding="utf-8")
            (temporary / name).write_text(text.replace("{name}", folder.name), encoding="utf-8")
        temporary.rename(folder)
        temporary = None
    except OSError as error:
        raise Failure(f"{args.folder} cannot be made: {error.strerror}.") from None
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    out.line(f"Made {args.folder}: {', '.join(FILES)}.")
    out.line(f"Next: cd {args.folder}; husky check .")
    out.result({"folder": str(folder.absolute()), "files": list(FILES)})
    return 0
