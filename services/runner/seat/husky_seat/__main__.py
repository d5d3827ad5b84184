"""`python3 -m husky_seat --run-dir DIR`: starts the seat host."""

import argparse
import os
import signal
import sys

from husky_seat.execute import execute



def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="husky_seat", description="Runs poker bots in sandboxed processes (Linux only).")
    parser.add_argument("--run-dir", required=True, help="directory of host.sock, seat sockets and scratch")
    parser.add_argument("--allow-strangers-without-sandbox", action="store_true", help="accept bots even where the sandbox is incomplete")
    parser.add_argument("--cpu", type=int, help="pin the host and all seats to this core")
    parser.add_argument("--scratch-volumes", metavar="DIR", help="folder of small file systems, one for each seat's files where none can be mounted")
    # For tests: `--without` shows what each means stops.
    parser.add_argument("--without", action="append", default=[], help=argparse.SUPPRESS)
    parser.add_argument("--rest-s", type=float, default=60.0, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Parses the command line, executes itself again with an empty environment, and serves."""
    arguments = _arguments()
    if not sys.platform.startswith("linux") or sys.version_info < (3, 10):
        raise SystemExit("husky_seat: runs on Linux with Python 3.10 or newer only: its sandbox is made of Linux system calls")
    if not (sys.flags.isolated and sys.flags.no_site):
        # Seats inherit this process's memory, so it must not contain the environment or third-party packages.
        execute("__main__", sys.argv[1:])
    if arguments.cpu is not None:
        os.sched_setaffinity(0, {arguments.cpu})
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, _leave)
    os.makedirs(arguments.run_dir, exist_ok=True)

    from husky_seat.forker import Forker
    from husky_seat.host import Host, Options
    from husky_seat.survey import REMOVABLE

    unknown = sorted(set(arguments.without) - set(REMOVABLE))
    if unknown:
        raise SystemExit(f"husky_seat: --without takes {', '.join(REMOVABLE)}, not {', '.join(unknown)}")
    options = Options(arguments.allow_strangers_without_sandbox, arguments.scratch_volumes, arguments.without, arguments.rest_s)
    Host(os.path.realpath(arguments.run_dir), Forker("pid_namespace" not in arguments.without), options).run()


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    main()
