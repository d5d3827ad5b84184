"""A starting bot: plays good hands before the flop and bets what it has made after it.

The platform creates one SimplePlayer for the whole match and calls its methods. What belongs to one hand is set in on_start.
"""

from typing import Dict, List, Optional, Tuple

from bot import Bot
from type.poker_action import PokerAction
from type.round_state import RoundStateClient

RANKS = "23456789TJQKA"
GOOD = 0.62
"""Strength from which the bot raises."""


def before_the_flop(cards: List[str]) -> float:
    """Returns the strength of two hole cards from 0 to 1."""
    high, low = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    strength = (high + low) / 40
    if high == low:
        strength += 0.35
    if cards[0][1] == cards[1][1]:
        strength += 0.08
    if 0 < high - low <= 2:
        strength += 0.06
    return min(1.0, strength)


def after_the_flop(cards: List[str], board: List[str]) -> float:
    """Returns the strength of what hole cards and board make, from 0 to 1. Counts pairs, trips and flushes; straights are left to you."""
    ranks = [card[0] for card in board]
    suits = [card[1] for card in cards + board]
    best = 0.25 + RANKS.index(max((card[0] for card in cards), key=RANKS.index)) / 100
    if cards[0][0] == cards[1][0]:
        best = 0.9 if cards[0][0] in ranks else 0.55
    for card in cards:
        same = ranks.count(card[0])
        if same >= 2:
            best = max(best, 0.9)
        elif same == 1:
            above = sum(RANKS.index(rank) > RANKS.index(card[0]) for rank in ranks)
            best += 0.35 if above == 0 else 0.2
    if any(suits.count(suit) >= 5 for suit in (cards[0][1], cards[1][1])):
        best = max(best, 0.95)
    return min(1.0, best)


class SimplePlayer(Bot):
    """The platform looks for this class."""

    def __init__(self) -> None:
        super().__init__()
        self.hand: List[str] = []
        self.big_blind = 0

    def on_start(
        self,
        starting_chips: int,
        player_hands: List[str],
        blind_amount: int,
        big_blind_player_id: Optional[int],
        small_blind_player_id: Optional[int],
        all_players: List[int],
    ) -> None:
        """Remembers the cards: this is the only call that has them."""
        self.hand = player_hands
        self.big_blind = blind_amount

    def on_round_start(self, round_state: RoundStateClient, remaining_chips: int) -> None:
        """Nothing to do when a street begins."""

    def get_action(self, round_state: RoundStateClient, remaining_chips: int) -> Tuple[PokerAction, int]:
        """Raises good hands, calls when the price is right, and folds the rest."""
        my_bet = round_state.player_bets.get(str(self.id), 0)
        to_call = round_state.current_bet - my_bet
        strength = self.strength(round_state.community_cards)
        # min_raise is 0 where a raise is not allowed. A raise above 8 big blinds is left to stronger bots.
        if strength >= GOOD and 0 < round_state.min_raise and to_call <= 8 * self.big_blind:
            wanted = max(round_state.min_raise, round_state.pot // 2)
            return PokerAction.RAISE, min(wanted, round_state.max_raise)
        if to_call <= 0:
            return PokerAction.CHECK, 0
        # The share of the pot that the call costs must be below the share that the hand wins.
        price = to_call / (round_state.pot + to_call)
        # A call for most of the chips needs a hand that wins most of the time.
        needed = 0.85 if 2 * to_call > remaining_chips else price + 0.15
        if strength > needed:
            return PokerAction.CALL, 0
        return PokerAction.FOLD, 0

    def strength(self, board: List[str]) -> float:
        """Returns how good the hand is, from 0 to 1."""
        return after_the_flop(self.hand, board) if board else before_the_flop(self.hand)

    def on_end_round(self, round_state: RoundStateClient, remaining_chips: int) -> None:
        """Nothing to do when a street ends."""

    def on_end_game(
        self,
        round_state: RoundStateClient,
        player_score: float,
        all_scores: Dict[str, int],
        active_players_hands: Dict[str, List[str]],
    ) -> None:
        """Nothing to do when a hand ends. A bot that learns would look at active_players_hands here."""
