// The bots of the accounts: the files of BOTS (separated by commas), or the simplest one. The first is also used for test runs.
const callingStation = `from bot import Bot
from type.poker_action import PokerAction


class SimplePlayer(Bot):
    def on_start(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players):
        pass

    def on_round_start(self, round_state, remaining_chips):
        pass

    def get_action(self, round_state, remaining_chips):
        if round_state.current_bet <= round_state.player_bets.get(str(self.id), 0):
            return PokerAction.CHECK, 0
        return PokerAction.CALL, 0

    def on_end_round(self, round_state, remaining_chips):
        pass

    def on_end_game(self, round_state, player_score, all_scores, active_players_hands):
        pass
`;

export const bots = __ENV.BOTS ? __ENV.BOTS.split(',').map((path) => open(path)) : [callingStation];
