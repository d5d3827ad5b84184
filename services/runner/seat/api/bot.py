"""The base class of every bot: `class SimplePlayer(Bot)` in player.py.

One instance plays the whole match. A "game" is one hand, a "round" one street, amounts are whole chips, cards are like "Td".
"""

from abc import ABC, abstractmethod
from typing import Dict, List, Optional, Tuple

from type.poker_action import PokerAction
from type.round_state import RoundStateClient


class Bot(ABC):
    """A player. Bots implement every method except set_id."""

    def __init__(self) -> None:
        self.id: Optional[int] = None

    def set_id(self, player_id: int) -> None:
        """Sets the bot's own id. Called before every hand."""
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
        """Called when a hand begins, with the chips before the blinds, the bot's cards, the big blind, who posts, and all ids of the match."""

    @abstractmethod
    def on_round_start(self, round_state: RoundStateClient, remaining_chips: int) -> None:
        """Called when a street begins."""

    @abstractmethod
    def get_action(self, round_state: RoundStateClient, remaining_chips: int) -> Tuple[PokerAction, int]:
        """Returns the decision: an action and an amount, which is the chips to add now for RAISE and is ignored otherwise."""

    @abstractmethod
    def on_end_round(self, round_state: RoundStateClient, remaining_chips: int) -> None:
        """Called when a street ends."""

    @abstractmethod
    def on_end_game(
        self,
        round_state: RoundStateClient,
        player_score: float,
        all_scores: Dict[str, int],
        active_players_hands: Dict[str, List[str]],
    ) -> None:
        """Called when a hand ends, with the bot's net chips of this hand, everybody's by id, and the cards of all who did not fold."""
