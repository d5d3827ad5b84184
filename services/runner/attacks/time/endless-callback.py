# Never comes back from being told
# tries: never returns from on_end_game, so that it answers no further question
# idea: an information call without a limit
# verdict: plays, disabled, timeout
# means: clock, dealer

class SimplePlayer(Attacker):
    at_decision = 0

    def on_end_game(self, *given):
        if not hasattr(self, "stuck"):
            self.stuck = True
            say("begin")
            held("stuck", "in on_end_game")
            say("over")
            while True:
                time.sleep(1)
