"""Tight-aggressive: few hands, and those it plays it bets.

Before the flop it scores its two cards with Bill Chen's formula (The Mathematics of Poker, 2006) and enters with about one
hand in six, always with a raise. After the flop it bets and raises with top pair or better, follows with draws while
the price is right, and lets everything else go.
"""

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"

# Chen points needed: to open with a raise, to call a raise, to raise again.
OPEN_POINTS = 8
CALL_POINTS = 10
RERAISE_POINTS = 13

NOTHING, DRAW, WEAK_PAIR, STRONG_PAIR, TWO_PAIR, MONSTER = range(6)


def chen_points(hand):
    """Value of two hole cards, from -1 (7-2) to 20 (a pair of aces)."""
    high, low = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    points = {12: 10, 11: 8, 10: 7, 9: 6}.get(high, (high + 2) / 2)
    if high == low:
        return max(5, points * 2)
    if hand[0][1] == hand[1][1]:
        points += 2
    gap = high - low - 1
    points -= (0, 1, 2, 4, 5)[min(gap, 4)]
    if gap <= 1 and high < 10:
        points += 1
    return points


def has_straight(ranks):
    """Whether five of these rank numbers (0..12) are in a row; the ace also counts below the two."""
    present = set(ranks)
    if 12 in present:
        present.add(-1)
    return any(all(low + step in present for step in range(5)) for low in range(-1, 9))


def has_straight_draw(ranks):
    """Whether four of five neighbouring ranks are there."""
    present = set(ranks)
    if 12 in present:
        present.add(-1)
    return any(sum(low + step in present for step in range(5)) == 4 for low in range(-1, 9))


def made_hand(hand, board):
    """One of the six classes above; a pair that lies on the board alone counts as nothing."""
    my_ranks = [RANKS.index(card[0]) for card in hand]
    board_ranks = [RANKS.index(card[0]) for card in board]
    ranks = my_ranks + board_ranks
    suits = [card[1] for card in hand + board]
    my_suits = {card[1] for card in hand}
    suited = max(suits.count(suit) for suit in my_suits)

    trips = any(ranks.count(rank) >= 3 for rank in my_ranks)
    if trips or suited >= 5 or (has_straight(ranks) and not has_straight(board_ranks)):
        return MONSTER
    pocket_pair = my_ranks[0] == my_ranks[1]
    paired = [rank for rank in set(my_ranks) if ranks.count(rank) == 2]
    if len(paired) == 2:
        return TWO_PAIR
    if paired:
        beaten_by_board = sum(rank > paired[0] for rank in set(board_ranks))
        if beaten_by_board == 0:
            return STRONG_PAIR
        return WEAK_PAIR if beaten_by_board == 1 or pocket_pair else NOTHING
    if len(board) < 5 and (suited == 4 or has_straight_draw(ranks)):
        return DRAW
    return NOTHING


class SimplePlayer(Bot):
    """Raises its good hands, folds the rest."""

    def __init__(self):
        super().__init__()
        self.hand = []
        self.big_blind = 10

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.hand = list(player_hands)
        self.big_blind = blind_amount

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        to_call = round_state.current_bet - round_state.player_bets.get(str(self.id), 0)
        to_call = min(max(to_call, 0), remaining_chips)
        if round_state.round_num == 0:
            return self.before_flop(round_state, to_call)
        return self.after_flop(round_state, to_call, remaining_chips)

    def before_flop(self, state, to_call):
        points = chen_points(self.hand)
        raised = state.current_bet > self.big_blind
        if points >= RERAISE_POINTS or (points >= OPEN_POINTS and not raised):
            # Three times the bet to beat; a fourth raise or later only with the very best.
            if state.current_bet <= 12 * self.big_blind or points >= 16:
                return self.raise_by(state, to_call + 2 * state.current_bet, to_call)
        if raised and points >= CALL_POINTS and to_call <= max(state.pot // 2, 5 * self.big_blind):
            return self.call(to_call)
        if points >= RERAISE_POINTS and to_call <= state.pot:
            return self.call(to_call)
        return self.give_up(to_call)

    def after_flop(self, state, to_call, chips):
        strength = made_hand(self.hand, list(state.community_cards))
        price = to_call / (state.pot + to_call) if to_call else 0.0
        big_bet = to_call > chips // 3 or to_call > 30 * self.big_blind

        if to_call == 0:
            if strength >= STRONG_PAIR or (strength == DRAW and state.round_num < 3):
                return self.raise_by(state, 2 * state.pot // 3, 0)
            return PokerAction.CHECK, 0
        if strength == MONSTER:
            return self.raise_by(state, to_call + state.pot, to_call)
        if strength == TWO_PAIR:
            return self.call(to_call) if big_bet else self.raise_by(state, to_call + 2 * state.pot // 3, to_call)
        if strength == STRONG_PAIR and not big_bet:
            return self.call(to_call)
        if strength == WEAK_PAIR and price <= 0.25 and not big_bet:
            return self.call(to_call)
        if strength == DRAW and price <= 0.2:
            return self.call(to_call)
        return self.give_up(to_call)

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
