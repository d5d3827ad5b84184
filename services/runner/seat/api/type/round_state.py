"""The state of the table that a bot receives."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional


@dataclass
class RoundStateClient:
    """The public state of a street. Ids are ints in lists and strings as keys of dicts; chips are ints."""

    round_num: int
    round: str
    community_cards: List[str]
    pot: int
    current_player: List[int]
    current_bet: int
    min_raise: int
    max_raise: int
    player_bets: Dict[str, int]
    player_actions: Dict[str, str]
    player_money: Optional[Dict[str, int]] = None
    side_pots: Optional[List[Dict[str, Any]]] = None

    @classmethod
    def from_message(cls, message: Dict[str, Any]) -> "RoundStateClient":
        """Creates a state from a dict with the names of the fields; side_pots and player_money may be absent."""
        return cls(
            message["round_num"],
            message["round"],
            message["community_cards"],
            message["pot"],
            message["current_player"],
            message["current_bet"],
            message["min_raise"],
            message["max_raise"],
            message["player_bets"],
            message["player_actions"],
            message.get("player_money"),
            message.get("side_pots", []),
        )
