# Thinks while others are at turn
# tries: computes in a thread during the turns of others, to gain processor time after its bank is empty
# idea: tried by strangers against this platform
# verdict: plays, disabled, timeout
# means: clock
# hands: 60

class SimplePlayer(Attacker):
    at_decision = 1

    def attack(self):
        def burn():
            while True:
                pass
        threading.Thread(target=burn, daemon=True).start()
        held("burning", "beside the match")
