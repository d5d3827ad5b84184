"""Position: the later it acts, the more hands it plays.

Whoever acts last sees what the others do first. So this bot works out how many players act after it, opens a tenth of its hands
in the first seat and over half on the button, and bets after the flop when everybody has checked to it.
"""

from bot import Bot
from type.poker_action import PokerAction

RANKS = "23456789TJQKA"

# Share of all hands worth a first raise, by the number of players who act later on the flop.
OPENING_SHARE = {0: 0.55, 1: 0.35, 2: 0.25, 3: 0.18, 4: 0.14, 5: 0.12}


def hand_order():
    """Every kind of starting hand, 'AA', 'AKs' .. '72o', best first, as {name: share of hands that are at least as good}."""
    weighted = []
    for high in range(13):
        for low in range(high + 1):
            if high == low:
                weighted.append((44 + 4.5 * high, 6, RANKS[high] * 2))
                continue
            value = 2.6 * high + 1.5 * low - 1.2 * min(high - low, 5)
            name = RANKS[high] + RANKS[low]
            weighted.append((value + 5, 4, name + "s"))
            weighted.append((value, 12, name + "o"))
    weighted.sort(reverse=True)
    shares, seen = {}, 0
    for _, combinations, name in weighted:
        seen += combinations
        shares[name] = seen / 1326
    return shares


HAND_SHARE = hand_order()


def hand_name(hand):
    """Two cards as the name of their kind: ['Ah', 'Kh'] -> 'AKs'."""
    first, second = sorted(hand, key=lambda card: RANKS.index(card[0]), reverse=True)
    if first[0] == second[0]:
        return first[0] * 2
    return first[0] + second[0] + ("s" if first[1] == second[1] else "o")


class SimplePlayer(Bot):
    """Plays by its place in the order of action."""

    def __init__(self):
        super().__init__()
        self.hand = []
        self.big_blind = 10
        self.order = []

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        self.hand = player_hands
        self.big_blind = blind_amount
        # The order after the flop starts at the small blind.
        start = all_players.index(small_blind_player_id) if small_blind_player_id in all_players else 0
        self.order = all_players[start:] + all_players[:start]
        self.small_blind_id = small_blind_player_id

    def on_round_start(self, round_state, remaining_chips):
        # Busted players stay in all_players; who was dealt in is known from the bets of the first street.
        if round_state.round_num == 0:
            self.order = [player for player in self.order if str(player) in round_state.player_bets]
            # With two players left the small blind has the button and acts last after the flop.
            if len(self.order) == 2 and self.order[0] == self.small_blind_id:
                self.order.reverse()

    def get_action(self, round_state, remaining_chips):
        my_bet = round_state.player_bets.get(str(self.id), 0)
        to_call = min(max(round_state.current_bet - my_bet, 0), remaining_chips)
        if round_state.round_num == 0:
            return self.before_flop(round_state, to_call)
        return self.after_flop(round_state, to_call, remaining_chips)

    def before_flop(self, state, to_call):
        share = HAND_SHARE[hand_name(self.hand)]
        later = self.players_after_me(state)
        if state.current_bet <= self.big_blind:
            if share <= OPENING_SHARE.get(later, 0.1):
                return self.raise_by(state, to_call + 2 * self.big_blind, to_call)
            return self.give_up(to_call)
        # Somebody raised: tighter, and tighter still for each step of a raising war.
        limit = 0.16 if later == 0 else 0.10
        limit = limit * min(1.0, 5 * self.big_blind / state.current_bet)
        if share <= limit / 3:
            return self.raise_by(state, to_call + 2 * state.current_bet, to_call)
        if share <= max(limit, 0.005):
            return self.call(to_call)
        return self.give_up(to_call)

    def after_flop(self, state, to_call, chips):
        strength = self.strength(state.community_cards)
        last = self.players_after_me(state) == 0
        opponents = len(self.live_players(state)) - 1
        if to_call == 0:
            # In the last seat a bet takes many pots that nobody wanted; one try on the flop against few players.
            steal = last and opponents <= 2 and state.round_num == 1
            if strength >= 2 or steal:
                return self.raise_by(state, state.pot * (2 if strength >= 2 else 1) // 3, 0)
            return PokerAction.CHECK, 0
        price = to_call / (state.pot + to_call)
        if strength >= 4:
            return self.raise_by(state, to_call + state.pot, to_call)
        if strength == 3 and to_call <= chips // 2:
            return self.call(to_call)
        if strength == 2 and price <= 0.4 and to_call <= 25 * self.big_blind:
            return self.call(to_call)
        if strength == 1 and last and price <= 0.25:
            return self.call(to_call)
        return self.give_up(to_call)

    def strength(self, board):
        """0 nothing, 1 small pair or flush draw, 2 top pair or overpair, 3 two pair, 4 better; from this bot's own cards."""
        mine = [RANKS.index(card[0]) for card in self.hand]
        shared = [RANKS.index(card[0]) for card in board]
        counts = [(mine + shared).count(rank) for rank in mine]
        suited = max(sum(card[1] == own[1] for card in list(board) + list(self.hand)) for own in self.hand)
        ranks = set(mine + shared) | ({-1} if 12 in mine + shared else set())
        straight = any(
            all(low + step in ranks for step in range(5)) and any(low <= rank <= low + 4 or rank - 13 == low for rank in mine)
            for low in range(-1, 9)
        )
        if max(counts) >= 3 or suited >= 5 or straight:
            return 4
        if counts == [2, 2] and mine[0] != mine[1]:
            return 3
        if 2 in counts:
            return 2 if mine[counts.index(2)] >= max(shared) else 1
        return 1 if suited == 4 and len(board) < 5 else 0

    def live_players(self, state):
        """Ids, as numbers and in the order of action, of the players who have not folded."""
        out = {player for player, action in state.player_actions.items() if action == "Fold"}
        return [player for player in self.order if str(player) in state.player_bets and str(player) not in out]

    def players_after_me(self, state):
        """How many players still in the hand act after this bot on the streets after the flop."""
        live = self.live_players(state)
        return len(live) - 1 - live.index(self.id) if self.id in live else 0

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
