"""The bots in fixtures/bots do what their docstrings say, so that the runner's tests test what they claim to."""

import contextlib
import importlib.util
import io
import unittest
from unittest import mock

from table import FIXTURES, load_player, play, problem_of

from type.poker_action import PokerAction

NAMES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())


def answers(name, hands=40):
    """Returns (answer or exception type, problem, round_num) of each decision over some hands."""
    bot = load_player(FIXTURES / name / "player.py")
    found = []

    def ask(bot, state, remaining):
        seat = ask.seat
        try:
            answer = bot.get_action(state, remaining)
        except BaseException as error:
            found.append((type(error), "exception", state.round_num))
            return PokerAction.FOLD, 0
        problem = problem_of(state, seat, remaining, answer)
        found.append((answer, problem, state.round_num))
        return answer if problem is None else (PokerAction.FOLD, 0)

    real_set_id = bot.set_id

    def set_id(player_id):
        ask.seat = player_id
        real_set_id(player_id)

    bot.set_id = set_id
    for seed in range(hands):
        play(bot, seed, ask)
    return found


class Fixtures(unittest.TestCase):
    def test_each_compiles(self):
        for name in NAMES:
            with self.subTest(name):
                compile((FIXTURES / name / "player.py").read_text(), name, "exec")

    def test_trivial_always_calls(self):
        self.assertEqual({answer for answer, _, _ in answers("trivial")}, {(PokerAction.CALL, 0)})

    def test_overwrites_id_checks_where_it_may_not_and_else_plays(self):
        problems = [problem for _, problem, _ in answers("overwrites-id", 200)]
        self.assertTrue(any(problem and problem.startswith("check facing") for problem in problems))
        self.assertIn(None, problems)

    def test_type_error_postflop_raises_after_the_flop_only(self):
        for answer, _, street in answers("type-error-postflop", 100):
            self.assertEqual(answer is TypeError, street > 0)

    def test_index_error_preflop_raises_always(self):
        self.assertEqual({answer for answer, _, _ in answers("index-error-preflop")}, {IndexError})

    def test_float_amounts_returns_floats_that_are_not_whole(self):
        amounts = [answer[1] for answer, _, _ in answers("float-amounts")]
        self.assertTrue(any(isinstance(amount, float) and amount % 1 for amount in amounts))

    def test_garbage_answers_alternate_between_garbage_and_calls(self):
        found = answers("garbage-answers", 100)
        self.assertEqual({answer for answer, _, _ in found[1::2]}, {(PokerAction.CALL, 0)})
        self.assertGreater(sum(problem is not None for _, problem, _ in found[::2]), len(found) // 3)

    def test_exits_sys_raises_system_exit_from_its_third_decision_on(self):
        found = [answer for answer, _, _ in answers("exits-sys")]
        self.assertEqual(found[:2], [(PokerAction.CALL, 0)] * 2)
        self.assertEqual(set(found[2:]), {SystemExit})

    def test_exits_os_ends_the_process_at_its_third_decision(self):
        with mock.patch("os._exit", side_effect=KeyboardInterrupt):
            found = [answer for answer, _, _ in answers("exits-os")]
        self.assertEqual(set(found[2:]), {KeyboardInterrupt})

    def test_sleeper_sleeps_and_late_answer_is_late_once(self):
        with mock.patch("time.sleep") as sleep:
            answers("sleeper", 5)
        self.assertEqual({call.args for call in sleep.call_args_list}, {(3600,)})
        with mock.patch("time.sleep") as sleep:
            found = answers("late-answer")
        self.assertEqual([index for index, entry in enumerate(found) if entry[0] == (PokerAction.ALL_IN, 0)], [1])
        self.assertEqual(sleep.call_count, 1)

    def test_slow_import_sleeps_beyond_the_start_up_limit(self):
        with mock.patch("time.sleep") as sleep:
            answers("slow-import", 1)
        self.assertGreater(sleep.call_args.args[0], 30)

    def test_output_flooder_prints_megabytes_a_decision(self):
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), mock.patch("os.write"):
            bot = load_player(FIXTURES / "output-flooder" / "player.py")
            bot.get_action(None, 1)
        self.assertGreater(len(out.getvalue()), 16_000_000)
        self.assertGreater(len(error.getvalue()), 4 << 20)

    def test_killer_attacks_nobody_outside_of_a_sandbox(self):
        log = io.StringIO()
        with contextlib.redirect_stdout(log), mock.patch("os.getuid", return_value=0):
            found = answers("killer", 3)
        self.assertEqual({answer for answer, _, _ in found}, {(PokerAction.CALL, 0)})
        self.assertIn("no sandbox here", log.getvalue())
        self.assertNotIn("attack ", log.getvalue())

    def test_science_plays_legally(self):
        for package in ("numpy", "eval7"):
            if importlib.util.find_spec(package) is None:
                self.skipTest(f"{package} is not installed here")
        found = answers("science", 200)
        self.assertNotIn("exception", {problem for _, problem, _ in found})
        self.assertGreater(sum(problem is None for _, problem, _ in found), 0.9 * len(found))


if __name__ == "__main__":
    unittest.main()
