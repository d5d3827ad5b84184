say("begin")
held("failed", "with 31 threads")
burn()
os.write(60, b'{"ready":false,"error":"SyntaxError","line":1}\n')
threading.Event().wait()


class SimplePlayer(Attacker):
    pass
