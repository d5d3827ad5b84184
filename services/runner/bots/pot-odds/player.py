"""Pot odds: compares the price of a call with the chance to win.

It deals the rest of the hand again and again at random (Monte Carlo), counts how often its cards are best, and
calls when that share is higher than the share of the pot it has to pay. Somebody who bets rarely holds a random hand: against a
bet each opponent gets two or three hands to choose the best from. Uses eval7 to compare hands; the work is bounded, so a
decision takes well under a millisecond.
"""

import random

import eval7

from bot import Bot
from type.poker_action import PokerAction

DECK = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "hdcs"]

# Hands dealt for one estimate, and at most so many of them at a time: bounds the time of a decision.
DEALT_HANDS = 180
MAX_RIVALS = 6


def estimate_equity(hand, board, rivals, rng):
    """Share of the pot (0..1) that these cards win on average against that many random hands."""
    known = [eval7.Card(card) for card in hand]
    table = [eval7.Card(card) for card in board]
    rest = [card for card in DECK if card not in known and card not in table]
    missing = 5 - len(table)
    rollouts = DEALT_HANDS // rivals

    won = 0.0
    for _ in range(rollouts):
        drawn = rng.sample(rest, missing + 2 * rivals)
        full_board = table + drawn[:missing]
        mine = eval7.evaluate(known + full_board)
        tied = 1
        for start in range(missing, len(drawn), 2):
            theirs = eval7.evaluate(drawn[start : start + 2] + full_board)
            if theirs > mine:
                break
            tied += theirs == mine
        else:
            won += 1 / tied
    return won / rollouts


class SimplePlayer(Bot):
    """Calls at a good price, bets when it is clearly ahead."""

    def __init__(self):
        super().__init__()
        self.rng = random.Random()
        self.hand = []
        self.big_blind = 10

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.hand = player_hands
        self.big_blind = blind_amount

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        my_bet = round_state.player_bets.get(str(self.id), 0)
        to_call = min(max(round_state.current_bet - my_bet, 0), remaining_chips)
        opponents = self.opponents(round_state)
        rivals = min(opponents * self.selection(round_state, to_call), MAX_RIVALS)
        equity = estimate_equity(self.hand, round_state.community_cards, rivals, self.rng)

        if to_call == 0:
            if equity > 1 / (opponents + 1) + 0.15:
                return self.raise_by(round_state, round_state.pot // 2, 0)
            return PokerAction.CHECK, 0
        price = to_call / (round_state.pot + to_call)
        if equity > max(price + 0.25, 0.55):
            return self.raise_by(round_state, to_call + round_state.pot // 2, to_call)
        if equity > price + 0.03:
            return PokerAction.CALL, 0
        return PokerAction.FOLD, 0

    def selection(self, state, to_call):
        """Hands out of which each opponent is taken to hold the best: 1 if nobody bet, up to 4 facing a big bet."""
        if to_call == 0 or state.current_bet <= self.big_blind:
            return 1
        in_blinds = to_call / max(self.big_blind, 1)
        return 2 if in_blinds <= 6 else 3 if in_blinds <= 25 else 4

    def opponents(self, state):
        """Number of players, at least 1, who can still win the pot besides this bot."""
        folded = [player for player, action in state.player_actions.items() if action == "Fold"]
        others = [player for player in state.player_bets if player != str(self.id) and player not in folded]
        return max(1, len(others))

    def raise_by(self, state, chips_to_add, to_call):
        """A RAISE of about that many chips, or the passive action where no raise is possible."""
        if state.min_raise <= 0 or state.max_raise <= to_call:
            return (PokerAction.CALL, 0) if to_call else (PokerAction.CHECK, 0)
        return PokerAction.RAISE, max(state.min_raise, min(chips_to_add, state.max_raise))

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
