# Maps without rights, adds them later
# tries: maps 290 MiB without access, which is not counted, then makes it writable
# idea: the accounting rules of mprotect(2)
# verdict: plays
# means: rlimits

class SimplePlayer(Attacker):
    def attack(self):
        at = kernel(9, 222, 0, 290 << 20, 0, 0x22, -1, 0)
        refused("mprotect to writable", lambda: kernel(10, 226, at, 290 << 20, 3), *REFUSED, errno.ENOMEM)
        kernel(11, 215, at, 290 << 20)
