"""The class every bot extends: `class SimplePlayer(Bot)` in player.py.

One instance plays the whole match. A "game" is one hand, a "round" one street, amounts are whole chips, cards are like "Td".
"""

from abc import ABC, abstractmethod
from typing import Dict, List, Optional, Tuple

from type.poker_action import PokerAction
from type.round_state import RoundStateClient


class Bot(ABC):
    """A player; every method but set_id is the bot author's to write."""

    def __init__(self) -> None:
        self.id = None

    def set_id(self, player_id: int) -> None:
        """Tell the bot its own id; called before every hand."""
        self.id = player_id

    @abstractmethod
    def on_start(
        self,
        starting_chips: int,
        player_hands: List[str],
        blind_amount: int,
        big_blind_player_id: Optional[int],
        small_blind_player_id: Optional[int],
        all_players: List[int],
    ) -> None:
        """A hand begins: chips before the blinds, own two cards, the big blind, who posts, all ids of the match."""

    @abstractmethod
    def on_round_start(self, round_state: RoundStateClient, remaining_chips: int) -> None:
        """A street begins."""

    @abstractmethod
    def get_action(self, round_state: RoundStateClient, remaining_chips: int) -> Tuple[PokerAction, int]:
        """Decide: an action and an amount; for RAISE the chips to add now, otherwise ignored."""

    @abstractmethod
    def on_end_round(self, round_state: RoundStateClient, remaining_chips: int) -> None:
        """A street is over."""

    @abstractmethod
    def on_end_game(
        self,
        round_state: RoundStateClient,
        player_score: float,
        all_scores: Dict[str, int],
        active_players_hands: Dict[str, List[str]],
    ) -> None:
        """A hand is over: own net chips of this hand, everybody's by id, and the cards of all who did not fold."""
