"""Runs a program in a pseudo-terminal and prints {"code", "output"} as JSON.

in_terminal.py COLUMNS SECONDS [TEXT KEYS ...] -- PROGRAM [ARGUMENT ...]: waits for each TEXT, then types its KEYS (a Python string with escapes).
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time


def main() -> None:
    separator = sys.argv.index("--")
    columns, seconds, *script = sys.argv[1:separator]
    program = sys.argv[separator + 1 :]
    steps = [(script[at], script[at + 1].encode().decode("unicode_escape")) for at in range(0, len(script), 2)]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(program[0], program)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(columns), 0, 0))
    output, seen = b"", 0
    deadline = time.monotonic() + float(seconds)
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if not ready:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:  # The program has closed the terminal.
            break
        if not part:
            break
        output += part
        if steps and (found := output.find(steps[0][0].encode(), seen)) >= 0:
            seen = found + len(steps[0][0])
            os.write(terminal, steps.pop(0)[1].encode())
    else:
        os.kill(pid, 9)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(json.dumps({"code": code, "output": output.decode(errors="replace")}))


if __name__ == "__main__":
    main()
