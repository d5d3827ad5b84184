"""Random: any legal action, each about as likely as the next.

Shows how to find out what is legal. Raises are drawn so that small ones are as common as large ones; a plain
random number between the minimum and the stack would be a huge bet nearly every time.
"""

import random

from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    """Picks one of the legal actions by chance, without looking at its cards."""

    def __init__(self):
        super().__init__()
        self.random = random.Random()

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        action = self.random.choice(self.legal_actions(round_state, remaining_chips))
        if action is PokerAction.RAISE:
            return action, self.raise_size(round_state.min_raise, round_state.max_raise)
        return action, 0

    def legal_actions(self, round_state, remaining_chips):
        """The actions that are legal now and differ in effect; ALL_IN is left to RAISE, whose upper end it is."""
        my_bet = round_state.player_bets.get(str(self.id), 0)
        to_call = round_state.current_bet - my_bet
        actions = [PokerAction.FOLD, PokerAction.CALL] if to_call > 0 else [PokerAction.CHECK]
        # min_raise is 0 where betting was not reopened; the largest raise must be more than a call.
        if round_state.min_raise > 0 and min(round_state.max_raise, remaining_chips) > to_call:
            actions.append(PokerAction.RAISE)
        return actions

    def raise_size(self, smallest, largest):
        """Chips to add, smallest..largest; equal chances for each factor between them."""
        if largest <= smallest:
            return largest
        return min(largest, int(smallest * (largest / smallest) ** self.random.random()))

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
