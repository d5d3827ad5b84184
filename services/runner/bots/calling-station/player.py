"""Calling station: never folds, never raises.

The smallest complete bot, and a useful yardstick: a bot that cannot take chips from it bets its good hands too little.
"""

from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    """Checks when that is free and calls everything else."""

    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        my_bet = round_state.player_bets.get(str(self.id), 0)
        if round_state.current_bet <= my_bet:
            return PokerAction.CHECK, 0
        # A CALL for more than the stack is an all-in, so no case needs care.
        return PokerAction.CALL, 0

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
