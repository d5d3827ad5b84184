# Burns in what it is told
# tries: computes in 31 threads in on_start and never returns from it, in three seats
# idea: tried by strangers against this platform
# verdict: disabled
# means: clock, dealer
# seats: 3
# hands: 25

class SimplePlayer(Attacker):
    at_decision = 0

    def on_start(self, *given):
        say("begin")
        burn()
        held("told", "with 31 threads")
        while True:
            pass
