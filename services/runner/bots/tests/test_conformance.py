"""The bot's side of fixtures/conformance.json: the calls of the suite, sent by the seat protocol, reach a bot of the documented API.

The dealer's side is tested by test/conformance/conformance.test.ts.
"""

import inspect
import json
import unittest

from recorder import converse_with
from table import RUNNER

from bot import Bot
from type.poker_action import PokerAction
from type.round_state import RoundStateClient

SUITE = json.loads((RUNNER / "fixtures" / "conformance.json").read_text())
ACTIONS = {"Fold": "F", "Check": "K", "Call": "C", "Raise": "R", "All In": "A"}


class SimplePlayer(Bot):
    """A participant's bot that compares its calls with the suite's and returns the suite's replies."""

    def __init__(self, calls, test):
        super().__init__()
        self.expected = list(calls)
        self.test = test

    def check(self, method, *arguments):
        """Compares a call with the next one of the suite. Returns the suite's reply, if it has one."""
        call = self.expected.pop(0)
        given = [vars(value) if isinstance(value, RoundStateClient) else value for value in arguments]
        self.test.assertEqual([method, *given], [call["method"], *call["arguments"]])
        if "returns" in call:
            return PokerAction[call["returns"][0]], call["returns"][1]
        return None

    def set_id(self, player_id):
        super().set_id(player_id)
        self.check("set_id", player_id)

    def on_start(self, *arguments):
        self.check("on_start", *arguments)

    def on_round_start(self, *arguments):
        self.check("on_round_start", *arguments)

    def get_action(self, *arguments):
        return self.check("get_action", *arguments)

    def on_end_round(self, *arguments):
        self.check("on_end_round", *arguments)

    def on_end_game(self, *arguments):
        self.check("on_end_game", *arguments)


def seats_of(ids, players):
    """Returns the digits of players' seats."""
    return "".join(str(players.index(int(player))) for player in ids)


def packed(state, players):
    """Returns a state as the seat protocol sends it."""
    bets, actions = state["player_bets"], state["player_actions"]
    return [
        state["round_num"],
        state["community_cards"],
        state["pot"],
        seats_of(state["current_player"], players),
        state["current_bet"],
        seats_of(bets, players),
        list(bets.values()),
        "".join(ACTIONS.get(actions.get(str(player)), "-") for player in players),
        [[pot["amount"], seats_of(pot["eligible_players"], players)] for pot in state["side_pots"]],
    ]


def event_of(call, players):
    """Returns the event of the seat protocol that leads to this call; None for set_id, which the event of on_start contains."""
    method, given = call["method"], call["arguments"]
    if method == "set_id":
        return None
    if method == "on_start":
        return ["h", *given]
    state = given[0]
    kind = {"on_round_start": "r", "get_action": "a", "on_end_round": "e", "on_end_game": "g"}[method]
    event = [kind, packed(state, players), state["min_raise"], state["max_raise"]]
    if kind != "g":
        return [*event, *given[1:]]
    score, scores, shown = given[1:]
    # The dealer sends the chips behind too; on_end_game does not get them.
    return [*event, 0, score, [scores[str(player)] for player in players], seats_of(shown, players), list(shown.values())]


def lines_of(calls):
    """Returns the dealer's lines: the events up to each decision, with its number, and the rest."""
    lines, events, seq, players = [], [], 0, []
    for call in calls:
        if call["method"] == "on_start":
            players = call["arguments"][-1]
        event = event_of(call, players)
        if event is not None:
            events.append(event)
        if call["method"] == "get_action":
            seq += 1
            lines.append(json.dumps([seq, events]))
            events = []
    return [*lines, json.dumps([0, events])]


class Conformance(unittest.TestCase):
    def test_the_calls_of_the_suite_reach_a_bot_and_its_replies_come_back(self):
        for case in SUITE["cases"]:
            for number, seat in enumerate(case["seats"]):
                with self.subTest(case=case["name"], profile=case["profile"], seat=number):
                    bot = SimplePlayer(seat["calls"], self)
                    replies = [call["returns"] for call in seat["calls"] if "returns" in call]
                    expected = [[seq, PokerAction[action].value, amount] for seq, (action, amount) in enumerate(replies, 1)]
                    sent = converse_with(bot, seat["playerId"], lines_of(seat["calls"]))
                    self.assertEqual([json.loads(line) for line in sent], expected)
                    self.assertEqual(bot.expected, [])

    def test_every_call_fits_the_documented_signature(self):
        for case in SUITE["cases"]:
            for seat in case["seats"]:
                for call in seat["calls"]:
                    inspect.signature(getattr(Bot, call["method"])).bind(None, *call["arguments"])

    def test_every_state_has_exactly_the_fields_of_round_state(self):
        fields = set(inspect.signature(RoundStateClient).parameters)
        states = [call["arguments"][0] for case in SUITE["cases"] for seat in case["seats"] for call in seat["calls"]]
        states = [state for state in states if isinstance(state, dict)]
        self.assertGreater(len(states), 200)
        for state in states:
            self.assertEqual(set(state), fields)
            self.assertEqual(vars(RoundStateClient.from_message(state)), state)


if __name__ == "__main__":
    unittest.main()
