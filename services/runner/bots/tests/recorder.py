"""A bot that records its calls, and the seat's dialogue with it.

`python3 recorder.py` reads a JSON array of seats `{"playerId", "lines", "replies"}` from standard input and writes the calls of their
bots: the generator of the conformance suite runs it.
"""

import contextlib
import io
import json
import socket
import sys
import threading

from table import RUNNER

sys.path.insert(0, str(RUNNER / "seat"))

from husky_seat.dialogue import Skipped, converse  # noqa: E402


class Recorder:
    """Records its calls with their arguments and returns the given replies, pairs of a number and an amount; None: no reply."""

    def __init__(self, replies):
        self.replies = list(replies)
        self.calls = []

    def __getattr__(self, method):
        def call(*arguments):
            self.calls.append([method, *(vars(value) if hasattr(value, "__dict__") else value for value in arguments)])
            return self.returns(method)

        return call

    def returns(self, method):
        """Returns the next reply of a decision; None for callbacks."""
        if method != "get_action":
            return None
        reply = self.replies.pop(0)
        return None if reply is None else (type("Kind", (), {"value": reply[0]})(), reply[1])


def converse_with(bot, player_id, lines):
    """Returns the lines that a seat sends when the dealer sends these."""
    dealer, seat = socket.socketpair()
    with dealer, seat, contextlib.redirect_stderr(io.StringIO()):
        sender = threading.Thread(target=send, args=(dealer, lines))
        sender.start()
        converse(bot, player_id, seat.fileno(), Skipped(bot))
        sender.join()
        seat.shutdown(socket.SHUT_WR)
        with dealer.makefile() as sent:
            return sent.read().splitlines()


def send(dealer, lines):
    """Sends all lines and closes the dealer's side."""
    dealer.sendall("".join(f"{line}\n" for line in lines).encode())
    dealer.shutdown(socket.SHUT_WR)


def main():
    """Writes the calls of the seats of standard input."""
    calls = []
    for seat in json.load(sys.stdin):
        bot = Recorder(seat["replies"])
        converse_with(bot, seat["playerId"], seat["lines"])
        calls.append(bot.calls)
    json.dump(calls, sys.stdout)


if __name__ == "__main__":
    main()
