# Burns between its turns
# tries: starts 31 threads at its first decision, which compute in the turns of others, in three seats
# idea: tried by strangers against this platform
# verdict: plays, disabled, timeout
# means: clock, dealer
# seats: 3
# hands: 10

class SimplePlayer(Attacker):
    at_decision = 1

    def attack(self):
        burn()
        held("burning", "in the turns of others")
