"""Replays hands of the engine with pokerkit and reports differences.

Reads one hand per line from standard input (the JSON of `PlayedHand` in random-hand.ts). Prints one JSON object per difference,
`{"id", "difference"}`, and at the end `{"hands", "compared", "exceptions"}`.

pokerkit determines the order of the actors, the chips to call, the limits of a raise, the pots with their eligible seats and the
payouts. eval7 ranks the hands, because pokerkit's own evaluator takes three quarters of the time; every 50th hand uses pokerkit's
evaluator. Where pokerkit applies other rules (EXCEPTIONS), only reference.py is compared.
"""

import json
import sys
import warnings
from typing import Any, Dict, Iterable, List, Optional, Tuple

import eval7
from pokerkit import Automation, BettingStructure, Card, Opening, StandardHighHand, State, Street
from reference import ALL_IN, FOLD, RAISE, Reference, positions

EXCEPTIONS = {
    "short-big-blind": "pokerkit lowers the bet to call to the chips that a short big blind posted; TDA: the full big blind",
    "equal-blinds-heads-up": "with equal blinds heads-up pokerkit takes the big blind for the opener",
    "uncallable-raise": "pokerkit refuses a raise that nobody can call; here it is legal and the uncalled part is returned",
    "free-fold": "pokerkit refuses a fold where a check is free; here a fold is a fold",
    "reopening": "pokerkit adds up short all-ins for the whole table, and treats the first all-in of a street as a full bet; TDA rule 47: for each player",
    "odd-chips": "pokerkit gives all odd chips of a pot to one winner and merges pots of the same winners; TDA rule 20: one each",
}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PULLING,
)
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
CARDS = {code: next(Card.parse(code)) for code in CODES}
FAST = {repr(card): eval7.Card(code) for code, card in CARDS.items()}
OWN_EVALUATOR_EVERY = 50


class FastHand:
    """A hand type of pokerkit that ranks seven cards by eval7."""

    low = False

    @staticmethod
    def from_game(hole: Iterable[Card], board: Iterable[Card] = ()) -> int:
        """Returns a number that is higher for a better hand."""
        cards = [FAST[repr(card)] for card in hole] + [FAST[repr(card)] for card in board]
        if len(cards) < 5:
            raise ValueError("fewer than five cards")
        return eval7.evaluate(cards)


class Difference(Exception):
    """A difference between the engine and its oracles."""


def expect_equal(label: str, engine: object, oracle: object) -> None:
    """Raises Difference unless both values are equal."""
    if engine != oracle:
        raise Difference(f"{label}: the engine has {engine}, the oracle {oracle}")


def streets(big: int) -> Tuple[Street, ...]:
    """Returns the four betting rounds, without burn cards: the engine's deck has none."""
    board = [((False, False), 0), ((), 3), ((), 1), ((), 1)]
    return tuple(Street(False, hole, cards, False, Opening.POSITION, big, None) for hole, cards in board)


class Table:
    """A hand in pokerkit. Translates between pokerkit's players, who are numbered from the first one behind the button, and the engine's seats."""

    def __init__(self, hand: Dict[str, Any], own_evaluator: bool) -> None:
        stacks = hand["stacks"]
        dealt = [seat for seat in range(len(stacks)) if stacks[seat] > 0]
        small, big = hand["blinds"]
        heads_up = len(dealt) == 2
        dead = hand["smallBlindSeat"] not in dealt
        first = hand["bigBlindSeat"] if heads_up or dead else hand["smallBlindSeat"]
        start = dealt.index(first)
        self.seats = dealt[start:] + dealt[:start]
        self.deck = hand["deck"]
        self.dealt = 0
        # pokerkit uses only `from_game` of a hand type.
        evaluator: Any = StandardHighHand if own_evaluator else FastHand
        # pokerkit itself exchanges the blinds of heads-up players.
        blinds = [*([] if dead else [small]), big, *([0] * (len(dealt) - 2 + dead))]
        players = [stacks[seat] for seat in self.seats]
        # Only the cards that may be dealt, because pokerkit searches its deck for each card.
        deck = tuple(self.card(index) for seat in self.seats for index in (2 * seat, 2 * seat + 1))
        deck += tuple(self.card(index) for index in range(12, 17))
        self.state = State(
            AUTOMATIONS, deck, (evaluator,), streets(big), BettingStructure.NO_LIMIT, True, 0, blinds, 0, players, len(players)
        )
        self.pots: List[Tuple[int, List[int]]] = []

    def card(self, index: int) -> Card:
        """Returns a card of the deck."""
        return CARDS[self.deck[2 * index : 2 * index + 2]]

    def proceed(self) -> None:
        """Deals cards, skips checks without an opponent to bet against, and pushes pots, until a player has to act or the hand is over."""
        state = self.state
        while state.status:
            if state.can_deal_hole():
                seat = self.seats[state.hole_dealee_index or 0]
                state.deal_hole((self.card(2 * seat), self.card(2 * seat + 1)))
            elif state.can_deal_board():
                count = 3 if self.dealt == 0 else 1
                state.deal_board(tuple(self.card(12 + self.dealt + index) for index in range(count)))
                self.dealt += count
            elif state.can_show_or_muck_hole_cards():
                self.pots = self.pots or self.open_pots()
                state.show_or_muck_hole_cards(True)
            elif state.can_push_chips():
                state.push_chips()
            elif self.is_lonely():
                state.check_or_call()
            else:
                return

    def open_pots(self) -> List[Tuple[int, List[int]]]:
        """Returns the pots at the showdown, before pokerkit removes losers from them."""
        return [(pot.amount, sorted(self.seats[player] for player in pot.player_indices)) for pot in self.state.pots]

    def is_lonely(self) -> bool:
        """Returns whether the actor may check and has no opponent with chips. The engine requests no action from such a seat."""
        state = self.state
        actor = state.actor_index
        return state.checking_or_calling_amount == 0 and all(
            player == actor or not state.statuses[player] or state.stacks[player] == 0 for player in state.player_indices
        )

    def limits(self) -> Tuple[int, int, Optional[int], Optional[int]]:
        """Returns the seat to act, the chips to call, and the limits of a raise in chips to add."""
        state = self.state
        actor = state.actor_index
        if actor is None:
            raise Difference("the engine waits for an action, pokerkit's hand is over")
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        bet = state.bets[actor]
        return (
            self.seats[actor],
            state.checking_or_calling_amount or 0,
            None if low is None else low - bet,
            None if high is None else high - bet,
        )

    def act(self, kind: int, chips: int, raises: bool) -> None:
        """Applies an action of the engine."""
        state = self.state
        if kind == FOLD:
            state.fold()
        elif raises:
            state.complete_bet_or_raise_to(state.bets[state.actor_index or 0] + chips)
        else:
            state.check_or_call()


class Comparison:
    """Compares hands, and counts those in which pokerkit applies other rules."""

    def __init__(self) -> None:
        self.hands = 0
        self.compared = 0
        self.exceptions = {name: 0 for name in EXCEPTIONS}

    def compare(self, hand: Dict[str, Any]) -> None:
        """Compares one hand. Raises the first Difference."""
        self.hands += 1
        seats = hand["button"], hand["smallBlindSeat"], hand["bigBlindSeat"]
        expect_equal("button, small blind and big blind", seats, positions(hand["dealtIn"], len(hand["stacks"])))
        reference = Reference(hand)
        reasons = self.reasons_before(hand)
        table = None if reasons else Table(hand, self.hands % OWN_EVALUATOR_EVERY == 0)
        if table is not None:
            table.proceed()
        street_board = 0
        for number, step in enumerate(hand["steps"], 1):
            where = f"action {number} of seat {step['seat']}"
            if step["board"] != street_board:
                street_board = step["board"]
                reference.open_street()
            try:
                table = self.compare_step(step, reference, table, reasons)
            except Difference as difference:
                raise Difference(f"{where}: {difference}") from None
        self.compare_end(hand, reference, table, reasons)
        for reason in reasons:
            self.exceptions[reason] += 1
        self.compared += table is not None

    def reasons_before(self, hand: Dict[str, Any]) -> List[str]:
        """Returns the reasons for which a hand cannot be compared with pokerkit at all."""
        small, big = hand["blinds"]
        if hand["stacks"][hand["bigBlindSeat"]] < big:
            return ["short-big-blind"]
        heads_up = sum(chips > 0 for chips in hand["stacks"]) == 2
        return ["equal-blinds-heads-up"] if heads_up and small == big else []

    def compare_step(self, step: Dict[str, Any], reference: Reference, table: Optional[Table], reasons: List[str]) -> Optional[Table]:
        """Compares the legal actions before an action and the pots after it. Returns the table; None if pokerkit cannot continue the hand."""
        seat, kind, chips = step["seat"], step["kind"], step["amount"]
        engine = (step["toCall"], step["canCheck"], step["minRaise"], step["maxRaise"])
        expect_equal("chips to call, check, smallest and largest raise", engine, reference.limits(seat))
        uncallable = reference.others_covered(seat)
        raises = kind in (RAISE, ALL_IN) and chips > step["toCall"]
        if table is not None:
            actor, to_call, low, high = table.limits()
            expect_equal("seat to act", seat, actor)
            expect_equal("chips to call", step["toCall"], to_call)
            differs = (low or 0, high or 0) != (step["minRaise"], step["maxRaise"])
            if differs and not (low is None and (uncallable or reference.stacks[seat] <= step["toCall"])):
                # The reference agrees with the engine, so only rule 47 can be the reason for pokerkit's limits.
                if reference.may_raise(seat) == (low is not None):
                    raise Difference(f"raises from {step['minRaise']} to {step['maxRaise']}, pokerkit: from {low} to {high}")
                reasons.append("reopening")
                table = None
        if raises and uncallable:
            if "uncallable-raise" not in reasons:
                reasons.append("uncallable-raise")
            raises = False
        problem = reference.apply(seat, kind, chips)
        if problem is not None:
            raise Difference(problem)
        expect_equal("pots", [(pot["amount"], pot["eligible"]) for pot in step["pots"]], reference.pots(called_only=step["over"]))
        if table is not None and kind == FOLD and step["canCheck"]:
            reasons.append("free-fold")
            table = None
        if table is not None:
            table.act(kind, chips, raises)
            table.proceed()
        return table

    def compare_end(self, hand: Dict[str, Any], reference: Reference, table: Optional[Table], reasons: List[str]) -> None:
        """Compares the board, the pots and the payouts."""
        showdown = sum(reference.live) > 1
        deck = hand["deck"]
        strength = None
        if showdown:
            board = deck[24:34]
            strength = [
                eval7.evaluate([eval7.Card(text[index : index + 2]) for index in range(0, 14, 2)]) if reference.live[seat] else 0
                for seat, text in enumerate(deck[4 * seat : 4 * seat + 4] + board for seat in range(reference.seats))
            ]
        engine_pots = [(pot["amount"], pot["eligible"]) for pot in hand["pots"]]
        expect_equal("final pots", engine_pots, reference.pots(called_only=True))
        deltas, odd_chips = reference.deltas(strength, hand["stacks"])
        expect_equal("results", hand["deltas"], deltas)
        expect_equal("sum of results", sum(hand["deltas"]), 0)
        if table is None:
            return
        if table.state.status:
            raise Difference(f"the engine's hand is over, in pokerkit's seat {table.limits()[0]} is to act")
        expect_equal("board cards", hand["boardCards"], table.dealt)
        if showdown:
            expect_equal("final pots", engine_pots, table.pots)
        results = [0] * reference.seats
        for player, seat in enumerate(table.seats):
            results[seat] = table.state.stacks[player] - hand["stacks"][seat]
        if results == hand["deltas"]:
            return
        if odd_chips <= 1 or max(abs(a - b) for a, b in zip(results, hand["deltas"])) > odd_chips:
            expect_equal("results", hand["deltas"], results)
        reasons.append("odd-chips")


def main() -> None:
    """Compares the hands read from standard input."""
    warnings.simplefilter("ignore")
    comparison = Comparison()
    for line in sys.stdin:
        hand = json.loads(line)
        try:
            comparison.compare(hand)
        except Difference as difference:
            print(json.dumps({"id": hand["id"], "difference": str(difference)}), flush=True)
        except (AssertionError, IndexError, KeyError, TypeError, ValueError) as error:
            print(json.dumps({"id": hand["id"], "difference": f"pokerkit raised {type(error).__name__}: {error}"}), flush=True)
    print(json.dumps({"hands": comparison.hands, "compared": comparison.compared, "exceptions": comparison.exceptions}))


if __name__ == "__main__":
    main()
