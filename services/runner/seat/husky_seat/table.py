"""The bot's view of a table, built from events that name players by seat."""

from typing import Any, Dict, List, Tuple

from type.round_state import RoundStateClient

_STREETS = ("Preflop", "Flop", "Turn", "River")
_ACTIONS = {"F": "Fold", "K": "Check", "C": "Call", "R": "Raise", "A": "All In"}
# Far more than one match has; only a bound.
_MAX_KNOWN = 4096


class _Known(Dict[str, Any]):
    """Remembers what a text stands for. Bots get copies, because they may change or keep what they receive."""

    def __init__(self, ids: List[int]) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, text: str) -> Any:
        if len(self) >= _MAX_KNOWN:
            self.clear()
        known = self[text] = self.read(text)
        return known

    def read(self, text: str) -> Any:
        """Returns what a text stands for."""
        raise NotImplementedError


class _Lists(_Known):
    """Digits of seats -> the list of their ids."""

    def read(self, text: str) -> List[int]:
        return [self._ids[int(seat)] for seat in text]


class _Keys(_Known):
    """Digits of seats -> their ids as keys of dicts."""

    def read(self, text: str) -> List[str]:
        return [str(self._ids[int(seat)]) for seat in text]


class _Actions(_Known):
    """A letter for each seat, "-" for none -> action by id."""

    def read(self, text: str) -> Dict[str, str]:
        return {str(self._ids[seat]): _ACTIONS[letter] for seat, letter in enumerate(text) if letter != "-"}


class Table:
    """Builds what the methods of a bot receive. `ids`: the players' ids by seat."""

    def __init__(self, ids: List[int]) -> None:
        self.ids = list(ids)
        self._lists = _Lists(self.ids)
        self._keys = _Keys(self.ids)
        self._actions = _Actions(self.ids)
        self._all = "".join(map(str, range(len(ids))))

    def state(self, event: List[Any]) -> RoundStateClient:
        """Builds the view of a hand from `[kind, state, min_raise, max_raise, ...]`; player_money is None, as in the original platform."""
        street, cards, pot, waiting, bet, players, bets, actions, pots = event[1]
        lists = self._lists
        side_pots = []
        # Not a comprehension: this runs for every event, and before Python 3.12 a comprehension is a function call.
        for amount, eligible in pots:
            side_pots.append({"amount": amount, "eligible_players": lists[eligible].copy()})
        return RoundStateClient(
            street,
            _STREETS[street],
            cards,
            pot,
            lists[waiting].copy(),
            bet,
            event[2],
            event[3],
            dict(zip(self._keys[players], bets)),
            self._actions[actions].copy(),
            None,
            side_pots,
        )

    def end(self, event: List[Any]) -> Tuple[RoundStateClient, float, Dict[str, int], Dict[str, List[str]]]:
        """Builds the arguments of on_end_game from `["g", state, min_raise, max_raise, remaining, score, scores, shown, hands]`."""
        scores = dict(zip(self._keys[self._all], event[6]))
        return self.state(event), event[5], scores, dict(zip(self._keys[event[7]], event[8]))
