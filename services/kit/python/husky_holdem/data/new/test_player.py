"""Tests of the bot. Run in this folder: python -m unittest"""

import unittest
from typing import List

from player import SimplePlayer, after_the_flop, before_the_flop
from type.poker_action import PokerAction
from type.round_state import RoundStateClient

ME, OTHER = 1000000001, 1000000002


def decide(hand: List[str], board: List[str], my_bet: int, current_bet: int) -> PokerAction:
    """Returns the action of a new bot against one opponent. The pot has 100 chips, the big blind is 10."""
    bot = SimplePlayer()
    bot.set_id(ME)
    bot.on_start(10_000, hand, 10, OTHER, ME, [ME, OTHER])
    street = {0: 0, 3: 1, 4: 2, 5: 3}[len(board)]
    state = RoundStateClient(
        round_num=street,
        round=("Preflop", "Flop", "Turn", "River")[street],
        community_cards=board,
        pot=100,
        current_player=[ME],
        current_bet=current_bet,
        min_raise=current_bet - my_bet + 10,
        max_raise=9_900,
        player_bets={str(ME): my_bet, str(OTHER): current_bet},
        player_actions={},
        side_pots=[],
    )
    return bot.get_action(state, 9_900)[0]


class Decisions(unittest.TestCase):
    """What the bot does in states that are easy to judge."""

    def test_raises_aces(self) -> None:
        self.assertEqual(decide(["Ah", "As"], [], 5, 10), PokerAction.RAISE)

    def test_folds_a_weak_hand_to_a_big_bet(self) -> None:
        self.assertEqual(decide(["7h", "2s"], ["Ad", "Kc", "9s"], 0, 500), PokerAction.FOLD)

    def test_never_folds_when_checking_is_free(self) -> None:
        self.assertEqual(decide(["7h", "2s"], ["Ad", "Kc", "9s"], 0, 0), PokerAction.CHECK)


class Strength(unittest.TestCase):
    """The estimates that decisions rest on."""

    def test_a_pair_is_better_than_high_cards(self) -> None:
        self.assertGreater(before_the_flop(["8h", "8s"]), before_the_flop(["Kh", "Qs"]))

    def test_a_flush_is_better_than_a_pair(self) -> None:
        board = ["2h", "9h", "Kh"]
        self.assertGreater(after_the_flop(["Ah", "5h"], board), after_the_flop(["Ks", "5c"], board))


if __name__ == "__main__":
    unittest.main()
