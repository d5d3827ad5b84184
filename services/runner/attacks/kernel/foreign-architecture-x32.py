# Calls of the x32 interface
# tries: a number with the x32 bit, which slips past filters that compare numbers only
# idea: the seccomp(2) manual page
# verdict: crash, plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        if AT_ARM:
            held("x32", "not on this architecture")
        else:
            note("calling", "socket by x32")
            ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 41), 1, 1, 0)
            refused("x32", lambda: kernel(0x40000000 + 41, None, 1, 1, 0))
