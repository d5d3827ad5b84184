# Burns after it has failed
# tries: reports that it could not be loaded and computes in 31 threads while the others load, in three seats
# idea: tried by strangers against this platform
# verdict: startup
# means: clock, dealer
# seats: 3

say("begin")
held("failed", "with 31 threads")
burn()
os.write(60, b'{"ready":false,"error":"SyntaxError","line":1}\n')
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
