"""The seat's side of fixtures/seat-protocol.json: the dealer's lines lead to these calls of the bot and these lines back.

The dealer's side is tested by src/play/match.test.ts.
"""

import contextlib
import io
import json
import socket
import sys
import unittest

from table import RUNNER

sys.path.insert(0, str(RUNNER / "seat"))

from husky_seat.dialogue import converse  # noqa: E402

FIXTURE = json.loads((RUNNER / "fixtures" / "seat-protocol.json").read_text())


class Recorder:
    """A bot that records its calls, returns what the seat's lines say, and raises where they say that a callback failed."""

    def __init__(self, lines):
        parsed = [json.loads(line) for line in lines]
        self.replies = [line for line in parsed if line[0] != "!"]
        self.failures = [line[1] for line in parsed if line[0] == "!"]
        self.calls = []

    def __getattr__(self, method):
        def call(*arguments):
            self.calls.append([method, *(vars(value) if hasattr(value, "__dict__") else value for value in arguments)])
            if method == "get_action":
                return self.reply()
            if self.failures and method == self.failures[0] and len(self.calls) > 4:
                self.failures.pop(0)
                raise KeyError(3)

        return call

    def reply(self):
        _, kind, amount = self.replies.pop(0)
        return None if kind < 1 else (type("Kind", (), {"value": kind})(), amount)


def converse_with(bot, player_id, lines):
    """The lines a seat sends when the dealer sends these."""
    dealer, seat = socket.socketpair()
    with dealer, seat, contextlib.redirect_stderr(io.StringIO()):
        dealer.sendall("".join(f"{line}\n" for line in lines).encode())
        dealer.shutdown(socket.SHUT_WR)
        converse(bot, player_id, seat.fileno())
        seat.shutdown(socket.SHUT_WR)
        with dealer.makefile() as sent:
            return sent.read().splitlines()


class SeatProtocol(unittest.TestCase):
    def test_the_dealers_lines_become_calls_and_replies(self):
        for dialogue in FIXTURE["dialogues"]:
            for number, seat in enumerate(dialogue["seats"]):
                with self.subTest(profile=dialogue["profile"], seat=number):
                    bot = Recorder(seat["seat"])
                    self.assertEqual(converse_with(bot, seat["playerId"], seat["dealer"]), seat["seat"])
                    self.assertEqual(json.loads(json.dumps(bot.calls)), [json.loads(call) for call in seat["calls"]])


if __name__ == "__main__":
    unittest.main()
