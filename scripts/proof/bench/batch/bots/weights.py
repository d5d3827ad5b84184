"""Uses numpy: weighs features of the hand and the betting with fixed weights, and adapts a bias to its results."""

import numpy as np

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"


class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.weights = np.array([1.2, 0.6, 1.1, 0.9, -1.4, -0.2])
        self.bias = -1.0
        self.cards = []

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.cards = player_hands
        self.blind = blind_amount

    def on_round_start(self, round_state, remaining_chips):
        pass

    def features(self, state, owed):
        ranks = np.array([RANKS.index(card[0]) for card in self.cards], dtype=float) / 12
        board = np.array([RANKS.index(card[0]) for card in state.community_cards], dtype=float) / 12
        hits = float(np.isin(ranks, board).sum())
        pair = 1.0 if ranks[0] == ranks[1] else 0.0
        price = owed / (state.pot + owed) if owed > 0 else 0.0
        return np.array([ranks.max(), ranks.min(), pair, hits, price, len(board) / 5])

    def get_action(self, state, remaining_chips):
        owed = max(0, state.current_bet - state.player_bets.get(str(self.id), 0))
        value = 1 / (1 + np.exp(-(self.features(state, owed) @ self.weights + self.bias)))
        if value > 0.8 and state.min_raise <= state.max_raise and owed <= 8 * self.blind:
            return PokerAction.RAISE, int(np.clip(owed + state.pot // 2, state.min_raise, state.max_raise))
        if owed == 0:
            return PokerAction.CHECK, 0
        return (PokerAction.CALL, 0) if value > 0.55 else (PokerAction.FOLD, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        self.bias += 0.001 * float(np.sign(player_score))
