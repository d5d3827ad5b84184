/** Returns a bot that plays CALL after 2 ms, so that matches last long enough for faults but need little processor time. `remark` makes it unique. */
export const createChaosBot = (remark: string): string => `"""Bot of make chaos: ${remark}."""

import time

from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        time.sleep(0.002)
        return PokerAction.CALL, 0

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
`;
