"""The example bots act legally and quickly in any state and use only the documented API."""

import ast
import random
import sys
import time
import unittest

from table import BOTS, load_player, play, problem_of

NAMES = sorted(folder.name for folder in BOTS.iterdir() if (folder / "player.py").exists())
HANDS = 1500

API_MODULES = {"bot", "type.poker_action", "type.round_state"}
STATE_FIELDS = {
    "round_num", "round", "community_cards", "pot", "current_player", "current_bet",
    "min_raise", "max_raise", "player_bets", "player_actions", "side_pots",
}  # fmt: skip
CPU_LIMIT_MS = {"pot-odds": 1.5}


def tree(name):
    return ast.parse((BOTS / name / "player.py").read_text())


def imports(name):
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def requirements(name):
    lines = (BOTS / name / "requirements.txt").read_text().split()
    return {line.split("==")[0] for line in lines}


class ExampleBots(unittest.TestCase):
    def player(self, name):
        try:
            return load_player(BOTS / name / "player.py")
        except ModuleNotFoundError as error:
            if error.name in requirements(name):
                self.skipTest(f"{name} needs {error.name}, which is not installed here")
            raise

    def test_there_are_at_least_seven_and_one_is_house(self):
        self.assertGreaterEqual(len(NAMES), 7)
        self.assertIn("house", NAMES)

    def test_each_has_a_docstring_and_a_requirements_file(self):
        for name in NAMES:
            with self.subTest(name):
                self.assertGreater(len(ast.get_docstring(tree(name)) or ""), 40)
                self.assertTrue((BOTS / name / "requirements.txt").exists())

    def test_each_imports_only_the_api_the_standard_library_and_its_requirements(self):
        for name in NAMES:
            with self.subTest(name):
                for module in imports(name):
                    known = module in API_MODULES or module in sys.stdlib_module_names or module in requirements(name)
                    self.assertTrue(known, module)

    def test_each_reads_only_documented_fields_of_the_round_state(self):
        for name in NAMES:
            with self.subTest(name):
                read = {
                    node.attr
                    for node in ast.walk(tree(name))
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("state", "round_state")
                }
                self.assertLessEqual(read, STATE_FIELDS)

    def test_house_and_all_but_pot_odds_need_no_package(self):
        self.assertEqual([name for name in NAMES if requirements(name)], ["pot-odds"])

    def test_every_answer_is_legal_on_every_street_with_any_stacks(self):
        for name in NAMES:
            with self.subTest(name):
                bot = self.player(name)
                random.seed(5)
                streets = dict.fromkeys(range(4), 0)

                def ask(bot, state, remaining):
                    answer = bot.get_action(state, remaining)
                    problem = problem_of(state, bot.id, remaining, answer)
                    self.assertIsNone(problem, f"{problem}: {answer} in {state} with {remaining}")
                    streets[state.round_num] += 1
                    return answer

                for seed in range(HANDS):
                    play(bot, seed, ask)
                self.assertGreater(min(streets.values()), 20, streets)

    def test_a_decision_costs_little_cpu_time_on_average(self):
        for name in NAMES:
            with self.subTest(name):
                bot = self.player(name)
                spent = []

                def ask(bot, state, remaining):
                    start = time.process_time()
                    answer = bot.get_action(state, remaining)
                    spent.append(time.process_time() - start)
                    return answer

                for seed in range(200):
                    play(bot, seed, ask)
                self.assertLess(1000 * sum(spent) / len(spent), CPU_LIMIT_MS.get(name, 1.0))

    def test_house_answers_alike_whatever_it_played_before(self):
        for seed in range(300):
            answers = []
            for warm_up in (0, 3):
                bot = self.player("house")
                for earlier in range(warm_up):
                    play(bot, 10_000 + earlier, lambda bot, state, remaining: bot.get_action(state, remaining))

                def ask(bot, state, remaining):
                    answer = bot.get_action(state, remaining)
                    answers.append((warm_up, answer))
                    return answer

                play(bot, seed, ask)
            first = [answer for warm_up, answer in answers if warm_up == 0]
            self.assertEqual(first, [answer for warm_up, answer in answers if warm_up == 3])

    def test_each_survives_missing_blind_ids_and_an_empty_end(self):
        for name in NAMES:
            with self.subTest(name):
                bot = self.player(name)

                def ask(bot, state, remaining):
                    return bot.get_action(state, remaining)

                real_start = bot.on_start
                bot.on_start = lambda chips, hand, blind, big, small, ids: real_start(chips, hand, blind, None, None, ids)
                real_end = bot.on_end_game
                bot.on_end_game = lambda state, score, scores, hands: real_end(state, score, scores, {})
                for seed in range(50):
                    play(bot, seed, ask)


class HouseEvaluation(unittest.TestCase):
    def test_house_orders_hands_as_eval7_does(self):
        try:
            import eval7
        except ModuleNotFoundError:
            self.skipTest("eval7 is not installed here")
        values = load_player(BOTS / "house" / "player.py").get_action.__func__.__globals__
        rng = random.Random(3)
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "hdcs"]

        def both(cards):
            return values["hand_value"]([values["parse"](card) for card in cards]), eval7.evaluate([eval7.Card(card) for card in cards])

        for _ in range(20_000):
            count = rng.choice((5, 6, 7))
            cards = rng.sample(deck, count + 2)
            (mine, my_oracle), (other, other_oracle) = both(cards[:count]), both(cards[2:])
            self.assertEqual((mine > other, mine == other), (my_oracle > other_oracle, my_oracle == other_oracle), cards)


if __name__ == "__main__":
    unittest.main()
