"""Actions and streets."""

from enum import Enum


class PokerAction(Enum):
    """Actions of a player."""

    FOLD = 1
    CHECK = 2
    CALL = 3
    RAISE = 4
    ALL_IN = 5


class PokerRound(Enum):
    """The betting rounds (streets) of a hand."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3
