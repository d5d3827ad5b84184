"""Needs little processor time: before the flop scores the two cards, after it counts pairs with the board."""

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"


class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.cards = []
        self.big_blind = 10

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.cards = player_hands
        self.big_blind = blind_amount

    def on_round_start(self, round_state, remaining_chips):
        pass

    def score(self):
        high, low = sorted((RANKS.index(card[0]) for card in self.cards), reverse=True)
        if high == low:
            return 20 + high
        suited = self.cards[0][1] == self.cards[1][1]
        return high + low / 2 + (2 if suited else 0) + (1 if high - low == 1 else 0)

    def get_action(self, state, remaining_chips):
        owed = state.current_bet - state.player_bets.get(str(self.id), 0)
        if state.round == "Preflop":
            strong, fair = self.score() >= 21, self.score() >= 13
        else:
            ranks = [card[0] for card in state.community_cards]
            matches = sum(ranks.count(card[0]) for card in self.cards)
            strong, fair = matches >= 2, matches == 1
        if strong and state.min_raise <= state.max_raise and owed <= 8 * self.big_blind:
            return PokerAction.RAISE, max(state.min_raise, min(state.max_raise, owed + state.pot // 2))
        if owed <= 0:
            return PokerAction.CHECK, 0
        if strong or (fair and owed <= 3 * self.big_blind):
            return PokerAction.CALL, 0
        return PokerAction.FOLD, 0

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
