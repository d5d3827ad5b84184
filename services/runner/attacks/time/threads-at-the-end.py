# Burns at the end
# tries: computes in 31 threads in its last on_end_game and never returns from it, in three seats
# idea: tried by strangers against this platform
# verdict: plays
# means: clock, dealer
# seats: 3
# hands: 10

class SimplePlayer(Attacker):
    at_decision = 0
    hands = 0

    def on_end_game(self, *given):
        self.hands += 1
        if self.hands == 10:
            say("begin")
            held("ending", "with 31 threads")
            say("over")
            burn()
            threading.Event().wait()
