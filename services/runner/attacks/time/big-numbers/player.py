class SimplePlayer(Attacker):
    def attack(self):
        held("computing", "until it ends")
        x = 7 ** 7 ** 8
        escaped("computed", x.bit_length()) if x.bit_length() > 1 << 32 else note("computed")
