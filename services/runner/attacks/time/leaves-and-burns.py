# Burns without a connection
# tries: closes its connection while it loads and computes in 31 threads, in three seats
# idea: tried by strangers against this platform
# verdict: startup
# means: clock, dealer
# seats: 3

say("begin")
held("left", "with 31 threads")
burn()
os.close(60)
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
