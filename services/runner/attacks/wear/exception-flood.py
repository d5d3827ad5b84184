# Fails at every turn with a long trace
# tries: an exception with a 100-frame traceback at each decision
# idea: logs of failures
# verdict: disabled, plays
# means: log, dealer

class SimplePlayer(Attacker):
    at_decision = 1

    def get_action(self, round_state, remaining_chips):
        self.decisions += 1
        if self.decisions == 1:
            say("begin")
            held("raising", "at every turn")
            say("over")
        def down(depth):
            return down(depth - 1) if depth else 1 / 0
        down(100)
