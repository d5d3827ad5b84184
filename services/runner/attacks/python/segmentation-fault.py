# Ends by a fault in C
# tries: reads address 0 by ctypes
# idea: Python jails of capture-the-flag contests
# verdict: crash
# means: dealer

class SimplePlayer(Attacker):
    def attack(self):
        held("faulting", "at address 0")
        ctypes.string_at(0)
