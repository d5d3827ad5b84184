# Sleeps at every turn
# tries: sleeps 20 s at each decision: processor time stays at zero
# idea: every contest with a clock
# verdict: plays, disabled
# means: clock, dealer

class SimplePlayer(Attacker):
    def get_action(self, round_state, remaining_chips):
        if self.decisions == 0:
            say("begin")
            held("sleeping", "at every turn")
            say("over")
        self.decisions += 1
        time.sleep(20)
        return PokerAction.FOLD, 0
