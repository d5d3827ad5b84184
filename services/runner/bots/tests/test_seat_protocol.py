"""The seat's side of fixtures/seat-protocol.json: the dealer's lines lead to these calls of the bot and these lines back.

The dealer's side is tested by src/play/match.test.ts.
"""

import json
import unittest

from recorder import Recorder, converse_with
from table import RUNNER

FIXTURE = json.loads((RUNNER / "fixtures" / "seat-protocol.json").read_text())


class ScriptedBot(Recorder):
    """A recorder that returns what the seat's lines say, and raises where they say that a callback failed."""

    def __init__(self, lines):
        parsed = [json.loads(line) for line in lines]
        super().__init__([None if line[1] < 1 else line[1:] for line in parsed if line[0] != "!"])
        self.failures = [line[1] for line in parsed if line[0] == "!"]

    def returns(self, method):
        if self.failures and method == self.failures[0] and len(self.calls) > 4:
            self.failures.pop(0)
            raise KeyError(3)
        return super().returns(method)


class SeatProtocol(unittest.TestCase):
    def test_the_dealers_lines_become_calls_and_replies(self):
        for dialogue in FIXTURE["dialogues"]:
            for number, seat in enumerate(dialogue["seats"]):
                with self.subTest(profile=dialogue["profile"], seat=number):
                    bot = ScriptedBot(seat["seat"])
                    self.assertEqual(converse_with(bot, seat["playerId"], seat["dealer"]), seat["seat"])
                    self.assertEqual(json.loads(json.dumps(bot.calls)), [json.loads(call) for call in seat["calls"]])


if __name__ == "__main__":
    unittest.main()
