"""Pure Python: counts the actions of every opponent and adapts its thresholds to them."""

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Dict, List

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"


@dataclass
class Opponent:
    actions: Counter = field(default_factory=Counter)

    def aggression(self) -> float:
        calm = self.actions["call"] + self.actions["check"] + 1
        return (self.actions["raise"] + self.actions["all_in"]) / calm


class SimplePlayer(Bot):
    def __init__(self):
        super().__init__()
        self.cards: List[str] = []
        self.opponents: Dict[str, Opponent] = defaultdict(Opponent)
        self.results: List[float] = []
        self.random = random.Random(7)

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.cards = player_hands
        self.blind = blind_amount

    def on_round_start(self, round_state, remaining_chips):
        pass

    def strength(self, board: List[str]) -> float:
        ranks = Counter(card[0] for card in self.cards + board)
        suits = Counter(card[1] for card in self.cards + board)
        own = {card[0] for card in self.cards}
        pairs = sum(1 for rank, count in ranks.items() if count >= 2 and rank in own)
        best = max(count for rank, count in ranks.items() if rank in own)
        high = max(RANKS.index(card[0]) for card in self.cards) / 12
        flush = 0.5 if max(suits.values()) >= 5 else 0.0
        return min(1.0, 0.25 * high + 0.25 * pairs + 0.2 * (best - 1) + flush)

    def get_action(self, state, remaining_chips):
        for player, action in state.player_actions.items():
            if player != str(self.id):
                self.opponents[player].actions[action.lower()] += 1
        owed = state.current_bet - state.player_bets.get(str(self.id), 0)
        strength = self.strength(state.community_cards)
        pressure = max((one.aggression() for one in self.opponents.values()), default=0.0)
        price = owed / (state.pot + owed) if owed > 0 else 0.0
        if strength > 0.6 + 0.1 * self.random.random() and state.min_raise <= state.max_raise and owed <= 10 * self.blind:
            return PokerAction.RAISE, max(state.min_raise, min(state.max_raise, owed + int(0.6 * state.pot)))
        if owed <= 0:
            return PokerAction.CHECK, 0
        return (PokerAction.CALL, 0) if strength + 0.05 * min(pressure, 2.0) > price + 0.15 else (PokerAction.FOLD, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        self.results.append(player_score)
