# Objects of the kernel that stay
# tries: creates System V and POSIX objects with a fixed key and searches for them in the next match
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp
# matches: 3

class SimplePlayer(Attacker):
    def attack(self):
        for name, number, arguments in (("shared memory", (29, 194), (0x4859, 4096, 0o1666)), ("queue", (68, 186), (0x4859, 0o1666)), ("semaphores", (64, 190), (0x4859, 1, 0o1666))):
            refused(name, lambda: kernel(*number, *arguments))
        refused("POSIX queue", lambda: kernel(240, 180, b"husky-attack", 0o102, 0o666, 0))
        refused("key", lambda: kernel(248, 217, b"user", b"husky-attack", b"x", 1, -4))
