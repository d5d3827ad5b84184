"""The seat protocol: what bots and the dealer receive, through real sandboxed seats."""

import json

from tests.harness import ACT, HAND, HEADER, NO_STATE, STATE, OneHost, action, bot


class Protocol(OneHost):
    def test_a_bot_is_called_in_order_with_the_documented_arguments(self):
        source = bot(
            """
    calls = []
    def __init__(self):
        super().__init__()
        self.calls.append(('init', self.id))
    def set_id(self, player_id):
        super().set_id(player_id)
        self.calls.append(('set_id', player_id, self.id))
    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.calls.append(('on_start', starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players))
    def on_round_start(self, round_state, remaining_chips):
        self.calls.append(('on_round_start', round_state.round, remaining_chips))
    def on_end_round(self, round_state, remaining_chips):
        self.calls.append(('on_end_round', round_state.round, remaining_chips))
    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        self.calls.append(('on_end_game', round_state.round, player_score, all_scores, active_players_hands))
    def get_action(self, round_state, remaining_chips):
        print(self.calls)
        print(round_state)
        return PokerAction.RAISE, 25
"""
        )
        seat = self.ready(source)
        seat.send([1, [HAND, ["g", [3, ["Td"], 0, "", 0, "", [], "--", []], 0, 0, 9000, -5, [-5, 5], "1", [["2s", "2h"]]]]])
        before = [HAND, ["r", STATE, 20, 9995, 9995], ["e", [1, *NO_STATE[1:]], 0, 0, 9990]]
        self.assertEqual(seat.act(*before), [4, 25])
        place, calls, state = self.host.request("logs", seat=0)["text"].splitlines()
        self.assertEqual(place, "--- hand 2, get_action 1")
        self.assertEqual(
            eval(calls),
            [
                ("init", None),
                ("set_id", 1, 1),
                ("on_start", 10000, ["Td", "2s"], 10, 2, 1, [1, 2]),
                ("on_end_game", "River", -5, {"1": -5, "2": 5}, {"2": ["2s", "2h"]}),
                ("set_id", 1, 1),
                ("on_start", 10000, ["Td", "2s"], 10, 2, 1, [1, 2]),
                ("on_round_start", "Preflop", 9995),
                ("on_end_round", "Flop", 9990),
            ],
        )
        self.assertEqual(
            state,
            "RoundStateClient(round_num=0, round='Preflop', community_cards=[], pot=15, current_player=[2, 1], current_bet=10, "
            "min_raise=20, max_raise=9995, player_bets={'1': 5, '2': 10}, player_actions={'1': 'Raise', '2': 'Raise'}, "
            "player_money=None, side_pots=[{'amount': 15, 'eligible_players': [1, 2]}])",
        )

    def test_return_values_are_checked_and_sent_unchanged(self):
        INF = float("inf")
        seat = self.ready(
            HEADER
            + "import decimal, enum, fractions\nclass Own(enum.Enum):\n    FLOP = 1\n    RAISE = 4\n    CALL = 9\nclass Number(enum.IntEnum):\n    CHECK = 2\n"
            + "class Again(enum.Enum):\n    ALL_IN = 5\nclass Words(enum.Enum):\n    CALL = 'call'\nNAN, INF = float('nan'), float('inf')\n"
            + action("return eval(self.hand)")
            + "    def on_start(self, chips, cards, *rest): self.hand = cards[0]\n"
        )
        for text, expected in {
            "PokerAction.FOLD, 0": [1, 0],
            "PokerAction.RAISE, -3": [4, -3],
            "PokerAction.RAISE, 30.75": [4, 30.75],
            "PokerAction.RAISE, True": [4, 1],
            "PokerAction.RAISE, decimal.Decimal('2.5')": [4, 2.5],
            "PokerAction.RAISE, fractions.Fraction(1, 4)": [4, 0.25],
            "PokerAction.RAISE, 10 ** 5000": [4, 2**53 - 1],
            "PokerAction.RAISE, 1e300": [4, 1e300],
            "Own.RAISE, 7": [4, 7],
            "Number.CHECK, 0": [2, 0],
            "Again.ALL_IN, 0": [5, 0],
            "Own.FLOP, 0": [1, 0],
            "[PokerAction.CALL, 0]": [3, 0],
            "[Own.RAISE, 2.5]": [4, 2.5],
            "PokerAction.RAISE, INF": [4, INF],
            "PokerAction.RAISE, decimal.Decimal('Infinity')": [4, INF],
            "PokerAction.RAISE, -INF": [4, -INF],
            "Own.CALL, 0": [-1, "the action must be a PokerAction, not Own with the value 9"],
            "Words.CALL, 0": [-1, "the action must be a PokerAction, not Words"],
            "1, 0": [-1, "the action must be a PokerAction, not int"],
            "'FOLD', 0": [-1, "the action must be a PokerAction, not str"],
            "None": [-1, "get_action must return a tuple (PokerAction, amount), not None"],
            "(PokerAction.CALL,)": [-1, "get_action must return a tuple (PokerAction, amount), not a tuple of 1"],
            "[PokerAction.CALL, 0, 0]": [-1, "get_action must return a tuple (PokerAction, amount), not a list of 3"],
            "PokerAction.CALL": [-1, "get_action must return a tuple (PokerAction, amount), not PokerAction"],
            "PokerAction.CALL, None": [-1, "the amount must be a number, not None"],
            "PokerAction.CALL, '5'": [-1, "the amount must be a number, not str"],
            "PokerAction.RAISE, NAN": [-1, "the amount must be a number, not NaN"],
            "PokerAction.RAISE, 1j": [-1, "the amount must be a number, not complex"],
        }.items():
            with self.subTest(text):
                self.assertEqual(seat.act(["h", 1, [text, ""], 10, 2, 1, [1, 2]]), expected)

    def test_every_exception_of_a_bot_becomes_an_error_reply(self):
        source = (
            "class Nasty(Exception):\n    def __str__(self): raise SystemExit(3)\nclass Trackless(Exception): __traceback__ = property(lambda self: 1 / 0)\nclass Long(Exception):\n    def __str__(self): return 'x' * 10**6 + '\\n'\n"
            + "def deep(): return deep()\n"
            + action("exec(self.hand)")
            + "    def on_start(self, chips, cards, *rest): self.hand = cards[0]\n"
        )
        seat = self.ready(source)
        lines = {text.strip(): number for number, text in enumerate(source.split("\n"), 1)}
        for statement, expected in {
            "1/0": "ZeroDivisionError: division by zero",
            "sys.exit(5)": "SystemExit: 5",
            "raise KeyboardInterrupt": "KeyboardInterrupt",
            "raise Nasty": "Nasty: (its message cannot be shown)",
            "raise ValueError('a\\nb')": "ValueError: a b",
            "open('/tmp/a', 'w')": "OSError: [Errno 30] Read-only file system: '/tmp/a'",
            "os.makedirs('/tmp/a/b')": "OSError: [Errno 30] Read-only file system: '/tmp/a'",
            "deep()": "RecursionError: maximum recursion depth exceeded",
            "input()": "EOFError: EOF when reading a line",
            "exit()": "SystemExit: None",
            "raise Trackless": "Trackless",
        }.items():
            with self.subTest(statement):
                reply = seat.act(["h", 1, [statement, ""], 10, 2, 1, [1, 2]])
                self.assertEqual(reply, [0, expected])
                self.assertEqual(seat.line, lines["def deep(): return deep()" if statement == "deep()" else "exec(self.hand)"])
        self.assertEqual(seat.act(["h", 1, ["raise Long", ""], 10, 2, 1, [1, 2]]), [0, f"Long: {'x' * 143}…"])
        log = self.host.request("logs", seat=0)["text"]
        self.assertIn("ZeroDivisionError", log)
        self.assertIn("    exec(self.hand)\n", log)
        self.assertIn("\na bot has files in its current folder only: open('notes.txt', 'w')\n", log)

    def test_exceptions_in_callbacks_are_reported_and_the_match_continues(self):
        seat = self.ready(bot("    def on_start(self, *a): raise SystemExit('in on_start')\n    on_round_start = None\n    def set_id(self): pass\n"))
        self.assertEqual(seat.act(HAND, ["r", STATE, 20, 9995, 9995]), [3, 0])
        self.assertEqual([(method, hand) for method, _, hand in seat.failed_calls], [("set_id", 1), ("on_start", 1), ("on_round_start", 1)])
        self.assertRegex(seat.failed_calls[1][1], r"^SystemExit: in on_start; return .* \(line \d+\)$")
        text = self.host.request("logs", seat=0)["text"]
        for part in ("SystemExit: in on_start", 'File "player.py", line', "'NoneType' object is not callable", "set_id() takes 1"):
            self.assertIn(part, text)

    def test_a_bot_that_overwrites_its_id_gets_it_again(self):
        source = bot("    def on_start(self, *a):\n        self.first = self.id\n        self.id = 99\n    def get_action(self, s, r): return PokerAction.RAISE, self.first\n")
        seat = self.ready(source)
        self.assertEqual(seat.act(HAND), [4, 1])
        self.assertEqual(seat.act(HAND), [4, 1])

    def test_one_instance_plays_the_whole_match(self):
        seat = self.ready(bot("    n = 0\n    def on_end_game(self, *a): self.n += 1\n    def get_action(self, s, r): return PokerAction.RAISE, self.n\n"))
        end = ["g", STATE, 0, 0, 1, 0, [0, 0], "", []]
        seat.act(HAND, end)
        self.assertEqual(seat.act(end, HAND), [4, 2])

    def test_empty_callbacks_are_skipped_until_the_bot_has_others(self):
        source = (
            HEADER
            + """
class SimplePlayer(Bot):
    def on_start(self, *a): pass
    def on_round_start(self, round_state, remaining_chips):
        "Nothing to do."
    def on_end_round(self, round_state, remaining_chips): return self.note()
    def on_end_game(self, round_state, player_score, all_scores, active_players_hands): ...
    def get_action(self, round_state, remaining_chips):
        self.on_end_game = print
        return PokerAction.CALL, 0
"""
        )
        seat = self.seat(source)
        self.assertEqual(seat.receive()["skips"], ["on_round_start", "on_end_game"])
        self.assertEqual(seat.act(HAND), [3, 0])
        self.assertEqual(seat.receive(), ["+", "on_end_game"])
        self.assertEqual(seat.act(HAND), [3, 0])

    def test_callbacks_that_may_do_something_are_not_skipped(self):
        lines = "    def on_start(self, *a): pass\n    def get_action(self, s, r): return PokerAction.CALL, 0\n"
        for what, body in (
            ("wrong number of arguments", "def on_round_start(self): pass"),
            ("generator", "def on_round_start(self, s, r):\n        if False: yield"),
            ("coroutine", "async def on_round_start(self, s, r): pass"),
            ("static", "@staticmethod\n    def on_round_start(s, r): pass"),
            ("instance", "def __init__(self): self.on_round_start = lambda s, r: None"),
            ("decorated", "@trace\n    def on_round_start(self, s, r): pass"),
            ("class with its own lookup", "def on_round_start(self, s, r): pass\n    def __getattribute__(self, name): return object.__getattribute__(self, name)"),
            ("slots", "__slots__ = ()\n    def on_round_start(self, s, r): pass"),
        ):
            with self.subTest(what):
                base = "object" if what == "slots" else "Base"
                source = HEADER + f"trace = lambda f: lambda *a: f(*a)\nclass Base:\n    def on_round_start(self, s, r): print()\nclass SimplePlayer({base}):\n    {body}\n{lines}"
                (seat,) = self.host.open(source)
                self.assertEqual(seat.receive()["skips"], [])
                self.host.close_match()

    def test_bots_that_cannot_be_loaded_report_reason_and_line(self):
        for source, error, line in (
            ("def f(:\n", "SyntaxError: invalid syntax", 1),
            ("x = 1\nimport nowhere\n", "ModuleNotFoundError: No module named 'nowhere'", 2),
            ("x = 1\n", "player.py defines no class SimplePlayer", None),
            ("from bot import Bot\nclass SimplePlayer(Bot): pass\n", "TypeError: Can't instantiate abstract class SimplePlayer with", None),
            ("\n\nraise SystemExit('no')\n", "SystemExit: no", 3),
            (bot("    def __init__(self, x): pass\n"), "TypeError: SimplePlayer.__init__() missing 1 required", 15),
        ):
            with self.subTest(error):
                (seat,) = self.host.open(source)
                first, after = seat.receive(), seat.receive()
                event = self.host.event("exit", 0)
                self.host.close_match()
                self.assertEqual((first["ready"], first["line"]), (False, line))
                self.assertTrue(first["error"].startswith(error), first["error"])
                self.assertNotIn("line", first["error"])
                self.assertIsNone(after)
                self.assertEqual(event["reason"], "startup")

    def test_messages_are_read_regardless_of_how_writes_split_them(self):
        seat = self.ready(bot(""))
        event = json.dumps([7, [HAND]]).encode() + b"\n"
        request = json.dumps([8, [HAND, ACT]]).encode() + b"\n"
        data = event + request + request
        for part in (data[:50], data[50:-3], data[-3:]):
            seat.socket.sendall(part)
        self.assertEqual([seat.receive(), seat.receive()], [[8, 3, 0], [8, 3, 0]])
