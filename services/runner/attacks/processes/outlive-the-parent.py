# Outlives its parent
# tries: clears the death signal, creates a session and becomes a subreaper, dumpable and traceable
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        for name, arguments in (("no death signal", (1, 0)), ("subreaper", (36, 1)), ("dumpable", (4, 1)), ("tracer", (0x59616D61, -1)), ("keep capabilities", (8, 1)), ("timer slack", (29, 1))):
            refused(name, lambda: kernel(157, 167, *arguments, 0, 0, 0))
        refused("setsid", os.setsid)
        refused("setpgid", lambda: os.setpgid(0, 0))
