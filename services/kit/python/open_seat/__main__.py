"""`python3 -m open_seat --run-dir DIR`: starts the seat host without a sandbox, which ends with its standard input."""

import argparse
import os
import signal
import sys
import threading

from open_seat.host import OpenHost


def main() -> None:
    """Serves `<run dir>/host.sock` until standard input closes, or until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="open_seat")
    parser.add_argument("--run-dir", required=True)
    # The same option as that of husky_seat: here it only sets `strangers` in the reply to `hello`.
    parser.add_argument("--allow-strangers-without-sandbox", action="store_true")
    arguments = parser.parse_args()
    host = OpenHost(os.path.realpath(arguments.run_dir), arguments.allow_strangers_without_sandbox)

    def leave(*_: object) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, leave)

    def watch_stdin() -> None:
        while os.read(0, 4096):
            pass
        host.end_seats()
        os._exit(0)

    threading.Thread(target=watch_stdin, daemon=True).start()
    try:
        host.serve()
    finally:
        host.end_seats()


if __name__ == "__main__":
    sys.exit(main())
