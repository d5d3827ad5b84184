"""Pressure: bets first and asks questions later, as long as the others keep folding.

A bet has two ways to win: the best hand, or everybody else folding. This bot bets most of the time when nobody else has, and keeps
a record of how often its bets end a hand at once. While that happens often enough to pay for the bluffs it goes on;
at a table that calls everything it turns into a bot that bets only good hands. It shows how to learn during a match: the
same object plays all hands, so what it stores in `self` stays.
"""

import random

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"

# Hands after which old results count half, so that the record follows opponents who adapt.
MEMORY_HANDS = 60


class FoldRecord:
    """How often the others all folded to a bet of ours, as a fading average that starts from a friendly guess."""

    def __init__(self, successes=3.0, tries=6.0):
        self.successes = successes
        self.tries = tries

    def add(self, everybody_folded):
        """Notes the end of a hand in which we bet."""
        fade = 0.5 ** (1 / MEMORY_HANDS)
        self.successes = self.successes * fade + everybody_folded
        self.tries = self.tries * fade + 1

    def share(self):
        """Share, 0..1, of our betting hands that ended with everybody folding."""
        return self.successes / self.tries


class SimplePlayer(Bot):
    """Bets and raises much, and measures whether that pays."""

    def __init__(self):
        super().__init__()
        self.random = random.Random()
        self.record = FoldRecord()
        self.hand = []
        self.big_blind = 10
        self.bets_this_hand = 0

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.hand = player_hands
        self.big_blind = blind_amount
        self.bets_this_hand = 0

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        my_bet = round_state.player_bets.get(str(self.id), 0)
        to_call = min(max(round_state.current_bet - my_bet, 0), remaining_chips)
        if round_state.round_num == 0:
            return self.before_flop(round_state, to_call, remaining_chips)
        return self.after_flop(round_state, to_call, remaining_chips)

    def before_flop(self, state, to_call, chips):
        value = self.card_value()
        # With a short stack there is no room for play: all-in with a fair hand, or nothing.
        if chips <= 12 * self.big_blind:
            return (PokerAction.ALL_IN, 0) if value >= 18 else self.give_up(to_call)
        if state.current_bet <= self.big_blind:
            if value >= 15 or self.bluff(0.5):
                return self.raise_by(state, to_call + 2 * self.big_blind, to_call)
            return self.give_up(to_call)
        steps = state.current_bet / self.big_blind
        if value >= 24 and (steps <= 15 or value >= 32):
            return self.raise_by(state, to_call + 2 * state.current_bet, to_call)
        if value >= 19 and steps <= 6 or value >= 26 and steps <= 25:
            return self.call(to_call)
        if steps <= 4 and self.bluff(0.15):
            return self.raise_by(state, to_call + 2 * state.current_bet, to_call)
        return self.give_up(to_call)

    def after_flop(self, state, to_call, chips):
        strength = self.strength(state.community_cards)
        if to_call == 0:
            if strength >= 2 or self.bluff((0.8, 0.6, 0.45)[state.round_num - 1]):
                return self.raise_by(state, 3 * state.pot // 4, 0)
            return PokerAction.CHECK, 0
        price = to_call / (state.pot + to_call)
        if strength >= 4 or (strength == 3 and to_call <= 20 * self.big_blind):
            return self.raise_by(state, to_call + state.pot, to_call)
        if strength == 3 and to_call <= chips // 3:
            return self.call(to_call)
        if strength == 2 and price <= 0.45 and to_call <= 30 * self.big_blind:
            return self.call(to_call)
        if strength == 1 and price <= 0.28 and to_call <= 12 * self.big_blind:
            # A small pair or a draw may still get better, so this is the place to bluff with a raise.
            if self.bluff(0.3):
                return self.raise_by(state, to_call + state.pot, to_call)
            return self.call(to_call)
        return self.give_up(to_call)

    def bluff(self, chance):
        """True that often; scaled by how well betting works, and at most three bets a hand are bluffs."""
        if self.bets_this_hand >= 3:
            return False
        # A bet of 3/4 pot pays for itself when everybody folds 43 times in 100.
        success = (self.record.share() - 0.2) / 0.3
        return self.random.random() < chance * min(1.0, max(0.0, success))

    def card_value(self):
        """Worth of the two hole cards before the flop: about 5 (7-2) to 41 (a pair of aces)."""
        low, high = sorted(RANKS.index(card[0]) for card in self.hand)
        if low == high:
            return 17 + 2 * high
        suited = self.hand[0][1] == self.hand[1][1]
        return high + low + 3 * suited + max(0, 4 - (high - low)) - 1

    def strength(self, board):
        """0 nothing, 1 small pair or draw to a flush, 2 top pair, 3 two pair, 4 three of a kind, straight, flush or more."""
        mine = [RANKS.index(card[0]) for card in self.hand]
        shared = [RANKS.index(card[0]) for card in board]
        everything = mine + shared
        counts = sorted((everything.count(rank) for rank in set(mine)), reverse=True)
        suited = max(sum(card[1] == own[1] for card in [*board, *self.hand]) for own in self.hand)
        if counts[0] >= 3 or suited >= 5 or (self.straight(everything) and not self.straight(shared)):
            return 4
        if counts == [2, 2]:
            return 3
        if counts[0] == 2:
            paired = next(rank for rank in mine if everything.count(rank) == 2)
            return 2 if paired >= max(shared) else 1
        return 1 if suited == 4 and len(board) < 5 else 0

    def straight(self, ranks):
        present = set(ranks) | ({-1} if 12 in ranks else set())
        return any(all(low + step in present for step in range(5)) for low in range(-1, 9))

    def raise_by(self, state, chips_to_add, to_call):
        """A RAISE of about that many chips, or a call where no raise is possible."""
        if state.min_raise <= 0 or state.max_raise <= to_call:
            return self.call(to_call)
        self.bets_this_hand += 1
        return PokerAction.RAISE, max(state.min_raise, min(chips_to_add, state.max_raise))

    def call(self, to_call):
        return (PokerAction.CALL, 0) if to_call else (PokerAction.CHECK, 0)

    def give_up(self, to_call):
        return (PokerAction.FOLD, 0) if to_call else (PokerAction.CHECK, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        if self.bets_this_hand > 0:
            # Whoever has not folded is in active_players_hands; alone there and ahead: our bet took the pot.
            alone = list(active_players_hands) == [str(self.id)]
            self.record.add(alone and player_score > 0)
