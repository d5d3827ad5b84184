# Numbers without end
# tries: 10 ** 10 ** 7 ** 2 in one operation that no signal ends
# idea: Python jails of capture-the-flag contests
# verdict: plays, disabled, memory
# means: clock, sampler, dealer

class SimplePlayer(Attacker):
    def attack(self):
        held("computing", "until it ends")
        x = 7 ** 7 ** 8
        escaped("computed", x.bit_length()) if x.bit_length() > 1 << 32 else note("computed")
