# Burns while it loads
# tries: computes in 31 threads while it loads and never gets ready, in three seats
# idea: tried by strangers against this platform
# verdict: startup
# means: clock, dealer
# seats: 3

say("begin")
held("loading", "with 31 threads")
burn()
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
