"""A small implementation of the poker rules of the platform. It shares no code with the engine or pokerkit."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

FOLD, CHECK, CALL, RAISE, ALL_IN = 1, 2, 3, 4, 5

Pots = List[Tuple[int, List[int]]]


def positions(dealt_in: Sequence[Sequence[int]], seats: int) -> Tuple[int, int, int]:
    """Returns button, small blind and big blind of the last hand of a match, given the seats with chips in each hand.

    Moves three markers as a dealer does (TDA 2019, rule 32): the button to where the small blind's marker was, that to where the big blind's
    was, and that to the next player. Heads-up the button is the small blind (rule 34).
    """
    button, small, big = dealt_in[0][-1], dealt_in[0][0], dealt_in[0][1]
    for hand, players in enumerate(dealt_in):
        if hand > 0:
            button, small, big = small, big, next(seat for step in range(1, seats + 1) for seat in players if seat == (big + step) % seats)
        if len(players) == 2:
            button = small = next(seat for seat in players if seat != big)
    return button, small, big


class Reference:
    """The chips and raise limits of one hand, by TDA rules: betting is reopened for each player (rule 47), and a short big blind does not lower the bet to call."""

    def __init__(self, hand: Dict[str, Any]) -> None:
        small, big = hand["blinds"]
        self.stacks = list(hand["stacks"])
        self.seats = len(self.stacks)
        self.button = hand["button"]
        self.big = big
        self.total = [0] * self.seats
        self.live = [chips > 0 for chips in self.stacks]
        self.bets = [0] * self.seats
        self.acted: Dict[int, int] = {}
        self.bet = self.raise_size = big
        # Nothing if the small blind is dead.
        self.pay(hand["smallBlindSeat"], min(small, self.stacks[hand["smallBlindSeat"]]))
        self.pay(hand["bigBlindSeat"], min(big, self.stacks[hand["bigBlindSeat"]]))

    def pay(self, seat: int, chips: int) -> None:
        """Moves chips from a stack into the pot."""
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        self.total[seat] += chips

    def open_street(self) -> None:
        """Starts the next betting round."""
        self.bets = [0] * self.seats
        self.bet, self.raise_size = 0, self.big
        self.acted = {}

    def may_raise(self, seat: int) -> bool:
        """Returns whether a seat may raise."""
        return seat not in self.acted or self.bet - self.acted[seat] >= self.raise_size

    def limits(self, seat: int) -> Tuple[int, bool, int, int]:
        """Returns the chips to call, whether a check is legal, and the smallest and largest raise in chips to add (0: no raise)."""
        stack, owed = self.stacks[seat], self.bet - self.bets[seat]
        if not self.may_raise(seat):
            return min(owed, stack), owed == 0, 0, 0
        return min(owed, stack), owed == 0, min(owed + self.raise_size, stack), stack

    def others_covered(self, seat: int) -> bool:
        """Returns whether no other live seat can call more than the bet."""
        return all(
            other == seat or not self.live[other] or self.bets[other] + self.stacks[other] <= self.bet for other in range(self.seats)
        )

    def apply(self, seat: int, kind: int, chips: int) -> Optional[str]:
        """Applies an action. Returns a description if the action is illegal, otherwise None."""
        to_call, free, low, high = self.limits(seat)
        legal = {
            FOLD: chips == 0,
            CHECK: free and chips == 0,
            CALL: chips == to_call and 0 < chips < self.stacks[seat],
            RAISE: low <= chips < high,
            ALL_IN: chips == self.stacks[seat] and (chips <= to_call or high > 0),
        }
        if not legal.get(kind, False):
            return f"action {kind} of {chips} chips is illegal: {to_call} to call, raises from {low} to {high}"
        if kind == FOLD:
            self.live[seat] = False
        else:
            self.pay(seat, chips)
            self.raise_size = max(self.raise_size, self.bets[seat] - self.bet)
            self.bet = max(self.bet, self.bets[seat])
        self.acted[seat] = self.bet
        return None

    def pots(self, called_only: bool) -> Pots:
        """Returns the pots. `called_only`: without the uncalled part of the largest bet."""
        total = list(self.total)
        if called_only:
            largest, second = sorted(total, reverse=True)[:2]
            total = [min(chips, second) if chips == largest else chips for chips in total]
        pots: Pots = []
        floor = 0
        for level in sorted({total[seat] for seat in range(self.seats) if self.live[seat] and total[seat] > 0}):
            amount = sum(min(chips, level) - min(chips, floor) for chips in total)
            pots.append((amount, [seat for seat in range(self.seats) if self.live[seat] and total[seat] >= level]))
            floor = level
        return pots

    def deltas(self, strength: Optional[Sequence[int]], start: Sequence[int]) -> Tuple[List[int], int]:
        """Returns the net result of each seat, and the number of odd chips. `strength`: rank of each seat's hand; None if all others folded."""
        largest, second = sorted(self.total, reverse=True)[:2]
        chips = [stack + (largest - second if total == largest else 0) for stack, total in zip(self.stacks, self.total)]
        odd_chips = 0
        for amount, eligible in self.pots(called_only=True):
            best = max(strength[seat] for seat in eligible) if strength else 0
            winners = [seat for seat in eligible if not strength or strength[seat] == best]
            winners.sort(key=lambda seat: (seat - self.button - 1) % self.seats)
            share, odd = divmod(amount, len(winners))
            odd_chips += odd
            for place, seat in enumerate(winners):
                chips[seat] += share + (place < odd)
        return [after - before for after, before in zip(chips, start)], odd_chips
