# Never answers
# tries: loops forever at its second decision; the other players must not wait long
# idea: every contest with a clock
# verdict: plays, disabled
# means: clock, dealer

class SimplePlayer(Attacker):
    def attack(self):
        held("looping", "until the dealer gives up")
        while True:
            pass
