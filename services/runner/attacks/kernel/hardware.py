# The hardware itself
# tries: I/O ports, segment tables, memory policies, cache control
# idea: old holes of x86
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        for name, x86, arm in (("iopl", 172, None), ("ioperm", 173, None), ("modify_ldt", 154, None), ("mbind", 237, 235), ("set_mempolicy", 238, 237), ("migrate_pages", 256, 238), ("move_pages", 279, 239)):
            refused(name, lambda: kernel(x86, arm, 3, 0, 0, 0, 0, 0))
        refused("personality", lambda: kernel(135, 92, 0x0040000))
