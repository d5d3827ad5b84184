say("begin")
burn()
held("ready", "with 31 threads")
say("over")


class SimplePlayer(Attacker):
    at_decision = 0
