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
