# Cards that are not told yet
# tries: searches all data that it was sent for other players' cards and cards of later streets
# idea: reading state objects
# verdict: plays
# means: dealer

class SimplePlayer(Attacker):
    at_decision = 1

    def get_action(self, round_state, remaining_chips):
        self.decisions += 1
        cards = repr(vars(round_state) if hasattr(round_state, "__dict__") else round_state)
        if self.decisions == 1:
            say("begin")
            bounded("community cards before the flop", len(round_state.community_cards), 0, "cards")
            say("held" if round_state.player_money in (None, {}) else "ESCAPED", "money of others", round_state.player_money)
            note("told", cards[:200])
            say("over")
        return PokerAction.FOLD, 0
