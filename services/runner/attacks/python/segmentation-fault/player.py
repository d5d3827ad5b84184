class SimplePlayer(Attacker):
    def attack(self):
        held("faulting", "at address 0")
        ctypes.string_at(0)
