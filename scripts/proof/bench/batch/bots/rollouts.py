"""Uses eval7: after the flop the equity against one random hand by 40 rollouts, before the flop a table."""

import random

import eval7

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"
ROLLOUTS = 40


class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.random = random.Random(11)
        self.deck = list(eval7.Deck().cards)
        self.cards = []

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.cards = player_hands
        self.blind = blind_amount

    def on_round_start(self, round_state, remaining_chips):
        pass

    def equity(self, board):
        mine = [eval7.Card(card) for card in self.cards]
        table = [eval7.Card(card) for card in board]
        rest = [card for card in self.deck if card not in mine and card not in table]
        won = 0.0
        for _ in range(ROLLOUTS):
            drawn = self.random.sample(rest, 7 - len(table))
            full = table + drawn[2:]
            ours, theirs = eval7.evaluate(mine + full), eval7.evaluate(drawn[:2] + full)
            won += 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0
        return won / ROLLOUTS

    def get_action(self, state, remaining_chips):
        owed = state.current_bet - state.player_bets.get(str(self.id), 0)
        if state.round == "Preflop":
            high, low = sorted((RANKS.index(card[0]) for card in self.cards), reverse=True)
            equity = 0.35 + 0.02 * high + 0.01 * low + (0.2 if high == low else 0.0)
        else:
            equity = self.equity(state.community_cards)
        if equity > 0.75 and state.min_raise <= state.max_raise and owed <= 12 * self.blind:
            return PokerAction.RAISE, max(state.min_raise, min(state.max_raise, owed + int(0.7 * state.pot)))
        if owed <= 0:
            return PokerAction.CHECK, 0
        if equity > 0.12 + owed / (state.pot + owed):
            return PokerAction.CALL, 0
        return PokerAction.FOLD, 0

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
