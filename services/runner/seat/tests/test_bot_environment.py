"""The environment of a bot: the client's modules, its own files, threads, asyncio and the standard library."""

import os
import sys

from tests.harness import HAND, SEAT_DIR, STATE, OneHost, action, bot


class BotEnvironment(OneHost):
    def test_every_bot_of_this_repository_loads(self):
        folder = os.path.join(os.path.dirname(SEAT_DIR), "bots")
        found = 0
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name, "player.py")
            if os.path.exists(path):
                with open(os.path.join(folder, name, "requirements.txt"), encoding="utf-8") as requirements:
                    if any(line.strip() and not line.startswith("#") for line in requirements):
                        print(f"not loaded here, it needs packages: {name}")
                        continue
                found += 1
                with open(path, encoding="utf-8") as player:
                    (seat,) = self.host.open(player.read())
                first = seat.receive()
                reply = seat.act(HAND, ["r", STATE, 20, 9995, 9995]) if first["ready"] else [0, first["error"]]
                self.host.close_match()
                with self.subTest(name):
                    self.assertIn(reply[0], (1, 2, 3, 4, 5), reply)
        if not found:
            print("no bots in services/runner/bots yet: nothing loaded")

    def test_the_other_client_modules_can_be_imported(self):
        imports = """
import config, runner, type.message, type.utils, type.poker_action
from config import BASE_PATH, DEFAULT_HOST, DEFAULT_PORT, DOCKER_BASE_PATH, GAMEID_LOG_FILE, IS_DOCKER, LOCAL_BASE_PATH, RESULT_FILE, START_MONEY
from runner import Runner
from type.message import MessageType
from type.utils import MESSAGE_TYPE_MAPPING, get_message_type_name
from type.poker_action import PokerAction, PokerRound
from type.round_state import RoundStateClient
from bot import ABC, Bot, List, PokerAction, RoundStateClient, Tuple, abstractmethod
assert MessageType.TIME_STAMPT.value == 8 and START_MONEY == 10000
assert MESSAGE_TYPE_MAPPING[4] == get_message_type_name(4) == "Request Player Action" and len(MESSAGE_TYPE_MAPPING) == 11
"""
        body = "open(config.RESULT_FILE, 'a').close()\nopen(os.path.join(BASE_PATH, GAMEID_LOG_FILE), 'w').close()\nreturn PokerAction.RAISE, PokerRound.RIVER.value"
        self.assertEqual(self.ready(imports + action(body)).act(), [4, 3])

    def test_a_bot_can_read_its_own_file_but_not_write_it(self):
        body = """
import inspect
own = open(__file__).read()
assert own == open('player.py').read() == open(sys.argv[0]).read() and 'class SimplePlayer' in inspect.getsource(SimplePlayer)
try:
    open('player.py', 'a')
except PermissionError:
    return PokerAction.RAISE, 7
"""
        self.assertEqual(self.ready(action(body)).act(), [4, 7])

    def test_round_state_is_created_from_a_message(self):
        message = "dict(round_num=0, round='Flop', community_cards=[], pot=1, current_player=[], current_bet=2, min_raise=3, max_raise=4, player_bets={}, player_actions={})"
        seat = self.ready(
            "from type.round_state import RoundStateClient\n"
            + action(f"state = RoundStateClient.from_message({message})\nraise RuntimeError((state.round, state.max_raise, state.player_money, state.side_pots))")
        )
        self.assertEqual(seat.act(), [0, "RuntimeError: ('Flop', 4, None, [])"])

    def test_honest_threads_time_and_standard_modules_work(self):
        body = """
import dataclasses, random, concurrent.futures, zoneinfo, sqlite3, asyncio.events, statistics
@dataclasses.dataclass
class P:
    x: int = 0
begun = time.perf_counter()
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    values = list(pool.map(lambda n: n * n, range(8)))
time.sleep(0.01)
assert values[7] == 49 and time.perf_counter() - begun > 0.01 and P().x == 0 and 0 <= random.random() < 1
assert random.choice([3]) == statistics.mean([3]) == 3 and zoneinfo.ZoneInfo('UTC')
"""
        seat = self.ready(action(body))
        self.assertEqual(seat.act(), [3, 0])

    def test_asyncio_runs_in_a_decision_and_in_a_thread(self):
        body = """
import asyncio
async def think(n):
    await asyncio.sleep(0)
    return n + await asyncio.to_thread(lambda: 1)
values = []
thread = threading.Thread(target=lambda: values.append(asyncio.run(think(4))))
thread.start()
thread.join()
raise RuntimeError(sum(asyncio.run(think(0)) for _ in range(10)) + values[0])
"""
        seat = self.ready(action(body))
        self.assertEqual([seat.act(), seat.act()], [[0, "RuntimeError: 15"]] * 2)

    def test_a_bot_reads_its_own_player_py_by_its_name_and_by_file(self):
        seat = self.ready("import inspect\n" + action("raise RuntimeError(open('player.py').read() == open(__file__).read() == inspect.getsource(sys.modules['player']))"))
        self.assertEqual(seat.act(), [0, "RuntimeError: True"])

    def test_the_api_has_the_documented_fields_and_arguments(self):
        sys.path.insert(0, os.path.join(SEAT_DIR, "api"))
        self.addCleanup(sys.path.remove, os.path.join(SEAT_DIR, "api"))
        import dataclasses
        import inspect

        from bot import Bot
        from type.poker_action import PokerAction, PokerRound
        from type.round_state import RoundStateClient

        self.assertEqual([(a.name, a.value) for a in PokerAction], [("FOLD", 1), ("CHECK", 2), ("CALL", 3), ("RAISE", 4), ("ALL_IN", 5)])
        self.assertEqual([r.name for r in PokerRound], ["PREFLOP", "FLOP", "TURN", "RIVER"])
        self.assertEqual(
            " ".join(field.name for field in dataclasses.fields(RoundStateClient)),
            "round_num round community_cards pot current_player current_bet min_raise max_raise player_bets player_actions player_money side_pots",
        )
        names = {
            "set_id": "player_id",
            "on_start": "starting_chips player_hands blind_amount big_blind_player_id small_blind_player_id all_players",
            "on_round_start": "round_state remaining_chips",
            "get_action": "round_state remaining_chips",
            "on_end_round": "round_state remaining_chips",
            "on_end_game": "round_state player_score all_scores active_players_hands",
        }
        for method, expected in names.items():
            self.assertEqual(" ".join(list(inspect.signature(getattr(Bot, method)).parameters)[1:]), expected)
        self.assertEqual(Bot.__abstractmethods__, frozenset(names) - {"set_id"})
