# System V objects
# tries: creates shared memory, messages and semaphores, which outlive processes
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

class SimplePlayer(Attacker):
    def attack(self):
        refused("shmget", lambda: kernel(29, 194, 0, 4096, 0o1600))
        refused("msgget", lambda: kernel(68, 186, 0, 0o1600))
        refused("semget", lambda: kernel(64, 190, 0, 1, 0o1600))
        refused("semtimedop", lambda: kernel(220, 192, 0, 0, 0, 0))
