# Takes what is free
# tries: thinks 90 ms at each turn, which is below the charged time
# idea: reading the rules of the clock
# verdict: plays
# means: clock

class SimplePlayer(Attacker):
    def get_action(self, round_state, remaining_chips):
        if self.decisions == 0:
            say("begin")
            held("thinking", "90 ms at each turn, as the rules allow")
            say("over")
        self.decisions += 1
        end = time.monotonic() + 0.09
        while time.monotonic() < end:
            pass
        return PokerAction.FOLD, 0
