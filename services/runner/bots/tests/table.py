"""Random hands as a bot sees them, and a referee of its replies. Written only from the documented API."""

import importlib.util
import itertools
import random
import sys
from pathlib import Path

RUNNER = Path(__file__).resolve().parents[2]
BOTS = RUNNER / "bots"
FIXTURES = RUNNER / "fixtures" / "bots"
sys.path.insert(0, str(RUNNER / "seat" / "api"))

from type.poker_action import PokerAction  # noqa: E402
from type.round_state import RoundStateClient  # noqa: E402

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "hdcs"]
STREETS = ("Preflop", "Flop", "Turn", "River")
STACKS = (1, 2, 3, 7, 10, 11, 60, 500, 10_000, 23_456, 60_000)
BIG_BLINDS = (1, 2, 3, 10, 10, 10, 22, 640, 20_000)

numbers = itertools.count()


def load_player(path):
    """Returns a new SimplePlayer of this player.py, from a module that is loaded each time."""
    spec = importlib.util.spec_from_file_location(f"player_{next(numbers)}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[spec.name]
    return module.SimplePlayer()


class Hand:
    """One random hand of 2 to 6 players. The bot is the player `me`; the actions of the others are chosen as the hand goes on."""

    def __init__(self, rng):
        self.rng = rng
        seats = rng.randint(2, 6)
        self.ids = list(range(1, seats + 1)) if rng.random() < 0.5 else rng.sample(range(1, 2**32), seats)
        self.big_blind = rng.choice(BIG_BLINDS)
        dealt = rng.randint(2, seats)
        self.live = sorted(rng.sample(self.ids, dealt), key=self.ids.index)
        self.me = rng.choice(self.live)
        button = rng.randrange(dealt)
        # Heads-up the button posts the small blind.
        small = button if dealt == 2 else (button + 1) % dealt
        self.small_id, self.big_id = self.live[small], self.live[(small + 1) % dealt]
        cards = rng.sample(DECK, 2 * dealt + 5)
        self.board = cards[:5]
        self.hole = {player: cards[5 + 2 * place : 7 + 2 * place] for place, player in enumerate(self.live)}
        self.earlier = 0
        self.chips = {player: rng.choice(STACKS) for player in self.live}
        self.start_chips = dict(self.chips)

    def street_start(self, street):
        """Begins a street and returns its state. Call `request` for the decisions on it."""
        self.street = street
        self.bets = dict.fromkeys(self.live, 0)
        self.actions = {}
        if street == 0:
            for player, blind in ((self.small_id, max(1, self.big_blind // 2)), (self.big_id, self.big_blind)):
                self.add(player, blind)
        return self.state(0, 0)

    def add(self, player, chips):
        """Adds chips to a player's bet, at most its stack."""
        chips = min(chips, self.chips[player])
        self.chips[player] -= chips
        self.bets[player] += chips
        self.actions[player] = "Raise" if self.chips[player] else "All In"

    def request(self):
        """Returns the state of a decision on this street, after random bets of the others; None when the bot has folded or is all-in."""
        rng = self.rng
        if self.chips[self.me] == 0 or self.me not in self.live or self.actions.get(self.me) == "Fold":
            return None
        for player in self.live:
            if player != self.me and self.chips[player] and rng.random() < 0.6:
                self.add(player, rng.choice((1, self.big_blind, 3 * self.big_blind, self.pot(), self.chips[player])))
            elif player != self.me and self.chips[player] and rng.random() < 0.3:
                self.actions[player] = "Check"
        for player in self.live:
            if player != self.me and len(self.live) > 2 and rng.random() < 0.15:
                self.actions[player] = "Fold"
        current = max([*self.bets.values(), self.big_blind if self.street == 0 else 0])
        stack = self.chips[self.me]
        owed = current - self.bets[self.me]
        reopened = rng.random() < 0.85 or owed == 0
        step = rng.choice((self.big_blind, 2 * self.big_blind, current)) or 1
        return self.state(min(owed + step, stack) if reopened else 0, stack if reopened else 0)

    def state(self, min_raise, max_raise):
        """Returns the current state with these limits of a raise."""
        waiting = [player for player in self.live if self.chips[player] and self.actions.get(player) != "Fold"]
        self.rng.shuffle(waiting)
        return RoundStateClient.from_message(
            {
                "round_num": self.street,
                "round": STREETS[self.street],
                "community_cards": self.board[: (0, 3, 4, 5)[self.street]],
                "pot": self.pot(),
                "current_player": waiting,
                "current_bet": max([*self.bets.values(), self.big_blind if self.street == 0 else 0]),
                "min_raise": min_raise,
                "max_raise": max_raise,
                "player_bets": {str(player): bet for player, bet in self.bets.items()},
                "player_actions": {str(player): action for player, action in self.actions.items()},
                "player_money": None,
                "side_pots": [{"amount": self.pot(), "eligible_players": list(self.live)}],
            }
        )

    def pot(self):
        """Returns the chips in the pot of the hand."""
        return self.earlier + sum(self.bets.values())

    def street_end(self):
        """Ends the street and returns its state. The next street is without the players who folded."""
        state = self.state(0, 0)
        self.earlier += sum(self.bets.values())
        self.live = [player for player in self.live if self.actions.get(player) != "Fold"]
        return state


def apply(hand, action, amount):
    """Applies the bot's own legal action to the hand."""
    current = max([*hand.bets.values(), hand.big_blind if hand.street == 0 else 0])
    stack = hand.chips[hand.me]
    if action is PokerAction.FOLD:
        hand.actions[hand.me] = "Fold"
    elif action is PokerAction.CHECK:
        hand.actions[hand.me] = "Check"
    else:
        chips = {PokerAction.CALL: current - hand.bets[hand.me], PokerAction.RAISE: amount}.get(action, stack)
        hand.add(hand.me, chips)


def problem_of(state, player_id, remaining, answer):
    """Returns why an answer breaks the documented rules, or None.

    Stricter than the platform, which truncates fractions and lifts raises to the minimum.
    """
    if not isinstance(answer, tuple) or len(answer) != 2:
        return "no pair"
    action, amount = answer
    if not isinstance(action, PokerAction):
        return "no PokerAction"
    if type(amount) is not int or amount < 0:
        return f"amount of type {type(amount).__name__} or below zero"
    owed = state.current_bet - state.player_bets.get(str(player_id), 0)
    if action is PokerAction.CHECK and owed > 0:
        return f"check facing {owed}"
    if action is PokerAction.FOLD and owed == 0:
        return "fold where checking is free"
    if action is PokerAction.RAISE:
        if state.min_raise <= 0:
            return "raise although betting was not reopened"
        if not state.min_raise <= amount <= state.max_raise:
            return f"raise of {min(amount, 10**12)}, legal {state.min_raise}..{state.max_raise}"
        if amount <= owed:
            return f"raise of {amount} with {owed} to call"
    return None


def play(bot, seed, ask):
    """Plays one random hand with every callback in order. `ask(bot, state, remaining)` returns each decision."""
    rng = random.Random(seed)
    hand = Hand(rng)
    me = hand.me
    bot.set_id(me)
    bot.on_start(hand.start_chips[me], list(hand.hole[me]), hand.big_blind, hand.big_id, hand.small_id, list(hand.ids))
    for street in range(rng.randint(1, 4)):
        bot.on_round_start(hand.street_start(street), hand.chips[me])
        for _ in range(rng.randint(1, 3)):
            state = hand.request()
            if state is None:
                break
            apply(hand, *ask(bot, state, hand.chips[me]))
        bot.on_end_round(hand.street_end(), hand.chips[me])
        if len(hand.live) < 2:
            break
    net = rng.randint(-hand.start_chips[me], 5 * hand.start_chips[me])
    scores = {str(player): net if player == me else -net for player in hand.ids}
    hand.bets = dict.fromkeys(hand.live, 0)
    bot.on_end_game(hand.state(0, 0), net, scores, {str(player): hand.hole[player] for player in hand.live})
