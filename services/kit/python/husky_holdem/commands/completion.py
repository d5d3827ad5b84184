"""`husky completion`: prints the completion script of a shell."""

from __future__ import annotations

import argparse

import shtab

from husky_holdem.output import Output

NAME = "completion"
HELP = "Prints the script with which a shell completes commands, options and files."
EXAMPLES = """
husky completion bash > ~/.local/share/bash-completion/completions/husky
husky completion zsh > ~/.zfunc/_husky        # a folder of fpath
eval "$(husky completion bash)"               # this shell only
"""
SHELLS = ("bash", "zsh", "tcsh")
FILES = {"FILE", "BOT", "PLAYER", "OTHER", "FOLDER", "DIR"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the script."""
    from husky_holdem.cli import load_commands, make_parser

    parser = make_parser(load_commands())
    _complete_files(parser)
    script = shtab.complete(parser, args.shell)
    if not out.as_json:
        print(script)
    out.result({"shell": args.shell, "script": script})
    return 0


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Makes shells complete file names for all arguments that are paths."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                _complete_files(subparser)
        elif action.metavar in FILES or action.dest in ("out", "match"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
