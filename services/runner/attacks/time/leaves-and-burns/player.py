say("begin")
held("left", "with 31 threads")
burn()
os.close(60)
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
