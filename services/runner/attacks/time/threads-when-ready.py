# Burns while others load
# tries: is ready at once and computes in 31 threads while the others load and play, in three seats
# idea: tried by strangers against this platform
# verdict: plays, disabled, timeout
# means: clock, dealer
# seats: 3
# hands: 10

say("begin")
burn()
held("ready", "with 31 threads")
say("over")


class SimplePlayer(Attacker):
    at_decision = 0
