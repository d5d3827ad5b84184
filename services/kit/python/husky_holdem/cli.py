"""The command line: parses arguments, runs one command, and turns failures into one sentence and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

from husky_holdem import RULES_VERSION, __version__, commands
from husky_holdem.command import Command
from husky_holdem.output import EXIT_INTERRUPTED, EXIT_USAGE, Failure, Output

_DESCRIPTION = "Plays, checks and debugs poker bots on this machine as Husky Hold'em plays them."


def load_commands() -> dict[str, Command]:
    """Returns the modules of husky_holdem.commands by the names of their commands, in alphabetical order."""
    names = sorted(module.name for module in iter_modules(commands.__path__))
    modules: list[Command] = [import_module(f"husky_holdem.commands.{name}") for name in names]
    return {module.NAME: module for module in modules}


def make_parser(known: dict[str, Command]) -> argparse.ArgumentParser:
    """Returns the parser of the whole command line."""
    common = _common_options()
    parser = argparse.ArgumentParser(prog="husky", description=_DESCRIPTION, parents=[common])
    version = f"husky-holdem {__version__} (rules version {RULES_VERSION})"
    parser.add_argument("--version", action="version", version=version)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, command in known.items():
        subparser = subparsers.add_parser(
            name,
            help=command.HELP,
            description=command.HELP,
            epilog=f"examples:\n{_indented(command.EXAMPLES)}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            parents=[common],
        )
        command.add_arguments(subparser)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    known = load_commands()
    parser = make_parser(known)
    try:
        args = parser.parse_args(argv)
    except SystemExit as end:  # --help and --version end with 0, wrong usage with 2.
        return end.code if isinstance(end.code, int) else EXIT_USAGE
    if args.command is None:
        parser.print_help()
        return EXIT_USAGE
    out = Output(as_json=getattr(args, "json", False), color=not getattr(args, "no_color", False))
    try:
        return known[args.command].run(args, out)
    except Failure as failure:
        out.fail(failure)
        return failure.code
    except KeyboardInterrupt:
        out.fail(Failure("stopped by Ctrl-C", EXIT_INTERRUPTED))
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if os.environ.get("HUSKY_DEBUG"):
            raise
        file = f" ({error.filename})" if error.filename else ""
        out.fail(Failure(f"{error.strerror or error}{file}", EXIT_USAGE))
        return EXIT_USAGE
    except Exception as error:
        if os.environ.get("HUSKY_DEBUG"):
            raise
        out.fail(Failure(f"an error of the kit itself: {type(error).__name__}: {error} (HUSKY_DEBUG=1 shows where)", 1))
        return 1


def entry() -> None:
    """Runs the installed program `husky`."""
    code = main()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if code == 0:  # Otherwise the command has printed its own failure.
            print(f"husky: standard output: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or EXIT_USAGE
    sys.exit(code)


def _common_options() -> argparse.ArgumentParser:
    # Defaults are suppressed, so that the command's parser does not overwrite an option that is given before the command.
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--json", action="store_true", help="print one JSON document instead of text")
    common.add_argument("--no-color", action="store_true", help="print without colours (also: NO_COLOR=1)")
    return common


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.strip().splitlines())
