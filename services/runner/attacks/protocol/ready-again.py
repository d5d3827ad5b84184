# Says that it is ready again
# tries: ready lines in the middle of the match, and not ready
# idea: state machines
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "ready lines")
        os.write(60, b'{"ready":true,"load_ms":0}\n{"ready":false,"error":"x","line":1}\n')
