class SimplePlayer(Attacker):
    at_decision = 0

    def on_start(self, *given):
        say("begin")
        burn()
        held("told", "with 31 threads")
        while True:
            pass
