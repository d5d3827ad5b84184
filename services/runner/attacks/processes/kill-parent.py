# Ends the host of all seats
# tries: sends signal 0 to its parent, to all processes and to its group
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp, landlock

class SimplePlayer(Attacker):
    def attack(self):
        refused("kill parent", lambda: os.kill(parent(), 0), *HIDDEN)
        refused("kill 1", lambda: os.kill(1, 0) if os.getpid() != 1 else os.kill(2, 0), *HIDDEN)
        refused("kill all", lambda: os.kill(-1, 0), *HIDDEN)
        refused("pidfd of the parent", lambda: kernel(434, 434, parent(), 0), *HIDDEN)
