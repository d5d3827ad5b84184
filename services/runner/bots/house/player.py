"""House: the opponent of test runs.

Sound, quick, and without chance: with the same cards and the same actions before it, it always does the same, so a test run can be
repeated. Standard library only.

Its idea is to compare hands with ranges. All 1,326 starting hands are ordered once by Bill Chen's formula (The Mathematics of
Poker, 2006). An opponent is taken to hold one of the best x percent of them, where x shrinks with each raise. After the flop its
own hand is compared with an even sample of that range; draws add their outs. What comes out is the chance to win,
and the price of a call, or the worth of a bet, is measured against it.
"""

from itertools import combinations

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"
SUITS = "hdcs"

# Hands of the opponent's range looked at per street: bounds the time of a decision.
SAMPLE = 48


def parse(card):
    """'Td' -> (8, 1): rank 0..12 and suit 0..3."""
    return RANKS.index(card[0]), SUITS.index(card[1])


def chen_points(first, second):
    """Chen's value of two hole cards, from -1 (7-2) to 20 (a pair of aces)."""
    high, low = max(first[0], second[0]), min(first[0], second[0])
    points = {12: 10, 11: 8, 10: 7, 9: 6}.get(high, (high + 2) / 2)
    if high == low:
        return max(5, points * 2)
    gap = high - low - 1
    points += 2 * (first[1] == second[1]) - (0, 1, 2, 4, 5)[min(gap, 4)]
    return points + (gap <= 1 and high < 10)


def ordered_hands():
    """All 1,326 pairs of cards, best first; equal points are settled by the ranks."""
    deck = [(rank, suit) for rank in range(13) for suit in range(4)]
    return sorted(combinations(deck, 2), key=lambda pair: (-chen_points(*pair), -pair[0][0] - pair[1][0]))


HANDS = ordered_hands()
# Share of all hands that are at least as good, by (high rank, low rank, suited).
PERCENTILE = {}
for position, (a, b) in enumerate(HANDS):
    PERCENTILE[max(a[0], b[0]), min(a[0], b[0]), a[1] == b[1]] = (position + 1) / len(HANDS)


def top_of_straight(mask):
    """Rank of the highest card of a straight among the bits of mask (bit 0 = two), or -1; the ace also counts low."""
    mask = mask << 1 | mask >> 12 & 1
    runs = mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4
    return runs.bit_length() + 2 if runs else -1


def hand_value(cards):
    """A tuple that compares as the best five of 5 to 7 cards do in poker: (category 0..8, ranks that decide)."""
    counts = [0] * 13
    suit_masks = [0, 0, 0, 0]
    mask = 0
    for rank, suit in cards:
        counts[rank] += 1
        suit_masks[suit] |= 1 << rank
        mask |= 1 << rank
    for suited in suit_masks:
        if suited.bit_count() >= 5:
            straight = top_of_straight(suited)
            if straight >= 0:
                return (8, straight)
            flush = [rank for rank in range(12, -1, -1) if suited >> rank & 1]
            return (5, *flush[:5])
    groups = sorted([(counts[rank], rank) for rank in range(13) if counts[rank]], reverse=True)
    (most, first), (more, second) = groups[0], groups[1]
    if most == 4:
        return (7, first, max(rank for count, rank in groups if rank != first))
    if most == 3 and more >= 2:
        return (6, first, second)
    straight = top_of_straight(mask)
    if straight >= 0:
        return (4, straight)
    if most == 3:
        return (3, first, groups[1][1], groups[2][1])
    if most == 2 and more == 2:
        return (2, first, second, max(rank for count, rank in groups if rank not in (first, second)))
    return (most - 1, *(rank for count, rank in groups[: 6 - most]))


def outs(hand, board):
    """Cards that would complete a flush (9) or a straight (8 or 4) with help of the hole cards; 0 on the river."""
    if len(board) >= 5:
        return 0
    cards = hand + board
    for suit in {card[1] for card in hand}:
        if sum(card[1] == suit for card in cards) == 4:
            return 9
    mask = board_mask = 0
    for rank, _ in cards:
        mask |= 1 << rank
    for rank, _ in board:
        board_mask |= 1 << rank
    completing = sum(
        top_of_straight(mask | 1 << rank) > top_of_straight(board_mask | 1 << rank) for rank in range(13) if not mask >> rank & 1
    )
    return min(8, 4 * completing)


class SimplePlayer(Bot):
    """Plays its chance to win against the hands that the others are likely to hold."""

    def __init__(self):
        super().__init__()
        self.hand = []
        self.percentile = 1.0
        self.big_blind = 10
        self.width = None
        self.chances = {}

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.hand = [parse(card) for card in player_hands]
        (a, x), (b, y) = self.hand
        self.percentile = PERCENTILE[max(a, b), min(a, b), x == y]
        self.big_blind = max(1, blind_amount)
        self.width = None
        self.chances = {}

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        my_bet = round_state.player_bets.get(str(self.id), 0)
        to_call = min(max(round_state.current_bet - my_bet, 0), remaining_chips)
        if round_state.round_num == 0:
            return self.before_flop(round_state, to_call, remaining_chips)
        return self.after_flop(round_state, to_call, remaining_chips)

    def before_flop(self, state, to_call, chips):
        opponents = self.opponents(state)
        waiting = max(0, len(state.current_player) - 1)
        steps = state.current_bet / self.big_blind
        if steps <= 1:
            # First in: 70 % of hands heads-up, 16 % with five players still to act.
            opening = (0.70, 0.70, 0.42, 0.28, 0.20, 0.16)[min(waiting, 5)] if opponents > 1 else 0.70
            if self.percentile <= opening * 0.8 or (to_call == 0 and self.percentile <= 0.15):
                return self.raise_by(state, to_call + 2 * self.big_blind, to_call)
            if self.percentile <= opening:
                return self.call(to_call)
            return self.give_up(to_call)

        # Facing a raise: the higher it is, the better the hands behind it.
        theirs = self.range_before_flop(steps, opponents)
        if self.percentile <= theirs * 0.25 and (steps < 25 or self.percentile <= 0.014):
            return self.raise_by(state, to_call + 2 * state.current_bet, to_call)
        price = to_call / (state.pot + to_call)
        stake = to_call / max(1, chips)
        limit = theirs * (1.0 if opponents == 1 else 0.7) * (0.40 / max(price, 0.25)) * (1 - 0.6 * stake)
        return self.call(to_call) if self.percentile <= limit else self.give_up(to_call)

    def range_before_flop(self, steps, opponents):
        """Share of hands that a raise to that many big blinds stands for."""
        width = 0.45 if opponents == 1 else 0.25
        if steps <= 5:
            return width
        return max(0.03, width * (5 / steps) ** 0.6)

    def after_flop(self, state, to_call, chips):
        board = [parse(card) for card in state.community_cards]
        if self.width is None:
            # The more went in on the streets before, the better the hands that stayed.
            in_blinds = (state.pot - sum(state.player_bets.values())) / self.big_blind
            self.width = 0.6 if in_blinds <= 4 else 0.3 if in_blinds < 16 else 0.12
        opponents = self.opponents(state)
        pressure = to_call / max(1, state.pot - to_call)
        chance = self.chance_to_win(board, opponents, pressure if to_call > self.big_blind else 0.0)
        streets_left = 3 - state.round_num
        draw = outs(self.hand, board) * 0.021 * streets_left
        chance += (1 - chance) * draw

        if to_call == 0:
            if chance >= 0.62:
                return self.raise_by(state, state.pot * (3 if chance >= 0.8 else 2) // 4, 0)
            # Draws bet half the pot now and then; the low bits of the cards decide, so that it stays repeatable.
            if draw >= 0.15 and opponents <= 2 and self.coin(board):
                return self.raise_by(state, state.pot // 2, 0)
            return PokerAction.CHECK, 0

        price = to_call / (state.pot + to_call)
        deep = to_call / self.big_blind
        needed = price + 0.02 + min(0.14, 0.0015 * deep)
        if chance >= 0.86 or (chance >= 0.8 and deep <= 15):
            return self.raise_by(state, to_call + (state.pot + to_call) * 3 // 4, to_call)
        return self.call(to_call) if chance >= needed else self.give_up(to_call)

    def chance_to_win(self, board, opponents, pressure):
        """Chance, 0..1, to be ahead of all opponents now; pressure = their bet in pots narrows their range."""
        width = self.width if pressure <= 0 else max(0.08, self.width * (0.75 - 0.33 * min(pressure, 1.6)))
        ahead = self.share_beaten(board, width)
        if pressure > 0:
            # Whoever bets has found something on the board: among his hands, mostly the better half.
            ahead = max(0.0, ahead - 0.35 * (1 - ahead) * min(1.0, 0.6 + pressure))
        return ahead ** min(opponents, 3)

    def share_beaten(self, board, width):
        """Share of the best `width` of all starting hands that this bot's hand beats on this board; ties count half."""
        key = (len(board), round(width, 2))
        if key in self.chances:
            return self.chances[key]
        mine = hand_value(self.hand + board)
        known = set(self.hand + board)
        size = int(len(HANDS) * width)
        step = max(1, size // SAMPLE)
        won = seen = 0
        for index in range(0, size, step):
            first, second = HANDS[index]
            if first in known or second in known:
                continue
            theirs = hand_value([first, second, *board])
            won += 2 if mine > theirs else mine == theirs
            seen += 2
        self.chances[key] = won / seen if seen else 0.5
        return self.chances[key]

    def coin(self, board):
        """True for about half of all hands, fixed by the cards alone."""
        return sum(rank * 7 + suit * 3 for rank, suit in self.hand + board) % 2 == 0

    def opponents(self, state):
        """Number of players, at least 1, who can still win the pot besides this bot."""
        actions = state.player_actions
        live = [player for player in state.player_bets if player != str(self.id) and actions.get(player) != "Fold"]
        return max(1, len(live))

    def raise_by(self, state, chips_to_add, to_call):
        """A RAISE of about that many chips, or a call where no raise is possible."""
        if state.min_raise <= 0 or state.max_raise <= to_call:
            return self.call(to_call)
        return PokerAction.RAISE, max(state.min_raise, min(chips_to_add, state.max_raise))

    def call(self, to_call):
        return (PokerAction.CALL, 0) if to_call else (PokerAction.CHECK, 0)

    def give_up(self, to_call):
        return (PokerAction.FOLD, 0) if to_call else (PokerAction.CHECK, 0)

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
