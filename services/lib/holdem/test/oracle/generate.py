"""Writes pokerkit.jsonl: seeded random hands played by pokerkit, the oracle of oracle.test.ts.

Run in any environment with pokerkit 0.7.7:  python generate.py

The generator skips hands to which pokerkit applies other rules:
- A big blind is posted short: pokerkit lowers the bet to call.
- Blinds are equal heads-up: pokerkit lets the big blind act first.
- More than one pot has odd chips, or one pot has several: pokerkit merges pots with the same winners and gives all odd chips to one player.
- A player who has acted may raise in pokerkit although the bet has grown by less than a full raise since (TDA rule 47): pokerkit
  treats the first all-in of a street as a full bet however short it is, and adds up short all-ins for the table instead of for each player.
pokerkit also requests a check from a seat that has nobody left to bet against. That check is played, but not recorded.
"""

import json
import random
from pathlib import Path
from typing import Any

from pokerkit import Automation, NoLimitTexasHoldem

HANDS = 700
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "hdcs"]
FOLD, CHECK, CALL, RAISE, ALL_IN = 1, 2, 3, 4, 5
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class NoOracle(Exception):
    """Raised when pokerkit applies another rule than the engine, so that the hand is skipped."""


class Ledger:
    """Chips and actions of a hand, to detect where pokerkit applies other rules."""

    def __init__(self, bets: list[int], big: int) -> None:
        self.put = list(bets)
        self.big = big
        self.shares = {1}
        self.open_street()
        self.bet = big

    def open_street(self) -> None:
        """Starts a betting round."""
        self.bet, self.raise_size = 0, self.big
        self.acted: dict[int, int] = {}

    def may_raise(self, player: int) -> bool:
        """Returns whether a player may raise (TDA rule 47)."""
        return player not in self.acted or self.bet - self.acted[player] >= self.raise_size

    def act(self, player: int, chips: int, street_bet: int) -> None:
        """Records an action after which the player has this bet on the street."""
        self.put[player] += chips
        self.raise_size = max(self.raise_size, street_bet - self.bet)
        self.bet = max(self.bet, street_bet)
        self.acted[player] = self.bet

    def split(self, amount: int, shares: int) -> tuple[int, int]:
        """Divides a pot among `shares` winners and records their number; pokerkit calls this for each pot."""
        self.shares.add(shares)
        return divmod(amount, shares)

    def check_odd_chips(self, live: list[int]) -> None:
        """Raises NoOracle when pokerkit would assign the odd chips of the pots differently."""
        floor, odd = 0, 0
        levels = sorted({self.put[player] for player in live})
        for level in levels:
            layer = sum(min(chips, level) - min(chips, floor) for chips in self.put)
            odd += max(layer % shares for shares in self.shares)
            floor = level
        if odd > 1:
            raise NoOracle


def stacks_of(rng: random.Random, players: int, big: int) -> list[int]:
    """Returns stacks in pokerkit's order; the big blind's stack is at least the big blind."""
    style = rng.choice(["deep", "short", "mixed", "steps"])
    if style == "deep":
        stacks = [rng.randint(500, 10_000) for _ in range(players)]
    elif style == "short":
        stacks = [rng.randint(1, 8 * big) for _ in range(players)]
    elif style == "steps":
        stacks = [big * (1 + step) + rng.randint(0, big) for step in range(players)]
        rng.shuffle(stacks)
    else:
        stacks = [rng.choice([rng.randint(1, 5 * big), rng.randint(100, 2_000)]) for _ in range(players)]
    big_blind = 0 if players == 2 else 1
    stacks[big_blind] = max(stacks[big_blind], big)
    return stacks


def deck_of(rng: random.Random) -> list[str]:
    """Returns a random deck; one in five has a board that makes ties likely."""
    deck = CODES[:]
    rng.shuffle(deck)
    if rng.random() < 0.2:
        ranks = rng.choice(["AKQJT", "98765", "AAKKQ", "TT999", "AKQJ9"])
        board = [rank + rng.choice("hdcs") for rank in ranks]
        if len(set(board)) == 5:
            deck = [card for card in deck if card not in board]
            deck[12:12] = board
    return deck


def decide(rng: random.Random, state: Any, ledger: Ledger, boldness: float) -> tuple[int, int, list[int | None]] | None:
    """Chooses and applies a legal action. Returns kind, chips added and the limits that pokerkit allowed; None for a check that the engine skips."""
    player = state.actor_index
    bet, stack = state.bets[player], state.stacks[player]
    to_call = state.checking_or_calling_amount
    low, high = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
    raising = low is not None and state.can_complete_bet_or_raise_to()
    if raising and not ledger.may_raise(player):
        raise NoOracle
    allowed = [to_call, low - bet if raising else None, high - bet if raising else None]
    draw = rng.random()
    if to_call > 0 and draw < 0.15:
        state.fold()
        return FOLD, 0, allowed
    if raising and draw > 1 - boldness:
        if rng.random() < 0.35:
            target = high
        elif rng.random() < 0.4:
            target = low
        else:
            target = min(high, low + rng.randint(0, 3 * low))
        state.complete_bet_or_raise_to(target)
        ledger.act(player, target - bet, target)
        return (ALL_IN if target - bet == stack else RAISE), target - bet, allowed
    others = [index for index in range(state.player_count) if index != player and state.statuses[index]]
    unopposed = to_call == 0 and all(state.stacks[index] == 0 for index in others)
    state.check_or_call()
    ledger.act(player, to_call, bet + to_call)
    if unopposed:
        return None
    if to_call == 0:
        return CHECK, 0, allowed
    return (ALL_IN if to_call == stack else CALL), to_call, allowed


def play(seed: int) -> dict[str, Any] | None:
    """Plays one hand; returns None when pokerkit applies another rule than the engine."""
    rng = random.Random(seed)
    players = rng.randint(2, 6)
    small, big = rng.choice([(5, 10), (5, 10), (1, 2), (7, 15), (1, 1) if players > 2 else (2, 4)])
    stacks = stacks_of(rng, players, big)
    deck = deck_of(rng)
    offset = rng.randrange(players)
    boldness = rng.choice([0.1, 0.3, 0.6])

    def seat(player: int) -> int:
        return (player + offset) % players

    blinds = [big, small] if players == 2 else [small, big, *([0] * (players - 2))]
    ledger = Ledger([min(blind, stack) for blind, stack in zip(blinds, stacks)], big)
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (small, big), big, tuple(stacks), players, divmod=ledger.split
    )
    actions: list[list[Any]] = []
    dealt = 0
    live = set(range(players))
    try:
        while state.status:
            if state.can_burn_card("??"):
                state.burn_card("??")
            elif state.can_deal_hole():
                index = 2 * seat(state.hole_dealee_index)
                state.deal_hole(deck[index] + deck[index + 1])
            elif state.can_deal_board():
                ledger.open_street()
                count = 3 if dealt == 0 else 1
                state.deal_board("".join(deck[12 + dealt : 12 + dealt + count]))
                dealt += count
            else:
                actor = state.actor_index
                decision = decide(rng, state, ledger, boldness)
                if decision is not None:
                    kind, amount, allowed = decision
                    actions.append([seat(actor), kind, amount, *allowed])
                    if kind == FOLD:
                        live.discard(actor)
        ledger.check_odd_chips(sorted(live))
    except NoOracle:
        return None
    by_seat = [0] * players
    deltas = [0] * players
    for player in range(players):
        by_seat[seat(player)] = stacks[player]
        deltas[seat(player)] = state.stacks[player] - stacks[player]
    heads_up = players == 2
    return {
        "stacks": by_seat,
        "button": seat(1 if heads_up else players - 1),
        "smallBlindSeat": seat(1 if heads_up else 0),
        "bigBlindSeat": seat(0 if heads_up else 1),
        "blinds": [small, big],
        "deck": "".join(deck[:17]),
        "boardCards": dealt,
        "actions": actions,
        "deltas": deltas,
    }


def main() -> None:
    """Plays seeds 1, 2, ... until there are enough hands."""
    hands: list[dict[str, Any]] = []
    seed = 0
    while len(hands) < HANDS:
        seed += 1
        hand = play(seed)
        if hand is not None:
            hands.append(hand)
    lines = "".join(json.dumps(hand, separators=(",", ":")) + "\n" for hand in hands)
    target = Path(__file__).with_name("pokerkit.jsonl")
    target.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
