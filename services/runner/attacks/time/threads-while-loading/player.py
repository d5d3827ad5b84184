say("begin")
held("loading", "with 31 threads")
burn()
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
